/// <reference lib="dom" />
import { availableParallelism, loadavg } from 'node:os'
import t, { type Test } from 'tap'
import { everyPage, fullStation } from './every-page.ts'
import { closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(600_000)

const BUDGET = { bytes: 60_000, requests: 12 }
/** The data of a map, with the events drawn on it, are as heavy as the map somebody chose, and come after the page. */
const MAP_DATA =
  /^\/(?:maps\/|static\/vendor\/(?:atlas\/|pmtiles|topojson)|static\/map\/(?:mvt|tile-style)|api\/(?:zones\/|maps|events$))/

const world = fullStation(t)

interface Visit {
  bytes: number
  paths: string[]
}

/** The first visit of a browser that knows nothing: what went over the wire, headers included. */
async function firstVisit(t: Test, base: string, path: string, headers: Record<string, string>): Promise<Visit | null> {
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return null
  const { page, errors } = watched
  await page.setExtraHTTPHeaders(headers)
  const client = await page.createCDPSession()
  await client.send('Network.enable')
  const asked = new Map<string, string>()
  const visit: Visit = { bytes: 0, paths: [] }
  client.on('Network.requestWillBeSent', ({ request, requestId }) => {
    const { protocol, pathname } = new URL(request.url)
    if (!protocol.startsWith('http') || MAP_DATA.test(pathname)) return
    asked.set(requestId, pathname)
    visit.paths.push(pathname)
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (asked.has(requestId)) visit.bytes += encodedDataLength
  })
  await page.goto(base + path, { waitUntil: 'load' })
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)))
  // Pages that follow the station live do so now at the latest.
  if (visit.paths.includes('/api/stream')) await page.waitForSelector('#connection[data-state="live"]')
  t.same(errors, [], `${path}: console`)
  await page.close()
  return visit
}

t.test('the first visit of every page fits a slow hotspot: one request for scripts, one for styles', async (t) => {
  const full = await world
  const pages = await everyPage(full)
  t.ok(pages.length > 30 && pages.includes('/mesh-a/routing') && pages.includes('/first-run'), pages.join(' '))
  const cases: [string, Record<string, string>][] = [
    ['in English', {}],
    [
      'in German, without brotli, as browsers ask over plain HTTP',
      { 'accept-language': 'de', 'accept-encoding': 'gzip' }
    ]
  ]
  for (const path of pages) {
    for (const [name, headers] of cases) {
      const visit = await firstVisit(t, full.station.url, path, headers)
      if (visit === null) return
      const { bytes, paths } = visit
      const scripts = paths.filter((asked) => asked.endsWith('.js'))
      const sheets = paths.filter((asked) => asked.endsWith('.css'))
      t.comment(`${path} ${name}: ${bytes} bytes, ${paths.length} requests`)
      t.ok(scripts.length <= 1, `${path} ${name}: one script: ${scripts}`)
      t.equal(sheets.length, 1, `${path} ${name}: one sheet: ${sheets}`)
      t.ok(bytes > 3000 && bytes <= BUDGET.bytes, `${path} ${name}: ${bytes} bytes: ${paths.join(' ')}`)
      t.ok(paths.length <= BUDGET.requests, `${path} ${name}: ${paths.length} requests: ${paths.join(' ')}`)
    }
  }
})

/** A phone at the edge of a hotspot: slow 3G as browsers imitate it, and a processor of a sixth. */
const SLOW = { bytesPerSecond: 400_000 / 8, roundMs: 400, cpu: 6 }
const USABLE_MS = 5000
/** The page and what shows that it can be used: read, and where it takes orders, touched. */
const USABLE: [path: string, width: number, shows: string][] = [
  ['/alerts', 360, 'main h1'],
  ['/', 360, '#connection[data-state="live"]'],
  ['/first-run', 360, '#first-run button, #first-run input'],
  ['/mesh-a/routing', 360, '.cards .switcher'],
  ['/mesh-a/routing', 1440, '.matrix.grid #cell-0-0']
]

/** The first visit over a slow link, until the page can be used. */
async function waitFor(t: Test, base: string, [path, width, shows]: (typeof USABLE)[number]): Promise<number | null> {
  const watched = await openPage(t, { base, width, height: 740 })
  if (watched === null) return null
  const { page } = watched
  const client = await page.createCDPSession()
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOW.cpu })
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' })
  await client.send('Network.enable')
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW.roundMs,
    downloadThroughput: SLOW.bytesPerSecond,
    uploadThroughput: SLOW.bytesPerSecond
  })
  const began = performance.now()
  await page.goto(base + path, { waitUntil: 'domcontentloaded', timeout: 60_000 })
  await page.waitForSelector(shows, { timeout: 60_000 })
  await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0", { timeout: 60_000 })
  const ms = performance.now() - began
  await page.close()
  return ms
}

t.test('over slow 3G, on a processor of a sixth, a page can be used within five seconds', async (t) => {
  const { station } = await world
  for (const page of USABLE) {
    const rounds: { ms: number; limit: number }[] = []
    // The machine may be busy with something else, of which each has its share: the best of four visits counts.
    while (rounds.length < 4 && !rounds.some(({ ms, limit }) => ms <= limit)) {
      const ms = await waitFor(t, station.url, page)
      if (ms === null) return
      rounds.push({ ms, limit: USABLE_MS * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()) })
    }
    const { ms, limit } = rounds.at(-1) ?? { ms: 60_000, limit: 0 }
    const [path, width] = page
    t.comment(`${path} at ${width}: ${Math.round(ms)} ms, limit ${Math.round(limit)}`)
    t.ok(ms <= limit, `${path} at ${width}: ${Math.round(ms)} ms, limit ${Math.round(limit)}`)
  }
})
