import { because, type Reason } from '../../../model/reason.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import { deviceQuery } from './commands.ts'
import { decode, isPush, type Message } from './messages.ts'

/** The time that a command may take; writing to the node's flash takes up to a second. */
export const COMMAND_TIMEOUT_MS = 3000
const TIMEOUTS_RUNNING = 3

/** Says of a message that it belongs to the answer, and that more of it follows. */
export const MORE: unique symbol = Symbol('more')

/** The node's refusal of a command: an error code, or a function its firmware was built without. */
export type Refusal = Extract<Message, { kind: 'error' | 'disabled' }>

export interface Command<T> {
  /** The protocol's name of it, for logs and reasons. */
  name: string
  payload: Uint8Array
  /** The answer this message is; undefined when it is none, but a late one to an earlier command. */
  answer: (message: Message) => T | typeof MORE | undefined
  timeoutMs?: number
  /** Nothing but its own answer ends it, so it may be repeated, and asked while late answers are about. */
  unmistakable?: boolean
  /** Called as its bytes go out: from here on the node may have it. */
  onWritten?: () => void
}

export interface ExchangeOptions {
  clock: Clock
  /** Sends one frame; a rejection ends the exchange. */
  write: (payload: Uint8Array) => Promise<void>
  onPush: (push: Message) => void
  /** The node has answered a command. */
  onAnswer?: () => void
  /** Whole frames inside one that never ended, asked when an answer is overdue. */
  recover: () => Uint8Array[]
  /** The node has stopped answering, or cannot be written to. */
  onDead: (reason: Reason) => void
}

interface Waiting {
  command: Command<unknown>
  resolve: (answer: unknown) => void
  reject: (error: AppError) => void
}

/**
 * One command at a time, as the protocol has no number that ties an answer to its command. Pushes may come at any time. After an
 * overdue answer the stream is brought in step with a question only one message answers, so that a late OK is never taken for another's.
 */
export class Exchange {
  readonly #o: ExchangeOptions
  readonly #queue: Waiting[] = []
  #current: Waiting | null = null
  #cancelTimer: () => void = () => undefined
  #outOfStep = false
  #timeouts = 0
  #ended: Reason | null = null

  constructor(options: ExchangeOptions) {
    this.#o = options
  }

  /** Rejects with AppError `timeout` when no answer comes, `unavailable` when the link is lost. A refusal is an answer. */
  ask<T>(command: Command<T>): Promise<T | Refusal> {
    if (this.#ended !== null) return Promise.reject(lost(command, this.#ended))
    return new Promise((resolve, reject) => {
      this.#queue.push({ command, resolve: (answer) => resolve(answer as T | Refusal), reject })
      if (this.#current === null) this.#next()
    })
  }

  /** Takes one frame of the node. */
  receive(frame: Uint8Array): void {
    if (this.#ended !== null) return
    const message = decode(frame)
    if (isPush(frame)) {
      this.#o.onPush(message)
      return
    }
    const current = this.#current
    if (current === null) return
    const { command } = current
    const refused = message.kind === 'error' || message.kind === 'disabled'
    const answer = refused ? refusalOf(command, message) : command.answer(message)
    if (answer === undefined) return
    this.#timeouts = 0
    this.#o.onAnswer?.()
    if (answer === MORE) {
      this.#startTimer(command)
      return
    }
    this.#finish()
    current.resolve(answer)
    this.#next()
  }

  /** The link is gone: rejects what waits. Further commands are rejected at once. */
  end(reason: Reason): void {
    if (this.#ended !== null) return
    this.#ended = reason
    const waiting = this.#current === null ? this.#queue : [this.#current, ...this.#queue]
    this.#finish()
    for (const { command, reject } of waiting) reject(lost(command, reason))
    this.#queue.length = 0
  }

  #next(): void {
    if (this.#ended !== null || this.#current !== null) return
    const head = this.#queue[0]
    if (this.#outOfStep && head?.command.unmistakable !== true) this.#current = this.#stepper()
    else this.#current = this.#queue.shift() ?? null
    if (this.#current === null) return
    const { command } = this.#current
    this.#startTimer(command)
    command.onWritten?.()
    this.#o.write(command.payload).catch((error: unknown) => {
      this.#o.onDead(because('cannot_be_written', { why: reasonOf(error) }))
    })
  }

  /** Answers come in the order of the commands: once this one comes, nothing late is left before it. Asked at once, to know if anybody is there. */
  #stepper(): Waiting {
    const answer = (message: Message): true | undefined => (message.kind === 'device-info' ? true : undefined)
    return {
      command: { name: 'DEVICE_QUERY', payload: deviceQuery(), answer, unmistakable: true },
      resolve: () => {
        this.#outOfStep = false
      },
      reject: () => undefined
    }
  }

  #startTimer(command: Command<unknown>): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#o.clock.after(command.timeoutMs ?? COMMAND_TIMEOUT_MS, () => this.#overdue())
  }

  #overdue(): void {
    const current = this.#current
    for (const frame of this.#o.recover()) this.receive(frame)
    if (current === null || this.#current !== current) return
    const { command, reject } = current
    this.#finish()
    if (command.unmistakable !== true) this.#outOfStep = true
    this.#timeouts++
    const ms = command.timeoutMs ?? COMMAND_TIMEOUT_MS
    reject(new AppError('timeout', because('no_answer_to', { command: command.name, seconds: ms / 1000 })))
    if (this.#timeouts < TIMEOUTS_RUNNING) this.#next()
    else this.#o.onDead(because('unanswered_running', { count: TIMEOUTS_RUNNING, command: command.name }))
  }

  #finish(): void {
    this.#cancelTimer()
    this.#current = null
  }
}

/** A refusal ends a command, unless it may be the late answer to an earlier one. */
function refusalOf(command: Command<unknown>, refusal: Refusal): Refusal | undefined {
  return command.unmistakable === true ? undefined : refusal
}

function lost({ name }: Command<unknown>, why: Reason): AppError {
  return new AppError('unavailable', because('lost_before_answer', { command: name, why }))
}
