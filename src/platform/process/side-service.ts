import { because } from '../../model/reason.ts'
import { type Clock, systemClock } from '../clock/clock.ts'
import { AppError, errorText } from '../errors.ts'
import { type FromSide, isMessage, type ToSide } from './side-messages.ts'

/** Whatever is to be tidied up must be done by then: SIGKILL follows. */
const STOP_MS = 1200

export type SideHandler = (params: unknown, tools: { signal: AbortSignal }) => unknown

export interface SideService {
  /** By method. Requests are answered with what they return, notices (`wake`) with nothing. */
  handlers: Readonly<Record<string, SideHandler>>
  /** It ends itself when nothing was asked for so long and `busy` says no; without it, never. */
  idleMs?: number
  busy?: () => boolean
  /** Before the process ends in order; has about a second. */
  onStop?: () => void | Promise<void>
  clock?: Clock
}

export interface ServedSide {
  /** Tells the station something by itself. */
  notify: (method: string, params: unknown) => void
  /** Something happened: idle time begins anew. */
  touch: () => void
  /** Resolves with the exit code when the process should end. */
  ended: Promise<number>
}

/**
 * The other end of `SideProcess`, in the process it started: answers requests until the station says so, is gone, or
 * nothing has happened for long. @throws AppError `usage` when nobody started it that way.
 */
export function serveSide(service: SideService): ServedSide {
  if (process.send === undefined || !process.connected) throw new AppError('usage', because('verb_started_by_start'))
  const side = new Side(service)
  return { notify: (method, params) => side.notify(method, params), touch: () => side.touch(), ended: side.ended }
}

class Side {
  readonly ended: Promise<number>
  readonly #service: SideService
  readonly #clock: Clock
  readonly #running = new Map<number, AbortController>()
  #quietSince: number
  #notices = 0
  #stopping = false
  #end: (code: number) => void = () => undefined

  constructor(service: SideService) {
    this.#service = service
    this.#clock = service.clock ?? systemClock
    this.#quietSince = this.#clock.now()
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    process.on('message', (message) => this.#took(message))
    // Whatever else is loaded may have let go of it: without the channel nothing keeps this process.
    process.channel?.ref()
    process.once('SIGTERM', () => void this.#stop())
    process.once('SIGINT', () => void this.#stop())
    // The station is gone, perhaps by SIGKILL. Everything here is safe against being cut off.
    process.once('disconnect', () => process.exit(0))
    this.#watchIdle()
    this.#tell({ type: 'ready' })
  }

  notify(method: string, params: unknown): void {
    this.#tell({ type: 'notify', method, params })
  }

  touch(): void {
    this.#quietSince = this.#clock.now()
  }

  #tell(message: FromSide): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }

  #took(message: unknown): void {
    if (!isMessage<ToSide>(message, ['request', 'cancel', 'notify', 'end'])) return
    this.touch()
    if (message.type === 'end') void this.#stop()
    else if (message.type === 'cancel')
      this.#running.get(message.id)?.abort(new AppError('unavailable', because('request_cancelled')))
    else if (message.type === 'request') void this.#answer(message)
    else void this.#hear(message)
  }

  async #answer({ id, method, params }: Extract<ToSide, { type: 'request' }>): Promise<void> {
    const abort = new AbortController()
    this.#running.set(id, abort)
    try {
      const handler = this.#service.handlers[method]
      if (handler === undefined) throw new AppError('not-found', because('unknown_request', { method }))
      this.#tell({ type: 'result', id, result: await handler(params, { signal: abort.signal }) })
    } catch (error) {
      const known = error instanceof AppError ? { code: error.code, reason: error.reason } : { code: null }
      this.#tell({ type: 'error', id, ...known, message: errorText(error) })
    } finally {
      this.#running.delete(id)
      this.touch()
    }
  }

  /** A notice that fails is a bug: like every other it ends the process, and the station tells of it. */
  async #hear({ method, params }: Extract<ToSide, { type: 'notify' }>): Promise<void> {
    this.#notices++
    try {
      await this.#service.handlers[method]?.(params, { signal: new AbortController().signal })
    } finally {
      this.#notices--
      this.touch()
    }
  }

  #watchIdle(): void {
    const { idleMs, busy } = this.#service
    if (idleMs === undefined) return
    this.#clock.after(Math.max(50, idleMs / 4), () => {
      const at = this.#clock.now()
      if (this.#running.size > 0 || this.#notices > 0 || busy?.() === true) this.touch()
      else if (at - this.#quietSince >= idleMs) this.#tell({ type: 'idle' })
      this.#watchIdle()
    })
  }

  async #stop(): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    for (const abort of this.#running.values()) abort.abort(new AppError('unavailable', because('program_stopping')))
    const late = setTimeout(() => process.exit(0), STOP_MS)
    late.unref()
    await this.#service.onStop?.()
    this.#end(0)
    process.removeAllListeners('disconnect')
    if (process.connected) process.disconnect()
  }
}
