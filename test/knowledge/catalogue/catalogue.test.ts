import t from 'tap'
import { type Domain, type NewItem, UNSORTED } from '../../../src/knowledge/catalogue/document.ts'
import { STAGE_TABLE, STAGES } from '../../../src/knowledge/catalogue/states.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { knowledgeSetup, newDocument } from '../../helpers/knowledge.ts'

const item = (patch: Partial<NewItem> = {}): NewItem => ({
  window: 0,
  ordinal: 0,
  origin: 'extract',
  firstPage: 1,
  lastPage: 1,
  title: 'Wells',
  summary: 'About wells.',
  content: 'A well is dug away from latrines.',
  details: {
    domain: 'Water Systems',
    subdomain: ['Wells'],
    keywords: ['well'],
    knowledge_type: 'procedural',
    complexity: 'basic',
    key_facts: []
  },
  ...patch
})

t.test('a document is stored whole, answers to each of its hashes, and waits for its stage with a job', async (t) => {
  const { catalogue, jobs, clock } = await knowledgeSetup(t)
  const doc = newDocument(1, {
    provenance: { chosen: { title: 'agreed (filename, document)' }, said: { filename: { title: 'Book 1' } } },
    review: { reason: note('two domains'), candidates: ['Medical'], duplicate_of: null },
    warnings: [note('page 3 is blank')],
    path: 'library/Medical/Book 1.pdf',
    language: 'en',
    simhash: '00000000000000ff',
    textHash: 'f'.repeat(64)
  })
  const id = catalogue.add(doc, ['2'.repeat(64), doc.hash])
  const found = catalogue.byHash('2'.repeat(64))
  t.match(found, { ...doc, id, domain: UNSORTED, status: 'queued', createdAt: clock.now(), extractedAt: null })
  t.same(catalogue.byId(id), found)
  t.same(catalogue.byHash(doc.hash), found)
  t.same(catalogue.hashesOf(id), [doc.hash, '2'.repeat(64)])
  t.equal(catalogue.byHash('9'.repeat(64)), null)
  t.same(catalogue.hashOwner('2'.repeat(64)), {
    documentId: id,
    hash: doc.hash,
    filename: 'book 1.pdf',
    status: 'queued'
  })
  t.match(jobs.get('extract', String(id)), { state: 'waiting' })
  const web = catalogue.add(newDocument(3, { kind: 'web', status: 'extracted' }))
  t.match(jobs.get('enrich', String(web)), { state: 'waiting' }, 'what arrives with its pages starts at the enricher')
  t.equal(jobs.get('extract', String(web)), null)
  const copy = catalogue.add(newDocument(4, { status: 'needs_review' }))
  t.same(
    jobs.list({ limit: 10 }).filter(({ subject }) => subject === String(copy)),
    [],
    'a probable copy waits for people'
  )
})

t.test('U1: a hash is claimed by one row; a second document with it changes nothing of the first', async (t) => {
  const { catalogue, jobs } = await knowledgeSetup(t)
  const id = catalogue.add(newDocument(1), ['2'.repeat(64)])
  catalogue.setPages(id, [{ number: 1, text: 'text', method: 'text', startSeconds: null }])
  catalogue.replaceItems(id, 0, 'extract', [item()])
  const before = catalogue.byId(id)
  for (const [doc, hashes] of [
    [newDocument(1), []],
    [newDocument(2), []],
    [newDocument(5), ['2'.repeat(64)]],
    [newDocument(6), ['7'.repeat(64), '1'.repeat(64)]]
  ] as const) {
    t.throws(() => catalogue.add(doc, hashes), { code: 'conflict', message: /book 1\.pdf/ })
    t.equal(catalogue.byHash('7'.repeat(64)), null, 'nothing of it is stored')
  }
  t.same(catalogue.byId(id), before)
  t.equal(catalogue.pages(id).length, 1)
  t.equal(catalogue.countItems(id), 1)
  t.equal(
    jobs.counts().reduce((sum, { count }) => sum + count, 0),
    1
  )
  t.throws(() => catalogue.addHash(catalogue.add(newDocument(8)), '1'.repeat(64)), { code: 'conflict' })
  catalogue.addHash(id, '1'.repeat(64))
})

