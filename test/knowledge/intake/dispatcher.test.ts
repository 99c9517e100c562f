import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { DOMAINS, TAXONOMY } from '../../../src/knowledge/catalogue/document.ts'
import { dispatchJob } from '../../../src/knowledge/intake/dispatcher.ts'
import { systemReaders } from '../../../src/knowledge/intake/readers.ts'
import { reconcile } from '../../../src/knowledge/intake/reconcile.ts'
import { migrateTaxonomy } from '../../../src/knowledge/intake/taxonomy.ts'
import { sha256Hex } from '../../../src/platform/bytes/hash.ts'
import { findProgram } from '../../../src/platform/process/programs.ts'
import { PROSE, samplePdf } from '../../helpers/documents.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { newDocument } from '../../helpers/knowledge.ts'
import { book, type IntakeSetup, intakeSetup, Killer, pretendedReaders, restart } from './setup.ts'

const CANNING = 'Pressure canners, jars, lids and headspace: how to keep vegetables safe from botulism.'

t.test('a PDF arrives, is named by those who agree, classified, filed and waits to be read', async (t) => {
  const s = await intakeSetup(t)
  const content = book({ title: 'The Canning Book', author: 'Ann Lee', created: '2004-05-01', text: CANNING })
  const hash = await s.arrive('The_Canning_Book_(1991)_[2nd_ed].pdf', content, { category: 'Manuals' })
  await s.work()
  const path = 'library/Preservation-and-Storage/The Canning Book — Ann Lee (1991).pdf'
  t.same(await s.tree(), [path], 'nothing is left anywhere else')
  t.equal(sha256Hex(await s.read(path)), hash)
  const found = s.catalogue.byHash(hash)
  t.match(found, {
    hash,
    kind: 'pdf',
    filename: 'The_Canning_Book_(1991)_[2nd_ed].pdf',
    title: 'The Canning Book',
    author: 'Ann Lee',
    edition: '2nd edition',
    year: '1991',
    category: 'Manuals',
    source: 'dashboard_upload',
    domain: 'Preservation & Storage',
    taxonomy: TAXONOMY,
    status: 'queued',
    path,
    review: null,
    sizeBytes: Buffer.byteLength(content),
    provenance: {
      chosen: { title: 'agreed(document, filename)', author: 'document', edition: 'filename', year: 'filename' },
      said: { 'file date': { year: '2004' } }
    }
  })
  t.equal(s.uploads.get(hash)?.state, 'filed')
  t.same(
    s.jobs.list({ limit: 9 }).map(({ kind, subject }) => [kind, subject]),
    [['extract', String(found?.id)]]
  )
  t.same(s.moves.planned(), [])
})

t.test('U2: the name somebody gave survives hashes on the disk; a nameless file is still found by one', async (t) => {
  const s = await intakeSetup(t)
  const one = await s.arrive(
    'fm_21-76_survival.pdf',
    book({ title: 'Microsoft Word - x.doc', author: 'Administrator' })
  )
  const two = await s.arrive(`${'ab'.repeat(32)}.pdf`, book({ text: 'x' }))
  const three = await s.arrive('scan0001.pdf', book({ text: 'y' }), { title: 'Knots We Use' })
  await s.work()
  t.equal(s.catalogue.byHash(one)?.title, 'FM 21-76 Survival')
  t.equal(s.catalogue.byHash(one)?.author, '')
  t.same(await s.tree('library'), [
    `library/Unsorted/${two.slice(0, 12)}.pdf`,
    'library/Wilderness-Skills/FM 21-76 Survival.pdf',
    'library/Wilderness-Skills/Knots We Use.pdf'
  ])
  t.equal(s.catalogue.byHash(three)?.provenance.chosen.title, 'sidecar')
})

