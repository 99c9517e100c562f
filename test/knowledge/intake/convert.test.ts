import { readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { firstPagesText } from '../../../src/knowledge/enrich/extract.ts'
import { pdfFacts } from '../../../src/knowledge/enrich/pdf-facts.ts'
import type { Block } from '../../../src/knowledge/intake/convert/block.ts'
import { type Converted, convertToPdf } from '../../../src/knowledge/intake/convert/convert.ts'
import { type ConvertTools, systemConvertTools } from '../../../src/knowledge/intake/convert/convert-tools.ts'
import { memberPath } from '../../../src/knowledge/intake/convert/epub.ts'
import { HtmlBlocks } from '../../../src/knowledge/intake/convert/html-blocks.ts'
import { readPage } from '../../../src/knowledge/intake/convert/html-role.ts'
import { linesOf, piecesOf, seenOrder } from '../../../src/knowledge/intake/convert/line-breaker.ts'
import { PdfWriter } from '../../../src/knowledge/intake/convert/pdf-writer.ts'
import { usablePicture } from '../../../src/knowledge/intake/convert/picture.ts'
import { toolReport } from '../../../src/knowledge/intake/tools.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { convertTools, needsProgram, quickConvertTools } from '../../helpers/convert-tools.ts'
import {
  type Chapter,
  PROSE,
  sampleDoc,
  sampleDocx,
  sampleEpub,
  sampleMobi,
  samplePng
} from '../../helpers/documents.ts'
import { growthOfEightfold, MOST_GROWTH } from '../../helpers/growth.ts'
import { inWords } from '../../helpers/in-words.ts'
import { zipOf } from '../../helpers/zip.ts'

const CHAPTERS: Chapter[] = [
  { title: 'Clean water', paragraphs: [PROSE, PROSE] },
  { title: 'Fire & light', paragraphs: [PROSE], xhtml: '<ul><li>Tinder</li><li>Kindling</li></ul>' }
]

/** Converts these bytes with the tools of this machine, or without some of them. */
function convert(
  t: Test,
  extension: string,
  bytes: Buffer,
  options: { hidden?: string[]; tools?: ConvertTools } = {}
): Promise<Converted> {
  const workFolder = t.testdir({})
  const source = join(workFolder, `source${extension}`)
  writeFileSync(source, bytes)
  const tools = options.tools ?? quickConvertTools(options.hidden)
  return convertToPdf({ source, extension, workFolder, tools })
}

async function textOf(pdf: string): Promise<string> {
  return firstPagesText(pdf, 1000)
}

t.test('a few bytes that something has put behind an archive cost nothing of it', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdfinfo')) return
  const behind = [Buffer.from('\n'), Buffer.alloc(512)]
  for (const [extension, bytes] of [
    ['.docx', sampleDocx([PROSE])],
    ['.epub', sampleEpub(CHAPTERS)]
  ] as const)
    for (const rest of behind) {
      const { pdf } = await convert(t, extension, Buffer.concat([bytes, rest]), {
        hidden: ['soffice', 'ebook-convert']
      })
      t.match((await textOf(pdf)).replace(/\s+/g, ' '), /rolling boil for one full minute/)
    }
  const much = Buffer.concat([sampleDocx([PROSE]), Buffer.alloc(80_000)])
  await t.rejects(convert(t, '.docx', much, { hidden: ['soffice'] }), {
    code: 'bad-input',
    message: /damaged or cut off/
  })
})

