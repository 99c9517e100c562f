import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { launch, type Running, running, startLookout } from '../helpers/process.ts'
import { axeViolations, checkPage, closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)

const CONFIG = {
  station: { name: 'Boise Ridge', timezone: 'America/Boise', mine: 'kept' },
  notifications: {
    broadcasts: [{ name: 'Morning', what: 'digest', at: ['07:30'], mt: 0, say_when_empty: true }],
    destinations: { hook: { type: 'webhook', webhook_url: 'https://example.org/x', smtp_password: 'very-secret-word' } }
  },
  sources: [
    { kind: 'usgs', name: 'quakes', enabled: false, overrides: { Earthquake: { severity: 'critical' } } },
    { kind: 'firms', enabled: false, map_key: 'another-secret-word' }
  ]
}

interface Started {
  station: Running
  // biome-ignore lint/suspicious/noExplicitAny: tests look into files of any shape
  file: () => any
  write: (config: unknown) => void
}

async function start(t: Test): Promise<Started> {
  const folder = t.testdir({ data: { 'config.json': JSON.stringify(CONFIG, null, 2) } })
  const station = await startLookout(t, 'data', { cwd: folder, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const path = join(folder, 'data', 'config.json')
  return {
    station,
    file: () => JSON.parse(readFileSync(path, 'utf8')),
    write: (config) => writeFileSync(path, JSON.stringify(config, null, 2))
  }
}

/** Clicks the first button with this accessible name. */
async function press(page: Page, name: string): Promise<void> {
  const button = await page.waitForSelector(`aria/${name}[role="button"]`, { timeout: 10_000 })
  await button?.evaluate((element) => (element as HTMLElement).click())
}

async function fill(page: Page, selector: string, text: string): Promise<void> {
  await page.waitForSelector(selector, { timeout: 10_000 })
  await page.$eval(selector, (element) => {
    const input = element as HTMLInputElement
    input.value = ''
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  if (text !== '') await page.type(selector, text)
}

async function sees(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), { timeout: 10_000 }, text)
}

t.test('what is wrong with a station that could send nothing is asked without an error in the console', async (t) => {
  const { station } = await start(t)
  t.equal((await station.get('/api/health/ready')).status, 503, 'no radio')
  const watched = await openPage(t, { base: station.url })
  if (watched === null) return
  const { page, errors } = watched
  // Once a minute it asks without any news.
  await page.evaluateOnNewDocument(() => {
    const every = window.setInterval
    window.setInterval = ((task: () => void, ms: number) => every(task, ms === 60_000 ? 100 : ms)) as typeof setInterval
  })
  await page.goto(`${station.url}/settings/station`, { waitUntil: 'load' })
  await page.$eval('#trouble', (line) => line.replaceChildren())
  await page.waitForSelector('#trouble a', { timeout: 20_000 })
  t.same(errors, [])
})

t.test('sources and settings are accessible, quiet and complete at three widths', async (t) => {
  const { station } = await start(t)
  const pages: [string, string][] = [
    ['/sources', 'sources'],
    ['/settings', 'settings'],
    ['/settings?q=quiet', 'settings-search'],
    ['/settings/station', 'settings-station'],
    ['/settings/notifications', 'settings-notifications']
  ]
  for (const [path, name] of pages) await checkPage(t, { base: station.url, path, name })
})

t.test('a value is changed, refused at its field, saved, and set back to its default', async (t) => {
  const { station, file } = await start(t)
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${station.url}/settings/station`)
  await fill(page, '[id="set/station/name"]', 'Summit')
  await fill(page, '[id="set/station/timezone"]', 'Mars/Olympus')
  await sees(page, 'Changes not saved: 2')
  await press(page, 'Save')
  await sees(page, 'not an IANA time zone')
  t.equal(await page.$eval('[id="set/station/timezone"]', (element) => element.getAttribute('aria-invalid')), 'true')
  t.equal(file()['station'].name, 'Boise Ridge', 'nothing was saved')
  t.same(await axeViolations(page), [], 'the refusal is accessible')
  await fill(page, '[id="set/station/timezone"]', 'Europe/Vienna')
  await press(page, 'Save')
  await sees(page, 'Saved.')
  t.match(file()['station'], { name: 'Summit', timezone: 'Europe/Vienna', mine: 'kept' })
  await press(page, 'Back to the default: Time zone')
  await press(page, 'Save')
  await sees(page, 'Saved.')
  t.notOk('timezone' in file()['station'])
  await fill(page, '[id="set/station/name"]', 'Else')
  await press(page, 'Discard')
  t.equal(await page.$eval('[id="set/station/name"]', (element) => (element as HTMLInputElement).value), 'Summit')
  t.same(
    watched.errors.filter((text) => !text.includes('422')),
    []
  )
})

t.test('the bar that saves is there while there is something to save, and the focus does not go with it', async (t) => {
  const { station } = await start(t)
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${station.url}/settings/station`)
  await page.waitForSelector('.save')
  const buttons = () => page.$$eval('.save button', (all) => all.map((one) => one.textContent))
  t.same(await buttons(), [])
  await fill(page, '[id="set/station/name"]', 'Summit')
  await sees(page, 'Changes not saved: 1')
  t.same(await buttons(), ['Save', 'Discard'])
  await page.focus('.save .primary')
  await page.keyboard.press('Enter')
  await sees(page, 'Saved.')
  t.same(await buttons(), [])
  t.equal(await page.evaluate(() => document.activeElement?.id), 'main')
  t.same(await axeViolations(page), [])
  await page.goto(`${station.url}/coverage`)
  await page.waitForSelector('.save-bar')
  t.same(await page.$$eval('.save-bar button', (all) => all.map((one) => one.textContent)), [])
  t.same(watched.errors, [])
})

t.test('two people: other places are merged, the same place is asked about', async (t) => {
  const { station, file, write } = await start(t)
  const watched = await openPage(t, { base: station.url })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${station.url}/settings/station`)
  await fill(page, '[id="set/station/name"]', 'Mine')
  write({ ...file(), station: { ...file()['station'], contact: 'theirs@example.org' } })
  await press(page, 'Save')
  await sees(page, 'Saved.')
  t.match(file()['station'], { name: 'Mine', contact: 'theirs@example.org' }, 'both changes stand')
  await fill(page, '[id="set/station/name"]', 'Mine again')
  write({ ...file(), station: { ...file()['station'], name: 'Theirs' } })
  await press(page, 'Save')
  await sees(page, 'Somebody else changed the same in the meantime')
  t.equal(file()['station'].name, 'Theirs')
  await press(page, 'Put mine over it')
  await press(page, 'Save')
  await sees(page, 'Saved.')
  t.match(file()['station'], { name: 'Mine again', contact: 'theirs@example.org' })
})

t.test('a secret is never in the page; it stays when untouched, and is replaced by a new one', async (t) => {
  const { station, file } = await start(t)
  const watched = await openPage(t, { base: station.url })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${station.url}/settings/notifications#set/notifications/destinations/hook/smtp_password`)
  await page.waitForSelector('[id="set/notifications/destinations/hook/webhook_url"]')
  t.notMatch(await page.content(), /very-secret-word/)
  await fill(page, '[id="set/notifications/destinations/hook/webhook_url"]', 'https://example.org/new')
  await press(page, 'Save')
  await sees(page, 'Saved.')
  t.match(file()['notifications'].destinations.hook, {
    webhook_url: 'https://example.org/new',
    smtp_password: 'very-secret-word'
  })
  await press(page, 'Replace')
  await fill(page, '[id="set/notifications/destinations/hook/smtp_password"]', 'fresh')
  await press(page, 'Save')
  await sees(page, 'Saved.')
  t.equal(file()['notifications'].destinations.hook.smtp_password, 'fresh')
  await sees(page, 'No all-clear: no source of warnings is on.')
  t.same(watched.errors, [])
})

