/** Nothing that describes an event nests deeper; a MultiPolygon inside collections takes ten levels. */
const MAX_DEPTH = 64

/**
 * Whether lists and objects nest deeper than anything an event is made of. Such a value could not be stored: whoever
 * writes JSON walks it recursively. Looks without recursion.
 */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested)
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (level.length === 0) return false
    level = level.flatMap((item) => Object.values(item).filter(isNested))
  }
  return level.length > 0
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
