import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** Connections of this machine as Linux lists them; an IPv4 one stands in the second, too, when its program opened IPv6. */
const LISTS = ['/proc/net/tcp', '/proc/net/tcp6']

/** TCP_LISTEN of the kernel's `tcp_states.h`. */
const LISTEN = '0A'
/** Where there is no such list the user is not known, and nothing more. */
const NO_LIST = ''

export interface LocalConnection {
  /** Our end, then theirs; without zone, IPv4-mapped IPv6 as IPv4. */
  local: { address: string; port: number }
  remote: { address: string; port: number }
}

/**
 * The user (uid) of the program at the other end of a connection on this machine; null where the system does not tell: no
 * Linux, a hidden `/proc`, a program in another network namespace.
 */
export async function peerUid(connection: LocalConnection, read = readList): Promise<number | null> {
  const theirs = hexOf(connection.remote)
  const ours = hexOf(connection.local)
  for (const path of LISTS) {
    for (const line of (await read(path)).split('\n')) {
      const [, from = '', to = '', , , , , uid = ''] = line.trim().split(/\s+/)
      if (theirs.includes(from) && ours.includes(to) && /^\d+$/.test(uid)) return Number(uid)
    }
  }
  return null
}

/** Ports that some program of this machine listens on; empty where the system does not tell. */
export async function listeningPorts(read = readList): Promise<Set<number>> {
  const ports = new Set<number>()
  for (const path of LISTS)
    for (const line of (await read(path)).split('\n')) {
      const [, local = '', , state] = line.trim().split(/\s+/)
      if (state === LISTEN) ports.add(Number.parseInt(local.split(':')[1] ?? '', 16))
    }
  return ports
}

/** The ends of a socket; null once it is closed. */
export function endsOf(socket: Socket, plain: (address: string) => string): LocalConnection | null {
  const { localAddress, localPort, remoteAddress, remotePort } = socket
  if (localAddress === undefined || remoteAddress === undefined) return null
  if (localPort === undefined || remotePort === undefined) return null
  return {
    local: { address: plain(localAddress), port: localPort },
    remote: { address: plain(remoteAddress), port: remotePort }
  }
}

/** An end as the kernel writes it: words of four bytes in the order of the processor (all of ours: little-endian). */
function hexOf({ address, port }: LocalConnection['local']): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  if (address === '::1') return [`${'0'.repeat(24)}01000000${suffix}`]
  const word = address
    .split('.')
    .reverse()
    .map((byte) => Number(byte).toString(16).toUpperCase().padStart(2, '0'))
    .join('')
  return [`${word}${suffix}`, `${'0'.repeat(16)}FFFF0000${word}${suffix}`]
}

async function readList(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => NO_LIST)
}
