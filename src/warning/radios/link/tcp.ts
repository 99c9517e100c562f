import { connect, type Socket } from 'node:net'
import { type Link, LinkListeners, type LinkSource } from './link.ts'

const CONNECT_TIMEOUT_MS = 10_000

export interface TcpAddress {
  host: string
  port: number
  connectTimeoutMs?: number
}

/** Links over TCP, without Nagle's delay: frames are small and answers are waited for. */
export function tcpSource(address: TcpAddress): LinkSource {
  const label = `tcp ${address.host}:${address.port}`
  return { kind: 'tcp', label, make: () => new TcpLink(address, label) }
}

class TcpLink implements Link {
  readonly label: string
  readonly #address: TcpAddress
  readonly #listeners = new LinkListeners()
  #socket: Socket | null = null

  constructor(address: TcpAddress, label: string) {
    this.#address = address
    this.label = label
  }

  open(): Promise<void> {
    const { host, port, connectTimeoutMs = CONNECT_TIMEOUT_MS } = this.#address
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true, keepAlive: true })
      this.#socket = socket
      const timer = setTimeout(() => {
        socket.destroy(new Error(`no answer in ${connectTimeoutMs / 1000} s`))
      }, connectTimeoutMs)
      let problem: Error | null = null
      let connected = false
      socket.on('error', (error) => {
        problem = error
      })
      socket.once('connect', () => {
        clearTimeout(timer)
        connected = true
        resolve()
      })
      socket.on('data', (bytes) => this.#listeners.received(bytes))
      socket.once('end', () => socket.destroy())
      socket.once('close', () => {
        clearTimeout(timer)
        if (!connected) {
          this.#listeners.silence()
          reject(new Error(`cannot connect to ${host}:${port}: ${explain(problem)}`))
        } else this.#listeners.lost(problem === null ? 'the radio closed the connection' : explain(problem))
      })
    })
  }

  write(bytes: Uint8Array): Promise<void> {
    const socket = this.#socket
    if (socket === null || !this.#listeners.live) return Promise.reject(new Error(`${this.label} is not open`))
    return new Promise((resolve, reject) => {
      socket.write(bytes, (error) => (error ? reject(new Error(explain(error))) : resolve()))
    })
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    return this.#listeners.onData(listener)
  }

  onClose(listener: (reason: string) => void): () => void {
    return this.#listeners.onClose(listener)
  }

  /** What was written is flushed before the connection ends; a peer that does not read cannot hold us up. */
  close(): Promise<void> {
    this.#listeners.silence()
    const socket = this.#socket
    if (socket === null || socket.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => socket.destroy(), 200)
      socket.once('close', () => {
        clearTimeout(timer)
        resolve()
      })
      if (socket.connecting) socket.destroy()
      else socket.end(() => socket.destroy())
    })
  }
}

const EXPLANATIONS = new Map([
  ['ECONNREFUSED', 'the host refuses the connection; is its network API switched on, and the port right?'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was reset'],
  ['EHOSTUNREACH', 'the host cannot be reached; is the radio on this network?'],
  ['ENETUNREACH', 'this network has no way to the host'],
  ['ENOTFOUND', 'no host has this name; correct "host"'],
  ['EAI_AGAIN', 'the name could not be looked up now'],
  ['ETIMEDOUT', 'the host does not answer']
])

function explain(error: Error | null): string {
  if (error === null) return 'the connection was closed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return EXPLANATIONS.get(code) ?? error.message
}
