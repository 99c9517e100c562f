/// <reference lib="dom" />
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { MVT, PNG, pmtiles, png, vectorTile } from '../helpers/pmtiles.ts'
import { eventually, type Running, startLookout } from '../helpers/process.ts'
import { axeViolations, checkPage, closeBrowser, openPage, screenshot, type WatchedPage, WIDTHS } from './harness.ts'

t.setTimeout(300_000)
t.teardown(closeBrowser)

const AREAS = [
  { name: 'North', west: -117.2, south: 45, east: -114.5, north: 49 },
  { name: 'Treasure Valley', codes: ['IDC001', 'IDC027', '16075'] },
  {
    name: 'Boise basin',
    parts: [
      { circle: { lat: 43.9, lon: -115.7, radius_km: 45 } },
      {
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [-115, 43],
              [-113.5, 42.6],
              [-113, 43.6],
              [-114.6, 44.1],
              [-115, 43]
            ]
          ]
        }
      }
    ]
  },
  { name: null, codes: ['WY'] }
]
const CONFIG = {
  station: { name: 'Test hill' },
  coverage: { region_tagging: true, areas: AREAS },
  notifications: { region_routes: { enabled: true, cells: { fire: { North: { mt: 3 }, 'Boise basin': { mt: 2 } } } } }
}

interface Place {
  station: Running
  folder: string
  areas: () => { name: string | null; parts?: Record<string, unknown>[]; [key: string]: unknown }[]
}

