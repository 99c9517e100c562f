/// <reference lib="dom" />
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { startLookout } from '../helpers/process.ts'
import { axeViolations, closeBrowser, openPage } from './harness.ts'
import { cell, configuration, nameAt, open, press, push, slowness, text, until, withFile } from './routing-page.ts'

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
    const bottom = Math.min(
      grid.bottom,
      document.querySelector('.bar-below')?.getBoundingClientRect().top || innerHeight
    )
    const [corner, ...others] = document.querySelectorAll('.grid thead tr:last-child th')
    const still = others.filter((head) => getComputedStyle(head).position === 'sticky')
    const left = Math.max(...[corner, ...still].map((head) => head?.getBoundingClientRect().right ?? 0))
    const under = document.querySelector('.grid thead')?.getBoundingClientRect().bottom ?? 0
    const regions = [corner, ...others].filter((head) => {
      const rect = head?.getBoundingClientRect()
      const middle = rect ? (rect.left + rect.right) / 2 : 0
      return head === corner || still.includes(head as Element) || (middle > left && middle < grid.right)
    })
    const families = [...document.querySelectorAll('.grid tbody :is(th[scope="row"], .fold)')].filter((head) => {
      const rect = head.getBoundingClientRect()
      const middle = (rect.top + rect.bottom) / 2
      return middle > under + 1 && middle < bottom - 1
    })
    return [...regions, ...families]
      .filter((head) => head !== undefined)
      .filter((head) => !seen(head) || !opaque(head))
      .map((head) => head.textContent)
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

/** From the key to the next frame, on a processor four times slower than that of docs/measurements.md. Milliseconds. */
const MOST_KEY_MS = 50

t.test('on 10 × 40 an arrow key is on the screen within 50 ms on a processor four times slower', async (t) => {
  const station = await shared
  station.configure(whole)
  const watched = await open(t, station)
  if (watched === null) return
  const { page } = watched
  t.equal(await page.$$eval('tbody td', (all) => all.length), 400)
  await (await page.createCDPSession()).send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(globalThis, { times })
    const keydown = (): void => {
      const began = performance.now()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => times.push(performance.now() - began)
        port2.postMessage(null)
      })
    }
    document.addEventListener('keydown', keydown, true)
  })
  const round = async (): Promise<number> => {
    await page.focus('#cell-2-1')
    await page.evaluate('times.length = 0')
    for (let n = 0; n < 15; n++) {
      await press(page, n % 3 === 2 ? 'ArrowDown' : 'ArrowRight')
      await page.waitForFunction(`times.length === ${n + 1}`)
    }
    return ((await page.evaluate('times.sort((a, b) => a - b)[7]')) as number | undefined) ?? 1000
  }
  // The machine may be busy with something else: the best of five rounds counts.
  const rounds: { taken: number; limit: number }[] = []
  while (rounds.length < 5 && !rounds.some(({ taken, limit }) => taken <= limit)) {
    const before = await slowness(page)
    const taken = await round()
    rounds.push({ taken, limit: MOST_KEY_MS * Math.max(before, await slowness(page)) })
  }
  const { taken, limit } = rounds.at(-1) ?? { taken: 1000, limit: 0 }
  t.ok(taken <= limit, `median ${taken.toFixed(1)} ms, limit ${limit.toFixed(1)}`)
})