t.test(
  'every stage takes a document from its state through its own to the next, with the next job, in one step',
  async (t) => {
    const { catalogue, jobs, db } = await knowledgeSetup(t)
    const id = catalogue.add(newDocument(1))
    for (const [index, stage] of STAGES.entries()) {
      const { from, during, to } = STAGE_TABLE[stage]
      t.equal(catalogue.byId(id)?.status, from)
      t.equal(catalogue.begin(id, stage).status, during)
      t.equal(catalogue.byId(id)?.status, during)
      t.equal(catalogue.begin(id, stage).status, during, 'a run that was cut off begins again')
      for (const other of STAGES.filter((name) => name !== stage))
        t.throws(() => catalogue.begin(id, other), { code: 'invalid' }, `${other} has no business here`)
      t.throws(() =>
        db.transaction(() => {
          catalogue.finishStage(id, stage, { pageCount: 7 })
          throw new Error('power cut')
        })
      )
      t.equal(catalogue.byId(id)?.status, during, 'half a step is none')
      catalogue.finishStage(id, stage, { pageCount: 7 })
      t.equal(catalogue.byId(id)?.status, to)
      const next = STAGES[index + 1]
      if (next !== undefined) t.match(jobs.get(next, String(id)), { state: 'waiting' })
    }
    const done = catalogue.byId(id)
    t.match(done, { status: 'complete', pageCount: 7, reason: null })
    t.ok(done?.extractedAt && done.enrichedAt && done.completedAt)
    t.throws(() => catalogue.begin(id, 'embed'), { code: 'invalid' })
    t.throws(() => catalogue.begin(999, 'embed'), { code: 'invalid' })
  }
)

t.test(
  'R1: a retry goes back to the stage that failed, with its job; U5: giving up is a state with a reason',
  async (t) => {
    const { catalogue, jobs } = await knowledgeSetup(t)
    for (const [index, stage] of STAGES.entries()) {
      const id = catalogue.add(newDocument(index + 1))
      for (const before of STAGES.slice(0, index)) {
        catalogue.begin(id, before)
        catalogue.finishStage(id, before)
      }
      for (const done of STAGES) jobs.remove(done, String(id))
      catalogue.begin(id, stage)
      catalogue.fail(id, stage, note('the disk is on fire'))
      t.match(inWords(catalogue.byId(id)), { status: 'failed', failedStage: stage, reason: 'the disk is on fire' })
      t.equal(catalogue.retry(id), true)
      t.match(catalogue.byId(id), { status: STAGE_TABLE[stage].from, failedStage: null, reason: null })
      t.match(jobs.get(stage, String(id)), { state: 'waiting' }, `${stage} has a worker to come back to`)
      t.equal(catalogue.retry(id), false, 'what has not failed is not tried again')
      catalogue.fail(id, stage, note('again'))
    }
    t.equal(catalogue.counts().failed, 3)
    t.equal(catalogue.retryAll(), 3)
    t.equal(catalogue.counts().failed, 0)
  }
)

t.test(
  'R6: a document left out for its language is no failure: retry-all leaves it, a retry of its own looks again',
  async (t) => {
    const { catalogue, jobs } = await knowledgeSetup(t)
    const id = catalogue.add(newDocument(1, { status: 'extracted' }))
    catalogue.begin(id, 'enrich')
    catalogue.skip(id, note('its language is German, and en is read'), { language: 'de' })
    jobs.remove('enrich', String(id))
    t.match(catalogue.byId(id), { status: 'skipped', language: 'de', failedStage: null })
    t.equal(catalogue.retryAll(), 0)
    t.equal(catalogue.byId(id)?.status, 'skipped')
    t.equal(catalogue.retry(id), true)
    t.equal(catalogue.byId(id)?.status, 'extracted')
    t.match(jobs.get('enrich', String(id)), { state: 'waiting' })
  }
)

