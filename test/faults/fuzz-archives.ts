import { docxFacts, docxTextLength } from '../../src/knowledge/intake/convert/docx.ts'
import { memberPath, readEpub } from '../../src/knowledge/intake/convert/epub.ts'
import { HtmlBlocks } from '../../src/knowledge/intake/convert/html-blocks.ts'
import { SafeZip } from '../../src/knowledge/intake/convert/safe-zip.ts'
import { ZimReader } from '../../src/knowledge/library/zim.ts'
import { sampleDocx, sampleEpub } from '../helpers/documents.ts'
import { type ZimPage, zimBytes } from '../helpers/zim.ts'
import { zipOf } from '../helpers/zip.ts'
import { isRefusal, must, ofBytes, ofText, type Parser } from './fuzz-parser.ts'
import { scratchFile } from './fuzz-scratch.ts'

const LIMIT = 64 * 1024

const pages = (namespace: 'C' | 'A'): ZimPage[] => [
  { path: 'a', title: 'Water', content: '<p>Boil it.</p>' },
  { path: 'b', content: 'Bread', cluster: 1 },
  { path: 'c', redirect: `${namespace}/a` },
  { path: 'd.png', mime: 'image/png', content: 'x', cluster: 1 }
]
const FACTS = { meta: { Title: 'Notes', Language: 'eng' }, main: 'a' }

/** Everything of an archive is read, as the check and the server do. */
async function readArchive(bytes: Uint8Array): Promise<void> {
  const zim = ZimReader.open(scratchFile('a.zim', bytes))
  try {
    const { directory } = zim
    await refusableLater(async () => {
      await zim.check()
      for (let index = 0; index < Math.min(directory.count, 12); index++) {
        const { namespace, path } = directory.entry(index)
        // A path of broken UTF-8 is told with other letters than it has.
        if (!path.includes('\ufffd')) must(directory.find(namespace, path)?.index === index, 'an entry nobody finds')
      }
    })
    refusable(() => zim.mainPath())
    for (let index = 0; index < Math.min(directory.count, 12); index++)
      await refusableLater(async () => {
        const entry = directory.entry(index)
        const same = directory.head(index)
        must(same.kind === entry.kind && same.cluster === entry.cluster, 'two readings of one entry')
        zim.isArticle(entry)
        zim.find(zim.pathOf(entry))
        must((await zim.content(entry, LIMIT)).length <= LIMIT, 'more than was asked for')
      })
    await refusableLater(async () => zim.metadata('Title'))
  } finally {
    zim.close()
  }
}

