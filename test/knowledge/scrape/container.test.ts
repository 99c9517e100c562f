import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { containerMemory, crawlerOptions, delayNote, runArgs } from '../../../src/knowledge/scrape/container-args.ts'
import { readCrawlNumbers } from '../../../src/knowledge/scrape/crawl-stats.ts'
import { Engines, whatIsMissing } from '../../../src/knowledge/scrape/engine.ts'
import { installImage } from '../../../src/knowledge/scrape/install-image.ts'
import { findProgram } from '../../../src/platform/process/programs.ts'
import { inWords } from '../../helpers/in-words.ts'
import { fakeEngine, HELP, IMAGE } from './fake-engine.ts'
import { ended, recover, scrapeSetup } from './setup.ts'
import { ZIMIT_EXCLUSIVE, ZIMIT_OPTIONS } from './zimit-contract.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const month = new Date().toISOString().slice(0, 7)
const canCheck = findProgram('zimwriterfs') !== null && findProgram('zimcheck') !== null

t.test('the life of a job: crawled in a container, moved into the library, registered, done', async (t) => {
  const setup = await scrapeSetup(t)
  const { engine, store } = setup
  const job = setup.submit('https://www.example.org/ok', { title: 'Wells', language: 'de', delay: 0.5 })
  setup.worker().runner.start()
  const running = await setup.until(job.id, ({ pageCount }) => pageCount === 3, 'progress')
  t.match(running, { status: 'scraping', engine: 'container', total: 12, attempt: 1 }, 'half-written files do no harm')
  t.same(engine.containers(), [setup.container(job)])
  t.same(setup.files(), [`.scrape-${job.id}`])

  const [args = ''] = engine.calls().filter((line) => line.startsWith('run --detach'))
  for (const part of [
    `--pull never --name ${setup.container(job)} --label lookout=${setup.station} --label lookout.job=1`,
    '--memory 2400000000 --shm-size 512m --pids-limit 1024',
    '--add-host www.example.org:93.184.215.14',
    `--volume ${setup.zimFolder}/.scrape-1/output:/output ${IMAGE} zimit --seeds https://www.example.org/ok --name www.example.org`,
    '--zim-lang deu --title Wells --description A copy of www.example.org, made by Lookout',
    '--workers 1 --scopeType host --pageLimit 2000 --sizeSoftLimit 2147483648 --timeSoftLimit 14400',
    '--zimit-progress-file progress.json --statsFilename crawl.json',
    '--pageExtraDelay 1 --adminEmail ops@station.example'
  ])
    t.ok(args.includes(part), part)

  setup.library.takes = false
  engine.go()
  const registering = await setup.until(job.id, ({ status }) => status === 'registering', 'registering')
  t.equal(registering.archive, `www.example.org_deu_${month}.zim`)
  t.equal(registering.sourceId, null)
  await setup.until(job.id, () => setup.library.looks.length > 0, 'the library is told')
  setup.library.takes = true
  const done = await setup.until(job.id, ended, 'the end')
  t.match(done, { status: 'completed', sourceId: 7, pageCount: 12, archive: `www.example.org_deu_${month}.zim` })
  t.match(inWords(done.message), /pauses 1 s between pages/, 'a pause that is not as configured is told')
  t.same(setup.files(), [`www.example.org_deu_${month}.zim`], 'no folder is left')
  t.same(engine.containers(), [], 'no container is left')
  t.equal(setup.jobs.get('scrape', '1'), null)

  const second = setup.submit('https://www.example.org/ok', { language: 'de' })
  await setup.until(second.id, () => true, 'x')
  setup.worker().runner.start()
  t.equal((await setup.until(second.id, ended, 'a second of the month')).archive, `www.example.org_deu_${month}_2.zim`)
  t.equal(setup.files().length, 2, 'nothing is overwritten')
  t.equal(store.get(second.id).status, 'completed')
})

