import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Page } from '../../../src/knowledge/catalogue/document.ts'
import { uploadStatus } from '../../../src/knowledge/catalogue/status.ts'
import type { Extracted } from '../../../src/knowledge/enrich/extract.ts'
import { type ExtractParts, extractJob } from '../../../src/knowledge/enrich/extract-job.ts'
import { pageReader } from '../../../src/knowledge/enrich/read-pages.ts'
import { NotReadYet } from '../../../src/knowledge/enrich/scanned-pages.ts'
import { copyReview, copyWarning } from '../../../src/knowledge/intake/dispatcher.ts'
import { refusals } from '../../../src/knowledge/intake/refuse.ts'
import { secondLook } from '../../../src/knowledge/intake/second-look.ts'
import { because } from '../../../src/model/reason.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { book, intakeSetup } from '../intake/setup.ts'

const WORDS = Array.from({ length: 400 }, (_, n) => `word${(n * 7919) % 997}`)
const TEXT = WORDS.join(' ')
const page = (number: number, text: string): Page => ({ number, text, method: 'pdftotext', startSeconds: null })

async function setup(t: Test) {
  const s = await intakeSetup(t)
  const texts = new Map<string, string[]>()
  let reads = 0
  const parts: ExtractParts = {
    catalogue: s.catalogue,
    readPages: async ({ hash }, shelf): Promise<Extracted> => {
      reads += 1
      const found = texts.get(hash) ?? []
      shelf.put(found.map((text, at) => page(at + 1, text)))
      return { pageCount: found.length, ocrPages: 0, warnings: [] }
    },
    ...refusals({ ...s, log: s.parts.log }),
    secondLook: secondLook(s),
    copyReview,
    copyWarning,
    now: () => s.clock.now()
  }
  const add = async (name: string, pages: string[], facts: Parameters<typeof book>[0] = {}): Promise<number> => {
    const hash = await s.arrive(name, book({ title: name, text: pages[0] ?? '', ...facts }))
    texts.set(hash, pages)
    await s.work()
    return s.catalogue.byHash(hash)?.id ?? 0
  }
  return { ...s, parts, add, run: () => s.work(extractJob(parts)), reads: () => reads }
}

t.test('pages, counts and fingerprints are stored, and the next stage waits', async (t) => {
  const s = await setup(t)
  const id = await s.add('One.pdf', ['first page', '', 'third page'])
  await s.run()
  t.match(s.catalogue.byId(id), {
    status: 'extracted',
    pageCount: 3,
    ocrPages: 0,
    textHash: /^[0-9a-f]{64}$/,
    simhash: /^[0-9a-f]{16}$/,
    extractedAt: s.clock.now()
  })
  t.same(
    s.catalogue.pages(id).map(({ text }) => text),
    ['first page', '', 'third page']
  )
  t.equal(s.jobs.get('enrich', String(id))?.state, 'waiting')
})

t.test(
  'the same text, or nearly, waits for a decision; once kept nobody is asked again and nothing read twice',
  async (t) => {
    const s = await setup(t)
    const first = await s.add('One.pdf', [TEXT])
    const same = await s.add('Two.pdf', [TEXT.toUpperCase().replaceAll(' ', ', ')])
    const near = await s.add('Three.pdf', [TEXT.replace('word997', 'word').replace(WORDS[7] ?? '', 'other')])
    const longer = await s.add('Four.pdf', [TEXT.repeat(3)])
    const other = await s.add('Five.pdf', [WORDS.toReversed().join(' ')])
    await s.run()
    const hash = s.catalogue.byId(first)?.hash
    t.match(inWords(s.catalogue.byId(same)), {
      status: 'needs_review',
      review: { duplicate_of: hash, candidates: [], reason: /has the same text/ }
    })
    t.match(inWords(s.catalogue.byId(near)), { status: 'needs_review', review: { reason: /nearly the same text/ } })
    for (const id of [first, longer, other]) t.equal(s.catalogue.byId(id)?.status, 'extracted')
    t.equal(s.jobs.get('enrich', String(same)), null, 'not indexed')
    const before = s.reads()
    s.catalogue.keep(same)
    await s.run()
    t.match(s.catalogue.byId(same), { status: 'extracted', review: { duplicate_of: null }, pageCount: 1 })
    t.equal(s.reads(), before)
    t.equal(s.jobs.get('enrich', String(same))?.state, 'waiting')
  }
)

const BOOK = Array.from({ length: 12 }, (_, at) => WORDS.map((word, n) => `${word}${(n * at) % 89}x`).join(' '))
const printed = (pages: readonly string[]): string[] =>
  pages.map((page, at) => `A Guide to Pumps ${at}\n${page.replaceAll(/(?:\S+ ){9}/g, '$&\n')}\n${at + 1}`)

