/// <reference lib="dom" />
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { startLookout } from '../helpers/process.ts'
import { axeViolations, closeBrowser, openPage, screenshot, WIDTHS } from './harness.ts'

t.teardown(closeBrowser)

/** The panel by itself, with a matrix that the test edits: what the routing pages give it. */

const at = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

const config = {
  station: { timezone: 'America/Boise' },
  coverage: {
    region_tagging: true,
    areas: [
      { name: 'North', bbox: [-117, 43.5, -115.5, 44.5] },
      { name: 'South', bbox: [-117, 42.5, -115.5, 43.49] }
    ]
  },
  radios: [
    { id: 'mt1', network: 'mt', link: 'simulated' },
    { id: 'mc1', network: 'mc', link: 'simulated' }
  ],
  notifications: {
    coalesce_seconds: 0,
    toggles: { fire: { cooldown_seconds: 0 } },
    region_routes: {
      enabled: true,
      cells: {
        fire: {
          North: { mt: 3, mc: 'north-fire', fallback: true },
          South: { mt: 2, min_severity: 'immediate' }
        }
      }
    }
  }
}

const fire = {
  source: 'wfigs',
  family: 'fire',
  severity: 'priority',
  title: 'Pine Ridge Fire',
  circle: { lat: 43.5, lon: -116.2, radius_km: 12 },
  sent_at: at(-20),
  expires: at(600)
}

type Verdicts = Record<string, { state: string; reason: string; change: string }> | null

interface Panel {
  page: Page
  errors: string[]
  verdicts: () => Promise<Verdicts>
  /** Sets a cell of the edited matrix. */
  edit: (family: string, region: string, cell: object) => Promise<void>
}

async function mounted(t: Test, width: number): Promise<Panel | null> {
  const station = await startLookout(t, 'data', {
    cwd: t.testdir({ data: { 'config.json': JSON.stringify(config) } }),
    env: { LOOKOUT_LOG: 'error' }
  })
  const answers = await station.post('/api/events', [
    { ...fire, id: 'f1' },
    { ...fire, id: 'f2', title: 'Second fire', circle: { lat: 44.2, lon: -116.2, radius_km: 5 } },
    { ...fire, id: 'q1', family: 'seismic', severity: 'routine', title: 'Earthquake', source: 'usgs' }
  ])
  t.equal(answers.status, 202)
  const watched = await openPage(t, { base: station.url, width, height: 740 })
  if (watched === null) return null
  const { page, errors } = watched
  await page.goto(`${station.url}/docs/api`, { waitUntil: 'load' })
  await page.evaluate(`(async () => {
    const { html, render, signal } = await import('/static/vendor/ui.js')
    const { TrialPanel } = await import('/static/trial/panel.js')
    const saved = await (await fetch('/api/notifications/region-routing')).json()
    const edited = signal(structuredClone(saved))
    Object.assign(globalThis, { edited, verdicts: null })
    const place = document.querySelector('main')
    place.innerHTML = '<h1>Routing</h1><div></div>'
    const onVerdicts = (map) => { globalThis.verdicts = map }
    const props = { matrix: () => edited.value, saved: () => saved, onVerdicts }
    render(html\`<\${TrialPanel} ...\${props} />\`, place.lastElementChild)
  })()`)
  return {
    page,
    errors,
    verdicts: () =>
      page.evaluate(() => {
        const { verdicts } = globalThis as unknown as { verdicts: Map<string, never> | null }
        return verdicts === null
          ? null
          : Object.fromEntries([...verdicts].map(([key, verdict]) => [key.replace('\u0000', ' '), verdict]))
      }),
    edit: (family, region, cell) =>
      page.evaluate(
        (row, column, value) => {
          const { edited } = globalThis as unknown as { edited: { value: { cells: Record<string, object> } } }
          const { cells } = edited.value
          edited.value = { ...edited.value, cells: { ...cells, [row]: { ...cells[row], [column]: value } } }
        },
        family,
        region,
        cell
      )
  }
}

