import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { mobiOf } from './mobi.ts'
import { type ZipMember, zipOf } from './zip.ts'

/** About 90 words of plain English: passes every quality gate and the language filter. */
export const PROSE = [
  'Water that looks clear may still carry germs. Bring it to a rolling boil for one full minute before you drink it,',
  'and for three minutes above two thousand metres. Let it cool in the covered pot. If there is no fuel, add two drops',
  'of plain household bleach for every litre, stir, and wait half an hour; the water should then smell faintly of',
  'chlorine. Cloudy water is first poured through a clean cloth. Store the treated water in closed vessels, and never',
  'dip a hand or a used cup into them, because that brings the germs back again.'
].join(' ')

export interface PdfOptions {
  title?: string
  author?: string
  /** Password needed to open it. */
  password?: string
  /** Password needed only to change it; anybody may read. */
  ownerPassword?: string
}

/** A real PDF, one entry of `pages` on each page. */
export async function samplePdf(pages: readonly string[], options: PdfOptions = {}): Promise<Buffer> {
  const doc = new PDFDocument({
    autoFirstPage: false,
    info: {
      ...(options.title === undefined ? {} : { Title: options.title }),
      ...(options.author === undefined ? {} : { Author: options.author }),
      CreationDate: new Date(Date.UTC(2019, 4, 1))
    },
    ...(options.password === undefined ? {} : { userPassword: options.password, ownerPassword: 'owner' }),
    ...(options.ownerPassword === undefined ? {} : { ownerPassword: options.ownerPassword }),
    pdfVersion: '1.7'
  })
  const done = collect(doc)
  for (const text of pages) doc.addPage().fontSize(12).text(text)
  doc.end()
  return done
}

/** Pictures of the pages of another PDF and no text, like a scanner makes them; `turned` by degrees. Needs `pdftoppm`. */
export async function scannedPdf(pages: readonly string[], { turned = 0 } = {}): Promise<Buffer> {
  const pdf = await samplePdf(pages)
  const pictures = inFolder((folder) => {
    writeFileSync(join(folder, 'in.pdf'), pdf)
    return pages.map((_, index) => {
      const at = String(index + 1)
      execFileSync('pdftoppm', ['-r', '150', '-gray', '-png', '-singlefile', '-f', at, '-l', at, 'in.pdf', at], {
        cwd: folder
      })
      return readFileSync(join(folder, `${at}.png`))
    })
  })
  return picturesPdf(pictures, turned)
}

/** Pictures on pages, and no text. */
export async function picturesPdf(pictures: readonly Buffer[], turned = 0): Promise<Buffer> {
  const doc = new PDFDocument({ autoFirstPage: false, info: { CreationDate: new Date(0) } })
  const done = collect(doc)
  for (const picture of pictures) {
    const [wide, high] = turned % 180 === 0 ? [612, 792] : [792, 612]
    doc.addPage({ margin: 0, size: [wide, high] })
    doc.rotate(turned, { origin: [wide / 2, high / 2] })
    doc.image(picture, (wide - 612) / 2, (high - 792) / 2, { fit: [612, 792] })
  }
  doc.end()
  return done
}