t.test(
  'one book in another format is held: running heads, numbers of pages and line ends are not its text',
  async (t) => {
    const s = await setup(t)
    const first = await s.add('Pumps.txt', BOOK, { title: 'A Guide to Pumps', author: 'Ann Lee' })
    const other = await s.add('pumps.pdf', printed(BOOK), { title: 'A Guide to Pumps', author: 'Ann Lee' })
    await s.run()
    t.equal(s.catalogue.byId(first)?.status, 'extracted')
    t.match(inWords(s.catalogue.byId(other)), {
      status: 'needs_review',
      review: { duplicate_of: s.catalogue.byId(first)?.hash, reason: /nearly the same text/ }
    })
  }
)

t.test('another version, volume, edition or year of a work is no copy, however little has changed', async (t) => {
  const pairs: [string, string, Parameters<typeof book>[0], Parameters<typeof book>[0]][] = [
    ['Version 1.8 ratified', 'Version 1.9 ratified', { title: 'Charter A' }, { title: 'Charter A' }],
    ['', '', { title: 'Pumps, Volume 1' }, { title: 'Pumps, Volume 2' }],
    ['', '', { title: 'Wells', subject: '1st edition' }, { title: 'Wells', subject: '2nd edition' }],
    ['© 1999 Ann Lee', '© 2004 Ann Lee', { title: 'Filters' }, { title: 'Filters' }]
  ]
  for (const [one, other, facts, others] of pairs) {
    const s = await setup(t)
    const author = 'Ann Lee'
    const text = (front: string): string[] => [`${front}\n${BOOK[0]}`, ...BOOK.slice(1)]
    const first = await s.add('a.pdf', text(one), { ...facts, author, text: `${facts?.title}\n${one}` })
    const second = await s.add('b.pdf', [...text(other), 'and one more page'], {
      ...others,
      author,
      text: `${facts?.title}\n${other}`
    })
    await s.run()
    for (const id of [first, second]) t.equal(s.catalogue.byId(id)?.status, 'extracted', facts?.title ?? '')
  }
})

t.test('a version of a licence is not that of the work', async (t) => {
  const s = await setup(t)
  const text = (front: string): string[] => [`${front}\n${BOOK[0]}`, ...BOOK.slice(1)]
  await s.add('a.pdf', text('Release 12.18'))
  const second = await s.add('b.pdf', text('under the GNU General Public License, version 2 or later'))
  await s.run()
  t.equal(s.catalogue.byId(second)?.status, 'needs_review')
})

t.test('a copy by its title that was kept is filed, read and not asked about again', async (t) => {
  const s = await setup(t)
  const facts = { title: 'Knots', author: 'Ann Lee', subject: '2nd edition' }
  await s.add('a (1999).pdf', [TEXT], facts)
  const copy = await s.add('b (1999).epub', [`${TEXT} `], { ...facts, text: 'two' })
  t.equal(s.catalogue.byId(copy)?.status, 'needs_review')
  await s.run()
  s.catalogue.keep(copy)
  await s.run()
  t.match(s.catalogue.byId(copy), { status: 'extracted', path: /^library\/.*\.pdf$/, pageCount: 1 })
  t.same(await s.tree('processing'), [])
  t.equal((await s.tree('library')).filter((path) => path.endsWith('.epub')).length, 1)
})

t.test('a copy of what is being removed is none', async (t) => {
  const s = await setup(t)
  const first = await s.add('One.pdf', [TEXT])
  await s.run()
  s.catalogue.discard(first)
  const second = await s.add('Two.pdf', [TEXT])
  await s.run()
  t.equal(s.catalogue.byId(second)?.status, 'extracted')
})

