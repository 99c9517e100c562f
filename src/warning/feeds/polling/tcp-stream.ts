import { connect, type Socket } from 'node:net'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError, errorText } from '../../../platform/errors.ts'
import { backoff } from '../../../platform/net/backoff.ts'
import type { PushTools } from '../source.ts'

/** Cuts a stream of bytes into messages. */
export interface Splitter {
  /** The messages that these bytes complete. */
  push(bytes: Uint8Array): Uint8Array[]
  /** Hands over what is complete although nothing says so, after a silence or when the connection ends. */
  flush(): Uint8Array[]
}

export interface TcpStream {
  host: string
  port: number
  /** A new one for every connection: half a message of the last one is lost. */
  splitter(): Splitter
  /** Nothing at all for so long: the connection is dead, and is made anew. Seconds. */
  silenceSeconds: number
  /** Nothing for so long: `flush`. Seconds; without it never before the end. */
  flushSeconds?: number
  /** Takes one message; the stream waits for it. Never rejects. */
  take(message: Uint8Array): Promise<void>
}

const CONNECT_SECONDS = 20
const BACKOFF = { min: 2000, max: 300_000 }
/** A connection that lived this long counts as good: the next loss begins with a short wait. Milliseconds. */
const GOOD_MS = 60_000

/** Listens to a TCP server that sends without being asked, and comes back after every loss, waiting longer each time. */
export function listenTcp(stream: TcpStream, tools: PushTools): { close(): Promise<void> } {
  const listener = new Listener(stream, tools)
  listener.start()
  return { close: () => listener.close() }
}

class Listener {
  readonly #stream: TcpStream
  readonly #tools: PushTools
  #socket: Socket | null = null
  #closed = false
  #attempt = 0
  #since = 0
  #cancelWait: () => void = () => undefined
  #cancelWatch: () => void = () => undefined
  #cancelFlush: () => void = () => undefined
  #work: Promise<void> = Promise.resolve()

  constructor(stream: TcpStream, tools: PushTools) {
    this.#stream = stream
    this.#tools = tools
  }

  start(): void {
    const { host, port, splitter } = this.#stream
    const at = this.#at()
    this.#tools.report('connecting', null)
    const cut = splitter()
    const socket = connect({ host, port, keepAlive: true, noDelay: true })
    this.#socket = socket
    let problem = because('receiver_closed', at)
    this.#watch(CONNECT_SECONDS, because('receiver_no_answer', at))
    socket.once('connect', () => {
      this.#since = this.#tools.clock.now()
      this.#tools.report('ready', null)
      this.#watchSilence()
    })
    socket.on('data', (bytes) => {
      this.#watchSilence()
      this.#flushLater(cut)
      this.#takeAll(cut.push(bytes), socket)
    })
    socket.on('error', (error) => {
      problem = error instanceof AppError ? error.reason : because('receiver_failed', { ...at, said: errorText(error) })
    })
    socket.once('close', () => {
      this.#stopTimers()
      this.#takeAll(cut.flush(), null)
      if (!this.#closed) this.#again(problem)
    })
  }

  /** One message after the other; meanwhile nothing more is read, so that a flood fills the sender's memory, not ours. */
  #takeAll(messages: readonly Uint8Array[], socket: Socket | null): void {
    if (messages.length === 0) return
    socket?.pause()
    this.#work = this.#work.then(async () => {
      for (const message of messages) if (!this.#closed) await this.#stream.take(message)
      socket?.resume()
    })
  }

  #again(reason: Reason): void {
    const now = this.#tools.clock.now()
    if (this.#since > 0 && now - this.#since >= GOOD_MS) this.#attempt = 0
    this.#since = 0
    const wait = backoff(this.#attempt++, { ...BACKOFF, random: () => this.#tools.random() })
    this.#tools.report('down', reason)
    this.#cancelWait = this.#tools.clock.after(wait, () => this.start())
  }

  #watchSilence(): void {
    const { silenceSeconds: seconds } = this.#stream
    this.#watch(seconds, because('receiver_silent', { ...this.#at(), seconds }))
  }

  #at(): { host: string; port: string } {
    const { host, port } = this.#stream
    return { host, port: String(port) }
  }

  #watch(seconds: number, reason: Reason): void {
    this.#cancelWatch()
    this.#cancelWatch = this.#tools.clock.after(seconds * 1000, () =>
      this.#socket?.destroy(new AppError('unavailable', reason))
    )
  }

  #flushLater(cut: Splitter): void {
    this.#cancelFlush()
    const { flushSeconds } = this.#stream
    if (flushSeconds === undefined) return
    this.#cancelFlush = this.#tools.clock.after(flushSeconds * 1000, () => this.#takeAll(cut.flush(), this.#socket))
  }

  #stopTimers(): void {
    this.#cancelWatch()
    this.#cancelFlush()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancelWait()
    this.#stopTimers()
    this.#socket?.destroy()
    await this.#work
  }
}
