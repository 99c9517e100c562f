import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ZimReader } from '../../../src/knowledge/library/zim.ts'
import { findProgram } from '../../../src/platform/process/programs.ts'
import { inWords } from '../../helpers/in-words.ts'
import { ended, type Setup, scrapeSetup } from './setup.ts'
import { type Site, serveSite } from './site.ts'

const canPack = findProgram('zimwriterfs') !== null

async function setup(t: Test): Promise<Setup | null> {
  if (canPack) return scrapeSetup(t, { image: false })
  t.comment('skipped: zimwriterfs is not installed here')
  return null
}

const pdf = (text: string): Buffer => Buffer.from(`%PDF-1.4\n% ${text}\n%%EOF\n`)
const epub = Buffer.from('PK\u0003\u0004________________________mimetypeapplication/epub+zip', 'latin1')
const a = (href: string): string => `<a href="${href}">${href}</a> `

/** A site with documents, broken links and a page that robots may not see. */
function manualSite(): Site {
  return {
    '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /secret' },
    '/': `<h1>Manuals</h1>${['/one.pdf', '/two.epub', '/files/same.pdf', '/get?id=5', '/fake.pdf', '/lost.pdf', '/page', '/gone', '/broken', '/secret/a', '/out', '/drafts/x.pdf'].map(a).join('')}`,
    '/page': `<p>A page. ${a('/one.pdf')}${a('/')}</p>`,
    '/one.pdf': { type: 'application/pdf', body: pdf('one') },
    '/two.epub': { type: 'application/octet-stream', body: epub },
    '/files/same.pdf': { type: 'application/pdf', body: pdf('one') },
    '/get': { type: 'application/pdf', body: pdf('five') },
    '/fake.pdf': { type: 'application/pdf', body: '<html>Sign in first</html>' },
    '/drafts/x.pdf': { type: 'application/pdf', body: pdf('draft') },
    '/broken': { status: 500 },
    '/out': { status: 302, headers: { Location: 'http://192.168.77.1/' } }
  }
}

t.test('which could not be fetched, and why, is kept with the job', async (t) => {
  const it = await setup(t)
  if (it === null) return
  const site = await serveSite(t, manualSite())
  const job = it.submit(`${site.origin}/`, { delay: 0 })
  it.worker().runner.start()
  const done = await it.until(job.id, ended, 'the end')
  const missed = it.store.findings.missed(job.id).map(({ address, reason }) => ({
    path: new URL(address).pathname,
    code: reason.code,
    said: inWords(reason)
  }))
  t.match(
    missed.sort((one, other) => one.path.localeCompare(other.path)),
    [
      { path: '/broken', code: 'page_answers', said: 'the site answers 500' },
      { path: '/gone', code: 'page_answers', said: 'the site answers 404' },
      { path: '/out', code: 'nothing_fetched_from', said: /192\.168\.77\.1/ },
      { path: '/secret/a', code: 'page_robots_forbid', said: 'robots.txt forbids it' }
    ]
  )
  t.equal(done.findings.missed, 4)
  t.match(inWords(done.message), /robots\.txt asks: 1\. Pages that could not be fetched: 3\./)
  t.same(it.documents.taken, [], 'documents are taken where a job asks for them alone')
  t.equal(done.findings.documents, 0)
  it.store.delete(job.id)
  t.same(it.store.findings.missed(job.id), [], 'what was found goes with its job')
})

