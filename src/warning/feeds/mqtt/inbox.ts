import type { IPublishPacket } from 'mqtt'
import { because } from '../../../model/reason.ts'
import { sha256Hex } from '../../../platform/bytes/hash.ts'
import { storageFaultOf } from '../../../platform/database/storage-fault.ts'
import { takeMessage } from '../brokers/take.ts'
import type { PushTools } from '../source.ts'
import type { MqttSettings } from './settings.ts'
import { topicFor } from './topics.ts'

/** A message the store fails at, and not others, would hold up all that follow: after so many tries it is given up. */
const MAX_TRIES = 10
/** So many stay without an acknowledgement while nothing can be stored: fewer than the broker sends without any. */
const MOST_OWED = 10

/** Deals with the messages of a broker. */
export class MqttInbox {
  readonly #settings: MqttSettings
  readonly #tools: PushTools
  /** The message that could not be stored last, over connections, and how often. */
  #failed = { digest: '', tries: 0 }
  #owed = 0

  constructor(settings: MqttSettings, tools: PushTools) {
    this.#settings = settings
    this.#tools = tools
  }

  /**
   * Resolves with true when the message may be acknowledged: it is stored, refused or given up. Rejects when it should come again
   * at once. False: our disk does not take it, and a warning may stand behind it, so that it is left without an acknowledgement.
   */
  async take({ topic, payload, retain, qos }: IPublishPacket): Promise<boolean> {
    const rules = topicFor(this.#settings.topics, topic)
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    if (rules === undefined) {
      this.#tools.counted({ bytes: bytes.byteLength, refused: because('topic_not_asked') })
      return true
    }
    if (retain && rules.retained === 'ignore') return true
    const known = retain && rules.retained === 'known'
    const { mapping, family } = rules
    try {
      const how = { mapping, family, keepSource: this.#settings.keep_source }
      await takeMessage({ payload: bytes, publishedAt: null, known }, how, this.#tools)
      this.#failed = { digest: '', tries: 0 }
      this.#owed = 0
      return true
    } catch (error) {
      if (this.#tools.signal.aborted) throw error
      if (storageFaultOf(error) !== null) {
        this.#tools.counted({ bytes: bytes.byteLength, refused: because('waits_in_memory') })
        return qos === 0 || ++this.#owed > MOST_OWED
      }
      this.#tools.log.error({ err: error, topic }, 'a message could not be stored')
      if (!this.#givesUp(bytes, qos)) throw error
      this.#tools.counted({ bytes: bytes.byteLength, refused: because('could_not_be_stored') })
      return true
    }
  }

  /** The broker does not send messages of QoS 0 again. */
  #givesUp(bytes: Uint8Array, qos: number): boolean {
    if (qos === 0) return true
    const digest = sha256Hex(bytes)
    const tries = this.#failed.digest === digest ? this.#failed.tries + 1 : 1
    this.#failed = { digest, tries }
    return tries >= MAX_TRIES
  }
}