t.test('several cells are picked, filled and emptied in one step each, on keys that no browser uses', async (t) => {
  const station = await shared
  const fire = { 'Region 1': cell({ mt: 2, mc: 'wx', min_severity: 'critical' }) }
  station.configure(configuration({ regions, cells: { fire } }))
  const watched = await open(t, station)
  if (watched === null) return
  const { page, errors } = watched
  const picked = () => page.$$eval('td[aria-selected=true] > button', (all) => all.map(({ id }) => id))
  await page.focus('#cell-2-0')
  await press(page, 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown')
  t.same(await picked(), ['cell-2-0', 'cell-2-1', 'cell-2-2', 'cell-3-0', 'cell-3-1', 'cell-3-2'])
  await until(page, '.picked', /6 cells are picked.*Fill with Meshtastic 2 Channel 2, MeshCore wx, from critical, on/)
  await press(page, 'f')
  t.equal(await text(page, '#dirty'), '5 changes, not saved')
  t.match(await nameAt(page, 3, 2), /^Radio propagation, Region 3: Meshtastic 2 Channel 2, MeshCore wx, from critical/)
  await press(page, 'u')
  t.equal(await text(page, '#dirty'), 'No changes', 'all of it is one step')
  await press(page, 'Shift+u')
  t.equal(await text(page, '#dirty'), '5 changes, not saved')
  await press(page, 'Delete')
  t.equal(await text(page, '#dirty'), '1 change, not saved', 'only the one that was saved is missing now')
  await press(page, 'u', 'u', 'Escape')
  t.same(await picked(), [])
  await page.focus('#cell-2-0')
  await press(page, 'r', 'f')
  t.equal(await text(page, '#dirty'), '39 changes, not saved', 'the row')
  await press(page, 'u', 'Escape')
  await press(page, ' ', 'ArrowDown', 'ArrowDown', ' ', 'f')
  t.same(await picked(), ['cell-2-0', 'cell-4-0'])
  t.equal(await text(page, '#dirty'), '1 change, not saved', 'one cell here, one there')
  await press(page, 'u', 'Escape')
  const theirs = await page.evaluate(() => {
    const cell = document.querySelector('#cell-2-0')
    return ['r', 'd', 'f', 'u', 'l', 't', 'w', 'p', 'n', 'h', 'j'].filter((key) => {
      const event = new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true })
      return !cell?.dispatchEvent(event)
    })
  })
  t.same(theirs, [], 'with Control these keys are the browser’s')
  t.equal(await text(page, '#dirty'), 'No changes')
  await page.keyboard.down('Shift')
  await page.click('#cell-4-1')
  await page.keyboard.up('Shift')
  t.equal((await picked()).length > 1, true, 'with the shift key a click picks as far as there')
  await push(page, 'Pick no more')
  await page.keyboard.down('Control')
  await page.click('#cell-2-0')
  await page.click('#cell-5-3')
  await page.keyboard.up('Control')
  t.same(await picked(), ['cell-2-0', 'cell-5-3'])
  t.same(errors, [])
})

t.test('by touch alone: cells of two regions are picked, filled, and saved', async (t) => {
  const station = await shared
  const weather = { 'Region 1': cell({ mt: 4, min_severity: 'immediate' }), 'Region 2': cell({ mt: 1 }) }
  station.configure(configuration({ regions, cells: { weather, fire: { 'Region 2': cell({ mt: 2, mc: 'wx' }) } } }))
  const watched = await open(t, station, '/mesh-a/routing', 360)
  if (watched === null) return
  const { page, errors } = watched
  const tap = async (words: string) => {
    for (const button of await page.$$('#routing button')) {
      if ((await button.evaluate((element, words) => element.textContent?.trim().startsWith(words), words)) === true)
        return button.tap()
    }
    t.fail(`no button ${words}`)
  }
  await tap('Pick cells')
  await page.tap('.card li button')
  t.equal(await page.$('dialog.editor'), null, 'a tap picks, and opens no form')
  await page.tap('.switcher button:last-child')
  for (const item of await page.$$('.card li button')) await item.tap()
  await until(page, '.picked', /3 cells are picked/)
  await tap('Fill with')
  t.equal(await text(page, '#dirty'), '2 changes, not saved')
  await tap('Pick no more')
  t.equal(await page.$('.picked'), null)
  await tap('Save')
  await until(page, '#dirty', /^Saved/)
  const { cells } = await station.stored()
  const wanted = cell({ mt: 4, min_severity: 'immediate' })
  t.same(cells, { weather: { 'Region 1': wanted, 'Region 2': wanted }, fire: { 'Region 2': wanted } })
  t.same(errors, [])
})

