/// <reference lib="dom" />
/** The pages of `npm run screenshots`, the states of them that need a hand, and how each is brought before a lens. */
import type { Browser, Page } from 'puppeteer-core'
import { THEN } from './screenshot-data.ts'
import { type Stage, timeAt, type World } from './screenshot-worlds.ts'

/** A page, or a state of one that somebody has to bring about. */
export interface Subject {
  name: string
  /** A path, or how to find it on the station: the address of a document is made of what it holds. */
  path: string | ((stage: Stage) => Promise<string>)
  /** As a phone on the hotspot sees it, which may read and change nothing. */
  guest?: boolean
  /** Worlds in which it shows something of its own; without it, all. */
  worlds?: readonly World[]
  prepare?: (page: Page, stage: Stage) => Promise<void>
}

export const THEMES = ['light', 'dark', 'night', 'sunlight'] as const
export const WIDTHS = [360, 768, 1440] as const
export const LANGUAGES = ['en', 'de'] as const
export type Theme = (typeof THEMES)[number]
export type Language = (typeof LANGUAGES)[number]

const busy: readonly World[] = ['small', 'full']
/** The event that has a history: three reports, messages on both networks, one channel that is not there. */
const STORY = '/events/croy-3?source=county-dispatch'

export const SUBJECTS: readonly Subject[] = [
  { name: 'now', path: '/' },
  { name: 'now-guest', path: '/', worlds: ['small'], guest: true },
  { name: 'alerts', path: '/alerts' },
  { name: 'events', path: '/events' },
  { name: 'event', path: STORY, worlds: busy },
  { name: 'event-unrouted', path: '/events/call-1?source=county-dispatch', worlds: ['small', 'broken'] },
  { name: 'day', path: '/day', worlds: ['empty', 'small', 'full'] },
  { name: 'field-card', path: '/field-card', worlds: ['empty', 'small', 'full'] },
  { name: 'comms-log', path: '/comms-log', worlds: ['empty', 'small', 'full'] },
  { name: 'exercise-report', path: STORY.replace('/events/croy-3?', '/exercise-report?event=croy-3&'), worlds: busy },
  { name: 'exercise', path: '/exercise', worlds: ['empty'] },
  { name: 'exercise-runs', path: '/exercise', worlds: ['small'], prepare: beginExercise },
  { name: 'deliveries', path: '/deliveries' },
  { name: 'mt-routing', path: '/mesh-a/routing' },
  { name: 'mc-routing', path: '/mesh-b/routing' },
  { name: 'routing-editor', path: '/mesh-a/routing', worlds: busy, prepare: openEditor },
  { name: 'routing-conflict', path: '/mesh-a/routing', worlds: ['small'], prepare: openConflict },
  { name: 'routing-explain', path: '/mesh-a/routing?event=croy-3&source=county-dispatch', worlds: busy },
  { name: 'coverage', path: '/coverage' },
  { name: 'sources', path: '/sources' },
  { name: 'radios', path: '/radios' },
  { name: 'history', path: '/history' },
  { name: 'settings', path: '/settings', worlds: ['empty', 'small'] },
  { name: 'settings-section', path: '/settings/notifications', worlds: ['empty', 'small'] },
  { name: 'languages', path: '/settings/messages', worlds: ['small'], prepare: openFolds },
  { name: 'standby', path: '/settings/notifications', worlds: ['small'], prepare: openFolds },
  { name: 'languages', path: '/settings/messages', worlds: ['small'], prepare: openFolds },
  { name: 'keys', path: '/settings/keys', worlds: ['empty'] },
  { name: 'first-run', path: '/first-run', worlds: ['empty', 'small'] },
  { name: 'sign-in', path: '/sign-in', worlds: ['empty'] },
  { name: 'claim', path: '/sign-in', worlds: ['empty'], guest: true },
  { name: 'hotspot', path: '/hotspot', worlds: ['empty'] },
  { name: 'hotspot-on', path: '/hotspot', worlds: ['small'] },
  { name: 'backup', path: '/backup', worlds: ['empty'] },
  { name: 'update', path: '/update', worlds: ['empty'] },
  { name: 'update-done', path: '/update', worlds: ['small'] },
  { name: 'update-taken-back', path: '/update', worlds: ['full'] },
  { name: 'knowledge', path: '/knowledge', worlds: ['empty', 'full'] },
  { name: 'models', path: '/knowledge/models', worlds: ['empty'] },
  { name: 'review', path: '/knowledge/review', worlds: ['empty', 'full'] },
  { name: 'document', path: findDocument, worlds: ['full'] },
  { name: 'upload', path: '/knowledge/upload', worlds: ['empty'] },
  { name: 'bulk', path: '/knowledge/bulk', worlds: ['empty'] },
  { name: 'passage', path: async ({ passage }) => `/k/${passage}`, worlds: ['full'], guest: true },
  { name: 'search', path: '/search?q=boiling+water', worlds: ['empty', 'full'] },
  { name: 'catalogue', path: '/catalogue', worlds: ['empty', 'full'] },
  { name: 'library', path: '/library', worlds: ['empty'] },
  { name: 'scraper', path: '/library/scraper', worlds: ['empty'] },
  { name: 'addresses', path: '/addresses', worlds: ['empty'] },
  { name: 'audit', path: '/audit', worlds: ['empty', 'small'] },
  { name: 'profile', path: '/profile', worlds: ['empty'] },
  { name: 'restart', path: '/profile', worlds: ['small'], prepare: openRestart },
  { name: 'handbook', path: '/docs/wiring', worlds: ['empty'] },
  { name: 'handbook-table', path: '/docs/commands', worlds: ['empty'] },
  { name: 'api', path: '/docs/api', worlds: ['empty'] },
  { name: 'design', path: '/docs/design', worlds: ['empty'] },
  { name: 'missing', path: '/nowhere', worlds: ['empty'] }
]

