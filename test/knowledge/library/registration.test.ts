import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { FeedEntry } from '../../../src/knowledge/library/feed.ts'
import { LibraryReconciler } from '../../../src/knowledge/library/reconciler.ts'
import { compare, Registration, type RegistrationOptions } from '../../../src/knowledge/library/registration.ts'
import { LibraryServer, type ServerState } from '../../../src/knowledge/library/server.ts'
import type { LibrarySource } from '../../../src/knowledge/library/source.ts'
import type { Reason } from '../../../src/model/reason.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { canServeArchives, hold, makeArchive, serverOptions, source } from '../../helpers/archives.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { eventually } from '../../helpers/process.ts'

t.setTimeout(120_000)
const quiet = { info: () => undefined, warn: () => undefined }
const entry = (id: number, patch: Partial<FeedEntry> = {}): FeedEntry => {
  const { uuid, title, language } = source(id)
  return { uuid, title, language, name: `archive-${id}`, link: `/archive-${id}`, ...patch }
}

/** A server that lists what a test says, and tells what was asked of it. */
function fakeServer(kind: 'supervised' | 'external' = 'supervised') {
  const told: string[] = []
  const server = {
    kind,
    told,
    status: 'running' as ServerState['status'],
    listed: [] as FeedEntry[],
    untold: null as Reason | null,
    /** The new list after a reload. */
    onReload: (): void => undefined,
    state: (): ServerState => ({
      status: server.status,
      url: server.status === 'running' ? 'http://127.0.0.1:1' : null,
      version: null,
      reason: server.status === 'running' ? null : note('not there')
    }),
    want: async (serve: boolean) => void told.push(serve ? 'want' : 'unwanted'),
    reload: async () => {
      told.push('reload')
      server.onReload()
      return server.untold
    },
    feed: async () => server.listed,
    restart: (reason: Reason) => void told.push(`restart: ${sentenceOf(reason)}`)
  }
  return server
}

