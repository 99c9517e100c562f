/// <reference lib="dom" />
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { CHOSEN, type Chosen, openChosen, PICTURES, photo, take } from '../../scripts/screenshot-chosen.ts'
import { STEADY } from '../../scripts/screenshot-pages.ts'
import { type Stage, stage, WORLDS } from '../../scripts/screenshot-worlds.ts'
import { chromium } from './chromium.ts'
import { type Difference, MOST_CELLS, Pictures } from './picture-compare.ts'

/** Four stations in turn, one of them with a storm. */
t.setTimeout(300_000)

const FAILED = join(import.meta.dirname, '..', '..', 'artifacts', 'pictures')

/** Each is done to the page; `true` where the picture must tell. */
const CHANGES: readonly (readonly [what: string, css: string, isTold: boolean])[] = [
  ['a chip that is missing', '.alert .chip:first-child { visibility: hidden }', true],
  ['an alert that moved by twelve pixels', '.alerts > li:first-child { position: relative; top: 12px }', true],
  ['a card that lies over another', '.alerts > li:nth-child(2) { position: relative; top: -60px }', true],
  ['a word of severity without its colour', '.severity { color: inherit !important }', true],
  [
    'a line that ends in dots',
    '.alert h3 a { display: block; width: 6rem; overflow: hidden; white-space: nowrap }',
    true
  ],
  ['a map without its hazards', 'svg .hazard, svg .mark { display: none }', true],
  ['letters that are smoothed otherwise', '* { text-rendering: geometricPrecision !important }', false],
  ['an icon that is missing', 'nav .menu-item:first-child svg { visibility: hidden }', true],
  ['a page that stands two pixels lower', 'main { position: relative; top: 2px }', false],
  ['a shade that nobody sees', 'main { filter: brightness(0.98) }', false]
]

if (!existsSync(chromium()))
  t.comment(`skipped: no browser at ${chromium()} (apt-get install chromium-headless-shell, or set CHROMIUM)`)
else await compareAll(await puppeteer.launch({ executablePath: chromium(), args: STEADY }))

async function compareAll(browser: Browser): Promise<void> {
  t.teardown(() => browser.close())
  const pictures = new Pictures(await browser.newPage())
  for (const world of WORLDS)
    t.test(`the pages of the ${world} station look as they did`, async (t) => {
      const place = await stage(world)
      t.teardown(() => place.close())
      for (const chosen of CHOSEN.filter((one) => one.world === world)) {
        const { whole, small } = await take(browser, place, { chosen, pictures })
        const difference = await pictures.compare(small, kept(chosen.name))
        t.ok(difference.cells <= MOST_CELLS, told(chosen, difference, whole))
      }
      if (world === 'small')
        await t.test('and a picture that differs is told', (t) => tells(t, { browser, place, pictures }))
    })
}
function kept(name: string): string {
  return readFileSync(join(PICTURES, `${name}.png`)).toString('base64')
}

/** The difference, and where to look. */
function told({ name }: Chosen, { cells, box }: Difference, whole: string): string {
  if (cells <= MOST_CELLS) return name
  mkdirSync(FAILED, { recursive: true })
  const path = join(FAILED, `${name}.png`)
  writeFileSync(path, Buffer.from(whole, 'base64'))
  return `${name}: ${cells} cells differ within ${box?.join(' ')}. Look at ${path}; if it shall be so: npm run screenshots -- --accept`
}

async function tells(t: Test, given: { browser: Browser; place: Stage; pictures: Pictures }): Promise<void> {
  const { browser, place, pictures } = given
  const chosen = CHOSEN.find(({ name }) => name === 'now-small-1440-light-en')
  if (chosen === undefined) throw new Error('that picture is not among the dozen')
  const page = await openChosen(browser, place, chosen)
  t.teardown(() => page.browserContext().close())
  const before = await pictures.reduced(await photo(page))
  for (const [what, css, isTold] of CHANGES) {
    const undo = await adopt(page, css)
    const { cells } = await pictures.compare(await pictures.reduced(await photo(page)), before)
    t.equal(cells > MOST_CELLS, isTold, `${what}: ${cells} cells`)
    await undo()
  }
}

/** The policy of the pages lets no style in but those of the station, and those that a script makes. */
async function adopt(page: Page, css: string): Promise<() => Promise<void>> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets.push(sheet)
  }, css)
  return () => page.evaluate(() => void document.adoptedStyleSheets.pop())
}
