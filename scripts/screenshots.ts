/**
 * Pictures of every page, of the built program with data that is the same every time: `npm run screenshots`.
 *
 * The pictures of a dozen of them are compared in `test/browser/pictures.test.ts`; `--accept` draws those anew.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { chromium } from '../test/browser/chromium.ts'
import { Pictures } from '../test/browser/picture-compare.ts'
import { CHOSEN, PICTURES, take } from './screenshot-chosen.ts'
import {
  heightOf,
  LANGUAGES,
  openSubject,
  STEADY,
  SUBJECTS,
  type Subject,
  settled,
  THEMES,
  WIDTHS,
  wear
} from './screenshot-pages.ts'
import { type Stage, stage, WORLDS } from './screenshot-worlds.ts'

const HELP = `npm run screenshots [-- options]: every page in every look, into artifacts/pages/.

  --page NAME      only this page (again for more): ${SUBJECTS.map(({ name }) => name).join(' ')}
  --world NAME     only ${WORLDS.join(', ')}; and gone: what a page shows when the station is lost
  --width PX       only ${WIDTHS.join(', ')}
  --theme NAME     only ${THEMES.join(', ')}
  --language CODE  only ${LANGUAGES.join(', ')}
  --only TEXT      only pictures whose name (page-world-width-theme-language) contains this
  --cover          only so many that each page shows in each of its worlds every width, theme and language once
  --list           the names, and no picture
  --out FOLDER     another folder
  --accept         draws the dozen of test/browser/pictures.test.ts anew instead: what they show now is what they shall show
`
const many = { type: 'string', multiple: true } as const
const { values } = parseArgs({
  options: {
    ...{ page: many, world: many, width: many, theme: many, language: many, only: many },
    ...{
      list: { type: 'boolean' },
      cover: { type: 'boolean' },
      help: { type: 'boolean' },
      out: { type: 'string' },
      accept: { type: 'boolean' }
    }
  }
})
const OUT = values.out ?? join(import.meta.dirname, '../artifacts/pages')
/** Nobody looks further down. */
const MOST_HIGH = 5000
const STATES = [...WORLDS, 'gone'] as const
type State = (typeof STATES)[number]

interface Shot {
  subject: Subject
  state: State
  width: number
  theme: (typeof THEMES)[number]
  language: (typeof LANGUAGES)[number]
  name: string
}

const wanted = (given: string[] | undefined, value: string): boolean => given === undefined || given.includes(value)

/** All pictures that were asked for. The lost station is that of the small world: what is old is seen best where there is something. */
function shots(): Shot[] {
  const all = STATES.flatMap((state) =>
    SUBJECTS.filter(({ worlds }) => worlds?.includes(state === 'gone' ? 'small' : state) ?? true).flatMap((subject) =>
      LANGUAGES.flatMap((language) =>
        WIDTHS.flatMap((width) =>
          THEMES.map((theme) => {
            const name = `${subject.name}-${state}-${width}-${theme}-${language}`
            return { subject, state, width, theme, language, name }
          })
        )
      )
    )
  )
  const looks = values.cover ? covering(all) : all
  return looks.filter(
    ({ subject, state, width, theme, language, name }) =>
      wanted(values.page, subject.name) &&
      wanted(values.world, state) &&
      wanted(values.width, String(width)) &&
      wanted(values.theme, theme) &&
      wanted(values.language, language) &&
      (values.only === undefined || values.only.some((text) => name.includes(text)))
  )
}

/**
 * Of each page in each of its states one picture a width, in another theme and language each time; which go together differs from state to state.
 * Sunlight, which sets colours as light does, is worn once a page, on a phone.
 */
function covering(all: readonly Shot[]): Shot[] {
  const turns = THEMES.length - 1
  const pages = [...grouped(all, ({ subject, state }) => `${subject.name} ${state}`).values()]
  const seen = new Set<Subject>()
  return pages.flatMap((shots, nth) => {
    const of = (width: number, theme: string, language: number): Shot[] =>
      shots.filter((shot) => shot.width === width && shot.theme === theme && shot.language === LANGUAGES[language % 2])
    const inTurn = WIDTHS.flatMap((width, n) => of(width, THEMES[(n + nth) % turns] ?? '', n + nth))
    const [subject] = shots.map((shot) => shot.subject)
    if (subject === undefined || seen.has(subject)) return inTurn
    seen.add(subject)
    return [...inTurn, ...of(WIDTHS[0], 'sunlight', nth)]
  })
}

