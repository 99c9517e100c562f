/// <reference lib="dom" />

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { makeBundles } from '../../scripts/bundles.ts'
import { type Bundles, readBundles } from '../../src/dashboard/server/bundles.ts'
import { fire, NOW, radio, type Station, send, station } from '../dashboard/harness.ts'
import { note } from '../helpers/in-words.ts'
import { closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(300_000)

const KB = 1000
const BUDGET = { bytes: 60 * KB, beforePaint: 3, requests: 12 }
const root = join(import.meta.dirname, '..', '..')

/** The scripts and styles as the build leaves them, beside the tree: one file each for a page, everything compressed. */
async function built(t: Pick<Test, 'teardown'>): Promise<Bundles> {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-bundles-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  await makeBundles(folder)
  execFileSync(process.execPath, [join(root, 'scripts', 'vendor.js'), '--pack', folder])
  return readBundles(folder)
}

/** A station on a bad day: twenty alerts, twenty messages, a radio down. */
async function busy(t: Test): Promise<Station> {
  const made = await station(t, {
    context: { bundles: await built(t) },
    config: { station: { name: 'Camas Prairie Fire Lookout' } },
    radios: [radio(), radio({ id: 'b', network: 'mc', state: 'down', reason: note('no answer on /dev/ttyUSB0') })]
  })
  const list = Array.from({ length: 24 }, (_, n) => ({
    ...fire,
    id: `alert-${n}`,
    title: `Red Flag Warning number ${n} for the Sawtooth Range and the Northern Forest`,
    summary: `Gusts to ${40 + n} mph until ${n} in the evening, humidity of ${n} %. Fires spread fast and far; ${n * 7919}.`,
    regions: ['North', `Valley ${n}`],
    expires: new Date(NOW + n * 3_600_000 + 60_000).toISOString()
  }))
  await made.ask({ path: '/api/events', body: list })
  for (let n = 0; n < 24; n++)
    send(made, n + 1, `RED FLAG North/Valley ${n} til ${n}:00. Gusts ${40 + n} mph, no open fires. NWS BOI`)
  return made
}

interface Loaded {
  bytes: number
  requests: string[]
  beforePaint: string[]
}

/** The first visit of a browser that knows nothing: what went over the wire, headers included, and when. */
async function firstLoad(t: Test, { service }: Station, headers: Record<string, string>): Promise<Loaded | null> {
  const watched = await openPage(t, { base: service.url, width: 360, height: 740 })
  if (watched === null) return null
  const { page } = watched
  await page.setExtraHTTPHeaders(headers)
  const client = await page.createCDPSession()
  await client.send('Network.enable')
  let bytes = 0
  const sent: { url: string; at: number }[] = []
  client.on('Network.requestWillBeSent', ({ request, timestamp }) => sent.push({ url: request.url, at: timestamp }))
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(`${service.url}/`, { waitUntil: 'load' })
  await page.waitForSelector('#connection[data-state="live"]')
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))
  const paintedMs = await page.evaluate(() => performance.getEntriesByName('first-paint')[0]?.startTime ?? 0)
  const begin = sent[0]?.at ?? 0
  const path = ({ url }: { url: string }): string => new URL(url).pathname
  t.ok(paintedMs > 0, `painted after ${Math.round(paintedMs)} ms`)
  return {
    bytes,
    requests: sent.map(path),
    beforePaint: sent.filter(({ at }) => (at - begin) * 1000 < paintedMs).map(path)
  }
}

t.test('the first visit of the overview fits a slow hotspot', async (t) => {
  const made = await busy(t)
  const cases: [string, Record<string, string>][] = [
    ['in English', {}],
    ['in German', { 'accept-language': 'de' }],
    ['without brotli, as browsers ask over plain HTTP', { 'accept-encoding': 'gzip, deflate' }]
  ]
  for (const [name, headers] of cases) {
    const loaded = await firstLoad(t, made, headers)
    if (loaded === null) return
    const { bytes, requests, beforePaint } = loaded
    t.comment(`${name}: ${bytes} bytes, ${requests.length} requests, ${beforePaint.length} before the first paint`)
    t.ok(bytes > 5 * KB && bytes <= BUDGET.bytes, `${name}: ${bytes} bytes`)
    t.ok(requests.length <= BUDGET.requests, `${name}: ${requests.length} requests: ${requests.join(' ')}`)
    t.ok(beforePaint.length <= BUDGET.beforePaint, `${name}: before the first paint ${beforePaint.join(' ')}`)
    t.notOk(
      requests.some((path) => path.includes('/atlas/')),
      'no atlas'
    )
  }
})
