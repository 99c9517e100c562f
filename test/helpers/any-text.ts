import fc from 'fast-check'

/** Code points but surrogates. */
const BELOW_SURROGATES = 0xd800
const SURROGATES = 0x800
const POINTS = 0x110000 - SURROGATES

/** The way back, so that strings which programs stumble over (`__proto__`, …) are drawn too. */
function nthOf(value: unknown): number {
  if (typeof value !== 'string' || [...value].length !== 1) throw new Error('not one code point')
  const point = value.codePointAt(0) ?? 0
  return point < BELOW_SURROGATES ? point : point - SURROGATES
}

/** `fc.string({ unit: 'binary' })` draws the same, but builds a table of all 1.1 million of them first: half a second in each process that asks. */
const point = fc
  .nat(POINTS - 1)
  .map((nth) => String.fromCodePoint(nth < BELOW_SURROGATES ? nth : nth + SURROGATES), nthOf)

/** Strings of any code points. */
export function anyText(constraints: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: point })
}
