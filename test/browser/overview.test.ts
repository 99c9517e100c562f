/// <reference lib="dom" />
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { launch, type Running, running, startLookout } from '../helpers/process.ts'
import { axeViolations, checkPage, closeBrowser, follow, openMenu, openPage, screenshot } from './harness.ts'

t.teardown(closeBrowser)
/** Eight programs and as many browsers in turn, on a machine that may be busy. */
t.setTimeout(300_000)

const THEMES = ['light', 'dark', 'sunlight', 'night'] as const
const config = {
  station: { name: 'Camas Prairie', timezone: 'America/Boise' },
  radios: [{ id: 'roof', network: 'mt', link: 'simulated' }],
  coverage: { region_tagging: true, areas: [{ name: 'North', bbox: [-117, 43, -114, 45] }] },
  notifications: {
    region_routes: { enabled: true, cells: { fire: { North: { mt: 2 } }, weather: { North: { mt: 1 } } } }
  }
}

function event(id: string, title: string, severity = 'critical'): object {
  const now = Date.now()
  return {
    id,
    source: 'test',
    family: 'fire',
    severity,
    title,
    lat: 44,
    lon: -116,
    summary: 'Moves east with the wind.',
    sent_at: new Date(now - 60_000).toISOString(),
    expires: new Date(now + 3_600_000).toISOString()
  }
}

/** A station with a radio, a matrix and one fire of each severity, on a port of its own. */
async function seeded(t: Tap, port = '0'): Promise<{ station: Running; data: string; again: () => Promise<Running> }> {
  const data = t.testdir({})
  writeFileSync(join(data, 'config.json'), JSON.stringify(config))
  const env = { LOOKOUT_LOG: 'error' }
  const station = await startLookout(t, data, { args: ['--port', port], env })
  const list = ['routine', 'priority', 'critical', 'immediate'].map((severity) =>
    event(severity, `A ${severity} fire`, severity)
  )
  await station.post('/api/events', list)
  const args = ['start', '--port', new URL(station.url).port, '--data', data]
  return { station, data, again: () => running(launch(t, { args, env })) }
}

type Tap = Parameters<typeof checkPage>[0]

t.test('overview and alerts are without fault at three widths, with alerts, messages and radios on them', async (t) => {
  const { station } = await seeded(t)
  await checkPage(t, { base: station.url, path: '/', name: 'overview-busy' })
  await checkPage(t, { base: station.url, path: '/alerts', name: 'alerts-busy' })
})

t.test('every theme keeps its contrast, and the server sets it before anything is painted', async (t) => {
  const { station } = await seeded(t)
  for (const theme of THEMES) {
    const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
    if (watched === null) return
    const { page } = watched
    // By the buttons themselves, without a script of ours.
    await page.goto(`${station.url}/`, { waitUntil: 'load' })
    await openMenu(page, 'details.menu:not(.pages)')
    await follow(page, `button[value="${theme}"]`)
    t.equal(await page.evaluate(() => document.documentElement.dataset['theme']), theme)
    t.equal(new URL(page.url()).pathname, '/')
    await openMenu(page, 'details.menu:not(.pages)')
    t.same(await axeViolations(page), [], `${theme}: axe`)
    await screenshot(page, `overview-${theme}-360`)
    await page.goto(`${station.url}/alerts`)
    t.same(await axeViolations(page), [], `${theme}: axe of the alerts`)
    await page.close()
  }
})

t.test('the menu opens and closes by keyboard, and the language follows', async (t) => {
  const { station } = await seeded(t)
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  await page.goto(`${station.url}/`, { waitUntil: 'networkidle2' })
  await page.waitForSelector('#connection[data-state="live"]')
  await page.focus('details.pages > summary')
  await page.keyboard.press('Enter')
  t.ok(await page.$eval('details.pages', (menu) => (menu as HTMLDetailsElement).open))
  const tall = await page.$$eval('details.pages a', (links) => links.map((link) => link.getBoundingClientRect().height))
  t.ok(Math.min(...tall) >= 44, `targets of ${Math.min(...tall)} px`)
  t.equal(await page.$eval('nav [aria-current="page"]', (link) => link.textContent), 'Overview')
  t.same(await axeViolations(page), [], 'axe with the menu open')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  t.notOk(await page.$eval('details.pages', (menu) => (menu as HTMLDetailsElement).open))
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Menu', 'focus comes back')
  await openMenu(page, 'details.menu:not(.pages)')
  await follow(page, 'button[value="de"]')
  t.equal(await page.$eval('h1', (heading) => heading.textContent), 'Überblick')
  await page.waitForFunction(() => document.getElementById('connection')?.textContent === 'Verbunden')
  t.same(errors, [])
})

t.test('news comes by itself, changes only what differs, and leaves focus and position alone', async (t) => {
  const { station } = await seeded(t)
  const watched = await openPage(t, { base: station.url, width: 768, height: 500 })
  if (watched === null) return
  const { page, errors } = watched
  await page.goto(`${station.url}/`, { waitUntil: 'networkidle2' })
  await page.waitForSelector('#connection[data-state="live"]')
  await page.waitForFunction(() => document.body.innerText.includes('A routine fire'))
  await page.evaluate(() => {
    const link = [...document.querySelectorAll('.alert a')].find((one) => one.textContent === 'A priority fire')
    if (!(link instanceof HTMLElement)) throw new Error('no such alert')
    link.focus()
    Object.assign(window, { marked: link })
    window.scrollTo(0, 300)
  })
  await station.post('/api/events', event('new', 'Another fire <b>here</b>', 'immediate'))
  await page.waitForFunction(() => document.body.innerText.includes('Another fire <b>here</b>'))
  const after = await page.evaluate(() => ({
    same: document.activeElement === Reflect.get(window, 'marked'),
    text: document.activeElement?.textContent,
    first: document.querySelector('.alert h3 a')?.textContent,
    alerts: document.querySelectorAll('.alert').length
  }))
  t.same(after, { same: true, text: 'A priority fire', first: 'Another fire <b>here</b>', alerts: 5 })
  await page.waitForFunction(() => /fire/i.test(document.querySelector('.messages .text')?.textContent ?? ''))
  t.same(errors, [])
})

