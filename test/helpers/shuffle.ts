/** The same JSON value with the keys of every object in another order, the same one for the same seed. */
export function shuffledKeys(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffledKeys(item, seed))
  if (typeof value !== 'object' || value === null) return value
  const turn = (key: string): number =>
    [...key].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0, seed)
  const keys = Object.keys(value).sort((a, b) => turn(a) - turn(b))
  return Object.fromEntries(keys.map((key) => [key, shuffledKeys(Reflect.get(value, key), seed)]))
}
