/// <reference lib="dom" />
import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import t from 'tap'
import { openSubject, STEADY, SUBJECTS, settled } from '../../scripts/screenshot-pages.ts'
import { type Stage, stage } from '../../scripts/screenshot-worlds.ts'
import { chromium } from './chromium.ts'

t.setTimeout(300_000)

/** They load themselves again, are made for paper, or tell nothing of the station that could grow old: without a script by design. */
const WITHOUT_A_SCRIPT = new Set(['alerts', 'missing', 'api', 'field-card', 'handbook', 'handbook-table'])
/** Its script is the form alone, as light as can be: nothing on it grows old. */
const SIGN_IN = new Set(['sign-in', 'claim'])

const pages = SUBJECTS.filter(
  ({ name, worlds, prepare }) =>
    !WITHOUT_A_SCRIPT.has(name) && !SIGN_IN.has(name) && prepare === undefined && (worlds?.includes('small') ?? true)
)
/** Pages that the tool draws on an empty station only are asked of this one too. */
const everywhere = SUBJECTS.filter(({ path, worlds }) => typeof path === 'string' && worlds?.join() === 'empty').filter(
  ({ name }) => !WITHOUT_A_SCRIPT.has(name) && !SIGN_IN.has(name)
)

/** Words of the head that are cut, and parts of it that stick out of it. */
const faultsOfTheHead = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const head = document.querySelector('body > header')
    if (head === null) return ['no head']
    const { top, bottom } = head.getBoundingClientRect()
    // On a phone the connection is a mark by design, and its words lie below the head.
    const isPhone = innerWidth <= 480
    const told = isPhone ? '' : ', .connection'
    const parts = [...head.querySelectorAll<HTMLElement>(`.station, .trouble a${told}`)]
    const cut = parts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
    const out = parts.filter((part) => {
      const box = part.getBoundingClientRect()
      return box.top < top - 1 || box.bottom > bottom + 1
    })
    return [
      ...cut.map(({ textContent }) => `cut: ${textContent}`),
      ...out.map(({ textContent }) => `sticks out: ${textContent}`)
    ]
  })

/** Everything green that is still painted so. */
const greens = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const probe = document.createElement('i')
    document.body.append(probe)
    document.documentElement.removeAttribute('data-gone')
    probe.style.color = 'var(--good)'
    const green = getComputedStyle(probe).color
    document.documentElement.setAttribute('data-gone', '')
    probe.remove()
    return [...document.querySelectorAll<HTMLElement>('main *')]
      .filter((part) => part.checkVisibility() && getComputedStyle(part).color === green)
      .map(({ className, textContent }) => `${className}: ${textContent?.trim().slice(0, 40)}`)
  })

async function lose(browser: Browser, place: Stage, look: { subject: (typeof SUBJECTS)[number]; width: number }) {
  const page = await openSubject(browser, place, look.subject, { width: look.width, language: 'de' })
  await page.waitForSelector('#connection[data-state="live"]', { timeout: 10_000 })
  place.cut()
  await page.waitForSelector('html[data-gone] #gone', { timeout: 10_000 })
  await settled(page)
  return page
}

const noBrowser = !existsSync(chromium())

if (noBrowser)
  t.comment(`skipped: no browser at ${chromium()} (apt-get install chromium-headless-shell, or set CHROMIUM)`)
else
  t.test(
    'a station that is gone is told on every page, nothing stays green, and no word of the head is cut',
    async (t) => {
      const browser = await puppeteer.launch({ executablePath: chromium(), args: STEADY })
      t.teardown(() => browser.close())
      const place = await stage('small')
      t.teardown(() => place.close())
      t.ok(pages.length > 12 && everywhere.length >= 8, [...pages, ...everywhere].map(({ name }) => name).join(' '))
      for (const subject of [...pages, ...everywhere])
        for (const width of subject.name === 'now' ? [360, 768] : [360]) {
          const page = await lose(browser, place, { subject, width })
          t.same(await faultsOfTheHead(page), [], `${subject.name} at ${width}`)
          t.same(await greens(page), [], `${subject.name} at ${width}: green`)
          place.join()
          await page.browserContext().close()
        }
    }
  )

if (!noBrowser)
  t.test('ten problems and more are counted in full beside the name of the station, on a phone too', async (t) => {
    const browser = await puppeteer.launch({ executablePath: chromium(), args: STEADY })
    t.teardown(() => browser.close())
    const place = await stage('broken')
    t.teardown(() => place.close())
    const [now] = SUBJECTS
    if (now === undefined) throw new Error('there is no page')
    for (const language of ['en', 'de'] as const) {
      const page = await openSubject(browser, place, now, { width: 360, language })
      t.match(await page.$eval('#trouble', ({ textContent }) => textContent), /^1\d /)
      t.same(await faultsOfTheHead(page), [], language)
      await page.browserContext().close()
    }
  })
