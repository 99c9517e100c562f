import type { IPublishPacket } from 'mqtt'
import type { MqttSettings } from '../../config/sources/mqtt.ts'
import { sha256Hex } from '../../lib/hash.ts'
import { takeMessage } from '../brokers/take.ts'
import type { PushTools } from '../source.ts'
import { topicFor } from './topics.ts'

/** A message the store fails at, and not others, would hold up all that follow: after so many tries it is given up. */
const MAX_TRIES = 10

/** What becomes of the messages of a broker. */
export class MqttInbox {
  readonly #settings: MqttSettings
  readonly #tools: PushTools
  /** The message that could not be stored last, over connections, and how often. */
  #failed = { digest: '', tries: 0 }

  constructor(settings: MqttSettings, tools: PushTools) {
    this.#settings = settings
    this.#tools = tools
  }

  /** Resolves when the message may be acknowledged: it is stored, refused or given up. Rejects when it should come again. */
  async take({ topic, payload, retain, qos }: IPublishPacket): Promise<void> {
    const rules = topicFor(this.#settings.topics, topic)
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    if (rules === undefined) {
      this.#tools.counted({ bytes: bytes.byteLength, refused: 'it is of a topic that is not asked for any more' })
      return
    }
    if (retain && rules.retained === 'ignore') return
    const known = retain && rules.retained === 'known'
    const { mapping, family } = rules
    try {
      const how = { mapping, family, keepSource: this.#settings.keep_source }
      await takeMessage({ payload: bytes, publishedAt: null, known }, how, this.#tools)
      this.#failed = { digest: '', tries: 0 }
    } catch (error) {
      if (this.#tools.signal.aborted) throw error
      this.#tools.log.error({ err: error, topic }, 'a message could not be stored')
      if (!this.#givesUp(bytes, qos)) throw error
      this.#tools.counted({ bytes: bytes.byteLength, refused: 'it could not be stored' })
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