async function start(t: Test, config: object = CONFIG): Promise<Place> {
  const cwd = t.testdir({ data: { 'config.json': JSON.stringify(config, null, 2), maps: {} } })
  const station = await startLookout(t, 'data', { cwd, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const folder = join(cwd, 'data')
  return { station, folder, areas: () => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')).coverage.areas }
}

async function seed({ station }: Place): Promise<void> {
  const now = new Date().toISOString()
  const common = { source: 'test', sent_at: now, expires: new Date(Date.now() + 3_600_000).toISOString() }
  const { status } = await station.post('/api/events', [
    {
      ...common,
      id: 'pine',
      title: 'Fire at Pine Ridge',
      family: 'fire',
      severity: 'critical',
      lat: 43.9,
      lon: -115.6
    },
    { ...common, id: 'flood', title: 'Flash flood', family: 'weather', severity: 'immediate', zones: ['IDC001'] },
    { ...common, id: 'quake', title: 'Quake', family: 'seismic', circle: { lat: 51.5, lon: 179.5, radius_km: 300 } },
    { ...common, id: 'nowhere', title: 'No place', family: 'emergency' }
  ])
  t.equal(status, 202)
}

async function open(t: Test, { station }: Place, width = 1440): Promise<WatchedPage | null> {
  const watched = await openPage(t, { base: station.url, width, height: width < 600 ? 740 : 900 })
  if (watched === null) return null
  await watched.page.goto(`${station.url}/coverage`, { waitUntil: 'load' })
  await watched.page.waitForSelector('.areas, .coverage-side')
  await settled(watched.page)
  return watched
}

/** Map drawn, outlines there, preview answered. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => /would pass/.test(document.querySelector('.findings')?.textContent ?? ''))
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 250)))
}

/** The button (or row) with this text or name. */
async function press(page: Page, name: string): Promise<void> {
  const handle = await page.waitForSelector(
    `::-p-xpath(//button[not(@disabled)][contains(normalize-space(.), "${name}") or @aria-label="${name}"])`
  )
  await handle?.evaluate((button) => button.scrollIntoView({ block: 'center' }))
  await handle?.click()
}

async function fill(page: Page, label: string, text: string): Promise<void> {
  const handle = await page.waitForSelector(
    `::-p-xpath(//input[@id=//label[contains(normalize-space(.), "${label}")]/@for])`
  )
  await handle?.click({ count: 3 })
  await page.keyboard.press('Backspace')
  await handle?.type(text)
  await page.keyboard.press('Tab')
}

/** puppeteer gives the focus to HTML only. */
function focus(page: Page, selector: string): Promise<void> {
  return page.$eval(selector, (element) => (element as SVGElement).focus())
}

/** A place of the map's frame, as shares of its width and height. */
async function spot(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  return page.$eval(
    '.map-frame',
    (frame, [right, down]) => {
      frame.scrollIntoView({ block: 'nearest' })
      const { left, top, width, height } = frame.getBoundingClientRect()
      return { x: left + width * (right ?? 0), y: top + height * (down ?? 0) }
    },
    [x, y] as const
  )
}

async function touch(page: Page, x: number, y: number, by: 'click' | 'tap' = 'click'): Promise<void> {
  const at = await spot(page, x, y)
  if (by === 'click') await page.mouse.click(at.x, at.y)
  else await page.touchscreen.tap(at.x, at.y)
}

async function save(page: Page): Promise<void> {
  await press(page, 'Save')
  await page.waitForFunction(() => document.querySelector('.save-bar .toast')?.textContent === 'Saved.')
}

t.test('the page is whole at three widths, and so is its editor', async (t) => {
  const place = await start(t)
  await seed(place)
  await checkPage(t, { base: place.station.url, path: '/coverage', name: 'coverage' })
  for (const width of WIDTHS) {
    const watched = await open(t, place, width)
    if (watched === null) return
    const { page, errors } = watched
    await press(page, '3. Boise basin')
    await page.waitForSelector('.area-sheet')
    await page.$eval('.area-parts li:nth-child(2) .part', (button) => (button as HTMLElement).click())
    await page.waitForSelector('.map-handle')
    t.equal((await page.$$('.map-handle')).length, 8, 'four corners and the dots between them')
    t.same(await axeViolations(page), [], `editor at ${width}: axe`)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    )
    t.ok(overflow <= 0, `editor at ${width}: nothing sticks out sideways`)
    const small = await page.$$eval('.coverage button', (all) =>
      all
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
        .map((one) => one.textContent)
    )
    t.same(small, [], `editor at ${width}: every button is at least 44 px high`)
    await screenshot(page, `coverage-editor-${width}`)
    await press(page, 'Draw a box')
    await page.waitForSelector('.drawing')
    t.same(await axeViolations(page), [], `drawing at ${width}: axe`)
    await screenshot(page, `coverage-drawing-${width}`)
    t.same(errors, [])
  }
})

t.test('a polygon is drawn by mouse, named, tried and saved', async (t) => {
  const place = await start(t)
  await seed(place)
  const watched = await open(t, place)
  if (watched === null) return
  const { page, errors, foreign } = watched
  await press(page, 'Add an area')
  t.match(await page.$eval('.save-bar', (bar) => bar.textContent), /no shape yet/)
  await fill(page, 'Name', 'Drawn')
  await press(page, 'Draw a polygon')
  for (const [x, y] of [
    [0.2, 0.2],
    [0.4, 0.2],
    [0.4, 0.5],
    [0.25, 0.45]
  ] as const)
    await touch(page, x, y)
  await press(page, 'Take back')
  await press(page, 'Done')
  await page.waitForFunction(() => document.querySelectorAll('.map-handle.vertex').length === 3)
  await page.waitForFunction(() => /Not saved/.test(document.querySelector('.save-bar')?.textContent ?? ''))
  await save(page)
  const drawn = place.areas().at(-1)
  t.equal(drawn?.name, 'Drawn')
  const [{ geometry } = { geometry: null }] = (drawn?.parts ?? []) as {
    geometry: { coordinates: [number, number][][] } | null
  }[]
  const ring = geometry?.coordinates[0] ?? []
  t.equal(ring.length, 4)
  t.same(ring[0], ring[3])
  t.same(place.areas()[0], AREAS[0], 'the others keep their spelling')
  // A corner in the hand: dragged, and what was drawn follows.
  const handle = await page.$('.map-handle.vertex')
  const box = await handle?.boundingBox()
  await page.mouse.move((box?.x ?? 0) + 16, (box?.y ?? 0) + 16)
  await page.mouse.down()
  await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 50, { steps: 4 })
  await page.mouse.up()
  await save(page)
  const moved = place.areas().at(-1)?.parts as { geometry: { coordinates: [number, number][][] } }[]
  t.notSame(moved[0]?.geometry.coordinates[0]?.[0], ring[0])
  t.same(moved[0]?.geometry.coordinates[0]?.[1], ring[1])
  // Past the middle of a side a new corner is made.
  const middle = await (await page.$('.map-handle.middle'))?.boundingBox()
  await page.mouse.move((middle?.x ?? 0) + 16, (middle?.y ?? 0) + 16)
  await page.mouse.down()
  await page.mouse.move((middle?.x ?? 0) + 20, (middle?.y ?? 0) - 30, { steps: 4 })
  await page.mouse.up()
  await page.waitForFunction(() => document.querySelectorAll('.map-handle.vertex').length === 4)
  await press(page, 'Undo')
  await page.waitForFunction(() => document.querySelectorAll('.map-handle.vertex').length === 3)
  t.same(errors, [])
  t.same(foreign, [])
})

t.test(
  'on a phone a box is two touches; with the keys alone a circle is drawn, moved and its numbers typed',
  async (t) => {
    const place = await start(t, { coverage: { areas: [] } })
    const phone = await open(t, place, 360)
    if (phone === null) return
    await press(phone.page, 'Add an area')
    await fill(phone.page, 'Name', 'Touched')
    await press(phone.page, 'Draw a box')
    await touch(phone.page, 0.3, 0.3, 'tap')
    await touch(phone.page, 0.6, 0.6, 'tap')
    await phone.page.waitForSelector('.map-handle')
    await press(phone.page, 'Close')
    await save(phone.page)
    const [west = 0, south = 0, east = 0, north = 0] = (place.areas()[0]?.parts?.[0]?.['bbox'] ?? []) as number[]
    t.ok(west < east && south < north && west > -125 && north < 50, `${[west, south, east, north]}`)

    const watched = await open(t, place)
    if (watched === null) return
    const { page, errors } = watched
    const keys = async (...all: Parameters<Page['keyboard']['press']>[0][]): Promise<void> => {
      for (const key of all) await page.keyboard.press(key)
    }
    await page.focus('::-p-xpath(//button[contains(., "Add an area")])')
    await keys('Enter')
    await page.waitForSelector('.area-sheet')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Area without a name')
    t.pass('the focus is in the editor')
    await page.focus('::-p-xpath(//button[contains(., "Draw a circle")])')
    await keys('Enter')
    await page.focus('.map-frame')
    await keys('Enter', 'ArrowRight', 'ArrowRight', 'Enter')
    await page.waitForSelector('.map-handle')
    await fill(page, 'Radius, km', '33.5')
    await fill(page, 'Latitude', '43.6')
    await focus(page, '.map-handle')
    await keys('ArrowUp', 'Escape')
    await save(page)
    const circle = place.areas()[1]?.parts?.[0]?.['circle'] as { lat: number; lon: number; radius_km: number }
    t.equal(circle.radius_km, 33.5)
    t.ok(circle.lat > 43.6, 'the key has moved the centre north')
    await keys('Delete')
    t.same(errors, [])
  }
)

t.test('counties are picked by search; order, deletion and undo; who renames is asked about the matrix', async (t) => {
  const place = await start(t)
  const watched = await open(t, place)
  if (watched === null) return
  const { page, errors } = watched
  await press(page, '2. Treasure Valley')
  await page.type('.codes input', 'gem idaho')
  await press(page, 'Gem, Idaho')
  await page.type('.codes input', 'IDC039 ORC045')
  await page.keyboard.press('Enter')
  await press(page, 'Take out Canyon')
  await press(page, 'Move North down')
  await press(page, 'Delete Area without a name')
  await press(page, 'Undo')
  await press(page, '3. Boise basin')
  await fill(page, 'Name', 'Basin')
  await page.waitForSelector('.renames')
  t.match(await page.$eval('.renames', (box) => box.textContent), /Boise basin.*Basin.*the matrix \(fire\)/)
  await save(page)
  const areas = place.areas()
  t.same(
    areas.map(({ name }) => name),
    ['Treasure Valley', 'North', 'Basin', null]
  )
  t.same(areas[0]?.parts, [{ codes: ['IDC001', '16075', 'IDC045', 'IDC039', 'ORC045'] }])
  t.same(areas[1], AREAS[0])
  const { fire } = JSON.parse(readFileSync(join(place.folder, 'config.json'), 'utf8')).notifications.region_routes.cells
  t.same(fire, { North: { mt: 3 }, Basin: { mt: 2 } })
  t.same(errors, [])
})

t.test('somebody who saves at the same time is not written over without being told', async (t) => {
  const place = await start(t)
  const watched = await open(t, place)
  if (watched === null) return
  const { page } = watched
  const file = join(place.folder, 'config.json')
  const theirs = (names: string[]) =>
    writeFileSync(
      file,
      JSON.stringify({ ...CONFIG, coverage: { areas: names.map((name) => ({ ...AREAS[0], name })) } })
    )
  theirs(['Elsewhere'])
  await page.waitForFunction(() => /1\. Elsewhere/.test(document.querySelector('.areas')?.textContent ?? ''))
  t.pass('nothing was edited here: theirs is shown')
  await press(page, 'Add an area')
  await press(page, 'Draw a box')
  await touch(page, 0.3, 0.3)
  await touch(page, 0.5, 0.5)
  theirs(['Elsewhere', 'More'])
  await page.waitForFunction(() => /new area: More/.test(document.querySelector('.save-bar')?.textContent ?? ''))
  await press(page, 'Save mine over theirs')
  await page.waitForFunction(() => document.querySelector('.save-bar .toast')?.textContent === 'Saved.')
  t.same(
    place.areas().map(({ name }) => name),
    ['Elsewhere', null]
  )
  // A refusal says why, with the way to sign in.
  await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '10.0.0.9' })
  await press(page, 'Move Elsewhere down')
  await press(page, 'Save')
  await page.waitForSelector('.save-bar a[href^="/sign-in"]')
})

