/// <reference lib="dom" />
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { MVT, PNG, pmtiles, png, vectorTile } from '../helpers/pmtiles.ts'
import { eventually, startLookout } from '../helpers/process.ts'
import { closeBrowser, openPage, screenshot, type WatchedPage } from './harness.ts'

t.setTimeout(120_000)
t.teardown(closeBrowser)

const config = {
  station: { name: 'Camas Prairie' },
  coverage: { region_tagging: true, areas: [{ name: 'North', bbox: [-117, 43, -114, 45] }] }
}
const ring = [
  [-116, 44],
  [-110, 44],
  [-110, 44.5],
  [-116, 44]
]
const fire = (id: string, place: object = { lat: 44, lon: -116 }): object => ({
  id,
  source: 'test',
  family: 'fire',
  severity: 'critical',
  title: `Fire ${id}`,
  ...place
})

/** The colour of the ground in its north-west corner, where nothing is written. Null: nothing lies there. */
const corner = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.stage > canvas')
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (canvas !== null) pen?.drawImage(canvas, 0, 0)
    const [red, green, blue, alpha] = pen?.getImageData(12, 12, 1, 1).data ?? []
    return alpha === 255 ? [red, green, blue].join() : null
  })
/** The elements below the head of the page that moved by themselves since they were painted, but for what stands behind an age, which counts on. */
const moved = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const nodes: string[] = []
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            for (const { node } of (entry as PerformanceEntry & { sources: { node: Node | null }[] }).sources)
              if (
                document.getElementById('content')?.contains(node) &&
                !node?.parentElement?.querySelector('[data-ago]')
              )
                nodes.push(node?.nodeName ?? '')
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => setTimeout(() => resolve(nodes), 100))
      })
  )

t.test('the map of the operator lies under that of Now: nothing moves when it comes, and news leaves it', async (t) => {
  const data = t.testdir({})
  writeFileSync(join(data, 'config.json'), JSON.stringify(config))
  const map = join(data, 'maps', 'base.pmtiles')
  mkdirSync(join(data, 'maps'))
  writeFileSync(map, pmtiles(png([200, 10, 20]), PNG, 'Drawn by <b>Ada</b>'))
  const station = await startLookout(t, data, { env: { LOOKOUT_LOG: 'error' } })
  await station.post('/api/events', [fire('a')])
  const open = async (width: number): Promise<WatchedPage | null> => {
    const watched = await openPage(t, { base: station.url, width, height: 900 })
    await watched?.page.goto(`${station.url}/`, { waitUntil: 'load' })
    return watched
  }
  const raster = await open(1440)
  if (raster === null) return
  await eventually('the picture', async () => (await corner(raster.page)) === '200,10,20')
  t.equal(await raster.page.$eval('.credit', (credit) => credit.textContent), 'Drawn by Ada')
  t.same(await moved(raster.page), [], 'nothing moved')
  const box = () => raster.page.$eval('.stage', (stage) => stage.getAttribute('data-box'))
  const before = await box()
  await station.post('/api/events', [fire('b', { geometry: { type: 'Polygon', coordinates: [ring] } })])
  await raster.page.waitForFunction(
    (was) => document.querySelector('.stage')?.getAttribute('data-box') !== was,
    {},
    before
  )
  t.equal(await raster.page.$$eval('.stage .mark', (marks) => marks.length), 2, 'the picture has grown')
  await eventually('the picture again', async () => (await corner(raster.page)) === '200,10,20')
  await screenshot(raster.page, 'now-ground-raster')
  t.same([raster.errors, raster.foreign], [[], []])

  writeFileSync(map, pmtiles(vectorTile({ name: 'Springfield', x: 740, y: 1470 }), MVT))
  const vector = await open(360)
  await eventually('the water', async () => vector !== null && (await corner(vector.page)) !== null)
  if (vector !== null) await screenshot(vector.page, 'now-ground-vector')
  t.same(vector?.errors, [])

  writeFileSync(map, Buffer.alloc(300, 7))
  const broken = await open(360)
  await broken?.page.waitForFunction(() => /cannot be read/.test(document.querySelector('.credit')?.textContent ?? ''))
  t.equal(broken === null ? null : await corner(broken.page), null)
  t.same(broken?.errors, [])
})
