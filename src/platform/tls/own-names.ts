import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

/** RFC 1123, and what a line of openssl's settings may hold without meaning something else. */
const NAME = /^(?=.{1,253}$)[\da-z](?:[\da-z-]{0,61}[\da-z])?(?:\.[\da-z](?:[\da-z-]{0,61}[\da-z])?)*$/

/** The part of `node:os` that tells what this machine is called. */
export interface Machine {
  hostname: () => string
  networkInterfaces: typeof networkInterfaces
}

/**
 * Names and addresses under which browsers call this machine, each once. Of IPv6 its loopback alone: others change by the day, and
 * with each change browsers would ask again whether they shall trust.
 */
export function ownNames(more: readonly string[], machine: Machine = { hostname, networkInterfaces }): string[] {
  const host = machine.hostname().toLowerCase()
  const short = host.split('.')[0] ?? host
  const addresses = Object.values(machine.networkInterfaces())
    .flat()
    .flatMap((one) => (one !== undefined && one.family === 'IPv4' && !one.internal ? [one.address] : []))
  const all = [host, short, `${short}.local`, ...more.map((name) => name.toLowerCase())]
  const names = all.filter((name) => isIP(name) !== 0 || NAME.test(name))
  return [...new Set([...names, 'localhost', '127.0.0.1', '::1', ...addresses.toSorted()])]
}