t.test('the map goes round the world, knows its codes, and says in words what it shows', async (t) => {
  const across = { name: 'Aleutians', bbox: [170, 50, -165, 55] }
  const place = await start(t, { coverage: { areas: [across, { name: 'Ada', codes: ['IDC001'] }] } })
  await seed(place)
  const watched = await open(t, place)
  if (watched === null) return
  const { page, errors, requests } = watched
  t.same(
    await page.$$eval('.map ul.hidden li', (all) =>
      all.map((one) => one.textContent).filter((text) => !text?.startsWith('Event'))
    ),
    ['Aleutians: Box from 50° N to 55° N and from 170° E to 165° W', 'Ada: Ada (IDC001)']
  )
  const width = (name: string) =>
    page.$eval(`.map-area[aria-label^="${name}"] .map-fill`, (path) => path.getBoundingClientRect().width)
  const frame = await page.$eval('.map-frame', (one) => one.getBoundingClientRect().width)
  t.ok((await width('Aleutians')) < frame / 2, 'the box is 25 degrees wide, not 335')
  t.ok((await width('Ada')) > 0, 'the outline of the code has come')
  const before = await width('Aleutians')
  await page.focus('.map-frame')
  await page.keyboard.press('+')
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  t.ok((await width('Aleutians')) > before * 1.4)
  const { x, y } = await spot(page, 0.5, 0.5)
  await page.mouse.move(x, y)
  await page.mouse.wheel({ deltaY: 480 })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  t.ok((await width('Aleutians')) < before)
  await focus(page, '.map-area[aria-label^="Ada"]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.area-sheet')
  t.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    'Ada: Ada (IDC001)',
    'the focus stays on the map'
  )
  t.ok(
    requests.some((url) => url.endsWith('/counties-10m.json')) === false,
    'counties are not fetched for a map of the world'
  )
  t.same(errors, [])
})