t.test('every format becomes a PDF with all of its text, by each way this machine has', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdfinfo')) return
  const paragraphs = ['# Clean water', PROSE, PROSE, '# Fire & light', PROSE]
  const ways: [extension: string, hidden: string[], tool: string, make: () => Buffer, needs: string[]][] = [
    ['.epub', ['ebook-convert'], 'built in', () => sampleEpub(CHAPTERS), []],
    ['.mobi', ['ebook-convert'], 'mobitool', () => sampleMobi(CHAPTERS), ['mobitool']],
    ['.docx', [], 'LibreOffice', () => sampleDocx(paragraphs), ['soffice']],
    ['.docx', ['soffice'], 'built in', () => sampleDocx(paragraphs), []],
    ['.doc', [], 'LibreOffice', () => sampleDoc(paragraphs), ['soffice', 'catdoc']],
    ['.doc', ['soffice'], 'catdoc', () => sampleDoc(paragraphs), ['soffice', 'catdoc']],
    ['.epub', [], 'calibre', () => sampleEpub(CHAPTERS), ['ebook-convert']]
  ]
  for (const [extension, hidden, tool, make, needs] of ways) {
    if (!needsProgram(t, ...needs)) continue
    const done = await convert(t, extension, make(), { tools: convertTools(hidden) })
    t.equal(done.tool, tool, `${extension} by ${tool}`)
    const text = (await textOf(done.pdf)).replace(/\s+/g, ' ')
    t.equal(text.split('rolling boil for one full minute').length - 1, 3, `${extension}: three times the paragraph`)
    t.match(text, /Clean water.*Fire & light/)
    t.ok((done.sourceTextLength ?? 0) > 1200)
    t.same(await readdir(join(done.pdf, '..')), ['converted.pdf', `source${extension}`], 'nothing else is left')
  }
})

t.test('the year in which an EPUB was published, else that of its rights, goes with its PDF', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdfinfo')) return
  for (const [metadata, subject] of [
    ['<dc:date>2021-10-24T10:51:26Z</dc:date><dc:rights>2010-2020, Somebody</dc:rights>', 'Published 2021'],
    ['<dc:rights>Copyright © 2014-2020 Osamu Aoki</dc:rights>', 'Published 2020'],
    ['', '']
  ] as const) {
    const done = await convert(t, '.epub', sampleEpub([CHAPTERS[0] as Chapter], { metadata }), {
      hidden: ['ebook-convert']
    })
    t.equal((await pdfFacts(done.pdf)).subject, subject)
  }
})

t.test('title, author, order of chapters, lists, tables and pictures of an EPUB are kept', async (t) => {
  if (!needsProgram(t, 'pdftotext', 'pdfimages')) return
  const xhtml = `<ol start="3"><li>Three<ul><li>Inner</li></ul></li><li>Four</li></ol>
<table><tr><th>Name</th><th>Use</th></tr><tr><td>Bleach</td><td>Two <b>drops</b></td></tr></table>
<p>One<br/>Two&nbsp;words &mdash; done<!-- not this --></p><script>not()</script><style>p{}</style>
<img src="../img/a%20b.png" alt="A picture"/><img src="gone.png"/><img src="http://example.org/x.png"/>`
  const epub = sampleEpub([CHAPTERS[0] as Chapter, { title: 'Second', paragraphs: [PROSE], xhtml }], {
    title: 'Water & Fire',
    author: 'Ann Author',
    members: [
      { name: 'OEBPS/img/a b.png', data: samplePng(300, 200, true) },
      {
        name: 'META-INF/encryption.xml',
        data: '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/></EncryptedData></encryption>'
      }
    ]
  })
  const done = await convert(t, '.epub', epub, { hidden: ['ebook-convert'] })
  t.match(await pdfFacts(done.pdf), { title: 'Water & Fire', author: 'Ann Author', pages: 2 })
  const text = (await textOf(done.pdf)).replace(/[ \n]+/g, ' ')
  t.match(text, /3\. Three • Inner 4\. Four Name ?\| ?Use Bleach ?\| ?Two drops One Two words — done A picture/)
  t.notMatch(text, /not|p\{\}/)
  t.match(inWords(done.warnings), [/2 pictures are left out/])
  const { stdout } = await systemConvertTools.run({
    command: 'pdfimages',
    args: ['-list', done.pdf],
    cwd: '/',
    limits: { timeMs: 10_000, memoryBytes: 2 ** 28, outputBytes: 10_000 }
  })
  t.match(stdout.toString(), /300\s+200/)
})

