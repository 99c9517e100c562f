// Values of the configuration as forms handle them: never changed in place, compared by content, addressed by paths.

/** @typedef {import('../../src/settings/describe.ts').Setting} Setting */
/** @typedef {readonly string[]} Path */
/** @typedef {{ set: Record<string, unknown>, remove: string[] }} Change */

/** @param {Path} path */
export function pointerOf(path) {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** @param {string} pointer */
export function pathOf(pointer) {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * A secret that is set: the station says where it stands, not what it is.
 * @param {unknown} value
 */
export function isKept(value) {
  return isObject(value) && Object.hasOwn(value, '$kept')
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
export function isEqual(a, b) {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
}

/**
 * @param {unknown} value
 * @param {Path} path
 * @returns {any}
 */
export function valueAt(value, path) {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = Reflect.get(at, key)
  }
  return at
}

/**
 * The value with something else in one place; `undefined` takes it away. What lies on the way is made.
 * @param {unknown} value
 * @param {Path} path
 * @param {unknown} next
 * @returns {any}
 */
export function withValue(value, path, next) {
  const [key, ...rest] = path
  if (key === undefined) return next
  if (Array.isArray(value)) {
    const list = [...value]
    const index = Number(key)
    if (rest.length === 0 && next === undefined) list.splice(index, 1)
    else list[index] = withValue(list[index], rest, next)
    return list
  }
  const object = isObject(value) ? { ...value } : {}
  const inner = withValue(object[key], rest, next)
  if (inner === undefined) delete object[key]
  else object[key] = inner
  return object
}

/**
 * The change that makes `draft` of `base`: places with a new value, and places that are gone. Lists count as a whole.
 * @param {string} pointer
 * @param {unknown} base
 * @param {unknown} draft
 * @param {Change} [change]
 * @returns {Change}
 */
export function changeOf(pointer, base, draft, change = { set: {}, remove: [] }) {
  if (isEqual(base, draft)) return change
  if (draft === undefined) change.remove.push(pointer)
  else if (isObject(base) && isObject(draft) && !isKept(base) && !isKept(draft)) {
    for (const key of new Set([...Object.keys(base), ...Object.keys(draft)]))
      changeOf(`${pointer}${pointerOf([key])}`, base[key], draft[key], change)
  } else change.set[pointer] = draft
  return change
}

/** @param {Change} change */
export function placesOf({ set, remove }) {
  return [...Object.keys(set), ...remove]
}

/**
 * True when two changes touch the same place, or one lies within a place of the other.
 * @param {Change} a
 * @param {Change} b
 */
export function overlap(a, b) {
  return placesOf(a).some((one) =>
    placesOf(b).some((other) => one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`))
  )
}

/**
 * `value`, which stands at `pointer`, with the change made.
 * @param {unknown} value
 * @param {string} pointer
 * @param {Change} change
 */
export function withChange(value, pointer, { set, remove }) {
  let next = value
  for (const [place, member] of Object.entries(set)) next = withValue(next, pathOf(place.slice(pointer.length)), member)
  for (const place of remove) next = withValue(next, pathOf(place.slice(pointer.length)), undefined)
  return next
}

/**
 * The beginning of a new entry: nothing but what has no choice.
 * @param {Setting} setting
 * @returns {unknown}
 */
export function blankOf(setting) {
  if (setting.type === 'object') return {}
  if (setting.type === 'list') return []
  if (setting.type === 'map') return {}
  if (setting.type === 'switch') return false
  if (setting.type === 'choice') return setting.choices?.[0] ?? ''
  return setting.type === 'number' ? (setting.min ?? 0) : ''
}

/**
 * The name of an entry in its heading: the first of the members people know it by.
 * @param {unknown} value
 */
export function nameOf(value) {
  if (!isObject(value)) return isKept(value) || value === undefined ? '' : String(value)
  const key = ['name', 'id', 'filter', 'type', 'kind'].find(
    (one) => typeof value[one] === 'string' && value[one] !== ''
  )
  return key === undefined ? '' : String(value[key])
}
