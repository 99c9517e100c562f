import { because, type Reason } from '../model/reason.ts'
import { sentenceOf } from '../model/words/sentences.ts'

/**
 * Kinds of failure, in the one vocabulary of the program. `http/route.ts` maps it to a status, `main.ts` to an exit
 * code.
 */
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
  /**
   * The reason that the message is made from, where it has a code; whoever shows it says it in the language of the
   * reader.
   */
  reason?: Reason
}

/** A refused place, with its reason. */
export function issueOf(path: string, code: string, reason: Reason): Issue {
  return { path, code, message: sentenceOf(reason), reason }
}

/**
 * A failure somebody can act on. Anything else that is thrown is a bug.
 * `message` says what is wrong and what to do; it is shown to people.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly issues: readonly Issue[]
  /** As state holds it and pages say it, in the language of their reader; `message` is its English sentence. */
  readonly reason: Reason

  constructor(code: ErrorCode, said: Reason, options: { cause?: unknown; issues?: readonly Issue[] } = {}) {
    super(sentenceOf(said), options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.issues = options.issues ?? []
    this.reason = said
  }
}

/** The refusal of one place, which is the whole refusal. */
export function refusedAt(path: string, code: string, reason: Reason): AppError {
  return new AppError('invalid', reason, { issues: [issueOf(path, code, reason)] })
}

/** The reason of a refused place; a schema says its own in words. */
export function issueReason({ reason, message }: Issue): Reason {
  return reason ?? because('note', { text: message })
}

/** The readable part of whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whatever was thrown as a reason: what others threw keeps its words. */
export function reasonOf(error: unknown): Reason {
  return error instanceof AppError ? error.reason : because('note', { text: errorText(error) })
}
