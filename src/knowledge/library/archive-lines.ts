import * as v from 'valibot'
import { because, isReason, type Reason } from '../../model/reason.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'

/** The lines of the reader of an archive, one JSON object each. `entry` is the place in the order of reading. */
export type ArchiveLine =
  /** First: whose articles follow, and how many there are. */
  | { kind: 'begin'; uuid: string; articles: number }
  /** About to read this one; only told when somebody asked for it. */
  | { kind: 'next'; entry: number; path: string; title: string }
  | { kind: 'article'; entry: number; path: string; title: string; text: string }
  /** Left out on purpose. */
  | { kind: 'skip'; entry: number; path: string; title: string; reason: Reason }
  /** Cannot be read; the others can. */
  | { kind: 'fail'; entry: number; path: string; title: string; reason: Reason }
  /** Last. */
  | { kind: 'end'; entry: number }
  /** Last: nothing more can be read. */
  | { kind: 'error'; code: string; reason: Reason }

/** An article and what became of it. */
export type EntryLine = Extract<ArchiveLine, { kind: 'article' | 'skip' | 'fail' }>

/** Facts of an archive (contract §9). */
export interface ArchiveFacts {
  uuid: string
  title: string
  description: string
  /** ISO 639-3: `eng`, `eng,fra`. */
  language: string
  /** As the archive says, `2026-05-14`; empty when it does not. */
  date: string
  name: string
  /** Pages of HTML, redirects excluded. */
  articleCount: number
  mainPath: string | null
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const place = { entry: count, path: v.string(), title: v.string() }
const lineSchema = v.variant('kind', [
  v.object({ kind: v.literal('begin'), uuid: v.string(), articles: count }),
  v.object({ kind: v.literal('next'), ...place }),
  v.object({ kind: v.literal('article'), ...place, text: v.string() }),
  v.object({ kind: v.literal('skip'), ...place, reason: v.custom<Reason>(isReason) }),
  v.object({ kind: v.literal('fail'), ...place, reason: v.custom<Reason>(isReason) }),
  v.object({ kind: v.literal('end'), entry: count }),
  v.object({ kind: v.literal('error'), code: v.string(), reason: v.custom<Reason>(isReason) })
])
const factsSchema = v.object({
  uuid: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  title: v.string(),
  description: v.string(),
  language: v.string(),
  date: v.string(),
  name: v.string(),
  articleCount: count,
  mainPath: v.nullable(v.string())
})

/** @throws AppError `unavailable` for what our reader does not write: it went wrong. */
export function parseLine(text: string): ArchiveLine {
  return parsed(lineSchema, text)
}

/** @throws AppError `unavailable`; what the reader reported. */
export function parseFacts(text: string): ArchiveFacts {
  if (text.startsWith('{"kind":"error"')) throw reported(parsed(lineSchema, text))
  return parsed(factsSchema, text)
}

function parsed<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError('unavailable', because('archive_reader_wrong_line'), { cause: error })
  }
  const result = v.safeParse(schema, value)
  if (!result.success) throw new AppError('unavailable', because('archive_reader_unexpected'))
  return result.output
}

/** Outcomes the parent acts upon; anything else says the archive cannot be read. */
const CODES: readonly ErrorCode[] = ['bad-input', 'too-large', 'unsupported', 'not-found', 'unavailable', 'usage']

/** The error a line `error` tells. */
export function reported(line: ArchiveLine): AppError {
  if (line.kind !== 'error') return new AppError('unavailable', because('archive_reader_too_early'))
  return new AppError(CODES.find((code) => code === line.code) ?? 'bad-input', line.reason)
}
