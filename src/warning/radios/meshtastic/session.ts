import { because, type Reason } from '../../../model/reason.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import type { Link } from '../link/link.ts'
import type { Session } from '../supervisor.ts'
import { encodeFrame, FrameParser, WAKE_BYTES } from './frames.ts'
import {
  decodeFromRadio,
  encodeDisconnect,
  encodeHeartbeat,
  encodeWantConfig,
  type FromRadio,
  isMessage,
  NODES_ONLY_NONCE
} from './messages.ts'
import { ProtobufError } from './protobuf.ts'
import { describeStranger, MESHCORE_QUESTION } from './wrong-device.ts'

const WAKE_MS = 100
/** A node that is starting loses the first question; nothing for this long, and it is asked again. */
const ASK_AGAIN_MS = 3000
/** A frame that does not go on for this long was noise, or its end is lost. */
const STALLED_MS = 1000
/** A handshake whose frames flow, but that never ends, is given up after as many silences. */
const MOST_SILENCES = 4
/** The list of nodes waits: texts for the radio go first. */
const NODES_AFTER_MS = 3000
/** The time another firmware has to answer a question of its own. */
const STRANGER_WAIT_MS = 1000

export interface SessionOptions {
  link: Link
  clock: Clock
  nonce: number
  /** Serial: the node sleeps, or holds half a frame of the client before us. */
  wake: boolean
  /** The time for which a handshake may stand still. */
  silenceMs: number
  /** A handshake begins, anew perhaps. */
  started: () => void
  /** The configuration is complete. Answers what keeps the radio from sending, or null; throws AppError when it is not usable. */
  configured: () => Reason | null
  /** Every message, those of the handshake too. */
  message: (message: FromRadio) => void
  /** The node restarted behind an open link. */
  restarted: () => void
  ended: (reason: Reason) => void
}

type TimerName = 'stalled' | 'ask' | 'wake' | 'nodes'

/** One conversation with a Meshtastic node: frames in, frames out, the handshake, the heartbeat. What the handshake holds is never logged. */
export class MeshtasticSession implements Session {
  readonly #o: SessionOptions
  readonly #parser = new FrameParser(isMessage)
  readonly #timers = new Map<TimerName, () => void>()
  #handshake: { resolve: (problem: Reason | null) => void; reject: (error: Error) => void } | null = null
  #configured = false
  #ended = false
  #lastFrameAt: number
  #startedAt = 0
  #heartbeats: (() => void)[] = []

  constructor(options: SessionOptions) {
    this.#o = options
    this.#lastFrameAt = options.clock.now()
    options.link.onData((bytes) => this.#received(bytes))
  }

  start(): Promise<Reason | null> {
    this.#lastFrameAt = this.#o.clock.now()
    this.#startedAt = this.#lastFrameAt
    return new Promise((resolve, reject) => {
      this.#handshake = { resolve, reject }
      this.#ask()
    })
  }

  /** Reads the configuration once more, as a phone may have changed it. Rejects when it does not come; the session goes on. */
  async configureAgain(): Promise<void> {
    if (this.#handshake === null) await this.start()
  }

  /** Asks in a moment whom the node knows: what it tells comes as messages. */
  askForNodes(): void {
    this.#timer('nodes', NODES_AFTER_MS, () => {
      // A link that cannot be written to is found out by the next text or probe.
      this.write(encodeWantConfig(NODES_ONLY_NONCE)).catch(() => undefined)
    })
  }