t.test('regions are found, jumped to, grouped, closed and pinned; what is not shown is not filled', async (t) => {
  const station = await shared
  const row = Object.fromEntries(regions.slice(0, 10).map((name, n) => [name, cell({ mt: n < 4 ? 1 : 2 })]))
  station.configure(configuration({ regions, cells: { fire: row } }))
  const watched = await open(t, station)
  if (watched === null) return
  const { page, errors } = watched
  const heads = () =>
    page.$$eval('.grid thead tr:last-child th:not(:first-child)', (all) =>
      all.map((one) => one.firstChild?.textContent)
    )
  await page.type('.find input', 'region 3')
  t.same(await heads(), ['Region 3', 'Region 13', 'Region 23', ...regions.slice(29, 39)])
  await press(page, 'Enter')
  t.equal(await page.evaluate(() => document.activeElement?.id), 'cell-0-0')
  await press(page, 'ArrowDown', 'ArrowDown', 'r', 'f')
  t.equal(await text(page, '#dirty'), '12 changes, not saved', 'the row as far as it is shown')
  await press(page, 'u', 'Escape')
  await page.focus('.find input')
  await press(page, 'Escape')
  t.equal((await heads()).length, 40)
  await page.type('.find input', 'seis')
  t.equal((await page.$$('.grid tbody tr')).length, 1, 'a family is found too')
  await press(page, 'Escape')
  await page.type('.find input', 'xyz')
  await until(page, '.find', /No name is like that/)
  t.equal((await heads()).length, 40, 'and nothing is hidden in vain')
  await press(page, 'Escape')
  await page.select('.tools select', 'channel')
  t.same(await page.$$eval('.tools .groups button', (all) => all.map((one) => one.textContent?.trim())), [
    'Meshtastic 1 Channel 1 4',
    'Meshtastic 2 Channel 2 6',
    'no channel 30'
  ])
  t.same(await hiddenHeads(page), [], 'the heads of groups cover nothing')
  await push(page, 'no channel 30')
  t.equal((await heads()).length, 10)
  t.same(await page.$$eval('.grid .groups th', (all) => all.map((one) => one.textContent)), [
    'Meshtastic 1 Channel 1',
    'Meshtastic 2 Channel 2'
  ])
  await page.focus('#cell-0-5')
  await press(page, 'p')
  t.same((await heads()).slice(0, 3), ['Region 6', 'Region 1', 'Region 2'])
  await page.$eval('.matrix.grid', (grid) => grid.scrollTo(600, 0))
  const [family, pinned] = await page.$$eval('.grid thead tr:last-child th', (all) =>
    all.slice(0, 2).map((one) => one.getBoundingClientRect().toJSON())
  )
  t.ok(Math.abs(pinned.left - family.right) < 2, 'a pinned region stands still beside the families')
  t.same(await hiddenHeads(page), [])
  await page.reload()
  await page.waitForSelector('#cell-0-0')
  t.equal((await heads())[0], 'Region 6', 'it is still pinned tomorrow')
  await page.click('.grid thead th:nth-child(2) .pin')
  t.equal((await heads())[0], 'Region 1')
  t.same(await axeViolations(page), [])
  t.same(errors, [])
})

t.test('families collapse into their group, and what is closed is neither walked nor filled', async (t) => {
  const station = await shared
  const all = Object.fromEntries(regions.map((name) => [name, cell({ mt: 1 })]))
  const cells = { fire: all, weather: { 'Region 1': cell({ min_severity: 'immediate' }) } }
  station.configure(configuration({ regions, cells }))
  const watched = await open(t, station)
  if (watched === null) return
  const { page, errors } = watched
  const rows = () =>
    page.$$eval('.grid tbody tr', (all) =>
      all.map(
        (one) => (one.className === 'kind' ? '# ' : '') + (one.querySelector('th')?.firstChild?.textContent ?? '')
      )
    )
  const before = await rows()
  t.equal(before.length, 10)
  await page.select('select.sorting', 'kind')
  const sorted = await rows()
  t.match(sorted.slice(0, 2), ['# Weather and earth 4 families, 41 cells', 'Weather'])
  t.same(sorted.filter((name) => !name.startsWith('#')).sort(), [...before].sort(), 'every family once')
  await page.focus('.tools .families .fold')
  await press(page, 'Enter')
  t.equal(await page.$eval('.grid .kind .fold', (fold) => fold.getAttribute('aria-expanded')), 'false')
  t.same((await rows()).length, 3 + 6)
  t.same(await hiddenHeads(page), [], 'the heads of groups cover nothing')
  await page.focus('#cell-0-0')
  await press(page, 'ArrowUp', 'c')
  await until(page, '.picked', /6 cells are picked/)
  await press(page, 'Escape')
  await page.type('.find input', 'fire')
  t.ok((await rows()).includes('Fire'), 'what somebody looks for is shown')
  await press(page, 'Escape')
  t.notOk((await rows()).includes('Fire'))
  await page.click('.grid .kind .fold')
  t.ok((await rows()).includes('Fire'))
  await page.select('select.sorting', 'severity')
  t.same(
    (await rows()).filter((name) => name.startsWith('#')).map((name) => name.replace(/ \d.*/, '')),
    ['# from routine', '# from immediate', '# no cell'],
    'the gravest last'
  )
  t.same(await axeViolations(page), [])
  t.same(errors, [])
})