t.test('a source is added from the form of its kind, edited, switched and removed', async (t) => {
  const { station, file } = await start(t)
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${station.url}/sources`)
  t.notMatch(await page.content(), /another-secret-word/)
  await page.select('#kind', 'folder')
  await fill(page, '[id="set/sources/-/name"]', 'Bad Name')
  await press(page, 'Add')
  await sees(page, 'the name of a source is 1-32')
  await fill(page, '[id="set/sources/-/name"]', 'inbox')
  await press(page, 'Add')
  await page.waitForSelector('#source-inbox')
  t.match(file()['sources'][2], { kind: 'folder', name: 'inbox' })
  await press(page, 'Edit: quakes')
  await sees(page, 'Earthquake')
  await fill(page, 'input[aria-label="Name of the event"]', 'Quarry blast')
  await press(page, 'Add: Overrides')
  await page.waitForSelector('[role="group"][aria-label="Quarry blast"] input[type="checkbox"]')
  await page.click('[role="group"][aria-label="Quarry blast"] input[type="checkbox"]')
  t.same(await axeViolations(page), [], 'the form is accessible')
  await press(page, 'Save')
  await page.waitForSelector('aria/Edit: quakes[role="button"]')
  t.same(file()['sources'][0].overrides, { Earthquake: { severity: 'critical' }, 'Quarry blast': { off: true } })
  await press(page, 'Switch off: inbox')
  await page.waitForSelector('aria/Switch on: inbox[role="button"]')
  t.equal(file()['sources'][2].enabled, false)
  await press(page, 'Remove: quakes')
  await press(page, 'Remove for good: quakes')
  await page.waitForFunction(() => document.getElementById('source-quakes') === null)
  t.match(file()['sources'], [{ kind: 'firms', map_key: 'another-secret-word' }, { name: 'inbox' }])
  t.same(
    watched.errors.filter((text) => !text.includes('422')),
    []
  )
})

t.test('the script draws on in the settings of the server, and needs no second drawing', async (t) => {
  const { station } = await start(t)
  const watched = await openPage(t, { base: station.url, width: 1440, height: 900 })
  if (watched === null) return
  const { page } = watched
  // The page is parsed, its scripts have not run yet. What lies in a closed part is drawn when it opens.
  await page.evaluateOnNewDocument(`document.addEventListener('readystatechange', () => {
    if (document.readyState === 'interactive') window.drawn = [...document.querySelectorAll('#editor :is(form, .field, .fold, label, legend, summary, .help, section, h2, .card)')]
      .filter((one) => one.closest('.inner') === null)
  })`)
  await page.goto(`${station.url}/settings/notifications`)
  await page.waitForSelector('.save')
  const { count, gone } = (await page.evaluate(
    '({ count: drawn.length, gone: drawn.filter((one) => !one.isConnected).map((one) => one.outerHTML.slice(0, 80)) })'
  )) as { count: number; gone: string[] }
  t.ok(count > 20, `the server drew ${count}`)
  t.same(gone, [], 'all of them are still there')
  t.same(watched.errors, [])
})

t.test('without a script every value of a section stands there, also what lies in closed parts', async (t) => {
  const { station } = await start(t)
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.setJavaScriptEnabled(false)
  await page.goto(`${station.url}/settings/notifications#set/notifications/destinations/hook/webhook_url`)
  t.match(await page.$eval('#editor', (one) => one.textContent), /Morning.*07:30.*No alerts known/s)
  const shown = await page.$eval('[id="set/notifications/destinations/hook/webhook_url"]', (one) => one.textContent)
  t.equal(shown, 'https://example.org/x')
  const fold = await page.$eval('[id="set/notifications/destinations/hook"]', (one) => (one as HTMLDetailsElement).open)
  t.ok(fold, 'the browser opens the part that is asked for')
  t.same(watched.foreign, [])
})

