import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { decodeAs, WESTERN } from '../../../src/knowledge/encoding/encodings.ts'
import { encodingOf } from '../../../src/knowledge/encoding/find.ts'
import { guessEncoding } from '../../../src/knowledge/encoding/guess.ts'
import { decodePage } from '../../../src/knowledge/encoding/page.ts'
import { encodingOfFile, textAtStart, textOfFile } from '../../../src/knowledge/encoding/text-file.ts'
import { encoder, TEXTS } from './texts.ts'

const read = async (bytes: Buffer): Promise<string> => decodeAs(bytes, await encodingOf([bytes], guessEncoding))

/** A text of about `length` bytes: sentences from one of them on, so that every length is another text. */
function cut(text: string, encode: (text: string) => Buffer, length: number): string {
  const signs = [...text]
  let end = 0
  for (let size = 0; end < signs.length && size < length; end++) size += encode(signs[end] ?? '').length
  return signs.slice(0, end).join('')
}

t.test('a text in an encoding of its time is read as it was written', async (t) => {
  const counts = new Map<number, { right: number; of: number }>()
  for (const [language, encodings, text] of TEXTS)
    for (const encoding of encodings) {
      const encode = encoder(encoding)
      for (const length of [60, 150, 400, 4000]) {
        const source = length > 400 ? Array.from({ length: 12 }, (_, at) => `${at + 1}. ${text}\n`).join('') : text
        const written = cut(source, encode, length)
        // Signs that the encoding has not are question marks in it.
        const bytes = encode(written)
        const wanted = decodeAs(bytes, encoding)
        const got = await read(bytes)
        const count = counts.get(length) ?? { right: 0, of: 0 }
        counts.set(length, { right: count.right + (got === wanted ? 1 : 0), of: count.of + 1 })
        // Shorter ones may be left as they were, but are not made worse.
        if (length >= 400 || encoding === WESTERN) t.equal(got, wanted, `${language} in ${encoding}, ${length} bytes`)
        else if (got !== wanted) t.equal(got, decodeAs(bytes, WESTERN), `${language} in ${encoding}, unsure`)
      }
    }
  for (const [length, { right, of }] of counts) t.comment(`${length} bytes: ${right} of ${of} right`)
  t.ok((counts.get(60)?.right ?? 0) >= 31)
  t.ok((counts.get(150)?.right ?? 0) >= 33)
})

t.test('text in UTF-8 or UTF-16 never reaches the detector, wherever its characters are cut', async (t) => {
  const never = async (): Promise<string> => t.fail('asked') as never
  for (const [language, , text] of TEXTS) {
    const bytes = Buffer.from(text)
    for (const size of [1, 2, 3, 7, 1000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size)
      )
      t.equal(await encodingOf(pieces, never), 'utf-8', `${language} in pieces of ${size}`)
    }
  }
  t.equal(await encodingOf([Buffer.from('plain')], never), 'utf-8')
  t.equal(await encodingOf([], never), 'utf-8')
  const wide = Buffer.from('Plain words without a mark.', 'utf16le')
  t.equal(await encodingOf([wide], never), 'utf-16le')
  t.equal(await encodingOf([Buffer.from(wide).swap16()], never), 'utf-16be')
  t.equal(await encodingOf([Buffer.from('\ufeffWörter', 'utf16le')], never), 'utf-16le')
  t.equal(await read(Buffer.from('\ufeffWörter 漢字')), 'Wörter 漢字', 'the mark is no character')
})

t.test('a few damaged bytes in UTF-8 cost those bytes, not all other characters', async (t) => {
  const text = 'Größe, Höhe, Tür, Öl, Gemüse, süß, Straße, Bär, Möhre, Käse, Übung\n'.repeat(3)
  const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0xe9, 0x0a]), Buffer.from(text)])
  t.equal(await read(bytes), `${text}\ufffd\n${text}`)
})

t.test('few signs beyond ASCII in an English text are those of Windows-1252', async (t) => {
  const encode = encoder(WESTERN)
  const line = 'Take one tablet every six hours with water and rest.\n'
  for (const sign of [
    '74 °C',
    '½ cup',
    '£20',
    'café',
    '“so”',
    '± 5',
    '5 µg',
    'm²',
    '§ 4',
    '3 × 4',
    'it’s',
    '•',
    'Malmö',
    'naïve',
    '10–20',
    '…'
  ])
    for (const times of [1, 3, 40]) {
      const text = `${line}${sign}\n`.repeat(times)
      t.equal(await read(encode(text)), text, `${sign} × ${times}`)
    }
})

t.test('bytes beyond ASCII that come late in a long file tell its encoding', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'late.txt')
  const plain = 'Nothing but ASCII stands in these lines of the log.\n'.repeat(60_000)
  const [, , russian = ''] = TEXTS.find(([language]) => language === 'Russian') ?? []
  writeFileSync(path, Buffer.concat([Buffer.from(plain), encoder('koi8-r')(russian)]))
  t.equal(await encodingOfFile(path, { guess: guessEncoding }), 'koi8-r')
  let text = ''
  for await (const piece of textOfFile(path, { guess: guessEncoding })) text += piece
  t.equal(text, plain + russian)
  t.equal(await textAtStart(path, 1000, { guess: guessEncoding }), plain.slice(0, 1000))
  writeFileSync(path, Buffer.concat([Buffer.from(plain), Buffer.from(russian)]))
  t.equal(await encodingOfFile(path), 'utf-8')
})

t.test('a long line without an end is sampled where it begins to tell', async (t) => {
  const [, , japanese = ''] = TEXTS.find(([language]) => language === 'Japanese') ?? []
  const bytes = Buffer.concat([Buffer.from('x'.repeat(200_000)), encoder('shift_jis')(japanese.repeat(30))])
  t.equal(await encodingOf([bytes], guessEncoding), 'shift_jis')
})

t.test(
  'a page of an archive is read by its media type, as UTF-8, by its own word, else by what is in it',
  async (t) => {
    const latin = Buffer.from('<p>Gr\xf6\xdfe</p>', 'latin1')
    const decode = (bytes: Buffer, mime: string): Promise<string> => decodePage(bytes, mime, guessEncoding)
    t.equal(await decode(latin, 'text/html; charset=iso-8859-1'), '<p>Größe</p>')
    t.equal(await decode(latin, 'text/html'), '<p>Größe</p>')
    t.equal(await decode(Buffer.from('<p>水</p>'), 'text/html; charset=nonsense'), '<p>水</p>')
    const cyrillic = Buffer.from([...Buffer.from('<meta charset="koi8-r"><p>'), 0xf7, 0xcf, 0xc4, 0xc1])
    t.match(await decode(cyrillic, 'text/html'), /Вода/)
    const [, , russian = ''] = TEXTS.find(([language]) => language === 'Russian') ?? []
    t.equal(await decode(encoder('windows-1251')(`<p>${russian}</p>`), 'text/html'), `<p>${russian}</p>`, 'undeclared')
    t.equal(await decode(encoder('koi8-r')(russian), 'text/html; charset=utf-8'), russian, 'says UTF-8 and is none')
  }
)
