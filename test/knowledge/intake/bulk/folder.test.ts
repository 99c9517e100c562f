import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sentenceOf } from '../../../../src/model/words/sentences.ts'
import { newDocument, pdf } from '../../../helpers/knowledge.ts'
import { bulkSetup } from './setup.ts'

const sha = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
const said = (reason: Parameters<typeof sentenceOf>[0] | null): string => (reason === null ? '' : sentenceOf(reason))
const text = (about: string): string => `Notes about ${about}, long enough to be read by somebody.\n`

t.test('every document of a folder is taken with its outcome, and the originals stay as they are', async (t) => {
  const s = await bulkSetup(t)
  const well = pdf('well')
  const folder = s.stick({
    'well.pdf': well,
    'copies/the same well.pdf': well,
    'books/water.txt': text('water'),
    'books/talk.srt': '1\n00:00:01,000 --> 00:00:06,000\nToday we boil the water for one full minute.\n',
    'photos/sunset.jpg': '\xff\xd8\xff',
    'photos/fake.pdf': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    'empty.txt': '',
    '.hidden/secret.txt': text('secrets'),
    'System Volume Information/x.txt': text('windows')
  })
  const before = execFileSync('sh', ['-c', 'find . -printf "%p %s %T@ %C@\\n" | sort'], { cwd: folder }).toString()
  const bulk = s.begin({ folder, category: 'Stick' })
  t.equal(await s.run(bulk), 'done')
  t.same(s.outcomes(bulk), {
    'empty.txt': 'refused',
    'well.pdf': 'taken',
    'books/talk.srt': 'taken',
    'books/water.txt': 'taken',
    'copies/the same well.pdf': 'duplicate',
    'photos/fake.pdf': 'refused',
    'photos/sunset.jpg': 'refused'
  })
  t.match(s.store.get(bulk.id), {
    counts: { found: 7, taken: 3, duplicate: 1, refused: 3, failed: 0, left: 0 },
    leftOut: 2,
    current: null
  })
  t.match(said(s.entry(bulk, 'photos/sunset.jpg').reason), /\.jpg/)
  t.match(said(s.entry(bulk, 'photos/fake.pdf').reason), /a picture \(PNG\)/)
  t.match(said(s.entry(bulk, 'empty.txt').reason), /empty/)
  t.match(s.entry(bulk, 'copies/the same well.pdf'), { duplicateOf: sha(well) })
  t.match(said(s.entry(bulk, 'copies/the same well.pdf').reason), /here already: well\.pdf/)
  t.match(s.uploads.get(sha(well)), {
    filename: 'well.pdf',
    category: 'Stick',
    source: 'folder',
    sidecar: { path: 'well.pdf' }
  })
  const after = execFileSync('sh', ['-c', 'find . -printf "%p %s %T@ %C@\\n" | sort'], { cwd: folder }).toString()
  t.equal(after, before, 'nothing on the stick was touched')
  t.same(
    s.names().filter((name) => name.includes('.parts')),
    []
  )
})

t.test(
  'the same bytes are one document under any name: filed, waiting, in the list before, rejected before',
  async (t) => {
    const s = await bulkSetup(t)
    const [filed, waiting, rejected] = [text('a filed one'), text('one that waits'), text('one that was rejected')]
    const bring = async (content: string, filename: string) => {
      const part = await s.receiver.store(
        (async function* () {
          yield Buffer.from(content)
        })(),
        { filename }
      )
      return s.receiver.accept(part, { filename })
    }
    const one = await bring(filed, 'filed.txt')
    s.catalogue.add(newDocument(1, { hash: one.hash, kind: 'text', filename: 'filed.txt' }))
    await bring(waiting, 'waiting.txt')
    const no = await bring(rejected, 'rejected.txt')
    rmSync(join(s.folder, 'acquired/text', `${no.hash}.txt`))
    s.uploads.setState(no.hash, 'rejected', { reason: null })
    s.uploads.dropJob(no.hash)
    const folder = s.stick({ 'a.txt': filed, 'b.txt': waiting, 'c.txt': rejected, 'd/c again.txt': rejected })
    const bulk = s.begin({ folder })
    const written = s.names().length
    t.equal(await s.run(bulk), 'done')
    t.same(s.outcomes(bulk), {
      'a.txt': 'duplicate',
      'b.txt': 'duplicate',
      'c.txt': 'taken',
      'd/c again.txt': 'duplicate'
    })
    t.equal(s.entry(bulk, 'a.txt').duplicateOf, sha(filed))
    t.match(said(s.entry(bulk, 'b.txt').reason), /waiting\.txt \(pending\)/)
    t.equal(s.names().length, written + 1, 'only what was rejected came again')

    // Rejected once more, it is one try of this list; the next list is a fresh one.
    rmSync(join(s.folder, 'acquired/text', `${no.hash}.txt`))
    s.uploads.setState(no.hash, 'rejected', { reason: null })
    s.uploads.dropJob(no.hash)
    const twice = s.begin({ folder: s.stick({ '1.txt': rejected }) })
    t.equal(await s.run(twice), 'done')
    t.same(s.outcomes(twice), { '1.txt': 'taken' })
  }
)

