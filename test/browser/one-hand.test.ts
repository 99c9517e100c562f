/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { eventually, startLookout } from '../helpers/process.ts'
import { closeBrowser, openPage, type WatchedPage } from './harness.ts'
import { text, until } from './routing-page.ts'

t.teardown(closeBrowser)

/** Further than this nobody tabs. */
const MOST_TABS = 150
/** Between two looks at something that is to be touched. Milliseconds. */
const LOOK_MS = 50
const MOST_LOOKS = 300
/** Characters of a page on which something could not be touched. */
const MOST_SHOWN = 1500

const config = {
  coverage: {
    region_tagging: true,
    areas: [
      { name: 'North', bbox: [-117, 43.5, -115.5, 44.5] },
      { name: 'South', bbox: [-117, 42.5, -115.5, 43.49] }
    ]
  },
  radios: [
    { id: 'mt1', network: 'mt', link: 'simulated' },
    { id: 'mc1', network: 'mc', link: 'simulated' }
  ],
  notifications: {
    coalesce_seconds: 0,
    toggles: { fire: { cooldown_seconds: 0 } },
    region_routes: { enabled: true, cells: { fire: { North: { mt: 3 }, South: { mt: 2, min_severity: 'immediate' } } } }
  }
}

/** The page as whoever has only this hand: the kinds of pointers it was touched with are kept. */
async function opened(t: Test, url: string, path: string, width: number): Promise<WatchedPage | null> {
  const watched = await openPage(t, { base: url, width, height: width < 600 ? 740 : 900 })
  if (watched === null) return null
  await watched.page.evaluateOnNewDocument(() => {
    const kinds = new Set<string>()
    Object.assign(globalThis, { kinds })
    addEventListener('pointerdown', ({ pointerType }) => kinds.add(pointerType), { capture: true })
  })
  await watched.page.goto(url + path, { waitUntil: 'load' })
  return watched
}

const pointers = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...(globalThis as unknown as { kinds: Set<string> }).kinds])

/** Two fires that the station has decided, and the routing page. */
async function routing(t: Test, width: number): Promise<WatchedPage | null> {
  const cwd = t.testdir({ data: { 'config.json': JSON.stringify(config) } })
  const station = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'error' } })
  // A radio that is still connecting lets a message wait.
  await eventually('both radios are ready', async () =>
    (await station.get<{ radios: { state: string }[] }>('/api/radios')).json.radios.every(
      ({ state }) => state === 'ready'
    )
  )
  const fire = {
    source: 'wfigs',
    family: 'fire',
    severity: 'priority',
    circle: { lat: 44.2, lon: -116.2, radius_km: 5 }
  }
  const quake = { ...fire, id: 'q1', family: 'seismic', title: 'Earthquake' }
  t.equal((await station.post('/api/events', [{ ...fire, id: 'f1', title: 'Pine Ridge Fire' }, quake])).status, 202)
  return opened(t, station.url, '/mesh-a/routing', width)
}

/** Goes there by the Tab key. Throws where it leads never there. */
async function tabTo(page: Page, selector: string, { back = false } = {}): Promise<void> {
  if (back) await page.keyboard.down('Shift')
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    await page.keyboard.press('Tab')
    if (await isFocused(page, selector)) {
      if (back) await page.keyboard.up('Shift')
      return
    }
  }
  throw new Error(`${selector} is not in reach of the keyboard`)
}

const isFocused = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)

/** Taps what stands still and may be pressed: what moves, or is drawn anew, between look and touch is missed. */
async function tap(page: Page, selector: string): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const found = await page.waitForSelector(selector)
    const isReady = await found?.evaluate(async (element, pause) => {
      const place = (): string => JSON.stringify(element.getBoundingClientRect())
      const before = place()
      await new Promise((resolve) => setTimeout(resolve, pause))
      return element.isConnected && before === place() && !element.matches(':disabled')
    }, LOOK_MS)
    if (isReady) return found?.tap()
  }
  throw new Error(`${selector} cannot be touched: ${(await text(page, 'main')).slice(0, MOST_SHOWN)}`)
}

