import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { because, type Reason } from '../../model/reason.ts'
import type { FetchGuard } from './fetch.ts'
import { FetchError } from './fetch-error.ts'

/** IANA special-purpose registries (RFC 6890 and its successors): whatever no stranger's web page is at. */
const NOT_PUBLIC: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // The metadata and DNS server inside of one cloud, although its address is public.
  ['168.63.129.16', 32]
]
/** Of 2000::/3, the only public space of IPv6, these parts are not; 2001::/23 holds Teredo, 2002::/16 6to4. */
const NOT_PUBLIC_6: readonly [network: string, bits: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20]
]

const blocked = new BlockList()
for (const [network, bits] of NOT_PUBLIC) blocked.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of NOT_PUBLIC_6) blocked.addSubnet(network, bits, 'ipv6')
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

/**
 * True for an address (IPv4 or IPv6, without brackets) of the public Internet: not private, loopback, link-local
 * (metadata servers of clouds), carrier-grade NAT, unique local, multicast, reserved, nor any of these inside of IPv6.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !blocked.check(address, 'ipv4')
  return family === 6 && global.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
}

type Addresses = { address: string; family: number }[]
/** Every address a name stands for. */
export type ResolveAll = (host: string) => Promise<Addresses>

const resolveBySystem: ResolveAll = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, verbatim: true }, (error, addresses) => {
      if (error === null) resolve(addresses)
      else reject(error)
    })
  })

/**
 * Lets requests go to the public Internet only, or where `isAllowed` says. A name is resolved once, all its addresses are checked, and the connection
 * goes to those very addresses: a name that changes its mind afterwards (DNS rebinding) changes nothing.
 */
export function publicOnly(
  options: { resolve?: ResolveAll; isAllowed?: (address: string, host: string) => boolean } = {}
): FetchGuard {
  const { resolve = resolveBySystem, isAllowed = isPublicAddress } = options
  const check = (url: URL): void => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (url.username !== '' || url.password !== '') throw refused(because('address_with_secret'))
    if (isIP(host) !== 0 && !isAllowed(host, host)) throw refused(because('not_public', { host }))
  }
  const resolved = async (host: string): Promise<Addresses> => {
    const addresses = await resolve(host)
    const bad = addresses.find(({ address }) => !isAllowed(address, host))
    if (bad !== undefined) throw refused(because('leads_not_public', { host, address: bad.address }))
    return addresses
  }
  const lookup: LookupFunction = (host, { all, family = 0 }, done) => {
    resolved(host).then(
      (addresses) => {
        const usable = addresses.filter((one) => family === 0 || one.family === Number(String(family).slice(-1)))
        const [first] = usable
        if (first === undefined) done(new FetchError('unreachable', because('host_without_address', { host })), '', 0)
        else if (all === true) done(null, usable)
        else done(null, first.address, first.family)
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), '', 0)
    )
  }
  return { check, lookup }
}

function refused(what: Reason): FetchError {
  return new FetchError('refused', because('nothing_fetched_from', { what }))
}