t.test('sloppy books are read as far as they can be', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const broken = `<html><head><title/><body><h1>Broken<p>First ${PROSE}<p>Second &nosuch; <b>bold<i>both</b> tail</div></p><td>stray cell</td>`
  const [chapter] = CHAPTERS
  const opf =
    '<package><metadata><dc:title>T</dc:title></metadata><manifest></manifest><spine><itemref idref="gone"/></spine></package>'
  const cases: [name: string, epub: Buffer, expected: RegExp, warning: RegExp | null][] = [
    [
      'XHTML that is none',
      sampleEpub([chapter as Chapter], { members: [{ name: 'OEBPS/text/c1.xhtml', data: broken }] }),
      /Broken.*First Water.*Second &nosuch; boldboth tail.*stray cell/s,
      null
    ],
    [
      'a package without chapters',
      sampleEpub(CHAPTERS, { members: [{ name: 'OEBPS/book.opf', data: opf }] }),
      /Clean water.*Fire & light/s,
      /no usable list/
    ],
    [
      'no container',
      sampleEpub(CHAPTERS, { members: [{ name: 'META-INF/container.xml', data: '<container>' }] }),
      /Clean water.*Fire & light/s,
      null
    ],
    [
      'UTF-16',
      sampleEpub([chapter as Chapter], {
        members: [
          {
            name: 'OEBPS/text/c1.xhtml',
            data: Buffer.from(`\ufeff<html><body><p>Wörter ${PROSE}</p></body></html>`, 'utf16le')
          }
        ]
      }),
      /Wörter Water/,
      null
    ]
  ]
  for (const [name, epub, expected, warning] of cases) {
    const { pdf, warnings } = await convert(t, '.epub', epub, { hidden: ['ebook-convert'] })
    t.match(await textOf(pdf), expected, name)
    if (warning === null) t.same(warnings, [], name)
    else t.match(warnings.map((one) => sentenceOf(one)).join(' '), warning, name)
  }
})

t.test('our own parsers report their refusals from the process they run in', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const half = sampleEpub(CHAPTERS).subarray(0, 900)
  const tools = convertTools(['ebook-convert'])
  await t.rejects(convert(t, '.epub', half, { tools }), { code: 'bad-input', message: /damaged or cut off/ })
  const small: ConvertTools = {
    ...tools,
    run: (options) => tools.run({ ...options, limits: { ...options.limits, memoryBytes: 2 ** 24 } })
  }
  await t.rejects(convert(t, '.epub', sampleEpub(CHAPTERS), { tools: small }), { code: 'too-large', message: /memory/ })
})

t.test('what must not or cannot be unpacked is refused, with its reason', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const zeros = Buffer.alloc(40 * 1024 * 1024)
  const drm =
    '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></EncryptedData></encryption>'
  const good = sampleEpub(CHAPTERS)
  const cases: [name: string, extension: string, bytes: Buffer, code: string, message: RegExp][] = [
    [
      'a zip bomb',
      '.epub',
      sampleEpub(CHAPTERS, { members: [{ name: 'OEBPS/text/c1.xhtml', data: zeros, deflate: true }] }),
      'too-large',
      /would grow to 41943040/
    ],
    [
      'a zip bomb as .docx',
      '.docx',
      sampleDocx([PROSE], { members: [{ name: 'word/document.xml', data: zeros, deflate: true }] }),
      'too-large',
      /would grow/
    ],
    [
      'many large members',
      '.epub',
      sampleEpub(CHAPTERS, {
        members: Array.from({ length: 300 }, (_, at) => ({
          name: `x${at}`,
          data: 'x'.repeat(200_000),
          deflate: true,
          claimedSize: 4_000_000
        }))
      }),
      'too-large',
      /would|larger than/
    ],
    [
      'a member longer than it claims',
      '.epub',
      sampleEpub(CHAPTERS, {
        members: [{ name: 'OEBPS/text/c1.xhtml', data: PROSE.repeat(50), deflate: true, claimedSize: 10 }]
      }),
      'bad-input',
      /damaged/
    ],
    [
      'too many members',
      '.epub',
      zipOf(Array.from({ length: 20_500 }, (_, at) => ({ name: `m${at}`, data: '' }))),
      'too-large',
      /more than 20000/
    ],
    [
      'names that lead out',
      '.epub',
      sampleEpub(CHAPTERS, { members: [{ name: '../../evil.xhtml', data: 'x' }] }),
      'bad-input',
      /names that lead out/
    ],
    [
      'an absolute name',
      '.docx',
      sampleDocx([PROSE], { members: [{ name: '/etc/cron.d/x', data: 'x' }] }),
      'bad-input',
      /names that lead out/
    ],
    [
      'a Word document whose tables are nested by the hundred',
      '.docx',
      sampleDocx([PROSE], {
        members: [
          {
            name: 'word/document.xml',
            data: `<w:document><w:body>${'<w:tbl><w:tr><w:tc>'.repeat(300)}<w:p/>${'</w:tc></w:tr></w:tbl>'.repeat(300)}</w:body></w:document>`
          }
        ]
      }),
      'bad-input',
      /nested more than 500 deep/
    ],
    [
      'DRM',
      '.epub',
      sampleEpub(CHAPTERS, { members: [{ name: 'META-INF/encryption.xml', data: drm }] }),
      'invalid',
      /^encrypted/
    ],
    [
      'a locked member',
      '.epub',
      sampleEpub(CHAPTERS, { members: [{ name: 'x', data: 'y', deflate: true, encrypted: true }] }),
      'invalid',
      /^encrypted/
    ],
    ['half an EPUB', '.epub', good.subarray(0, good.length / 2), 'bad-input', /damaged or cut off/],
    ['zero bytes', '.epub', Buffer.alloc(0), 'bad-input', /damaged or cut off/],
    [
      'no chapters',
      '.epub',
      zipOf([
        { name: 'mimetype', data: 'application/epub+zip' },
        { name: 'META-INF/container.xml', data: '<container/>' }
      ]),
      'bad-input',
      /no chapter/
    ],
    [
      'a .docx without a document',
      '.docx',
      zipOf([{ name: '[Content_Types].xml', data: '<Types/>' }]),
      'bad-input',
      /no Word document/
    ],
    ['half a .docx', '.docx', sampleDocx([PROSE]).subarray(0, 900), 'bad-input', /damaged or cut off/],
    ['another format', '.zip', good, 'unsupported', /not converted/]
  ]
  for (const [name, extension, bytes, code, message] of cases) {
    await t.rejects(convert(t, extension, bytes), { name: 'AppError', code, message }, name)
  }
  if (!needsProgram(t, 'mobitool')) return
  await t.rejects(convert(t, '.mobi', sampleMobi(CHAPTERS, { drm: true })), {
    code: 'invalid',
    message: /^encrypted.*DRM/
  })
  await t.rejects(convert(t, '.mobi', sampleMobi(CHAPTERS).subarray(0, 300)), { code: 'bad-input' })
  t.ok((await convert(t, '.mobi', sampleMobi(CHAPTERS, { title: 'All about DRM' }))).pdf, 'a title is no lock')
})

