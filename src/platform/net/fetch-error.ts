import { because, type Reason } from '../../model/reason.ts'
import { AppError, reasonOf } from '../errors.ts'

/**
 * `unreachable`: no connection came about, the network may be down. `network`: it broke. `answer`: what came cannot be used.
 * `refused`: a guard of ours does not go there.
 */
export type FetchFailure = 'unreachable' | 'network' | 'timeout' | 'too-large' | 'answer' | 'aborted' | 'refused'

/** The reason why there is no answer; `message` names the host, never the query. */
export class FetchError extends AppError {
  readonly kind: FetchFailure

  constructor(kind: FetchFailure, said: Reason, options: { cause?: unknown } = {}) {
    super('unavailable', said, options)
    this.kind = kind
  }
}

const UNREACHABLE = /^(?:ENOTFOUND|EAI_\w+|ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|ETIMEDOUT|EADDRNOTAVAIL)$/
const CUT_OFF = /^(?:Z_\w+|ERR__ERROR_FORMAT\w*|ERR_BROTLI\w*|ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|HPE_\w+)$/

/** Whatever was thrown, as a failure of this host. A refused connection says that the network is up. */
export function asFetchError(host: string, error: unknown): FetchError {
  if (error instanceof FetchError) {
    return namesHost(error)
      ? error
      : new FetchError(error.kind, because('at_host', { host, said: error.reason }), { cause: error })
  }
  const code = codeOf(error)
  if (UNREACHABLE.test(code))
    return new FetchError('unreachable', because('cannot_be_reached', { host, why: code }), { cause: error })
  if (CUT_OFF.test(code))
    return new FetchError('network', because('answer_garbled', { host, why: code }), { cause: error })
  return new FetchError('network', brokenReason(host, code, error), { cause: error })
}

const BY_CLOCK = /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/
const CERTIFICATE = /^(?:CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|ERR_TLS_CERT_\w+)$/

/** Why it broke, as what somebody can look after; a board without a clock knows no certificate that is valid. */
function brokenReason(host: string, code: string, error: unknown): Reason {
  if (code === 'ECONNREFUSED') return because('connection_refused', { host })
  if (BY_CLOCK.test(code)) return because('certificate_by_clock', { host })
  if (CERTIFICATE.test(code)) return because('certificate_not_accepted', { host, why: code })
  return because('at_host', { host, said: reasonOf(error) })
}

/** Its sentence says which host; nobody needs to be told twice. */
function namesHost({ reason }: FetchError): boolean {
  return 'host' in reason.params || reason.code === 'nothing_fetched_from'
}

/** The system's code of an error, or ''. Of several addresses tried, the one that answered at all is the one that counts. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) {
    const codes = error.errors.map(codeOf)
    return codes.find((code) => !UNREACHABLE.test(code)) ?? codes[0] ?? ''
  }
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
