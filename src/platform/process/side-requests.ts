import { because, type Reason, type ReasonParams } from '../../model/reason.ts'
import type { Clock } from '../clock/clock.ts'
import { AppError } from '../errors.ts'
import { errorOf, type FromSide, type ToSide } from './side-messages.ts'

const REQUEST_MS = 30_000

export interface RequestOptions {
  timeoutMs?: number
  signal?: AbortSignal
}

interface Waiting {
  message: Extract<ToSide, { type: 'request' }>
  sent: boolean
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

interface Ports {
  name: string
  clock: Clock
  send: (message: ToSide) => void
  /** Adds a reason to the text of a time-out. */
  excuse: () => Reason | null
}

/** The requests and notices of one side process that are not settled yet; while a request is open it keeps us alive. */
export class SideRequests {
  readonly #ports: Ports
  readonly #waiting = new Map<number, Waiting>()
  #notices: Extract<ToSide, { type: 'notify' }>[] = []
  #nextId = 1
  #hold: NodeJS.Timeout | undefined

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** Something is left to be sent or to be answered. */
  get open(): boolean {
    return this.#waiting.size > 0 || this.#notices.length > 0
  }

  /** Settles with the answer, with what the handler threw, at the time-out or when `signal` is aborted. */
  add(method: string, params: unknown, options: RequestOptions): Promise<unknown> {
    if (options.signal?.aborted === true) return Promise.reject(options.signal.reason)
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const leave = this.#giveUpWhen(id, method, options)
      const settled = (): void => {
        leave()
        this.#waiting.delete(id)
        this.#keepAlive()
      }
      this.#waiting.set(id, {
        message: { type: 'request', id, method, params },
        sent: false,
        resolve: (result) => {
          settled()
          resolve(result)
        },
        reject: (error) => {
          settled()
          reject(error)
        }
      })
      this.#keepAlive()
    })
  }

  /** The same notice waits only once. */
  notify(method: string, params: unknown): void {
    const text = JSON.stringify(params)
    const same = this.#notices.some((notice) => notice.method === method && JSON.stringify(notice.params) === text)
    if (!same) this.#notices.push({ type: 'notify', method, params })
  }

  /** Sends what was not sent yet; notices first, so that an answer knows of what was told before the question. */
  flush(): void {
    for (const notice of this.#notices.splice(0)) this.#ports.send(notice)
    for (const waiting of this.#waiting.values()) {
      if (waiting.sent) continue
      waiting.sent = true
      this.#ports.send(waiting.message)
    }
  }

  answered(message: Extract<FromSide, { type: 'result' | 'error' }>): void {
    const waiting = this.#waiting.get(message.id)
    if (message.type === 'result') waiting?.resolve(message.result)
    else waiting?.reject(errorOf(message))
  }

  /** A request that was sent to a process that is gone gets no answer; one not sent yet waits for the next process. */
  failSent(error: AppError): void {
    for (const { sent, reject } of [...this.#waiting.values()]) if (sent) reject(error)
  }

  /** Whoever waits is told; notices wait on. */
  failAsked(error: AppError): void {
    for (const { reject } of [...this.#waiting.values()]) reject(error)
  }

  failAll(error: AppError): void {
    this.#notices = []
    this.failAsked(error)
  }

  #giveUpWhen(id: number, method: string, { timeoutMs = REQUEST_MS, signal }: RequestOptions): () => void {
    const { name, clock, send, excuse } = this.#ports
    const giveUp = (error: unknown): void => {
      const waiting = this.#waiting.get(id)
      if (waiting?.sent === true) send({ type: 'cancel', id })
      waiting?.reject(error)
    }
    const aborted = (): void => giveUp(signal?.reason)
    signal?.addEventListener('abort', aborted, { once: true })
    const cancel = clock.after(timeoutMs, () =>
      giveUp(new AppError('timeout', noAnswer({ name, method, limit: timeoutMs }, excuse())))
    )
    return () => {
      cancel()
      signal?.removeEventListener('abort', aborted)
    }
  }

  /** Neither the process nor the clock's timers keep us alive, so that an idle one does not; who waits for an answer should get it. */
  #keepAlive(): void {
    if (this.#waiting.size > 0) this.#hold ??= setInterval(() => undefined, 60_000)
    else {
      clearInterval(this.#hold)
      this.#hold = undefined
    }
  }
}

function noAnswer(asked: ReasonParams<'side_no_answer'>, ended: Reason | null): Reason {
  if (ended === null) return because('side_no_answer', asked)
  return because('side_no_answer_ended', { ...asked, how: ended })
}
