/// <reference lib="dom" />
import { existsSync } from 'node:fs'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { type Running, startLookout } from '../helpers/process.ts'
import { chromium } from './chromium.ts'
import { closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(300_000)

/** The head of every page (docs/design.md): what is always in sight must not push aside what somebody is about to touch. */

/** The second one takes more room than a phone has beside the problems. */
const NAMES = ['Camas Prairie', 'Freiwillige Feuerwehr Oberammergau Nord'] as const
/** Below the second one a phone; in between and above, a tablet and a desk. */
const WIDTHS = [320, 360, 768, 1440] as const
/** Short, and long enough to scroll. */
const PAGES = ['/audit', '/profile'] as const

/** The left and upper edges of what could be touched, px; what is in the head, and what stands below it. */
const places = (page: Page, ...more: string[]): Promise<Record<string, string>> =>
  page.evaluate((more) => {
    const touched = [...more, '.station a', '#heard', 'main h1', 'main p', 'footer a']
    const at = touched.map((selector) => {
      const { left, top } = document.querySelector(selector)?.getBoundingClientRect() ?? { left: -1, top: -1 }
      return [selector, `${Math.round(left)}, ${Math.round(top)}`]
    })
    return Object.fromEntries(at)
  }, more)

async function open(t: Test, { station, width, path }: { station: Running; width: number; path: string }) {
  const watched = await openPage(t, { base: station.url, width, height: 740 })
  if (watched === null) throw new Error('no browser')
  const { page } = watched
  await page.goto(station.url + path, { waitUntil: 'load' })
  return page
}

const named = (t: Test, name: string): Promise<Running> =>
  startLookout(t, t.testdir({ 'config.json': JSON.stringify({ station: { name } }) }), {
    args: ['--no-demo'],
    env: { LOOKOUT_LOG: 'error' }
  })

if (!existsSync(chromium())) t.comment(`skipped: no browser at ${chromium()}`)
else {
  for (const name of NAMES)
    t.test(`nothing moves when the connection and a problem are told beside the name ${name}`, async (t) => {
      const station = await named(t, name)
      for (const width of WIDTHS) {
        const page = await open(t, { station, width, path: '/audit' })
        await page.waitForSelector('#connection[data-state="live"]')
        const link = await page.$eval('#trouble a', ({ outerHTML }) => outerHTML)
        const before = await places(page)
        const sign = await page.$eval('#trouble', (sign) => sign.getBoundingClientRect().right)
        await page.$eval('#connection', (place) => place.replaceChildren())
        t.equal(
          await page.$eval('#trouble', (sign) => sign.getBoundingClientRect().right),
          sign,
          `${width}: connecting`
        )
        for (const said of [
          '',
          link,
          link.replace(/>[^<]+</, `>${'No source of warnings is switched on. '.repeat(3)}<`)
        ]) {
          await page.$eval(
            '#trouble',
            (sign, markup) => {
              sign.innerHTML = markup
            },
            said
          )
          t.same(await places(page), before, `${width}: ${said || 'no problem'}`)
        }
        await page.close()
      }
    })

  t.test('the words that the station is gone lie over the page, and nothing under a finger moves', async (t) => {
    const station = await named(t, 'Camas Prairie')
    const looks: { page: Page; before: Record<string, string>; look: string }[] = []
    for (const path of PAGES)
      for (const width of WIDTHS) {
        const page = await open(t, { station, width, path })
        await page.waitForSelector('#connection[data-state="live"]')
        looks.push({ page, before: await places(page, '#trouble a'), look: `${path} at ${width}` })
      }
    await station.launched.kill()
    for (const { page, before, look } of looks) {
      await page.bringToFront()
      await page.waitForSelector('html[data-gone] #gone', { timeout: 60_000 })
      t.same(await places(page, '#trouble a'), before, look)
      await page.evaluate(() => scrollTo(0, 0))
      const [words, title] = await page.$$eval('#gone, h1', (all) =>
        all.map((one) => ({ top: one.getBoundingClientRect().top, bottom: one.getBoundingClientRect().bottom }))
      )
      t.ok(
        words !== undefined && title !== undefined && words.bottom <= title.top,
        `${look}: scrolled up, it covers nothing`
      )
    }
  })
}
