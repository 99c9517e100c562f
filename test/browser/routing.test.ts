/// <reference lib="dom" />
import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { launch, running, startLookout } from '../helpers/process.ts'
import { axeViolations, checkPage, closeBrowser, openPage, screenshot } from './harness.ts'
import { cell, configuration, nameAt, open, press, push, slowness, text, until, withFile } from './routing-page.ts'

t.teardown(closeBrowser)

/** From a change to the screen, on a processor four times slower than that of docs/measurements.md. Milliseconds. */
const MOST_MS = 80

/** One station for all tests; each writes a configuration of its own, which is read again without a restart. */
const folder = t.testdir({ data: { 'config.json': JSON.stringify(configuration({ regions: ['North'] })) } })
const shared = startLookout(t, 'data', { cwd: folder, env: { LOOKOUT_LOG: 'error' } }).then((station) =>
  withFile(station, folder)
)

const some = {
  fire: { North: cell({ mc: 'fire-north', min_severity: 'priority', own: 7, fallback: true }), East: cell({ mt: 6 }) },
  weather: {
    South: cell({ mt: 5, enabled: false, min_severity: 'immediate' }),
    Gone: cell({ min_severity: 'critical' })
  },
  roads: { West: cell({ mt: null, mc: 'nowhere' }) }
}
const four = ['North', 'South', 'East', 'West']

t.test('both pages are accessible at three widths, with every kind of cell, and while a cell is edited', async (t) => {
  const station = await shared
  const toggles = { weather: { enabled: true } }
  const config = configuration({ regions: four, cells: some })
  station.configure({ ...config, notifications: { ...config.notifications, toggles } })
  await checkPage(t, { base: station.url, path: '/mesh-a/routing', name: 'routing-mt' })
  await checkPage(t, { base: station.url, path: '/mesh-b/routing', name: 'routing-mc' })
  for (const width of [360, 768, 1440]) {
    const watched = await open(t, station, '/mesh-a/routing', width)
    if (watched === null) return
    const { page } = watched
    await (width < 600 ? page.click('.card li button') : page.click('#cell-2-0'))
    await page.waitForSelector('dialog.editor[open]')
    await screenshot(page, `routing-edit-${width}`)
    t.same(await axeViolations(page), [], `axe at ${width}`)
    if (width < 600) continue
    t.equal(await nameAt(page, 2, 0), 'Fire, North: Meshtastic 3 Channel 3, MeshCore fire-north, from priority, on')
    t.match(await nameAt(page, 2, 2), /Meshtastic 6, from routine, on, Meshtastic: disabled on the radio/)
    t.match(await nameAt(page, 1, 1), /off, Meshtastic: disabled on the radio, broadcast all the same/)
    t.match(await nameAt(page, 4, 3), /MeshCore nowhere, from routine, on, MeshCore: not on the radio/)
    t.match(await nameAt(page, 1, 4), /Weather, Gone: .*no such area/)
    t.equal(await nameAt(page, 0, 0), 'Mesh health, North: none')
    t.equal(await page.$$eval('td :is(input, select)', (fields) => fields.length), 4, 'only the cell in use has a form')
    const options = await page.$$eval('dialog.editor select option', (all) => all.map((option) => option.textContent))
    t.same(options.slice(0, 2), ['none', '0 ShortFast'])
    t.ok(options.includes('5 (disabled on the radio)'))
  }
})

t.test('without a script the table is there, complete', async (t) => {
  const station = await shared
  station.configure(configuration({ regions: four, cells: some }))
  const watched = await openPage(t, { base: station.url })
  if (watched === null) return
  await watched.page.setJavaScriptEnabled(false)
  await watched.page.goto(`${station.url}/mesh-a/routing`)
  t.match(
    await text(watched.page, '#routing table'),
    /Weather.*5.*immediate.*off.*Fire.*3 Channel 3.*MeshCore fire-north.*priority/
  )
})

