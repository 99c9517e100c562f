/** The dozen pictures that `test/browser/pictures.test.ts` holds: every kind of page, every theme and width, both languages, and the bad days. */
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { type Pictures, steady } from '../test/browser/picture-compare.ts'
import { type Language, openSubject, SUBJECTS, settled, type Theme, wear } from './screenshot-pages.ts'
import type { Stage, World } from './screenshot-worlds.ts'

export interface Chosen {
  name: string
  page: string
  world: World
  /** The wire to the station is cut before the picture is taken. */
  gone?: boolean
  width: number
  theme: Theme
  language: Language
}

type Row = readonly [page: string, world: World | 'gone', width: number, theme: Theme, language: Language]

const ROWS: readonly Row[] = [
  ['now', 'empty', 360, 'light', 'de'],
  ['now', 'small', 1440, 'light', 'en'],
  ['now', 'gone', 1440, 'dark', 'en'],
  ['now', 'broken', 768, 'light', 'de'],
  ['alerts', 'small', 360, 'dark', 'en'],
  ['alerts', 'broken', 768, 'light', 'en'],
  ['event', 'small', 1440, 'night', 'en'],
  ['mt-routing', 'full', 1440, 'light', 'en'],
  ['mt-routing', 'full', 360, 'dark', 'de'],
  ['routing-conflict', 'small', 768, 'light', 'en'],
  ['coverage', 'small', 1440, 'dark', 'en'],
  ['radios', 'small', 768, 'light', 'de']
]

export const CHOSEN: readonly Chosen[] = ROWS.map(([page, state, width, theme, language]) => {
  const name = `${page}-${state}-${width}-${theme}-${language}`
  const isGone = state === 'gone'
  return { name, page, world: isGone ? 'small' : state, gone: isGone, width, theme, language }
})

/** Where they lie, a quarter of their size. */
export const PICTURES = join(import.meta.dirname, '../test/golden/pictures')

/** The page of a chosen picture, dressed for it. The caller closes its context. */
export async function openChosen(browser: Browser, place: Stage, chosen: Chosen): Promise<Page> {
  const { page: name, width, language, theme, gone } = chosen
  const subject = SUBJECTS.find((one) => one.name === name)
  if (subject === undefined) throw new Error(`no page is called ${name}`)
  const page = await openSubject(browser, place, subject, { width, language })
  if (gone) {
    place.cut()
    await page.waitForSelector('html[data-gone]')
    await settled(page)
  }
  await wear(page, theme)
  await steady(page)
  return page
}

/** The part that is seen without scrolling, as it is: in base64. */
export async function photo(page: Page): Promise<string> {
  return page.screenshot({ encoding: 'base64', optimizeForSpeed: true })
}

/** A chosen picture as it is kept. */
export async function take(browser: Browser, place: Stage, given: { chosen: Chosen; pictures: Pictures }) {
  const page = await openChosen(browser, place, given.chosen)
  try {
    const whole = await photo(page)
    return { whole, small: await given.pictures.reduced(whole) }
  } finally {
    place.join()
    await page.browserContext().close()
  }
}