/** Taps into a field and types on the keyboard that comes up. */
async function write(page: Page, label: string, words: string): Promise<void> {
  await tap(page, `aria/${label}`)
  await page.keyboard.type(words)
}

const EXPLAIN = '.trial > details:nth-of-type(1)'

t.test('by keyboard alone: a stored event is explained, step by step, then one that is described', async (t) => {
  const watched = await routing(t, 1440)
  if (watched === null) return
  const { page, errors } = watched
  await page.waitForSelector('.matrix.grid')
  await tabTo(page, `${EXPLAIN} > summary`)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.trial-choice input')
  await tabTo(page, '.trial-choice input')
  await page.keyboard.press('Space')
  await until(page, '.trial-headline', /Nothing would be sent.* It touches North/)
  t.ok(await isFocused(page, '.trial-choice input'), 'an answer takes nobody away from where he is')
  await page.keyboard.press('ArrowDown')
  await until(page, '.trial-headline', /1 message would be sent\. It touches North/)
  await tabTo(page, '.trial-result details > summary')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.trial-steps', { visible: true })

  await tabTo(page, '.trial-explain .choices button:last-child', { back: true })
  await page.keyboard.press('Enter')
  await page.waitForSelector('.trial-form select option[value=fire]')
  await tabTo(page, '.trial-form select')
  await page.keyboard.type('Fire')
  await tabTo(page, '.trial-form select')
  await page.keyboard.type('Imm')
  await tabTo(page, '.trial-form fieldset label:last-of-type input')
  await page.keyboard.press('Space')
  await tabTo(page, '.trial-form button.primary')
  await page.keyboard.press('Enter')
  await until(page, '.trial-headline', /1 message would be sent\. It touches South/)
  t.same(await pointers(page), [])
  t.same(errors, [])
})

t.test('by touch alone: a stored event is explained, step by step, then one that is described', async (t) => {
  const watched = await routing(t, 360)
  if (watched === null) return
  const { page, errors } = watched
  await page.waitForSelector('.cards')
  await tap(page, `${EXPLAIN} > summary`)
  await tap(page, '.trial-choice:last-child')
  await until(page, '.trial-headline', /1 message would be sent\. It touches North/)
  await tap(page, '.trial-result details > summary')
  await page.waitForSelector('.trial-steps', { visible: true })

  await tap(page, '.trial-explain .choices button:last-child')
  await page.waitForSelector('.trial-form select option[value=fire]')
  // The list that opens under a finger belongs to the system: no page sees it.
  await page.select('.trial-form select', 'fire')
  await page.select('.trial-form p:nth-of-type(2) select', 'immediate')
  await tap(page, '.trial-form fieldset label:last-of-type')
  await tap(page, '.trial-form button.primary')
  await until(page, '.trial-headline', /1 message would be sent\. It touches South/)
  t.same(await pointers(page), ['touch'])
  t.same(errors, [])
})

t.test('by touch alone: the first steps, from an empty station to a drill that was decided and sent', async (t) => {
  const cwd = t.testdir({ data: {} })
  const { url } = await startLookout(t, 'data', { cwd, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const watched = await opened(t, url, '/first-run', 360)
  if (watched === null) return
  const { page } = watched
  const goOn = async (next: RegExp): Promise<void> => {
    await tap(page, 'aria/Save and go on[role="button"]')
    await until(page, '#step', next)
  }
  await until(page, '#step', /Step 1 of 5/)
  await page.waitForSelector('option[value=US]')
  // The list that opens under a finger belongs to the system: no page sees it.
  await (await page.waitForSelector('aria/Country'))?.select('US')
  await write(page, 'Town or village', 'Hailey')
  await until(page, '.results button', /Hailey/)
  await tap(page, '.results button')
  await goOn(/Step 2 of 5/)
  await goOn(/Step 3 of 5/)
  await goOn(/Step 4 of 5/)
  // The areas are asked for, and the proposal follows.
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'ID'))
  // No source of this test may ask anybody.
  while ((await page.$('.ticks input:checked')) !== null) await tap(page, '.ticks input:checked')
  await goOn(/Step 5 of 5/)
  await (await page.waitForSelector('aria/Meshtastic channel'))?.select('1')
  await write(page, 'MeshCore channel', 'valley')
  await goOn(/Test message/)
  await page.waitForSelector('.routes .proof.good')
  await tap(page, 'aria/Start the drill[role="button"]')
  await until(page, '.drill', /Matrix.*A channel is named.*Radio.*Meshtastic 1: simulated: not on the air/)
  t.match(JSON.parse(readFileSync(join(cwd, 'data', 'config.json'), 'utf8')), {
    station: { country: 'US', time_format: '12h', units: 'imperial', anchors: [{ name: 'Hailey' }] },
    radios: [{ network: 'mt' }, { network: 'mc' }],
    notifications: { region_routes: { enabled: true } }
  })
  t.same(await pointers(page), ['touch'])
})

