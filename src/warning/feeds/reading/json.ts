import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { jsonSteps } from './json-steps.ts'

export type Bag = Record<string, unknown>

/** The value as a JSON object, or null. */
export function asBag(value: unknown): Bag | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/** The trimmed text, '' for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

/** The texts of an array, or a single text as one; anything else gives none. Feeds switch between the two. */
export function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((entry) => (typeof entry === 'string' && entry.trim() !== '' ? [entry.trim()] : []))
}

/** The finite number, or null. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/**
 * The JSON object of a feed's answer. Throws AppError `bad-input` for what a feed answers on a bad day:
 * nothing, a web page, half a body, or an error report in place of data.
 */
export function* jsonBodySteps(body: string, feed: string): Generator<void, Bag> {
  const parsed = asBag(yield* jsonValueSteps(body, feed))
  if (parsed === null) throw new AppError('bad-input', because('body_not_object', { feed }))
  return parsed
}

/** Any JSON value; throws as `jsonBodySteps` does. */
export function* jsonValueSteps(body: string, feed: string): Generator<void, unknown> {
  const text = stripMark(body).trim()
  if (text === '') throw new AppError('bad-input', because('body_is_empty', { feed }))
  if (text.startsWith('<')) throw new AppError('bad-input', because('web_page_for_json', { feed }))
  try {
    return yield* jsonSteps(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new AppError('bad-input', because('body_not_json', { feed }), { cause })
  }
}

/** Without the byte order mark that some servers put in front. */
export function stripMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** The words of an error report in place of data (RFC 9457 `title` and `detail`, ArcGIS `error.message`), or null. */
export function reportedError(body: Bag): string | null {
  const inner = asBag(body['error'])
  const said = [inner?.['message'], body['detail'], body['title']].map(textOf).find((text) => text !== '')
  return inner !== null || typeof body['status'] === 'number' ? (said ?? 'no reason given') : null
}