t.test('a late failure or release of a stage that is past changes nothing', async (t) => {
  const { catalogue } = await knowledgeSetup(t)
  const id = catalogue.add(newDocument(1))
  catalogue.begin(id, 'extract')
  catalogue.release(id, 'extract', note('pdftotext is missing'))
  t.match(inWords(catalogue.byId(id)), { status: 'queued', reason: 'pdftotext is missing' })
  catalogue.begin(id, 'extract')
  catalogue.finishStage(id, 'extract')
  t.equal(catalogue.byId(id)?.reason, null)
  catalogue.fail(id, 'extract', note('too late'))
  catalogue.release(id, 'extract')
  t.equal(catalogue.byId(id)?.status, 'extracted')
  catalogue.fail(999, 'extract', note('gone'))
  catalogue.update(999, { title: 'gone' })
  catalogue.again(id, 'extract')
  t.equal(catalogue.byId(id)?.status, 'queued')
})

t.test('pages, windows and items are replaced, counted and cut as a whole', async (t) => {
  const { catalogue } = await knowledgeSetup(t)
  const id = catalogue.add(newDocument(1))
  const page = (number: number) => ({ number, text: `page ${number}`, method: 'pdftotext', startSeconds: number * 1.5 })
  catalogue.setPages(id, [page(1), page(2), page(3), page(4)])
  catalogue.setPages(id, [page(1), page(2), page(3)])
  t.same(catalogue.pages(id), [page(1), page(2), page(3)])
  t.same(catalogue.pages(id, { from: 2, to: 9 }), [page(2), page(3)])
  t.same(catalogue.page(id, 2), page(2))
  t.equal(catalogue.page(id, 4), null)
  catalogue.replaceItems(id, 0, 'extract', [item(), item({ ordinal: 1 })])
  const [first, second] = catalogue.replaceItems(id, 0, 'extract', [item({ title: 'New' }), item({ ordinal: 1 })])
  const [written] = catalogue.replaceItems(id, 1, 'llm', [item({ window: 9, origin: 'extract' })])
  t.match(written, { window: 1, origin: 'llm', documentId: id })
  t.same(catalogue.items(id), [first, second, written])
  t.same(catalogue.items(id, { limit: 1 }), [first])
  t.same(catalogue.items(id, { after: first ?? null, limit: 5 }), [second, written])
  t.same(catalogue.item(second?.id ?? 0), second)
  t.equal(catalogue.item(999), null)
  t.same(catalogue.itemsById([written?.id ?? 0, 999, first?.id ?? 0]), [written, first])
  t.equal(catalogue.countItems(id), 3)
  const range = { number: 0, firstPage: 1, lastPage: 3 } as const
  const window = { ...range, state: 'failed', reason: note('no answer'), provider: 'm' } as const
  catalogue.setWindow(id, window)
  t.same(catalogue.windows(id), [window])
  catalogue.setWindow(id, { ...window, state: 'done', reason: null })
  t.match(catalogue.windows(id), [{ state: 'done', reason: null }])
  t.equal(catalogue.clearEnrichment(id), 3)
  t.same([catalogue.windows(id), catalogue.countItems(id)], [[], 0])
})

t.test(
  'pages and items of a long document are read a few at a time, in order, none left out and none twice',
  async (t) => {
    const { catalogue } = await knowledgeSetup(t)
    const [id, other] = [catalogue.add(newDocument(1)), catalogue.add(newDocument(2))]
    const page = (number: number) => ({ number, text: `page ${number}`, method: 'text', startSeconds: null })
    for (const count of [0, 1, 19, 20, 21, 40, 95]) {
      const pages = Array.from({ length: count }, (_, at) => page(at * 2))
      catalogue.setPages(id, [])
      for (let at = 0; at < count; at += 7) catalogue.putPages(id, pages.slice(at, at + 7))
      catalogue.setPages(other, [page(1), page(2)])
      t.same([...catalogue.eachPage(id)], pages, `${count} pages`)
      t.same(
        catalogue.pageNumbers(id),
        pages.map(({ number }) => ({ number }))
      )
    }
    catalogue.putPages(id, [{ ...page(4), text: 'read again' }])
    t.equal(catalogue.page(id, 4)?.text, 'read again')
    t.equal([...catalogue.eachPage(id)].length, 95)
    for (let window = 0; window < 6; window++)
      catalogue.replaceItems(id, window, window % 2 === 0 ? 'extract' : 'llm', [item(), item({ ordinal: 1 })])
    catalogue.replaceItems(other, 0, 'extract', [item()])
    for (const size of [1, 3, 4, 12, 50]) {
      const slices = [...catalogue.itemSlices(id, size)]
      t.same(slices.flat(), catalogue.items(id), `in slices of ${size}`)
      t.ok(slices.every((slice) => slice.length > 0 && slice.length <= size))
    }
    t.same(catalogue.windowsWritten(id, 'extract'), [0, 2, 4])
    t.equal(catalogue.itemsOfWindow(id, 2, 'extract').length, 2)
    t.same(catalogue.itemsOfWindow(id, 2, 'llm'), [])
  }
)