t.test('what happened after the page was drawn and before its stream was open is shown', async (t) => {
  const data = t.testdir({})
  // Nothing is sent: no later message of the stream brings it.
  writeFileSync(join(data, 'config.json'), JSON.stringify({ ...config, notifications: { enabled: false } }))
  const station = await startLookout(t, data, { env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: station.url, width: 768, height: 500 })
  if (watched === null) return
  const { page } = watched
  let posted = false
  // Nor does the look that the page takes now and then.
  await page.evaluateOnNewDocument(() => Object.assign(window, { setInterval: () => 0 }))
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const isFirst = request.url().endsWith('/api/stream') && !posted
    if (isFirst) posted = true
    const before = isFirst ? station.post('/api/events', event('between', 'A fire in between')) : Promise.resolve()
    void before.then(() => request.continue())
  })
  await page.goto(`${station.url}/`, { waitUntil: 'domcontentloaded' })
  await page.waitForFunction(() => document.body.innerText.includes('A fire in between'), { polling: 'mutation' })
})

/** Those of the colours that judge which the content still has. */
function coloursOfMain(): string[] {
  const [root, main] = [document.documentElement, document.querySelector('main')].map((element) =>
    element === null ? null : getComputedStyle(element)
  )
  return ['--good', '--note', '--bad'].filter((name) => {
    const value = main?.getPropertyValue(name)
    return value !== undefined && value === root?.getPropertyValue(name)
  })
}

t.test('a page that stays open while the station restarts finds it again and shows what is new', async (t) => {
  const { station, again } = await seeded(t)
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${station.url}/`, { waitUntil: 'networkidle2' })
  await page.waitForSelector('#connection[data-state="live"]')
  await page.evaluate(() => {
    window.name = 'the same page'
  })
  await station.launched.stop()
  await page.waitForSelector('#connection[data-state="lost"]')
  t.match(await page.$eval('#connection', (place) => place.textContent), /Cut off/)
  await screenshot(page, 'overview-lost-360')
  t.match(await page.$eval('#gone', ({ textContent }) => textContent), /the connection to the station is lost/)
  t.same(await page.evaluate(coloursOfMain), [], 'what may not be so any more has no colour')
  const second = await again()
  await page.waitForSelector('#connection[data-state="live"]')
  await page.waitForFunction(() => document.getElementById('gone') === null)
  t.not((await page.evaluate(coloursOfMain)).length, 0, 'and is coloured again once the station is heard')
  await second.post('/api/events', event('later', 'A fire after the restart'))
  await page.waitForFunction(() => document.body.innerText.includes('A fire after the restart'))
  t.equal(await page.evaluate(() => window.name), 'the same page')
})

t.test('the alerts are complete without a script, in the language of the phone, and print', async (t) => {
  const { station } = await seeded(t)
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page, requests, errors, foreign } = watched
  await page.setJavaScriptEnabled(false)
  await page.setExtraHTTPHeaders({ 'accept-language': 'de-AT,de;q=0.9' })
  await page.goto(`${station.url}/alerts`, { waitUntil: 'load' })
  const text = await page.$eval('main', (main) => (main as HTMLElement).innerText)
  t.match(text, /Unmittelbare Gefahr\s+A immediate fire\s+North[\s\S]+bis[\s\S]+Kritisch[\s\S]+Wichtig[\s\S]+Routine/)
  t.equal(await page.$eval('html', (root) => root.lang), 'de')
  t.ok(Number.parseFloat(await page.$eval('.alert p', (p) => getComputedStyle(p).fontSize)) >= 20, 'large type')
  t.same(
    requests.map((url) => new URL(url).pathname),
    ['/alerts', '/static/style.css']
  )
  const answer = await fetch(`${station.url}/alerts`)
  t.equal(answer.headers.get('refresh'), '60')
  const html = await answer.text()
  t.ok(Buffer.byteLength(html) <= 20_000)
  t.match(html, /<noscript><meta http-equiv="refresh" content="60">/)
  t.notMatch(html, /<script/)
  await page.emulateMediaType('print')
  const printed = await page.evaluate(() => ({
    forms: [...document.querySelectorAll('form, button')].filter((one) => one.getClientRects().length > 0).length,
    alerts: [...document.querySelectorAll('.alert')].filter((one) => one.getClientRects().length > 0).length,
    ground: getComputedStyle(document.body).backgroundColor
  }))
  t.same(printed, { forms: 0, alerts: 4, ground: 'rgb(255, 255, 255)' })
  await page.emulateMediaType('screen')
  await follow(page, 'button[value="en"]')
  t.equal(await page.$eval('h1', (heading) => heading.textContent), 'Alerts')
  await follow(page, 'a[href="/alerts?refresh=off"]')
  t.equal((await fetch(page.url())).headers.get('refresh'), null, 'who reads slowly can stop it')
  t.same([errors, foreign], [[], []])
})