t.test('a locked .doc is known without opening it', async (t) => {
  if (!needsProgram(t, 'soffice', 'pdftotext')) return
  const doc = sampleDoc([PROSE])
  const at = doc.indexOf(Buffer.from([0xec, 0xa5]))
  doc.writeUInt16LE(doc.readUInt16LE(at + 10) | 0x0100, at + 10)
  await t.rejects(convert(t, '.doc', doc), { code: 'invalid', message: /^encrypted/ })
})

t.test('a missing program holds the work and says what to install', async (t) => {
  const cases: [extension: string, hidden: string[], message: RegExp][] = [
    ['.doc', ['soffice', 'catdoc'], /apt install libreoffice-writer-nogui/],
    ['.mobi', ['mobitool', 'ebook-convert'], /apt install libmobi-tools/],
    ['.epub', ['pdfinfo'], /apt install poppler-utils/]
  ]
  for (const [extension, hidden, message] of cases) {
    await t.rejects(convert(t, extension, Buffer.from('x'), { hidden }), { code: 'missing', message }, extension)
  }
})

/** A program in place of a real one. */
function fakeTool(t: Test, name: string, script: string, timeMs = 30_000): ConvertTools {
  const fake = join(t.testdir({ [name]: '' }), '..', `fake-${name}-${process.pid}`)
  writeFileSync(fake, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const tools = quickConvertTools()
  return {
    ...tools,
    find: (asked) => (asked === name ? fake : tools.find(asked)),
    run: (options) =>
      options.command === name
        ? tools.run({ ...options, command: fake, limits: { ...options.limits, timeMs } })
        : tools.run(options)
  }
}

t.test('a converter that lies, loses text or hangs is passed over', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const docx = sampleDocx([PROSE, PROSE])
  const empty = 'for last; do :; done; while [ $# -gt 0 ]; do [ "$1" = --outdir ] && out=$2; shift; done'
  const lies: [name: string, script: string][] = [
    ['exit 0 without a file', 'exit 0'],
    ['an empty file', `${empty}; : > "$out/source.pdf"`],
    ['a text named .pdf', `${empty}; echo hello > "$out/source.pdf"`],
    ['a PDF that is cut off', `${empty}; printf '%%PDF-1.7 \\n1 0 obj' > "$out/source.pdf"`]
  ]
  for (const [name, script] of lies) {
    const done = await convert(t, '.docx', docx, { tools: fakeTool(t, 'soffice', script) })
    t.equal(done.tool, 'built in', name)
    t.match(await textOf(done.pdf), /boil/)
  }
  const started = Date.now()
  const done = await convert(t, '.docx', docx, { tools: fakeTool(t, 'soffice', 'sleep 600', 400) })
  t.equal(done.tool, 'built in')
  t.ok(Date.now() - started < 30_000, 'killed at its limit')
  if (!needsProgram(t, 'mobitool')) return
  const hanging = fakeTool(t, 'mobitool', 'sleep 600', 400)
  const find = (name: string): string | null => (name === 'ebook-convert' ? null : hanging.find(name))
  await t.rejects(convert(t, '.mobi', sampleMobi(CHAPTERS), { tools: { ...hanging, find } }), { code: 'timeout' })
})

