import { BlockList, isIP } from 'node:net'

const MAPPED = /^(?:0{0,4}:){1,5}(?:ffff|FFFF):(\d+\.\d+\.\d+\.\d+)$/
const MAPPED_HEX = /^(?:0{0,4}:){1,5}ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i

/** An address as it is compared: no zone (`%eth0`), IPv4-mapped IPv6 as IPv4. Empty for anything that is no address. */
export function plainAddress(address: string | undefined): string {
  const bare = (address ?? '').replace(/%.*$/, '')
  const mapped = MAPPED.exec(bare)?.[1] ?? fromHex(MAPPED_HEX.exec(bare))
  const plain = mapped ?? bare
  return isIP(plain) === 0 ? '' : plain
}

function fromHex(match: RegExpExecArray | null): string | undefined {
  if (match === null) return undefined
  const [high = 0, low = 0] = match.slice(1).map((part) => Number.parseInt(part, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** 127.0.0.0/8, ::1 and their IPv4-mapped forms. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address)
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

const lists = new WeakMap<readonly string[], BlockList>()

/** True when the address lies in one of these addresses or CIDR ranges. An entry that is neither matches nothing. */
export function isListed(address: string, entries: readonly string[]): boolean {
  const plain = plainAddress(address)
  const family = isIP(plain)
  if (family === 0 || entries.length === 0) return false
  return listOf(entries).check(plain, family === 4 ? 'ipv4' : 'ipv6')
}

function listOf(entries: readonly string[]): BlockList {
  let list = lists.get(entries)
  if (list === undefined) {
    list = new BlockList()
    for (const entry of entries) addEntry(list, entry.trim())
    lists.set(entries, list)
  }
  return list
}

function addEntry(list: BlockList, entry: string): void {
  const [written = '', prefix] = entry.split('/')
  const plain = plainAddress(written)
  const family = isIP(plain)
  if (family === 0) return
  const type = family === 4 ? 'ipv4' : 'ipv6'
  if (prefix === undefined) {
    list.addAddress(plain, type)
    return
  }
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  const bits = Number(prefix) - (family === 4 && written.includes(':') ? 96 : 0)
  if (!/^\d{1,3}$/.test(prefix) || bits < 0 || bits > (family === 4 ? 32 : 128)) return
  list.addSubnet(plain, bits, type)
}
