/// <reference lib="dom" />
import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import puppeteer, { type Browser, ElementHandle, type Page } from 'puppeteer-core'
import type { Test } from 'tap'
import { chromium } from './chromium.ts'

const EXECUTABLE = chromium()
export const WIDTHS = [360, 768, 1440] as const
/** Pictures cost as much as a sixth of all that is looked at: they are made for people who ask for them. */
const HAS_SCREENSHOTS = process.env['LOOKOUT_SCREENSHOTS'] === '1'
/** Screenshots are kept here. */
const ARTIFACTS = join(import.meta.dirname, '..', '..', 'artifacts', 'screenshots')

/** This machine under a name that no browser trusts as it trusts 127.0.0.1: how phones come. */
export const NAME_ON_THE_NETWORK = 'lookout.local'

let shared: Promise<Browser> | null = null

/** One browser for all tests of a file; null, with a line saying so, on a machine without one. */
export async function browser(t: Test): Promise<Browser | null> {
  if (!existsSync(EXECUTABLE)) {
    t.comment(`skipped: no browser at ${EXECUTABLE} (apt-get install chromium-headless-shell, or set CHROMIUM)`)
    return null
  }
  shared ??= puppeteer.launch({
    executablePath: EXECUTABLE,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      `--host-resolver-rules=MAP ${NAME_ON_THE_NETWORK} 127.0.0.1`
    ],
    protocolTimeout: 60_000
  })
  return shared
}

export async function closeBrowser(): Promise<void> {
  if (shared !== null) await (await shared).close()
  shared = null
}

/** A page that remembers what must never happen. */
export interface WatchedPage {
  page: Page
  /** Errors of the console, of scripts and of requests. */
  errors: string[]
  /** Addresses that are not this station's. */
  foreign: string[]
  /** Every address asked for. */
  requests: string[]
}

/** Opens a new page of its own browser context (cookies apart) that watches its console and its requests. */
export async function openPage(
  t: Test,
  { base, width = 1440, height = 900 }: { base: string; width?: number; height?: number }
): Promise<WatchedPage | null> {
  const opened = await browser(t)
  if (opened === null) return null
  const context = await opened.createBrowserContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  waitWithoutDrawing(page)
  await page.setViewport({ width, height, deviceScaleFactor: 1, hasTouch: width < 600, isMobile: width < 600 })
  const watched: WatchedPage = { page, errors: [], foreign: [], requests: [] }
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') watched.errors.push(message.text())
  })
  page.on('pageerror', (error) => watched.errors.push(String(error)))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // The live stream ends with the page.
    if (!(request.url().endsWith('/api/stream') && why.includes('ABORTED')))
      watched.errors.push(`${request.url()} ${why}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (url.startsWith('data:') || url.startsWith('blob:')) return
    watched.requests.push(url)
    if (!url.startsWith(base)) watched.foreign.push(url)
  })
  return watched
}

/** Milliseconds between two looks of a page that waits for something. */
const LOOK_MS = 50
/** Characters of a page that did not become what somebody waited for. */
const MOST_SHOWN = 1500

/**
 * Puppeteer looks once a frame, for which the browser draws sixty frames a second of a page on which nothing happens. A wait in vain
 * tells what it waited for, and what stood there instead.
 */
function waitWithoutDrawing(page: Page): void {
  const wait = page.waitForFunction.bind(page)
  page.waitForFunction = async (code, options, ...args) => {
    try {
      return await wait(code, { polling: LOOK_MS, ...options }, ...args)
    } catch (error) {
      const shown = await page.evaluate(() => document.querySelector('main')?.innerText ?? '').catch(String)
      throw new Error(`${code} ${JSON.stringify(args)} at ${page.url()}: ${shown.slice(0, MOST_SHOWN)}`, {
        cause: error
      })
    }
  }
}

/**
 * Bars lie over the top and the bottom of every page, heads over a table: what is below one counts as seen for a browser, but no hand can touch it.
 * It is moved out first, as people do.
 */
const { isIntersectingViewport } = ElementHandle.prototype
ElementHandle.prototype.isIntersectingViewport = async function (this: ElementHandle<Element>, options) {
  await this.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const onTop = document.elementFromPoint(left + width / 2, top + height / 2)
    if (
      onTop?.closest('body > header, .bar-below, .menus, .dock, .grid thead') &&
      !onTop.contains(element) &&
      !element.contains(onTop)
    )
      element.scrollIntoView({ block: 'center' })
  })
  return isIntersectingViewport.call(this, options)
}

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The violations that axe finds against WCAG 2.2 AA, one line each; `rules`: of these only, where nothing else can have changed. */
export async function axeViolations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  // The policy of the page forbids foreign scripts, as it should: the tool comes in beside it.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(await readFile(axeSource, 'utf8'))
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: (options: object) => Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>
      }
    }
    // Wherever a page happens to stand, its bars cover a part of something, which counts as too small: they are let down meanwhile.
    const bars = new CSSStyleSheet()
    bars.replaceSync(
      'body > header, .bar-below, .dock { position: static !important } @media (max-width: 59.99rem) { .menus { position: static !important } }'
    )
    document.adoptedStyleSheets.push(bars)
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    // Of these rules only one of videos looks into files that axe would load by itself; it trips over sheets that import others.
    const runOnly = only.length > 0 ? { type: 'rule', values: only } : { type: 'tag', values: tags }
    const options = { runOnly, resultTypes: ['violations'], preload: false }
    const { violations } = await axe.run(options)
    document.adoptedStyleSheets.pop()
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`
    )
  }, rules)
}

export async function screenshot(page: Page, name: string): Promise<void> {
  if (!HAS_SCREENSHOTS) return
  mkdirSync(ARTIFACTS, { recursive: true })
  const path = join(ARTIFACTS, `${name}.png`) as `${string}.png`
  // Packing the picture tighter would cost more than drawing it.
  await page.screenshot({ path, fullPage: true, optimizeForSpeed: true })
}

/**
 * Checks what every page must be: no console error, no foreign request, axe without a violation, at three widths;
 * screenshots kept when asked for.
 */
export async function checkPage(
  t: Test,
  { base, path, name }: { base: string; path: string; name: string }
): Promise<void> {
  for (const width of WIDTHS) {
    const watched = await openPage(t, { base, width, height: width < 600 ? 740 : 900 })
    if (watched === null) return
    const { page, errors, foreign } = watched
    await page.goto(base + path, { waitUntil: 'load' })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))))
    await screenshot(page, `${name}-${width}`)
    t.same(await axeViolations(page), [], `${path} at ${width}: axe`)
    t.same(errors, [], `${path} at ${width}: console`)
    t.same(foreign, [], `${path} at ${width}: foreign requests`)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    )
    t.ok(overflow <= 0, `${path} at ${width}: nothing sticks out sideways (${overflow} px)`)
    t.notOk(await isNameCut(page), `${path} at ${width}: the name of the station is read whole`)
    await page.close()
  }
}

/** Wrapping is fine; dots in the place of letters are not. */
export function isNameCut(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const name = document.querySelector('.station > a')
    return name !== null && (name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight + 1)
  })
}

/**
 * Opens a menu, a details element, by keyboard: news may move what is under the pointer between aiming and clicking.
 * Resolves when it is open.
 */
export async function openMenu(page: Page, menu: string): Promise<void> {
  await page.focus(`${menu} > summary`)
  await page.keyboard.press('Enter')
  await page.waitForSelector(`${menu}[open]`)
}

/** Follows a link or presses a button that leads to another page, by keyboard, and waits until that page is loaded. */
export async function follow(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector, { visible: true })
  await page.focus(selector)
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
}
