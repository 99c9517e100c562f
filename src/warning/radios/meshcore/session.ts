import { because, type Reason } from '../../../model/reason.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Link } from '../link/link.ts'
import { appStart, deviceQuery, getTime, setTime } from './commands.ts'
import { type Command, Exchange, type Refusal } from './exchange.ts'
import { encodeFrame, FrameParser } from './frames.ts'
import { describeStranger, MESHTASTIC_HEARTBEAT, mayBeStarting } from './identify.ts'
import type { DeviceInfo, Message, SelfInfo } from './messages.ts'

/** A board that was reset by opening the port answers after some seconds; a half-read frame in it swallows the first question. */
const OPENING_TIMEOUTS_MS = [1000, 2000, 3000, 3000, 3000] as const
/** After as many questions another kind of device has shown itself, and only a board that may be starting is asked on. */
const STRANGER_AFTER = 3
const STRANGER_WAIT_MS = 1000
const STRANGER_BYTES = 512
const CLOCK_TOLERANCE_S = 2
/** A plausible present: a clock of ours that was never set must not set the node's. 2024-01-01. */
const EARLIEST_EPOCH_S = 1_704_067_200
const STATS_PROTOCOL = 8
/** A companion that left this many questions for statistics unanswered, while it answered others, has none. */
const STATS_UNANSWERED = 2

export interface SessionOptions {
  clock: Clock
  /** Nothing but frames belongs on this link (TCP): on a serial line a board may print its log between them. */
  framesOnly?: boolean
  onPush: (push: Message) => void
  /** The node has answered a command. */
  onAnswer?: () => void
  /** The node has stopped answering. */
  onDead: (reason: Reason) => void
}

/** The facts that the node told about itself in the handshake. */
export interface NodeFacts extends Pick<DeviceInfo, 'version' | 'maxChannels' | 'firmware' | 'model'> {
  self: SelfInfo
}

/** One connection to one node: the frames on a link, the handshake, and commands one at a time. */
export class Session {
  readonly #link: Link
  readonly #clock: Clock
  #told: { told: number; at: number } | null = null
  readonly #parser = new FrameParser()
  readonly #exchange: Exchange
  readonly #pauses = new Set<() => void>()
  #node: NodeFacts | null = null
  #statsUnanswered = 0
  #ended = false

