import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'

/** As the examples of the hotspot name the station. */
const OWN_NAMES: ReadonlySet<string> = new Set(['localhost', 'lookout.local', 'lookout.lan'])

interface Authority {
  /** Lower case, without brackets and without a dot at the end. */
  name: string
  port: string
}

/** Reads `name`, `name:8080`, `[::1]:8080`; null for anything else. */
export function readAuthority(text: string): Authority | null {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([^\s:/?#@[\]]+))(?::(\d{1,5}))?$/.exec(text.trim())
  const name = match?.[1] ?? match?.[2]
  return name === undefined ? null : { name: name.toLowerCase().replace(/\.$/, ''), port: match?.[3] ?? '' }
}

/**
 * Refuses names this machine does not go by, so that no web page can make a browser reach the box under a name of its
 * own (DNS rebinding). Allowed: address literals, localhost, the station's own host name and its name by mDNS, lookout.local,
 * lookout.lan, `allowed_hosts`. Not every `*.local`: anybody on the same Wi-Fi can take one.
 * Throws AppError `forbidden`.
 */
export function checkHost(host: string | undefined, allowedHosts: readonly string[]): void {
  // HTTP/1.0 without Host: not a browser.
  if (host === undefined) return
  if (!isOwnHost(host, allowedHosts)) throw new AppError('forbidden', because('not_under_this_host'))
}

/** True for a `Host` under which this station may be called. */
export function isOwnHost(host: string, allowedHosts: readonly string[]): boolean {
  const authority = readAuthority(host)
  return authority !== null && isOwnName(authority, allowedHosts)
}

function isOwnName({ name, port }: Authority, allowedHosts: readonly string[]): boolean {
  if (isIP(name) !== 0 || OWN_NAMES.has(name)) return true
  const own = hostname().toLowerCase()
  const short = own.split('.')[0] ?? own
  if (name === own || name === short || name === `${short}.local`) return true
  return allowedHosts.some((entry) => {
    const allowed = readAuthority(entry)
    return allowed !== null && allowed.name === name && (allowed.port === '' || allowed.port === port)
  })
}

/** True when an `Origin` (RFC 6454) is the origin the request came to; the port counts. `host` is the Host header. */
export function isSameOrigin(origin: string, host: string): boolean {
  const match = /^(https?):\/\/([^/]+)$/.exec(origin)
  const theirs = match?.[2] === undefined ? null : readAuthority(match[2])
  const ours = readAuthority(host)
  if (theirs === null || ours === null) return false
  const defaultPort = match?.[1] === 'https' ? '443' : '80'
  return theirs.name === ours.name && (theirs.port || defaultPort) === (ours.port || defaultPort)
}
