import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { cleanPageText } from '../../../src/knowledge/enrich/page-quality.ts'
import { readTextFile } from '../../../src/knowledge/enrich/read-text.ts'
import { cutPages, PageCutter } from '../../../src/knowledge/enrich/text-pages.ts'
import { PROSE } from '../../helpers/documents.ts'
import { runnable } from '../../helpers/runnable.ts'

const { flags, file: entry } = runnable('test/helpers/text-entry.ts')

const MIB = 1024 * 1024
const words = (text: string): string[] => text.match(/\S+/g) ?? []

function inPieces(text: string, size: number): string[] {
  const cutter = new PageCutter()
  const pages: string[] = []
  for (let at = 0; at < text.length; at += size) pages.push(...cutter.add(text.slice(at, at + size)))
  return [...pages, ...cutter.end()]
}

/** As they are stored: a blank line more or less between two paragraphs is none. */
const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.map(cleanPageText).join('\f') === others.map(cleanPageText).join('\f')

const paragraphs = Array.from({ length: 1500 }, (_, at) => `Paragraph ${at}. ${PROSE}`)
const LONG: readonly (readonly [name: string, text: string])[] = [
  ['paragraphs', paragraphs.join('\n\n')],
  ['lines of Windows', paragraphs.join('\r\n\r\n')],
  ['lines without paragraphs', paragraphs.join('\n')],
  ['one line of sentences', paragraphs.join(' ')],
  ['one line of words', Array.from({ length: 150_000 }, (_, at) => `w${at}`).join(' ')],
  ['form feeds', paragraphs.map((one, at) => (at % 40 === 0 ? `\f${one}` : one)).join('\n\n')],
  ['blank lines', paragraphs.join('\n'.repeat(3000))],
  ['Chinese', '水要煮沸一分钟。'.repeat(90_000)]
]

t.test('a text that comes in pieces is cut as the whole is, wherever the pieces end', async (t) => {
  for (const [name, text] of LONG) {
    const whole = cutPages(text)
    t.ok(whole.length > 20, `${name}: ${whole.length} pages`)
    for (const size of [997, 65_536, 300_001]) t.ok(isSame(inPieces(text, size), whole), `${name} in pieces of ${size}`)
    t.equal(words(whole.join(' ')).length >= words(text).length, true, name)
    if (name !== 'Chinese') t.same(words(whole.join(' ')), words(text), `${name}: no word is lost`)
    t.ok(
      whole.every((page) => page.length <= 40_000),
      name
    )
  }
})

t.test('short texts are cut the same in any pieces', async () => {
  const text = fc.array(fc.constantFrom('water', ' ', '\n', '\r\n', '\n\n', '\f', '. ', '\r', '漢', '😀'), {
    maxLength: 60
  })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const joined = parts.join('')
      return JSON.stringify(inPieces(joined, size)) === JSON.stringify(cutPages(joined))
    })
  )
})

t.test('a word of a million letters is cut between characters, and no page is longer for it', async (t) => {
  const text = '😀'.repeat(500_000)
  const pages = inPieces(text, 4096)
  t.equal(pages.join(''), text)
  t.ok(pages.every((page) => page.length <= 40_000 && !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(page)))
})

/** A file of this size, of the same piece again and again. */
async function fileOf(t: Test, piece: string, bytes: number): Promise<string> {
  const path = join(t.testdir({}), 'long.txt')
  const stream = createWriteStream(path)
  const block = Buffer.from(piece.repeat(Math.ceil(MIB / piece.length)))
  for (let written = 0; written < bytes; written += block.length) if (!stream.write(block)) await once(stream, 'drain')
  stream.end()
  await once(stream, 'close')
  return path
}

for (const [name, piece] of [
  ['lines', `${PROSE}\n`],
  ['one line without an end', `${PROSE} `],
  ['one word without an end', 'x'],
  ['nothing but blanks', ' \n'],
  ['nothing but line ends', '\n'],
  ['letters far apart', `a${'\n'.repeat(50_000)}`]
] as const)
  t.test(`a file of 48 MB, ${name}, is read with a heap that could not hold it`, async (t) => {
    const path = await fileOf(t, piece, 48 * MIB)
    const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=32', ...flags, entry, path])
    const { pages, longest } = JSON.parse(stdout) as { pages: number; longest: number }
    t.comment(`${pages} pages`)
    t.equal(pages > 1000, !/blanks|ends|apart/.test(name))
    t.ok(longest < 60_000)
  })

t.test('a text beyond the limit is refused before it is read, in plain words', async (t) => {
  const path = await fileOf(t, 'water ', 2 * MIB)
  await t.rejects(readTextFile(path, MIB), { code: 'too-large', message: /the limit is 1048576: split it/ })
})
