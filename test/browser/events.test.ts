/// <reference lib="dom" />
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { type Running, startLookout } from '../helpers/process.ts'
import { checkPage, closeBrowser, follow, openPage } from './harness.ts'

t.teardown(closeBrowser)

const at = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()
const ID = 'pine/fire?1#2'
const PATH = `/events/${encodeURIComponent(ID)}?source=wfigs`

const config = {
  station: { name: 'Ridge Station', timezone: 'America/Boise' },
  coverage: {
    areas: [
      { name: 'North', bbox: [-117, 43.5, -115.5, 44.5] },
      { name: 'South', bbox: [-117, 42.5, -115.5, 43.5] }
    ]
  },
  radios: [
    { id: 'mt1', network: 'mt', link: 'simulated' },
    { id: 'mc1', network: 'mc', link: 'simulated' }
  ],
  notifications: {
    coalesce_seconds: 1,
    toggles: { fire: { cooldown_seconds: 0 } },
    region_routes: {
      enabled: true,
      cells: {
        fire: {
          North: { mt: 3, mc: 'north-fire' },
          South: { mt: 2, min_severity: 'critical' }
        }
      }
    }
  }
}

const events = [
  {
    id: ID,
    source: 'wfigs',
    family: 'fire',
    severity: 'critical',
    title: 'Pine Ridge Fire',
    summary: '1,240 acres, 10 % contained. Evacuations north of Highway 20.',
    regions: ['North'],
    sent_at: at(-8),
    expires: at(600),
    circle: { lat: 43.7, lon: -116.2, radius_km: 12 },
    data: { instruction: 'Leave now if you are north of Highway 20.', places: ['Idaho City, ID'], attribution: 'NIFC' }
  },
  {
    id: 'q1',
    source: 'usgs',
    family: 'seismic',
    severity: 'routine',
    title: 'M 2.4 earthquake 20 km NE of Stanley, Idaho',
    lat: 43.9,
    lon: -116,
    sent_at: at(-3)
  },
  {
    id: 'old',
    source: 'test',
    family: 'roads',
    severity: 'priority',
    title: 'I-84 closed eastbound at milepost 95 because of a jackknifed lorry; a long title that must wrap',
    regions: ['South'],
    sent_at: at(-300)
  }
]

/** One station for all: each test brings events of its own. */
async function seeded(t: Test): Promise<Running> {
  const station = await startLookout(t, 'data', {
    cwd: t.testdir({ data: { 'config.json': JSON.stringify(config) } }),
    env: { LOOKOUT_LOG: 'error' }
  })
  await station.post('/api/events', events)
  const update = { ...events[0], revision: '2', severity: 'immediate', title: 'Pine Ridge Fire has jumped Highway 20' }
  await station.post('/api/events', { ...update, regions: ['North', 'South'], sent_at: at(-1) })
  return station
}

const station = await seeded(t)

const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (element) => element.textContent?.replace(/\s+/g, ' ').trim() ?? '')

const says = (page: Page, selector: string, text: string): Promise<unknown> =>
  page.waitForFunction(
    (where, what) => document.querySelector(where)?.textContent?.replace(/\s+/g, ' ').includes(what),
    { timeout: 15_000 },
    selector,
    text
  )

t.test('events, an event and messages: clean and accessible at three widths', async (t) => {
  await checkPage(t, { base: station.url, path: '/events', name: 'events' })
  await checkPage(t, { base: station.url, path: '/events?q=fire&since=1d', name: 'events-filtered' })
  await checkPage(t, { base: station.url, path: PATH, name: 'event' })
  await checkPage(t, { base: station.url, path: '/deliveries', name: 'deliveries' })
})

t.test('everything can be read and filtered without a script', async (t) => {
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.setJavaScriptEnabled(false)
  await page.goto(`${station.url}/events`)
  await page.click('.filters > summary')
  await page.select('#f-severity', 'immediate')
  await follow(page, '.filters .go button')
  t.match(page.url(), /severity=immediate/)
  t.equal((await page.$$('.log tbody tr')).length, 1)
  await follow(page, '.log .title a')
  t.equal(await textOf(page, 'h1'), 'Pine Ridge Fire has jumped Highway 20')
  t.match(await textOf(page, '#actions'), /By radio: !ack/)
  t.match(
    await textOf(page, '#s-trace'),
    /Which cells match\?.*fire × North → Meshtastic channel 3 and MeshCore channel north-fire/
  )
})

