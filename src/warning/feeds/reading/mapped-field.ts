import { because, type Reason } from '../../../model/reason.ts'
import { AppError, issueOf } from '../../../platform/errors.ts'
import { looseText } from './loose.ts'
import { type MappingRule, templatePointers } from './mapping-settings.ts'
import { valueAt } from './pointer.ts'

/** A value found for a field, and the pointer it came from (`''` for a constant or a template). Undefined: nothing there. */
export interface Found {
  value: unknown
  pointer: string
}

/**
 * Finds what a rule asks for in an item. Null, blank texts and what is not there count as nothing. Throws AppError
 * `bad-input`, naming the pointer, for a value the table of the rule does not know.
 */
export function findField(item: unknown, rule: MappingRule): Found {
  if (typeof rule === 'string' || Array.isArray(rule)) return firstOf(item, rule)
  const found = whatIs(item, rule)
  if (found.value === undefined || rule.table === undefined) {
    return { value: found.value ?? rule.otherwise, pointer: found.pointer }
  }
  const key = plainText(found.value)
  const entry = Object.entries(rule.table).find(([known]) => known.toLowerCase() === key.toLowerCase())
  const value = entry?.[1] ?? rule.otherwise
  if (value === undefined) throw refusal(found.pointer, because('not_in_its_table', { value: key.slice(0, 60) }))
  return { value, pointer: found.pointer }
}

/** The refusal of a value: which pointer, and what is wrong with what is there. */
export function refusal(pointer: string, why: Reason): AppError {
  const said = pointer === '' ? why : because('at_pointer', { pointer, why })
  return new AppError('bad-input', said, { issues: [issueOf(pointer, 'mapping', why)] })
}

function whatIs(item: unknown, { pointer, value, template }: Exclude<MappingRule, string | string[]>): Found {
  if (value !== undefined) return { value, pointer: '' }
  if (template !== undefined) return { value: filled(item, template), pointer: templatePointers(template)[0] ?? '' }
  return pointer === undefined ? { value: undefined, pointer: '' } : firstOf(item, pointer)
}

function firstOf(item: unknown, rule: string | readonly string[]): Found {
  const pointers = typeof rule === 'string' ? [rule] : rule
  for (const pointer of pointers) {
    const value = valueAt(item, pointer)
    if (!isNothing(value)) return { value, pointer }
  }
  return { value: undefined, pointer: pointers[0] ?? '' }
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** Nothing when one of its pointers leads nowhere: half a sentence is worse than none, half an id is another's. */
function filled(item: unknown, template: string): string | undefined {
  let complete = true
  const text = template.replace(/\{([^{}]*)\}/g, (_, pointer: string) => {
    const piece = plainText(valueAt(item, pointer))
    if (piece === '') complete = false
    return piece
  })
  return complete ? text : undefined
}

/** Texts, numbers and truth values as text; '' for anything else. */
export function plainText(value: unknown): string {
  return typeof value === 'boolean' ? String(value) : looseText(value)
}