/** The name by which guests call the station; over loopback, a name that is no literal address gives nobody a right. */
const GUEST_HOST = 'lookout.lan'

/** Flags that draw a picture the same on every machine: one rendering of glyphs, no colour profile, no scroll bars. */
export const STEADY = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--hide-scrollbars',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  `--host-resolver-rules=MAP ${GUEST_HOST} 127.0.0.1`,
  '--force-color-profile=srgb'
]

export interface Look {
  width: number
  language: Language
}

/** A page of its own browser context, at the time of the stage, that moves nothing. */
export async function openSubject(
  browser: Browser,
  stage: Stage,
  subject: Subject,
  { width, language }: Look
): Promise<Page> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width, height: heightOf(width), hasTouch: width < 600, isMobile: width < 600 })
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }])
  await page.setExtraHTTPHeaders({ 'accept-language': language })
  await page.evaluateOnNewDocument(`{ ${timeAt(THEN)} }`)
  await page.goto(await addressOf(subject, stage), { waitUntil: 'load' })
  await settled(page)
  await subject.prepare?.(page, stage)
  await settled(page)
  return page
}

async function addressOf({ path, guest = false }: Subject, stage: Stage): Promise<string> {
  const address = new URL(typeof path === 'string' ? path : await path(stage), stage.url)
  if (guest) address.hostname = GUEST_HOST
  return address.href
}

/** The first address on a page that begins so. */
async function firstLink(page: string, begin: string): Promise<string> {
  const found = (await (await fetch(page)).text()).match(new RegExp(`href="(${begin}[^"?#]+)`))?.[1]
  if (found === undefined) throw new Error(`${page} links to nothing below ${begin}`)
  return found
}

async function findDocument({ url }: Stage): Promise<string> {
  return firstLink(`${url}/catalogue`, '/documents/')
}

/** Every part of a form that is folded away at first. */
async function openFolds(page: Page): Promise<void> {
  await page.waitForSelector('#editor .field')
  await page.$$eval('#editor details', (all) => {
    for (const part of all) part.open = true
  })
}

/** The example of the page, begun: once for all that is seen of it. */
async function beginExercise(page: Page): Promise<void> {
  if ((await page.$('form button.primary')) === null) return
  await Promise.all([page.waitForNavigation(), page.click('form button.primary')])
}

async function openRestart(page: Page): Promise<void> {
  await page.$eval('#restart', (part) => part.setAttribute('open', ''))
  await page.$eval('#restart', (part) => part.scrollIntoView({ block: 'center' }))
}

export const heightOf = (width: number): number => (width < 600 ? 740 : 900)

/** Longest wait for a page that keeps changing; a picture of it is a picture too. */
const SETTLE_MS = 6000

/** Resolves when the script stands, nothing was asked for and nothing moved for a while. */
export async function settled(page: Page): Promise<void> {
  await page.waitForNetworkIdle({ idleTime: 150, concurrency: 1, timeout: SETTLE_MS }).catch(() => undefined)
  await page.evaluate(
    (most) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 200)
        new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(resolve, 200)
        }).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })
        setTimeout(resolve, most)
      }),
    SETTLE_MS
  )
}

/** As the reader's choice of a theme, without loading the page again. */
export async function wear(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name
    const meta = document.querySelector('meta[name=color-scheme]')
    meta?.setAttribute('content', name === 'light' || name === 'sunlight' ? 'light' : 'dark')
  }, theme)
}

/** A cell of the grid; on a phone, of the first card. */
async function openEditor(page: Page): Promise<void> {
  await page.waitForSelector('.matrix.grid, .card li button')
  await page.$eval('#cell-1-1, .card li:nth-of-type(2) button', (cell) => (cell as HTMLElement).click())
  await page.waitForSelector('dialog.editor[open]')
}

const ROUTE = '/api/notifications/region-routing'

/** A change here, another one of the same cell by somebody else, and the button that finds out. */
async function openConflict(page: Page, { url }: Stage): Promise<void> {
  await openEditor(page)
  await page.select('dialog.editor select', '4')
  await page.$eval('dialog.editor .primary, dialog.editor button:last-of-type', (button) =>
    (button as HTMLElement).click()
  )
  const answer = await fetch(url + ROUTE)
  const matrix = (await answer.json()) as { cells: Record<string, Record<string, { mt: number | null }>> }
  for (const row of Object.values(matrix.cells)) for (const cell of Object.values(row)) cell.mt = cell.mt === 5 ? 6 : 5
  await fetch(url + ROUTE, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'if-match': answer.headers.get('etag') ?? '' },
    body: JSON.stringify(matrix)
  })
  await settled(page)
  await page.$$eval('.bar button, .dock button', (all) => {
    const save = all.find((one) => /^(Save|Speichern)$/.test(one.textContent?.trim() ?? ''))
    if (save instanceof HTMLElement) save.click()
  })
  await page.waitForSelector('dialog.conflict', { timeout: 5000 })
}