t.test('new events are counted, and nothing moves until the reader wants it', async (t) => {
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  await page.goto(`${station.url}/events?family=fire`, { waitUntil: 'load' })
  await says(page, '#connection', 'Live')
  const before = await textOf(page, '#rows')
  const fire = { ...events[0], title: 'Second fire', sent_at: at(0) }
  await station.post('/api/events', [
    { ...fire, id: 'n1' },
    { ...fire, id: 'n2' },
    { ...events[1], id: 'q2' }
  ])
  await says(page, '#news', '2 new events')
  t.equal((await textOf(page, '#rows')).replace(/\d+ \w+\. ago/g, ''), before.replace(/\d+ \w+\. ago/g, ''))
  await follow(page, '#news a')
  t.match(page.url(), /\/events\?family=fire$/, 'the filter stays')
  t.match(await textOf(page, '#rows'), /Second fire/)
  t.same(errors, [])
})

t.test('what becomes of a message is seen in its row; new ones are counted', async (t) => {
  const watched = await openPage(t, { base: station.url })
  if (watched === null) return
  const { page, errors } = watched
  const slow = { ...events[0], id: 'slow', severity: 'routine', title: 'Slow fire', sent_at: at(0) }
  t.equal((await station.post('/api/events', slow)).status, 202)
  await page.goto(`${station.url}/deliveries?channel=mt:3`, { waitUntil: 'load' })
  t.match(await textOf(page, '.log tbody tr'), /Waiting its turn|Being sent/)
  await page.click('.log tbody tr .steps > summary')
  const id = await page.$eval('.log tbody tr', (row) => row.id)
  await page.waitForFunction(
    // Its radio is simulated: the word says so, and its last step what that radio told.
    (row) =>
      /simulated: not on the air[\s\S]*(?:Heard|nobody heard)/.test(document.getElementById(row)?.textContent ?? ''),
    { timeout: 40_000 },
    id
  )
  t.ok(await page.$eval(`#${id} .steps`, (details) => details.hasAttribute('open')), 'what was opened stays open')
  await station.post('/api/events', { ...events[0], id: 'more', title: 'More', sent_at: at(0) })
  await says(page, '#news', 'new message')
  t.same(errors, [])
})

t.test('an alert is acknowledged and silenced with a reason, by keyboard, and the silence is ended', async (t) => {
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  await page.goto(station.url + PATH, { waitUntil: 'load' })
  await page.waitForSelector('.act')
  await page.focus('.act:nth-of-type(1) > summary')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Engine 4 is there')
  await page.keyboard.press('Enter')
  await says(page, '.act:nth-of-type(1)', 'Acknowledged')
  await says(page, '#s-outcome', 'Acknowledged by operator: Engine 4 is there')

  await page.click('.act:nth-of-type(2) > summary')
  await page.select(
    '#silence-what',
    (await page.$$eval('#silence-what option', (all) => all[1]?.value ?? '')) as string
  )
  await page.type('#silence-reason', 'drill')
  await page.click('.act:nth-of-type(2) button')
  await says(page, '#s-outcome', 'Silenced by operator')
  t.match((await station.get<{ silences: object[] }>('/api/silences')).json.silences, [
    { family: 'fire', region: 'North', reason: 'drill', include_immediate: false }
  ])
  await page.waitForSelector('[data-silence] button')
  await page.click('[data-silence] button')
  await page.waitForFunction(() => document.querySelector('[data-silence]') === null)
  t.same((await station.get<{ silences: object[] }>('/api/silences')).json.silences, [])
  t.same(errors, [])
})

t.test('who may not write is told how to sign in', async (t) => {
  const watched = await openPage(t, { base: station.url })
  if (watched === null) return
  const { page } = watched
  await page.goto(station.url + PATH, { waitUntil: 'load' })
  await page.waitForSelector('.act')
  // As behind a proxy nobody trusts: the session has ended meanwhile.
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '192.0.2.7' })
  await page.click('.act:nth-of-type(1) > summary')
  await page.click('.act:nth-of-type(1) button')
  await says(page, '.act .refusal', 'Sign in')
  t.match(await page.$eval('.refusal a', (link) => link.getAttribute('href')), /^\/sign-in\?back=%2Fevents%2F/)
  await page.goto(station.url + PATH, { waitUntil: 'load' })
  await says(page, '#actions', 'Sign in to acknowledge or silence this alert.')
  t.equal(await page.$('.act'), null)
})