t.test('every way a crawl ends without an archive is told in words; what may pass is tried again', async (t) => {
  const setup = await scrapeSetup(t)
  const worker = setup.worker()
  worker.runner.start()
  for (const [what, words, runs] of [
    ['crash', /browser of the crawler crashed \(exit code 10\).*browser crashed/s, 3],
    ['full', /stopped, or its disk was full \(exit code 3\).*disk full/s, 3],
    ['large', /larger than an archive may be \(scraper\.max_bytes\)/, 1],
    ['nothing', /ended well and left no archive/, 1],
    ['oom', /more memory than this machine/, 1],
    ['other', /exit code 9/, 3]
  ] as const) {
    const job = setup.submit(`https://site.example/${what}`)
    worker.runner.wake()
    for (let run = 1; run < runs; run++) {
      const waiting = await setup.until(
        job.id,
        ({ status, attempt }) => status === 'pending' && attempt === run,
        `${what} ${run}`
      )
      t.match(inWords(waiting.message), /^is tried again: /)
      await setup.until(job.id, () => setup.jobs.get('scrape', String(job.id))?.state === 'waiting', 'its back-off')
      setup.retryNow(job.id)
      worker.runner.wake()
    }
    const failed = await setup.until(job.id, ended, what)
    t.equal(failed.status, 'failed', what)
    t.match(inWords(failed.message), words)
    t.equal(failed.attempt, runs)
    t.same(setup.files(), [], 'no folder is left')
    t.same(setup.engine.containers(), [], 'no container is left')
  }
  const [, ...failed] = setup.store.list()
  const again = setup.store.retry(failed[0]?.id ?? 0)
  t.equal(again.status, 'pending')
})

t.test('a limit that was reached gives an archive of what there is, and says so', async (t) => {
  const setup = await scrapeSetup(t)
  const job = setup.submit('https://site.example/partial', { delay: 0 })
  setup.worker().runner.start()
  const done = await setup.until(job.id, ended, 'the end')
  t.match(inWords(done), { status: 'completed', message: 'A limit was reached: the archive holds a part of the site.' })
})

t.test('cancelling really stops it: container, folder, queue; one that does not listen is killed', async (t) => {
  const setup = await scrapeSetup(t)
  const worker = setup.worker()
  worker.runner.start()
  for (const what of ['hang', 'deaf']) {
    const job = setup.submit(`https://site.example/${what}`)
    worker.runner.wake()
    await setup.until(job.id, () => setup.engine.isRunning(setup.container(job)), 'the container runs')
    await setup.until(
      job.id,
      () => existsSync(join(setup.engine.state, 'c', setup.container(job), 'pid')),
      'its process'
    )
    const pid = Number(readFileSync(join(setup.engine.state, 'c', setup.container(job), 'pid'), 'utf8'))
    t.match(setup.store.cancel(job.id), { status: 'scraping', cancelRequested: true })
    const cancelled = await setup.until(job.id, ended, what)
    t.match(cancelled, { status: 'cancelled', archive: null, message: null })
    await setup.until(job.id, () => !isAlive(pid), 'its process is gone')
    t.same(setup.engine.containers(), [])
    t.same(setup.files(), [])
  }
  const job = setup.submit('https://site.example/ok')
  setup.engine.go()
  setup.library.takes = false
  worker.runner.wake()
  await setup.until(job.id, ({ status }) => status === 'registering', 'registering')
  setup.store.cancel(job.id)
  t.equal((await setup.until(job.id, ended, 'cancelled while it is registered')).status, 'cancelled')
  t.same(setup.files(), [], 'the archive goes too')
})