t.test('linked PDFs and EPUBs go into the document library, each once, with the address they came from', async (t) => {
  const it = await setup(t)
  if (it === null) return
  const site = await serveSite(t, manualSite())
  const job = it.submit(`${site.origin}/`, { delay: 0, documents: true, exclude: ['/drafts/*'] })
  it.worker().runner.start()
  const done = await it.until(job.id, ended, 'the end')
  t.equal(done.status, 'completed')
  const came = it.documents.taken.map(({ address }) => address.slice(site.origin.length)).sort()
  t.same(came, ['/files/same.pdf', '/get?id=5', '/one.pdf', '/two.epub'])
  t.equal(done.findings.documents, 4)
  const missed = it.store.findings.missed(job.id).map(({ address, reason }) => [new URL(address).pathname, reason.code])
  t.ok(
    missed.some(([path, code]) => path === '/fake.pdf' && code === 'document_is_none'),
    'a page is no PDF, whatever it says'
  )
  t.ok(missed.some(([path, code]) => path === '/lost.pdf' && code === 'page_answers'))
  t.notOk(site.asked.includes('/drafts/x.pdf'), 'what is excluded is excluded as a document too')
  t.match(inWords(done.message), /document library: 4\./)
  // In the archive a link to a document leads to the site, as before.
  const reader = ZimReader.open(join(it.zimFolder, done.archive ?? ''))
  t.teardown(() => reader.close())
  const first = reader.find(reader.mainPath() ?? '')
  const text = first === null ? '' : (await reader.content(first, 100_000)).toString()
  t.match(text, `href="${site.origin}/one.pdf"`)
  t.match(text, `href="${site.origin}/get?id=5"`)

  const few = it.submit(`${site.origin}/`, { delay: 0, documents: true, settings: { max_documents: 2 } })
  it.worker().runner.start()
  const cut = await it.until(few.id, ended, 'the end')
  t.equal(cut.findings.documents, 2)
  t.match(inWords(cut.message), /limit of 2 documents was reached.*were here already: 2/)
})

t.test('a document that was fetched is not lost when the station is cut off before the library has it', async (t) => {
  const it = await setup(t)
  if (it === null) return
  const site = await serveSite(t, manualSite())
  const gate: { open: () => void } = { open: () => undefined }
  const opened = new Promise<void>((resolve) => {
    gate.open = resolve
  })
  let asked = 0
  it.documents.before = async () => {
    if (++asked === 2) await opened
  }
  const job = it.submit(`${site.origin}/`, { delay: 0, documents: true })
  const first = it.worker()
  first.runner.start()
  await it.until(job.id, () => asked === 2, 'the second document')
  // The process is gone: nobody answers it any more.
  it.documents.before = () => undefined
  const files = readdirSync(join(it.zimFolder, '.scrape-1', 'documents'))
  t.equal(files.length, 5, 'every one of them lies in the folder of the crawl')
  const before = site.asked.length
  it.db.sql("UPDATE jobs SET state = 'waiting', lease_owner = NULL, lease_until = NULL, due_at = 0").run()
  it.worker().runner.start()
  const done = await it.until(job.id, ended, 'the end')
  gate.open()
  t.equal(done.status, 'completed')
  t.same(
    site.asked.slice(before).filter((path) => /pdf|epub|get/.test(path) && !/lost/.test(path)),
    [],
    'none is fetched again'
  )
  t.equal(new Set(it.documents.taken.map(({ address }) => address)).size, 5)
  t.equal(done.findings.documents, 5)
  t.notOk(existsSync(join(it.zimFolder, '.scrape-1')))
})

t.test('a crawl that was interrupted says where it went on, and after what', async (t) => {
  const it = await setup(t)
  if (it === null) return
  const pages: Site = { '/robots.txt': { status: 404 } }
  for (let n = 0; n < 40; n++) pages[n === 0 ? '/' : `/p${n}`] = `<p>Page ${n}</p>${a(`/p${n + 1}`)}`
  const site = await serveSite(t, pages)
  let hold = 12
  let answered = 0
  site.before = async () => {
    answered++
    while (answered > hold) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const job = it.submit(`${site.origin}/`, { delay: 0 })
  const first = it.worker()
  first.runner.start()
  await it.until(job.id, () => answered > hold, 'a part of it')
  t.equal(it.store.get(job.id).resumed, null)
  await first.stop()
  hold = 24
  const second = it.worker()
  second.runner.start()
  const again = await it.until(job.id, ({ resumed }) => resumed !== null, 'it goes on')
  t.match(inWords(again.resumed), { pages: 11, after: 'the station was stopped', times: 1 })
  await it.until(job.id, () => answered > hold, 'more of it')
  await second.stop()
  // As after a power cut: nobody had the time to say why.
  it.db.sql('UPDATE scrape_jobs SET message = NULL').run()
  hold = 1000
  it.worker().runner.start()
  const done = await it.until(job.id, ended, 'the end')
  t.match(inWords(done), { status: 'completed', resumed: { after: /was cut off/, times: 2 } })
  t.ok((done.resumed?.pages ?? 0) > 15, 'the pages it had the last time')
})