t.test('the script draws on in the table of the server: heads, cells and severities are the same nodes', async (t) => {
  const station = await shared
  station.configure(configuration({ regions: four, cells: some }))
  const watched = await openPage(t, { base: station.url, width: 1440, height: 900 })
  if (watched === null) return
  const { page } = watched
  // The page is parsed, its scripts have not run yet.
  await page.evaluateOnNewDocument(`document.addEventListener('readystatechange', () => {
    if (document.readyState !== 'interactive') return
    window.drawn = [...document.querySelectorAll('#routing :is(.intro, .legend, .warnings, table, tr, th, td)')]
    window.words = [...document.querySelectorAll('#routing td')].map((td) => td.textContent.replace(/\\s+/g, ''))
  })`)
  await page.goto(`${station.url}/mesh-a/routing`)
  await page.waitForSelector('#cell-2-0')
  const { count, gone, before, after } = (await page.evaluate(`({
    count: drawn.length,
    gone: drawn.filter((one) => !one.isConnected).length,
    before: words,
    after: [...document.querySelectorAll('#routing td .text')].map((text) => text.textContent.replace(/\\s+/g, ''))
  })`)) as { count: number; gone: number; before: string[]; after: string[] }
  t.ok(count > 60, `the server drew ${count}`)
  t.equal(gone, 0, 'all of them are still there')
  t.same(after, before, 'and every cell says what it said')
  t.notMatch(await page.$eval('main', (main) => main.innerText), /needs a browser with scripts/)
})

t.test('by mouse: a cell is filled, edited, filled over its row, undone, saved; nothing else changes', async (t) => {
  const station = await shared
  station.configure({ ...configuration({ regions: four, cells: some }), mystery: { kept: [1] } })
  const watched = await open(t, station)
  if (watched === null) return
  const { page, errors } = watched
  t.equal(await text(page, '#dirty'), '', 'so far there is nothing to save')
  await page.click('#cell-6-1')
  await page.select('dialog.editor select', '4')
  await page.type('dialog.editor input[type=text]', '  quake ')
  await page.select('dialog.editor p:nth-of-type(4) select', 'critical')
  await page.select('dialog.editor select[id$="-on"]', 'off')
  t.equal(
    await nameAt(page, 6, 1),
    'Seismic, South: Meshtastic 4 Channel 4, MeshCore quake, from critical, off, changed, not saved'
  )
  await push(page, 'Done')
  t.equal(await text(page, '#dirty'), '1 change, not saved')
  await page.click('#cell-2-0')
  await push(page, 'Fill row', 'dialog.editor')
  t.equal(await text(page, '#dirty'), '4 changes, not saved', 'three cells of the row besides; never the orphan column')
  await push(page, 'Undo')
  t.equal(await text(page, '#dirty'), '1 change, not saved')
  await push(page, 'Redo')
  t.match(await nameAt(page, 2, 2), /Fire, East: Meshtastic 3 Channel 3, MeshCore fire-north, from priority, on/)
  await page.click('#cell-4-3')
  await push(page, 'Clear', 'dialog.editor')
  await push(page, 'Done')
  await page.click('#master')
  await push(page, 'Save')
  await until(page, '#dirty', /^Saved/)
  t.same(await station.stored(), {
    enabled: false,
    mt_enabled: true,
    mc_enabled: true,
    cells: {
      fire: {
        North: cell({ mc: 'fire-north', min_severity: 'priority', own: 7, fallback: true }),
        East: cell({ mc: 'fire-north', min_severity: 'priority', fallback: true }),
        South: cell({ mc: 'fire-north', min_severity: 'priority', fallback: true }),
        West: cell({ mc: 'fire-north', min_severity: 'priority', fallback: true })
      },
      weather: some.weather,
      seismic: { South: cell({ mt: 4, mc: 'quake', min_severity: 'critical', enabled: false }) }
    }
  })
  t.same(JSON.parse(readFileSync(station.file, 'utf8')).mystery, { kept: [1] })
  await push(page, 'Undo')
  t.equal(await text(page, '#dirty'), '1 change, not saved', 'the master switch')
  await push(page, 'Discard')
  t.match(await text(page, '#dirty'), /^Saved|^No changes/)
  t.same(errors, [])
})