t.test('the list is newest first, page by page, and every filter narrows it', async (t) => {
  const { catalogue } = await knowledgeSetup(t)
  const ids = [1, 2, 3, 4, 5].map((n) =>
    catalogue.add(
      newDocument(n, {
        ...(n === 2 ? { kind: 'web', domain: 'Medical', author: 'Müller', title: '100% wool_socks' } : {}),
        ...(n === 3 ? { sourceId: 7, kind: 'wiki', source: 'library', category: 'Wiki' } : {}),
        ...(n === 4
          ? { status: 'needs_review', review: { reason: note('copy'), candidates: [], duplicate_of: null } }
          : {})
      })
    )
  )
  const hashes = (query: object) => catalogue.list({ limit: 50, ...query }).documents.map(({ hash }) => Number(hash[0]))
  t.same(hashes({}), [5, 4, 3, 2, 1])
  const first = catalogue.list({ limit: 2 })
  t.same(first.next, ids[3])
  t.same(hashes({ cursor: first.next, limit: 2 }), [3, 2])
  t.equal(catalogue.list({ limit: 5 }).next, null)
  t.same(hashes({ badge: 'WEB' }), [2])
  t.same(hashes({ badge: 'PDF' }), [5, 4, 1])
  t.same(hashes({ domain: 'Medical' }), [2])
  t.same(hashes({ category: 'Wiki' }), [3])
  t.same(hashes({ sourceId: 7 }), [3])
  t.same(hashes({ status: 'needs_review' }), [4])
  t.same(hashes({ review: true }), [4])
  t.same(hashes({ text: 'müller WOOL' }), [2])
  t.same(hashes({ text: '100%' }), [2], 'a percent sign is a letter')
  t.same(hashes({ text: 'wool_s' }), [2])
  t.same(hashes({ text: 'k_1' }), [], 'so is a low line')
  t.same(hashes({ text: "'; DROP TABLE documents; --" }), [])
  t.match(catalogue.counts(), { queued: 4, needs_review: 1, complete: 0, failed: 0 })
  t.match(catalogue.countsBySource(7), { queued: 1, needs_review: 0 })
  t.equal(catalogue.countReview(), 1)
  t.same(catalogue.categories(), [
    { name: 'Manuals', count: 4 },
    { name: 'Wiki', count: 1 }
  ])
})

t.test('throughput counts what was finished in each of the last 24 hours', async (t) => {
  const { catalogue, clock } = await knowledgeSetup(t)
  const finish = (n: number, hoursAgo: number) => {
    const id = catalogue.add(newDocument(n, { status: 'enriched' }))
    catalogue.begin(id, 'embed')
    catalogue.finishStage(id, 'embed', { pageCount: 10, completedAt: clock.now() - hoursAgo * 3_600_000 })
  }
  for (const [n, hours] of [
    [1, 0],
    [2, 0.9],
    [3, 1.1],
    [4, 23.5],
    [5, 24.5]
  ] as const)
    finish(n, hours)
  const { hours, documents, pages } = catalogue.throughput()
  t.equal(hours.length, 24)
  t.same([hours[23], hours[22], hours[0], documents, pages], [2, 1, 1, 2, 20])
})

