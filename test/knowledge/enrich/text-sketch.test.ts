import t from 'tap'
import { commonOf, SKETCH_SIZE, sketchOf } from '../../../src/knowledge/enrich/text-sketch.ts'

const word = (n: number): string => {
  let [text, rest] = ['', n * 7919 + 17]
  for (; rest > 0; rest = Math.floor(rest / 26)) text += String.fromCharCode(97 + (rest % 26))
  return text
}
const prose = (from: number, count: number): string => Array.from({ length: count }, (_, n) => word(from + n)).join(' ')
const paper = (from: number, pages: number): string[] =>
  Array.from({ length: pages }, (_, n) => prose(from + n * 300, 300))

/** As a PDF has it: heads, numbers, broken lines and words. */
const printed = (pages: readonly string[]): string[] =>
  pages.map((page, at) => {
    const lines = page.match(/.{1,70}/g) ?? []
    return `The Great Manual        Chapter ${at >> 2}\n${lines.join('-\n').replace(/([a-z]) ?-\n ?/g, (_, a) => `${a}\n`)}\n${at + 1}`
  })

t.test('heads, numbers of pages and the place of line ends make no difference to what two texts share', async (t) => {
  const book = paper(1, 40)
  const { both } = commonOf(sketchOf(book), sketchOf(printed(book)))
  t.ok(both > 0.75, `${both}`)
  t.same(commonOf(sketchOf(book), sketchOf(['1 2 3\n', book.join('\n\f')])), { both: 1, ofShorter: 1 })
})

t.test('a word that a hyphen broke at the end of a line is one word', async (t) => {
  t.same(sketchOf(['the docu-\nmentation of water pumps']), sketchOf(['the documentation of water pumps']))
})

t.test('the share is that of the shingles, near the truth for long texts and exact for short ones', async (t) => {
  t.equal(commonOf(sketchOf(['a b c d']), sketchOf(['b c d e'])).both, 1 / 3)
  t.equal(commonOf(sketchOf([]), sketchOf(['a b c'])).both, 0)
  const half = commonOf(sketchOf([prose(0, 20_000)]), sketchOf([prose(10_000, 20_000)]))
  t.ok(Math.abs(half.both - 1 / 3) < 0.08, `${half.both}`)
  const part = commonOf(sketchOf([prose(0, 20_000)]), sketchOf([prose(5000, 5000)]))
  t.ok(part.ofShorter > 0.9 && part.both < 0.35, JSON.stringify(part))
})

t.test('a sketch stays small whatever the text, and is made in the time of reading it', async (t) => {
  const began = performance.now()
  const { hashes, words } = sketchOf(paper(0, 3000))
  t.equal(hashes.length, SKETCH_SIZE)
  t.equal(words, 900_000)
  t.ok(
    hashes.every((hash, at) => at === 0 || hash > (hashes[at - 1] ?? 0)),
    'ascending, each once'
  )
  t.ok(performance.now() - began < 10_000, `${performance.now() - began} ms`)
})
