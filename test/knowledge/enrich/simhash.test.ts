import fc from 'fast-check'
import t from 'tap'
import { comparedWords, fingerprint, hammingDistance, sharedShingles } from '../../../src/knowledge/enrich/simhash.ts'
import { PROSE } from '../../helpers/documents.ts'

const BOOK = Array.from({ length: 40 }, (_, at) => `${PROSE} Page ${at} tells of number ${at * 7} in other words.`)

t.test('of texts too long to be held the share in common is still told, to a few hundredths', (t) => {
  const words = (from: number, count: number): string[] =>
    Array.from({ length: count / 1000 }, (_, page) =>
      Array.from({ length: 1000 }, (_, at) => `w${(from + page * 1000 + at).toString(36)}`).join(' ')
    )
  // 900,000 shingles each; 0, 50 and 90 % of the words of one are in the other.
  const one = words(0, 900_000)
  for (const shared of [0, 0.5, 0.9]) {
    const other = [...one.slice(0, 900 * shared), ...words(5_000_000, 900_000 * (1 - shared))]
    const told = sharedShingles(one, other)
    t.ok(Math.abs(told - shared / (2 - shared)) < 0.03, `${told} for ${shared}`)
  }
  t.equal(sharedShingles(one, one), 1)
  t.ok(Math.abs(sharedShingles(one, one.slice(0, 450)) - 0.5) < 0.03, 'and where only one of them is long')
  t.end()
})

t.test('layout, case, punctuation and pages make no difference', async (t) => {
  const one = fingerprint(['Boil the water. Then, let it cool!'])
  const other = fingerprint(['BOIL the\nwater --', 'then let it “cool”'])
  t.same(other, one)
  t.match(one.textHash, /^[0-9a-f]{64}$/)
  t.match(one.simhash, /^[0-9a-f]{16}$/)
  t.equal(one.words, 7)
  t.same(comparedWords('ﬁre №5 漢字 Ça'), ['fire', 'no5', '漢', '字', 'ça'])
})

t.test('a text without words has no fingerprint, one or two words have one', async (t) => {
  t.same(fingerprint(['', ' -- \n…']), { textHash: null, simhash: null, words: 0 })
  t.not(fingerprint(['water']).simhash, fingerprint(['fire']).simhash)
  t.ok(fingerprint(['boil water']).simhash)
})

t.test('a few changed words flip few bits, another book flips many', async (t) => {
  const whole = fingerprint(BOOK).simhash ?? ''
  const changed = fingerprint([...BOOK.slice(0, -1), `${BOOK.at(-1)} Printed again in a second edition.`])
  t.ok(hammingDistance(whole, changed.simhash ?? '') <= 3, `${hammingDistance(whole, changed.simhash ?? '')} bits`)
  t.not(changed.textHash, fingerprint(BOOK).textHash)
  const other = fingerprint(['Knots hold a rope where it is needed; a bowline never slips and is easy to open again.'])
  t.ok(hammingDistance(whole, other.simhash ?? '') > 15)
})

t.test('distance is that of the bits', async (t) => {
  t.equal(hammingDistance('0000000000000000', 'ffffffffffffffff'), 64)
  t.equal(hammingDistance('8000000000000001', '0000000000000000'), 2)
  const hash = fc.bigInt(0n, 2n ** 64n - 1n).map((value) => value.toString(16).padStart(16, '0'))
  fc.assert(
    fc.property(hash, hash, hash, (a, b, c) => {
      const [ab, bc, ac] = [hammingDistance(a, b), hammingDistance(b, c), hammingDistance(a, c)]
      return ab === hammingDistance(b, a) && ac <= ab + bc && hammingDistance(a, a) === 0
    })
  )
})

t.test('where the text is cut into pages changes nothing', async () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 12 }), (pages) => {
      const joined = fingerprint([pages.join('\n')])
      return JSON.stringify(fingerprint(pages)) === JSON.stringify(joined)
    })
  )
})

t.test('texts full of the same phrases have near fingerprints, and share few shingles', (t) => {
  const names = (first: number): string[] =>
    Array.from({ length: 40 }, (_, n) => `name${first + n} came from place${first * 7 + n} at dawn`)
  const report = (first: number): string[] => [...names(first), 'nothing seen and the watch was relieved. '.repeat(900)]
  const [one, other] = [report(1), report(1000)]
  const bits = hammingDistance(fingerprint(one).simhash ?? '', fingerprint(other).simhash ?? '')
  t.ok(bits <= 3, `${bits} bits: suspected`)
  t.ok(sharedShingles(one, other) < 0.5, 'and cleared')
  t.equal(sharedShingles(BOOK, BOOK), 1)
  t.equal(sharedShingles(BOOK, ['nothing of it stands here at all']), 0)
  t.equal(sharedShingles([], ['']), 0)
  t.ok(sharedShingles(BOOK, [...BOOK, 'one more sentence at its end']) > 0.8)
  t.end()
})