t.test('Z9: after a crash or a restart a job goes on with its container, and none is left behind', async (t) => {
  const setup = await scrapeSetup(t)
  const job = setup.submit('https://site.example/ok')
  const first = setup.worker()
  first.runner.start()
  await setup.until(job.id, ({ pageCount }) => pageCount === 3, 'progress')
  await first.stop()
  t.equal(setup.store.get(job.id).status, 'scraping')
  t.ok(setup.engine.isRunning(setup.container(job)), 'a restart of the station does not end the crawl')

  // Another crash left this: a container and a folder of a job that is over, a job without its place in the queue.
  const gone = setup.submit('https://site.example/hang')
  const second = setup.worker()
  setup.jobs.remove('scrape', String(job.id))
  setup.store.cancel(gone.id)
  mkdirSync(join(setup.zimFolder, '.scrape-999'))
  const orphan = setup.container({ ...job, id: 999 })
  mkdirSync(join(setup.engine.state, 'c', orphan))
  writeFileSync(join(setup.engine.state, 'c', orphan, 'label'), `lookout=${setup.station}\n`)
  writeFileSync(join(setup.engine.state, 'c', orphan, 'code'), '0\n')
  const foreign = 'lookout-scrape-0123456789ab-1'
  mkdirSync(join(setup.engine.state, 'c', foreign))
  writeFileSync(join(setup.engine.state, 'c', foreign, 'label'), 'lookout=0123456789ab\n')
  writeFileSync(join(setup.engine.state, 'c', foreign, 'code'), '0\n')
  await recover(setup)
  t.same(setup.engine.containers(), [foreign, setup.container(job)].sort(), "other stations' containers are left alone")
  t.same(setup.files(), ['.scrape-1'])
  const starts = (): number => setup.engine.calls().filter((line) => line.startsWith('run --detach')).length
  t.equal(starts(), 1)
  second.runner.start()
  setup.engine.go()
  t.match(await setup.until(job.id, ended, 'the end'), { status: 'completed', pageCount: 12 })
  t.equal(starts(), 1, 'the container was gone on with')
})

t.test(
  'Z9: it ends while nobody looks: the archive is taken all the same; a container that is gone is begun anew',
  async (t) => {
    const setup = await scrapeSetup(t)
    const job = setup.submit('https://site.example/ok')
    const first = setup.worker()
    first.runner.start()
    await setup.until(job.id, ({ pageCount }) => pageCount === 3, 'progress')
    await first.stop()
    setup.engine.go()
    await setup.until(job.id, () => !setup.engine.isRunning(setup.container(job)), 'the container has ended')
    setup.worker().runner.start()
    t.match(await setup.until(job.id, ended, 'the end'), { status: 'completed' })
    t.equal(setup.engine.calls().filter((line) => line.startsWith('run --detach')).length, 1)
  }
)

for (const over of [false, true]) {
  const when = over
    ? 'after the container has ended: its archive is taken'
    : 'while the container runs: it is gone on with'
  t.test(`the client is killed ${when}, and none is started again`, async (t) => {
    const setup = await scrapeSetup(t)
    const { engine } = setup
    engine.set('slow-client', true)
    const job = setup.submit('https://site.example/ok')
    setup.worker().runner.start()
    const client = join(engine.state, 'client')
    await setup.until(job.id, () => existsSync(client) && readFileSync(client, 'utf8') !== '', 'the client')
    await setup.until(job.id, () => existsSync(join(engine.state, 'c', setup.container(job), 'pid')), 'the container')
    if (over) engine.go()
    await setup.until(job.id, () => engine.isRunning(setup.container(job)) !== over, 'the container, as it should be')
    process.kill(Number(readFileSync(client, 'utf8')), 'SIGKILL')
    engine.set('slow-client', false)
    if (!over)
      await setup.until(job.id, ({ status, pageCount }) => status === 'scraping' && pageCount === 3, 'it is watched')
    engine.go()
    t.match(await setup.until(job.id, ended, 'the end'), { status: 'completed', attempt: 1 })
    t.equal(engine.calls().filter((line) => line.startsWith('run --detach')).length, 1)
  })
}

