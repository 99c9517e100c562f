/// <reference lib="dom" />
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { eventually, launch, type Running, running, startLookout } from '../helpers/process.ts'
import { axeViolations, checkPage, closeBrowser, openPage, screenshot, WIDTHS } from './harness.ts'

t.teardown(closeBrowser)

/** Types into the field with this label, as a person would find it. */
async function fill(page: Page, label: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`aria/${label}`)
  await field?.click({ count: 3 })
  await page.keyboard.press('Backspace')
  await field?.type(text)
}

async function choose(page: Page, label: string, value: string): Promise<void> {
  const field = await page.waitForSelector(`aria/${label}`)
  await field?.select(value)
}

async function press(page: Page, name: string): Promise<void> {
  // A locator waits until the page has come to rest: what moves between look and click is missed.
  await page.locator(`aria/${name}[role="button"]`).click()
}

async function reached(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.getElementById('step')?.textContent?.includes(wanted), {}, text)
}

/** Every step is looked at: nothing sticks out, axe finds nothing, a picture is kept. */
async function look(t: Test, page: Page, name: string): Promise<void> {
  const width = page.viewport()?.width ?? 0
  t.same(await axeViolations(page), [], `${name} at ${width}: axe`)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  )
  t.ok(overflow <= 0, `${name} at ${width}: nothing sticks out sideways (${overflow} px)`)
  await screenshot(page, `first-run-${name}-${width}`)
}

async function station(t: Test): Promise<Running & { data: string }> {
  const cwd = t.testdir({ data: {} })
  const found = await startLookout(t, 'data', { cwd, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  return { ...found, data: join(cwd, 'data') }
}

t.test('an empty station is led in five steps to a test message, at every width', async (t) => {
  for (const width of WIDTHS) {
    const { url, data, launched } = await station(t)
    const watched = await openPage(t, { base: url, width, height: width < 600 ? 740 : 900 })
    if (watched === null) return
    const { page, errors, foreign } = watched
    const config = () => JSON.parse(readFileSync(join(data, 'config.json'), 'utf8'))
    await page.goto(`${url}/first-run`, { waitUntil: 'load' })
    await reached(page, 'Step 1 of 5')
    await fill(page, 'Name of the station', 'Hailey Lookout')
    await fill(page, 'Contact', 'me@example.org')
    await fill(page, 'Name of the place', 'Hailey')
    await press(page, 'Save and go on')
    t.match(await page.$eval('[role=alert]', (element) => element.textContent), /A place is its name/)
    await fill(page, 'Latitude', '43,52')
    await fill(page, 'Longitude', '-114.31')
    await look(t, page, '1-place')
    await press(page, 'Save and go on')

    await reached(page, 'Step 2 of 5')
    t.same(config().station.anchors, [{ name: 'Hailey', lat: 43.52, lon: -114.31 }])
    await fill(page, 'Radius, km', '40')
    await look(t, page, '2-area')
    await press(page, 'Save and go on')

    await reached(page, 'Step 3 of 5')
    // Somebody leaves in the middle, and comes back later.
    await page.goto(`${url}/first-run`, { waitUntil: 'load' })
    await reached(page, 'Step 3 of 5')
    await page.waitForFunction(() => !document.querySelector('button[type=submit]')?.hasAttribute('disabled'))
    await look(t, page, '3-radios')
    await press(page, 'Save and go on')

    await reached(page, 'Step 4 of 5')
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'ID'))
    await look(t, page, '4-sources')
    // No source of this test may ask anybody.
    for (const box of await page.$$('.ticks input:checked')) await box.click()
    await press(page, 'Save and go on')

    await reached(page, 'Step 5 of 5')
    await choose(page, 'Meshtastic channel', '1')
    await fill(page, 'MeshCore channel', 'valley')
    await look(t, page, '5-matrix')
    await press(page, 'Save and go on')

    await reached(page, 'Test message')
    await page.waitForSelector('.routes .proof.good')
    t.match(
      await page.$eval('.routes', (element) => element.textContent),
      /it would be sent.*lies in.*Meshtastic 1 would say.*MeshCore valley would say/
    )
    t.match(await page.$eval('main', (element) => element.textContent), /Nothing keeps a warning from going out/)
    t.match(
      await page.$eval('main .banner.note', (element) => element.textContent),
      /But something would be missed:.*source/,
      'a station without a source is not whole'
    )
    t.equal((await page.$$('.stepper > .done')).length, 5, 'all but the sources, of which none was chosen')
    await press(page, 'Start the drill')
    await page.waitForFunction(() => document.querySelectorAll('.drill .stepper > .done').length === 2)
    await page.waitForFunction(() =>
      /simulated: not on the air/.test(document.querySelector('.drill')?.textContent ?? '')
    )
    t.match(
      await page.$eval('.drill', (element) => element.textContent),
      /Tag.*It lies in Hailey.*Matrix.*A channel is named.*Radio.*Meshtastic 1: simulated: not on the air/,
      'each station of the way says how far the drill came'
    )
    await press(page, 'Send a test: Meshtastic, channel 1')
    await page.waitForFunction(() => /heard|Sent/.test(document.querySelector('.told.good')?.textContent ?? ''))
    t.match(await page.$eval('.told', (element) => element.textContent), /TEST Hailey Lookout/)
    await look(t, page, '6-test')
    t.match(config(), {
      station: { name: 'Hailey Lookout', contact: 'me@example.org' },
      coverage: {
        region_tagging: true,
        areas: [{ name: 'Hailey', circle: { lat: 43.52, lon: -114.31, radius_km: 40 } }]
      },
      radios: [
        { network: 'mt', link: 'simulated' },
        { network: 'mc', link: 'simulated' }
      ],
      notifications: { region_routes: { enabled: true, cells: { weather: { Hailey: { mt: 1, mc: 'valley' } } } } }
    })
    const event = {
      id: 'f',
      source: 'test',
      family: 'fire',
      severity: 'immediate',
      title: 'Leave',
      lat: 43.6,
      lon: -114.3
    }
    const headers = { 'content-type': 'application/json' }
    const posted = await fetch(`${url}/api/events`, { method: 'POST', headers, body: JSON.stringify(event) })
    t.equal(posted.status, 202)
    const trace = await (await fetch(`${url}/api/events/f/trace`)).json()
    t.match(trace, { decision: 'send', deliveries: [{}, {}] }, 'what was shown is what happens')
    t.same(errors, [])
    t.same(foreign, [])
    await page.close()
    // Its backup of the configuration would be the next station's, whose folder has the same name.
    await launched.stop()
  }
})

