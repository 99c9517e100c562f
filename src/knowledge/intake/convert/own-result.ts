import { because, isReason, type Reason } from '../../../model/reason.ts'
import { AppError, type ErrorCode, reasonOf } from '../../../platform/errors.ts'

/** The report of one of our own converters when it has written its PDF. */
export interface OwnResult {
  /** Characters of the source's text, blanks not counted. */
  textLength: number
  warnings: Reason[]
}

/** Outcomes which the parent acts upon; anything else says the file cannot be read. */
const CODES: readonly ErrorCode[] = [
  'bad-input',
  'invalid',
  'too-large',
  'unsupported',
  'missing',
  'no-space',
  'timeout'
]

/** The line on standard output: `{"ok":true,"warnings":[],"textLength":n}` or `{"error":{"code","reason"}}`. */
export function resultLine(result: OwnResult): string {
  return `${JSON.stringify({ ok: true, ...result })}\n`
}

/** Libraries throw what they like at a damaged file: it counts as damaged. */
export function errorLine(error: unknown): string {
  const code = error instanceof AppError ? error.code : spaceOr(error)
  const reason = error instanceof AppError ? error.reason : because('file_cannot_be_read', { said: reasonOf(error) })
  return `${JSON.stringify({ error: { code, reason } })}\n`
}

function spaceOr(error: unknown): ErrorCode {
  const full = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  return full ? 'no-space' : 'bad-input'
}

/** Reads the line back. @throws AppError what the converter reported, or `bad-input` when it reported nothing. */
export function parseResult(output: string, stderr: string): OwnResult {
  const line: unknown = parseLine(output)
  if (isRecord(line) && isRecord(line['error'])) {
    const { code, reason } = line['error']
    throw new AppError(
      CODES.find((one) => one === code) ?? 'bad-input',
      isReason(reason) ? reason : because('note', { text: typeof reason === 'string' ? reason : '' })
    )
  }
  if (!isRecord(line) || line['ok'] !== true || typeof line['textLength'] !== 'number') {
    throw new AppError('bad-input', because('converter_no_result', { said: stderr.trim().slice(-300) }))
  }
  const { textLength, warnings } = line
  return { textLength, warnings: Array.isArray(warnings) ? warnings.filter(isReason) : [] }
}

function parseLine(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