t.test('text that the way over HTML would lose is missed: better wait for LibreOffice than lose it', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  // Text in a part of the markup which the built-in reader does not know.
  const strange = `<w:p><w:unknownThing><w:r><w:t>${PROSE} ${PROSE}</w:t></w:r></w:unknownThing></w:p>`
  await t.rejects(convert(t, '.docx', sampleDocx([PROSE], { xml: strange }), { hidden: ['soffice'] }), {
    code: 'missing',
    message: /kept only \d+ % of its text.*libreoffice-writer-nogui/
  })
})

t.test('the same book gives the same bytes, another book others', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const book = sampleEpub([{ ...(CHAPTERS[0] as Chapter), xhtml: '<img src="../p.png"/><p>漢字 שלום</p>' }], {
    members: [{ name: 'OEBPS/p.png', data: samplePng(30, 20, true) }]
  })
  const bytes: Buffer[] = []
  for (const epub of [book, book, sampleEpub(CHAPTERS)]) {
    bytes.push(readFileSync((await convert(t, '.epub', epub, { hidden: ['ebook-convert'] })).pdf))
  }
  const [one, two, three] = bytes
  t.ok(one?.equals(two ?? Buffer.alloc(0)))
  t.notOk(one?.equals(three ?? Buffer.alloc(0)))
})

async function written(t: Test, blocks: readonly Block[], pictures: Record<string, Buffer> = {}) {
  const path = join(t.testdir({}), 'out.pdf')
  const facts = { title: 'Título 漢', author: '' }
  const writer = await PdfWriter.open({ path, facts, pictures: async (source) => pictures[source] ?? null })
  for (const block of blocks) await writer.add(block)
  return { path, ...(await writer.close()) }
}

t.test('the PDF holds every script as text, page numbers only for the eye', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const lines = [
    'Plain office fluff waffle, Ελληνικά, привет, Việt Nam, naïve façade.',
    '日本語テキスト and some 漢字 in between the words, then 한국어.',
    'שלום עולם זה טקסט בעברית',
    'مرحبا بالعالم هذا نص عربي'
  ]
  const { path, warnings, pages } = await written(
    t,
    lines.map((text) => ({ kind: 'paragraph', text }))
  )
  const text = await textOf(path)
  for (const line of lines) t.ok(text.normalize('NFKC').includes(line.normalize('NFKC')), line)
  t.notMatch(text, /\d/, 'no page number in the text')
  t.match(inWords(warnings), [/12 characters are not in the built-in font/])
  t.equal(pages, 1)
  t.equal((await pdfFacts(path)).title, 'Título 漢')
})

