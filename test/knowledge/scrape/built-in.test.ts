import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { ZimReader } from '../../../src/knowledge/library/zim.ts'
import { runMirror } from '../../../src/knowledge/scrape/mirror/mirror-child.ts'
import { scrapeRoles } from '../../../src/knowledge/scrape/mirror/roles.ts'
import { activeConfinement } from '../../../src/platform/process/confinement.ts'
import { findProgram } from '../../../src/platform/process/programs.ts'
import { inWords } from '../../helpers/in-words.ts'
import { ended, type Setup, scrapeSetup } from './setup.ts'
import { serveSite, wellsSite } from './site.ts'

const month = new Date().toISOString().slice(0, 7)
const canPack = findProgram('zimwriterfs') !== null

async function setup(t: import('tap').Test): Promise<Setup | null> {
  if (canPack) return scrapeSetup(t, { image: false })
  t.comment('skipped: zimwriterfs is not installed here')
  return null
}

/** Processes of ours that work on this folder. */
const workers = (folder: string): number =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`${folder}/`)
    } catch {
      return false
    }
  }).length

t.test('without a container the built-in archiver makes an archive of the static pages', async (t) => {
  const it = await setup(t)
  if (it === null) return
  const site = await serveSite(t, wellsSite())
  const { port } = new URL(site.origin)
  const job = it.submit(`${site.origin}/`, { title: 'Wells', delay: 0 })
  it.worker().runner.start()
  const done = await it.until(job.id, ended, 'the end')
  t.match(done, { status: 'completed', engine: 'built-in', sourceId: 7, pageCount: 39, total: 39 })
  t.equal(done.archive, `127.0.0.1-${port}_eng_${month}.zim`)
  t.equal(
    inWords(done.message),
    'Static pages only. Pages left out as robots.txt asks: 1. Pages that could not be fetched: 2.'
  )
  t.same(it.files(), [done.archive], 'nothing else is left')
  const reader = ZimReader.open(join(it.zimFolder, done.archive ?? ''))
  t.teardown(() => reader.close())
  t.equal(await reader.metadata('Title'), 'Wells')
  t.equal(reader.mainPath(), `127.0.0.1-${port}/index.html`)
  t.same([...site.agents], ['Lookout/1.0'])
})

t.test('Z9: stopped in the middle it goes on where it was; cancelled nothing of it is left', async (t) => {
  const it = await setup(t)
  if (it === null) return
  const site = await serveSite(t, wellsSite())
  let answered = 0
  let hold = 30
  site.before = async () => {
    answered++
    while (answered > hold) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const job = it.submit(`${site.origin}/`, { delay: 0 })
  const first = it.worker()
  first.runner.start()
  await it.until(job.id, () => answered > 30, 'half of it')
  const folder = join(it.zimFolder, '.scrape-1')
  t.ok(workers(folder) > 0)
  await first.stop()
  t.equal(it.store.get(job.id).status, 'scraping', 'a job that is interrupted is not over')
  await it.until(job.id, () => workers(folder) === 0, 'its process ends with us')
  t.ok(existsSync(join(folder, 'frontier.ndjson')))
  const before = site.asked.length
  hold = 1000
  it.worker().runner.start()
  t.match(await it.until(job.id, ended, 'the end'), { status: 'completed', pageCount: 39 })
  t.ok(
    site.asked.length - before < 40,
    `${site.asked.length - before} of ${site.asked.length} were asked for the second time`
  )
  t.notOk(site.asked.slice(before).includes('/'))

  hold = answered + 10
  const second = it.submit(`${site.origin}/`, { delay: 0 })
  it.worker().runner.start()
  await it.until(second.id, () => answered > hold, 'a part of it')
  it.store.cancel(second.id)
  t.match(await it.until(second.id, ended, 'cancelled'), { status: 'cancelled' })
  t.equal(workers(join(it.zimFolder, '.scrape-2')), 0, 'no process is left')
  t.same(
    it.files().filter((name) => name.startsWith('.')),
    []
  )
  hold = Number.POSITIVE_INFINITY
})

t.test('a crawl sees its own folder and nothing beside it: no secrets, no other archives', async (t) => {
  const it = await setup(t)
  if (it === null) return
  if ((await activeConfinement()).files === null) {
    t.comment('skipped: bubblewrap is not installed, or makes no view here')
    return
  }
  const site = await serveSite(t, wellsSite())
  const gate: { open: () => void } = { open: () => undefined }
  const opened = new Promise<void>((resolve) => {
    gate.open = resolve
  })
  let answered = 0
  site.before = async () => {
    answered++
    if (answered > 5) await opened
  }
  writeFileSync(join(it.zimFolder, 'other.zim'), 'somebody else')
  writeFileSync(join(it.zimFolder, '..', 'config.json'), 'secret')
  const job = it.submit(`${site.origin}/`, { delay: 0 })
  it.worker().runner.start()
  await it.until(job.id, () => answered > 5, 'a part of it')
  const folder = join(it.zimFolder, '.scrape-1')
  const views = rootsOf(folder).filter((root) => root !== '/')
  t.ok(views.length > 0, 'the process of the crawl has a root of its own')
  for (const root of views) {
    t.ok(existsSync(join(root, folder)), 'its folder is there')
    t.same(readdirSync(join(root, it.zimFolder)), ['.scrape-1'], 'no other archive')
    t.same(readdirSync(join(root, it.zimFolder, '..')), [basename(it.zimFolder)], 'no configuration')
    t.notOk(existsSync(join(root, 'etc/default')), 'no environment of services')
  }
  gate.open()
  t.match(await it.until(job.id, ended, 'the end'), { status: 'completed', pageCount: 39 })
})

/** The roots of the processes that work on this folder, as the kernel shows them. */
function rootsOf(folder: string): string[] {
  const ours = readlinkSync('/proc/self/ns/mnt')
  return readdirSync('/proc').flatMap((name) => {
    try {
      const works = /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`${folder}/`)
      return works && readlinkSync(`/proc/${name}/ns/mnt`) !== ours && isNode(name) ? [`/proc/${name}/root`] : []
    } catch {
      return []
    }
  })
}