  /** Resolves with the next queue report: a node gives one for every heartbeat, and one for whatever else shows that it lives. */
  probe(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#heartbeats.push(resolve)
      this.write(encodeHeartbeat()).catch(reject)
    })
  }

  farewell(): Promise<void> {
    return this.#o.link.write(encodeFrame(encodeDisconnect()))
  }

  /** Rejects when the link is gone. */
  write(payload: Uint8Array): Promise<void> {
    return this.#o.link.write(encodeFrame(payload))
  }

  end(reason: Reason): void {
    this.#ended = true
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
    this.#heartbeats = []
    this.#fail(reason)
    this.#o.ended(reason)
  }

  #timer(name: TimerName, ms: number, task: () => void): void {
    this.#timers.get(name)?.()
    this.#timers.set(
      name,
      this.#o.clock.after(ms, () => {
        this.#timers.delete(name)
        task()
      })
    )
  }

  #ask(): void {
    // Before the question: over a link without delay the answer comes while it is being written.
    this.#timer('ask', ASK_AGAIN_MS, () => this.#stillWaiting())
    this.#o.started()
    const question = encodeFrame(encodeWantConfig(this.#o.nonce))
    if (this.#o.wake) {
      this.#send(WAKE_BYTES)
      this.#timer('wake', WAKE_MS, () => this.#send(question))
    } else this.#send(question)
  }

  #send(bytes: Uint8Array): void {
    this.#o.link.write(bytes).catch((error: unknown) => this.#fail(reasonOf(error)))
  }

  /** Frames that flow are waited for; a handshake that stands still is begun again, and given up in the end. */
  #stillWaiting(): void {
    const now = this.#o.clock.now()
    const silent = now - this.#lastFrameAt
    const took = now - this.#startedAt
    if (took >= MOST_SILENCES * this.#o.silenceMs)
      this.#fail(because('configuration_endless', { seconds: took / 1000 }))
    else if (silent >= this.#o.silenceMs) this.#askStranger()
    else if (silent >= ASK_AGAIN_MS) this.#ask()
    else this.#timer('ask', ASK_AGAIN_MS - silent, () => this.#stillWaiting())
  }

  /** Another radio firmware speaks only when it is spoken to in its own frames. */
  #askStranger(): void {
    this.#timer('ask', STRANGER_WAIT_MS, () => this.#fail(this.#silence()))
    this.#send(MESHCORE_QUESTION)
  }

  #silence(): Reason {
    const seconds = this.#o.silenceMs / 1000
    const seen = describeStranger(this.#parser.noise)
    return because('no_meshtastic', { link: this.#o.link.label, seconds, seen })
  }

  #fail(reason: Reason): void {
    const handshake = this.#handshake
    this.#handshake = null
    handshake?.reject(new AppError('unavailable', reason))
  }

  #received(bytes: Uint8Array): void {
    if (this.#ended) return
    this.#take(this.#parser.push(bytes))
  }

  #take(payloads: Uint8Array[]): void {
    for (const payload of payloads) {
      const message = decodeOrNull(payload)
      if (message !== null && !this.#ended) this.#understood(message)
    }
    if (this.#ended) return
    if (this.#parser.waiting) this.#timer('stalled', STALLED_MS, () => this.#take(this.#parser.giveUp()))
    else this.#timers.get('stalled')?.()
  }

  #understood(message: FromRadio): void {
    this.#lastFrameAt = this.#o.clock.now()
    this.#o.message(message)
    switch (message.kind) {
      case 'queue-status':
        for (const answered of this.#heartbeats.splice(0)) answered()
        break
      case 'rebooted':
        if (this.#configured) this.#o.restarted()
        else if (this.#handshake !== null) this.#ask()
        break
      case 'config-complete':
        if (message.nonce === this.#o.nonce) this.#complete()
        break
      default:
    }
  }

  #complete(): void {
    const handshake = this.#handshake
    if (handshake === null) return
    try {
      const problem = this.#o.configured()
      this.#handshake = null
      this.#configured = true
      this.#timers.get('ask')?.()
      this.#timers.delete('ask')
      handshake.resolve(problem)
    } catch (error) {
      this.#fail(reasonOf(error))
    }
  }
}

/** A frame of something newer or broken does no harm. */
function decodeOrNull(payload: Uint8Array): FromRadio | null {
  try {
    return decodeFromRadio(payload)
  } catch (error) {
    if (error instanceof ProtobufError) return null
    throw error
  }
}
