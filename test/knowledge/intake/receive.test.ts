import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import t from 'tap'
import { uploadStatus } from '../../../src/knowledge/catalogue/status.ts'
import { removeCutOff, storePart } from '../../../src/knowledge/intake/parts.ts'
import type { DuplicateError, Receiver, UploadFacts } from '../../../src/knowledge/intake/receive.ts'
import type { AppError } from '../../../src/platform/errors.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { type Intake, intake, newDocument, pdf } from '../../helpers/knowledge.ts'
import { zipFile } from './containers.ts'

const sha = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

async function send(receiver: Receiver, content: Buffer | string, facts: UploadFacts = { filename: 'a.pdf' }) {
  const part = await receiver.store(Readable.from([Buffer.from(content)]))
  try {
    return await receiver.accept(part, facts)
  } finally {
    await receiver.drop(part)
  }
}

const refused = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => Promise.reject(new Error('it was taken')),
    (error) => error
  )

t.test('a file arrives whole under its hash, with its facts beside it, a record and a job', async (t) => {
  const setup = await intake(t)
  const content = pdf('one')
  const hash = sha(content)
  const facts = { filename: '../../etc/Où boire.PDF', category: ' Water\u0000 ', title: 'Où boire', more: { shelf: 9 } }
  t.match(await send(setup.receiver, content, facts), { hash, filename: 'Où boire.PDF', extension: '.pdf' })
  const files = setup.files()
  t.same(Object.keys(files), [`acquired/pdf/${hash}.meta.json`, `acquired/pdf/${hash}.pdf`])
  t.equal(files[`acquired/pdf/${hash}.pdf`], content.toString('latin1'))
  t.same(JSON.parse(Buffer.from(files[`acquired/pdf/${hash}.meta.json`] ?? '', 'latin1').toString()), {
    original_filename: 'Où boire.PDF',
    category: 'Water',
    title: 'Où boire',
    shelf: 9,
    source: 'dashboard_upload',
    source_type: 'pdf',
    uploaded_at: new Date(setup.clock.now()).toISOString()
  })
  t.match(setup.uploads.get(hash), {
    state: 'pending',
    filename: 'Où boire.PDF',
    size: content.length,
    sidecar: { shelf: 9 }
  })
  t.match(setup.jobs.get('dispatch', hash), { state: 'waiting' })
  t.equal(setup.arrivals(), 1)
  t.match(await uploadStatus(hash, setup), { hash, filename: 'Où boire.PDF', status: 'pending', document: null })
})

t.test(
  'U9: what a file is decides where it goes, not what it is called; a name that says otherwise of a text is refused',
  async (t) => {
    const setup = await intake(t)
    const book = zipFile({ 'META-INF/container.xml': '<container/>' })
    await t.rejects(send(setup.receiver, 'Boil the water.', { filename: 'water.pdf' }), { code: 'unsupported' })
    await send(setup.receiver, 'Boil the water.', { filename: 'water' })
    await send(setup.receiver, book, { filename: 'book.txt' })
    t.same(setup.names(), [
      `acquired/pdf/${sha(book)}.epub`,
      `acquired/pdf/${sha(book)}.meta.json`,
      `acquired/text/${sha('Boil the water.')}.meta.json`,
      `acquired/text/${sha('Boil the water.')}.txt`
    ])
    t.match(setup.uploads.get(sha(book)), { filename: 'book.txt', extension: '.epub', source_type: 'pdf' })
  }
)

t.test('what is refused leaves nothing behind: no file, no record, no job', async (t) => {
  const setup = await intake(t)
  const cases: [string, Buffer, string, RegExp][] = [
    ['nothing at all', Buffer.alloc(0), 'invalid', /empty/],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'), 'unsupported', /picture \(PNG\)\. Send a PDF/],
    ['zeros', Buffer.alloc(100_000), 'unsupported', /binary data/],
    ['a transcript', Buffer.from('WEBVTT\n'), 'unsupported', /\.vtt/],
    ['a broken ZIP', Buffer.from('PK\x03\x04 and nothing more'), 'unsupported', /damaged/],
    ['too much', Buffer.alloc(20_000_001, 'a'), 'too-large', /20 MB \(20000000 bytes\).*uploads\.max_bytes/]
  ]
  for (const [name, content, code, words] of cases) {
    const error = await refused(send(setup.receiver, content))
    t.match(error, { code, message: words }, name)
  }
  t.same(setup.files(), {})
  t.same(setup.uploads.list({ limit: 5 }), [])
  t.same(setup.jobs.counts(), [])
  t.equal(setup.arrivals(), 0)
})