/** Goes by the Tab key to what has this name, written beside it or in it. */
async function tabToNamed(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const here = document.activeElement
      const label = here instanceof HTMLInputElement || here instanceof HTMLSelectElement ? here.labels?.[0] : null
      return (label ?? here)?.textContent?.trim() ?? ''
    })
    if (focused.startsWith(name)) return
  }
  throw new Error(`${name} is not in reach of the keyboard: ${(await text(page, 'main')).slice(0, MOST_SHOWN)}`)
}

/** A closed list goes to the option whose words are typed. */
async function choose(page: Page, name: string, words: string): Promise<void> {
  await tabToNamed(page, name)
  await page.keyboard.type(words)
}

t.test('by keyboard alone: the first steps, from an empty station to a drill that was decided and sent', async (t) => {
  const cwd = t.testdir({ data: {} })
  const { url } = await startLookout(t, 'data', { cwd, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const watched = await opened(t, url, '/first-run', 1440)
  if (watched === null) return
  const { page, errors } = watched
  const press = async (name: string): Promise<void> => {
    await page.waitForSelector(`aria/${name}[role="button"]`)
    await tabToNamed(page, name)
    await page.keyboard.press('Enter')
  }
  const goOn = async (next: RegExp): Promise<void> => {
    await press('Save and go on')
    await until(page, '#step', next)
  }
  await until(page, '#step', /Step 1 of 5/)
  await page.waitForSelector('option[value=US]')
  await choose(page, 'Country', 'United States')
  await tabToNamed(page, 'Town or village')
  await page.keyboard.type('Hailey')
  await until(page, '.results button', /Hailey/)
  await tabTo(page, '.results button')
  await page.keyboard.press('Enter')
  await goOn(/Step 2 of 5/)
  await goOn(/Step 3 of 5/)
  await goOn(/Step 4 of 5/)
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'ID'))
  // No source of this test may ask anybody.
  while ((await page.$('.ticks input:checked')) !== null) {
    await tabTo(page, '.ticks input:checked')
    await page.keyboard.press('Space')
  }
  await goOn(/Step 5 of 5/)
  await tabToNamed(page, 'Meshtastic channel')
  while ((await page.evaluate(() => (document.activeElement as HTMLSelectElement).value)) !== '1')
    await page.keyboard.press('ArrowDown')
  await tabToNamed(page, 'MeshCore channel')
  await page.keyboard.type('valley')
  await goOn(/Test message/)
  await page.waitForSelector('.routes .proof.good')
  await press('Start the drill')
  await until(page, '.drill', /Matrix.*A channel is named.*Radio.*Meshtastic 1: simulated: not on the air/)
  t.match(JSON.parse(readFileSync(join(cwd, 'data', 'config.json'), 'utf8')), {
    station: { country: 'US', anchors: [{ name: 'Hailey' }] },
    notifications: { region_routes: { enabled: true } }
  })
  t.same(await pointers(page), [], 'nothing was pointed at')
  t.same(errors, [])
})