t.test(
  'links lead nowhere, neither of files nor of folders, nor when one takes the place of a folder meanwhile',
  async (t) => {
    const s = await bulkSetup(t)
    const outside = s.stick({ 'passwd.txt': text('passwords') })
    const folder = s.stick({ 'a/one.txt': text('one'), 'b/two.txt': text('two') })
    symlinkSync(join(outside, 'passwd.txt'), join(folder, 'link.txt'))
    symlinkSync(outside, join(folder, 'linked'))
    const bulk = s.begin({ folder })
    const { store } = s
    const begin = store.begin.bind(store)
    store.begin = (id, entry) => {
      // Between the listing and the taking.
      if (entry.what === 'b/two.txt') {
        renameSync(join(folder, 'b'), join(folder, 'away'))
        symlinkSync(outside, join(folder, 'b'))
        writeFileSync(join(outside, 'two.txt'), text('not yours'))
      }
      begin(id, entry)
    }
    t.equal(await s.run(bulk), 'done')
    t.same(s.outcomes(bulk), { 'a/one.txt': 'taken', 'b/two.txt': 'refused' })
    t.match(said(s.entry(bulk, 'b/two.txt').reason), /link to somewhere else/)
    t.equal(s.store.get(bulk.id).leftOut, 2)
    t.equal(s.uploads.get(sha(text('not yours'))), null)
  }
)

t.test('a link in the place of the chosen folder itself is not gone into', async (t) => {
  const s = await bulkSetup(t)
  const outside = s.stick({ 'passwd.txt': text('passwords') })
  const folder = s.stick({ 'books/one.txt': text('one') })
  const bulk = s.begin({ folder: join(folder, 'books') })
  renameSync(join(folder, 'books'), join(folder, 'away'))
  symlinkSync(outside, join(folder, 'books'))
  t.equal(await s.run(bulk), 'held')
  t.same(s.outcomes(bulk), {}, 'not even its names')
  t.match(said(s.store.get(bulk.id).reason), /not there any more/)
})

t.test('a pipe is no file, and nobody waits for one', async (t) => {
  const s = await bulkSetup(t)
  const folder = s.stick({ 'a.txt': text('a') })
  const bulk = s.begin({ folder })
  const begin = s.store.begin.bind(s.store)
  s.store.begin = (id, entry) => {
    rmSync(join(folder, 'a.txt'))
    execFileSync('mkfifo', [join(folder, 'a.txt')])
    begin(id, entry)
  }
  t.equal(await s.run(bulk), 'done')
  t.same(s.outcomes(bulk), { 'a.txt': 'refused' })
  t.match(said(s.entry(bulk, 'a.txt').reason), /no plain file/)
})

t.test('a stick that is pulled out is waited for, and the rest goes on when it is back', async (t) => {
  const s = await bulkSetup(t)
  const folder = s.stick({ '1.txt': text('1'), '2.txt': text('2'), '3.txt': text('3') })
  const bulk = s.begin({ folder })
  const begin = s.store.begin.bind(s.store)
  const away = `${folder}-away`
  let pulled = false
  s.store.begin = (id, entry) => {
    if (entry.what === '2.txt' && !pulled) {
      pulled = true
      renameSync(folder, away)
      s.plug(null)
    }
    begin(id, entry)
  }
  t.equal(await s.run(bulk), 'held')
  t.match(s.store.get(bulk.id), { state: 'paused', counts: { taken: 1, left: 2, failed: 0 } })
  t.match(said(s.store.get(bulk.id).reason), /not plugged in/)
  const job = s.jobs.get('bulk', String(bulk.id))
  t.notMatch(JSON.stringify(job), folder, 'what everybody may read names no folder')
  t.equal(s.entry(bulk, '2.txt').attempts, 0, 'the try does not count')
  s.clock.set(s.clock.now() + 60_000)
  t.equal(await s.run(bulk), 'held', 'still away')
  renameSync(away, folder)
  s.plug('/media/stick\tANOTHER')
  s.clock.set(s.clock.now() + 60_000)
  t.equal(await s.run(bulk), 'held', 'another stick at the same place is not this one')
  s.plug('/media/stick\tABCD-1234')
  s.clock.set(s.clock.now() + 60_000)
  t.equal(await s.run(bulk), 'done')
  t.same(s.outcomes(bulk), { '1.txt': 'taken', '2.txt': 'taken', '3.txt': 'taken' })
})

