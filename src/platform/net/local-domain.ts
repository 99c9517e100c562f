import { isIP } from 'node:net'

/** Names that never belong to the public Internet (RFC 6761, 6762, 7686, 8375; ICANN's `internal`). */
const LOCAL_NAME =
  /^(?:localhost|[^.]+|.*\.(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|onion))\.?$/i

/** True for a name of local networks; an address is none. */
export function isLocalName(host: string): boolean {
  return isIP(host) === 0 && LOCAL_NAME.test(host)
}
