import { AppError, errorText } from '../errors.ts'

/**
 * `unreachable`: no connection came about, the network may be down. `network`: it broke. `answer`: what came cannot be used.
 * `refused`: a guard of ours does not go there.
 */
export type FetchFailure = 'unreachable' | 'network' | 'timeout' | 'too-large' | 'answer' | 'aborted' | 'refused'

/** Why there is no answer; `message` names the host, never the query. */
export class FetchError extends AppError {
  readonly kind: FetchFailure

  constructor(kind: FetchFailure, message: string, options: { cause?: unknown } = {}) {
    super('unavailable', message, options)
    this.kind = kind
  }
}

const UNREACHABLE = /^(?:ENOTFOUND|EAI_\w+|ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|ETIMEDOUT|EADDRNOTAVAIL)$/
const CUT_OFF = /^(?:Z_\w+|ERR__ERROR_FORMAT\w*|ERR_BROTLI\w*|ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|HPE_\w+)$/

/** Whatever was thrown, as a failure of this host. A refused connection says that the network is up. */
export function asFetchError(host: string, error: unknown): FetchError {
  if (error instanceof FetchError) {
    return error.message.startsWith(host)
      ? error
      : new FetchError(error.kind, `${host}: ${error.message}`, { cause: error })
  }
  const code = codeOf(error)
  if (UNREACHABLE.test(code))
    return new FetchError('unreachable', `${host} cannot be reached (${code})`, { cause: error })
  if (CUT_OFF.test(code))
    return new FetchError('network', `${host}: the answer was cut off or garbled (${code})`, { cause: error })
  return new FetchError('network', `${host}: ${errorText(error)}`, { cause: error })
}

/** The system's code of an error, or ''. Of several addresses tried, the one that answered at all is the one that counts. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) {
    const codes = error.errors.map(codeOf)
    return codes.find((code) => !UNREACHABLE.test(code)) ?? codes[0] ?? ''
  }
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