t.test('what is found wrong with a file once its stick is gone is not held against the file', async (t) => {
  const s = await bulkSetup(t)
  // Of a file that is open while its disk is taken away the kernel says that it lies elsewhere, as if it were a link.
  const bulk = s.begin({ folder: s.stick({ '1.txt': '' }) })
  const begin = s.store.begin.bind(s.store)
  s.store.begin = (id, entry) => {
    s.plug(null)
    begin(id, entry)
  }
  t.equal(await s.run(bulk), 'held')
  t.same(s.outcomes(bulk), { '1.txt': 'left' })
  s.store.begin = begin
  s.plug('/media/stick\tABCD-1234')
  s.clock.set(s.clock.now() + 60_000)
  t.equal(await s.run(bulk), 'done')
  t.same(s.outcomes(bulk), { '1.txt': 'refused' }, 'the stick is there, and the file is empty')
})

t.test('after half an hour nobody looks for the stick any more, until somebody says that it is back', async (t) => {
  const s = await bulkSetup(t)
  const bulk = s.begin({ folder: s.stick({ '1.txt': text('1') }) })
  s.plug(null)
  let looks = 0
  while ((await s.run(bulk)) === 'held' && looks < 100) {
    looks++
    s.clock.set(s.clock.now() + 60_000)
  }
  t.equal(looks, 30)
  t.equal(s.jobs.nextDue(['bulk']), null, 'the worker may sleep')
  t.equal(s.store.get(bulk.id).state, 'paused')
  s.plug('/media/stick\tABCD-1234')
  s.store.act(bulk.id, 'resume')
  t.equal(await s.run(bulk), 'done')
})

t.test('a file that is gone or closed is told, and stops nobody else', async (t) => {
  const s = await bulkSetup(t)
  const folder = s.stick({ '1.txt': text('1'), '2.txt': text('2'), 'closed/x.txt': text('x') })
  const isRoot = process.getuid?.() === 0
  if (!isRoot) chmodSync(join(folder, 'closed'), 0)
  const bulk = s.begin({ folder })
  const begin = s.store.begin.bind(s.store)
  s.store.begin = (id, entry) => {
    if (entry.what === '1.txt') rmSync(join(folder, '1.txt'), { force: true })
    begin(id, entry)
  }
  t.equal(await s.run(bulk), 'done')
  t.match(s.outcomes(bulk), {
    '1.txt': 'failed',
    '2.txt': 'taken',
    [isRoot ? 'closed/x.txt' : 'closed/']: isRoot ? 'taken' : 'failed'
  })
  t.match(said(s.entry(bulk, '1.txt').reason), /not there/)
  writeFileSync(join(folder, '1.txt'), text('1'))
  if (!isRoot) chmodSync(join(folder, 'closed'), 0o700)
  s.store.begin = begin
  s.store.act(bulk.id, 'retry')
  t.equal(await s.run(bulk), 'done')
  t.same(s.outcomes(bulk), { '1.txt': 'taken', '2.txt': 'taken', 'closed/x.txt': 'taken' })
  t.match(s.store.get(bulk.id).counts, { found: 3, taken: 3, failed: 0, left: 0 })
})

t.test('the data folder is left out of a folder that holds it', async (t) => {
  const s = await bulkSetup(t)
  const folder = s.stick({ 'a.txt': text('a') })
  const inner = join(folder, 'data')
  renameSync(s.folder, inner)
  symlinkSync(inner, s.folder)
  writeFileSync(join(inner, 'processing/own.txt'), text('our own'))
  const bulk = s.begin({ folder })
  t.equal(await s.run(bulk), 'done')
  t.same(s.outcomes(bulk), { 'a.txt': 'taken' })
})

t.test('more files than are taken at once are refused whole, with what to do', async (t) => {
  const s = await bulkSetup(t)
  const folder = s.stick({ 'a.txt': text('a') })
  for (let n = 0; n <= 20_000; n++) writeFileSync(join(folder, `${n}.txt`), '')
  const bulk = s.begin({ folder })
  await t.rejects(s.run(bulk), { code: 'too-large', message: /more than 20000 files/ })
  t.equal(existsSync(join(s.folder, 'acquired/text')) && readdirSync(join(s.folder, 'acquired/text')).length, 0)
})

t.test('the space that is to stay free holds the whole list, not the entry', async (t) => {
  let free = 1e12
  const s = await bulkSetup(t, {}, { free: () => free })
  const bulk = s.begin({ folder: s.stick({ '1.txt': text('1'), '2.txt': text('2') }) })
  free = 10
  t.equal(await s.run(bulk), 'held')
  t.match(s.store.get(bulk.id), { state: 'paused', counts: { left: 2 }, reason: { code: 'upload_no_space' } })
  free = 1e12
  s.clock.set(s.clock.now() + 60_000)
  t.equal(await s.run(bulk), 'done')
  t.equal(s.store.get(bulk.id).counts.taken, 2)
  t.equal(readFileSync(join(s.folder, `acquired/text/${sha(text('1'))}.txt`), 'utf8'), text('1'))
})