const isNode = (pid: string): boolean => readlinkSync(`/proc/${pid}/exe`).endsWith('/node')

t.test('a site that cannot be archived fails at once, one that is down is tried again', async (t) => {
  const it = await setup(t)
  if (it === null) return
  const worker = it.worker()
  worker.runner.start()
  const site = await serveSite(t, {
    '/': 'x',
    '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /' }
  })
  const job = it.submit(`${site.origin}/`)
  worker.runner.wake()
  t.match(inWords(await it.until(job.id, ended, 'refused')), { status: 'failed', attempt: 1, message: /robots\.txt/ })
  t.same(it.files(), [])
  const down = await serveSite(t, {
    '/': { status: 503, headers: { 'Retry-After': '1' } },
    '/robots.txt': { status: 404 }
  })
  const other = it.submit(`${down.origin}/`)
  worker.runner.wake()
  t.match(inWords(await it.until(other.id, ({ message }) => message !== null, 'down')), {
    status: 'pending',
    message: /answers 503/
  })
})

t.test("the archiver's process: what it says counts, whatever else it does is a failure", async (t) => {
  const folder = t.testdir({})
  const run = (script: string, signal = new AbortController().signal): Promise<unknown> => {
    writeFileSync(join(folder, 'child.mjs'), script)
    const program = { command: process.execPath, args: [join(folder, 'child.mjs')] }
    return runMirror({ program, folder, signal, onProgress: () => undefined })
  }
  const end = '{"kind":"end","pages":1,"parts":0,"bytes":5,"welcome":"a","limit":null,"forbidden":0,"missed":0}'
  t.match(await run(`console.log('noise'); console.log('{"kind":"progress"'); console.log('${end}')`), { pages: 1 })
  await t.rejects(
    run(`console.log('{"kind":"error","code":"invalid","reason":{"code":"note","params":{"text":"no"}}}')`),
    {
      code: 'invalid',
      message: 'no'
    }
  )
  await t.rejects(
    run(`console.log('{"kind":"error","code":"usage","reason":{"code":"note","params":{"text":"no"}}}')`),
    { code: 'unavailable' }
  )
  await t.rejects(run('process.exit(3)'), { code: 'unavailable', message: /exit code 3/ })
  await t.rejects(run(`console.log('${end}'); process.kill(process.pid, 'SIGKILL')`), { code: 'unavailable' })
  await t.rejects(run('throw new Error("boom")'), { code: 'unavailable' })
  const abort = new AbortController()
  const stopped = run('setInterval(() => {}, 1000)', abort.signal)
  setTimeout(() => abort.abort(new Error('enough')), 100)
  await t.rejects(stopped, { message: 'enough' })
  t.same(Object.keys(scrapeRoles), ['scrape:mirror'])
  await t.rejects(scrapeRoles['scrape:mirror']?.().then((role) => role([])) ?? Promise.resolve(), { code: 'usage' })
})
