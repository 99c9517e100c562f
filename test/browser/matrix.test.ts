/// <reference lib="dom" />
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { startLookout } from '../helpers/process.ts'
import { closeBrowser } from './harness.ts'
import { cell, configuration, open, press, push, text, until, withFile } from './routing-page.ts'

t.teardown(closeBrowser)

/** Ten families, forty regions: as large as a county's matrix becomes. */
const regions = Array.from({ length: 40 }, (_, n) => `Region ${n + 1}`)
const families = [
  'mesh_health',
  'weather',
  'fire',
  'rf_propagation',
  'roads',
  'avalanche',
  'seismic',
  'satpass',
  'emergency',
  'tracking'
]
const cells = Object.fromEntries(
  families.map((family, f) => [
    family,
    Object.fromEntries(regions.map((name, r) => [name, cell({ mt: (f + r) % 5, mc: 'wx' })]))
  ])
)
const whole = configuration({ regions, cells })
const folder = t.testdir({ data: { 'config.json': JSON.stringify(whole) } })
const shared = startLookout(t, 'data', { cwd: folder, env: { LOOKOUT_LOG: 'error' } }).then((station) =>
  withFile(station, folder)
)

/** Heads that cannot be read where they belong: covered, see-through, or out of the window. */
const hiddenHeads = (page: Page) =>
  page.evaluate(() => {
    const grid = document.querySelector('.matrix.grid')?.getBoundingClientRect()
    if (grid === undefined) return ['no grid']
    const inside = (n: number, from: number, to: number): number => Math.min(Math.max(n, from), to)
    const seen = (head: Element): boolean => {
      const { left, right, top, bottom } = head.getBoundingClientRect()
      const at = document.elementFromPoint((left + right) / 2, inside((top + bottom) / 2, grid.top, innerHeight - 1))
      return at !== null && head.contains(at)
    }
    const opaque = (head: Element): boolean =>
      !/, ?0(?:\.\d+)?\)|transparent/.test(getComputedStyle(head).backgroundColor)
    const family = document.querySelector('.grid thead th')?.getBoundingClientRect()
    const regions = [...document.querySelectorAll('.grid thead th')].filter((head, n) => {
      const { left, right } = head.getBoundingClientRect()
      const middle = (left + right) / 2
      return n === 0 || (middle > (family?.right ?? 0) && middle < grid.right)
    })
    const families = [...document.querySelectorAll('.grid tbody th')].filter((head) => {
      const { top, bottom } = head.getBoundingClientRect()
      const middle = (top + bottom) / 2
      return middle > (family?.bottom ?? 0) && middle < Math.min(grid.bottom, innerHeight)
    })
    return [...regions, ...families].filter((head) => !seen(head) || !opaque(head)).map((head) => head.textContent)
  })

t.test('the family column and the heads of the regions stay in sight, opaque, whichever way one scrolls', async (t) => {
  const station = await shared
  const watched = await open(t, station)
  if (watched === null) return
  const { page } = watched
  // The last two: a laptop at 200 %, and the narrowest and lowest window that still shows the whole table.
  for (const [width, height] of [
    [1440, 900],
    [768, 1024],
    [720, 450],
    [601, 400]
  ] as const) {
    await page.setViewport({ width, height })
    for (const [left, top, down] of [
      [0, 0, 0],
      [900, 400, 0],
      [3000, 200, 0.4],
      [1717, 317, 0.8],
      [5000, 5000, 1]
    ] as const) {
      await page.evaluate(
        async (left, top, down) => {
          const grid = document.querySelector('.matrix.grid')
          grid?.scrollTo(left, top)
          const { top: at = 0, height = 0 } = grid?.getBoundingClientRect() ?? {}
          // So far that a part of the table is above the window.
          scrollTo(0, scrollY + at - 56 + down * Math.max(0, height - 250))
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))
        },
        left,
        top,
        down
      )
      t.same(await hiddenHeads(page), [], `${width} × ${height}, at ${left}, ${top}, ${down} above`)
    }
  }
})