t.test('every step can be skipped, nothing is saved then, and the keyboard alone does it', async (t) => {
  const { url, data } = await station(t)
  const watched = await openPage(t, { base: url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  await page.goto(`${url}/first-run`, { waitUntil: 'load' })
  for (const next of ['Step 2', 'Step 3', 'Step 4', 'Step 5', 'Test message']) {
    for (let tabs = 0; (await page.evaluate(() => document.activeElement?.textContent?.trim())) !== 'Skip'; tabs++) {
      if (tabs > 60) throw new Error('Skip is not in reach of the keyboard')
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await reached(page, next)
    await page.waitForFunction(() => document.activeElement?.id === 'step')
  }
  t.throws(() => readFileSync(join(data, 'config.json')), { code: 'ENOENT' })
  await page.goBack()
  await reached(page, 'Step 5 of 5')
  t.same(errors, [])
})

/** Begins to type, and takes the town that comes first. */
async function take(page: Page, text: string): Promise<void> {
  await fill(page, 'Town or village', text)
  await page.waitForFunction(
    (wanted) => document.querySelector('.results button')?.textContent?.includes(wanted),
    {},
    text
  )
  await page.keyboard.press('Enter')
}
const value = (page: Page, label: string) =>
  page
    .waitForSelector(`aria/${label}`)
    .then((field) => field?.evaluate((element) => (element as HTMLInputElement).value))

t.test('a town is the place, its county the area, and its country says which sources are asked', async (t) => {
  const { url, data } = await station(t)
  const watched = await openPage(t, { base: url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors, foreign } = watched
  const config = () => JSON.parse(readFileSync(join(data, 'config.json'), 'utf8'))
  await page.goto(`${url}/first-run`, { waitUntil: 'load' })
  for (const [country, town, region, sources, words] of [
    ['JP', '小田原', 'Asia/Tokyo', ['jma', 'gdacs', 'usgs'], ''],
    ['KE', 'Kisumu', 'Africa/Nairobi', ['gdacs', 'usgs'], 'reads no warning service of this country'],
    ['DE', 'Freiburg', 'Europe/Berlin', ['meteoalarm', 'nina', 'gdacs', 'usgs'], '']
  ] as const) {
    await page.goto(`${url}/first-run#place`, { waitUntil: 'load' })
    await page.reload({ waitUntil: 'load' })
    await page.waitForFunction((code) => document.querySelector(`option[value="${code}"]`) !== null, {}, country)
    await choose(page, 'Country', country)
    await take(page, town)
    t.match(await value(page, 'Name of the place'), town)
    t.equal(await value(page, 'Time zone'), region)
    if (country === 'JP') await look(t, page, '1-place')
    await press(page, 'Save and go on')
    await reached(page, 'Step 2')
    t.match(config().station, { country, timezone: region })
    await page.goto(`${url}/first-run#sources`, { waitUntil: 'load' })
    await page.reload({ waitUntil: 'load' })
    await page.waitForFunction(
      (many) => document.querySelectorAll('.ticks input:checked').length === many,
      {},
      sources.length
    )
    t.match(await page.$eval('#first-run', (element) => element.textContent), new RegExp(words))
    t.notMatch(await page.$eval('.ticks', (element) => element.textContent), /United States \(NWS\)/)
    await look(t, page, `4-sources-${country}`)
  }
  await page.goto(`${url}/first-run#place`, { waitUntil: 'load' })
  await page.reload({ waitUntil: 'load' })
  await page.waitForSelector('option[value="US"]')
  await choose(page, 'Country', 'US')
  await take(page, 'Hailey')
  await press(page, 'Save and go on')
  await reached(page, 'Step 2')
  await choose(page, 'Shape', 'codes')
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'IDC013'))
  t.same(errors, [])
  t.same(foreign, [])
})

t.test('a tap on the map, or the device, says where; the nearest town gives the name', async (t) => {
  const { url } = await station(t)
  const watched = await openPage(t, { base: url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  await page.browserContext().overridePermissions(url, ['geolocation'])
  await page.setGeolocation({ latitude: 47.17, longitude: 8.52 })
  await page.goto(`${url}/first-run`, { waitUntil: 'load' })
  await press(page, 'Where this device is')
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some((field) => field.value === 'Zug'))
  t.equal(await value(page, 'Latitude'), '47.17')
  t.equal(await value(page, 'Country'), 'CH')
  await press(page, 'Point at it on the map')
  const map = await page.waitForSelector('.point-map canvas')
  await map?.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await look(t, page, '1-map')
  const box = await map?.boundingBox()
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * 0.9, (box?.y ?? 0) + (box?.height ?? 0) / 2)
  await page.waitForFunction(
    () => ![...document.querySelectorAll('input')].some((field) => field.value === '47.17' || field.value === 'Zug')
  )
  t.ok(Number(await value(page, 'Longitude')) > 8.6)
  t.same(errors, [])
})

t.test('where a browser tells no page its position, the page says why', async (t) => {
  const { url } = await station(t)
  const watched = await openPage(t, { base: url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.evaluateOnNewDocument(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }))
  await page.goto(`${url}/first-run`, { waitUntil: 'load' })
  await page.waitForFunction(() =>
    /only to pages over HTTPS/.test(document.getElementById('first-run')?.textContent ?? '')
  )
  t.equal(await page.$('aria/Where this device is'), null)
})

t.test('counties and states are the area by their codes', async (t) => {
  const { url, data } = await station(t)
  const watched = await openPage(t, { base: url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors, foreign } = watched
  const config = () => JSON.parse(readFileSync(join(data, 'config.json'), 'utf8'))
  await page.goto(`${url}/first-run#area`, { waitUntil: 'load' })
  await page.reload({ waitUntil: 'load' })
  await fill(page, 'Name of the area', 'Blaine')
  await choose(page, 'Shape', 'codes')
  for (const [county, wanted] of [
    ['Blaine, Idaho', 'Blaine, Idaho (IDC013)'],
    ['teton wy', 'Teton, Wyoming (WYC039)']
  ] as const) {
    await fill(page, 'Find a county or a state', county)
    await press(page, 'Find')
    await press(page, wanted)
  }
  await press(page, 'Save and go on')
  await reached(page, 'Step 3')
  t.same(config().coverage.areas, [{ name: 'Blaine', codes: ['IDC013', 'WYC039'] }])
  await page.goto(`${url}/first-run#sources`, { waitUntil: 'load' })
  await page.reload({ waitUntil: 'load' })
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'ID WY'))
  t.same(errors, [])
  t.same(foreign, [])
})

t.test('two people at once: the second one is told, sees what is there now, and loses no step', async (t) => {
  const { url, post } = await station(t)
  const watched = await openPage(t, { base: url })
  if (watched === null) return
  const { page } = watched
  await page.goto(`${url}/first-run`, { waitUntil: 'load' })
  await reached(page, 'Step 1')
  await post('/api/first-run', { station: { name: 'Somebody else was here' } })
  await fill(page, 'Name of the station', 'Mine')
  await press(page, 'Save and go on')
  await page.waitForSelector('[role=alert]')
  t.match(await page.$eval('[role=alert]', (element) => element.textContent), /Somebody else has changed this/)
  t.equal(
    await (await page.waitForSelector('aria/Name of the station'))?.evaluate(
      (element) => (element as HTMLInputElement).value
    ),
    'Somebody else was here'
  )
  await fill(page, 'Name of the station', 'Mine')
  await press(page, 'Save and go on')
  await reached(page, 'Step 2')
})

t.test('from another device: the page is shown, saving leads to signing in, and the claim code opens it', async (t) => {
  const found = await station(t)
  const watched = await openPage(t, { base: found.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  // A phone on the hotspot: not this machine itself.
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '10.9.9.9' })
  await page.goto(`${found.url}/first-run`, { waitUntil: 'load' })
  await reached(page, 'Step 1')
  t.equal(await page.$eval('button[type=submit]', (button) => (button as HTMLButtonElement).disabled), true)
  const claim = await launch(t, { args: ['token', 'claim', '--data', found.data] }).ended
  t.match(claim.stdout, /^[0-9A-Z]{4}-[0-9A-Z]{4}\n$/)
  await Promise.all([page.waitForNavigation(), (await page.waitForSelector('#first-run .banner a'))?.click()])
  t.equal(new URL(page.url()).pathname, '/sign-in')
  await screenshot(page, 'claim-360')
  t.same(await axeViolations(page), [])
  await fill(page, 'Claim code', claim.stdout.trim().toLowerCase().replace('-', ' '))
  await fill(page, 'New passphrase', 'correct horse battery')
  await Promise.all([page.waitForNavigation(), press(page, 'Claim and sign in')])
  t.equal(page.url(), `${found.url}/first-run`)
  await reached(page, 'Step 1')
  await press(page, 'Save and go on')
  await reached(page, 'Step 2')
  t.same(await page.evaluate(() => document.cookie), '', 'no script can read the cookie')
  const again = await launch(t, { args: ['token', 'claim', '--data', found.data] }).ended
  t.equal(again.code, 2)
  t.match(again.stderr, /--new/)
})

t.test('the code of the QR picture is put in its field, and stands in no address and no history then', async (t) => {
  const found = await station(t)
  const watched = await openPage(t, { base: found.url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '10.9.9.9' })
  const claim = await launch(t, { args: ['token', 'claim', '--data', found.data] }).ended
  const code = claim.stdout.trim()
  await page.goto(`${found.url}/sign-in?back=/first-run#code=${code}`, { waitUntil: 'load' })
  await page.waitForFunction((code) => document.querySelector<HTMLInputElement>('#code')?.value === code, {}, code)
  t.equal(page.url(), `${found.url}/sign-in?back=/first-run`)
  await fill(page, 'New passphrase', 'correct horse battery')
  await Promise.all([page.waitForNavigation(), press(page, 'Claim and sign in')])
  t.equal(page.url(), `${found.url}/first-run`)
  await page.goto(`${found.url}/sign-in#code=<img src=x onerror=alert(1)>`, { waitUntil: 'load' })
  t.equal(await page.$('#code'), null, 'claimed: there is no field any more')
  t.same(errors, [])
})

t.test('the pages for signing in are accessible at three widths', async (t) => {
  const { url } = await station(t)
  await checkPage(t, { base: url, path: '/sign-in', name: 'sign-in' })
  await checkPage(t, { base: url, path: '/first-run', name: 'first-run' })
})

t.test('a station shows a claim code in its log until somebody has claimed it', async (t) => {
  const cwd = t.testdir({ data: {} })
  const start = () => startLookout(t, 'data', { cwd, args: ['--no-demo'] })
  const CODE = /claim code ([0-9A-Z]{4}-[0-9A-Z]{4})/
  const first = await start()
  const code = await first.launched.until('the claim code', () => CODE.exec(first.launched.stderr)?.[1])
  const body = new URLSearchParams({ code, passphrase: 'correct horse' }).toString()
  const claimed = await fetch(`${first.url}/sign-in`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  t.equal(claimed.status, 303)
  const cookie = claimed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  await first.launched.stop()
  const second = await start()
  const session = async () =>
    (await (
      await fetch(`${second.url}/api/session`, { headers: { cookie, 'x-forwarded-for': '10.1.1.1' } })
    ).json()) as object
  t.match(await session(), { how: 'session', can_write: true, claimed: true }, 'a restart ends no session')
  await second.launched.stop()
  t.notMatch(second.launched.stderr, CODE)
})

t.test('a preview shows itself as one, sends nothing, and uses saved changes at once', async (t) => {
  const cwd = t.testdir({})
  const { url, post, get } = await running(
    launch(t, { cwd, args: ['preview', 'data', '--port', '0'], env: { LOOKOUT_LOG: 'error' } })
  )
  const watched = await openPage(t, { base: url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  for (const path of ['/', '/mesh-a/routing', '/first-run']) {
    await page.goto(url + path, { waitUntil: 'load' })
    t.match(
      await page.$eval('#banners', (element) => element.textContent),
      /Preview: no radio is connected and nothing is sent/,
      path
    )
  }
  await page.goto(`${url}/first-run#test`, { waitUntil: 'load' })
  await page.reload({ waitUntil: 'load' })
  await reached(page, 'Test message')
  const buttons = await page.$$eval('.targets button', (found) => found.map((button) => button.disabled))
  t.ok(buttons.length > 0)
  t.ok(buttons.every(Boolean), 'nothing can be sent')
  t.match(await page.$eval('.targets', (element) => element.textContent), /This is a preview: nothing is sent/)
  await look(t, page, 'preview')
  t.equal((await post('/api/radios/mt/test', { channel: 1 })).status, 503)
  await page.goto(`${url}/first-run#place`, { waitUntil: 'load' })
  await page.reload({ waitUntil: 'load' })
  await fill(page, 'Name of the station', 'Previewed')
  await press(page, 'Save and go on')
  await reached(page, 'Step 2')
  await eventually('the new name on the pages', async () => /<title>[^<]*Previewed/.test((await get('/')).text))
  t.match(JSON.parse(readFileSync(join(cwd, 'data', 'config.json'), 'utf8')), { station: { name: 'Previewed' } })
  t.same(errors, [])
})

t.test('the script draws on in the steps of the server', async (t) => {
  const { url } = await station(t)
  const watched = await openPage(t, { base: url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  // The page is parsed, its scripts have not run yet.
  await page.evaluateOnNewDocument(`document.addEventListener('readystatechange', () => {
    if (document.readyState === 'interactive') window.drawn = [...document.querySelectorAll('#first-run :is(.about, .stepper, .stepper > li, .stepper strong)')]
  })`)
  await page.goto(`${url}/first-run`)
  await page.waitForSelector('#step')
  const { count, gone } = (await page.evaluate(
    '({ count: drawn.length, gone: drawn.filter((one) => !one.isConnected).length })'
  )) as { count: number; gone: number }
  t.equal(count, 14, 'six steps with their names, in a list, below what they are for')
  t.equal(gone, 6, 'only the names move, into their buttons')
})

t.test('without a script the first steps can be read, and signing in works', async (t) => {
  const { url, data } = await station(t)
  const watched = await openPage(t, { base: url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.setJavaScriptEnabled(false)
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '10.9.9.9' })
  const { stdout } = await launch(t, { args: ['token', 'claim', '--data', data] }).ended
  await page.goto(`${url}/sign-in?back=/first-run`, { waitUntil: 'load' })
  await page.type('#code', stdout.trim())
  await page.type('#passphrase', 'correct horse battery')
  await Promise.all([page.waitForNavigation(), page.click('.sign-in button')])
  t.equal(page.url(), `${url}/first-run`)
  await page.goto(`${url}/first-run`, { waitUntil: 'load' })
  t.match(await page.$eval('#first-run', (element) => element.textContent), /2\. Areas not yet/)
})
