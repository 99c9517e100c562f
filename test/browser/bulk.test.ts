/// <reference lib="dom" />

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import type { Place } from '../../src/knowledge/intake/bulk/places.ts'
import { because } from '../../src/model/reason.ts'
import { station } from '../dashboard/harness.ts'
import { intake } from '../helpers/knowledge.ts'
import { HASHES, knowledgeContext, seedLibrary } from '../helpers/knowledge-pages.ts'
import { checkPage, closeBrowser, openPage, screenshot } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(900_000)

const PLACES: Place[] = [
  { path: '/run/lookout-stick', label: 'LOOKOUT', removable: true, size: 32e9, free: 12e9, reason: null },
  { path: '/mnt/books', label: '', removable: false, size: 500e9, free: 81e9, reason: null },
  {
    path: '/media/ann/HOLIDAY',
    label: 'HOLIDAY',
    removable: true,
    size: null,
    free: null,
    reason: because('source_not_permitted')
  },
  { path: '', label: 'SPARE', removable: true, size: null, free: null, reason: because('stick_not_mounted') }
]

async function library(t: Test) {
  const setup = await intake(t)
  seedLibrary(setup)
  const { folder, receiver, partials } = setup
  const knowledge = knowledgeContext(t, setup, { folder, receiver, partials })
  knowledge.bulk.places = async () => PLACES
  const { store } = knowledge.bulk
  const stick = store.create({
    kind: 'folder',
    place: '/run/lookout-stick/Books/Water and wells',
    disk: 'x',
    category: 'Stick',
    list: ''
  })
  store.add(stick.id, [
    {
      what: 'a very long name of a book that nobody would give to a file but somebody did, second edition, revised.pdf'
    },
    { what: 'copies/boiling water.pdf' },
    {
      what: 'photos/sunset.jpg',
      end: { state: 'refused', reason: because('not_a_format_taken', { looks_like: because('looks_jpeg') }) }
    },
    { what: 'locked/', end: { state: 'failed', reason: because('source_not_permitted') } },
    ...Array.from({ length: 12 }, (_, n) => ({ what: `books/book ${n}.epub` }))
  ])
  store.listed(stick.id, { leftOut: 12 })
  const [one, two, , , three] = store.entries(stick.id, { after: 0, limit: 5 })
  if (one === undefined || two === undefined || three === undefined) throw new Error('no entries')
  store.settle(stick.id, one.id, { state: 'taken', hash: HASHES.complete })
  store.settle(stick.id, two.id, {
    state: 'duplicate',
    duplicateOf: HASHES.complete,
    reason: because('file_here_already', { filename: 'boiling.pdf', status: 'complete' })
  })
  store.begin(stick.id, three)
  const list = store.create({
    kind: 'addresses',
    place: '',
    disk: null,
    category: '',
    list: 'https://example.org/wells'
  })
  store.add(list.id, [{ what: 'https://example.org/wells' }])
  store.wait(list.id, because('bulk_asks_again'))
  const made = await station(t, { context: { knowledge } })
  return { base: made.service.url, store, setup }
}

const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim())

t.test('many at once: accessible at three widths, in both languages', async (t) => {
  const { base } = await library(t)
  await checkPage(t, { base, path: '/knowledge/bulk', name: 'bulk' })
  await checkPage(t, { base, path: '/knowledge/bulk/1', name: 'bulk-entries' })
  await checkPage(t, { base, path: '/knowledge/upload', name: 'bulk-upload' })
  for (const [path, name] of [
    ['/knowledge/bulk', 'bulk-de'],
    ['/knowledge/bulk/1', 'bulk-entries-de']
  ] as const) {
    const watched = await openPage(t, { base, width: 390, height: 740 })
    if (watched === null) return
    await watched.page.setExtraHTTPHeaders({ 'accept-language': 'de' })
    await watched.page.goto(base + path, { waitUntil: 'load' })
    t.match(await textOf(watched.page, 'main'), /Ein Stick oder ein Ordner|wird aufgenommen/)
    await screenshot(watched.page, `${name}-390`)
  }
})

t.test('a list from a text file is sent whole, however long, and what is refused is told beside it', async (t) => {
  const { base, store } = await library(t)
  const watched = await openPage(t, { base, width: 390, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${base}/knowledge/bulk`, { waitUntil: 'load' })
  const folder = mkdtempSync(join(tmpdir(), 'lookout-list-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'list.txt')
  const lines = Array.from({ length: 1500 }, (_, n) => `https://example.org/a-long-name-of-a-page/${n}`)
  writeFileSync(path, `# wells\n${lines.join('\n')}\n`)
  await page.waitForSelector('#from-file:not([hidden])')
  const input = (await page.$('#list-file')) as import('puppeteer-core').ElementHandle<HTMLInputElement> | null
  await input?.uploadFile(path)
  await page.waitForFunction(() =>
    (document.querySelector('#text') as HTMLTextAreaElement | null)?.value.includes('/1499')
  )
  await Promise.all([page.waitForNavigation(), page.click('#addresses button')])
  t.match(new URL(page.url()).pathname, /^\/knowledge\/bulk\/3$/)
  t.match(await textOf(page, '#notice'), /in the queue/)
  t.equal(store.listOf(3).split('\n').length, 1500)

  await page.goto(`${base}/knowledge/bulk`, { waitUntil: 'load' })
  await page.type('#text', '# nothing')
  await page.click('#addresses button')
  await page.waitForFunction(() => document.querySelector('#addresses .outcome')?.textContent !== '')
  t.match(await textOf(page, '#addresses .outcome'), /no address in the list/)
})

t.test('it is stopped on the page, which stays', async (t) => {
  const { base, store } = await library(t)
  const watched = await openPage(t, { base })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${base}/knowledge/bulk/1`, { waitUntil: 'load' })
  await page.click('button[value="stop"]')
  await page.waitForFunction(() => /stopped/.test(document.querySelector('#content')?.textContent ?? ''))
  t.equal(store.get(1).state, 'stopped')
  t.match(await textOf(page, '#notice'), /being stopped/)
})

t.test('a copy is told by its hash before a byte of it is sent, under whatever name', async (t) => {
  const { base } = await library(t)
  const watched = await openPage(t, { base })
  if (watched === null) return
  const { page, requests } = watched
  const folder = mkdtempSync(join(tmpdir(), 'lookout-upload-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const text = 'Notes on boiling water, long enough to be read by somebody who is thirsty.\n'.repeat(20)
  for (const name of ['notes.txt', 'called otherwise.txt']) writeFileSync(join(folder, name), text)
  await page.goto(`${base}/knowledge/upload`, { waitUntil: 'load' })
  const choose = async (name: string) => {
    const input = (await page.waitForSelector('#file[multiple]')) as
      | import('puppeteer-core').ElementHandle<HTMLInputElement>
      | null
    await input?.uploadFile(join(folder, name))
  }
  await choose('notes.txt')
  await page.waitForFunction(() => document.querySelector('.files-list a[href^="/documents/"]') !== null)
  const before = requests.length
  await choose('called otherwise.txt')
  await page.waitForFunction(() =>
    /here already/.test(document.querySelector('.files-list > li:nth-child(2)')?.textContent ?? '')
  )
  const sent = requests.slice(before).filter((url) => url.includes('/api/uploads'))
  t.same(sent, [`${base}/api/uploads`], 'nothing but the announcement')
})