t.test('a sender that breaks off leaves nothing behind', async (t) => {
  const setup = await intake(t)
  const stream = new PassThrough()
  stream.write(Buffer.alloc(100_000, 'a'))
  const work = refused(setup.receiver.store(stream))
  setTimeout(() => stream.destroy(new Error('gone')), 50)
  t.match(await work, { code: 'bad-input', message: /cut off/ })
  const early = new PassThrough()
  const other = refused(setup.receiver.store(early))
  early.destroy(new Error('gone before anybody read'))
  t.match(await other, { code: 'bad-input', message: /cut off/ })
  t.same(setup.files(), {})
})

t.test(
  'U8: a limit is a limit while the bytes come, and is told before they come where they are announced',
  async (t) => {
    const setup = await intake(t)
    let read = 0
    const endless = (async function* () {
      for (;;) {
        read += 65_536
        yield Buffer.alloc(65_536, 'a')
      }
    })()
    t.match(await refused(setup.receiver.store(endless)), { code: 'too-large' })
    t.ok(read < 20_000_000 + 200_000, `${read} bytes were read`)
    t.match(await refused(setup.receiver.store(Readable.from([]), { announced: 1_000_000_000 })), { code: 'too-large' })
    const picture = (async function* () {
      yield Buffer.from('\xff\xd8\xff\xe0\0', 'latin1')
      yield Buffer.alloc(5000)
      throw new Error('read on')
    })()
    t.match(await refused(setup.receiver.store(picture)), { code: 'unsupported' }, 'the first 4 kB say enough')
    t.same(setup.files(), {})
  }
)

t.test('the floor of free space holds at the start and on the way; without a limit it is all that holds', async (t) => {
  let free = 5_000_000
  const setup = await intake(t, { free: () => free })
  setup.settings.minFreeBytes = 1e18
  t.match(await refused(send(setup.receiver, pdf('x'))), { code: 'no-space', message: /min_free_bytes/ })
  setup.settings.minFreeBytes = 1_000_000
  t.match(await refused(setup.receiver.store(Readable.from([]), { announced: 4_500_000 })), { code: 'no-space' })
  await send(setup.receiver, pdf('x'))
  const filling = (async function* () {
    for (let n = 0; n < 40; n++) {
      free = 900_000
      yield Buffer.alloc(1024 * 1024, 'a')
    }
  })()
  setup.settings.maxBytes = 1e9
  t.match(await refused(setup.receiver.store(filling)), { code: 'no-space' }, 'somebody else fills the disk')
  free = 5_000_000
  const limits = { maxBytes: null, minFreeBytes: 1_000_000 }
  const part = await storePart(Readable.from([Buffer.alloc(3e6)]), join(setup.folder, 'zim'), limits, async () => free)
  t.match(part, { size: 3e6, hash: sha(Buffer.alloc(3e6)) }, 'an archive goes to a folder of its own')
  t.equal(setup.names().filter((name) => name.includes('.parts')).length, 0)
})

t.test('of equal uploads at the same time exactly one is taken', async (t) => {
  const setup = await intake(t)
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => send(setup.receiver, pdf('same'))))
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results)
    if (result.status === 'rejected')
      t.match(result.reason, {
        code: 'conflict',
        existing: { hash: sha(pdf('same')), filename: 'a.pdf', status: 'pending' }
      })
  t.equal(setup.names().length, 2)
  t.equal(setup.arrivals(), 1)
})

