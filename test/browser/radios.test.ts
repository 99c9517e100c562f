import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { startLookout } from '../helpers/process.ts'
import { axeViolations, checkPage, closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)

async function press(page: Page, name: string): Promise<void> {
  const button = await page.waitForSelector(`aria/${name}[role="button"]`, { timeout: 10_000 })
  await button?.evaluate((element) => (element as HTMLElement).click())
}

async function sees(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), { timeout: 10_000 }, text)
}

t.test('radios are shown with their channels and airtime at three widths', async (t) => {
  const folder = t.testdir({ data: {} })
  const station = await startLookout(t, 'data', { cwd: folder, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  await checkPage(t, { base: station.url, path: '/radios', name: 'radios' })
})

t.test('the editor takes over what the server drew: nothing is thrown away and drawn again', async (t) => {
  const folder = t.testdir({ data: {} })
  const station = await startLookout(t, 'data', { cwd: folder, args: [], env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: station.url })
  if (watched === null) return
  const { page } = watched
  // The page is parsed, its scripts have not run yet.
  await page.evaluateOnNewDocument(`document.addEventListener('readystatechange', () => {
    if (document.readyState === 'interactive') window.drawn = [...document.querySelectorAll('#editor .card h2, #editor .facts dd, #editor .state')]
  })`)
  for (const path of ['/radios', '/sources']) {
    await page.goto(station.url + path)
    await page.waitForSelector('#editor button')
    const { cards, gone } = (await page.evaluate(
      '({ cards: drawn.filter(({ localName }) => localName === "h2").length, gone: drawn.filter((one) => !one.isConnected).length })'
    )) as { cards: number; gone: number }
    t.ok(cards > 0, `${path}: the server drew ${cards} cards`)
    t.equal(gone, 0, `${path}: all of them are still there`)
    const text = await page.$eval('main', (main) => main.innerText)
    t.notMatch(text, /browser with scripts/, `${path}: and nothing of what only readers without a script need`)
  }
  t.same(watched.errors, [])
})

t.test('times that a script writes follow the clock of the station, whatever the language is used to', async (t) => {
  const config = JSON.stringify({ station: { name: 'Ridge', timezone: 'UTC', time_format: '24h' } })
  const folder = t.testdir({ data: { 'config.json': config } })
  const station = await startLookout(t, 'data', { cwd: folder, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: station.url })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${station.url}/radios`)
  await sees(page, 'ready')
  const evening = await page.evaluate(
    "import('/static/lib/time.js').then(({ when }) => when(Date.UTC(2026, 6, 1, 18, 21)))"
  )
  t.equal(evening, 'Jul 1, 2026, 18:21')
})

t.test('a test text is confirmed, sent and found among the deliveries', async (t) => {
  const folder = t.testdir({ data: { 'config.json': JSON.stringify({ station: { name: 'Ridge' } }) } })
  const station = await startLookout(t, 'data', { cwd: folder, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${station.url}/radios`)
  await page.waitForSelector('.test summary')
  await page.click('.test summary')
  await sees(page, 'This radio is simulated: nothing goes on the air.')
  await press(page, 'Send …')
  t.same(
    (await station.get<{ deliveries: unknown[] }>('/api/deliveries')).json.deliveries,
    [],
    'nothing before the second step'
  )
  t.same(await axeViolations(page), [], 'the second step is accessible')
  await press(page, 'Send it to the simulated radio')
  await sees(page, 'Put into the queue: TEST Ridge')
  const { deliveries } = (await station.get<{ deliveries: { text: string; severity: string }[] }>('/api/deliveries'))
    .json
  t.match(deliveries, [{ severity: 'routine', text: /^TEST Ridge / }])
  t.same(watched.errors, [])
})

t.test('a radio is added to the configuration and used at once; taken away, it is gone', async (t) => {
  const folder = t.testdir({ data: {} })
  const station = await startLookout(t, 'data', { cwd: folder, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${station.url}/radios`)
  await press(page, 'Add a radio')
  await press(page, 'Add')
  await sees(page, '"network" is missing')
  await page.type('[id="set/radios/-/id"]', 'roof')
  await page.select('[id="set/radios/-/network"]', '0')
  await page.select('[id="set/radios/-/link"]', '1')
  await page.type('[id="set/radios/-/host"]', '192.0.2.7')
  await press(page, 'Add')
  await sees(page, 'Saved, and in use.')
  await page.waitForFunction(() => document.querySelector('.radio-card, main')?.textContent?.includes('roof'))
  t.match((await station.get<{ radios: { id: string }[] }>('/api/radios')).json.radios, [{ id: 'roof' }])
  const config = JSON.parse(readFileSync(join(folder, 'data', 'config.json'), 'utf8'))
  t.same(config.radios, [{ id: 'roof', network: 'mt', link: 'tcp', host: '192.0.2.7' }])
  await press(page, 'Remove: roof')
  await press(page, 'Remove for good')
  await sees(page, 'None. What is shown above comes from the profile.')
  t.same(JSON.parse(readFileSync(join(folder, 'data', 'config.json'), 'utf8')).radios, [])
  t.same(
    watched.errors.filter((text) => !text.includes('422')),
    []
  )
})
