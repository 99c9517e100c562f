import { errorText } from '../../../platform/errors.ts'

const BY_CODE: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection. Check the address and the port, and that the broker runs.',
  ENOTFOUND: 'is not a known name. Check the address, or the connection to the internet.',
  EAI_AGAIN: 'cannot be looked up. Check the address, or the connection to the internet.',
  ETIMEDOUT: 'does not answer. Check the address, the port and firewalls in between.',
  EHOSTUNREACH: 'cannot be reached. Check the network.',
  ENETUNREACH: 'cannot be reached: there is no network. It is tried again.',
  ECONNRESET: 'broke the connection off. If it wants an encrypted connection, or a plain one, change the address.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate of its own making. Name it in ca_file to trust it.',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an authority of its own. Name that in ca_file to trust it.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate nobody known vouches for. Name its authority in ca_file.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate nobody known vouches for. Name its authority in ca_file.',
  CERT_HAS_EXPIRED: 'has a certificate that has expired. Check the clock of this machine, or tell the owner.',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet. Check the clock of this machine.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name. Use the name the certificate is for.',
  EPROTO: 'does not speak TLS on this port. Check the port, or use an address for plain connections.',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'does not speak TLS on this port. Check the port, or use an address for plain connections.'
}

/** Tells people why a connection to `where` fails: what is wrong, and what to do. */
export function networkReason(where: string, error: unknown): string {
  const known = BY_CODE[codeOf(error)]
  return known === undefined ? `${where}: ${errorText(error)}` : `${where} ${known}`
}

/** The code of a system or TLS error, of it or of what caused it; '' when there is none. */
function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0])
  }
  return ''
}
