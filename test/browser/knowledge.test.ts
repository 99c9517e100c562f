/// <reference lib="dom" />

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElementHandle, Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import type { KnowledgeContext } from '../../src/dashboard/server/knowledge.ts'
import { type Station, station } from '../dashboard/harness.ts'
import { note } from '../helpers/in-words.ts'
import { type KnowledgeSetup, knowledgeSetup } from '../helpers/knowledge.ts'
import { HASHES, knowledgeContext, seedLibrary, seedWaiting } from '../helpers/knowledge-pages.ts'
import { startLookout } from '../helpers/process.ts'
import { axeViolations, checkPage, closeBrowser, follow, openPage, screenshot } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(900_000)

const PAGES: [string, string][] = [
  ['/knowledge', 'knowledge'],
  ['/catalogue', 'catalogue'],
  [`/documents/${HASHES.complete}?page=2&q=boiling+water`, 'document'],
  [`/documents/${HASHES.copy}`, 'document-copy'],
  [`/documents/${HASHES.failed}`, 'document-failed'],
  [`/documents/${HASHES.rejected}`, 'document-rejected'],
  ['/knowledge/review', 'knowledge-review'],
  ['/knowledge/upload', 'knowledge-upload'],
  ['/search?q=water', 'search']
]
const EMPTY: [string, string][] = [
  ['/knowledge', 'knowledge-empty'],
  ['/catalogue', 'catalogue-empty'],
  ['/knowledge/review', 'knowledge-review-empty'],
  ['/knowledge/upload', 'knowledge-upload-empty'],
  ['/search', 'search-empty']
]

interface Library {
  base: string
  setup: KnowledgeSetup
  station: Station
  knowledge: KnowledgeContext
  /** Tells the pages that the worker has done something. */
  tell: () => void
}

async function library(t: Test, seed = true): Promise<Library> {
  const setup = await knowledgeSetup(t)
  if (seed) seedLibrary(setup)
  const knowledge = knowledgeContext(t, setup)
  const made = await station(t, { context: { knowledge } })
  const tell = (): void =>
    made.observers.tell('knowledge', { counts: setup.catalogue.counts(), running: 1, held: 0, failed: 0 })
  return { base: made.service.url, setup, station: made, knowledge, tell }
}

const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim())