async function withDocument(setup: Intake, patch = {}): Promise<{ hash: string; converted: string }> {
  const hash = sha(pdf('known'))
  const converted = sha(pdf('converted'))
  setup.catalogue.add(newDocument(1, { hash, filename: 'known.epub', ...patch }), [converted])
  return { hash, converted }
}

t.test(
  'U1, U3: a file that is here already is a duplicate, wherever it stands and by either of its hashes',
  async (t) => {
    const setup = await intake(t)
    const { hash } = await withDocument(setup)
    const before = setup.catalogue.byHash(hash)
    for (const content of [pdf('known'), pdf('converted')]) {
      const error = (await refused(send(setup.receiver, content))) as DuplicateError
      t.match(error, { code: 'conflict', message: /known\.epub/ })
      t.same(error.existing, { hash, filename: 'known.epub', status: 'queued', retryable: false })
    }
    t.same(setup.catalogue.byHash(hash), before, 'and nothing of it is touched')
    t.same(setup.files(), {})

    const waiting = sha(pdf('waiting'))
    await send(setup.receiver, pdf('waiting'), { filename: 'waiting.pdf' })
    const stages: [string, () => void, string][] = [
      ['waiting in the intake', () => undefined, 'pending'],
      ['in the intake without a record', () => setup.uploads.forget(waiting), 'pending']
    ]
    for (const [name, prepare, status] of stages) {
      prepare()
      t.match(await refused(send(setup.receiver, pdf('waiting'))), { existing: { hash: waiting, status } }, name)
    }
    const working = sha(pdf('working'))
    mkdirSync(join(setup.folder, 'processing', working))
    writeFileSync(join(setup.folder, 'processing', working, 'source.pdf'), 'the only copy')
    t.match(await refused(send(setup.receiver, pdf('working'))), { existing: { hash: working, status: 'processing' } })
    t.equal(
      setup.files()[`processing/${working}/source.pdf`],
      'the only copy',
      'U1: what is being worked on is not touched'
    )
  }
)

t.test('a failed document is a duplicate that can be tried again; one that is leaving says so', async (t) => {
  const setup = await intake(t)
  const { hash } = await withDocument(setup, { status: 'failed', failedStage: 'extract', reason: 'x' })
  t.match(await refused(send(setup.receiver, pdf('known'))), {
    message: /Try that one again/,
    existing: { status: 'failed', retryable: true }
  })
  const id = setup.catalogue.byHash(hash)?.id ?? 0
  setup.catalogue.update(id, { status: 'complete', failedStage: null })
  setup.catalogue.discard(id)
  t.match(await refused(send(setup.receiver, pdf('known'))), { message: /being removed/ })
  setup.catalogue.removeRows(id)
  t.match(await send(setup.receiver, pdf('known')), { hash }, 'a removed document can come again')
})

t.test('U4: a rejected file keeps its record and reason, and sending it again is a fresh try', async (t) => {
  const setup = await intake(t)
  const hash = sha(pdf('locked'))
  await send(setup.receiver, pdf('locked'), { filename: 'locked.pdf' })
  const end = (state: 'rejected' | 'duplicate', reason: string, duplicateOf: string | null = null): void => {
    setup.uploads.setState(hash, state, { reason: note(reason), duplicateOf })
    setup.jobs.remove('dispatch', hash)
    for (const name of ['pdf', 'meta.json']) writeFileSync(join(setup.folder, 'acquired/pdf', `${hash}.${name}`), '')
    for (const name of ['pdf', 'meta.json']) unlink(setup, `acquired/pdf/${hash}.${name}`)
  }
  end('rejected', 'It is locked with a password.')
  t.match(inWords(await uploadStatus(hash, setup)), {
    status: 'rejected',
    filename: 'locked.pdf',
    reason: /password/,
    message: /password/
  })
  mkdirSync(join(setup.folder, 'processing', hash), { recursive: true })
  t.match(await uploadStatus(hash, setup), { status: 'rejected' }, 'U6: a folder a crash left behind hides nothing')
  t.match(await send(setup.receiver, pdf('locked'), { filename: 'again.pdf' }), { hash })
  t.match(setup.uploads.get(hash), { state: 'pending', filename: 'again.pdf', reason: null })

  const { hash: original } = await withDocument(setup)
  end('duplicate', 'a copy', original)
  t.match(await uploadStatus(hash, setup), { status: 'duplicate', duplicate_of: original })
  t.match(await refused(send(setup.receiver, pdf('locked'))), { existing: { hash: original, filename: 'known.epub' } })
  setup.catalogue.removeRows(setup.catalogue.byHash(original)?.id ?? 0)
  t.match(await send(setup.receiver, pdf('locked')), { hash }, 'its original is gone')
})