t.test('the same book is found whatever its spelling; a title alone says nothing', async (t) => {
  const { catalogue } = await knowledgeSetup(t)
  const book = { title: 'Où il n’y a pas de docteur', author: 'D. Werner', edition: '2nd', year: '1992' }
  catalogue.add(newDocument(1, book))
  catalogue.add(newDocument(2, { title: 'Introduction', author: '' }))
  catalogue.add(newDocument(3, { ...book, kind: 'wiki', author: 'Wiki' }))
  t.match(catalogue.sameWork({ ...book, title: 'OU IL N Y A PAS DE DOCTEUR!', author: 'd werner' }), {
    filename: 'book 1.pdf'
  })
  t.match(catalogue.sameWork(book), { filename: 'book 1.pdf' }, 'asked twice')
  t.equal(catalogue.sameWork(book, '1'.repeat(64)), null, 'nobody copies himself')
  for (const other of [{ edition: '3rd' }, { year: '' }, { author: 'X' }, { title: 'Another' }])
    t.equal(catalogue.sameWork({ ...book, ...other }), null)
  t.equal(catalogue.sameWork({ title: 'Introduction', author: '', edition: '', year: '' }), null)
})

t.test('nearly the same text is found by at most three bits, the nearest first', async (t) => {
  const { catalogue } = await knowledgeSetup(t)
  catalogue.add(newDocument(1, { simhash: 'ffffffff00000007', textHash: 'a' }))
  catalogue.add(newDocument(2, { simhash: 'ffffffff00000001', textHash: 'b' }))
  catalogue.add(newDocument(3, { simhash: '7fffffff80000000', textHash: 'c' }))
  t.match(catalogue.similar('ffffffff00000000', ''), { filename: 'book 2.pdf' })
  t.match(catalogue.similar('ffffffff00000000', '', '2'.repeat(64)), { filename: 'book 3.pdf' })
  t.match(catalogue.similar('0000000000000000', 'c'), { filename: 'book 3.pdf' }, 'the same text, whatever its simhash')
  t.equal(catalogue.similar('ffffffff000000f0', ''), null, 'four bits are too many')
  t.equal(catalogue.similar('nonsense', ''), null)
})

t.test('decisions: a domain, keep, replace and discard', async (t) => {
  const { catalogue, jobs } = await knowledgeSetup(t)
  const unsure = catalogue.add(
    newDocument(1, { review: { reason: note('two'), candidates: ['Medical'], duplicate_of: null } })
  )
  catalogue.decideDomain(unsure, 'Medical' satisfies Domain)
  t.match(catalogue.byId(unsure), { domain: 'Medical', review: null, status: 'queued' })
  const copyOf = (n: number) =>
    catalogue.add(
      newDocument(n, {
        status: 'needs_review',
        review: { reason: note('copy'), candidates: ['Medical'], duplicate_of: '1'.repeat(64) }
      })
    )
  const kept = copyOf(2)
  catalogue.decideDomain(kept, 'Security')
  t.match(catalogue.byId(kept), { domain: 'Security', review: { duplicate_of: '1'.repeat(64), candidates: [] } })
  catalogue.keep(kept)
  t.match(catalogue.byId(kept), { status: 'queued', review: null })
  t.match(jobs.get('extract', String(kept)), { state: 'waiting' })
  const replacing = copyOf(3)
  catalogue.replace(replacing)
  t.match(catalogue.byId(replacing), { status: 'queued', review: null })
  t.equal(catalogue.isBeingRemoved(unsure), true)
  t.equal(catalogue.isBeingRemoved(replacing), false)
  const discarded = copyOf(4)
  catalogue.discard(discarded)
  t.equal(catalogue.isBeingRemoved(discarded), true)
  for (const act of [
    () => catalogue.keep(99),
    () => catalogue.replace(99),
    () => catalogue.decideDomain(99, 'Medical')
  ])
    act()
})