const says = (page: Page, selector: string, text: string): Promise<unknown> =>
  page.waitForFunction(
    (where, what) => document.querySelector(where)?.textContent?.replace(/\s+/g, ' ').includes(what),
    { timeout: 15_000 },
    selector,
    text
  )

async function choose(page: Page, index: number): Promise<void> {
  if ((await page.$('.trial-explain')) === null) await page.click('.trial > details:nth-of-type(1) > summary')
  await page.waitForSelector('.trial-choice')
  await (await page.$$('.trial-choice input'))[index]?.click()
}

t.test('an event lights up the cells, says what would have to change, and follows every edit', async (t) => {
  const panel = await mounted(t, 1440)
  if (panel === null) return
  const { page, errors, verdicts, edit } = panel
  await choose(page, 2)
  await says(page, '.trial-headline', '1 message would be sent.')
  t.match(await verdicts(), {
    'fire North': {
      state: 'sent',
      reason: /Meshtastic 3: would be sent .*; MeshCore north-fire: stands by/,
      change: /^MeshCore north-fire: It stands in for Meshtastic channel 3/
    },
    'fire South': { state: 'suppressed', reason: 'below the floor of the cell', change: 'Lower the floor to priority.' }
  })
  const message = await page.$eval('.trial-result .messages', (list) => list.textContent?.replace(/\s+/g, ' ') ?? '')
  t.match(message, /Meshtastic 3 by the matrix North.*Pine Ridge Fire.*\d+ bytes · \d\.\d\d s on the air/)
  t.match(message, /MeshCore north-fire .*only if Meshtastic 3 does not get through/)

  await edit('fire', 'South', { mt: 2, mc: null, min_severity: 'routine', enabled: true })
  await says(page, '.trial-headline', '2 messages would be sent.')
  t.match(await verdicts(), { 'fire South': { state: 'sent', change: '' } })
  await edit('fire', 'South', { mt: 2, mc: null, min_severity: 'routine', enabled: false })
  await says(page, '.trial-cells', 'Switch the cell on.')
  t.match(await verdicts(), {
    'fire South': { state: 'none', reason: 'the cell is off', change: 'Switch the cell on.' }
  })

  await page.$$eval('.trial-explain input[type=checkbox]', (all) => all[0]?.click())
  await says(page, '.trial-headline', 'Nothing would be sent')
  t.match(await verdicts(), { 'fire North': { state: 'suppressed', reason: /told already/ } }, 'as it is, it was told')
  await page.$$eval('.trial-explain button', (all) => all.at(-1)?.click())
  await page.waitForFunction(() => document.querySelector('.trial-result') === null)
  t.equal(await verdicts(), null, 'the matrix is told that nothing is shown any more')
  t.same(errors, [])
})

t.test('a matrix the station refuses is told with its reason', async (t) => {
  const panel = await mounted(t, 768)
  if (panel === null) return
  const { page, verdicts, edit } = panel
  await choose(page, 0)
  await says(page, '.trial-headline', 'Nothing would be sent')
  await edit('fire', 'South', { mt: 99, mc: null, min_severity: 'routine', enabled: true })
  await page.waitForSelector('.trial-explain .refusal')
  t.match(await page.$eval('.trial-explain .refusal', ({ textContent }) => textContent), /mt/)
  t.equal(await verdicts(), null)
})