t.test('headings, long words, empty and huge blocks are laid out within the page', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const blocks: Block[] = [
    { kind: 'heading', level: 9, text: 'Deep' },
    { kind: 'heading', level: 1, text: '   ' },
    { kind: 'paragraph', text: 'x'.repeat(5000) },
    { kind: 'preformatted', text: 'a\n  b\n\n\tc' },
    { kind: 'item', depth: 99, marker: '•', text: 'deep item' },
    { kind: 'row', cells: ['', 'only', ''], header: false },
    { kind: 'new-page' },
    { kind: 'new-page' },
    { kind: 'picture', source: 'tall', description: 'a tall one' },
    { kind: 'picture', source: 'broken', description: 'a broken one' },
    ...Array.from({ length: 400 }, (_, at): Block => ({ kind: 'paragraph', text: `${at}. ${PROSE}` }))
  ]
  const { path, pages, warnings } = await written(t, blocks, {
    tall: samplePng(10, 3000),
    broken: Buffer.from('\x89PNG\r\n\x1a\nrubbish', 'latin1')
  })
  const text = await textOf(path)
  t.equal(text.match(/x/g)?.length, 5000)
  t.match(text, /Deep[\s\S]*a\n\s*b\n+\s*c[\s\S]*deep item[\s\S]*a tall one[\s\S]*a broken one[\s\S]*399\. Water/)
  t.ok(pages > 40 && pages < 80)
  t.match(inWords(warnings), [/1 pictures are left out/])
  t.equal((await written(t, [])).pages, 1, 'nothing is one empty page')
})

t.test('pictures from strangers are looked through before they are embedded', async (t) => {
  const png = samplePng(20, 10)
  t.match(usablePicture(png), { width: 20, height: 10 })
  const alpha = usablePicture(samplePng(20, 10, true))
  t.equal(alpha?.bytes[25], 2, 'transparency is laid on white')
  const wide = Buffer.from(png)
  wide.writeUInt32BE(60_000, 16)
  wide.writeUInt32BE(60_000, 20)
  const loop = Buffer.concat([png.subarray(0, 33), Buffer.from([0xff, 0xff, 0xff, 0xf4]), Buffer.from('loop'), png])
  const data = deflateSync(Buffer.alloc(50_000_000))
  const bomb = Buffer.concat([png.subarray(0, 33), Buffer.alloc(4), Buffer.from('IDAT'), data, Buffer.alloc(4)])
  bomb.writeUInt32BE(data.length, 33)
  const refused: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['a GIF', Buffer.from('GIF89a..........')],
    ['3600 million pixels', wide],
    ['a chunk that points back', loop],
    ['more data than pixels', bomb],
    ['half a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a])],
    ['a JPEG without end', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x00, 0xff, 0xe0, 0x00, 0x00, 0x00, 0x00, 0, 0])]
  ]
  for (const [name, bytes] of refused) t.equal(usablePicture(bytes), null, name)
  fc.assert(
    fc.property(fc.nat(png.length - 1), fc.nat(255), fc.boolean(), (at, byte, cut) => {
      const changed = Buffer.from(cut ? png.subarray(0, at) : png)
      if (!cut) changed[at] = byte
      const picture = usablePicture(changed)
      return picture === null || picture.width * picture.height <= 25_000_000
    })
  )
})

t.test('HTML of any kind becomes blocks, wherever it is cut into pieces', async (t) => {
  const read = (html: string, at = html.length): Block[] => {
    const reader = new HtmlBlocks()
    return [...reader.feed(html.slice(0, at)), ...reader.feed(html.slice(at)), ...reader.end()]
  }
  t.same(read('loose <b>text</b><p>one</p>two'), [
    { kind: 'paragraph', text: 'loose text' },
    { kind: 'paragraph', text: 'one' },
    { kind: 'paragraph', text: 'two' }
  ])
  t.same(
    read('<table><tr><td><p>a</p><p>b</p><table><tr><td>in</td></tr></table></td><td>c</td></tr></table>').length,
    1
  )
  t.match(read('<pre>a\n b</pre>'), [{ kind: 'preformatted', text: 'a\n b' }])
  t.match(read('<p>never closed <script>alert(1)</p>'), [{ text: 'never closed ' }])
  t.match(read('<svg><image xlink:href="x.jpg"/></svg><mbp:pagebreak/>'), [{ kind: 'picture' }, { kind: 'new-page' }])
  const words = fc.constantFrom(
    '<p>',
    '</p>',
    '<td>',
    '</td>',
    '<tr>',
    '</table>',
    '<li>',
    '<ul>',
    '</ul>',
    '<h2>',
    '</h2>',
    '<br/>',
    '<blockquote>',
    'word ',
    '&amp;',
    '<x',
    '>'
  )
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), fc.nat(60), (parts, at) => {
      const html = parts.join('')
      const text = (blocks: Block[]): string =>
        blocks.map((block) => ('text' in block ? block.text : 'cells' in block ? block.cells.join(' ') : '')).join(' ')
      const whole = text(read(html))
      return whole.replace(/\s/g, '') === text(read(html, at)).replace(/\s/g, '')
    })
  )
})

