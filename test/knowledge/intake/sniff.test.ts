import fc from 'fast-check'
import t from 'tap'
import { refusedByHead, refusedByName, sniff } from '../../../src/knowledge/intake/sniff.ts'
import type { Bytes } from '../../../src/knowledge/intake/upload-type.ts'
import { inWords } from '../../helpers/in-words.ts'
import { compoundFile, zipFile } from './containers.ts'

const bytes = (content: Buffer | string): Bytes => {
  const buffer = Buffer.from(content)
  return {
    size: buffer.length,
    read: async (from, length) => buffer.subarray(Math.max(0, from), Math.max(0, from + length))
  }
}
const look = (content: Buffer | string, name = 'file') => sniff(bytes(content), name)
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const mobi = Buffer.concat([Buffer.alloc(60, 1), latin1('BOOKMOBI'), Buffer.alloc(500)])

t.test('the six formats are known by their content, whatever the name says', async (t) => {
  const cases: [string, Buffer | string, string][] = [
    ['a PDF', '%PDF-1.7\n%\xe2\xe3', '.pdf'],
    ['a PDF with 900 leading blanks', `${' '.repeat(900)}%PDF-1.4\n\0\0`, '.pdf'],
    ['a PDF of printable bytes with junk before it', 'Content-Type: application/pdf\n\n%PDF-1.4\n1 0 obj', '.pdf'],
    ['a text', 'Boil the water for one minute.\r\n', '.txt'],
    ['a text of one letter', 'a', '.txt'],
    ['a text in UTF-8 with its mark', '\ufeffWasser ärgert Öfen – “so”', '.txt'],
    ['a text in Latin-1', latin1('K\xfcche, Stra\xdfe, 10 \xb0C'), '.txt'],
    ['a text in UTF-16 with its mark', Buffer.from('\ufeffВода и хлеб', 'utf16le'), '.txt'],
    ['a text in UTF-16 without it', Buffer.from('Water and bread for everybody', 'utf16le'), '.txt'],
    ['a text in big-endian UTF-16', Buffer.from('\ufeffWater and bread', 'utf16le').swap16(), '.txt'],
    ['a text with form feeds and an end-of-file sign', 'one\f\ntwo\v\t\x1a', '.txt'],
    ['a text that begins like a program', 'MZ is what the radio operator says. BZh too.', '.txt'],
    ['an EPUB', zipFile({ mimetype: 'application/epub+zip', 'META-INF/container.xml': '<x/>' }), '.epub'],
    ['an EPUB without its mimetype', zipFile({ 'META-INF/container.xml': '<x/>', 'a.xhtml': '' }), '.epub'],
    ['an EPUB with a comment behind it', zipFile({ 'META-INF/container.xml': '' }, 'x'.repeat(60_000)), '.epub'],
    ['a DOCX', zipFile({ '[Content_Types].xml': '', 'word/document.xml': '' }), '.docx'],
    ['a DOC', compoundFile(['Root Entry', 'WordDocument', '1Table']), '.doc'],
    [
      'a DOC with 30 streams',
      compoundFile(['Root Entry', ...Array.from({ length: 28 }, (_, n) => `s${n}`), 'WordDocument']),
      '.doc'
    ],
    ['a MOBI', mobi, '.mobi'],
    ['WebVTT', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello', '.vtt'],
    ['SubRip', '1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\n', '.srt']
  ]
  for (const [name, content, type] of cases)
    for (const filename of ['x', 'x.exe', 'x.pdf', 'x.docx'])
      t.same(await look(content, filename), { type }, `${name}, called ${filename}`)
})

t.test('the name decides only between two readings of a text', async (t) => {
  const aboutPdf = 'Every such file begins with %PDF-1.4, it says.'
  t.same(await look(aboutPdf, 'notes.txt'), { type: '.txt' })
  t.same(await look(aboutPdf, 'notes.pdf'), { type: '.pdf' })
  t.same(await look('<!DOCTYPE html>\n<html>', 'notes.TXT'), { type: '.txt' })
  t.same(inWords(await look('\ufeff <html lang="en">', 'page.html')), { type: null, looksLike: 'a web page (HTML)' })
  t.same(await look(`${aboutPdf}\0`, 'notes.txt'), { type: '.pdf' }, 'what is no text is a PDF after all')
})

t.test('an upload is refused by its name when that is of another format, or of one that its text is not', async (t) => {
  const cases: [string, '.txt' | '.pdf' | '.docx', string | null][] = [
    ['notes.txt', '.txt', null],
    ['NOTES.TXT ', '.txt', null],
    ['notes', '.txt', null],
    ['FM 21.76', '.txt', null],
    ['Volume 2. The house', '.txt', null],
    ['notes.exe', '.txt', 'a .exe file'],
    ['notes.pdf.exe', '.pdf', 'a .exe file'],
    ['notes.mp3', '.pdf', 'a .mp3 file'],
    ['notes.pdf', '.txt', 'a plain text, and is called .pdf'],
    ['notes.epub', '.txt', 'a plain text, and is called .epub'],
    ['notes.epub', '.pdf', null],
    ['notes.doc', '.docx', null]
  ]
  for (const [name, type, refused] of cases) t.equal(inWords(refusedByName(name, type)), refused, name)
})

t.test('anything else is refused by what it looks like', async (t) => {
  const cases: [Buffer | string, RegExp][] = [
    [latin1('\x89PNG\r\n\x1a\n\0\0'), /PNG/],
    [latin1('\xff\xd8\xff\xe0\0'), /JPEG/],
    [latin1('\0\0\0\x18ftypmp42'), /video/],
    [latin1('ZIM\x04\x05\0'), /ZIM archive, which belongs into the library/],
    [latin1('\x1f\x8b\x08\0'), /gzip/],
    [latin1('MZ\x90\0\x03'), /program/],
    [latin1('\x7fELF\x02\x01'), /program/],
    ['{\\rtf1\\ansi Hello}', /RTF/],
    ['%!PS-Adobe-3.0\n', /PostScript/],
    [zipFile({ 'xl/workbook.xml': '', '[Content_Types].xml': '' }), /Excel/],
    [zipFile({ 'ppt/presentation.xml': '', '[Content_Types].xml': '' }), /PowerPoint/],
    [zipFile({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '' }), /OpenDocument/],
    [zipFile({ 'a.jpg': '' }), /a ZIP archive$/],
    [zipFile({ 'META-INF/container.xml': 'x'.repeat(500) }).subarray(0, 300), /damaged or cut off/],
    [compoundFile(['Root Entry', 'Workbook']), /Excel/],
    [compoundFile(['Root Entry', 'EncryptedPackage']), /password/],
    [compoundFile(['Root Entry']), /without a Word document/],
    [compoundFile(['Root Entry', 'WordDocument']).subarray(0, 300), /without a Word document/],
    [Buffer.alloc(5000), /binary data/],
    ['text, and then \x07 a bell', /binary data/],
    [`${'a'.repeat(3_000_000)}\0`, /binary data/],
    [Buffer.from('\ufeffone\u0001two', 'utf16le'), /binary data/]
  ]
  for (const [content, words] of cases) {
    const found = await look(content, 'book.pdf')
    t.equal(found.type, null)
    t.match(inWords(found), { looksLike: words }, String(words))
  }
})

t.test('the first bytes refuse what can be nothing else, and nothing more', async (t) => {
  t.match(inWords(refusedByHead(latin1('\x89PNG\r\n\x1a\n'), 'a.pdf')), /PNG/)
  t.match(inWords(refusedByHead(Buffer.from('<html>'), 'a.htm')), /HTML/)
  for (const head of ['%PDF-1.4', 'PK\x03\x04', 'just text', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', '', '\0'.repeat(4096)])
    t.equal(refusedByHead(latin1(head), 'a.pdf'), null)
})

t.test('no bytes make it throw, hang or read for ever: not any, not damaged ones', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), async (content) => {
      await look(Buffer.from(content))
    })
  )
  const files = [
    zipFile({ mimetype: 'application/epub+zip', 'META-INF/container.xml': '<x/>' }),
    compoundFile(['Root Entry', 'WordDocument', 'Data', 'a', 'b']),
    mobi
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
      async (file, changes) => {
        const copy = Buffer.from(file)
        for (const [at, value] of changes) copy[at % copy.length] = value
        await look(copy)
      }
    )
  )
  // A chain of sectors that bites its own tail.
  const ring = compoundFile(['Root Entry', 'a', 'b', 'c', 'd'])
  ring.writeUInt32LE(1, 512 + 4)
  t.equal((await look(ring)).type, null)
})