t.test('removing the rows leaves nothing of a document, and its file may come again', async (t) => {
  const { catalogue, uploads, jobs, db } = await knowledgeSetup(t)
  const add = () => {
    uploads.add({
      hash: '1'.repeat(64),
      filename: 'a.epub',
      extension: '.epub',
      size: 5,
      category: '',
      title: '',
      source: 'dashboard_upload',
      source_type: 'pdf',
      sidecar: {}
    })
    uploads.setState('1'.repeat(64), 'filed')
    return catalogue.add(newDocument(1), ['2'.repeat(64)])
  }
  const id = add()
  const other = catalogue.add(newDocument(5))
  catalogue.setPages(id, [{ number: 1, text: 'x', method: 'text', startSeconds: null }])
  catalogue.replaceItems(id, 0, 'extract', [item()])
  catalogue.discard(id)
  t.same(catalogue.removeRows(id), { pages: 1, items: 1, hashes: 2 })
  for (const table of ['pages', 'items', 'windows', 'uploads'])
    t.equal(db.sql(`SELECT count(*) AS n FROM ${table}`).get()?.['n'], 0, table)
  t.same([catalogue.byId(id), catalogue.byHash('2'.repeat(64)), uploads.get('1'.repeat(64))], [null, null, null])
  t.same(
    jobs
      .list({ limit: 10 })
      .map(({ kind, subject }) => `${kind} ${subject}`)
      .sort(),
    [`extract ${other}`, `remove ${id}`],
    'its jobs are gone but the one that runs'
  )
  t.not(add(), id, 'an id is never used twice')
  t.same(catalogue.removeRows(999), { pages: 0, items: 0, hashes: 0 })
})

t.test('an upload record is the claim to a file: once, and again only after it has come to an end', async (t) => {
  const { uploads, jobs } = await knowledgeSetup(t)
  const upload = {
    ...{
      hash: 'a'.repeat(64),
      filename: 'Ein Büchlein.pdf',
      extension: '.pdf',
      size: 5,
      category: 'Water',
      title: 'T'
    },
    source: 'dashboard_upload',
    source_type: 'pdf',
    sidecar: { original_filename: 'x', shelf: 9 }
  }
  uploads.add(upload)
  t.match(uploads.get(upload.hash), { ...upload, state: 'pending', reason: null, duplicateOf: null })
  t.match(jobs.get('dispatch', upload.hash), { state: 'waiting' })
  t.equal(uploads.isUnderWay(upload.hash), true)
  for (const state of ['pending', 'processing', 'filed', 'needs_review'] as const) {
    uploads.setState(upload.hash, state)
    t.throws(() => uploads.add(upload), AppError, state)
  }
  for (const state of ['rejected', 'duplicate'] as const) {
    uploads.setState(upload.hash, state, { reason: note('because'), duplicateOf: 'b' })
    t.match(inWords(uploads.get(upload.hash)), { state, reason: 'because', duplicateOf: 'b' })
    uploads.add(upload)
    t.match(uploads.get(upload.hash), { state: 'pending', reason: null, duplicateOf: null })
  }
  t.same(uploads.counts(), { pending: 1 })
  t.equal(uploads.list({ state: 'pending', limit: 5 }).length, 1)
  t.same(uploads.list({ state: 'filed', limit: 5 }), [])
  uploads.forget(upload.hash)
  t.same([uploads.get(upload.hash), jobs.get('dispatch', upload.hash)], [null, null])
})

t.test('what the station asks of a large library while radios wait reads no more than an index', async (t) => {
  const { db, catalogue } = await knowledgeSetup(t)
  catalogue.add(newDocument(1))
  const plans: string[][] = []
  const sql = db.sql.bind(db)
  db.sql = (text) => {
    const statement = sql(text)
    const planned = (values: Parameters<typeof statement.all>): typeof values => {
      const lines = sql(`EXPLAIN QUERY PLAN ${text}`).all(...values)
      plans.push([text, ...lines.map((line) => String(line['detail'])).filter((line) => /documents/.test(line))])
      return values
    }
    return {
      run: statement.run.bind(statement),
      write: statement.write.bind(statement),
      iterate: statement.iterate.bind(statement),
      all: (...values) => statement.all(...planned(values)),
      get: (...values) => statement.get(...planned(values))
    }
  }
  catalogue.counts()
  catalogue.totals()
  catalogue.categories()
  catalogue.throughput()
  catalogue.list({ limit: 10, status: 'failed' })
  catalogue.list({ limit: 10, domain: 'Medical' })
  catalogue.list({ limit: 10, category: 'Water' })
  catalogue.list({ limit: 10, badge: 'WEB' })
  catalogue.list({ limit: 10, text: 'wool goats' })
  t.equal(plans.length, 9)
  for (const [text = '', ...lines] of plans)
    t.ok(lines.length > 0 && lines.every((line) => /COVERING INDEX|SEARCH/.test(line)), `${text}: ${lines.join('; ')}`)
})