t.test('two fingers zoom the map, one moves it, and the page beside it still scrolls', async (t) => {
  const place = await start(t)
  const watched = await open(t, place, 360)
  if (watched === null) return
  const { page } = watched
  const north = () =>
    page.$eval('.map-area[aria-label^="North"] .map-fill', (path) => path.getBoundingClientRect().toJSON())
  const before = await north()
  const [left, right] = [await spot(page, 0.4, 0.5), await spot(page, 0.6, 0.5)]
  const [one, two] = [
    await page.touchscreen.touchStart(left.x, left.y),
    await page.touchscreen.touchStart(right.x, right.y)
  ]
  for (let step = 1; step <= 4; step++) {
    await one.move(left.x - 10 * step, left.y)
    await two.move(right.x + 10 * step, right.y)
  }
  await one.end()
  await two.end()
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
  const zoomed = await north()
  t.ok(zoomed.width > before.width * 1.5, `${before.width} → ${zoomed.width}`)
  const finger = await page.touchscreen.touchStart(left.x, left.y)
  for (let step = 1; step <= 4; step++) await finger.move(left.x, left.y + 10 * step)
  await finger.end()
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
  t.ok((await north()).y > zoomed.y + 25)
  t.equal(await page.evaluate(() => scrollY), 0, 'a drag on the map does not scroll the page')
  await page.$eval('.findings', (element) => element.scrollIntoView())
  t.ok((await page.evaluate(() => scrollY)) > 0)
})