async function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of doc) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Plain text as UTF-8. */
export function sampleText(text: string): Buffer {
  return Buffer.from(text)
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

export interface Chapter {
  title: string
  /** Paragraphs of plain text. */
  paragraphs: readonly string[]
  /** XHTML put after the paragraphs as it stands. */
  xhtml?: string
}

export interface EpubOptions {
  title?: string
  author?: string
  /** More elements of its metadata, as they stand. */
  metadata?: string
  /** More members, or replacements for those of the same name. */
  members?: readonly ZipMember[]
}

/** A real EPUB 3: mimetype first, container, OPF, one XHTML file for each chapter in `text/`. */
export function sampleEpub(chapters: readonly Chapter[], options: EpubOptions = {}): Buffer {
  const names = chapters.map((_, index) => `c${index + 1}`)
  const opf = `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:lookout:sample</dc:identifier>
<dc:title>${escaped(options.title ?? 'A sample book')}</dc:title><dc:creator>${escaped(options.author ?? 'Ann Author')}</dc:creator>
<dc:language>en</dc:language>${options.metadata ?? ''}</metadata>
<manifest>${names.map((name) => `<item id="${name}" href="text/${name}.xhtml" media-type="application/xhtml+xml"/>`).join('')}</manifest>
<spine>${names.map((name) => `<itemref idref="${name}"/>`).join('')}</spine></package>`
  const members: ZipMember[] = [
    { name: 'mimetype', data: 'application/epub+zip' },
    {
      name: 'META-INF/container.xml',
      data: `<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`
    },
    { name: 'OEBPS/book.opf', data: opf },
    ...chapters.map((chapter, index) => ({
      name: `OEBPS/text/${names[index]}.xhtml`,
      data: xhtml(chapter),
      deflate: true
    }))
  ]
  const more = options.members ?? []
  const replaced = new Set(more.map(({ name }) => name))
  return zipOf([...members.filter(({ name }) => !replaced.has(name)), ...more])
}

function xhtml(chapter: Chapter): string {
  const paragraphs = chapter.paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('\n')
  return `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${escaped(chapter.title)}</title></head>
<body><h1>${escaped(chapter.title)}</h1>
${paragraphs}${chapter.xhtml ?? ''}</body></html>`
}

export interface DocxOptions {
  title?: string
  author?: string
  /** WordprocessingML put after the paragraphs as it stands. */
  xml?: string
  members?: readonly ZipMember[]
}

/** A real DOCX: every entry a paragraph; one that begins with `# ` is a heading. */
export function sampleDocx(paragraphs: readonly string[], options: DocxOptions = {}): Buffer {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const body = paragraphs.map((text) => {
    const heading = text.startsWith('# ')
    const style = heading ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : ''
    return `<w:p>${style}<w:r><w:t xml:space="preserve">${escaped(heading ? text.slice(2) : text)}</w:t></w:r></w:p>`
  })
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
  const members: ZipMember[] = [
    {
      name: '[Content_Types].xml',
      data: `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="${main}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${main}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`
    },
    {
      name: '_rels/.rels',
      data: `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`
    },
    {
      name: 'docProps/core.xml',
      data: `${head}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escaped(options.title ?? 'A sample paper')}</dc:title><dc:creator>${escaped(options.author ?? 'Ann Author')}</dc:creator></cp:coreProperties>`
    },
    {
      name: 'word/_rels/document.xml.rels',
      data: `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s1" Type="${office}/styles" Target="styles.xml"/></Relationships>`
    },
    {
      name: 'word/styles.xml',
      data: `${head}<w:styles ${w}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style></w:styles>`
    },
    {
      name: 'word/document.xml',
      data: `${head}<w:document ${w}><w:body>${body.join('')}${options.xml ?? ''}<w:sectPr/></w:body></w:document>`,
      deflate: true
    }
  ]
  const more = options.members ?? []
  const replaced = new Set(more.map(({ name }) => name))
  return zipOf([...members.filter(({ name }) => !replaced.has(name)), ...more])
}

const writtenDocs = new Map<string, Buffer>()

/** A Word 97 file with these paragraphs, written by LibreOffice. Needs `soffice`; takes a few seconds, the second time none. */
export function sampleDoc(paragraphs: readonly string[]): Buffer {
  const key = JSON.stringify(paragraphs)
  const known = writtenDocs.get(key) ?? writeDoc(paragraphs)
  writtenDocs.set(key, known)
  return Buffer.from(known)
}

function writeDoc(paragraphs: readonly string[]): Buffer {
  return inFolder((folder) => {
    writeFileSync(join(folder, 'in.docx'), sampleDocx(paragraphs))
    const profile = `-env:UserInstallation=file://${folder}/profile`
    execFileSync('soffice', [profile, '--headless', '--convert-to', 'doc:MS Word 97', '--outdir', folder, 'in.docx'], {
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, HOME: folder }
    })
    return readFileSync(join(folder, 'in.doc'))
  })
}

/** A real MOBI 6 book with these chapters. */
export function sampleMobi(
  chapters: readonly Chapter[],
  options: { title?: string; author?: string; drm?: boolean } = {}
): Buffer {
  const body = chapters.map(
    (chapter) =>
      `<h1>${escaped(chapter.title)}</h1>${chapter.paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('')}${chapter.xhtml ?? ''}<mbp:pagebreak/>`
  )
  return mobiOf({
    title: options.title ?? 'A sample book',
    author: options.author ?? 'Ann Author',
    html: `<html><head><guide></guide></head><body>${body.join('')}</body></html>`,
    ...(options.drm === undefined ? {} : { drm: options.drm })
  })
}

/** A real picture: `width` × `height` pixels in one colour, with or without an alpha channel. */
export function samplePng(width: number, height: number, alpha = false): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc32(body), body.length + 4)
    return out
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = alpha ? 6 : 2
  const row = Buffer.alloc(1 + width * (alpha ? 4 : 3), 0x80)
  row[0] = 0
  const pixels = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0))
  ])
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-sample-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
