/** The value a JSON pointer (RFC 6901) leads to; undefined where it leads nowhere. Only members of the data count. */
export function valueAt(root: unknown, pointer: string): unknown {
  if (pointer === '') return root
  let current = root
  for (const part of pointer.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null) return undefined
    if (Array.isArray(current) && !/^(?:0|[1-9]\d{0,8})$/.test(key)) return undefined
    if (!Object.hasOwn(current, key)) return undefined
    current = Reflect.get(current, key)
  }
  return current
}
