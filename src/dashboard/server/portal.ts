import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { plainAddress } from './addresses.ts'
import { isOwnHost, readAuthority } from './hosts.ts'
import type { Reply } from './reply.ts'

/** The station on its own Wi-Fi, as deploy/hotspot has it. */
export const HOTSPOT_ADDRESS = '10.42.0.1'
/** Where a phone that has just joined is led: the board, with the way on. */
const BOARD = 'http://lookout.lan/alerts?joined=1'
/** A phone that was let go is asked nothing for so long. Milliseconds. */
const LET_GO_MS = 12 * 3_600_000
/** Of phones that are remembered; there are 241 addresses. */
const MOST = 512

/** A question of a phone or computer whether it has the Internet, and the answer by which it stays content. */
interface Probe {
  host: RegExp
  path: RegExp
  status: 200 | 204
  type: string
  body: string
}

const probe = (host: RegExp, path: RegExp, body = '', type = 'text/plain'): Probe => ({
  host,
  path,
  status: body === '' ? 204 : 200,
  type,
  body
})

/** By maker; addresses and bodies as their systems have them in 2026, each compared by the phone byte for byte. */
const PROBES: readonly Probe[] = [
  // Android and ChromeOS, whoever made the phone.
  probe(
    /^connectivitycheck\.|(?:^|\.)(?:google|gstatic|googleapis|android)\.(?:com|cn)$|(?:^|\.)(?:miui|hicloud|platform\.hicloud)\.com$/,
    /^\/(?:gen|generate)_204$/
  ),
  // iOS and macOS.
  probe(
    /(?:^|\.)apple\.com$|^www\.(?:itools|ibook|airport|thinkdifferent|appleiphonecell)\./,
    /^\/(?:hotspot-detect|library\/test\/success)\.html$/,
    '<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>',
    'text/html'
  ),
  // Windows.
  probe(/(?:^|\.)msftconnecttest\.com$/, /^\/connecttest\.txt$/, 'Microsoft Connect Test'),
  probe(/(?:^|\.)msftncsi\.com$/, /^\/ncsi\.txt$/, 'Microsoft NCSI'),
  // Firefox, on whatever it runs.
  probe(/^detectportal\.firefox\.com$/, /^\/success\.txt$/, 'success\n'),
  probe(
    /^detectportal\.firefox\.com$/,
    /^\/canonical\.html$/,
    '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
    'text/html'
  ),
  // Linux with NetworkManager; each distribution has its own.
  probe(
    /^(?:nmcheck\.gnome\.org|network-test\.debian\.org|connectivity-check\.ubuntu\.com|conncheck\.opensuse\.org|fedoraproject\.org)$/,
    /^\//,
    'NetworkManager is online\n'
  ),
  // Kindle and Fire.
  probe(
    /^spectrum\.s3\.amazonaws\.com$/,
    /^\/kindle-wifi\/wifi(?:stub|redirect)\.html$/,
    '81ce4465-7167-4dcb-835b-dcc9e44c112a created with python 2.5 provided by lab126\n',
    'text/html'
  ),
  probe(/(?:^|\.)fireoscaptiveportal\.com$/, /^\/generate_204$/)
]

export interface PortalOptions {
  now: () => number
  /** Names besides our own: `http.allowed_hosts`. */
  allowedHosts: () => readonly string[]
  /** The name of a phone: its address; null for this machine. */
  nameOf: (socket: Socket) => string | null
  /** Another one than that of the hotspot: tests have none. */
  address?: string | undefined
}

/**
 * Answers a phone that joined our Wi-Fi and asks the Internet whether it is there. Every name leads to us there, so it asks us. First it is led
 * to the board; once somebody went on from there it hears what it wants to hear, and stays. Whatever else is asked under a foreign
 * name is led to the board too: nothing of ours is given out under such a name.
 */
export class Portal {
  readonly #options: PortalOptions
  readonly #address: string
  readonly #letGo = new Map<string, number>()
  /** The page with the way on. */
  readonly board = BOARD

  constructor(options: PortalOptions) {
    this.#options = options
    this.#address = options.address ?? HOTSPOT_ADDRESS
  }

  /** True for a request that came over the hotspot. */
  isGuest(socket: Pick<Socket, 'localAddress'>): boolean {
    return plainAddress(socket.localAddress) === this.#address
  }

  /** The answer to what a guest asks of somebody else; null for all that is asked of us, and for everything that comes another way. */
  answer(req: Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>): Reply | null {
    const { host } = req.headers
    if ((req.method !== 'GET' && req.method !== 'HEAD') || host === undefined || !this.isGuest(req.socket)) return null
    if (isOwnHost(host, this.#options.allowedHosts())) return null
    const name = readAuthority(host)?.name ?? ''
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    const asked = PROBES.find((one) => one.host.test(name) && one.path.test(path))
    if (asked === undefined || this.isHeld(this.#options.nameOf(req.socket))) return toTheBoard()
    return { status: asked.status, headers: { ...FRESH, 'Content-Type': asked.type }, body: asked.body }
  }

  /** True while the phone of this address was not let go. */
  isHeld(address: string | null): boolean {
    const at = this.#letGo.get(address ?? '')
    return at === undefined || this.#options.now() - at > LET_GO_MS
  }

  /** From now on the phone of this address hears that all is well. */
  letGo(address: string | null): void {
    this.#letGo.delete(address ?? '')
    this.#letGo.set(address ?? '', this.#options.now())
    const [oldest] = this.#letGo.keys()
    if (this.#letGo.size > MOST && oldest !== undefined) this.#letGo.delete(oldest)
  }
}

/** A browser that keeps an answer of ours would show it under that name at home. */
const FRESH = { 'Cache-Control': 'no-store' }

function toTheBoard(): Reply {
  return {
    status: 302,
    headers: { ...FRESH, Location: BOARD, 'Content-Type': 'text/html' },
    body: `<a href="${BOARD}">Lookout</a>`
  }
}
