import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Page } from '../../../src/knowledge/catalogue/document.ts'
import {
  type Extracted,
  type ExtractOptions,
  extractPages,
  firstPagesText
} from '../../../src/knowledge/enrich/extract.ts'
import { type ExtractTools, systemTools } from '../../../src/knowledge/enrich/extract-tools.ts'
import { areasOf, sizesOf } from '../../../src/knowledge/enrich/page-pictures.ts'
import { cleanPageText, isBetterText, pageQuality } from '../../../src/knowledge/enrich/page-quality.ts'
import { pdfFacts } from '../../../src/knowledge/enrich/pdf-facts.ts'
import { NotReadYet } from '../../../src/knowledge/enrich/scanned-pages.ts'
import { cutPages } from '../../../src/knowledge/enrich/text-pages.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { needsProgram } from '../../helpers/convert-tools.ts'
import { PROSE, picturesPdf, samplePdf, samplePng, scannedPdf } from '../../helpers/documents.ts'
import { inWords } from '../../helpers/in-words.ts'

const OCR = { enabled: true, languages: ['eng'] }

function without(...hidden: string[]): ExtractTools {
  return { ...systemTools, find: (name) => (hidden.includes(name) ? null : systemTools.find(name)) }
}

type Given = Omit<ExtractOptions, 'shelf'>

/** Reads a document onto a shelf, and takes all of it down again. */
async function readAll(given: Given): Promise<Extracted & { pages: Page[] }> {
  const shelf = new Map<number, Page>()
  const put = (pages: readonly Page[]): void => {
    for (const page of pages) shelf.set(page.number, page)
  }
  const read = await extractPages({ ...given, shelf: { put, page: (number) => shelf.get(number) ?? null } })
  return { ...read, pages: [...shelf.values()].sort((a, b) => a.number - b.number) }
}

function stored(t: Test, name: string, bytes: Buffer | string): Given {
  const workFolder = t.testdir({})
  const source = join(workFolder, name)
  writeFileSync(source, bytes)
  return { source, kind: name.endsWith('.txt') ? 'text' : 'pdf', workFolder, ocr: OCR }
}

t.test('every page of a PDF keeps its number; blank pages stay empty', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'tesseract')) return
  const given = stored(t, 'a.pdf', await samplePdf([`First. ${PROSE}`, '', `Third. ${PROSE}`, 'Annex A']))
  const { pages, ocrPages, warnings } = await readAll(given)
  t.same(
    pages.map(({ number, method }) => [number, method]),
    [
      [1, 'pdftotext'],
      [2, 'none'],
      [3, 'pdftotext'],
      [4, 'pdftotext']
    ]
  )
  t.match(pages[0]?.text, /^First\. Water that looks clear/)
  t.equal(pages[1]?.text, '')
  t.match(pages[2]?.text, /^Third\./)
  t.equal(pages[3]?.text, 'Annex A', 'a short page without a picture is a short page')
  t.equal(ocrPages, 0)
  t.same(warnings, [])
  t.match(await firstPagesText(given.source, 1), /^First\./)
  t.notMatch(await firstPagesText(given.source, 1), /Third/)
})

t.test('scanned pages are read by OCR, and an interrupted run goes on where it stopped', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdftoppm', 'tesseract')) return
  const given = stored(t, 'scan.pdf', await scannedPdf([PROSE, `Second page. ${PROSE}`]))
  const said: string[] = []
  const first = await readAll({ ...given, onProgress: (text) => said.push(sentenceOf(text)) })
  t.equal(first.ocrPages, 2)
  t.match(first.pages[1]?.text, /Second page\..*boil/s)
  t.match(said, [/reading 2 pages/, /scanned page 1 \(1 of 2\)/, /scanned page 2 \(2 of 2\)/])
  t.same((await readdir(join(given.workFolder, 'ocr-eng'))).sort(), ['1.txt', '2.txt'], 'pictures are removed')
  const asked: string[] = []
  const run: ExtractTools['run'] = async (options) => {
    asked.push(`${options.command} ${options.args[0]}`)
    return systemTools.run(options)
  }
  t.same((await readAll({ ...given, tools: { ...systemTools, run } })).pages, first.pages)
  t.notOk(
    asked.some((line) => line.startsWith('pdftoppm')),
    'nothing is read twice'
  )
})