async function shoot(page: Page, { name, theme, width }: Shot): Promise<void> {
  await wear(page, theme)
  const high = await page.evaluate(() => document.documentElement.scrollHeight)
  // A dialog lies over what can be seen, not over the whole page.
  const isTall = high > heightOf(width) && (await page.$('dialog[open]')) === null
  const clip = { x: 0, y: 0, width, height: Math.min(high, MOST_HIGH) }
  if (isTall) {
    // A head that sticks would be drawn where somebody had scrolled to.
    await page.evaluate(() => scrollTo(0, 0))
    await hideBars(page)
  }
  await page.screenshot({
    path: join(OUT, `${name}.png`) as `${string}.png`,
    optimizeForSpeed: true,
    ...(isTall ? { clip, captureBeyondViewport: true } : {})
  })
}

/** In a picture of the whole page the bars at the lower edge would lie over the middle of it. */
async function hideBars(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    const bars = '.bar-below, .menus { visibility: hidden } .dock { position: static !important }'
    sheet.replaceSync(`@media (max-width: 59.99rem) { ${bars} }`)
    document.adoptedStyleSheets = [sheet]
  })
}

/** One page in one language and width is loaded once and worn in every theme. */
async function series(browser: Browser, place: Stage, group: readonly Shot[]): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const { subject, width, language, state } = first
  const page = await openSubject(browser, place, subject, { width, language })
  try {
    if (state === 'gone') {
      place.cut()
      await page.waitForSelector('html[data-gone]', { timeout: 5000 }).catch(() => undefined)
      await settled(page)
    }
    for (const shot of group) await shoot(page, shot)
  } finally {
    place.join()
    await page.browserContext().close()
  }
}

function grouped<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

/** The kept pictures, drawn anew; `--only` names some of them. */
async function accept(browser: Browser): Promise<void> {
  mkdirSync(PICTURES, { recursive: true })
  const pictures = new Pictures(await browser.newPage())
  const asked = CHOSEN.filter(({ name }) => values.only?.some((text) => name.includes(text)) ?? true)
  for (const [world, list] of grouped(asked, ({ world }) => world)) {
    const place = await stage(world as (typeof WORLDS)[number])
    try {
      for (const chosen of list) {
        const { small } = await take(browser, place, { chosen, pictures })
        writeFileSync(join(PICTURES, `${chosen.name}.png`), Buffer.from(small, 'base64'))
      }
    } finally {
      await place.close()
    }
  }
  process.stdout.write(`${asked.length} pictures in ${PICTURES}: look at them before they are committed\n`)
}

async function shootAll(browser: Browser, all: readonly Shot[]): Promise<number> {
  let failed = 0
  for (const [, ofWorld] of grouped(all, ({ state }) => (state === 'gone' ? 'small' : state))) {
    const { state } = ofWorld[0] as Shot
    const place = await stage(state === 'gone' ? 'small' : state)
    try {
      const groups = grouped(ofWorld, (shot) => `${shot.subject.name} ${shot.state} ${shot.width} ${shot.language}`)
      for (const [name, group] of groups) {
        try {
          await series(browser, place, group)
        } catch (error) {
          failed++
          process.stderr.write(`${name}: ${String(error)}\n`)
        }
      }
    } finally {
      await place.close()
    }
  }
  process.stdout.write(`${all.length} pictures in ${OUT}${failed === 0 ? '' : `, ${failed} series failed`}\n`)
  return failed
}

async function main(): Promise<number> {
  const all = shots()
  if (values.help || values.list) {
    process.stdout.write(values.help ? HELP : `${all.map(({ name }) => name).join('\n')}\n`)
    return 0
  }
  mkdirSync(OUT, { recursive: true })
  const browser = await puppeteer.launch({ executablePath: chromium(), args: STEADY })
  try {
    if (!values.accept) return (await shootAll(browser, all)) === 0 ? 0 : 1
    await accept(browser)
    return 0
  } finally {
    await browser.close()
  }
}

process.exitCode = await main()
