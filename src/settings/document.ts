import { isUtf8 } from 'node:buffer'
import { drain } from '../platform/clock/slices.ts'
import { type IssueCode, parseWith } from '../platform/config/issues.ts'
import type { JsonObject } from '../platform/config/json.ts'
import { type JsonNode, locatePointer, type Place, readJsonSteps } from '../platform/config/locate.ts'
import { AppError } from '../platform/errors.ts'
import { type Config, configSchema } from './schema.ts'

/** A fault of a configuration file, and its place. Line and column count from 1; null when the file cannot be read. */
export interface ConfigProblem {
  code: IssueCode | 'syntax' | 'encoding' | 'unreadable' | 'missing'
  message: string
  line: number | null
  column: number | null
  /** A JSON pointer; '' is the whole file. */
  path: string
  file: string
}

/** A configuration file that was read and judged. */
export type Judged =
  | { ok: true; text: string; root: JsonNode; raw: JsonObject; config: Config }
  | { ok: false; problems: [ConfigProblem, ...ConfigProblem[]] }

/** Each is looked for from the beginning of the file; nobody mends more at a time. */
const MOST_PROBLEMS = 200

/** Judges the bytes of a configuration file: encoding, JSON, schema. Never throws for what stands in the file. */
export function judgeConfig(bytes: Uint8Array, file: string): Judged {
  return drain(judgeSteps(bytes, file))
}

/** The same in steps: a file with large outlines takes a while, and the radios go on meanwhile. */
export function* judgeSteps(bytes: Uint8Array, file: string): Generator<void, Judged> {
  if (!isUtf8(bytes)) return { ok: false, problems: [notUtf8(bytes, file)] }
  // Editors on Windows put a byte order mark in front; TextDecoder takes it away.
  const text = new TextDecoder().decode(bytes)
  const json = yield* readJsonSteps(text)
  yield
  if (!json.ok) return { ok: false, problems: [problemAt(json.place, file, '', 'syntax', json.message)] }
  try {
    const config = parseWith(configSchema, json.value, 'the configuration')
    // The schema takes nothing but an object, and JSON holds nothing but JSON.
    return { ok: true, text, root: json.root, raw: json.value as JsonObject, config }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [first, ...others] = error.issues
      .slice(0, MOST_PROBLEMS)
      .map((issue) => ({ issue, place: locatePointer(text, json.root, issue.path) }))
      .sort((a, b) => a.place.offset - b.place.offset)
      .map(({ issue, place }) => problemAt(place, file, issue.path, issue.code as IssueCode, issue.message))
    if (first === undefined) throw error
    return { ok: false, problems: [first, ...others] }
  }
}

/** A problem without a place in the text: the file is missing, or cannot be read. */
export function placelessProblem(file: string, code: 'unreadable' | 'missing', message: string): ConfigProblem {
  return { code, message, line: null, column: null, path: '', file }
}

/** `config.json:12:5: /coverage/areas/0: …` — file, line and column as compilers say it, then the JSON pointer. */
export function problemText({ file, line, column, path, message }: Omit<ConfigProblem, 'code'>): string {
  const place = line === null ? file : `${file}:${line}:${column}`
  return path === '' ? `${place}: ${message}` : `${place}: ${path}: ${message}`
}

/** So many objects and lists are frozen in one step: less than a millisecond on a Raspberry Pi. */
const FROZEN_STEP = 200

/** Freezes a value and everything inside of it. */
export function deepFreeze<T>(value: T): T {
  return drain(freezeSteps(value))
}

/** The same in steps. The inner ones come first: of what is frozen everything is, also when nobody takes the last step. */
export function* freezeSteps<T>(value: T, step = { left: FROZEN_STEP }): Generator<void, T> {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value))
    if (typeof member === 'object' && member !== null) yield* freezeSteps(member, step)
  Object.freeze(value)
  if (--step.left <= 0) {
    step.left = FROZEN_STEP
    yield
  }
  return value
}

function problemAt(
  { line, column }: Place,
  file: string,
  path: string,
  code: ConfigProblem['code'],
  message: string
): ConfigProblem {
  return { code, message, line, column, path, file }
}

/** The first line that is not UTF-8, and how many of its bytes are. */
function notUtf8(bytes: Uint8Array, file: string): ConfigProblem {
  let line = 1
  let start = 0
  for (
    let end = bytes.indexOf(0x0a);
    end >= 0 && isUtf8(bytes.subarray(start, end));
    end = bytes.indexOf(0x0a, start)
  ) {
    line++
    start = end + 1
  }
  let column = 1
  while (start + column < bytes.length && isUtf8(bytes.subarray(start, start + column))) column++
  const message = 'not UTF-8 text: save the file as UTF-8'
  return problemAt({ offset: start, line, column }, file, '', 'encoding', message)
}