t.test('a document costs what its length does, however deep its elements nest and whatever never closes', async (t) => {
  const nested = (times: number): string => `${'<div>'.repeat(times)}x${'</div>'.repeat(times)}`
  const unopened = (times: number): string => '<b>'.repeat(times) + '</i>'.repeat(times)
  const read = (html: string): void => {
    const reader = new HtmlBlocks()
    reader.feed(html)
    reader.end()
  }
  for (const make of [nested, unopened, (times: number) => '<ul><li><object>'.repeat(times)])
    t.ok(growthOfEightfold(make, read, 5000) < MOST_GROWTH, make(1))
  const articles = (times: number): string => `${'<article>'.repeat(times / 50)}${'<article>x</article>'.repeat(times)}`
  t.ok(growthOfEightfold(articles, readPage, 1200) < MOST_GROWTH, 'articles within articles')
  const upwards = (times: number): string => '/%2e%2e'.repeat(times)
  t.ok(growthOfEightfold(upwards, (reference) => memberPath('a/b', reference), 4000) < MOST_GROWTH, 'steps upwards')
})

t.test('of elements that nest too deep the text is kept, and what is silent stays silent', async (t) => {
  const words = (html: string): string[] => {
    const reader = new HtmlBlocks()
    return [...reader.feed(html), ...reader.end()].flatMap((block) => ('text' in block ? [block.text] : []))
  }
  for (const open of ['<div>', '<b>', '<ul><li>', '<blockquote>']) {
    const deep = `${open.repeat(2000)}<p>one</p><script>alert(1)</script><style>p{}</style><div/>two<br>three`
    t.same(words(deep).join(' ').split(/\s+/), ['one', 'two', 'three'], open)
  }
  t.same(words(`${'<div>'.repeat(2000)}deep${'</div>'.repeat(2000)}<h1>Title</h1>`), ['deep', 'Title'])
})

t.test('lines hold every character once, in order', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 1, max: 40 }), (raw, available) => {
      const text = raw.replace(/\s+/g, ' ').trim()
      const lines = [...linesOf(text, available, (piece) => piece.length)]
      return [...piecesOf(text)].join('') === text && lines.flat().join('') === text
    })
  )
})

t.test('a line of words from both directions is put in the order it is seen', async (t) => {
  t.equal(seenOrder(['one ', 'two'], false), 'one two')
  t.equal(seenOrder(['אחת ', 'שתיים'], true), 'שתיים אחת')
  t.equal(seenOrder(['one ', 'אחת ', '2 ', 'שתיים ', 'two'], false), 'one שתיים 2 אחת two')
  t.equal(seenOrder(['אחת ', 'one ', 'two ', 'שתיים'], true), 'שתיים one two אחת')
})

t.test('the report says for every format what is used and what to install', async (t) => {
  const with_ = async (...names: string[]) =>
    Object.fromEntries(
      (await toolReport((name) => (names.includes(name) ? `/usr/bin/${name}` : null))).map((row) => [row.format, row])
    )
  const nothing = await with_()
  t.match(nothing['.pdf'], { tool: null, quality: 'none', install: 'sudo apt install poppler-utils' })
  t.match(nothing['.txt'], { tool: 'built in', quality: 'full', install: null })
  t.match(nothing['.mobi'], { tool: null, install: /libmobi-tools poppler-utils|poppler-utils libmobi-tools/ })
  const poppler = await with_('pdftotext', 'pdfinfo', 'pdftoppm')
  t.match(poppler['.docx'], { tool: 'built in', quality: 'text', install: 'sudo apt install libreoffice-writer-nogui' })
  t.match(poppler['.doc'], { tool: null, install: 'sudo apt install catdoc' })
  t.match(poppler['.epub'], { tool: 'built in', quality: 'text', install: null })
  t.match(inWords(poppler['scanned PDF']), {
    tool: null,
    note: /tesseract is not installed/,
    install: 'sudo apt install tesseract-ocr'
  })
  const all = await with_('pdftotext', 'pdfinfo', 'pdftoppm', 'tesseract', 'soffice', 'catdoc', 'mobitool')
  t.ok(Object.values(all).every(({ tool, install }) => tool !== null && install === null))
})