/** A registration whose clock runs as fast as it is asked to. */
function registration(t: Test, server: RegistrationOptions['server'], rows: LibrarySource[]) {
  const folder = t.testdir(Object.fromEntries(rows.map(({ filename }) => [filename, 'ZIM'])))
  const file = join(folder, 'library.xml')
  const clock = new VirtualClock(Date.parse('2026-07-01T12:00:00Z'))
  const kept = new Registration({ file, sources: () => rows, server, clock, log: quiet, confirmMs: 10_000 })
  const done = async () => {
    const running = kept.sync()
    let over = false
    void running.then(() => {
      over = true
    })
    while (!over) {
      await clock.runTo(clock.now() + 200)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return running
  }
  return { folder, file, kept, done, clock, text: () => readFileSync(file, 'utf8') }
}

t.test('feed and rows are compared both ways, by the id of the archive (Z1)', async (t) => {
  const books = [source(1), source(2), source(3)]
  const listed = [entry(1), entry(2, { name: 'other' }), entry(9, { title: 'Foreign' })]
  const ids = (rows: readonly { uuid: string }[]) => rows.map(({ uuid }) => Number(uuid.slice(-2)))
  const ours = compare({ books }, listed, { external: false, formerly: new Set() })
  t.same([ids(ours.missing), ids(ours.dangling), ids(ours.foreign)], [[2, 3], [9], []])
  const theirs = compare({ books }, listed, { external: true, formerly: new Set() })
  t.same([ids(theirs.missing), ids(theirs.dangling), ids(theirs.foreign)], [[3], [], [9]])
  const before = compare({ books }, listed, { external: true, formerly: new Set([source(9).uuid]) })
  t.same([ids(before.missing), ids(before.dangling), ids(before.foreign)], [[3], [9], []])
})

t.test('what changed is written, told and confirmed; what did not is only looked at', async (t) => {
  const rows = [source(1)]
  const server = fakeServer()
  server.onReload = () => {
    server.listed = rows.filter(({ state }) => state === 'present').map(({ id }) => entry(id))
  }
  const { done, kept, text } = registration(t, server, rows)
  t.equal(kept.isDue, true)
  t.match(await done(), {
    problem: null,
    listed: [{ uuid: source(1).uuid }],
    comparison: { missing: [], dangling: [] }
  })
  t.same(server.told, ['want', 'reload'])
  t.equal(kept.isDue, false)
  await done()
  t.same(server.told, ['want', 'reload', 'want'])
  rows[0] = source(1, { state: 'removing' })
  t.equal(kept.isDue, true, 'a removal that has begun is not registered')
  t.match(await done(), { listed: [], problem: null })
  t.same(server.told.slice(3), ['reload', 'unwanted'], 'it is shown by the feed before the server goes')
  t.notMatch(text(), /<book/)
})

t.test('a server that does not follow is told again, and then reported', async (t) => {
  const server = fakeServer()
  const { done } = registration(t, server, [source(1)])
  t.match(inWords(await done()), {
    problem: 'The library server does not list archive-1.zim.',
    comparison: { missing: [{ id: 1 }] }
  })
  t.ok(server.told.filter((what) => what === 'reload').length >= 3, server.told.join())
  server.listed = [entry(1), entry(7, { title: 'Old' })]
  t.match(inWords(await done()), { problem: 'The library server still lists Old.' })
  server.untold = note('library.server_pid_file is empty')
  t.match(inWords(await done()), {
    problem: /could not be told to read its list again: library\.server_pid_file is empty/
  })
  server.listed = [entry(1)]
  t.match(await done(), { problem: null })
})

t.test('without a server the list is written all the same, and the reason is told', async (t) => {
  const server = fakeServer()
  server.status = 'missing'
  const { done, text } = registration(t, server, [source(1)])
  t.match(await done(), { listed: null, comparison: null, problem: note('not there') })
  t.match(text(), /archive-1\.zim/)
})

t.test('our server that runs and never answers is started again', async (t) => {
  const server = fakeServer()
  const { AppError } = await import('../../../src/platform/errors.ts')
  const silent = { ...server, feed: () => Promise.reject(new AppError('unavailable', note('no answer'))) }
  const { done } = registration(t, silent, [source(1)])
  t.match(inWords(await done()), { listed: null, problem: 'no answer' })
  t.match(server.told, ['want', 'reload', 'restart: it did not answer: no answer'])
})

t.test('a file that is not there in one piece is not registered', async (t) => {
  const rows = [source(1), source(2), source(3)]
  const server = fakeServer()
  server.listed = [entry(1)]
  const { done, folder } = registration(t, server, rows)
  rmSync(join(folder, 'archive-2.zim'))
  rmSync(join(folder, 'archive-3.zim'))
  writeFileSync(join(folder, 'archive-3.zimaa'), 'ZIM')
  t.match(inWords(await done()), {
    problem: null,
    leftOut: [
      { source: { id: 2 }, reason: /its file is not in the folder/ },
      { source: { id: 3 }, reason: /archives in parts/ }
    ]
  })
})

t.test('runs never overlap: what is asked for meanwhile is one more run', async (t) => {
  const server = fakeServer()
  let inside = 0
  let most = 0
  const rows = [source(1)]
  server.listed = [entry(1)]
  server.feed = async () => {
    most = Math.max(most, ++inside)
    await new Promise((resolve) => setTimeout(resolve, 5))
    inside--
    return server.listed
  }
  const { kept } = registration(t, server, rows)
  await Promise.all([kept.sync(), kept.sync(), kept.sync(), kept.sync()])
  t.equal(most, 1)
  t.equal(server.told.filter((what) => what === 'want').length, 2)
})

t.test('the folder is compared with the rows on a schedule, and the worker is woken only for news (Z2)', async (t) => {
  const folder = t.testdir({ 'old.zim': 'ZIM', 'broken.zim': 'ZIM' })
  const clock = new VirtualClock(Date.now())
  const rows: LibrarySource[] = []
  const added: string[] = []
  let syncs = 0
  let woken = 0
  const reconciler = new LibraryReconciler({
    folder,
    sources: { list: () => rows } as never,
    jobs: { add: (kind, subject) => void added.push(`${kind} ${subject}`), get: () => null },
    server: { state: () => ({ status: 'off', url: null, version: null, reason: null }) },
    registration: {
      sync: async () => {
        syncs++
        return { listed: null, comparison: null, leftOut: [], problem: null }
      },
      isDue: false
    },
    receiver: { sweep: async () => 0 },
    partials: { sweep: async () => 0 },
    everyMs: () => 600_000,
    clock,
    wake: () => {
      woken++
    },
    log: quiet
  })
  rows.push(source(5, { filename: 'going.zim', state: 'removing' }))
  reconciler.start()
  t.teardown(() => reconciler.stop())
  await eventually('the first look', () => syncs === 1)
  t.same(
    added,
    ['remove-source 5', 'detect-archives folder'],
    'a removal that had begun is finished, files are looked at'
  )
  await clock.runTo(clock.now() + 600_000)
  await eventually('the second look', () => syncs === 2)
  t.equal(added.length, 2, 'the same difference is no news')
  writeFileSync(join(folder, 'new.zim'), 'ZIM')
  await clock.runTo(clock.now() + 11_000)
  reconciler.lookSoon()
  await eventually('somebody opened the page', () => added.length === 3)
  writeFileSync(join(folder, 'newer.zim'), 'ZIM')
  reconciler.lookSoon()
  t.equal(woken, 3, 'the page may be opened again and again')
  reconciler.arrived('upload.zim')
  t.equal(added.at(-1), 'detect-archives folder:upload.zim')
})

t.test('a file that is cut, removed or replaced while it is registered is taken off at once', async (t) => {
  const folder = t.testdir({ 'a.zim': 'ZIM and more', 'b.zim': 'ZIM', 'c.zim': 'ZIM' })
  const rows = ['a', 'b', 'c'].map((name, id) => {
    const { size, mtimeMs } = statSync(join(folder, `${name}.zim`))
    return source(id, { filename: `${name}.zim`, sizeBytes: size, mtime: Math.floor(mtimeMs) })
  })
  const clock = new VirtualClock(Date.now())
  const told: string[] = []
  const jobs: string[] = []
  const reconciler = new LibraryReconciler({
    folder,
    sources: {
      list: () => rows,
      setState: (id: number, state: LibrarySource['state'], reason: Reason | null) => {
        rows[id] = source(id, { ...rows[id], state, reason })
        told.push(`${id} ${state}: ${reason?.code}`)
      }
    } as never,
    jobs: { add: (kind, subject) => void jobs.push(`${kind} ${subject}`), get: () => null },
    server: { state: () => ({ status: 'off', url: null, version: null, reason: null }) },
    registration: {
      sync: async () => {
        told.push('registered anew')
        return { listed: null, comparison: null, leftOut: [], problem: null }
      },
      isDue: false
    },
    receiver: { sweep: async () => 0 },
    partials: { sweep: async () => 0 },
    everyMs: () => 600_000,
    clock,
    wake: () => undefined,
    log: quiet
  })
  reconciler.start()
  t.teardown(() => reconciler.stop())
  await eventually('the first look', () => told.length === 1)
  // The watch begins with the end of the first look.
  await new Promise((resolve) => setTimeout(resolve, 50))
  told.length = 0
  truncateSync(join(folder, 'a.zim'), 3)
  await eventually('the cut one', async () => {
    await clock.runTo(clock.now() + 300)
    return told.length === 2
  })
  t.same(told, ['0 missing: archive_changed', 'registered anew'])
  rmSync(join(folder, 'b.zim'))
  await eventually('the removed one', async () => {
    await clock.runTo(clock.now() + 300)
    return told.length === 4
  })
  t.same(told.slice(2), ['1 missing: archive_gone', 'registered anew'])
  utimesSync(join(folder, 'c.zim'), new Date(1), new Date(1))
  await clock.runTo(clock.now() + 11_000)
  await eventually('the worker looks', () => jobs.includes('detect-archives folder'))
  t.equal(told.length, 4, 'of one that has another time and its size, the worker decides')
})

t.test('the real server follows: two archives of equal title, a twin, a removal, a crash', async (t) => {
  if (!canServeArchives()) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
  hold(t)
  const folder = t.testdir()
  const file = join(folder, 'library.xml')
  await makeArchive(join(folder, 'archive-1.zim'), { title: 'Same' })
  for (const name of ['archive-2.zim', 'twin.zim']) copyFileSync(join(folder, 'archive-1.zim'), join(folder, name))
  const rows = [
    source(1, { title: 'Same' }),
    source(2, { title: 'Same' }),
    source(3, { filename: 'twin.zim', uuid: source(1).uuid })
  ]
  const server: LibraryServer = new LibraryServer(serverOptions(file))
  const { clock } = serverOptions(file)
  const kept = new Registration({ file, sources: () => rows, server, clock, log: quiet })
  t.teardown(async () => {
    kept.stop()
    await server.stop()
  })
  const names = async () => (await server.feed()).map(({ name, title }) => `${name} ${title}`).sort()
  t.match(await kept.sync(), { problem: null, leftOut: [{ source: { id: 3 } }] })
  t.same(await names(), ['archive-1 Same', 'archive-2 Same'])
  rows.splice(0, 1)
  t.match(await kept.sync(), { problem: null, leftOut: [] })
  t.same(await names(), ['archive-2 Same', 'twin Archive 3'], 'the other file of the same archive takes its place')
  process.kill(server.pid ?? 0, 'SIGKILL')
  rows.splice(0, 1)
  await eventually('it noticed', () => server.state().status !== 'running')
  await eventually('it is back', () => server.state().status === 'running')
  t.match(await kept.sync(), { problem: null })
  t.same(await names(), ['twin Archive 3'])
  rows.splice(0, 1)
  t.match(await kept.sync(), { problem: null, listed: [] })
  t.equal(server.state().status, 'off')
})