t.test(
  'Z10: a crawl that stands still is stopped; an engine that does not answer for a while is waited for',
  async (t) => {
    const setup = await scrapeSetup(t, { times: { stallMs: 300 } })
    const worker = setup.worker()
    worker.runner.start()
    const job = setup.submit('https://site.example/hang')
    worker.runner.wake()
    const waiting = await setup.until(job.id, ({ status, attempt }) => status === 'pending' && attempt === 1, 'stopped')
    t.match(inWords(waiting.message), /stood still/)
    t.same(setup.engine.containers(), [])
    setup.store.cancel(job.id)

    const patient = await scrapeSetup(t)
    const other = patient.submit('https://site.example/ok')
    patient.worker().runner.start()
    await patient.until(other.id, ({ pageCount }) => pageCount === 3, 'progress')
    patient.engine.set('down', true)
    await new Promise((resolve) => setTimeout(resolve, 200))
    t.equal(patient.store.get(other.id).status, 'scraping')
    patient.engine.set('down', false)
    patient.engine.go()
    t.equal((await patient.until(other.id, ended, 'the end')).status, 'completed')
  }
)

t.test('Z10: the disk is looked at before and during a crawl', async (t) => {
  const setup = await scrapeSetup(t)
  setup.free.bytes = 50_000_000
  const job = setup.submit('https://site.example/hang')
  const worker = setup.worker()
  worker.runner.start()
  const held = await setup.until(job.id, ({ message }) => message !== null, 'held')
  t.match(inWords(held), { status: 'pending', message: /not enough space/, attempt: 0 })
  t.equal(setup.jobs.get('scrape', String(job.id))?.state, 'held')
  t.same(setup.engine.containers(), [])
  setup.free.bytes = 1e12
  setup.jobs.releaseHeld('scrape')
  worker.runner.wake()
  await setup.until(job.id, () => setup.engine.isRunning(setup.container(job)), 'it begins')
  setup.free.bytes = 999_999
  const again = await setup.until(job.id, ({ status }) => status === 'pending', 'it waits for room')
  t.match(inWords(again), { message: /^The crawl was stopped: there is not enough space.*begins again by itself/ })
  t.match(setup.jobs.get('scrape', String(job.id)), { state: 'held', attempts: 0 })
  t.same(setup.engine.containers(), [])
  t.same(setup.files(), [], 'what came so far does not keep the disk full')
  setup.free.bytes = 1e12
  setup.jobs.releaseHeld('scrape')
  worker.runner.wake()
  await setup.until(job.id, () => setup.engine.isRunning(setup.container(job)), 'it begins again')
  // A removal makes room: this site alone is larger than the disk.
  let looks = 0
  setup.free.look = () => (looks++ === 0 ? 999_999 : 1e12)
  const failed = await setup.until(job.id, ended, 'the end')
  t.match(inWords(failed), { status: 'failed', message: /^The crawl was stopped: there is not enough space/ })
  t.same(setup.engine.containers(), [])
  t.same(setup.files(), [])
})

t.test('an archive that is damaged, or that the library refuses, is no success', async (t) => {
  const setup = await scrapeSetup(t)
  const worker = setup.worker()
  worker.runner.start()
  if (canCheck) {
    const job = setup.submit('https://site.example/damaged')
    worker.runner.wake()
    t.match(inWords(await setup.until(job.id, ended, 'damaged')), { status: 'failed', message: /damaged|zimcheck/ })
    t.same(setup.files(), [])
  } else t.comment('skipped: zimcheck is not installed here')
  setup.engine.go()
  setup.library.refuses = 'The archive is encrypted.'
  const job = setup.submit('https://site.example/ok')
  worker.runner.wake()
  const failed = await setup.until(job.id, ended, 'refused')
  t.match(inWords(failed), { status: 'failed', message: 'The archive is encrypted.' })
  setup.library.refuses = null
  setup.store.retry(job.id)
  worker.runner.wake()
  t.match(await setup.until(job.id, ended, 'again'), { status: 'completed' })
  t.equal(
    setup.engine.calls().filter((line) => line.startsWith('run --detach') && line.includes('/ok')).length,
    1,
    'an archive that is there is not made again'
  )
})

