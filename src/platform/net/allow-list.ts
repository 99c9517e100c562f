import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLocalName } from './local-domain.ts'
import { isPublicAddress } from './public-address.ts'

/** A network smaller than these bits is nobody's intranet. */
const LEAST_BITS = { 4: 8, 6: 7 } as const
const NAME = /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Never archived, whatever is listed: this machine, the link it is on (with the metadata servers of clouds), groups. */
const NEVER: readonly [network: string, bits: number, family: 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  // Metadata servers at addresses that look like anybody's.
  ['100.100.100.200', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['fd00:ec2::254', 128, 'ipv6'],
  ['::', 127, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6']
]
const never = new BlockList()
for (const [network, bits, family] of NEVER) never.addSubnet(network, bits, family)

/** True for an address, or a name, that no setting opens: of this machine, of its link, of a group. */
export function isNeverArchived(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return /(?:^|\.)localhost\.?$/i.test(address)
  if (never.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true
  const own = new BlockList()
  for (const one of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []))
    own.addAddress(one.address, one.family === 'IPv4' ? 'ipv4' : 'ipv6')
  return own.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** `wiki.station.lan`, `*.station.lan`, `192.168.5.7` or `192.168.5.0/24`. */
export function isAllowEntry(entry: string): boolean {
  return networkOf(entry) !== null || (isIP(entry) === 0 && !/^[\d.]+$/.test(entry) && NAME.test(nameOf(entry)))
}

function nameOf(entry: string): string {
  return entry.trim().toLowerCase().replace(/\.$/, '')
}

function networkOf(entry: string): { network: string; bits: number; family: 4 | 6 } | null {
  const [network = '', told, ...rest] = entry.trim().split('/')
  const family = isIP(network)
  if ((family !== 4 && family !== 6) || rest.length > 0) return null
  const widest = family === 4 ? 32 : 128
  const bits = told === undefined ? widest : /^\d{1,3}$/.test(told) ? Number(told) : -1
  return bits >= LEAST_BITS[family] && bits <= widest ? { network, bits, family } : null
}

/**
 * The operator's own network (`scraper.allowed_hosts`): names that may stand for private addresses, and networks that are
 * reached by their addresses and by names of local networks. A name of the public Internet leads into none of them, whatever
 * it stands for, unless it is listed itself.
 */
export class AllowList {
  readonly #names: readonly string[]
  readonly #networks = new BlockList()
  readonly #hasNetworks: boolean

  constructor(entries: readonly string[]) {
    const networks = entries.flatMap((entry) => networkOf(entry) ?? [])
    for (const { network, bits, family } of networks)
      this.#networks.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6')
    this.#hasNetworks = networks.length > 0
    this.#names = entries.filter((entry) => networkOf(entry) === null).map(nameOf)
  }

  /** True when a host may be one of the operator's own network; where it leads to is judged by its addresses. */
  names(host: string): boolean {
    if (isIP(host) !== 0) return this.#holds(host)
    return this.#listed(host) || (this.#hasNetworks && isLocalName(host))
  }

  /** True when a request to this host may go to this address. */
  allows(address: string, host: string): boolean {
    if (isNeverArchived(address)) return false
    if (isPublicAddress(address)) return true
    return this.#listed(host) || (this.#holds(address) && (isIP(host) !== 0 || isLocalName(host)))
  }

  #holds(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && this.#networks.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }

  #listed(host: string): boolean {
    const name = nameOf(host)
    return this.#names.some((one) => (one.startsWith('*.') ? name.endsWith(one.slice(1)) : name === one))
  }
}