t.test(
  'U3: of an e-book the PDF and the original stand on the shelf; both hashes answer, and neither can come again',
  async (t) => {
    const s = await intakeSetup(t)
    // The pretended converter adds something, so that the hash changes.
    const readers = pretendedReaders()
    const { convert } = readers
    s.parts.readers.convert = async (request) => {
      const made = await convert(request)
      await s.put(made.pdf.slice(s.folder.length + 1), book({ title: 'Goat Keeping', text: 'as a PDF' }))
      return made
    }
    const original = book({ title: 'Goat Keeping', text: 'goats' })
    const hash = await s.arrive('goats.epub', original)
    await s.work()
    const stem = 'library/Agriculture-and-Livestock/Goat Keeping'
    t.same(await s.tree(), [`${stem}.epub`, `${stem}.pdf`])
    t.equal(sha256Hex(await s.read(`${stem}.epub`)), hash)
    const pdf = await s.read(`${stem}.pdf`)
    const found = s.catalogue.byHash(hash)
    t.equal(found?.path, `${stem}.pdf`)
    t.same(inWords(found?.warnings), ['Converted by pretending.'])
    t.equal(s.catalogue.byHash(sha256Hex(pdf))?.id, found?.id)
    const again = await s.arrive('the-pdf.pdf', pdf)
    await s.work()
    t.match(inWords(s.uploads.get(again)), { state: 'duplicate', duplicateOf: hash, reason: /Goat Keeping/ })
    t.ok((await s.tree()).includes(`rejected/${again}/source.pdf`), 'it is kept')
    const twin = await s.arrive('same.mobi', book({ title: 'another wrapping', text: 'goats' }))
    await s.work()
    t.match(s.uploads.get(twin), { state: 'duplicate', duplicateOf: hash })
    t.same((await s.tree('library')).length, 2)
  }
)

t.test('U4: what cannot be taken in is rejected with the reason, and kept', async (t) => {
  const s = await intakeSetup(t)
  const refused: [name: string, content: string, reason: RegExp][] = [
    ['locked.pdf', book({ fault: 'invalid' }), /pretended: invalid/],
    ['broken.docx', book({ fault: 'bad-input' }), /pretended: bad-input/],
    ['huge.epub', book({ fault: 'too-large' }), /too-large/],
    ['strange.pdf', book({ fault: 'unsupported' }), /unsupported/],
    ['blank.txt', '\n \u0000\u200b\n ', /no text/],
    ['nothing.txt', '', /empty/]
  ]
  for (const [name, content, reason] of refused) {
    const hash = await s.arrive(name, content)
    await s.work()
    t.match(inWords(s.uploads.get(hash)), { state: 'rejected', reason }, name)
    t.equal(s.catalogue.byHash(hash), null)
    const kept = (await s.tree(`rejected/${hash}`)).map((path) => path.split('/').at(-1))
    t.same(kept, ['sidecar.meta.json', `source${name.slice(name.lastIndexOf('.'))}`])
    t.equal(await s.read(`rejected/${hash}/${kept[1]}`), content)
  }
  t.same(await s.tree('processing'), [])
  t.same(s.jobs.list({ limit: 9 }), [])
  // Uploading it again is a fresh try; this time it works, and what was kept aside goes.
  const content = book({ title: 'Good now' })
  const hash = await s.arrive('good.pdf', content)
  s.uploads.setState(hash, 'rejected', { reason: note('was bad') })
  await s.put(`rejected/${hash}/source.pdf`, content)
  s.jobs.remove('dispatch', hash)
  await s.arrive('good.pdf', content)
  await s.work()
  t.equal(s.catalogue.byHash(hash)?.status, 'queued')
  t.same(await s.tree(`rejected/${hash}`), [])
})

t.test('U5: a file that cannot be converted blocks nobody; it is given up after five attempts', async (t) => {
  const s = await intakeSetup(t)
  const bad = await s.arrive('bad.epub', book({ fault: 'timeout' }))
  const good = await s.arrive('good.epub', book({ title: 'Good' }))
  const runs = await s.work()
  t.equal(s.catalogue.byHash(good)?.status, 'queued')
  t.match(inWords(s.uploads.get(bad)), { state: 'rejected', reason: 'pretended: timeout' })
  t.equal(runs, 6)
})

