import { because, type Reason, type ReasonCode } from '../../../model/reason.ts'
import { errorText } from '../../../platform/errors.ts'

const BY_CODE = {
  ECONNREFUSED: 'net_refused',
  ENOTFOUND: 'net_unknown_name',
  EAI_AGAIN: 'net_no_lookup',
  ETIMEDOUT: 'net_no_answer',
  EHOSTUNREACH: 'net_unreachable',
  ENETUNREACH: 'net_no_network',
  ECONNRESET: 'net_broken_off',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_self_made',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_own_authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_unknown_authority',
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_other_name',
  EPROTO: 'tls_not_spoken',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tls_not_spoken'
} as const satisfies Record<string, ReasonCode>

/** Tells people why a connection to `where` fails: what is wrong, and what to do. */
export function networkReason(where: string, error: unknown): Reason {
  const known = Object.entries(BY_CODE).find(([code]) => code === codeOf(error))?.[1]
  return known === undefined
    ? because('broker_failed_said', { where, said: errorText(error) })
    : because(known, { where })
}

/** The code of a system or TLS error, of it or of what caused it; '' when there is none. */
function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0])
  }
  return ''
}