/** Colour of the middle of the map, red green blue. */
function middle(page: Page): Promise<number[]> {
  return page.$eval('.map-frame canvas', (element) => {
    const canvas = element as HTMLCanvasElement
    const pixel = canvas.getContext('2d')?.getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data
    return [...(pixel ?? [])].slice(0, 3)
  })
}

t.test(
  'a base map of the operator is drawn: pictures and vectors; a broken one is told and the map goes on',
  async (t) => {
    const place = await start(t, { coverage: { areas: [{ name: 'Box', bbox: [-116, 43, -114, 45] }] } })
    const map = join(place.folder, 'maps', 'base.pmtiles')
    mkdirSync(join(place.folder, 'maps'), { recursive: true })
    const plain = await open(t, place)
    if (plain === null) return
    const ground = await middle(plain.page)
    writeFileSync(map, pmtiles(png([200, 10, 20]), PNG, 'Drawn by <b>Ada</b>'))
    const raster = await open(t, place)
    await eventually('the picture', async () => raster !== null && (await middle(raster.page)).join() === '200,10,20')
    t.equal(await raster?.page.$eval('.map-note', (note) => note.textContent), 'Drawn by Ada')
    t.same(raster?.errors, [])
    t.same(raster?.foreign, [])
    writeFileSync(map, pmtiles(vectorTile({ name: 'Springfield', x: 740, y: 1470 }), MVT))
    const vector = await open(t, place)
    await eventually('the water', async () => vector !== null && (await middle(vector.page)).join() !== ground.join())
    t.same(vector?.errors, [])
    for (const [name, bytes] of [
      ['no archive', Buffer.alloc(300, 7)],
      ['a tile that is no picture', pmtiles(Buffer.from('nothing'), PNG)],
      ['a tile cut off', pmtiles(vectorTile({ name: 'x', x: 1, y: 1 }).subarray(0, 20), MVT)]
    ] as const) {
      writeFileSync(map, bytes)
      const broken = await open(t, place)
      await broken?.page.waitForFunction(() =>
        /cannot be read/.test(document.querySelector('.map-note')?.textContent ?? '')
      )
      t.same(broken === null ? null : await middle(broken.page), ground, name)
      t.same(broken?.errors, [], name)
    }
    // Whatever the bytes are: an error or a tile, at once.
    const tile = [...vectorTile({ name: 'Springfield', x: 740, y: 1470 })]
    const thrown = await plain.page.evaluate(async (bytes) => {
      const { decodeTile } = await import(`${location.origin}/static/map/mvt.js`)
      const wanted = new Set(['water', 'places'])
      // No helper functions here: what the compiler adds to name them is not in the browser.
      let seed = 7
      const others: string[] = []
      for (let round = 0; round < 2000; round++) {
        const broken = Uint8Array.from(bytes)
        for (let flip = 0; flip < 3; flip++) {
          seed = (seed * 1103515245 + 12345) % 2147483648
          broken[seed % broken.length] = (seed >> 8) % 256
        }
        try {
          decodeTile(broken.subarray(0, (seed >> 4) % (broken.length + 1)), wanted)
        } catch (error) {
          if (!/tile|number/.test(String(error))) others.push(String(error))
        }
      }
      const whole = decodeTile(Uint8Array.from(bytes), wanted)
      // Closes one ring 16 million times, in 30 bytes.
      const greedy = Uint8Array.from([
        26, 28, 120, 2, 10, 5, 119, 97, 116, 101, 114, 18, 14, 24, 3, 34, 10, 9, 2, 2, 255, 255, 255, 63, 9, 2, 2, 40,
        128, 32
      ])
      return {
        others,
        water: whole.get('water').features[0].lines,
        place: whole.get('places').features[0],
        greedy: decodeTile(greedy, wanted).get('water').features[0].lines.flat().length
      }
    }, tile)
    t.same(thrown, {
      others: [],
      water: [[0, 0, 4096, 0, 4096, 4096, 0, 4096, 0, 0]],
      place: { type: 1, tags: { name: 'Springfield' }, lines: [[740, 1470]] },
      greedy: 6
    })
  }
)

