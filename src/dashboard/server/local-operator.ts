import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { endsOf, peerUid } from '../../platform/net/local-connections.ts'
import { isLoopback, plainAddress } from './addresses.ts'
import { readAuthority } from './hosts.ts'

/** Headers that proxies add, each of which tells that the address of the connection is not the caller's. */
const PROXY_HEADER =
  /^(?:forwarded|via|true-client-ip|x-real-ip|x-client-ip|x-cluster-client-ip|x-idp-username|x-original-(?:for|host|proto)|(?:x-forwarded|x-envoy|cf|fastly)-.*)$/

/** `off` by the configuration or the profile; `proxy_configured` and `proxy_seen`: who asks, a connection over loopback does not tell. */
export type LocalState = 'on' | 'off' | 'proxy_configured' | 'proxy_seen'

/** People and their programs; below and above are the users of services (Debian policy §9.2.2). */
const FIRST_PERSON = 1000
const LAST_PERSON = 59_999

/** The part of a request that tells of a proxy. */
interface Asked extends Pick<IncomingMessage, 'headers' | 'httpVersion'> {
  socket: Pick<Socket, 'remoteAddress'>
}

export interface LocalOperatorOptions {
  /** `http.local_operator`, with what profile and mode say. */
  on: () => boolean
  /** The secret of this start; null when it could not be stored. */
  secret?: (presented: string) => boolean
  /** The user of the program at the other end; null where that is not known. */
  userOf?: (socket: Socket) => Promise<number | null>
}

/**
 * The right of whoever sits at the machine itself (contract §10). A connection over loopback proves nothing as soon as a proxy
 * stands on this machine, so the first sign of one ends the exemption for as long as the program runs.
 */
export class LocalOperator {
  readonly #options: LocalOperatorOptions
  readonly #users = new WeakMap<Socket, Promise<number | null>>()
  #sign: string | null = null

  constructor(options: LocalOperatorOptions) {
    this.#options = options
  }

  get on(): boolean {
    return this.#options.on()
  }

  /** The sign of a proxy that ended the exemption: the name of a header, or `HTTP/1.0`; null while there was none. */
  get proxySign(): string | null {
    return this.#sign
  }

  /** The reason why a request of this machine is the operator's, or is not. */
  state({ trusted_proxies }: { trusted_proxies: readonly string[] }): LocalState {
    if (!this.on) return 'off'
    if (trusted_proxies.length > 0) return 'proxy_configured'
    return this.#sign === null ? 'on' : 'proxy_seen'
  }

  /** The sign of a proxy that nobody has told us of, or null. */
  unnamedProxy(settings: { trusted_proxies: readonly string[] }): string | null {
    return this.state(settings) === 'proxy_seen' ? this.#sign : null
  }

  /** Every request passes here first, whatever it asks for. Only a connection of this machine can end the exemption. */
  look(req: Asked): void {
    if (this.#sign === null && isLoopback(plainAddress(req.socket.remoteAddress))) this.#sign = proxySignOf(req)
  }

  /** True for a direct request of a person's program on this machine, to a literal loopback name, while nothing hints at a proxy. */
  async recognises(req: IncomingMessage): Promise<boolean> {
    if (!this.on || this.#sign !== null) return false
    if (!isLoopback(plainAddress(req.socket.remoteAddress)) || !namesLoopback(req.headers.host)) return false
    return isPerson(await this.#userOf(req.socket))
  }

  /** True for the secret of this start, presented by a program of this machine that may read the data folder. */
  knows(presented: string, req: Asked): boolean {
    return isLoopback(plainAddress(req.socket.remoteAddress)) && (this.#options.secret?.(presented) ?? false)
  }

  #userOf(socket: Socket): Promise<number | null> {
    const known = this.#users.get(socket) ?? (this.#options.userOf ?? userOfPeer)(socket)
    this.#users.set(socket, known)
    return known
  }
}

/** The first sign that a request was handed on by a proxy, or null. */
function proxySignOf({ headers, httpVersion }: Asked): string | null {
  const header = Object.keys(headers).find((name) => PROXY_HEADER.test(name))
  return header ?? (httpVersion === '1.0' ? 'HTTP/1.0' : null)
}

export function namesLoopback(host: string | undefined): boolean {
  const name = readAuthority(host ?? '')?.name ?? ''
  return name === 'localhost' || isLoopback(name)
}

/** A proxy that adds nothing still runs as the user of its service. Where the user is not known the other checks decide. */
function isPerson(user: number | null): boolean {
  if (user === null || user === 0 || user === process.getuid?.()) return true
  return user >= FIRST_PERSON && user <= LAST_PERSON
}

async function userOfPeer(socket: Socket): Promise<number | null> {
  const ends = endsOf(socket, plainAddress)
  return ends === null ? null : peerUid(ends)
}
