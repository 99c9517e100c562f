import * as v from 'valibot'
import { because, type Reason } from '../../model/reason.ts'
import { AppError, type Issue, issueReason } from '../errors.ts'
import { isSecretName } from '../log/secrets.ts'
import { pointerOf } from './locate.ts'

/** Codes that an issue can have. */
export type IssueCode = 'type' | 'range' | 'required' | 'unknown_key' | 'format' | 'choice' | 'rule'

type Key = string | number
type RawIssue = v.BaseIssue<unknown>

const RANGES = new Set([
  ...['min_value', 'max_value', 'min_length', 'max_length', 'min_bytes', 'max_bytes', 'length', 'bytes', 'non_empty'],
  ...['integer', 'safe_integer', 'finite', 'multiple_of', 'gt_value', 'lt_value']
])
const CHOICES = new Set(['picklist', 'literal', 'variant', 'union', 'enum'])

/** The refused places of an input, with JSON pointers into the input as it was given; a missing key by the pointer it would have. */
export function toIssues(raw: readonly RawIssue[]): Issue[] {
  return raw.map((issue) => {
    const path = keysOf(issue)
    // A password that is a number must not be shown in the message that says so.
    const secret = isSecretName(String(path.at(-1) ?? ''))
    const message = secret ? issue.message.replace(/, not .*$/s, '') : issue.message
    return { path: pointerOf(path), code: codeOf(issue), message }
  })
}

/**
 * The input as the schema understands it, defaults filled in. `what` begins the message: "the region matrix".
 * @throws AppError `invalid` with every refused place.
 */
export function parseWith<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  what: string
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { message: describe })
  if (result.success) return result.output
  const issues = toIssues(result.issues)
  throw new AppError('invalid', summary(what, issues), { issues })
}

function summary(name: string, issues: readonly Issue[]): Reason {
  const [first, ...others] = issues
  const why = first === undefined ? because('not_an_event') : issueReason(first)
  const place = first?.path ?? ''
  const said =
    place === '' ? because('input_not_valid', { name, why }) : because('input_not_valid_at', { name, place, why })
  return others.length === 0 ? said : because('and_more_issues', { why: said, more: others.length })
}

function keysOf(issue: RawIssue): Key[] {
  const keys: Key[] = []
  for (const { key } of issue.path ?? []) if (typeof key === 'string' || typeof key === 'number') keys.push(key)
  return keys
}

/** JSON has no `undefined`: whatever is received as that was not there. */
function isMissing(issue: RawIssue): boolean {
  return issue.kind === 'schema' && issue.received === 'undefined'
}

function codeOf(issue: RawIssue): IssueCode {
  if (isMissing(issue)) return 'required'
  if (issue.kind === 'schema') {
    if (issue.expected === 'never') return issue.type === 'strict_object' ? 'unknown_key' : 'range'
    return CHOICES.has(issue.type) ? 'choice' : 'type'
  }
  if (RANGES.has(issue.type)) return 'range'
  return typeof issue.input === 'string' ? 'format' : 'rule'
}

/** The words for an issue whose schema brings none of its own. */
function describe(issue: RawIssue): string {
  if (issue.kind === 'schema') return describeSchema(issue)
  const limit = String(issue.requirement)
  if (issue.type === 'min_value') return `must be at least ${limit}`
  if (issue.type === 'max_value') return `must be at most ${limit}`
  if (issue.type === 'min_length' || issue.type === 'non_empty')
    return `must not be shorter than ${issue.type === 'non_empty' ? 1 : limit}`
  if (issue.type === 'max_length') return `must not be longer than ${limit}`
  if (issue.type === 'integer') return 'must be a whole number'
  return `${found(issue)} is not allowed here`
}

/** Only an issue about a key knows its name here: the path of a value is put on later, from the inside out. */
function describeSchema(issue: RawIssue): string {
  const key = issue.path?.at(-1)?.key
  const name = key === undefined ? '' : `"${String(key)}" `
  if (isMissing(issue)) return `${name}is missing`
  if (issue.expected === 'never')
    return issue.type === 'strict_object' ? `unknown key ${name}`.trim() : 'one value too many'
  return `must be ${expectation(issue.expected ?? 'something else')}, not ${found(issue)}`
}

const EXPECTED: Record<string, string> = {
  Object: 'an object {…}',
  Array: 'a list […]',
  number: 'a number',
  string: 'a text in quotes',
  boolean: 'true or false'
}

/** valibot says `string`, `("a" | "b")` or `(string | number)`. */
function expectation(expected: string): string {
  const given = expected.replace(/[()]/g, '').split(' | ')
  // An empty text that is taken for none is no choice to offer.
  const options = given.length === 1 ? given : given.filter((option) => option !== '""')
  const words = options.map((option) => EXPECTED[option] ?? option.replaceAll('"', ''))
  return words.length === 1 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function found({ input }: RawIssue): string {
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'object' && input !== null) return 'an object'
  const text = JSON.stringify(input) ?? 'nothing'
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
