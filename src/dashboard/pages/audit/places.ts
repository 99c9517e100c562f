import { describeSettings, type Setting } from '../../../settings/describe.ts'
import type { Translate } from '../../words/language.ts'

/** As many places of the settings are read as they are; more are told by what they belong to. */
const MOST_PLACES = 3
/** As many groups, or lines of what was and is, stand on the page; the API tells all of them. */
export const MOST_LINES = 20

/**
 * Places of the settings as people read them: a few by their pointers (RFC 6901), many by the part they belong to and how many they are in it,
 * and what is over as a number.
 */
export function saidPlaces(pointers: readonly string[], t: Translate): string[] {
  if (pointers.length <= MOST_PLACES) return [...pointers]
  const groups = new Map<string, string[]>()
  for (const pointer of pointers) {
    const name = partOf(pointer, t)
    groups.set(name, [...(groups.get(name) ?? []), pointer])
  }
  const told = [...groups].slice(0, MOST_PLACES)
  const left = pointers.length - told.reduce((sum, [, list]) => sum + list.length, 0)
  const said = told.map(([name, list]) => (list.length === 1 ? (list[0] ?? '') : `${name} (${list.length})`))
  return left === 0 ? said : [...said, t('and {count} more', { count: left })]
}

/** The section, and the part of it that has members of its own, by their titles; an unknown key as it is. */
function partOf(pointer: string, { term }: Translate): string {
  const [section = '', part = ''] = pointer.slice(1).split('/')
  const whole = memberOf(describeSettings(), section)
  if (whole === null) return `/${section}`
  const inner = memberOf(whole, part)
  const named = inner !== null && (inner.type === 'object' || inner.type === 'map' || inner.type === 'list')
  return named ? `${term(whole.title)} › ${term(inner.title)}` : term(whole.title)
}

function memberOf({ members = {} }: Setting, name: string): Setting | null {
  return Object.hasOwn(members, name) ? (members[name] ?? null) : null
}
