/// <reference lib="dom" />
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { type Running, startLookout } from '../helpers/process.ts'
import { closeBrowser, openPage, type WatchedPage } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(180_000)

async function station(t: Test): Promise<Running & { data: string }> {
  const data = join(t.testdir({ data: {} }), 'data')
  const found = await startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  return { ...found, data }
}

async function firstStep(t: Test, url: string): Promise<WatchedPage | null> {
  const watched = await openPage(t, { base: url, width: 360, height: 740 })
  if (watched === null) return null
  await watched.page.goto(`${url}/first-run`, { waitUntil: 'load' })
  await reached(watched.page, 'Step 1 of 5')
  return watched
}

async function fill(page: Page, label: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`aria/${label}`)
  await field?.click({ count: 3 })
  await page.keyboard.press('Backspace')
  await field?.type(text)
}

const shownIn = async (page: Page, label: string): Promise<string | undefined> => {
  const field = await page.waitForSelector(`aria/${label}`)
  return field?.evaluate((element) => (element as HTMLInputElement).value)
}

const press = (page: Page, name: string): Promise<void> => page.locator(`aria/${name}[role="button"]`).click()

async function reached(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.getElementById('step')?.textContent?.includes(wanted), {}, text)
}

async function told(page: Page): Promise<string> {
  const alert = await page.waitForSelector('[role=alert]')
  return (await alert?.evaluate((element) => element.textContent)) ?? ''
}

async function place(page: Page, { name, lat, lon }: Record<'name' | 'lat' | 'lon', string>): Promise<void> {
  await fill(page, 'Name of the place', name)
  await fill(page, 'Latitude', lat)
  await fill(page, 'Longitude', lon)
}

t.test(
  'the way back of the browser goes through the steps to the first one, and a reload stays where one is',
  async (t) => {
    const { url } = await station(t)
    const watched = await firstStep(t, url)
    if (watched === null) return
    const { page, errors } = watched
    await fill(page, 'Name of the station', 'Ridge')
    await press(page, 'Save and go on')
    await reached(page, 'Step 2')
    await press(page, 'Skip')
    await reached(page, 'Step 3')
    await page.reload({ waitUntil: 'load' })
    await reached(page, 'Step 3')
    await page.goBack()
    await reached(page, 'Step 2')
    await page.goBack()
    await reached(page, 'Step 1')
    t.equal(await shownIn(page, 'Name of the station'), 'Ridge', 'what was saved')
    await page.goForward()
    await reached(page, 'Step 2')
    t.same(errors, [])
  }
)

t.test('a name may have any signs, and one of blanks is refused where it is typed', async (t) => {
  const { url, data } = await station(t)
  const watched = await firstStep(t, url)
  if (watched === null) return
  const { page } = watched
  await fill(page, 'Name of the station', '   ')
  await press(page, 'Save and go on')
  t.match(await told(page), /the name must not be empty/i)
  t.notOk(existsSync(join(data, 'config.json')))
  await fill(page, 'Name of the station', '🔥 Wacht 👩‍🚒 <b>"Süd"</b>')
  await place(page, { name: '🏔 Gipfel', lat: '47.42', lon: '10.98' })
  await press(page, 'Save and go on')
  await reached(page, 'Step 2')
  t.equal(await shownIn(page, 'Name of the area'), '🏔 Gipfel')
  await press(page, 'Save and go on')
  await reached(page, 'Step 3')
  t.match(JSON.parse(readFileSync(join(data, 'config.json'), 'utf8')), {
    station: { name: '🔥 Wacht 👩‍🚒 <b>"Süd"</b>' },
    coverage: { areas: [{ name: '🏔 Gipfel' }] }
  })
  await page.goto(`${url}/`, { waitUntil: 'load' })
  t.match(await page.$eval('body', (body) => body.textContent), /🔥 Wacht 👩‍🚒 <b>"Süd"<\/b>/)
})

t.test('a place in the sea, on a border, at a pole or on the date line is a place', async (t) => {
  for (const [name, lat, lon] of [
    ['Buoy', '0', '-30'],
    // Where Germany, France and Switzerland meet.
    ['Border', '47.5897', '7.5894'],
    ['Pole', '-90', '0'],
    ['Line', '-16.8', '180'],
    ['Null', '0.0000001', '0']
  ] as const) {
    const { url, data, launched } = await station(t)
    const watched = await firstStep(t, url)
    if (watched === null) return
    const { page, errors } = watched
    await fill(page, 'Name of the station', name)
    await place(page, { name, lat, lon })
    await press(page, 'Save and go on')
    await reached(page, 'Step 2')
    await page.waitForSelector('aria/Radius, km')
    await press(page, 'Save and go on')
    await reached(page, 'Step 3')
    await press(page, 'Skip')
    await reached(page, 'Step 4')
    await page.waitForSelector('.ticks input')
    t.same(errors, [], name)
    t.equal(await page.$('[role=alert]'), null, `${name}: nothing is refused`)
    t.match(JSON.parse(readFileSync(join(data, 'config.json'), 'utf8')).coverage.areas, [
      { name, circle: { lat: Number(lat), lon: Number(lon) } }
    ])
    await launched.stop()
  }
})
