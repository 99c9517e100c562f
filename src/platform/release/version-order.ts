/** Where a release stands beside another one (Semantic Versioning 2.0.0 §11; what follows `+` does not count). */
export type VersionOrder = 'newer' | 'same' | 'older'

/** The first beside the second. */
export function versionOrder(version: string, other: string): VersionOrder {
  const [a, b] = [partsOf(version), partsOf(other)]
  const found = compareParts(a.numbers, b.numbers) || comparePre(a.pre, b.pre)
  if (found === 0) return 'same'
  return found > 0 ? 'newer' : 'older'
}

function partsOf(version: string): { numbers: string[]; pre: string[] } {
  const [plain = ''] = version.split('+')
  const at = plain.indexOf('-')
  const [main, pre] = at < 0 ? [plain, ''] : [plain.slice(0, at), plain.slice(at + 1)]
  return { numbers: main.split('.'), pre: pre === '' ? [] : pre.split('.') }
}

/** One with a word behind it (`1.0.0-rc.1`) comes before the one without. */
function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  return compareParts(a, b)
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [one, two] = [a[at], b[at]]
    if (one === undefined || two === undefined) return one === undefined ? -1 : 1
    const found = compareWords(one, two)
    if (found !== 0) return found
  }
  return 0
}

function compareWords(a: string, b: string): number {
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumber && isOther) return Math.sign(Number(a) - Number(b))
  if (isNumber !== isOther) return isNumber ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}