t.test('the script draws on in the list of the server, and needs no second one', async (t) => {
  const place = await start(t)
  const watched = await openPage(t, { base: place.station.url, width: 1440, height: 900 })
  if (watched === null) return
  const { page } = watched
  // The page is parsed, its scripts have not run yet.
  await page.evaluateOnNewDocument(`document.addEventListener('readystatechange', () => {
    if (document.readyState === 'interactive') window.drawn = [...document.querySelectorAll('#editor :is(.coverage-side, h2, .areas, .areas > li, .switches)')]
  })`)
  await page.goto(`${place.station.url}/coverage`)
  await page.waitForSelector('.areas button')
  const { count, gone } = (await page.evaluate(
    '({ count: drawn.length, gone: drawn.filter((one) => !one.isConnected).length })'
  )) as { count: number; gone: number }
  t.ok(count > 6, `the server drew ${count}`)
  t.equal(gone, 0, 'all of them are still there')
  t.same(watched.errors, [])
})

t.test('without a script the areas stand there in words', async (t) => {
  const place = await start(t)
  const watched = await openPage(t, { base: place.station.url, width: 360, height: 740 })
  if (watched === null) return
  await watched.page.setJavaScriptEnabled(false)
  await watched.page.goto(`${place.station.url}/coverage`)
  t.equal((await watched.page.$$('.coverage .areas > li')).length, 4)
  t.match(
    await watched.page.$eval('.coverage', (one) => one.textContent),
    /Ada \(IDC001\), Canyon \(IDC027\), Payette \(16075\)/
  )
  t.same(watched.foreign, [])
})
