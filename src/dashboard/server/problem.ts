import { because, type Reason } from '../../model/reason.ts'
import { AppError, type ErrorCode, type Issue } from '../../platform/errors.ts'
import { type Asker, toldTo } from './guest.ts'

/** The one map from error code to HTTP status (contract §1). */
const STATUS: Record<ErrorCode, number> = {
  'bad-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'config-refused': 409,
  stale: 412,
  'too-large': 413,
  unsupported: 415,
  invalid: 422,
  'rate-limited': 429,
  usage: 500,
  unavailable: 503,
  missing: 503,
  timeout: 504,
  'no-space': 507
}

const TITLES = new Map<number, string>([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [409, 'Conflict'],
  [412, 'Precondition Failed'],
  [413, 'Content Too Large'],
  [415, 'Unsupported Media Type'],
  [422, 'Unprocessable Content'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
  [507, 'Insufficient Storage']
])

/**
 * A refusal that needs header fields of its own (`Allow`, `Retry-After`, `WWW-Authenticate`) or more members in its document
 * (RFC 9457 §3.2).
 */
export class HttpError extends AppError {
  readonly headers: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    said: Reason,
    headers: Readonly<Record<string, string>>,
    members: Readonly<Record<string, unknown>> = {}
  ) {
    super(code, said)
    this.headers = headers
    this.members = members
  }
}

/** The body of every refusal: RFC 9457, plus `error` for clients of the older shape (contract §1). */
export interface Problem {
  type: 'about:blank'
  title: string
  status: number
  detail: string
  errors: readonly Issue[]
  error: string
}

export interface ProblemReply {
  problem: Problem
  headers: Readonly<Record<string, string>>
}

/**
 * The answer to a client about whatever was thrown, in its language; to a guest without the places of this station. Of a bug it learns nothing but that there was one.
 */
export function problemOf(error: unknown, asker: Asker = { language: 'en', isGuest: true }): ProblemReply {
  if (!(error instanceof AppError))
    return { problem: problem(500, 'Something went wrong inside Lookout: its log says what.', []), headers: {} }
  const told = problem(STATUS[error.code], toldTo(error.reason, asker), saidIssues(error.issues, asker))
  if (!(error instanceof HttpError)) return { problem: told, headers: {} }
  return { problem: { ...told, ...error.members }, headers: error.headers }
}

function saidIssues(issues: readonly Issue[], asker: Asker): Issue[] {
  return issues.map(({ reason, ...issue }) =>
    reason === undefined ? issue : { ...issue, message: toldTo(reason, asker) }
  )
}

function problem(status: number, detail: string, errors: readonly Issue[]): Problem {
  return { type: 'about:blank', title: TITLES.get(status) ?? 'Error', status, detail, errors, error: detail }
}

/** The one answer for every address that has no handler, whatever the method (contract §11). */
export function notFound(): AppError {
  return new AppError('not-found', because('nothing_at_this_address'))
}