t.test('a restart from the page is followed until the station is back', async (t) => {
  const data = join(t.testdir({ data: { 'config.json': JSON.stringify(CONFIG) } }), 'data')
  const first = await startLookout(t, data, { env: { LOOKOUT_RESTARTED_BY: 'a test', LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: first.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${first.url}/profile`, { waitUntil: 'load' })
  await page.locator('#restart summary').click()
  t.same(await axeViolations(page), [])
  await page.locator('aria/Restart now[role="button"]').click()
  const says = (words: string) =>
    page.waitForFunction((wanted) => document.getElementById('restart-status')?.textContent === wanted, {}, words)
  t.match(await first.launched.ended, { code: 0 })
  await says('It is stopped. Waiting until it is back …')
  const drawnAnew = page.waitForNavigation()
  const { port } = new URL(first.url)
  await running(launch(t, { args: ['start', '--port', port, '--data', data], env: { LOOKOUT_LOG: 'error' } }))
  await drawnAnew
  await page.waitForFunction(() => document.getElementById('restart')?.textContent?.includes('started by hand'))
})

t.test('a destination is tried from the page, and what became of it stands beside it', async (t) => {
  const { station, file, write } = await start(t)
  const server = createServer((_request, response) => response.end('ok'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  const url = (port: number): string => `http://127.0.0.1:${port}/`
  const config = file()
  config.notifications.destinations = {
    works: { type: 'webhook', webhook_url: url((server.address() as AddressInfo).port) },
    broken: { type: 'webhook', webhook_url: url(1) }
  }
  write(config)
  const watched = await openPage(t, { base: station.url })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${station.url}/settings/notifications`)
  await page.waitForSelector('section[aria-labelledby="destinations-tried"] button', { timeout: 10_000 })
  const buttons = await page.$$('section[aria-labelledby="destinations-tried"] button')
  for (const button of buttons) await button.evaluate((element) => (element as HTMLElement).click())
  await sees(page, 'The server took it.')
  await sees(page, 'It was not taken:')
  t.strictSame(await axeViolations(page), [])
})