t.test('pages that lie on their side or stand on their head are turned before they are read', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdftoppm', 'tesseract')) return
  for (const turned of [90, 180, 270]) {
    const { pages, ocrPages } = await readAll(stored(t, 'scan.pdf', await scannedPdf([PROSE], { turned })))
    t.equal(ocrPages, 1)
    t.match(pages[0]?.text, /boil/, `turned by ${turned} degrees`)
  }
})

t.test('a language whose data is not installed is named beside what was read without it', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdftoppm', 'tesseract')) return
  const given = stored(t, 'scan.pdf', await scannedPdf([PROSE]))
  const { ocrPages, warnings } = await readAll({ ...given, ocr: { enabled: true, languages: ['eng', 'xxx'] } })
  t.equal(ocrPages, 1)
  t.same(inWords(warnings), [
    "tesseract's data for xxx is not installed. Install it: sudo apt install tesseract-ocr-xxx"
  ])
})

t.test('without OCR nothing is lost: the work waits, or a warning counts the pages', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdftoppm', 'pdfimages')) return
  const scan = stored(t, 'scan.pdf', await scannedPdf([PROSE]))
  await t.rejects(readAll({ ...scan, tools: without('tesseract') }), {
    code: 'missing',
    message: /all 1 pages are pictures.*tesseract is not installed.*apt install tesseract-ocr/s
  })
  await t.rejects(readAll({ ...scan, ocr: { ...OCR, enabled: false } }), { code: 'invalid', message: /is off/ })
  await t.rejects(readAll({ ...scan, ocr: { enabled: true, languages: ['xxx'] } }), {
    code: 'missing',
    message: /tesseract-ocr-xxx/
  })
})

t.test('a file without any text is at an end only when OCR has looked at all of it', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdftoppm', 'tesseract', 'pdfimages')) return
  const off = { ...OCR, enabled: false }
  for (const [name, bytes] of [
    ['blank.pdf', await samplePdf(['', ''])],
    ['sunset.pdf', await picturesPdf([samplePng(300, 200)])]
  ] as const) {
    const given = stored(t, name, bytes)
    const refused = await readAll(given).catch((error: unknown) => error)
    t.match(refused, { code: 'invalid', message: /no text that can be read/ }, name)
    t.notOk(refused instanceof NotReadYet, name)
    for (const [how, later] of [
      ['switched off', { ...given, ocr: off }],
      ['not installed', { ...given, tools: without('tesseract') }],
      ['a language is lacking', { ...given, ocr: { enabled: true, languages: ['eng', 'xxx'] } }],
      ['none of its languages', { ...given, ocr: { enabled: true, languages: ['xxx'] } }]
    ] as const) {
      const end = await readAll(later).catch((error: unknown) => error)
      t.ok(end instanceof NotReadYet, `${name}, ${how}`)
    }
  }
})

t.test('what cannot be read says so, in the words of its cause', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const good = await samplePdf([PROSE, PROSE, PROSE])
  const cases: [name: string, bytes: Buffer, code: string, message: RegExp][] = [
    ['locked', await samplePdf([PROSE], { password: 'secret' }), 'invalid', /^encrypted/],
    ['zero bytes', Buffer.alloc(0), 'bad-input', /damaged/],
    ['a tenth', good.subarray(0, good.length / 10), 'bad-input', /damaged/],
    ['no PDF at all', Buffer.from('%PDF-1.7\nhello'), 'bad-input', /damaged/],
    ['noise', Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251)), 'bad-input', /damaged/],
    ['blank', await samplePdf(['', '']), 'invalid', /no text/]
  ]
  for (const [name, bytes, code, message] of cases) {
    await t.rejects(readAll(stored(t, 'a.pdf', bytes)), { name: 'AppError', code, message }, name)
  }
  const open = stored(
    t,
    'a.pdf',
    await samplePdf([PROSE], { ownerPassword: 'x', title: 'Clean water', author: 'A. B.' })
  )
  t.equal((await readAll(open)).pages.length, 1, 'a password that only guards changes is no lock')
  t.match(await pdfFacts(open.source), { title: 'Clean water', author: 'A. B.', pages: 1, encrypted: true })
  await t.rejects(readAll({ ...open, tools: without('pdfinfo') }), { code: 'missing', message: /poppler-utils/ })
})

