/** Nothing that describes an event nests deeper; a MultiPolygon inside collections takes ten levels. */
const MAX_DEPTH = 64

/**
 * True when lists and objects nest deeper than anything an event is made of. Such a value could not be stored: whoever
 * writes JSON walks it recursively. Looks without recursion.
 */
export function isTooDeep(value: unknown): boolean {
  let level = isNested(value) ? [value] : []
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const below: object[] = []
    for (const item of level) for (const member of Object.values(item)) if (isNested(member)) below.push(member)
    level = below
  }
  return level.length > 0
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