t.test('contract §9: what archives is found out, never chosen; what is missing is named', async (t) => {
  const report = (options: { engine: ReturnType<typeof fakeEngine>; arch?: string; memoryBytes?: number }) =>
    new Engines({
      image: () => IMAGE,
      now: () => 0,
      path: options.engine.path,
      machine: { arch: options.arch ?? 'arm64', memoryBytes: options.memoryBytes ?? 4e9 }
    }).report()
  const ready = fakeEngine(t)
  t.match(await report({ engine: ready }), {
    chosen: 'container',
    container: { usable: true, engine: 'docker 24.0.7' }
  })
  t.match(await report({ engine: fakeEngine(t, { name: 'podman' }) }), { container: { engine: 'podman 24.0.7' } })
  t.match(inWords((await report({ engine: ready, arch: 'arm' })).container), { usable: false, missing: [/64-bit/] })
  t.match(inWords((await report({ engine: ready, memoryBytes: 1e9 })).container), { usable: false, missing: [/2 GB/] })
  t.match((await report({ engine: ready, memoryBytes: 1.9e9 })).container, { usable: true }, 'a 2 GB board shows less')
  t.match(inWords((await report({ engine: fakeEngine(t, { image: false }) })).container), {
    imagePresent: false,
    missing: [/lookout archiver install/]
  })
  const down = fakeEngine(t)
  down.set('down', true)
  t.match(inWords((await report({ engine: down })).container), {
    engine: null,
    missing: [/docker is installed but does not answer: Cannot connect/]
  })
  const bare = await new Engines({ image: () => IMAGE, now: () => 0, path: '/nowhere' }).report()
  t.equal(bare.chosen, null)
  t.match(inWords(whatIsMissing(bare)), /zimwriterfs is not installed.*neither docker nor podman is installed/)
  const builtIn = fakeEngine(t, { image: false })
  writeFileSync(join(builtIn.path, 'zimwriterfs'), '#!/bin/sh\n', { mode: 0o755 })
  t.match(inWords(await report({ engine: builtIn })), { chosen: 'built-in', label: 'static pages only' })
})

t.test('the image is installed from a file; a file of something else leaves nothing', async (t) => {
  const engine = fakeEngine(t, { image: false })
  const clients = new Engines({ image: () => IMAGE, now: () => 0, path: engine.path }).installed()
  const file = (name: string, content: string): string => {
    const path = join(engine.state, name)
    writeFileSync(path, content)
    return path
  }
  t.match(await installImage(file('zimit.tar', `IMAGE ${IMAGE}\n`), { image: IMAGE, clients }), {
    engine: 'docker',
    image: IMAGE
  })
  const other = fakeEngine(t, { image: false })
  const others = new Engines({ image: () => IMAGE, now: () => 0, path: other.path }).installed()
  await t.rejects(installImage(file('other.tar', 'IMAGE busybox:1\n'), { image: IMAGE, clients: others }), {
    code: 'bad-input',
    message: /holds busybox:1, not ghcr/
  })
  t.same(readdirSync(join(other.state, 'images')), [])
  await t.rejects(installImage(file('text', 'hello'), { image: IMAGE, clients }), { code: 'bad-input' })
  await t.rejects(installImage('/nowhere/x.tar', { image: IMAGE, clients }), { code: 'missing' })
  await t.rejects(installImage(file('a.tar', ''), { image: IMAGE, clients: [] }), {
    code: 'missing',
    message: /neither docker nor podman/
  })
})