t.test(
  'a program that is missing, or a full disk, holds the job; the file waits where it is and says why',
  async (t) => {
    const s = await intakeSetup(t)
    const content = book({ title: 'Waiting', text: CANNING })
    const { convert } = s.parts.readers
    const hash = await s.arrive('waiting.doc', content)
    s.parts.readers.convert = () => Promise.reject(Object.assign(new Error('write'), { code: 'ENOSPC' }))
    await s.work()
    const held = s.jobs.get('dispatch', hash)
    t.match(inWords(held), { state: 'held', reason: /disk is full/ })
    t.ok(Number(held?.dueAt) <= s.clock.now() + 60_000, 'it goes on by itself soon after there is room')
    for (const code of ['EIO', 'EROFS']) {
      s.parts.readers.convert = () => Promise.reject(Object.assign(new Error('write'), { code }))
      for (let n = 0; n < 6; n++) {
        s.jobs.releaseHeld()
        await s.work()
      }
      t.match(s.jobs.get('dispatch', hash), { state: 'held', attempts: 0 }, `${code}: the file is not to blame`)
    }
    s.parts.readers.convert = pretendedReaders().convert
    s.parts.readers.facts = async () => {
      const { AppError } = await import('../../../src/platform/errors.ts')
      throw new AppError('missing', note('pdfinfo is not installed'))
    }
    s.jobs.releaseHeld()
    await s.work()
    t.match(inWords(s.jobs.get('dispatch', hash)), { state: 'held', reason: 'pdfinfo is not installed', attempts: 0 })
    t.match(inWords(s.uploads.get(hash)), { state: 'processing', reason: 'pdfinfo is not installed' })
    t.ok((await s.tree()).includes(`processing/${hash}/source.doc`))
    Object.assign(s.parts.readers, pretendedReaders(), { convert })
    s.jobs.releaseHeld()
    await s.work()
    t.equal(s.catalogue.byHash(hash)?.title, 'Waiting')
  }
)

t.test('U1: a second arrival of a catalogued file touches nothing of the first', async (t) => {
  const s = await intakeSetup(t)
  const content = book({ title: 'Only Once', text: CANNING })
  const hash = await s.arrive('once.pdf', content)
  await s.work()
  const found = s.catalogue.byHash(hash)
  await s.put(`processing/${hash}/extract/page-1`, 'work under way')
  const before = await s.tree()
  // As if the record had been lost: nothing else lets the same bytes through.
  s.uploads.forget(hash)
  await s.arrive('once more.pdf', content)
  await s.work()
  t.same(await s.tree(), before)
  t.same(s.catalogue.byHash(hash), found)
  t.equal(s.uploads.get(hash)?.state, 'filed')
  // The new copy is not thrown away where the filed one is lost.
  await rm(join(s.folder, found?.path ?? ''))
  s.uploads.forget(hash)
  await s.arrive('again.pdf', content)
  await s.work()
  t.equal(await s.read(`rejected/${hash}/source.pdf`), content)
})

t.test('the same title, author, edition and year is a probable copy: it waits for somebody, unread', async (t) => {
  const s = await intakeSetup(t)
  const facts = { title: 'Knots', author: 'Ann Lee', subject: '2nd edition' }
  const first = await s.arrive('a (1999).pdf', book({ ...facts, text: 'one' }))
  const second = await s.arrive('b (1999).pdf', book({ ...facts, text: 'two' }))
  const other = await s.arrive('c.pdf', book({ ...facts, text: 'three' }))
  await s.work()
  t.equal(s.catalogue.byHash(first)?.status, 'queued')
  const copy = s.catalogue.byHash(second)
  t.match(inWords(copy), {
    status: 'needs_review',
    path: `processing/${second}/source.pdf`,
    review: { reason: /same title, author, edition and year/, candidates: [], duplicate_of: first }
  })
  t.equal(s.catalogue.byHash(other)?.status, 'queued', 'without a year nobody can say')
  t.equal(s.jobs.get('extract', String(copy?.id)), null)
  const again = await restart(t, s)
  t.ok((await again.tree()).includes(`processing/${second}/source.pdf`), 'it stays through a restart')
  s.catalogue.keep(copy?.id ?? 0)
  await again.shelver.place(copy?.id ?? 0)
  t.match(s.catalogue.byHash(second)?.path, /^library\/.*\[[0-9a-f]{6}\]\.pdf$/)
})