t.test('an event is found by words, or described: by regions, position or codes', async (t) => {
  const panel = await mounted(t, 360)
  if (panel === null) return
  const { page, errors, verdicts } = panel
  await page.click('.trial > details:nth-of-type(1) > summary')
  await page.waitForSelector('.trial-choice')
  await page.type('.trial input[type=search]', 'second')
  await page.waitForFunction(() => document.querySelectorAll('.trial-choice').length === 1)
  await page.$$eval('.trial-explain .choices button', (all) => all[1]?.click())
  await page.waitForSelector('.trial-form select option[value=fire]')
  const [family = '', severity = '', place = ''] = await page.$$eval('.trial-form select', (all) =>
    all.map(({ id }) => `[id="${id}"]`)
  )
  await page.select(family, 'fire')
  await page.select(severity, 'immediate')
  await page.$$eval('.trial-form fieldset input', (all) => all[1]?.click())
  await page.click('.trial-form button')
  await says(page, '.trial-headline', '1 message would be sent. It touches South.')
  t.match(await verdicts(), {
    'fire South': { state: 'sent' },
    'fire North': { state: 'none', reason: 'region not touched' }
  })

  await page.select(place, 'point')
  const inputs = await page.$$eval('.trial-form input[inputmode=decimal]', (all) => all.map(({ id }) => `[id="${id}"]`))
  for (const [index, value] of ['44,0', '-116.2', '5'].entries()) await page.type(inputs[index] ?? '', value)
  await page.click('.trial-form button')
  await says(page, '.trial-headline', 'It touches North.')
  t.match(await verdicts(), { 'fire North': { state: 'sent' } })

  await page.select(place, 'codes')
  await page.type('.trial-form input[placeholder]', 'idc001')
  await page.click('.trial-form button')
  await says(page, '.trial-headline', 'It touches North')
  t.same(errors, [])
})

t.test('the last days are counted with both matrices and compared by channel', async (t) => {
  for (const width of WIDTHS) {
    const panel = await mounted(t, width)
    if (panel === null) return
    const { page, errors, edit } = panel
    await choose(page, 2)
    await says(page, '.trial-headline', '1 message')
    await edit('fire', 'South', { mt: 2, mc: null, min_severity: 'routine', enabled: true })
    await edit('fire', 'North', { mt: null, mc: 'north-fire', min_severity: 'routine', enabled: true })
    // The answer about the event follows the edits, and what stands below it moves.
    await says(page, '.trial-headline', '2 messages')
    await page.$eval('.trial > details:nth-of-type(2) > summary', (one) => one.scrollIntoView({ block: 'center' }))
    await page.click('.trial > details:nth-of-type(2) > summary')
    await page.waitForSelector('.trial-backtest button.primary')
    await page.click('.trial-backtest button.primary')
    await page.waitForSelector('.trial-counts')
    const rows = await page.$$eval('.trial-counts tr', (all) =>
      all.map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent?.replace(/\s+/g, ' ').trim()))
    )
    t.same(rows, [
      ['Channel', 'Messages'],
      ['MeshCore north-fire', '2 +2'],
      ['Meshtastic 2', '1 +1'],
      ['Meshtastic 3', '0 −2'],
      ['All', '3 +1']
    ])
    t.match(
      await page.$eval('.trial-backtest', ({ textContent }) => textContent),
      /Busiest hour of MeshCore: .*budget of/s
    )
    await page.$$eval('.trial-result details', (all) => all.forEach((one) => void one.setAttribute('open', '')))
    await screenshot(page, `trial-${width}`)
    t.same(await axeViolations(page), [], `axe at ${width}`)
    // The picture of the whole page changed its size for a moment: the frame after it is the reader's.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    )
    t.ok(overflow <= 0, `nothing sticks out sideways at ${width} (${overflow} px)`)
    t.same(errors, [], `console at ${width}`)
    await page.close()
  }
})

t.test('counting shows that it runs, and can be given up', async (t) => {
  const panel = await mounted(t, 360)
  if (panel === null) return
  const { page } = panel
  await page.setRequestInterception(true)
  const held: (() => void)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/backtest')) held.push(() => void request.continue())
    else void request.continue()
  })
  await page.click('.trial > details:nth-of-type(2) > summary')
  await page.waitForSelector('.trial-backtest button.primary')
  await page.click('.trial-backtest button.primary')
  await says(page, '.trial-backtest', 'Counting with the edited matrix (1 of 2)')
  t.ok(await page.$('.trial-backtest progress'))
  await page.click('.trial-backtest button')
  await page.waitForSelector('.trial-backtest button.primary')
  await page.waitForFunction(() => document.querySelector('.trial-backtest progress') === null)
  t.equal(await page.$('.trial-backtest .refusal'), null, 'what was given up is no failure')
  t.equal(held.length, 1)
})