t.test('the bar that saves is there only while there is something to save', async (t) => {
  const station = await shared
  station.configure(whole)
  for (const width of [1440, 360]) {
    const watched = await open(t, station, '/mesh-a/routing', width)
    if (watched === null) return
    const { page } = watched
    t.equal(await page.$('.dock.due'), null)
    t.equal(await page.$('.dock button'), null, 'nothing can be saved or undone')
    await page.click('#master')
    await page.waitForSelector('.dock.due')
    const bar = await page.$eval('.dock', (element) => element.getBoundingClientRect().toJSON())
    const bottom = width < 600 ? 740 - 60 : 900
    t.ok(Math.abs(bar.bottom - bottom) < 2, `at the lower edge: ${bar.bottom}`)
    await push(page, 'Undo')
    await page.waitForFunction(() => document.querySelector('.dock.due') === null)
    await push(page, 'Redo')
    await push(page, 'Save')
    await until(page, '#dirty', /^Saved/)
    t.equal(await page.$('.dock.due'), null)
    await push(page, 'Undo')
    t.equal(await text(page, '#dirty'), '1 change, not saved', 'what was saved can still be taken back')
    await push(page, 'Save')
    await until(page, '#dirty', /^Saved/)
  }
})

t.test('the networks are called by their names, nowhere MT and MC', async (t) => {
  const station = await shared
  station.configure(whole)
  for (const [path, width] of [
    ['/mesh-a/routing', 1440],
    ['/mesh-b/routing', 1440],
    ['/mesh-a/routing', 360]
  ] as const) {
    const watched = await open(t, station, path, width)
    if (watched === null) return
    const { page } = watched
    await page.click(width < 600 ? '.card li button' : '#cell-2-1')
    await page.waitForSelector('dialog.editor')
    t.notMatch(await page.$eval('body', (body) => body.innerText), /\b(?:MT|MC)\b/, `${path} at ${width}`)
    await press(page, 'Escape')
  }
})

t.test(
  'on a phone any region of forty is on three screens, and is found by its name or from its neighbour',
  async (t) => {
    const station = await shared
    station.configure(whole)
    const watched = await open(t, station, '/mesh-a/routing', 360)
    if (watched === null) return
    const { page } = watched
    const shown = () => page.$eval('.switcher select', (select) => (select as HTMLSelectElement).value)
    const tallest = await page.evaluate(async () => {
      const select = document.querySelector<HTMLSelectElement>('.switcher select')
      let tallest = 0
      for (const { value } of select?.options ?? []) {
        if (select) select.value = value
        select?.dispatchEvent(new Event('change', { bubbles: true }))
        await new Promise((resolve) => requestAnimationFrame(resolve))
        tallest = Math.max(tallest, document.documentElement.scrollHeight)
      }
      return tallest
    })
    t.ok(tallest <= 3 * 740, `${tallest} px`)
    t.equal(await shown(), 'Region 40')
    t.match(await text(page, '.card'), /^Region 40 ?10 cells/)
    await page.tap('.switcher button:last-child')
    t.equal(await shown(), 'Region 1', 'behind the last comes the first')
    await page.tap('.find input')
    await page.keyboard.type('reg 37')
    t.same(await page.$$eval('.find li', (all) => all.map((one) => one.textContent)), ['Region 37'])
    await page.tap('.find li button')
    t.equal(await shown(), 'Region 37')
    t.equal((await page.$$('.find li')).length, 0)
    await page.tap('.find input')
    await page.keyboard.type('nowhere')
    await until(page, '.find', /No name is like that/)
    await page.evaluate(() => scrollTo(0, 700))
    const switcher = await page.$eval('.switcher', (element) => element.getBoundingClientRect().toJSON())
    t.ok(switcher.top >= 50 && switcher.bottom < 130, 'the name of the region stays in sight')
  }
)