function refusable(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

async function refusableLater(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

const MEMBERS = [
  { name: 'a/b.txt', data: 'hello' },
  { name: 'c.xml', data: '<?xml version="1.0" encoding="utf-16"?><c/>', deflate: true },
  { name: 'd/', data: '' }
]

async function readMembers(bytes: Uint8Array): Promise<void> {
  const zip = await SafeZip.open(scratchFile('a.zip', bytes))
  try {
    for (const [nth, name] of zip.names.slice(0, 6).entries())
      await refusableLater(async () => {
        // Every second one as text: both unpack it, which is most of the work.
        const content = nth % 2 === 0 ? await zip.bytes(name, LIMIT) : await zip.text(name)
        must((content?.length ?? 0) <= LIMIT, 'a member longer than its limit')
      })
    await refusableLater(async () => readEpub(zip))
    await refusableLater(async () => docxTextLength(zip))
  } finally {
    zip.close()
  }
}

/** A zip whose members are known already. */
function zipWith(members: Readonly<Record<string, string>>): SafeZip {
  const found = new Map(Object.entries(members))
  return {
    names: [...found.keys()],
    has: (name: string) => found.has(name),
    text: async (name: string) => found.get(name) ?? null,
    sizeOf: (name: string) => found.get(name)?.length ?? 0
  } as unknown as SafeZip
}

const OPF = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Field notes</dc:title><dc:creator>Ann</dc:creator></metadata><manifest><item id="c1" href="c%31.xhtml#x" media-type="application/xhtml+xml"/><item id="c2" href="../b/c2.html" media-type="text/html"/></manifest><spine><itemref idref="c1"/><itemref idref="c2"/><itemref idref="gone"/></spine></package>`
const CHAPTER = `<html><head><title>x</title></head><body><h1>Water</h1><p>Boil <b>it</b>&nbsp;<br/>well.</p><ul><li>a<li>b</ul><table><tr><td>1</td><td>2</td></tr></table><img src="../a.png" alt="A"/><pre>x  y</pre></body></html>`
const WORD = `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Boil it</w:t></w:r><w:r><w:vanish w:val="0"/><w:t>well</w:t></w:r></w:p><mc:Fallback><w:r><w:t>twice</w:t></w:r></mc:Fallback></w:body></w:document>`
const CORE = `<cp:coreProperties><dc:title>A paper</dc:title><dc:creator>Ann</dc:creator></cp:coreProperties>`
const XML_WORDS = [
  '<item id="',
  ' href="',
  '%',
  '%2e%2e/',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '&b;',
  '</',
  '<w:t>'
]

/** Parsers of archives, and of what lies in them. */
export const ARCHIVE_PARSERS: readonly Parser[] = [
  ofBytes({
    name: 'zim',
    covers: [
      'zim-header.ts',
      'zim-entry.ts',
      'zim-cluster.ts',
      'zim-offsets.ts',
      'zim-check.ts',
      'zim-zstd.ts',
      'zim.ts ZimReader'
    ].map((one) => `knowledge/library/${one}`),
    corpus: [
      zimBytes(pages('C'), FACTS),
      zimBytes(pages('C'), { ...FACTS, packing: 'zstd' }),
      zimBytes(pages('A'), { ...FACTS, old: true, extended: true })
    ],
    inPlace: true,
    run: readArchive
  }),
  ofBytes({
    name: 'zip',
    covers: ['knowledge/intake/convert/safe-zip.ts SafeZip', 'platform/files/zip-members.ts membersOf'],
    corpus: [
      zipOf(MEMBERS),
      zipOf([{ name: 'word/document.xml', data: WORD, deflate: true }]),
      sampleEpub([{ title: 'One', paragraphs: ['Boil'] }]),
      sampleDocx(['Boil it'])
    ],
    inPlace: true,
    run: readMembers
  }),
  ofText({
    name: 'epub-member',
    covers: ['epub.ts readEpub', 'epub.ts memberPath', 'html-blocks.ts HtmlBlocks'].map(
      (one) => `knowledge/intake/convert/${one}`
    ),
    corpus: [OPF, CHAPTER, '<encryption><EncryptionMethod Algorithm="http://ns.adobe.com/pdf/enc#RC"/></encryption>'],
    words: XML_WORDS,
    run: async (text) => {
      const container = '<container><rootfiles><rootfile full-path="o/p.opf"/></rootfiles></container>'
      const members = { 'META-INF/container.xml': container, 'o/p.opf': text, 'o/c1.xhtml': text, 'b/c2.html': text }
      const book = await readEpub(zipWith(members))
      must(
        book.chapters.every((name) => Object.hasOwn(members, name)),
        'a chapter that is no member'
      )
      await refusableLater(async () => readEpub(zipWith({ ...members, 'META-INF/encryption.xml': text })))
      memberPath('o/p.opf', text.slice(0, 1000))
      const reader = new HtmlBlocks()
      let letters = 0
      for (const block of [...reader.feed(text), ...reader.end()]) letters += JSON.stringify(block).length
      must(letters <= 200 * text.length + 2000, 'a chapter that grows')
    }
  }),
  ofText({
    name: 'docx-member',
    covers: ['knowledge/intake/convert/docx.ts docxFacts', 'knowledge/intake/convert/docx.ts docxTextLength'],
    corpus: [WORD, CORE],
    words: XML_WORDS,
    run: async (text) => {
      const zip = zipWith({ 'docProps/core.xml': text, 'word/document.xml': text })
      const { title, author } = await docxFacts(zip)
      must(title.length + author.length <= 8 * text.length, 'a title longer than its document')
      must((await docxTextLength(zip)) <= text.length, 'more text than there is')
    }
  })
]