t.test(
  'of an MC name that is too long nothing is taken, not even its beginning, and the form stays until it is mended',
  async (t) => {
    const station = await shared
    station.configure(configuration({ regions: four, cells: { seismic: { South: cell({ mt: 4, mc: 'quake' }) } } }))
    const watched = await open(t, station)
    if (watched === null) return
    const { page } = watched
    await page.click('#cell-6-1')
    await page.type('dialog.editor input[type=text]', ' with a name of more than thirty-one bytes')
    t.equal(await text(page, 'dialog.editor .problem'), 'At most 31 bytes; this has 47. It is not taken.')
    t.match(await nameAt(page, 6, 1), /Seismic, South: Meshtastic 4 Channel 4, MeshCore quake, /)
    await page.keyboard.press('Enter')
    t.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')),
      'true',
      'still in the field'
    )
    await page.click('#cell-0-0')
    t.equal(await text(page, '#dirty'), '')
  }
)

t.test('by keyboard alone: one tab stop, arrows, edit, cancel, copy, fill, clear, undo, save', async (t) => {
  const station = await shared
  station.configure(configuration({ regions: four }))
  const watched = await open(t, station)
  if (watched === null) return
  const { page, errors } = watched
  const here = () => page.evaluate(() => document.activeElement?.id ?? '')
  for (let n = 0; n < 40 && (await here()) !== 'cell-0-0'; n++) await press(page, 'Tab')
  t.equal(await here(), 'cell-0-0')
  await press(page, 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter')
  await page.keyboard.type('2')
  await press(page, 'Tab')
  await page.keyboard.type('wx')
  await press(page, 'Tab')
  await page.keyboard.type('pri')
  await press(page, 'Enter')
  t.equal(await here(), 'cell-2-1', 'the focus is back on the cell')
  t.match(await nameAt(page, 2, 1), /^Fire, South: Meshtastic 2 Channel 2, MeshCore wx, from priority, on/)
  await press(page, 'F2')
  await page.keyboard.type('4')
  t.match(await nameAt(page, 2, 1), /Meshtastic 4/)
  await press(page, 'Escape')
  t.equal(await here(), 'cell-2-1')
  t.match(await nameAt(page, 2, 1), /Meshtastic 2/, 'Escape leaves it as it was')
  await press(page, 'F2')
  await page.keyboard.type('0')
  await press(page, 'Control+z')
  await page.waitForFunction(() => document.activeElement?.id === 'cell-2-1')
  t.match(await nameAt(page, 2, 1), /Meshtastic 2/, 'what is under way can be undone, and the focus comes back')
  await press(page, 'Control+c', 'End', 'Control+v')
  t.match(await nameAt(page, 2, 3), /^Fire, West: Meshtastic 2 Channel 2, MeshCore wx, from priority, on/)
  await press(page, 'c', 'f', 'Escape')
  t.equal(await text(page, '#dirty'), '11 changes, not saved')
  await press(page, 'Control+Home', 'r', 'f')
  t.match(await text(page, '#announced'), /empty: there is nothing to fill with/)
  await press(page, 'Escape', 'Control+End')
  t.equal(await here(), 'cell-9-3')
  await press(page, 'Delete')
  t.match(await nameAt(page, 9, 3), /Tracking, West: none/)
  await press(page, 'Control+z', 'Control+z')
  t.equal(await text(page, '#dirty'), '2 changes, not saved')
  await press(page, 'Control+y', 'Control+s')
  await until(page, '#dirty', /^Saved\.$/)
  const { cells } = await station.stored()
  t.equal(Object.keys(cells).length, 10)
  t.same(cells['fire'], {
    South: cell({ mt: 2, mc: 'wx', min_severity: 'priority' }),
    West: cell({ mt: 2, mc: 'wx', min_severity: 'priority' })
  })
  t.same(errors, [])
})

t.test('the MC page edits its own side: MT channels are shown and stay', async (t) => {
  const station = await shared
  station.configure(
    configuration({ regions: four, cells: { fire: { North: cell({ mc: 'wx' }), South: cell({ mt: 1 }) } } })
  )
  const watched = await open(t, station, '/mesh-b/routing')
  if (watched === null) return
  const { page } = watched
  t.equal(await nameAt(page, 2, 0), 'Fire, North: MeshCore wx, Meshtastic 3 Channel 3, from routine, on')
  t.equal(await text(page, '#cell-2-1 .none'), 'not on MeshCore')
  await page.click('#cell-2-0')
  t.equal(await page.$$eval('dialog.editor select', (all) => all.length), 2, 'severity and state only')
  t.same(
    await page.$$eval('dialog.editor datalist option', (all) => all.map((option) => option.getAttribute('value'))),
    ['wx', 'fire-north']
  )
  await page.type('dialog.editor input[type=text]', 'ä'.repeat(16))
  t.match(await text(page, 'dialog.editor .problem'), /At most 31 bytes; this has 34/)
  await push(page, 'Clear', 'dialog.editor')
  await push(page, 'Done', 'dialog.editor')
  t.match(await nameAt(page, 2, 0), /^Fire, North: Meshtastic 3 Channel 3, from routine, on/)
  await page.focus('#cell-2-1')
  await press(page, 'Enter')
  await page.keyboard.type('fire-north')
  await press(page, 'Enter', 'Control+s')
  await until(page, '#dirty', /^Saved\.$/)
  t.same((await station.stored()).cells, { fire: { North: cell(), South: cell({ mt: 1, mc: 'fire-north' }) } })
})

t.test('each cell shows what would become of an event, and follows the edit', async (t) => {
  const station = await shared
  const cells = { fire: { North: cell(), South: cell({ min_severity: 'immediate' }) } }
  station.configure(configuration({ regions: four, cells }))
  const event = {
    id: 'f1',
    source: 'test',
    family: 'fire',
    severity: 'critical',
    title: 'Fire',
    regions: ['North', 'South']
  }
  t.equal((await station.post('/api/events', event)).status, 202)
  const watched = await open(t, station, '/mesh-a/routing?event=f1&source=test')
  if (watched === null) return
  const { page, errors } = watched
  await until(page, '#cell-2-0 .verdict', /sent/)
  t.match(await text(page, '#cell-2-1 .verdict'), /suppressed|held/)
  t.match(await nameAt(page, 2, 1), /Fire, South: .*, suppressed; .*Lower the floor/)
  await page.click('#cell-2-1')
  await page.select('dialog.editor p:nth-of-type(4) select', 'routine')
  await until(page, '#cell-2-1 .verdict', /sent/)
  await screenshot(page, 'routing-verdicts-1440')
  t.same(errors, [])
})

t.test('two browsers at once: what changed there and here is shown, and merged cell by cell', async (t) => {
  const station = await shared
  station.configure(configuration({ regions: four, cells: { fire: { North: cell(), South: cell({ mt: 1 }) } } }))
  const [mine, other] = [await open(t, station), await open(t, station)]
  if (mine === null || other === null) return
  const set = async (page: Page, id: string, mt: string) => {
    await page.click(id)
    await page.select('dialog.editor select', mt)
    await push(page, 'Done', 'dialog.editor')
  }
  await set(mine.page, '#cell-2-0', '0')
  await set(mine.page, '#cell-1-1', '1')
  await set(other.page, '#cell-2-0', '4')
  await set(other.page, '#cell-2-1', '2')
  await push(other.page, 'Save', '.bar')
  await until(other.page, '#dirty', /^Saved/)
  await until(mine.page, '.news', /Somebody else has saved the matrix meanwhile/)
  t.equal(await text(mine.page, '#dirty'), '2 changes, not saved', 'nothing edited here is lost')
  await push(mine.page, 'Save', '.bar')
  await mine.page.waitForSelector('dialog.conflict')
  await screenshot(mine.page, 'routing-conflict-1440')
  t.same(await axeViolations(mine.page), [])
  const rows = await mine.page.$$eval('.changes > li', (all) =>
    all.map((row) => `${row.dataset['kind']} ${row.textContent?.replace(/\s+/g, ' ').trim()}`)
  )
  t.match(rows, [
    /^conflict Fire, North.*It was: Meshtastic 3 Channel 3.*Keep mine: Meshtastic 0 ShortFast.*Take theirs: Meshtastic 4 Channel 4/,
    /^there Fire, South changed there.*Meshtastic 1 Channel 1.*→ Meshtastic 2 Channel 2/,
    /^here Weather, South changed here.*none → Meshtastic 1 Channel 1/
  ])
  t.ok(
    await mine.page.$eval('dialog.conflict .primary', (button) => (button as HTMLButtonElement).disabled),
    'a conflict is chosen by a person'
  )
  await mine.page.click('dialog.conflict input[value=here]')
  await push(mine.page, 'Merge and save', 'dialog.conflict')
  await until(mine.page, '#dirty', /^Saved/)
  const wanted = { fire: { North: cell({ mt: 0 }), South: cell({ mt: 2 }) }, weather: { South: cell({ mt: 1 }) } }
  t.same((await station.stored()).cells, wanted)
  await other.page.waitForFunction(() => document.querySelector('#cell-1-1')?.textContent?.includes('Meshtastic 1'))
  t.equal(await text(other.page, '#dirty'), '', 'where nothing is edited the new version comes by itself')
  t.ok(
    mine.errors.every((line) => line.includes('412')),
    mine.errors.join()
  )
})

t.test(
  'the switch of a network is turned, undone and saved, and a merge keeps it beside what others changed',
  async (t) => {
    const station = await shared
    station.configure(configuration({ regions: four, cells: { fire: { North: cell({ mc: 'wx' }) } } }))
    const [mine, other] = [await open(t, station), await open(t, station, '/mesh-b/routing')]
    if (mine === null || other === null) return
    await mine.page.click('#mc_enabled')
    await until(mine.page, '.networks', /On for Meshtastic.*Off for MeshCore/)
    await until(mine.page, '#cell-2-0', /off for MeshCore/)
    await press(mine.page, 'Control+z')
    await until(mine.page, '.networks', /On for MeshCore/)
    await press(mine.page, 'Control+y')
    await until(mine.page, '#dirty', /^1 change, not saved/)
    await other.page.click('#mt_enabled')
    await push(other.page, 'Save', '.bar')
    await until(other.page, '#dirty', /^Saved/)
    await push(mine.page, 'Save', '.bar')
    await mine.page.waitForSelector('dialog.conflict')
    t.match(await text(mine.page, 'dialog.conflict'), /turned off for Meshtastic there/)
    t.same(await axeViolations(mine.page), [])
    await push(mine.page, 'Merge and save', 'dialog.conflict')
    await until(mine.page, '#dirty', /^Saved/)
    t.match(await station.stored(), { enabled: true, mt_enabled: false, mc_enabled: false })
    await until(other.page, '.networks', /Off for Meshtastic.*Off for MeshCore/)
  }
)

t.test('a region renamed on disk is an orphan without a restart, also beside edits', async (t) => {
  const station = await shared
  const cells = { fire: { North: cell() } }
  station.configure(configuration({ regions: ['North', 'South'], cells }))
  const watched = await open(t, station)
  if (watched === null) return
  const { page } = watched
  station.configure(configuration({ regions: ['North Valley', 'South'], cells }))
  await until(page, 'thead', /North Valley.*South.*North no such area/)
  await until(page, '.warnings', /No coverage area is named “North”/)
  t.match(await nameAt(page, 2, 2), /Fire, North: Meshtastic 3 Channel 3, from routine, on, no such area/)
  await page.click('#cell-2-1')
  await page.select('dialog.editor select', '1')
  await push(page, 'Done', 'dialog.editor')
  station.configure(configuration({ regions: ['Far South', 'North'], cells }))
  await until(page, 'thead', /Far South.*North.*South no such area/)
  t.equal(await text(page, '#dirty'), '1 change, not saved')
})

t.test('eight MT channels are a warning while editing and after saving, and never hinder it', async (t) => {
  const station = await shared
  const row = Object.fromEntries(['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name, mt) => [name, cell({ mt })]))
  station.configure(configuration({ regions: [...'ABCDEFGH'], cells: { fire: row } }))
  const watched = await open(t, station)
  if (watched === null) return
  const { page } = watched
  t.equal((await page.$$('[data-code=mt_channels_exceeded]')).length, 0)
  await page.click('#cell-2-7')
  await page.select('dialog.editor select', '7')
  await until(page, '[data-code=mt_channels_exceeded]', /8 different Meshtastic channels are in use/)
  await push(page, 'Done', 'dialog.editor')
  await push(page, 'Save', '.bar')
  await until(page, '#dirty', /^Saved, with 1 warning/)
  await until(page, '[data-code=mt_channels_exceeded]', /8 different/)
  t.equal((await station.stored()).cells['fire']?.['H']?.['mt'], 7)
})

t.test('what hinders saving is told, and the edits stay: a broken file, nobody signed in', async (t) => {
  const station = await shared
  const config = configuration({ regions: four })
  station.configure(config)
  const watched = await open(t, station)
  if (watched === null) return
  const { page } = watched
  const edit = async (mt: string) => {
    await page.click('#cell-2-0')
    await page.select('dialog.editor select', mt)
    await push(page, 'Done', 'dialog.editor')
  }
  await edit('1')
  writeFileSync(station.file, '{\n  "oops"')
  await push(page, 'Save', '.bar')
  await until(page, '[data-hindrance="409"]', /Not saved: .*config\.json.*Your changes are kept here/)
  t.equal(await text(page, '#dirty'), '1 change, not saved')
  station.configure(config)
  await push(page, 'Try again')
  await until(page, '#dirty', /^Saved/)
  // Behind a proxy that says nothing about who asks, nobody is the operator.
  station.configure({ ...config, http: { trusted_proxies: ['10.9.8.7'] } })
  await until(page, '.notices', /Saving needs the operator/)
  await edit('2')
  await push(page, 'Save', '.bar')
  await until(page, '[data-hindrance="401"]', /Sign in/)
  t.equal(
    await page.$eval('[data-hindrance="401"] a', (link) => link.getAttribute('href')),
    '/sign-in?back=%2Fmesh-a%2Frouting'
  )
  t.equal(await text(page, '#dirty'), '1 change, not saved')
  station.configure(config)
})

t.test(
  'saving while the station restarts: it says so, keeps the edits, and saves when the station is back',
  async (t) => {
    const folder = t.testdir({ data: { 'config.json': JSON.stringify(configuration({ regions: four })) } })
    const start = (port: string) =>
      running(
        launch(t, { args: ['start', '--port', port, '--data', 'data'], cwd: folder, env: { LOOKOUT_LOG: 'error' } })
      )
    const first = withFile(await start('0'), folder)
    const watched = await open(t, first)
    if (watched === null) return
    const { page } = watched
    await page.click('#cell-2-0')
    await page.select('dialog.editor select', '3')
    await push(page, 'Done', 'dialog.editor')
    await first.launched.kill()
    await push(page, 'Save', '.bar')
    await until(page, '[data-hindrance=waiting]', /does not answer.*Your changes are kept here/)
    t.equal(await text(page, '#dirty'), '1 change, not saved')
    await screenshot(page, 'routing-waiting-1440')
    const second = withFile(await start(new URL(first.url).port), folder)
    await until(page, '#dirty', /^Saved/)
    t.same((await second.stored()).cells, { fire: { North: cell() } })
    t.equal(
      await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true }))),
      true,
      'nothing is unsaved'
    )
    await page.click('#cell-2-0')
    await page.select('dialog.editor select', '2')
    t.equal(
      await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true }))),
      false,
      'leaving asks'
    )
  }
)