const waitForText = (page: Page, selector: string, text: RegExp): Promise<unknown> =>
  page.waitForFunction(
    (selector: string, source: string) =>
      new RegExp(source).test((document.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ')),
    { timeout: 30_000 },
    selector,
    text.source
  )

/** A file on the disk, in a folder of its own. */
function fileOf(t: Test, name: string, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-upload-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The line of one file in the list. */
const line = (n: number): string => `.files-list > li:nth-child(${n})`

t.test('every page is accessible and fits at three widths, with documents and without', async (t) => {
  const full = await library(t)
  for (const [path, name] of PAGES) await checkPage(t, { base: full.base, path, name })
  const empty = await library(t, false)
  for (const [path, name] of EMPTY) await checkPage(t, { base: empty.base, path, name })
})

t.test('what waits says what for, at three widths', async (t) => {
  const { base, setup } = await library(t)
  const { deadly } = seedWaiting(setup)
  await checkPage(t, { base, path: '/knowledge', name: 'knowledge-waits' })
  await checkPage(t, { base, path: `/documents/${deadly}`, name: 'document-waits' })
})

t.test('the menu reaches knowledge and search on a phone', async (t) => {
  const { base } = await library(t)
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${base}/`)
  await page.focus('.menu.pages > summary')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.menu.pages[open]')
  await screenshot(page, 'knowledge-menu-360')
  await follow(page, 'nav a[href="/search"]')
  t.equal(new URL(page.url()).pathname, '/search')
})

t.test('several files at once, dropped: each goes its way, a duplicate and a wrong one say why', async (t) => {
  const { base, setup, tell, knowledge } = await library(t)
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${base}/knowledge/upload`)
  await page.waitForSelector('.drop')
  await page.type('#category', 'Field notes')
  await page.evaluate(() => {
    const text = 'Boil the water for one minute before you drink it. '.repeat(40)
    const transfer = new DataTransfer()
    transfer.items.add(new File([text], 'first.txt', { type: 'text/plain' }))
    transfer.items.add(new File([text], 'the same again.txt', { type: 'text/plain' }))
    transfer.items.add(new File(['PK\u0003\u0004 nothing that is read here'.repeat(300)], 'archive.zip'))
    transfer.items.add(new File([`${text} More.`], 'second.txt', { type: 'text/plain' }))
    transfer.items.add(new File([], 'empty.pdf'))
    const zone = document.querySelector('.drop')
    for (const type of ['dragover', 'drop'])
      zone?.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
  })
  await waitForText(page, '#uploader [role="status"]', /2 of 5 uploaded, 3 refused/)
  const lines = await page.$$eval('.files-list > li', (all) =>
    all.map((one) => (one.textContent ?? '').replace(/\s+/g, ' '))
  )
  const [first = '', again = '', zip = '', second = '', empty = ''] = lines
  const [taken, refused] = /uploaded|Received/.test(first) ? [first, again] : [again, first]
  t.match(taken, /Received/)
  t.match(refused, /This file is here already: .* The document that is here already/)
  t.match(zip, /This looks like .* Send a PDF/)
  t.match(second, /Received/)
  t.match(empty, /The file is empty\./)
  t.equal(await page.$$eval('.files-list [role="alert"]', (all) => all.length), 3)
  const hash = await page.$eval(
    '.files-list li[data-state="here"] a',
    (link) => new URL(link.href).pathname.split('/')[2] ?? ''
  )
  t.equal(setup.uploads.get(hash)?.category, 'Field notes')
  await screenshot(page, 'knowledge-upload-files-360')

  // As the worker does it: the file leaves the intake.
  const intake = join(knowledge.folder, 'acquired', 'text')
  for (const name of readdirSync(intake)) rmSync(join(intake, name))
  setup.uploads.setState(hash, 'rejected', { reason: note('It is encrypted.') })
  tell()
  await waitForText(page, '.files-list', /Rejected It is encrypted\./)
  await waitForText(page, '#recent', /Rejected It is encrypted\./)
  await page.setViewport({ width: 1440, height: 900 })
  await screenshot(page, 'knowledge-upload-files-1440')
})

t.test('a file is followed through every stage to the end', async (t) => {
  const { base, setup, tell } = await library(t, false)
  const watched = await openPage(t, { base })
  if (watched === null) return
  const { page, errors, foreign } = watched
  await page.goto(`${base}/knowledge/upload`)
  const file = fileOf(t, 'water.txt', 'All water has to be taken as unsafe until it has been made safe. '.repeat(30))
  await choose(page, file)
  await waitForText(page, line(1), /Waiting to be sorted/)
  const [upload] = setup.uploads.list({ limit: 1 })
  const hash = upload?.hash ?? ''
  setup.jobs.remove('dispatch', hash)
  setup.uploads.setState(hash, 'filed')
  const id = setup.catalogue.add({
    hash,
    kind: 'text',
    filename: 'water.txt',
    title: 'Water',
    author: '',
    edition: '',
    year: '',
    source: 'dashboard_upload',
    category: '',
    sizeBytes: 100,
    status: 'queued'
  })
  for (const [stage, during, after] of [
    ['extract', /Reading its text/, /Text read/],
    ['enrich', /Making items/, /Items made, waiting for vectors/],
    ['embed', /Making vectors/, /Complete/]
  ] as const) {
    setup.catalogue.begin(id, stage)
    tell()
    await waitForText(page, `${line(1)} a`, during)
    setup.catalogue.finishStage(id, stage)
    tell()
    await waitForText(page, `${line(1)} a`, after)
  }
  t.equal(await page.$$eval(`${line(1)} .stepper .done`, (all) => all.length), 6)
  await follow(page, `${line(1)} p a`)
  t.equal(await textOf(page, 'h1'), 'Water')
  t.same(errors, [])
  t.same(foreign, [])
})

t.test('a transcript is added and a web page refused without leaving the page', async (t) => {
  const { base, setup } = await library(t, false)
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${base}/knowledge/upload`)
  await page.waitForSelector('input#file[multiple]')
  for (const summary of await page.$$('.folded summary')) {
    await summary.focus()
    await page.keyboard.press('Enter')
  }
  await page.type('#url', 'http://example.org/page')
  await page.keyboard.press('Enter')
  await waitForText(
    page,
    '[data-api="/api/ingest/url"] [role="alert"]',
    /http:\/\/example\.org\/page is not fetched here/
  )
  const captions = `WEBVTT\n\n00:00.000 --> 00:04.000\n${'Boil the water before you drink it. '.repeat(4)}\n`
  const input = await page.$('#captions-file')
  await (input as ElementHandle<HTMLInputElement>).uploadFile(fileOf(t, 'talk.vtt', captions))
  await page.focus('#captions-category')
  await page.keyboard.press('Enter')
  await waitForText(page, '[data-api="/api/ingest/transcript"] [role="status"]', /Added: talk\.vtt/)
  await screenshot(page, 'knowledge-upload-forms-360')
  t.equal(setup.uploads.list({ limit: 1 })[0]?.source, 'video')
  t.same(await axeViolations(page), [])
})

/** Text that no other test sends, of so many bytes. */
const filler = (bytes: number, seed: string): string =>
  `Chapter ${seed}. Water and fire.\n`.repeat(Math.ceil(bytes / 28)).slice(0, bytes)

/** The offsets at which pieces of files were sent. */
function offsetsOf(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return offsets
}

/** A weak link between browser and station: as slow as one says, and cut and mended at will. */
interface Link {
  base: string
  cut: () => void
  mend: () => void
}

async function weakLink(t: Test, target: string, bytesPerSecond: number): Promise<Link> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(Number(new URL(target).port), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk) => {
      far.write(chunk)
      near.pause()
      setTimeout(() => near.resume(), (chunk.length / bytesPerSecond) * 1000)
    })
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(() => {
    cut()
    server.close()
  })
  const mend = (): void => {
    isCut = false
  }
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut, mend }
}

/** Chooses a file in the page. */
async function choose(page: Page, path: string): Promise<void> {
  const input = (await page.waitForSelector('input#file[multiple]')) as ElementHandle<HTMLInputElement> | null
  await input?.uploadFile(path)
}

/** Waits until so many bytes are on their way. */
const waitForBytes = (page: Page, bytes: number): Promise<unknown> =>
  page.waitForFunction(
    (least: number) =>
      ((document.querySelector('.files-list progress') as HTMLProgressElement | null)?.value ?? 0) > least,
    {},
    bytes
  )

t.test('an upload that was cut goes on where it ended', async (t) => {
  const { base: target, setup } = await library(t, false)
  const link = await weakLink(t, target, 4_000_000)
  const watched = await openPage(t, { base: link.base })
  if (watched === null) return
  const { page } = watched
  const offsets = offsetsOf(page)
  await page.goto(`${link.base}/knowledge/upload`)
  const size = 20_000_000
  const file = fileOf(t, 'long.txt', filler(size, 'cut'))
  await choose(page, file)
  await waitForBytes(page, 4_000_000)
  link.cut()
  await waitForText(page, line(1), /out of reach/)
  await screenshot(page, 'knowledge-upload-lost-1440')
  link.mend()
  await waitForBytes(page, 9_000_000)
  t.ok((offsets.at(-1) ?? 0) > 0, `went on at byte ${offsets.at(-1)}`)

  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${link.base}/knowledge/upload`)
  await waitForText(page, '.left', /Not finished\. Choose the same file again to go on where it ended:\s*long\.txt/)
  await screenshot(page, 'knowledge-upload-left-1440')
  await choose(page, file)
  await waitForText(page, '#uploader [role="status"]', /1 of 1 uploaded/)
  t.ok((offsets.at(-1) ?? 0) > 4_000_000, `after the page was loaded again it went on at byte ${offsets.at(-1)}`)
  const uploads = setup.uploads.list({ limit: 5 })
  t.same(
    uploads.map(({ size: stored }) => stored),
    [size],
    'whole, and once'
  )
  t.equal(await page.$('.left'), null, 'nothing is left over')
  t.equal(await page.evaluate(() => localStorage.length), 0)
})

t.test('an upload is stopped, goes on, and is forgotten by hand', async (t) => {
  const { base: target } = await library(t, false)
  const link = await weakLink(t, target, 2_000_000)
  const watched = await openPage(t, { base: link.base, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${link.base}/knowledge/upload`)
  const file = fileOf(t, 'long.txt', filler(20_000_000, 'stop'))
  await choose(page, file)
  await waitForBytes(page, 100_000)
  const press = async (name: RegExp): Promise<void> => {
    for (const button of await page.$$('#uploader button')) {
      if (!name.test(await button.evaluate((one) => one.textContent ?? ''))) continue
      await button.focus()
      await page.keyboard.press('Enter')
      return
    }
    throw new Error(`no button ${name}`)
  }
  await press(/^Stop/)
  await waitForText(page, line(1), /Stopped\s*Go on: long\.txt\s*Remove/)
  await screenshot(page, 'knowledge-upload-stopped-360')
  await press(/^Go on/)
  await waitForText(page, line(1), /Stop: long\.txt/)
  await press(/^Stop/)
  await waitForText(page, line(1), /Stopped/)
  await press(/^Remove/)
  await waitForText(page, '.left', /long\.txt/)
  await press(/^Forget it/)
  await page.waitForFunction(() => document.querySelector('.left') === null)
  t.equal(await page.evaluate(() => localStorage.length), 0)
})

t.test('by keyboard alone: a file is chosen, a document retried and deleted with a confirmation', async (t) => {
  const { base, setup } = await library(t)
  const watched = await openPage(t, { base })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${base}/knowledge/upload`)
  await page.waitForSelector('input#file[multiple]')
  const file = fileOf(t, 'keys.txt', 'Chosen by keyboard, and long enough to be a document of its own. '.repeat(5))
  await page.focus('input#file')
  const asked = page.waitForFileChooser()
  // Choosers are caught from now on.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
  await page.keyboard.press('Space')
  const chooser = await asked
  await chooser.accept([file])
  await waitForText(page, '#uploader [role="status"]', /1 of 1 uploaded/)

  await page.goto(`${base}/knowledge`)
  await follow(page, '.failures button[value="retry"]')
  t.match(await textOf(page, '#content [role="status"]'), /It is tried again\./)
  t.equal(setup.catalogue.byHash(HASHES.failed)?.status, 'queued')

  await page.goto(`${base}/documents/${HASHES.complete}`)
  await page.focus('#delete > summary')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#delete[open]')
  await screenshot(page, 'document-delete-1440')
  t.match(await textOf(page, '#delete'), /This cannot be undone.*the original file \(3\.4 MB\).*its text: 3 pages/)
  await follow(page, '#delete button.danger')
  t.match(await textOf(page, '#content'), /It is being deleted, with everything of it\./)
})

t.test('the pages follow the work without being loaded again', async (t) => {
  const { base, setup, tell } = await library(t)
  const watched = await openPage(t, { base })
  if (watched === null) return
  const { page, errors } = watched
  await page.goto(`${base}/knowledge`)
  await page.waitForSelector('#connection[data-state="live"]')
  const id = setup.catalogue.byHash(HASHES.running)?.id ?? -1
  setup.catalogue.finishStage(id, 'extract', { pageCount: 90 })
  tell()
  await waitForText(page, '.way', /Items 1/)
  await page.goto(`${base}/documents/${HASHES.running}`)
  await page.waitForSelector('#connection[data-state="live"]')
  setup.catalogue.begin(id, 'enrich')
  tell()
  await waitForText(page, '#content', /Making items/)
  t.same(errors, [])
})

t.test('without a script a file is uploaded, found in the list, and a document decided', async (t) => {
  const { base, setup } = await library(t)
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.setJavaScriptEnabled(false)
  await page.goto(`${base}/knowledge/upload`)
  const file = fileOf(t, 'plain.txt', 'Sent by a browser without a script; long enough to be a document. '.repeat(5))
  const input = await page.$('input#file')
  await (input as ElementHandle<HTMLInputElement>).uploadFile(file)
  await follow(page, '.add form button')
  t.equal(await textOf(page, 'h1'), 'plain.txt')
  t.match(await textOf(page, '#content'), /It has arrived\./)
  await page.goto(`${base}/knowledge/review`)
  await follow(page, '.presses button[value="Wilderness Skills"]')
  t.equal(new URL(page.url()).pathname, '/knowledge/review')
  t.equal(setup.catalogue.byHash(HASHES.unsorted)?.domain, 'Wilderness Skills')
  await page.goto(`${base}/search`)
  await page.type('#q', 'boiling water')
  await follow(page, '.ask-line button')
  t.match(await textOf(page, '.results'), /Field Sanitation <Handbook>/)
  await follow(page, '.results .cited a')
  t.equal(await page.$$eval('mark', (all) => all.length > 3), true)
})

t.test('in German every page speaks German', async (t) => {
  const { base } = await library(t)
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  await page.setExtraHTTPHeaders({ 'accept-language': 'de' })
  for (const [path, said] of [
    ['/knowledge', /Was gelesen werden kann/],
    ['/catalogue', /Wasser\u00adversorgung/],
    ['/knowledge/review', /Wohin gehört es\?/],
    ['/knowledge/upload', /Dateien wählen, oder hier ablegen/],
    [`/documents/${HASHES.complete}`, /Einträge dieser Seite/],
    ['/search?q=water', /nur nach Wörtern/]
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

/** A guest who asks for the third time within seconds is told to wait, and asks again. */
async function askUntilAnswered(page: Page): Promise<void> {
  await waitForText(page, 'main', /Answer this from the documents/)
  const ask = (): boolean => {
    const button = [...document.querySelectorAll('button')].find((one) => /Answer this|Reading/.test(one.textContent))
    button?.click()
    return button === undefined
  }
  await page.waitForFunction(ask, { polling: 1000, timeout: 60_000 })
}

const HELIOGRAPH = `

# The heliograph

A heliograph is a mirror on two legs. In clear air the flash carries forty kilometres, in haze no more than twelve. Sweep the horizon with it.

# Smoke

Smoke rises in still air and is seen from ten kilometres.`

async function askForAnswer(page: Page): Promise<void> {
  await waitForText(page, 'main', /Answer this from the documents/)
  await page.evaluate(() => {
    for (const button of document.querySelectorAll('button'))
      if (button.textContent === 'Answer this from the documents') button.click()
  })
}

t.test('in the running program a dropped file becomes a document that is found and whose citation opens', async (t) => {
  const running = await startLookout(t, 'data', { cwd: t.testdir({ data: {} }), env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: running.url })
  if (watched === null) return
  const { page, errors, foreign } = watched
  await page.goto(`${running.url}/knowledge/upload`)
  const text =
    'Boil water for one full minute before you drink it. Above two thousand metres boil it for three minutes, because water boils at a lower temperature there. '
  const file = fileOf(t, 'Safe water.txt', `${text.repeat(12)}${HELIOGRAPH}`)
  await choose(page, file)
  await page.waitForFunction(
    (selector: string) => document.querySelectorAll(selector).length === 6,
    { timeout: 120_000 },
    `${line(1)} .stepper .done`
  )
  await waitForText(page, '#recent', /Safe water.*Complete/)
  await page.goto(`${running.url}/search`)
  await page.type('#q', 'how long must water boil')
  await follow(page, '.ask-line button')
  await askForAnswer(page)
  await waitForText(
    page,
    'main',
    /From the documents found.*Boil water for one full minute.*These are the words of the document/
  )
  t.notMatch(await textOf(page, 'main'), /No answer/, 'a sentence that was found is an answer')
  await screenshot(page, 'search-real-1440')
  await page.goto(`${running.url}/search?q=${encodeURIComponent('which copper kettle should boil water')}`)
  await askForAnswer(page)
  await waitForText(
    page,
    'main',
    /No answer: not found; nearest: Safe water.*Nearest passage not an answer.*Boil water for one full minute.*It may be about something else/
  )
  await screenshot(page, 'search-nearest-1440')
  await page.setViewport({ width: 360, height: 740 })
  await screenshot(page, 'search-nearest-360')
  await page.goto(`${running.url}/search?q=${encodeURIComponent('how far is a mirror on two legs seen in haze')}`)
  await askUntilAnswered(page)
  await waitForText(
    page,
    'main',
    /From the documents perhaps.*The heliograph.*forty kilometres, in haze no more than twelve.*The answer likely stands here/
  )
  await screenshot(page, 'search-place-360')
  await page.setViewport({ width: 1440, height: 900 })
  await follow(page, '.results .cited a')
  t.match(await textOf(page, '#p'), /Boil water for one full minute/)
  t.ok(await page.$('mark'), 'the words of the question are marked')
  await page.goto(`${running.url}/knowledge`)
  t.match(await textOf(page, '#content'), /Complete 1 .*built in \(hash\): no semantic model/)
  await screenshot(page, 'knowledge-real-1440')
  t.same(
    errors.filter((one) => !one.includes('429')),
    [],
    'but for the third question, which came too soon'
  )
  t.same(foreign, [])
})