t.test('a PDF cut anywhere ends in text or in an AppError', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const good = await samplePdf([PROSE, PROSE])
  for (const share of [0.2, 0.4, 0.6, 0.8, 0.95]) {
    const cut = stored(t, 'a.pdf', good.subarray(0, Math.floor(good.length * share)))
    const end = await readAll({ ...cut, ocr: { ...OCR, enabled: false } }).catch((error: unknown) => error)
    t.ok(end instanceof Error ? end.name === 'AppError' : 'pages' in Object(end), `${share * 100} %`)
  }
})

t.test('a page bomb is refused before it is read', async (t) => {
  if (!needsProgram(t, 'pdfinfo')) return
  const pages = Array.from({ length: 30_000 }, (_, at) => at + 3)
  const bomb = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[${pages.map((id) => `${id} 0 R`).join(' ')}]/Count 30000>>endobj
${pages.map((id) => `${id} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj`).join('\n')}
trailer<</Root 1 0 R>>`
  await t.rejects(readAll(stored(t, 'a.pdf', Buffer.from(bomb))), { code: 'too-large', message: /30000 pages/ })
})

t.test('a program that hangs is stopped at its limit, one page that fails costs no other', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdftoppm', 'tesseract')) return
  const given = stored(t, 'scan.pdf', await scannedPdf([PROSE, PROSE]))
  const fake = join(given.workFolder, 'tesseract-that-hangs')
  writeFileSync(fake, '#!/bin/sh\nsleep 600\n', { mode: 0o755 })
  let calls = 0
  const run: ExtractTools['run'] = (options) => {
    const isPage = options.command === 'tesseract' && options.args[0] === 'page.png'
    if (isPage) calls += 1
    if (!isPage || calls > 1) return systemTools.run(options)
    return systemTools.run({ ...options, command: fake, limits: { ...options.limits, timeMs: 300 } })
  }
  const { pages, ocrPages, warnings } = await readAll({ ...given, tools: { ...systemTools, run } })
  t.equal(ocrPages, 1)
  t.equal(pages[0]?.text, '')
  t.match(inWords(warnings), [/1 scanned pages could not be read: 1\./])
})

t.test('an aborted run ends with the reason it was aborted for', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const given = stored(t, 'a.pdf', await samplePdf([PROSE]))
  const reason = new Error('stopping')
  await t.rejects(readAll({ ...given, signal: AbortSignal.abort(reason) }), reason)
})

t.test('text is cut at form feeds, else at paragraphs near 2000 words, and no word is lost', async (t) => {
  t.same(cutPages('one\ftwo\f\f three'), ['one', 'two', ' three'])
  const words = (text: string): string[] => text.match(/\S+/g) ?? []
  const paragraphs = Array.from({ length: 100 }, (_, at) => `Paragraph ${at}. ${PROSE}`)
  const run = Array.from({ length: 4000 }, (_, at) => `Sentence ${at} ends.`).join(' ')
  const table = Array.from({ length: 9000 }, (_, at) => String(at)).join(' ')
  for (const text of [paragraphs.join('\n\n'), run, table, `${run}\n\n${table}\n\n${PROSE}`]) {
    const pages = cutPages(text)
    t.same(words(pages.join(' ')), words(text))
    t.ok(pages.every((page) => words(page).length <= 3000))
    t.ok(pages.length > 3)
  }
  const pages = cutPages(paragraphs.join('\n\n'))
  t.ok(pages.every((page) => page.startsWith('Paragraph') && page.endsWith('again.')))
  t.ok(pages.slice(0, -1).every((page) => words(page).length > 1800))
  const { pages: stored1 } = await readAll(stored(t, 'a.txt', paragraphs.join('\n\n')))
  t.match(stored1[1], { number: 2, method: 'text', startSeconds: null })
  await t.rejects(readAll(stored(t, 'a.txt', ' \n\f\n')), { code: 'invalid' })
  const given = stored(t, 'b.txt', paragraphs.join('\n\n'))
  t.match(await firstPagesText(given.source, 1), /^Paragraph 0\./)
})

t.test('the quality gate knows empty, short, garbled and glued pages', async (t) => {
  const cases: [string, ReturnType<typeof pageQuality>][] = [
    ['', 'empty'],
    [' \n ', 'empty'],
    ['Annex A', 'short'],
    [PROSE, 'good'],
    ['Ärzte öffnen die Türen für alle Gäste, die über die Brücke kommen, früh und spät.', 'good'],
    ['1 2 3 4 5 6 7 8 9 ~ ^ # 10 11 12 13 14 15 16 17 18 19 20 a b c d', 'garbled'],
    [PROSE.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/(.{30})/g, '$1 '), 'glued']
  ]
  for (const [text, quality] of cases) t.equal(pageQuality(text), quality, text.slice(0, 30))
  t.ok(isBetterText(PROSE, ''))
  t.ok(isBetterText('Exit only', ''), 'a sign with two words')
  t.notOk(isBetterText('~ | a . ;', ''), 'what OCR makes of a photograph')
  t.notOk(isBetterText(PROSE, PROSE))
  t.equal(cleanPageText('\u202bﬁre\u00ad\u202c  \r\n\n\n\nwater\u0000\f'), 'fire\n\nwater')
})

t.test('text on a page that no picture covers is never read again, however little it looks like prose', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdftoppm', 'tesseract', 'pdfimages')) return
  const index = Array.from({ length: 30 }, (_, n) => `${n} . . . . . ${n * 7} , ; 1 2 3 4 5 6`).join('\n')
  const given = stored(t, 'index.pdf', await samplePdf([index, PROSE]))
  const asked: string[] = []
  const run: ExtractTools['run'] = (options) => {
    asked.push(options.command)
    return systemTools.run(options)
  }
  t.equal(pageQuality(index), 'garbled')
  const { pages, ocrPages } = await readAll({ ...given, tools: { ...systemTools, run } })
  t.equal(ocrPages, 0)
  t.match(pages[0]?.text, /29 \. \. \. \. \. 203/)
  t.notMatch(asked.join(), /pdftoppm|tesseract/)
  const blind = await readAll({ ...given, tools: { ...without('pdfimages'), run } })
  t.equal(blind.ocrPages, 0, 'nor where nobody can tell what is a picture')
  t.notMatch(asked.join(), /pdftoppm|tesseract/)
})

t.test('pictures cover as much of a page as their inches say; masks are no pictures', (t) => {
  const listed = `page   num  type   width height color comp bpc  enc interp  object ID x-ppi y-ppi size ratio
--------------------------------------------------------------------------------------------
   1     0 image    1240  1754  gray    1   8  jpeg   no         8  0   150   150  120K 5.5%
   2     1 image     300   300  rgb     3   8  image  no   [inline]     100   100  30K  11%
   2     2 smask    1240  1754  gray    1   8  jpeg   no         9  0   150   150  120K 5.5%
   3     3 stencil  2480   100  -       1   1  jbig2  no        11  0   300   300  2K   1%
   3     4 stencil  2480   100  -       1   1  jbig2  no        12  0   300   300  2K   1%`
  const areas = areasOf(listed)
  t.same([...areas.keys()], [1, 2, 3])
  t.match(areas.get(1)?.toFixed(1), '96.7')
  t.equal(areas.get(2), 9)
  t.equal(areasOf(listed.replace(' 300   300 ', '-300   300 ')).get(2), 0, 'no picture is smaller than nothing')
  t.match(areas.get(3)?.toFixed(2), '5.51')
  const sizes = sizesOf(
    'Pages: 2\nPage    1 size:      595.28 x 841.89 pts (A4)\nPage    2 size:  612 x 792 pts (letter)\n'
  )
  t.equal(sizes.get(2), 8.5 * 11)
  t.ok((areas.get(1) ?? 0) / (sizes.get(1) ?? 1) > 0.99)
  t.end()
})

t.test('the shapes of Arabic letters that a PDF holds are stored as the letters people type', (t) => {
  t.equal(cleanPageText('\ufe8d\ufedf\ufee4\ufe8e\ufe80'), 'الماء')
  t.end()
})
