import { lookup } from 'node:dns/promises'
import { createServer, isIP } from 'node:net'
import { because } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'

/** The place where a server listens. `port` 0 = any free one. */
export interface ListenPlace {
  address: string
  port: number
}

/**
 * The address that kiwix-serve is told for that of the dashboard: 3.3.0 takes IPv4 addresses and no names. @throws
 * AppError `unavailable` when the name has none.
 */
export async function listenAddress(host: string): Promise<string> {
  const plain = host.replace(/^\[(.*)\]$/, '$1')
  if (plain === '' || plain === '::') return '0.0.0.0'
  if (plain === '::1' || plain === 'localhost') return '127.0.0.1'
  // Newer servers take such an address; an older one says that it does not.
  if (isIP(plain) !== 0) return plain
  try {
    return (await lookup(plain, { family: 4 })).address
  } catch (cause) {
    throw new AppError('unavailable', because('no_ipv4_address', { host, said: reasonOf(cause) }), { cause })
  }
}

/** True when nobody else listens there. */
export function canListen(address: string, port: number): Promise<boolean> {
  return listen(address, port).then(
    () => true,
    () => false
  )
}

/** A port nobody listens on at this moment. @throws AppError `unavailable` when the address is not ours. */
export function freePort(address: string): Promise<number> {
  return listen(address, 0)
}

function listen(address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause) =>
      reject(new AppError('unavailable', because('cannot_listen_on', { address, said: reasonOf(cause) }), { cause }))
    )
    server.listen({ host: address, port, exclusive: true }, () => {
      const place = server.address()
      server.close(() => resolve(typeof place === 'object' && place !== null ? place.port : port))
    })
  })
}