  /** Listens to `link` from now on, which may be open already. */
  constructor(link: Link, { clock, framesOnly = false, onPush, onAnswer, onDead }: SessionOptions) {
    this.#link = link
    this.#clock = clock
    this.#exchange = new Exchange({
      clock,
      onPush,
      ...(onAnswer === undefined ? {} : { onAnswer }),
      // During the handshake its own reason is the better one.
      onDead: (reason) => {
        if (this.#node !== null) onDead(reason)
      },
      write: (payload) => link.write(encodeFrame(payload)),
      recover: () => this.#parser.giveUp()
    })
    link.onData((bytes) => {
      const before = this.#parser.skipped
      const frames = this.#parser.push(bytes)
      // The protocol has no checksum: a link that breaks what we read breaks what we write too, and that goes on the air.
      if (framesOnly && this.#node !== null && this.#parser.skipped > before) {
        onDead(because('frames_senseless'))
        return
      }
      for (const frame of frames) this.#exchange.receive(frame)
    })
  }

  /** The facts about the node. Throws TypeError before the handshake. */
  get node(): NodeFacts {
    if (this.#node === null) throw new TypeError('the handshake is not done')
    return this.#node
  }

  /** True when the firmware can tell how many packets wait in it. */
  get hasStats(): boolean {
    return this.node.version >= STATS_PROTOCOL
  }

  /** True when it does: some builds leave the question unanswered. */
  get tellsStats(): boolean {
    return this.hasStats && this.#statsUnanswered < STATS_UNANSWERED
  }

  /** Notes whether a question for statistics was answered. */
  statsAnswered(answered: boolean): void {
    this.#statsUnanswered = answered ? 0 : this.#statsUnanswered + 1
  }

  get ended(): boolean {
    return this.#ended
  }

  /** As `Exchange.ask`. */
  ask<T>(command: Command<T>): Promise<T | Refusal> {
    return this.#exchange.ask(command)
  }

  /**
   * Finds out who is there and sets its clock if that is behind. Rejects with AppError `unavailable`, with the reason,
   * when no MeshCore companion answers.
   */
  async handshake(): Promise<void> {
    await this.identify()
    await this.unlessOverdue(() => this.#setClock())
  }

  /** As `handshake`, and sets nothing. */
  async identify(): Promise<void> {
    const device = await this.#opening('DEVICE_QUERY', deviceQuery(), (m) => (m.kind === 'device-info' ? m : undefined))
    const self = await this.#opening('APP_START', appStart(), (m) => (m.kind === 'self-info' ? m : undefined))
    const { version, maxChannels, firmware, model } = device
    this.#node = { version, maxChannels: maxChannels || null, firmware, model, self }
  }

  /** Its clock, as it was at the handshake; null when it told none. */
  get timeTold(): { told: number; at: number } | null {
    return this.#told
  }

  /** Does what a text can do without: a companion that leaves it unanswered, but answers else, is used all the same. Rejects when the link is lost. */
  async unlessOverdue(task: () => Promise<void>): Promise<void> {
    try {
      await task()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'timeout') throw error
      await this.alive()
    }
  }

  /** Resolves when the companion answers what every one of them answers. Rejects with AppError `timeout` when it does not. */
  async alive(): Promise<void> {
    const answer = (m: Message): true | undefined => (m.kind === 'device-info' ? true : undefined)
    await this.#exchange.ask({ name: 'DEVICE_QUERY', payload: deviceQuery(), answer, unmistakable: true })
  }

  /** Resolves after `ms`; rejects with AppError `unavailable` when the session ends before. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel()
        reject(new AppError('unavailable', because('link_was_lost')))
      }
      const cancel = this.#clock.after(Math.ceil(ms), () => {
        this.#pauses.delete(stop)
        resolve()
      })
      this.#pauses.add(stop)
      if (this.#ended) this.end(because('link_lost'))
    })
  }

  /** The link is gone or given up: whatever waits is rejected and no timer is left. */
  end(reason: Reason): void {
    this.#ended = true
    this.#exchange.end(reason)
    const pauses = [...this.#pauses]
    this.#pauses.clear()
    for (const stop of pauses) stop()
  }

  /** Asks again while a radio may be starting. */
  async #opening<T>(name: string, payload: Uint8Array, answer: (m: Message) => T | undefined): Promise<T> {
    for (const [asked, timeoutMs] of OPENING_TIMEOUTS_MS.entries()) {
      const seen = asked === STRANGER_AFTER ? await this.#seen() : null
      if (seen !== null && !mayBeStarting(seen)) throw new AppError('unavailable', this.#stranger(seen))
      try {
        const said = await this.#exchange.ask({ name, payload, answer, timeoutMs, unmistakable: true })
        if (!isRefusal(said)) return said
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'timeout') throw error
      }
    }
    throw new AppError('unavailable', this.#stranger(await this.#seen()))
  }

  /** A Meshtastic node may have said nothing, or its boot log, until it is spoken to in its own frames. */
  async #seen(): Promise<Uint8Array> {
    const unasked = this.#parser.noise
    let answer = Buffer.alloc(0)
    const stop = this.#link.onData((bytes) => {
      if (answer.length < STRANGER_BYTES) answer = Buffer.concat([answer, bytes])
    })
    try {
      await this.#link.write(MESHTASTIC_HEARTBEAT)
      await this.pause(STRANGER_WAIT_MS)
    } finally {
      stop()
    }
    return Buffer.concat([unasked, answer])
  }

  #stranger(seen: Uint8Array): Reason {
    return because('no_meshcore', { link: this.#link.label, seen: describeStranger(seen) })
  }

  /** The node's clock never goes back, and a wrong one makes its own packets look old. */
  async #setClock(): Promise<void> {
    const answer = (m: Message): Extract<Message, { kind: 'time' }> | undefined => (m.kind === 'time' ? m : undefined)
    const said = await this.ask({ name: 'GET_DEVICE_TIME', payload: getTime(), answer })
    const now = Math.floor(this.#clock.now() / 1000)
    if (said.kind === 'time') this.#told = { told: said.epochSeconds * 1000, at: this.#clock.now() }
    if (said.kind !== 'time' || said.epochSeconds > now - CLOCK_TOLERANCE_S || now < EARLIEST_EPOCH_S) return
    const done = (m: Message): Extract<Message, { kind: 'ok' }> | undefined => (m.kind === 'ok' ? m : undefined)
    // A refusal only means that it is not behind after all.
    await this.ask({ name: 'SET_DEVICE_TIME', payload: setTime(now), answer: done })
  }
}

/** True when an answer is the node's refusal. */
export function isRefusal(answer: unknown): answer is Refusal {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'kind' in answer &&
    (answer.kind === 'error' || answer.kind === 'disabled')
  )
}
