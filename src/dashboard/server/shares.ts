import type { Socket } from 'node:net'
import { isListed, isLoopback, plainAddress } from './addresses.ts'
import { RateLimit } from './rate-limit.ts'

/** All connections there may be; the sockets of radios, feeds and files come on top. */
export const MOST_CONNECTIONS = 512
/** Kept for this machine: the watch of the service, the terminal, a proxy. */
const KEPT_CONNECTIONS = 16
/** A page with all its data, twelve times over; then what somebody needs who looks at page after page. */
const REQUESTS = { capacity: 240, perSecond: 20 }
/** Of connections by TLS: a handshake costs the thread that holds the radios more than most answers do. */
const HANDSHAKES = { capacity: 40, perSecond: 4 }

interface Limits {
  /** Of one address at once. */
  connections: number
  trusted_proxies: readonly string[]
}

export interface SharesOptions {
  now: () => number
  limits: () => Limits
  /** The address at the other end. */
  addressOf?: (socket: Socket) => string
}

/**
 * The share of one address in what the station has to give: one phone that holds or asks all it can leaves the others
 * theirs, and this machine its own. This machine and the proxies that are trusted are held to no share: many may stand behind.
 */
export class Shares {
  readonly #limits: SharesOptions['limits']
  readonly #addressOf: (socket: Socket) => string
  readonly #requests: RateLimit
  readonly #handshakes: RateLimit
  readonly #held = new Map<string, number>()
  #all = 0
  #strangers = 0

  constructor({ now, limits, addressOf = (socket) => plainAddress(socket.remoteAddress) }: SharesOptions) {
    this.#limits = limits
    this.#addressOf = addressOf
    this.#requests = new RateLimit({ now, ...REQUESTS })
    this.#handshakes = new RateLimit({ now, ...HANDSHAKES })
  }

  /** The name under which an address is counted; null where nothing is. */
  nameOf(socket: Socket): string | null {
    const address = this.#addressOf(socket)
    if (address === '' || isLoopback(address) || isListed(address, this.#limits().trusted_proxies)) return null
    // All phones of a hotspot share the network of its IPv6 addresses: each is counted by itself, and all of them together.
    return address
  }

  /** Every new connection of either port passes here: one beyond its share is cut off before a byte of it is read. */
  admit(socket: Socket, { handshake = false }: { handshake?: boolean } = {}): void {
    const name = this.nameOf(socket)
    if (this.#all >= MOST_CONNECTIONS || (name !== null && !this.#hasRoom(name, handshake))) {
      socket.destroy()
      return
    }
    this.#all++
    if (name !== null) this.#hold(name)
    socket.once('close', () => this.#release(name))
  }

  /** @throws HttpError `rate-limited`, with `Retry-After`, when this address has asked for more than its share. */
  demandTurn(socket: Socket): void {
    const name = this.nameOf(socket)
    if (name !== null) this.#requests.take(name, 1)
  }

  #hasRoom(name: string, handshake: boolean): boolean {
    if (this.#strangers >= MOST_CONNECTIONS - KEPT_CONNECTIONS) return false
    if ((this.#held.get(name) ?? 0) >= this.#limits().connections) return false
    return !handshake || this.#handshakes.gives(name, 1)
  }

  #hold(name: string): void {
    this.#held.set(name, (this.#held.get(name) ?? 0) + 1)
    this.#strangers++
  }

  #release(name: string | null): void {
    this.#all--
    if (name === null) return
    this.#strangers--
    const held = (this.#held.get(name) ?? 1) - 1
    if (held > 0) this.#held.set(name, held)
    else this.#held.delete(name)
  }
}
