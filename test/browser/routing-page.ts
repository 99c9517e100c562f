/// <reference lib="dom" />
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import type { Test } from 'tap'
import type { Running } from '../helpers/process.ts'
import { openPage } from './harness.ts'

export type Json = Record<string, unknown>
export const ROUTE = '/api/notifications/region-routing'
export const cell = (patch: Json = {}) => ({ mt: 3, mc: null, min_severity: 'routine', enabled: true, ...patch })

/** A configuration of these regions and cells, with radios that know some channels only. */
export function configuration({ regions, cells = {}, ...more }: { regions: string[]; cells?: Json } & Json) {
  return {
    coverage: { areas: regions.map((name, n) => ({ name, bbox: [-117 + n / 10, 42, -116.9 + n / 10, 43] })) },
    radios: [
      { id: 'a', network: 'mt', link: 'simulated', channels: [0, 1, 2, 3, 4] },
      { id: 'b', network: 'mc', link: 'simulated', channels: ['wx', 'fire-north'] }
    ],
    notifications: { region_routes: { enabled: true, cells } },
    ...more
  }
}

export interface Setup extends Running {
  file: string
  configure: (config: unknown) => void
  stored: () => Promise<{ enabled: boolean; cells: Record<string, Record<string, Json>> }>
}

export function withFile(station: Running, folder: string): Setup {
  const file = join(folder, 'data', 'config.json')
  return {
    ...station,
    file,
    configure: (config) => writeFileSync(file, JSON.stringify(config, null, 2)),
    stored: async () =>
      (await station.get<{ enabled: boolean; cells: Record<string, Record<string, Json>> }>(ROUTE)).json
  }
}

/** The page with its script running. */
export async function open(t: Test, station: { url: string }, path = '/mesh-a/routing', width = 1440) {
  const watched = await openPage(t, { base: station.url, width, height: width < 600 ? 740 : 900 })
  if (watched === null) return null
  await watched.page.goto(station.url + path, { waitUntil: 'load' })
  await watched.page.waitForSelector('.cards, .matrix.grid, #routing .dock .bar')
  await watched.page.waitForSelector('.connection[data-state="live"]').catch(() => undefined)
  return watched
}

/** The name that a screen reader is told of the cell at this row and column. */
export const nameAt = (page: Page, row: number, column: number) => text(page, `#cell-${row}-${column} > .hidden`)
export const text = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.textContent?.replace(/\s+/g, ' ').trim() ?? '')
export const until = (page: Page, selector: string, wanted: RegExp) =>
  page
    .waitForFunction(
      (selector, source) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ''),
      { timeout: 30_000 },
      selector,
      wanted.source
    )
    .catch(async () => {
      throw new Error(`${selector} never said ${wanted}, but: ${await text(page, selector).catch(String)}`)
    })
export const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) {
    const [last = '', ...held] = key.split('+').reverse()
    for (const hold of held) await page.keyboard.down(hold as 'Control')
    await page.keyboard.press(last as 'a')
    for (const hold of held) await page.keyboard.up(hold as 'Control')
  }
}
/** Clicks the button with exactly these words. */
export const push = async (page: Page, words: string, within = 'body') => {
  await page.waitForFunction(
    (words, within) =>
      [...document.querySelectorAll<HTMLButtonElement>(`${within} button`)].some(
        (button) => button.textContent?.trim() === words && !button.disabled
      ),
    { timeout: 20_000 },
    words,
    within
  )
  for (const button of await page.$$(`${within} button`)) {
    if ((await button.evaluate((element) => element.textContent?.trim())) === words) return button.click()
  }
}

/** The time that a fixed piece of work takes on a processor four times slower than that of docs/measurements.md. Milliseconds. */
const REFERENCE_MS = 4

/** The present slowness of this browser against that machine, at the same throttle. At least 1. */
export const slowness = (page: Page) =>
  page.evaluate((usual) => {
    const table = Array.from({ length: 1500 }, (_, n) => ({ id: `cell-${n}`, sends: [n, `channel ${n}`, { n }] }))
    const costs = Array.from({ length: 15 }, () => {
      const began = performance.now()
      JSON.parse(JSON.stringify(table))
      return performance.now() - began
    })
    return Math.max(1, (costs.sort((a, b) => a - b)[7] ?? usual) / usual)
  }, REFERENCE_MS)
