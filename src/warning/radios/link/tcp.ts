import { connect, type Socket } from 'node:net'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import { type Link, LinkListeners, type LinkSource, notOpen } from './link.ts'

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
        socket.destroy(new AppError('timeout', because('no_answer_in', { seconds: connectTimeoutMs / 1000 })))
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
          reject(new AppError('unavailable', because('cannot_connect', { host, port, why: explain(problem) })))
        } else this.#listeners.lost(problem === null ? because('radio_hung_up') : explain(problem))
      })
    })
  }

  write(bytes: Uint8Array): Promise<void> {
    const socket = this.#socket
    if (socket === null || !this.#listeners.live) return Promise.reject(notOpen(this.label))
    return new Promise((resolve, reject) => {
      socket.write(bytes, (error) => (error ? reject(new AppError('unavailable', explain(error))) : resolve()))
    })
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    return this.#listeners.onData(listener)
  }

  onClose(listener: (reason: Reason) => void): () => void {
    return this.#listeners.onClose(listener)
  }

  /** Flushes what was written before the connection ends; a peer that does not read cannot hold us up. */
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
  ['ECONNREFUSED', because('host_refuses')],
  ['ECONNRESET', because('connection_reset')],
  ['EPIPE', because('connection_reset')],
  ['EHOSTUNREACH', because('host_unreachable')],
  ['ENETUNREACH', because('network_unreachable')],
  ['ENOTFOUND', because('host_unknown')],
  ['EAI_AGAIN', because('name_not_looked_up')],
  ['ETIMEDOUT', because('host_silent')]
])

function explain(error: Error | null): Reason {
  if (error === null) return because('connection_closed')
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return EXPLANATIONS.get(code) ?? reasonOf(error)
}