t.test('numbers of the crawler: whatever stands in its files', async (t) => {
  const folder = t.testdir({})
  const write = (stats: string | null, progress: string | null): void => {
    if (stats !== null) writeFileSync(join(folder, 'crawl.json'), stats)
    if (progress !== null) writeFileSync(join(folder, 'progress.json'), progress)
  }
  t.equal(await readCrawlNumbers(folder), null)
  for (const text of ['', '{', '{"crawled":', 'null', '[]', '"x"', '\u0000\u0000']) {
    write(text, text)
    t.equal(await readCrawlNumbers(folder), null, JSON.stringify(text))
  }
  write('{"crawled":5,"total":9,"failed":1,"limit":{"max":0,"hit":true}}', '{"done":50,"total":')
  t.same(await readCrawlNumbers(folder), { done: 5, total: 9, failed: 1, partial: false, limitHit: true })
  write('{"crawl', '{"done":4,"total":10,"partialZim":true}')
  t.same(await readCrawlNumbers(folder), { done: 4, total: 10, failed: 0, partial: true, limitHit: false })
  write('{"crawled":"many","total":-3}', '{}')
  t.equal(await readCrawlNumbers(folder), null)
  write('{"crawled":1e999}', '{"done":1e999}')
  t.equal(await readCrawlNumbers(folder), null, 'a number of JSON that is none of pages')
  write('{"crawled":2,"total":-3,"limit":7}', '{}')
  t.same(await readCrawlNumbers(folder), { done: 2, total: null, failed: 0, partial: false, limitHit: false })
})

t.test('the pause between pages is applied where the crawler has one, else the job says so', async (t) => {
  const setup = await scrapeSetup(t)
  const job = setup.submit('https://site.example/partial', { delay: 2 })
  t.same(crawlerOptions('--pageExtraDelay X --sizeSoftLimit --timeSoftLimit'), {
    delay: '--pageExtraDelay',
    softLimits: true,
    patterns: null
  })
  t.same(crawlerOptions('[--delay DELAY] --sizeHardLimit --exclude X'), {
    delay: '--delay',
    softLimits: false,
    patterns: { include: '--include', exclude: '--exclude' }
  })
  t.same(crawlerOptions('--my--delay-x'), { delay: null, softLimits: false, patterns: null })
  const plan = { name: 'n', station: 's', image: 'i', folder: '/f', memoryBytes: 1, pinned: [], job, contact: '' }
  t.match(
    runArgs({ ...plan, options: { delay: '--delay', softLimits: false, patterns: null } }).join(' '),
    /--sizeHardLimit 2147483648 .*--delay 2$/
  )
  t.equal(delayNote(job, { delay: '--delay', softLimits: false, patterns: null }), null)
  t.match(
    inWords(delayNote(job, { delay: null, softLimits: true, patterns: null })),
    /pause of 2 s between pages was not applied/
  )
  t.equal(containerMemory(2e9), 1_200_000_000)
  t.equal(containerMemory(32e9), 4 * 2 ** 30)
  setup.engine.help('usage: something else')
  setup.worker().runner.start()
  t.match(inWords((await setup.until(job.id, ended, 'the end')).message), /A limit was reached.*was not applied/)
})

