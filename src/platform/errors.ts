/** What went wrong, in the one vocabulary of the program. `http/route.ts` maps it to a status, `main.ts` to an exit code. */
export type ErrorCode =
  | 'bad-input'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'stale'
  | 'too-large'
  | 'unsupported'
  | 'rate-limited'
  | 'unavailable'
  | 'timeout'
  | 'no-space'
  | 'usage'
  | 'config-refused'
  | 'missing'

/** One refused place in an input. `path` is a JSON pointer (RFC 6901) into that input. */
export interface Issue {
  path: string
  code: string
  message: string
}

/**
 * A failure somebody can act on. Anything else that is thrown is a bug.
 * `message` says what is wrong and what to do; it is shown to people.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly issues: readonly Issue[]

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; issues?: readonly Issue[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.issues = options.issues ?? []
  }
}

/** The readable part of whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