t.test(
  'the cells say their channels, their last 7 days, or what one event would do, as somebody switches',
  async (t) => {
    const station = await shared
    const fire = { 'Region 1': cell(), 'Region 2': cell({ min_severity: 'immediate' }) }
    station.configure(configuration({ regions, cells: { fire } }))
    const event = {
      source: 'test',
      family: 'fire',
      severity: 'critical',
      title: 'Fire',
      regions: ['Region 1', 'Region 2']
    }
    t.equal((await station.post('/api/events', { ...event, id: 'overlay' })).status, 202)
    const watched = await open(t, station)
    if (watched === null) return
    const { page, errors, foreign } = watched
    await page.waitForFunction(
      async () => {
        const { cells } = await (await fetch('/api/notifications/region-routing/week')).json()
        return cells.length > 0
      },
      { polling: 500, timeout: 30_000 }
    )
    await page.select('select.overlay', 'week')
    await until(page, '#cell-2-0 .text', /^\s*\d+ simulated/)
    t.match(await nameAt(page, 2, 0), /^Fire, Region 1: Meshtastic 3 Channel 3, .*in 7 days: \d+ simulated/)
    t.equal(await text(page, '#cell-4-4 .text'), '–')
    t.match(await page.$eval('#cell-2-0', (cell) => cell.parentElement?.className ?? ''), /routine/, 'the colour stays')
    t.same(await axeViolations(page), [])
    await page.select('select.overlay', 'event')
    await page.waitForSelector('.trial-choice input')
    await page.click('.trial-choice input')
    await until(page, '#cell-2-0 .verdict', /sent/)
    await until(page, '#cell-2-1 .verdict', /suppressed|held/)
    await page.select('select.overlay', 'cells')
    await until(page, '#cell-2-0 .text', /3 Channel 3/)
    t.same(errors, [])
    t.same(foreign, [])
  }
)

t.test(
  'accessible in both languages and three themes, while cells are picked and changes wait, to a guest too',
  async (t) => {
    const station = await shared
    station.configure(whole)
    const first = await open(t, station)
    if (first === null) return
    // Behind a proxy that says nothing about who asks, nobody is the operator.
    station.configure({ ...whole, http: { trusted_proxies: ['10.9.8.7'] } })
    t.teardown(() => station.configure(whole))
    await until(first.page, '.notices', /Saving needs the operator/)
    for (const [language, theme, width] of [
      ['en', 'light', 1440],
      ['de', 'dark', 1440],
      ['en', 'night', 360],
      ['de', 'sunlight', 360],
      ['de', 'light', 360],
      ['en', 'dark', 360]
    ] as const) {
      const watched = await openPage(t, { base: station.url, width, height: width < 600 ? 740 : 900 })
      if (watched === null) return
      const { page, errors } = watched
      await page.setExtraHTTPHeaders({ 'accept-language': language })
      await page.setCookie({ name: 'theme', value: theme, url: station.url })
      await page.goto(`${station.url}/mesh-a/routing`)
      await page.waitForSelector('.notices .banner')
      t.match(await text(page, '.notices'), /operator|Betreiber/, 'a guest may look, and is told so')
      await page.click('.tools button')
      for (const one of (await page.$$(width < 600 ? '.card li button' : 'td.cell > button')).slice(0, 3))
        await one.click()
      await page.click('.picked button')
      await page.waitForSelector('.dock.due #dirty.waiting')
      t.same(await axeViolations(page), [], `${language}, ${theme}, ${width}`)
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      t.ok(over <= 0, 'nothing sticks out')
      t.same(errors, [])
    }
  }
)
