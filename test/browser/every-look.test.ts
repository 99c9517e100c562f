/// <reference lib="dom" />
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { everyPage, fullStation } from './every-page.ts'
import { axeViolations, closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(600_000)

/** `auto` is one of the first two, `sunlight` has the highest contrast there is. A theme sets colours and nothing else. */
const OTHER_THEMES = ['dark', 'night'] as const
/** German words are the longest: they are looked at where there is least room. */
const LOOKS = [
  { language: 'en', width: 1440, height: 900 },
  { language: 'de', width: 360, height: 740 }
] as const

/** Nothing is read by pushing a page aside, on the narrowest phone and on what lies between a phone and a desk. */
const WIDTHS = [320, 360, 768] as const

/** A page too, though none that is listed. */
const NOWHERE = '/nowhere'

const world = fullStation(t)

/** The parts that reach past the edge of the window, where the page can be pushed aside for them. */
const stickingOut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const out = [...document.querySelectorAll('body *')].filter(
      (part) => part.getBoundingClientRect().right > clientWidth
    )
    return [
      `${scrollWidth - clientWidth} px wider than ${clientWidth}`,
      ...out.slice(0, 4).map((part) => part.outerHTML.slice(0, 160))
    ]
  })

/** Words that go on in another line without a hyphen; whoever typed a name or an address may have made it longer than any line. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const broken = new Set<string>()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const { parentElement, textContent } = node
      if (!parentElement?.checkVisibility() || parentElement.closest('script, style, svg, pre, .hidden')) continue
      // Addresses and names of settings have no words, and break where there is room; behind a soft hyphen a word counts as whole.
      if (parentElement.closest('code') && /[/._]/.test(textContent ?? '')) continue
      for (const { 0: word, index } of (textContent ?? '').matchAll(
        /(?<![\p{L}\p{N}\u00ad])\p{L}{4,}(?![\p{L}\p{N}])/gu
      )) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) broken.add(`${word} in ${parentElement.outerHTML.slice(0, 120)}`)
      }
    }
    return [...broken].map((word) => `broken: ${word}`)
  })

/** Waits until scripts have drawn to the new width of the window, a frame after it changed. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))
  )

/** The faults of one page: what is too wide at any width, what axe finds by day, and of its colours in the dark and by night. */
async function faults(page: Page): Promise<string[]> {
  const found: string[] = []
  const shown = page.viewport()
  if (shown === null) throw new Error('the page has no window')
  for (const width of [...WIDTHS, shown.width]) {
    await page.setViewport({ ...shown, width })
    await drawn(page)
    found.push(...(await stickingOut(page)), ...(await brokenWords(page)))
  }
  found.push(...(await axeViolations(page)))
  for (const theme of OTHER_THEMES) {
    await page.evaluate((name) => {
      document.documentElement.dataset['theme'] = name
    }, theme)
    found.push(...(await axeViolations(page, ['color-contrast'])).map((fault) => `${theme}: ${fault}`))
  }
  return found
}

t.test('the figures of the history push nothing aside, however long they are', async (t) => {
  const full = await world
  const watched = await openPage(t, { base: full.station.url, width: 320, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.setExtraHTTPHeaders({ 'accept-language': 'de' })
  await page.goto(`${full.station.url}/history`, { waitUntil: 'load' })
  const filled = await page.$$eval('.chart td', (cells) => {
    for (const cell of cells) cell.textContent = '1.023\u00a0MB'
    return cells.length
  })
  t.ok(filled > 20, `${filled} figures`)
  t.same(await stickingOut(page), [])
})

for (const { language, width, height } of LOOKS) {
  t.test(
    `every page in ${language} at ${width} px: accessible in three themes, and no wider than any window`,
    async (t) => {
      const full = await world
      const pages = [...(await everyPage(full)), NOWHERE]
      t.ok(pages.length > 30, pages.join(' '))
      const watched = await openPage(t, { base: full.station.url, width, height })
      if (watched === null) return
      const { page } = watched
      // A colour that is still on its way is nobody's fault.
      await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }])
      await page.setExtraHTTPHeaders({ 'accept-language': language })
      for (const path of pages) {
        await page.goto(full.station.url + path, { waitUntil: 'load' })
        t.same(await faults(page), [], path)
      }
    }
  )
}