t.test('on a phone the longest word of a region pushes nothing out of the window', async (t) => {
  const station = await shared
  station.configure(
    configuration({ regions: ['Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'], cells: {} })
  )
  const watched = await open(t, station, '/mesh-a/routing', 360)
  if (watched === null) return
  const { page } = watched
  // As in German: a longer word on the button.
  await page.$eval('.card .add', (button) => button.append(' a cell'))
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
})

t.test(
  'on a phone: one region or family at a time with its filled cells, and the form at the lower edge',
  async (t) => {
    const station = await shared
    station.configure(configuration({ regions: four, cells: some }))
    const watched = await open(t, station, '/mesh-a/routing', 360)
    if (watched === null) return
    const { page, errors } = watched
    t.match(await text(page, '.card'), /^North ?1 cell, from priority ?Add ?Fire, North: .*Fire ?3 Channel 3/)
    t.equal((await page.$$('.card')).length, 1)
    await page.tap('.switcher button:last-child')
    await page.tap('.card .add')
    await page.waitForSelector('dialog.editor.below')
    const places = await page.$$eval('dialog.editor .field:first-of-type option', (all) =>
      all.map((option) => option.textContent)
    )
    t.match(places.slice(0, 2), ['Mesh health, South', 'Fire, South'], 'only empty cells')
    await page.select('dialog.editor .field:first-of-type select', 'fire\u0000South')
    await page.select('dialog.editor .field:nth-of-type(2) select', '1')
    const sheet = await page.$eval('dialog.editor', (dialog) => dialog.getBoundingClientRect().toJSON())
    t.equal(Math.round(sheet.bottom), 740)
    await push(page, 'Done', 'dialog.editor')
    t.match(await text(page, '.card'), /Fire, South: Meshtastic 1 Channel 1, from routine, on, changed, not saved/)
    const small = await page.$$eval('#routing :is(button, select, input:not([type=checkbox]), summary)', (all) =>
      all.filter((element) => element.getBoundingClientRect().height < 43.5).map((element) => element.textContent)
    )
    t.same(small, [], 'large enough for a thumb')
    await page.evaluate(() => scrollTo(0, 20))
    const bar = await page.$eval('.bar', (element) => element.getBoundingClientRect().toJSON())
    t.ok(bar.bottom <= 741 && bar.top > 500, 'what saves is at the lower edge')
    await push(page, 'By family')
    await page.select('.switcher select', 'fire')
    t.match(await text(page, '.card'), /^Fire ?3 cells, from routine/)
    await push(page, 'Save', '.bar')
    await until(page, '#dirty', /^Saved/)
    t.equal((await station.stored()).cells['fire']?.['South']?.['mt'], 1)
    t.same(errors, [])
  }
)