t.test(
  'the archiver and its stand-in hold to the command line of zimit, and the record of it says the same',
  async (t) => {
    const setup = await scrapeSetup(t)
    const job = setup.submit('https://www.example.org/docs/a,b', {
      ...{ title: '--- A title that begins with dashes and is too long', language: 'eng,deu', delay: 0.2 },
      ...{ include: ['/docs/*'], exclude: ['/calendar/*', '/*?print=*'], documents: true }
    })
    const options = crawlerOptions(HELP)
    const plan = { name: 'n', station: 's', image: IMAGE, folder: '/f', memoryBytes: 1, pinned: [], job, options }
    const all = runArgs({ ...plan, contact: 'ops@station.example' })
    const args = all.slice(all.indexOf('zimit') + 1)
    const told = args.filter((_, index) => index % 2 === 0)
    t.equal(new Set(told).size, told.length, 'argparse keeps the last of two')
    for (const [index, name] of told.entries()) {
      const known = ZIMIT_OPTIONS.find((one) => one.name === name)
      const value = args[index * 2 + 1] ?? ''
      t.ok(known !== undefined && new RegExp(known.value, 'u').test(value), `${name} ${value}`)
      t.notMatch(value, /^-/, `argparse takes ${value} for an option`)
    }
    for (const pair of ZIMIT_EXCLUSIVE) t.equal(told.filter((name) => pair.includes(name)).length, 1, pair.join(' or '))
    t.match(args.join(' '), /--seeds https:\/\/www\.example\.org\/docs\/a%2Cb /, 'a comma separates seeds')
    t.match(
      args.join(' '),
      / --scopeType custom --scopeIncludeRx \^https\?:/,
      'a scope by name would add to what is included'
    )
    const value = (name: string): RegExp => new RegExp(args[args.indexOf(name) + 1] ?? '$.')
    t.ok(value('--scopeIncludeRx').test('https://www.example.org/docs/x'))
    t.notOk(value('--scopeIncludeRx').test('https://www.example.org/calendar/2026'))
    t.ok(value('--scopeExcludeRx').test('https://www.example.org/docs/x?print=1'))

    const record = readFileSync(join(root, 'docs/decisions/0076-the-image-of-the-archiver.md'), 'utf8')
    const rows = [...record.matchAll(/^\| `(--[\w-]+)` \| (\w+) \|/gm)].map(([, name, to]) => ({ name, to }))
    t.same(
      rows,
      ZIMIT_OPTIONS.map(({ name, to }) => ({ name, to }))
    )
  }
)

t.test('the stand-in refuses what zimit refuses', async (t) => {
  const engine = fakeEngine(t)
  const answer = (...more: string[]): { status: number | null; stdout: string } => {
    const args = ['--seeds', 'https://site.example/nothing', '--name', 'x', ...more]
    const env = { ...process.env, CONTAINER: engine.state, VOLUME: engine.state, STATE: engine.state }
    return spawnSync('sh', [join(engine.state, 'zimit'), ...args], { env, encoding: 'utf8' })
  }
  t.equal(answer('--pageLimit', '5', '--sizeSoftLimit', '9').status, 0)
  for (const [more, words] of [
    [['--sizeSoftLimit', '9', '--sizeHardLimit', '9'], /not allowed with/],
    [['--timeHardLimit', '9', '--timeSoftLimit', '9'], /not allowed with/],
    [['--limit', '5'], /unrecognized/],
    [['--scopeType', 'site'], /invalid value/],
    [['--title', '-x'], /invalid value/],
    [['--title', 'x'.repeat(31)], /invalid value/],
    [['--pageExtraDelay', '0.5'], /invalid value/]
  ] as const) {
    const { status, stdout } = answer(...more)
    t.equal(status, 2, more.join(' '))
    t.match(stdout, words)
  }
})

t.test('wishes that a crawler has no option for are told', async (t) => {
  const setup = await scrapeSetup(t)
  setup.engine.help('usage: zimit [--sizeSoftLimit N] [--timeSoftLimit N] [--pageExtraDelay N]')
  const job = setup.submit('https://site.example/partial', { delay: 0, exclude: ['/x/*'], documents: true })
  setup.worker().runner.start()
  const done = await setup.until(job.id, ended, 'the end')
  t.match(inWords(done.message), /patterns were not applied.*in the archive, not in the document library/)
  t.notMatch(setup.engine.calls().join('\n'), /--exclude|--scopeExcludeRx/)
})

t.test('pages that the crawler of the container could not load are listed from its log', async (t) => {
  const setup = await scrapeSetup(t)
  const job = setup.submit('https://site.example/failing', { delay: 0 })
  setup.worker().runner.start()
  const done = await setup.until(job.id, ended, 'the end')
  t.match(inWords(done), { status: 'completed', findings: { missed: 3 }, message: /could not be fetched: 3\./ })
  t.match(inWords(setup.store.findings.missed(job.id)), [
    { address: 'https://site.example/a', reason: 'net::ERR_CONNECTION_REFUSED' },
    { address: 'https://site.example/b', reason: 'the site answers 404' }
  ])
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