function unlink({ folder }: Intake, path: string): void {
  rmSync(join(folder, path), { force: true })
}

t.test('a record whose file is nowhere, and whose document is gone, is no claim', async (t) => {
  const setup = await intake(t)
  const hash = sha(pdf('lost'))
  await send(setup.receiver, pdf('lost'))
  for (const name of ['pdf', 'meta.json']) unlink(setup, `acquired/pdf/${hash}.${name}`)
  t.match(
    await refused(send(setup.receiver, pdf('lost'))),
    { existing: { status: 'processing' } },
    'its job may know better'
  )
  setup.jobs.remove('dispatch', hash)
  setup.uploads.setState(hash, 'filed')
  t.match(await send(setup.receiver, pdf('lost')), { hash })
})

t.test('names are text for people: no folders, no tricks, 255 bytes, and never a path on the disk', async (t) => {
  const setup = await intake(t)
  const cases: [string, string][] = [
    ['../../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\Water.pdf', 'Water.pdf'],
    ['..', 'unnamed'],
    ['', 'unnamed'],
    ['/', 'unnamed'],
    ['a\u0000b\nc\u202efdp.doc', 'a b c fdp.doc'],
    ['  two   blanks .pdf ', 'two blanks .pdf'],
    ['\ud800broken.pdf', '\ufffdbroken.pdf'],
    ['ü'.repeat(127), 'ü'.repeat(127)],
    [`${'水'.repeat(200)}.pdf`, `${'水'.repeat(83)}.pdf`],
    ['u\u0308.pdf', 'ü.pdf']
  ]
  for (const [index, [filename, kept]] of cases.entries()) {
    const { filename: found, hash } = await send(setup.receiver, pdf(`name ${index}`), { filename })
    t.equal(found, kept)
    t.ok(Buffer.byteLength(found) <= 255)
    t.equal(setup.uploads.get(hash)?.filename, kept)
  }
  for (const name of setup.names()) t.match(name, /^acquired\/pdf\/[0-9a-f]{64}\.(pdf|meta\.json)$/)
})

t.test('U7: a failure at any step of the arrival leaves no content without its facts', async (t) => {
  const setup = await intake(t)
  const content = pdf('step')
  const hash = sha(content)
  // A folder stands where the sidecar is to be renamed to.
  mkdirSync(join(setup.folder, 'acquired/pdf', `${hash}.meta.json`, 'x'), { recursive: true })
  await t.rejects(send(setup.receiver, content))
  t.equal(setup.uploads.get(hash), null)
  t.same(setup.files(), {}, 'no content, no part')
  rmSync(join(setup.folder, 'acquired/pdf', `${hash}.meta.json`), { recursive: true })
  t.match(await send(setup.receiver, content), { hash })
})

t.test(
  'what uploads left that were cut off with the program goes at its next start; resumable ones stay',
  async (t) => {
    const folder = t.testdir({
      '.parts': { 'a.part': 'x', 'b.part': 'y', resumable: { 'c.part': 'z' } },
      pdf: { '.abc.meta.json.1f2e.tmp': '{}', 'abc.meta.json': '{}', 'somebody.tmp': 'kept' }
    })
    t.equal(await removeCutOff(folder), 3)
    t.same(readdirSync(join(folder, '.parts')), ['resumable'])
    t.same(readdirSync(join(folder, '.parts', 'resumable')), ['c.part'])
    t.same(readdirSync(join(folder, 'pdf')).toSorted(), ['abc.meta.json', 'somebody.tmp'])
    t.equal(await removeCutOff(join(folder, 'never')), 0)
  }
)