t.test('on 10 × 40 one edit is on the screen within 80 ms on a processor four times slower', async (t) => {
  const station = await shared
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
  station.configure(configuration({ regions, cells }))
  const watched = await open(t, station)
  if (watched === null) return
  const { page } = watched
  t.equal(await page.$$eval('tbody td', (all) => all.length), 400)
  t.equal(await page.$$eval('#routing table :is(input, select)', (all) => all.length), 0)
  await (await page.createCDPSession()).send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.click('#cell-2-1')
  const round = () =>
    page.evaluate(async () => {
      const select = document.querySelector<HTMLSelectElement>('dialog.editor select')
      const times: number[] = []
      for (let n = 0; select && n < 15; n++) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        const began = performance.now()
        select.value = String(n % 5)
        select.dispatchEvent(new Event('change', { bubbles: true }))
        await new Promise<void>((resolve) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => resolve()
            port2.postMessage(null)
          })
        )
        times.push(performance.now() - began)
        if (!document.querySelector('#cell-2-1')?.textContent?.includes(`Meshtastic ${n % 5}`)) return []
      }
      return times.sort((a, b) => a - b)
    })
  // The machine may be busy with something else: the best of five rounds counts.
  const rounds: { taken: number; limit: number }[] = []
  while (rounds.length < 5 && !rounds.some(({ taken, limit }) => taken <= limit)) {
    const before = await slowness(page)
    const taken = (await round())[7] ?? 1000
    rounds.push({ taken, limit: MOST_MS * Math.max(before, await slowness(page)) })
  }
  const { taken, limit } = rounds.at(-1) ?? { taken: 1000, limit: 0 }
  t.comment(`one edit: median ${taken.toFixed(1)} ms, limit ${limit.toFixed(1)}, slowness ${await slowness(page)}`)
  t.ok(taken <= limit, `median ${taken.toFixed(1)} ms, limit ${limit.toFixed(1)}`)
})