t.test('a scan is classified and moved once OCR has read it; what somebody decided stays', async (t) => {
  const s = await setup(t)
  const canning = ['Pressure canners, jars, lids and headspace keep vegetables safe from botulism.']
  const scan = await s.add('scan7.pdf', canning, { text: '' })
  const vague = await s.add('scan8.pdf', ['See the table on the next page.'], { text: '' })
  const chosen = await s.add('scan9.pdf', ['antenna radio'], { text: '' })
  t.match(s.catalogue.byId(scan), { domain: 'Unsorted', path: /^library\/Unsorted\// })
  await s.shelver.decideDomain(chosen, 'Medical')
  await s.run()
  t.match(s.catalogue.byId(scan), {
    domain: 'Preservation & Storage',
    path: /^library\/Preservation-and-Storage\//,
    review: null
  })
  t.match(inWords(s.catalogue.byId(vague)), { domain: 'Unsorted', review: { reason: /too few words/ } })
  t.equal(s.catalogue.byId(chosen)?.domain, 'Medical')
  t.match(s.catalogue.byId(chosen)?.path, /^library\/Medical\//)
})

t.test(
  'a missing program holds the job and says so; what failed around the file can be tried again, at this stage',
  async (t) => {
    const s = await setup(t)
    const id = await s.add('One.pdf', [TEXT])
    const { readPages } = s.parts
    s.parts.readPages = () => Promise.reject(new AppError('missing', note('pdftotext is not installed')))
    await s.run()
    t.match(inWords(s.catalogue.byId(id)), { status: 'queued', reason: 'pdftotext is not installed' })
    t.match(s.jobs.get('extract', String(id)), { state: 'held' })
    s.jobs.releaseHeld()
    for (const error of [
      new AppError('too-large', because('program_needed_memory', { program: 'pdftotext', limit: '384 MB' })),
      new NotReadYet('invalid', because('all_pages_pictures', { count: 3, why: because('ocr_off') }))
    ]) {
      s.parts.readPages = () => Promise.reject(error)
      s.catalogue.again(id, 'extract')
      await s.run()
      t.match(s.catalogue.byId(id), { status: 'failed', failedStage: 'extract', reason: error.reason })
    }
    s.parts.readPages = readPages
    s.catalogue.retry(id)
    await s.run()
    t.match(s.catalogue.byId(id), { status: 'extracted', reason: null, failedStage: null })
  }
)

t.test('a file that holds no text for good is refused like one at the door, and may come again', async (t) => {
  const s = await setup(t)
  const { readPages } = s.parts
  const bytes = book({ title: 'Blank.pdf', text: '' })
  const id = await s.add('Blank.pdf', [], { text: '' })
  const { hash, path } = s.catalogue.byId(id) ?? { hash: '', path: null }
  t.match(path, /^library\//)
  s.parts.readPages = async (_, shelf) => {
    shelf.put([page(1, 'half of it')])
    throw new AppError('invalid', because('no_text_in_document'))
  }
  await s.run()
  t.equal(s.catalogue.byId(id), null)
  t.same(s.catalogue.pages(id), [])
  t.match(inWords(s.uploads.get(hash)), { state: 'rejected', reason: /no text/, filename: 'Blank.pdf' })
  t.ok(existsSync(join(s.folder, 'rejected', hash, 'source.pdf')))
  t.notOk(existsSync(join(s.folder, path ?? '')))
  t.notOk(existsSync(join(s.folder, 'processing', hash)))
  t.equal(s.jobs.get('extract', String(id)), null)
  const status = await uploadStatus(hash, s)
  t.match(inWords(status), { status: 'rejected', reason: /no text/, document: null })
  s.parts.readPages = readPages
  t.equal(await s.arrive('Blank.pdf', bytes), hash, 'it may come again')
  await s.work()
  t.match(s.catalogue.byHash(hash), { status: 'queued' })
})

t.test('of a converted book that is refused the file that was sent is kept', async (t) => {
  const s = await setup(t)
  const id = await s.add('Blank.epub', [], { text: '' })
  const { hash, path } = s.catalogue.byId(id) ?? { hash: '', path: null }
  t.match(path, /\.pdf$/)
  s.parts.readPages = () => Promise.reject(new AppError('invalid', because('no_text_in_document')))
  await s.run()
  t.match(s.uploads.get(hash), { state: 'rejected' })
  t.same(await s.tree('library'), [])
  t.match(await s.tree('rejected'), [`rejected/${hash}/converted.pdf`, `rejected/${hash}/source.epub`])
})

t.test('a refusal that a crash breaks off anywhere ends the same at the next run', async (t) => {
  for (const step of ['files', 'aside'] as const) {
    const s = await setup(t)
    const id = await s.add('Blank.pdf', [], { text: '' })
    const { hash } = s.catalogue.byId(id) ?? { hash: '' }
    s.parts.readPages = () => Promise.reject(new AppError('invalid', because('no_text_in_document')))
    const { refuse } = s.parts
    let isKilled = false
    s.parts.refuse = async (doc, reason) => {
      if (isKilled) return refuse(doc, reason)
      isKilled = true
      if (step === 'files') await s.shelver.unplace(doc.id, '.pdf')
      else await refuse(doc, reason)
      throw new Error('killed')
    }
    t.ok((await s.run()) > 1)
    t.equal(s.catalogue.byId(id), null, step)
    t.match(s.uploads.get(hash), { state: 'rejected' })
    t.ok(existsSync(join(s.folder, 'rejected', hash, 'source.pdf')))
  }
})

t.test('texts and transcripts are read from their files, whatever their kind', async (t) => {
  const s = await setup(t)
  s.parts.readPages = pageReader({ folder: s.folder, ocr: () => ({ enabled: false, languages: [] }) })
  const text = await s.add('plain.txt', [], { text: TEXT })
  const captions = `WEBVTT\n\n00:00:01.000 --> 00:00:09.000\n${TEXT.slice(0, 300)}\n\n00:04:00.000 --> 00:04:09.000\n${TEXT.slice(300, 600)}\n`
  const hash = await s.arrive('talk.vtt', captions)
  await s.work()
  const talk = s.catalogue.byHash(hash)?.id ?? 0
  await s.run()
  t.equal(s.catalogue.byId(text)?.pageCount, 1)
  t.same(
    s.catalogue.pages(talk).map(({ startSeconds }) => startSeconds),
    [1, 240]
  )
  t.same(await s.tree('processing'), [])
})
