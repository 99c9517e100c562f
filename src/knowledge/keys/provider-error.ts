import type { Reason } from '../../model/reason.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'

/**
 * `no-key`: none is configured, or the provider refuses all of them. `resting`: all are over their limit until `retryAt`.
 * `transient`: the server is overloaded or cannot be reached; asking again later is of use. `permanent`: it is not: the
 * model is unknown, the request is too long, the answer is withheld. `aborted`: the caller has given it up.
 */
export type ProviderFailure = 'no-key' | 'resting' | 'transient' | 'permanent' | 'aborted'

const CODES: Readonly<Record<ProviderFailure, ErrorCode>> = {
  'no-key': 'unauthenticated',
  resting: 'rate-limited',
  transient: 'unavailable',
  permanent: 'invalid',
  aborted: 'unavailable'
}

/** The reason why a provider has not answered. `message` says what to do and never holds a key. */
export class ProviderError extends AppError {
  readonly kind: ProviderFailure
  /** The time at which asking again may be of use; epoch milliseconds, null when nobody knows. */
  readonly retryAt: number | null

  constructor(kind: ProviderFailure, said: Reason, options: { retryAt?: number | null; cause?: unknown } = {}) {
    super(CODES[kind], said, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.retryAt = options.retryAt ?? null
  }
}