t.test(
  'R3: what cannot be classified is filed at once under Unsorted with candidates, and starves nobody',
  async (t) => {
    const s = await intakeSetup(t)
    for (let n = 0; n < 60; n++)
      await s.arrive(`notes ${n}.pdf`, book({ title: `Antennas and Goats ${n}`, text: 'antenna repeater goat sheep' }))
    const clear = await s.arrive('canning.pdf', book({ title: 'Canning', text: CANNING }))
    t.equal(await s.work(), 61, 'one run each')
    t.match(s.catalogue.byHash(clear)?.path, /^library\/Preservation-and-Storage\//)
    const { documents } = s.catalogue.list({ domain: 'Unsorted', limit: 100 })
    t.equal(documents.length, 60)
    for (const { path, review, status } of documents) {
      t.match(path, /^library\/Unsorted\/Antennas and Goats/)
      t.match(inWords(review), { reason: /^could be/, duplicate_of: null })
      t.same([...(review?.candidates ?? [])].sort(), ['Agriculture & Livestock', 'Communications'])
      t.equal(status, 'queued')
    }
  }
)

t.test('U6: a folder without a record gets one from its sidecar, or is put aside with a reason', async (t) => {
  const s = await intakeSetup(t)
  const content = book({ title: 'Lost and Found', text: CANNING })
  const hash = sha256Hex(content)
  const sidecar = {
    original_filename: 'found.pdf',
    category: 'Manuals',
    title: '',
    source: 'folder',
    source_type: 'pdf',
    x: 1
  }
  await s.put(`processing/${hash}/source.pdf`, content)
  await s.put(`processing/${hash}/sidecar.meta.json`, JSON.stringify(sidecar))
  const bare = book({ title: 'No Sidecar' })
  await s.put(`processing/${sha256Hex(bare)}/source.pdf`, bare)
  const changed = 'c'.repeat(64)
  await s.put(`processing/${changed}/source.pdf`, 'other bytes')
  const empty = 'e'.repeat(64)
  await s.put(`processing/${empty}/page_0001.txt`, 'old')
  await s.put('processing/stray/file', 'what is this')
  const dead = await s.arrive('dead.pdf', book({ title: 'Dead' }))
  await s.put(`processing/${dead}/source.pdf`, 'x')
  s.uploads.setState(dead, 'rejected', { reason: note('gave up') })
  const lost = await s.arrive('job lost.pdf', book({ title: 'Job Lost' }))
  s.jobs.remove('dispatch', lost)
  const { catalogue, uploads, jobs, shelver, bench, fs } = s
  const done = await reconcile({ catalogue, uploads, jobs, shelver, bench, log: s.parts.log as never, fs })
  t.same(done, { rebuilt: 2, aside: 4, cleared: 0, requeued: 1 })
  t.match(uploads.get(hash), { state: 'pending', filename: 'found.pdf', category: 'Manuals', sidecar: { x: 1 } })
  t.match(inWords(uploads.get(changed)), { state: 'rejected', reason: 'its file has changed on the disk' })
  t.match(inWords(uploads.get(empty)), { state: 'rejected', reason: 'there is no document in it' })
  t.same(
    await s.tree('rejected'),
    [
      `rejected/${changed}/source.pdf`,
      `rejected/${dead}/source.pdf`,
      `rejected/${empty}/page_0001.txt`,
      'rejected/stray/file'
    ].sort()
  )
  await s.work()
  t.equal(catalogue.byHash(hash)?.title, 'Lost and Found')
  t.equal(catalogue.byHash(lost)?.title, 'Job Lost')
  t.same(await s.tree('processing'), [])
})

t.test('bytes that changed on the disk, or are gone, are told and never filed', async (t) => {
  const s = await intakeSetup(t)
  const changed = await s.arrive('changed.pdf', book({ title: 'Changed' }))
  await s.put(`acquired/pdf/${changed}.pdf`, 'rotten')
  const gone = await s.arrive('gone.pdf', book({ title: 'Gone' }))
  await rm(join(s.folder, `acquired/pdf/${gone}.pdf`))
  await s.work()
  t.match(inWords(s.uploads.get(changed)), { state: 'rejected', reason: /changed on the disk/ })
  t.match(inWords(s.uploads.get(gone)), { state: 'rejected', reason: /is gone/ })
  t.same(await s.tree('library'), [])
  const kept = await s.arrive('kept.pdf', book({ title: 'Kept' }))
  await s.put(`processing/${kept}/source.pdf`, 'half a co')
  await s.work()
  t.equal(sha256Hex(await s.read(s.catalogue.byHash(kept)?.path ?? '')), kept, 'a broken earlier copy is replaced')
})

t.test('a language model is the most trusted voter; when it fails, the rest decide and a warning stays', async (t) => {
  const s = await intakeSetup(t)
  const text = 'Root Cellaring by Mike Bubel, first printed in 1979. '.repeat(3)
  const answers = [
    '```json\n{"title": "Root Cellaring", "author": "Mike Bubel", "edition": "null", "year": 1979}\n```',
    '{"title": "Dune", "author": "unknown", "edition": null, "year": "1965"}',
    'I am sorry, I cannot do that.',
    '{"title": "x", "extra": true}',
    ''
  ]
  const asked: string[] = []
  s.parts.model = () => ({
    name: 'a model',
    complete: async ({ prompt }) => {
      asked.push(prompt)
      const answer = answers[asked.length - 1] ?? ''
      if (answer === '') throw new Error('no connection')
      return answer
    }
  })
  const hashes: string[] = []
  for (const n of answers.keys())
    hashes.push(
      await s.arrive(`scan${n}.pdf`, book({ title: `Old Title ${n}`, text: `${text}${n}${'z'.repeat(9000)}` }))
    )
  await s.work()
  const found = hashes.map((hash) => s.catalogue.byHash(hash))
  t.match(found[0], { title: 'Root Cellaring', author: 'Mike Bubel', edition: '', year: '1979', warnings: [] })
  t.match(found[0]?.provenance.chosen, { title: 'language model' })
  t.match(found[1], { title: 'Old Title 1', author: '', year: '1979' }, 'what does not stand in the pages is no vote')
  for (const at of [2, 3])
    t.match(inWords(found[at]), { title: `Old Title ${at}`, warnings: [/a model has not answered/] })
  t.match(inWords(found[4]), { title: 'Old Title 4', warnings: [/no connection/] })
  t.ok(asked.every((prompt) => prompt.length < 6300))
})

t.test('a transcript keeps where it came from; a text is filed as it is', async (t) => {
  const s = await intakeSetup(t)
  const sidecar = { source_url: 'https://example.org/v/1' }
  const talk = await s.arrive('talk.vtt', book({ text: 'Goats and sheep on pasture.' }), {
    title: 'A Talk on Goats',
    sidecar
  })
  const bad = await s.arrive('talk2.vtt', book({ text: 'x' }), {
    title: 'Two',
    sidecar: { source_url: 'javascript:alert(1)' }
  })
  const text = await s.arrive('canning.txt', book({ text: CANNING }))
  await s.work()
  t.match(s.catalogue.byHash(talk), {
    kind: 'transcript',
    url: 'https://example.org/v/1',
    path: 'library/Agriculture-and-Livestock/A Talk on Goats.vtt'
  })
  t.equal(s.catalogue.byHash(bad)?.url, null)
  t.match(s.catalogue.byHash(text), { kind: 'text', path: /\.txt$/ })
})

t.test('L10: domains have a version; a later list brings rows and files along, and asks where it cannot', async (t) => {
  const s = await intakeSetup(t)
  for (const [n, domain] of ['Medical', 'Navigation', 'Security', 'Unsorted'].entries()) {
    const path = `library/${domain}/Book ${n}.pdf`
    await s.put(path, domain)
    s.catalogue.add(newDocument(n, { domain, path, author: '' }))
  }
  const steps = {
    [TAXONOMY + 1]: { Medical: 'Operations' },
    [TAXONOMY + 2]: { Navigation: null, Operations: 'Vehicles' }
  } as const
  const { db, catalogue, shelver } = s
  const version = TAXONOMY + 2
  t.equal(await migrateTaxonomy({ db, catalogue, shelver }, { version, steps }), 4)
  t.same(await s.tree(), [
    'library/Navigation/Book 1.pdf',
    'library/Security/Book 2.pdf',
    'library/Unsorted/Book 3.pdf',
    'library/Vehicles/Book 0.pdf'
  ])
  t.match(catalogue.byId(1), {
    domain: 'Vehicles',
    path: 'library/Vehicles/Book 0.pdf',
    review: null,
    taxonomy: version
  })
  t.match(inWords(catalogue.byId(2)), {
    domain: 'Unsorted',
    review: { reason: /Navigation, no longer exists/ },
    taxonomy: version
  })
  t.match(catalogue.byId(3), { domain: 'Security', taxonomy: version })
  t.equal(await migrateTaxonomy({ db, catalogue, shelver }, { version, steps }), 0, 'once')
  t.equal(await migrateTaxonomy({ db, catalogue, shelver }), 0, 'nothing to do today')
  t.equal(DOMAINS.length, 18)
})

t.test('real files: a PDF and a text are filed, a locked and a broken one rejected', async (t) => {
  if (findProgram('pdfinfo') === null || findProgram('pdftotext') === null)
    return void t.comment('skipped: poppler-utils is not installed')
  const s = await intakeSetup(t, { readers: systemReaders })
  const prose = `WATER FOR FAMILIES\n\nby Ann Lee\n\nFirst printed in 1987. ${PROSE}`
  const good = await s.arriveBytes('scan01.pdf', await samplePdf([prose], { title: 'untitled' }))
  const locked = await s.arriveBytes('locked.pdf', await samplePdf(['secret'], { password: 'x' }))
  const broken = await s.arriveBytes('broken.pdf', Buffer.from('%PDF-1.7\nthen nothing'))
  const text = await s.arriveBytes('Boiling Water.txt', Buffer.from(PROSE))
  await s.work()
  t.match(s.catalogue.byHash(good), {
    title: 'Water for Families',
    author: 'Ann Lee',
    year: '1987',
    domain: 'Water Systems',
    path: 'library/Water-Systems/Water for Families — Ann Lee (1987).pdf',
    provenance: { chosen: { title: 'first page' }, said: { 'file date': { year: '2019' } } }
  })
  t.match(inWords(s.uploads.get(locked)), { state: 'rejected', reason: /password/ })
  t.match(inWords(s.uploads.get(broken)), { state: 'rejected', reason: /damaged/ })
  t.match(s.catalogue.byHash(text), {
    title: 'Boiling Water',
    kind: 'text',
    path: 'library/Water-Systems/Boiling Water.txt'
  })
})

const EBOOK = book({ title: 'Goat Keeping', text: 'goats' })
/** Files of every outcome; `end` is the state of the upload. */
const SCENARIOS: readonly { name: string; content: string; end: string; shelf: number; earlier?: [string, string] }[] =
  [
    { name: 'canning.pdf', content: book({ title: 'Canning', text: CANNING }), end: 'filed', shelf: 1 },
    { name: 'goats.epub', content: EBOOK, end: 'filed', shelf: 2 },
    { name: 'notes.txt', content: book({ text: CANNING }), end: 'filed', shelf: 1 },
    { name: 'locked.pdf', content: book({ fault: 'invalid' }), end: 'rejected', shelf: 0 },
    { name: 'broken.docx', content: book({ fault: 'bad-input' }), end: 'rejected', shelf: 0 },
    {
      name: 'twin.mobi',
      content: `${EBOOK}`.replace('goats', 'goats '),
      end: 'filed',
      shelf: 3,
      earlier: ['goats.pdf', EBOOK]
    },
    {
      name: 'copy (1999).pdf',
      content: book({ title: 'Knots', author: 'Ann Lee', subject: '2nd edition', text: 'two' }),
      end: 'filed',
      shelf: 1,
      earlier: ['knots (1999).pdf', book({ title: 'Knots', author: 'Ann Lee', subject: '2nd edition', text: 'one' })]
    }
  ]

/** Arrives, is killed at every step given, one after the other, and then left in peace. */
async function survive(t: Test, scenario: (typeof SCENARIOS)[number], kills: readonly [at: number, after: boolean][]) {
  let setup: IntakeSetup = await intakeSetup(t)
  if (scenario.earlier !== undefined) {
    await setup.arrive(...scenario.earlier)
    await setup.work()
  }
  const hash = await setup.arrive(scenario.name, scenario.content)
  let steps = 0
  for (const [at, after] of kills) {
    const killer = new Killer(at, after)
    setup = await restart(t, setup, killer)
    await setup.work()
    steps = killer.steps
  }
  setup = await restart(t, setup)
  await setup.work()
  return { setup, hash, steps }
}

/** The faults of a scenario's end: it must be the same, wherever the work was killed. Answers what is wrong. */
async function faultsOf(scenario: (typeof SCENARIOS)[number], setup: IntakeSetup, hash: string): Promise<string[]> {
  const faults: string[] = []
  const expect = (is: boolean, what: string): void => void (is || faults.push(what))
  const files = await setup.tree()
  const shelf = files.filter((path) => path.startsWith('library/'))
  const document = setup.catalogue.byHash(hash)
  const held = document?.status === 'needs_review'
  expect(setup.uploads.get(hash)?.state === scenario.end, `upload is ${setup.uploads.get(hash)?.state}`)
  expect((document !== null) === (scenario.end === 'filed'), 'one document, or none of what was rejected')
  expect(shelf.length === scenario.shelf, `shelf: ${shelf.join(', ')}`)
  expect(
    files.every((path) => !path.startsWith('acquired/')),
    `intake: ${files.join(', ')}`
  )
  expect(
    files.every((path) => held || !path.startsWith('processing/')),
    `left: ${files.join(', ')}`
  )
  expect(
    files.every((path) => !/\.part$|\.moving-|\/work\//.test(path)),
    `half: ${files.join(', ')}`
  )
  expect(setup.moves.planned().length === 0, 'a move is open')
  expect(setup.jobs.get('dispatch', hash) === null, 'the job is left')
  if (document !== null) {
    const original = (await setup.shelver.filesOf(document)).find(({ extension }) => scenario.name.endsWith(extension))
    expect(sha256Hex(await setup.read(original?.path ?? '')) === hash, 'the original is not what was sent')
    expect((setup.jobs.get('extract', String(document.id)) === null) === held, 'the next job')
    expect(files.includes(document.path ?? ''), `its path is ${document.path}`)
  } else
    expect(
      files.some((path) => path.startsWith(`rejected/${hash}/source`)),
      'what was rejected is kept'
    )
  return faults
}

t.test('killed at any single step, before or after it took effect, a second run ends the same', async (t) => {
  for (const scenario of SCENARIOS) {
    const { steps } = await survive(t, scenario, [[Number.POSITIVE_INFINITY, false]])
    t.ok(steps > 8, `${scenario.name}: ${steps} steps`)
    for (let at = 1; at <= steps; at++) {
      for (const after of [false, true]) {
        const { setup, hash } = await survive(t, scenario, [[at, after]])
        const faults = await faultsOf(scenario, setup, hash)
        if (faults.length > 0)
          t.fail(`${scenario.name}, killed ${after ? 'after' : 'before'} step ${at}: ${faults.join('; ')}`)
      }
    }
  }
})

t.test('killed again and again, in the run and in the look after it, it ends the same', async (t) => {
  const kill = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean())
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SCENARIOS),
      fc.array(kill, { minLength: 2, maxLength: 5 }),
      async (scenario, kills) => {
        const { setup, hash } = await survive(t, scenario, kills)
        const faults = await faultsOf(scenario, setup, hash)
        if (faults.length > 0) throw new Error(`${scenario.name}: ${faults.join('; ')}`)
      }
    ),
    { numRuns: 30 }
  )
})

t.test('a run whose lease was lost stops before it files anything', async (t) => {
  const s = await intakeSetup(t)
  const hash = await s.arrive('a.pdf', book({ title: 'A Book' }))
  const job = s.jobs.claim(['dispatch'], { owner: 'x', leaseMs: 1000 })
  const abort = new AbortController()
  abort.abort(new Error('lost'))
  if (job === null) throw new Error('no job')
  await t.rejects(dispatchJob(s.parts).run(job, { signal: abort.signal, progress: () => undefined }), {
    message: 'lost'
  })
  t.equal(s.catalogue.byHash(hash), null)
  t.same(await s.tree('library'), [])
})
