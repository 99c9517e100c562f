/// <reference lib="dom" />

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElementHandle, Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import type { EngineReport } from '../../src/knowledge/scrape/engine.ts'
import type { ScrapeJobs } from '../../src/knowledge/scrape/jobs.ts'
import { because } from '../../src/model/reason.ts'
import { findProgram } from '../../src/platform/process/programs.ts'
import { type Station, station } from '../dashboard/harness.ts'
import { note } from '../helpers/in-words.ts'
import { knowledgeSetup } from '../helpers/knowledge.ts'
import { knowledgeContext } from '../helpers/knowledge-pages.ts'
import {
  type Archives,
  archives,
  removeAtOnce,
  type Seeded,
  scrapeSetup,
  seedArchives,
  seedJobs,
  uuid
} from '../helpers/library-pages.ts'
import { startLookout } from '../helpers/process.ts'
import { needsZimTools, pageHtml, writeArchive, zimBytes } from '../helpers/zim.ts'
import { checkPage, closeBrowser, follow, openPage, screenshot } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(900_000)

interface Shelf extends Archives {
  base: string
  station: Station
  ids: Seeded
  scrapes: Partial<ReturnType<typeof seedJobs>>
  jobs: ScrapeJobs
}

const BUILT_IN: EngineReport = {
  chosen: 'built-in',
  label: note('static pages only'),
  container: {
    usable: false,
    engine: null,
    image: 'ghcr.io/openzim/zimit:3.1.2',
    imagePresent: false,
    missing: [note('neither docker nor podman is installed')]
  },
  builtIn: { usable: true, missing: [] }
}
const NONE: EngineReport = {
  ...BUILT_IN,
  chosen: null,
  builtIn: { usable: false, missing: [note('zimwriterfs is not installed (package zim-tools)')] }
}

async function shelf(t: Test, seed = true, report = BUILT_IN): Promise<Shelf> {
  const setup = await knowledgeSetup(t)
  const made = archives(t, setup)
  const ids = seed ? seedArchives(made) : ({} as Seeded)
  const knowledge = knowledgeContext(t, setup)
  const scraper = scrapeSetup(made, report)
  const scrapes = seed ? seedJobs({ jobs: scraper.jobs, ids }) : {}
  const opened = await station(t, { context: { knowledge, library: made.library, scraper } })
  return { ...made, ids, scrapes, jobs: scraper.jobs, station: opened, base: opened.service.url }
}

