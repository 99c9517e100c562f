import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { uploadStatus } from '../../../src/knowledge/catalogue/status.ts'
import { watchFolders } from '../../../src/knowledge/intake/watch-folders.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { inWords } from '../../helpers/in-words.ts'
import { type Intake, intake, newDocument, pdf } from '../../helpers/knowledge.ts'

const sha = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')
const NOTHING = { taken: 0, aside: 0, waiting: 0 }

function put({ folder }: Intake, path: string, content: Buffer | string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

/** Time in which nobody touches anything. */
const wait = ({ clock }: Intake, ms = 11_000): Promise<void> => clock.runTo(clock.now() + ms)

t.test(
  'a file that is put into a folder is taken once it has been still for ten seconds, like an upload',
  async (t) => {
    const setup = await intake(t)
    t.same(await setup.folders.look(), NOTHING)
    t.equal(await setup.folders.hasNews(), false)
    put(setup, 'acquired/pdf/My Büchlein.PDF', pdf('one'))
    put(setup, 'acquired/text/water.md', 'Boil it.')
    put(setup, 'acquired/transcript/talk.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello')
    t.equal(await setup.folders.hasNews(), true)
    t.same(await setup.folders.look(), { ...NOTHING, waiting: 3 }, 'they may still be written')
    await wait(setup, 5000)
    t.same(await setup.folders.look(), { ...NOTHING, waiting: 3 })
    await wait(setup, 6000)
    t.same(await setup.folders.look(), { ...NOTHING, taken: 3 })
    const hash = sha(pdf('one'))
    t.match(setup.uploads.get(hash), {
      state: 'pending',
      filename: 'My Büchlein.PDF',
      source: 'folder',
      extension: '.pdf'
    })
    t.match(setup.jobs.get('dispatch', hash), { state: 'waiting' })
    const names = setup.names()
    t.equal(names.length, 6)
    for (const name of names) t.match(name, /^acquired\/(pdf|text|transcript)\/[0-9a-f]{64}\.(pdf|txt|vtt|meta\.json)$/)
    t.same([await setup.folders.look(), await setup.folders.hasNews()], [NOTHING, false], 'and then there is peace')
  }
)

t.test('a sidecar tells its facts and keeps what else it says; a broken one is as good as none', async (t) => {
  const setup = await intake(t)
  put(setup, 'acquired/pdf/x1.pdf', pdf('1'))
  put(
    setup,
    'acquired/pdf/x1.meta.json',
    JSON.stringify({ original_filename: 'Wells.pdf', category: 'Water', title: 'Wells', isbn: 7 })
  )
  put(setup, 'acquired/pdf/x2.pdf', pdf('2'))
  put(setup, 'acquired/pdf/x2.meta.json', '{"title": "cut o')
  put(setup, 'acquired/pdf/x3.pdf', pdf('3'))
  put(setup, 'acquired/pdf/x3.meta.json', '[1, 2]')
  put(setup, 'acquired/pdf/alone.meta.json', '{}')
  await wait(setup)
  t.same(await setup.folders.look(), { ...NOTHING, taken: 3 })
  t.match(setup.uploads.get(sha(pdf('1'))), {
    filename: 'Wells.pdf',
    category: 'Water',
    title: 'Wells',
    source: 'folder',
    sidecar: { isbn: 7, original_filename: 'Wells.pdf' }
  })
  t.match(setup.uploads.get(sha(pdf('2'))), { filename: 'x2.pdf', title: '' })
  t.match(setup.uploads.get(sha(pdf('3'))), { filename: 'x3.pdf' })
  const left = setup.names().filter((name) => !/[0-9a-f]{64}/.test(name))
  t.same(left, ['acquired/pdf/alone.meta.json'], 'a sidecar waits for its file')
})

t.test(
  'what cannot be read is put aside with a record that says why; what is no plain file is left alone',
  async (t) => {
    const setup = await intake(t)
    setup.settings.maxBytes = 1_000_000
    put(setup, 'acquired/pdf/photo.pdf', Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'))
    put(setup, 'acquired/text/empty.txt', '')
    put(setup, 'acquired/text/long.txt', 'a'.repeat(1_000_001))
    put(setup, 'acquired/text/.hidden', 'not yet')
    put(setup, 'acquired/text/folder/in.txt', 'too deep')
    put(setup, 'outside.txt', 'a secret')
    symlinkSync(join(setup.folder, 'outside.txt'), join(setup.folder, 'acquired/text/link.txt'))
    await wait(setup)
    t.same(await setup.folders.look(), { ...NOTHING, aside: 3 })
    const png = sha(Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'))
    t.match(inWords(setup.uploads.get(png)), { state: 'rejected', filename: 'photo.pdf', reason: /PNG/ })
    t.match(inWords(setup.uploads.get(sha(''))), { state: 'rejected', reason: /empty/ })
    t.match(inWords(setup.uploads.get(sha('a'.repeat(1_000_001)))), { state: 'rejected', reason: /1\.0 MB/ })
    t.match(inWords(await uploadStatus(png, setup)), { status: 'rejected', message: /^It cannot be taken in: .*PNG/ })
    t.equal(setup.files()[`rejected/${png}/photo.pdf`], '\x89PNG\r\n\x1a\n\0', 'the file is kept')
    t.equal(setup.files()['acquired/text/.hidden'], 'not yet')
    t.equal(setup.files()['outside.txt'], 'a secret')
    t.same(setup.jobs.counts(), [])
    t.same(await setup.folders.look(), NOTHING)
  }
)

t.test('U1: a duplicate in a folder is put aside and destroys nothing of what is here', async (t) => {
  const setup = await intake(t)
  const [hash, converted] = [sha(pdf('known')), sha(pdf('converted'))]
  const id = setup.catalogue.add(newDocument(1, { hash, path: 'library/Medical/known.pdf' }), [converted])
  setup.catalogue.setPages(id, [{ number: 1, text: 'text', method: 'text', startSeconds: null }])
  put(setup, 'library/Medical/known.pdf', pdf('known'))
  const busy = sha(pdf('busy'))
  put(setup, `processing/${busy}/source.pdf`, pdf('busy'))
  setup.uploads.add({
    hash: busy,
    filename: 'busy.pdf',
    extension: '.pdf',
    size: 1,
    category: '',
    title: '',
    source: 'folder',
    source_type: 'pdf',
    sidecar: {}
  })
  setup.uploads.setState(busy, 'processing')
  put(setup, 'acquired/pdf/again.pdf', pdf('known'))
  put(setup, 'acquired/pdf/again.meta.json', '{"title":"mine"}')
  put(setup, 'acquired/pdf/printed.pdf', pdf('converted'))
  put(setup, 'acquired/pdf/busy again.pdf', pdf('busy'))
  const before = [setup.catalogue.byId(id), setup.uploads.get(busy)]
  await wait(setup)
  t.same(await setup.folders.look(), { ...NOTHING, aside: 3 })
  t.same([setup.catalogue.byId(id), setup.uploads.get(busy)], before)
  t.equal(setup.catalogue.pages(id).length, 1)
  t.same(
    setup.names(),
    [
      `processing/${busy}/source.pdf`,
      `rejected/${busy}/busy again.pdf`,
      `rejected/${converted}/printed.pdf`,
      `rejected/${hash}/again.pdf`,
      `rejected/${hash}/again.pdf.meta.json`,
      'library/Medical/known.pdf'
    ].sort()
  )
  t.match(inWords(setup.uploads.get(converted)), { state: 'duplicate', duplicateOf: hash, reason: /book 1\.pdf/ })
  t.equal(setup.uploads.get(hash), null, 'the hash of a document answers for the document')
})

t.test('U6: rows and files are brought together at the start, whatever a crash left', async (t) => {
  const setup = await intake(t)
  const arrived = sha(pdf('arrived'))
  // Killed between the last rename and the record.
  put(setup, `acquired/pdf/${arrived}.pdf`, pdf('arrived'))
  put(
    setup,
    `acquired/pdf/${arrived}.meta.json`,
    JSON.stringify({
      ...{
        original_filename: 'Arrived.pdf',
        category: 'C',
        title: 'T',
        source: 'dashboard_upload',
        source_type: 'pdf'
      },
      uploaded_at: '2026-01-01T00:00:00.000Z',
      colour: 'red'
    })
  )
  const record = (hash: string, filename: string) => ({
    hash,
    filename,
    extension: '.pdf',
    size: 1,
    category: '',
    title: '',
    source: 'folder',
    source_type: 'pdf',
    sidecar: {}
  })
  const gone = 'a'.repeat(64)
  setup.uploads.add(record(gone, 'gone.pdf'))
  const here = sha(pdf('here'))
  put(setup, `acquired/pdf/${here}.pdf`, pdf('here'))
  setup.uploads.add(record(here, 'here.pdf'))
  setup.jobs.remove('dispatch', here)
  put(setup, 'acquired/.parts/old.part', 'x')
  utimesSync(join(setup.folder, 'acquired/.parts/old.part'), 1, 1)
  put(setup, 'acquired/.parts/new.part', 'x')
  await wait(setup)
  t.same(await setup.folders.reconcile(), { ...NOTHING, taken: 1 })
  t.match(setup.uploads.get(arrived), {
    state: 'pending',
    filename: 'Arrived.pdf',
    source: 'dashboard_upload',
    category: 'C',
    title: 'T',
    sidecar: { colour: 'red', uploaded_at: '2026-01-01T00:00:00.000Z' }
  })
  t.match(inWords(setup.uploads.get(gone)), { state: 'rejected', reason: /vanished/ })
  t.equal(setup.jobs.get('dispatch', gone), null)
  t.match(setup.jobs.get('dispatch', here), { state: 'waiting' }, 'what waits has its job')
  t.same(
    setup.names().filter((name) => name.includes('.parts')),
    ['acquired/.parts/new.part']
  )
  t.same(await setup.folders.reconcile(), NOTHING, 'once more changes nothing')
})

t.test('a file that changes while it is read waits; one that cannot be stored now stays where it is', async (t) => {
  const setup = await intake(t)
  put(setup, 'acquired/text/a.txt', 'hello')
  await wait(setup)
  const looking = setup.folders.look()
  t.equal(setup.folders.look(), looking, 'two looks at the same time are one')
  t.same(await looking, { ...NOTHING, taken: 1 })
  put(setup, 'acquired/text/b.txt', 'hello again')
  await wait(setup, 60_000)
  setup.db.exec('DROP TABLE documents')
  t.same(await setup.folders.look(), { ...NOTHING, waiting: 1 })
  t.equal(setup.files()['acquired/text/b.txt'], 'hello again')
})

t.test(
  'a file whose time lies ahead, by a clock that was wrong or a copy that kept it, is taken like any other',
  async (t) => {
    const setup = await intake(t)
    put(setup, 'acquired/pdf/old card.pdf', pdf('from the camera'))
    const ahead = new Date(Date.now() + 5 * 365 * 86_400_000)
    utimesSync(join(setup.folder, 'acquired/pdf/old card.pdf'), ahead, ahead)
    await wait(setup, 60_000)
    t.match(await setup.folders.look(), { taken: 1, waiting: 0 })
  }
)

t.test(
  'the watch tells of a file once it is still, and every half minute where the system tells nothing',
  async (t) => {
    const setup = await intake(t)
    const clock = new VirtualClock(0)
    let news = 0
    let looks = 0
    let broken = false
    const errors: unknown[] = []
    const stop = watchFolders({
      acquired: join(setup.folder, 'nowhere'),
      clock,
      hasNews: async () => {
        looks++
        if (broken) throw new Error('the disk is away')
        return setup.folders.hasNews()
      },
      onNews: () => {
        news++
      },
      onError: (error) => errors.push(error)
    })
    await clock.runTo(clock.now() + 29_000)
    t.equal(looks, 0)
    // A look reads the disk for real: it ends when it ends.
    const look = async (ms: number): Promise<void> => {
      await clock.runTo(clock.now() + ms)
      await setup.folders.hasNews()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await look(2000)
    t.same([looks, news], [1, 0])
    put(setup, 'acquired/pdf/new.pdf', pdf('new'))
    await look(31_000)
    t.same([looks, news], [2, 1])
    broken = true
    await look(31_000)
    t.same([looks, news, errors.length], [3, 1, 1])
    broken = false
    await look(31_000)
    t.equal(news, 2, 'a failure is not the end')
    stop()
    await look(100_000)
    t.equal(looks, 4)

    const timers = new VirtualClock(0)
    let told = 0
    const end = watchFolders({
      acquired: join(setup.folder, 'acquired'),
      clock: timers,
      hasNews: async () => true,
      onNews: () => {
        told++
      },
      onError: () => undefined
    })
    put(setup, 'acquired/pdf/another.pdf', pdf('another'))
    await new Promise((resolve) => setTimeout(resolve, 200))
    await timers.runTo(timers.now() + 11_000)
    t.equal(told, 1, 'the system told, and it was still after that')
    end()
    rmSync(join(setup.folder, 'acquired/pdf/another.pdf'))

    const slow = new VirtualClock(0)
    let woken = 0
    const quiet = watchFolders({
      acquired: join(setup.folder, 'nowhere'),
      clock: slow,
      hasNews: async () => true,
      onNews: () => {
        woken++
      },
      onError: () => undefined
    })
    for (let minute = 0; minute < 24 * 60; minute++) await slow.runTo(slow.now() + 60_000)
    quiet()
    t.ok(woken > 50 && woken < 120, `a file that can never be taken wakes the worker ${woken} times a day, not 2880`)
  }
)