const waitForText = (page: Page, selector: string, text: RegExp, timeout = 30_000): Promise<unknown> =>
  page.waitForFunction(
    (selector: string, source: string) =>
      new RegExp(source).test((document.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ')),
    { timeout },
    selector,
    text.source
  )

/** Leaves at a job everything that a crawl may find. */
function found(jobs: ScrapeJobs, id: number): void {
  const site = 'https://knots.example.org'
  const long = `${site}/${'a-very-long-part-of-an-address/'.repeat(6)}end?with=a&query=of&its=own`
  jobs.resumed(id, { pages: 96, after: because('crawl_station_cut_off') })
  jobs.resumed(id, { pages: 1210, after: because('crawl_station_stopped') })
  jobs.findings.put(id, {
    missed: [
      { address: `${site}/gone`, reason: because('page_answers', { status: 404 }) },
      { address: `${site}/members/list`, reason: because('page_robots_forbid') },
      { address: long, reason: because('note', { text: 'the connection was closed before the answer was whole' }) }
    ],
    missedCount: 212,
    capped: [
      { pattern: 'knots.example.org/calendar/#-#', kept: 500, pages: 2 },
      { pattern: 'knots.example.org/list?order=*&sort=*', kept: 312, pages: 40 }
    ]
  })
  for (const [name, state] of [
    ['bowline.pdf', 'taken'],
    ['splices.epub', 'here'],
    ['huge.pdf', 'refused']
  ] as const)
    jobs.findings.putDocument(id, {
      address: `${site}/files/${name}`,
      state,
      hash: state === 'refused' ? null : '0'.repeat(64),
      reason: state === 'refused' ? because('upload_too_large', { limit: '200', bytes: 2e8 }) : null
    })
}

/** A file on the disk, in a folder of its own. */
function fileOf(t: Test, name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-archive-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

async function choose(page: Page, path: string, selector = 'input#file[multiple]'): Promise<void> {
  const input = (await page.waitForSelector(selector)) as ElementHandle<HTMLInputElement> | null
  await input?.uploadFile(path)
}

const smallArchive = (n: number, padding = 0): Buffer =>
  zimBytes(
    [
      { path: 'index', title: 'Well', content: pageHtml('Well') },
      { path: 'padding', title: 'Padding', content: 'x'.repeat(padding) }
    ],
    { main: 'index', uuid: uuid(n) }
  )

t.test('the library is accessible and fits at three widths: full, empty, without a server', async (t) => {
  const full = await shelf(t)
  await checkPage(t, { base: full.base, path: '/library', name: 'library' })
  await checkPage(t, { base: full.base, path: '/library/scraper', name: 'scraper' })
  const completed = full.scrapes.completed ?? 0
  found(full.jobs, completed)
  await checkPage(t, { base: full.base, path: `/library/scraper/${completed}`, name: 'scraper-job' })
  await checkPage(t, { base: full.base, path: '/library/scraper', name: 'scraper-found' })
  await checkPage(t, { base: full.base, path: `/library?remove=${full.ids.complete}`, name: 'library-remove' })
  await checkPage(t, {
    base: full.base,
    name: 'library-removed',
    path: '/library?removed=WikiMed&gone=40.80.1.1.0&left=documents'
  })
  const empty = await shelf(t, false)
  Object.assign(empty.server, { status: 'off', url: null, version: null, reason: note('there is no archive yet') })
  await checkPage(t, { base: empty.base, path: '/library', name: 'library-empty' })
  await checkPage(t, { base: empty.base, path: '/library/scraper', name: 'scraper-empty' })
  const broken = await shelf(t, true, NONE)
  const reason = note('kiwix-serve is not installed: install the package kiwix-tools')
  Object.assign(broken.server, { status: 'missing', url: null, version: null, reason })
  Object.assign(broken.registration, { problem: note('The library server does not list wikem_2026-05.zim.') })
  await checkPage(t, { base: broken.base, path: '/library', name: 'library-failed' })
  await checkPage(t, { base: broken.base, path: '/library/scraper', name: 'scraper-failed' })
})

t.test(
  'reading is switched by keyboard: the page shows it at once and keeps the focus; a refusal is told',
  async (t) => {
    const { base, ids, sources } = await shelf(t)
    const watched = await openPage(t, { base, width: 360, height: 740 })
    if (watched === null) return
    const { page, errors } = watched
    await page.goto(`${base}/library`)
    const knob = `#source-${ids.fresh} .switch`
    await page.focus(knob)
    await page.keyboard.press('Space')
    await page.waitForSelector(`${knob}[aria-checked="true"]`)
    await waitForText(page, `#source-${ids.fresh}`, /EXTRACTING waits for its turn/)
    t.equal(new URL(page.url()).pathname, '/library')
    t.ok(await page.$eval(knob, (element) => element === document.activeElement), 'the focus stays')
    t.equal(sources.byId(ids.fresh)?.ingestEnabled, true)
    await page.keyboard.press('Space')
    await page.waitForSelector(`${knob}[aria-checked="false"]`)
    t.equal(sources.byId(ids.fresh)?.ingestEnabled, false)

    const retry = `#source-${ids.processing} .troubles button`
    await page.focus(retry)
    await page.keyboard.press('Enter')
    await waitForText(page, '#notice', /What failed is tried again\./)
    t.equal(await page.$(retry), null)
    t.not(await page.evaluate(() => document.activeElement?.nodeName), 'BODY', 'the focus has a place')

    sources.beginRemoval(ids.complete)
    await page.focus(`#source-${ids.complete} .switch`)
    await page.keyboard.press('Space')
    await waitForText(page, '#notice', /Knots is being removed/)
    t.same(
      errors.filter((error) => !error.includes('409')),
      []
    )
  }
)

t.test('an archive is removed after a question that names what goes, and then what went', async (t) => {
  const made = await shelf(t)
  const { base, ids, sources, registration } = made
  const watched = await openPage(t, { base })
  if (watched === null) return
  const { page, errors } = watched
  await page.goto(`${base}/library`)
  await follow(page, `#source-${ids.complete} .acts a[href*="remove"]`)
  await waitForText(page, '#remove', /Remove Knots\?.*the file knots_2026-05\.zim \(637 MB\).*\(40 articles\)/)
  await follow(page, '#remove a.button')
  t.equal(await page.$('#remove'), null)
  t.ok(sources.byId(ids.complete), 'nothing is gone')
  await follow(page, `#source-${ids.complete} .acts a[href*="remove"]`)
  removeAtOnce(made)
  Object.assign(registration, { listed: [] })
  await follow(page, '#remove button.danger')
  await waitForText(
    page,
    '#notice',
    /Removed: Knots\s*documents: 40\s*vectors: 80\s*its file\s*its place in the library server\s*archiving jobs: 1/
  )
  t.equal(await page.$(`#source-${ids.complete}`), null)
  t.equal(sources.byId(ids.complete), null)
  t.same(errors, [])
})

t.test('the page follows the work without being loaded again', async (t) => {
  const { base, ids, setup, sources } = await shelf(t)
  const watched = await openPage(t, { base })
  if (watched === null) return
  const { page } = watched
  let loads = 0
  page.on('load', () => loads++)
  await page.goto(`${base}/library`)
  await waitForText(page, `#source-${ids.running}`, /12 \/ 40 extracted/)
  // Nobody is told of it: the page asks by itself while something moves.
  setup.db.sql("UPDATE documents SET status = 'complete' WHERE source_id = ?").run(ids.running)
  setup.db.sql('UPDATE library_sources SET read_to_end = 1 WHERE id = ?').run(ids.running)
  await waitForText(page, `#source-${ids.running}`, /COMPLETE/)
  sources.setState(ids.fresh, 'missing', note('Its file is gone.'))
  await waitForText(page, `#source-${ids.fresh}`, /NOT USABLE/)
  t.equal(loads, 1)
})

t.test('archives are dropped: each goes its way, one that is here and one that is none say why', async (t) => {
  const { base, folder, worker } = await shelf(t, false)
  let arrivals = 0
  worker.work = () => {
    arrivals++
  }
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${base}/library`)
  await page.waitForSelector('.drop')
  const files = [
    { name: 'Well water.zim', content: smallArchive(1).toString('base64') },
    { name: 'picture.zim', content: Buffer.from('\x89PNG and some more'.repeat(400)).toString('base64') },
    { name: 'well_water.zim', content: smallArchive(2).toString('base64') }
  ]
  for (const { name, content } of files) {
    await page.evaluate(
      (name: string, content: string) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([Uint8Array.from(atob(content), (char) => char.charCodeAt(0))], name))
        const zone = document.querySelector('.drop')
        for (const type of ['dragover', 'drop'])
          zone?.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
      },
      name,
      content
    )
    await page.waitForFunction(
      () =>
        document.querySelectorAll('.files-list > li:is([data-state="here"], [data-state="refused"])').length ===
        document.querySelectorAll('.files-list > li').length
    )
  }
  await waitForText(page, '.files-list > li:nth-child(1)', /It has arrived\./)
  await waitForText(page, '.files-list > li:nth-child(2)', /This is no ZIM archive/)
  await waitForText(
    page,
    '.files-list > li:nth-child(3)',
    /There is an archive with this name already: well_water\.zim/
  )
  await screenshot(page, 'library-upload-360')
  t.same(
    readdirSync(folder).filter((name) => name.endsWith('.zim')),
    ['well_water.zim']
  )
  t.equal(arrivals, 1)
})

t.test('an upload shows its bytes and goes on after the page was closed', async (t) => {
  const { base, folder } = await shelf(t, false)
  const watched = await openPage(t, { base })
  if (watched === null) return
  const { page } = watched
  const session = await page.createCDPSession()
  const speed = (bytes: number): Promise<void> =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytes
    })
  await session.send('Network.enable')
  await page.goto(`${base}/library`)
  const file = fileOf(t, 'big.zim', smallArchive(3, 20_000_000))
  await page.waitForSelector('input#file[multiple]')
  await speed(6_000_000)
  await choose(page, file)
  await waitForText(page, '.files-list', /[1-9]\d?(?:\.\d)? MB of 20 MB \([1-9]\d? %\)/)
  await screenshot(page, 'library-upload-bytes-1440')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${base}/library`)
  await waitForText(page, '.left', /Not finished\..*big\.zim/)
  await page.goto(`${base}/knowledge/upload`)
  await page.waitForSelector('input#file[multiple]')
  t.equal(await page.$('.left'), null, 'an upload of another kind is no business of documents')
  await page.goto(`${base}/library`)
  await speed(-1)
  await choose(page, file)
  await waitForText(page, '.files-list', /It has arrived\./)
  t.ok(existsSync(join(folder, 'big.zim')))
})

t.test('a site is submitted by keyboard: refused with the reason, then accepted and followed to its end', async (t) => {
  const { base, jobs, setup } = await shelf(t)
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  await page.goto(`${base}/library/scraper`)
  await page.type('#url', 'http://192.168.1.1/')
  await page.keyboard.press('Enter')
  await waitForText(page, '#notice', /192\.168\.1\.1/)
  t.equal(await page.$eval('#url', (input) => (input as HTMLInputElement).value), 'http://192.168.1.1/', 'kept')
  await page.$eval('#url', (input) => (input as HTMLInputElement).select())
  await page.type('#url', 'https://water.example.org/wells')
  await page.select('#language', 'deu')
  await page.focus('.submit details summary')
  await page.keyboard.press('Enter')
  await page.type('#exclude', 'calendar/*')
  await page.focus('#title')
  await page.type('#title', 'Wells and <pumps>')
  await page.keyboard.press('Enter')
  await waitForText(page, '#notice', /calendar\/\*.*begins with/)
  await page.$eval('#exclude', (box) => (box as HTMLTextAreaElement).select())
  await page.type('#exclude', '/calendar/*\n/*?print=*')
  await page.click('input[name="documents"]')
  await screenshot(page, 'scraper-options-360')
  await page.focus('#title')
  await page.keyboard.press('Enter')
  await waitForText(page, '#notice', /The site is in the queue\./)
  t.equal(await page.$eval('#url', (input) => (input as HTMLInputElement).value), '', 'ready for the next one')
  const [job] = jobs.list()
  t.match(job, {
    url: 'https://water.example.org/wells',
    title: 'Wells and <pumps>',
    language: 'deu',
    status: 'pending',
    limits: { include: [], exclude: ['/calendar/*', '/*?print=*'], documents: true }
  })
  const id = job?.id ?? 0
  const row = `[data-key="job-${id}"]`
  await waitForText(page, row, /Wells and <pumps>.*German.*Pending/)
  jobs.begin(id, 'built-in')
  jobs.progress(id, { done: 5, total: 20 })
  await waitForText(page, row, /built in.*5 \/ 20 pages.*Scraping/)
  t.equal(await page.$eval(`${row} progress`, (bar) => (bar as HTMLProgressElement).value), 5)
  await screenshot(page, 'scraper-running-360')
  jobs.failed(id, note('The site does not answer.'))
  setup.jobs.remove('scrape', String(id))
  await waitForText(page, row, /Failed\s*The site does not answer\./)
  for (const [button, said, status] of [
    ['retry', /The job begins anew\./, 'pending'],
    ['cancel', /The job is being cancelled\./, 'cancelled']
  ] as const) {
    await page.focus(`${row} button[value="${button}"]`)
    await page.keyboard.press('Enter')
    await waitForText(page, '#notice', said)
    t.equal(jobs.byId(id)?.status, status)
  }
  await page.focus('button[value="clear-failed"]')
  await page.keyboard.press('Enter')
  await waitForText(page, '#notice', /Deleted jobs: 3\./)
  t.equal(await page.$('button[value="clear-failed"]'), null)
  t.equal(await page.$(row), null)
  t.same(
    errors.filter((error) => !error.includes('422')),
    []
  )
})

t.test('without a script an archive comes in, is switched on and removed', async (t) => {
  const made = await shelf(t)
  const { base, ids, folder, sources } = made
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.setJavaScriptEnabled(false)
  await page.goto(`${base}/library`)
  await choose(page, fileOf(t, 'plain.zim', smallArchive(30)), 'input#file')
  await follow(page, '#uploader button')
  await waitForText(page, '#notice', /The archive has arrived\./)
  t.ok(existsSync(join(folder, 'plain.zim')))
  await follow(page, `#source-${ids.fresh} .switch`)
  t.equal(sources.byId(ids.fresh)?.ingestEnabled, true)
  await follow(page, `#source-${ids.fresh} .acts a[href*="remove"]`)
  removeAtOnce(made)
  await follow(page, '#remove button.danger')
  t.equal(sources.byId(ids.fresh), null)
})

t.test('without a script a site is submitted and cancelled', async (t) => {
  const { base, jobs } = await shelf(t, false)
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.setJavaScriptEnabled(false)
  await page.goto(`${base}/library/scraper`)
  await page.type('#url', 'https://localhost/')
  await follow(page, 'button[value="submit"]')
  await waitForText(page, '[role="alert"]', /localhost/)
  await follow(page, 'main a.button')
  await page.type('#url', 'https://water.example.org/')
  await page.type('#other', 'ita')
  await follow(page, 'button[value="submit"]')
  await waitForText(page, '#notice', /The site is in the queue\./)
  t.match(jobs.list()[0], { title: 'water.example.org', language: 'ita' })
  await follow(page, 'button[value="cancel"]')
  t.equal(jobs.list()[0]?.status, 'cancelled')
  await follow(page, 'button[value="delete"]')
  t.same(jobs.list(), [])
})

t.test('in German every page of the library speaks German', async (t) => {
  const { base, ids, jobs, scrapes } = await shelf(t)
  found(jobs, scrapes.completed ?? 0)
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  await page.setExtraHTTPHeaders({ 'accept-language': 'de' })
  for (const [path, said] of [
    ['/library', /Der Bibliotheksserver läuft\..*FERTIG.*Archiv hinzufügen.*Dateien wählen/],
    [
      '/library/scraper',
      /Der eingebaute Archivierer wird benutzt: nur statische Seiten\..*Gescheitert.*wird abgebrochen/
    ],
    [
      `/library/scraper/${scrapes.completed}`,
      /Archivierung von Knots.*Fortgesetzt bei 1\.210 Seiten: die Station wurde angehalten.*Nicht geholt \(212\).*robots\.txt verbietet es.*Verlinkte PDFs/
    ],
    [`/library?remove=${ids.complete}`, /Knots entfernen\?.*Das kann nicht rückgängig gemacht werden/]
  ] as const) {
    await page.goto(base + path)
    await waitForText(page, 'main', said)
    await screenshot(page, `german${path.replace(/[^a-z]+/g, '-').slice(0, 24)}-360`)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    )
    t.ok(overflow <= 0, `${path}: ${overflow} px`)
  }
  t.same(errors, [])
})

t.test('in the running program an archive is uploaded, browsed, read to the end and removed', async (t) => {
  if (!needsZimTools(t)) return
  const cwd = t.testdir({ data: { 'config.json': '{"library":{"port":0}}' } })
  const running = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: running.url })
  if (watched === null) return
  const { page, errors } = watched
  const pages = {
    'index.html': pageHtml('Wells'),
    'pump.html': pageHtml('Hand pump'),
    'roof.html': pageHtml('Roof water')
  }
  const { path } = writeArchive(t, pages, { title: 'Village water', name: 'village_2026-05.zim' })
  await page.goto(`${running.url}/library`)
  await choose(page, path)
  await waitForText(page, '.files-list', /It has arrived\./)
  await waitForText(page, '.archives', /Village water.*DETECTED 0 \/ 3 extracted/, 60_000)
  if (findProgram('kiwix-serve') !== null) {
    const href = await page.waitForSelector('.archives .acts a[target]', { timeout: 60_000 })
    const url = (await href?.evaluate((link) => (link as HTMLAnchorElement).href)) ?? ''
    t.not(new URL(url).origin, new URL(running.url).origin, 'another origin')
    const answer = await fetch(url)
    t.equal(answer.status, 200, `${url} opens`)
    t.match(await answer.text(), /page about Wells/)
  } else t.comment('skipped: kiwix-serve is not installed')
  await page.focus('.archives .switch')
  await page.keyboard.press('Space')
  await page.waitForSelector('.switch[aria-checked="true"]')
  await waitForText(page, '.archives', /COMPLETE 3 \/ 3 extracted/, 180_000)
  await screenshot(page, 'library-real-1440')
  await follow(page, '.archives .acts a[href*="remove"]')
  t.match(await page.$eval('#remove', (box) => box.textContent ?? ''), /3 articles/)
  await Promise.all([
    page.waitForNavigation({ timeout: 60_000 }),
    page.focus('#remove button.danger').then(() => page.keyboard.press('Enter'))
  ])
  await waitForText(
    page,
    '#notice',
    /Removed: Village water\s*documents: 3\s*vectors: [1-9]\d*\s*its file\s*its place in the library server/
  )
  t.equal(await page.$('.archives'), null)
  t.same(
    readdirSync(join(cwd, 'data', 'archives')).filter((name) => name.endsWith('.zim')),
    []
  )
  t.same(errors, [])
})
