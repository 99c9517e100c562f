/** Walks the first steps as a newcomer does, in a real browser; the usage below says how. It needs `npm run build` and a Chromium (CHROMIUM names it). */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { chromium } from '../test/browser/chromium.ts'
import { Peer } from '../test/helpers/peer.ts'
import { PLACES, type Place, WORDS } from './walk-places.ts'

const HELP = `usage: npm run walk [-- --profile NAME] [--place NAME] [--width N] [--language en|de] [--dark] [--pictures FOLDER] [--bundle FOLDER]

An empty data folder, two simulated peers over TCP, a phone's or a desk's width, English or German. It ends in a drill that a neighbour has
heard, and prints what that took: taps, keystrokes, seconds, lines of JSON, restarts.

  --profile NAME      home, regional_pi or minimal_pi; may be given again (default: all)
  --place NAME        ${Object.keys(PLACES).join(', ')}; may be given again (default: all, on one of the profiles)
  --width N           of the window, in pixels (default 360)
  --pictures FOLDER   keeps a picture of every step there
  --program FILE      the built program (default dist/lookout.js)
  --bundle FOLDER     a release as it is unpacked, with its own Node, instead of the program that was built here

exit codes: 0 every walk within 20 taps and 3 minutes, without a line of JSON and without a restart · 1 not so · 2 usage
`

const values = asked()

/** Reads the words of the call; ends the program when they ask for the usage, or for something that is not there. */
function asked() {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h' },
        profile: { type: 'string', multiple: true, default: ['home', 'regional_pi', 'minimal_pi'] },
        place: { type: 'string', multiple: true, default: Object.keys(PLACES) },
        width: { type: 'string', default: '360' },
        language: { type: 'string', default: 'en' },
        dark: { type: 'boolean', default: false },
        pictures: { type: 'string' },
        program: { type: 'string', default: 'dist/lookout.js' },
        bundle: { type: 'string' }
      }
    })
    for (const name of values.place) if (!(name in PLACES)) throw new Error(`no place is called ${name}`)
    if (values.help !== true) return values
    process.stdout.write(HELP)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
    process.exit(2)
  }
}

/** How the station is started, and in what surroundings: of a release, those of an operator's machine, with nothing of npm or of a checkout. */
const PROGRAM =
  values.bundle === undefined
    ? { command: [process.execPath, resolve(values.program)], env: process.env }
    : {
        command: [join(resolve(values.bundle), 'bin/lookout')],
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', HOME: '/nonexistent' }
      }

const CHROMIUM = chromium()
/** An address of this machine that no other program listens at, nor another walk; always of as many keystrokes. */
const HOST = `127.44.${1 + (process.pid % 9)}.${10 + (Math.floor(process.pid / 9) % 90)}`
const MOST = { taps: 20, seconds: 180 }
/** The channel that a fresh companion of the simulated MeshCore has. */
const MC_CHANNEL = 'north-fire'

const language = values.language === 'de' ? 'de' : 'en'
const words = WORDS[language]

/** A hand that counts. */
class Hand {
  taps = 0
  keys = 0
  /** Lines written that are JSON of a setting: a list, an object, a quoted text. */
  json = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async tap(name: string): Promise<void> {
    const button = await this.#page.waitForSelector(`aria/${name}[role="button"]`)
    // The bar at the bottom edge lies over the page: people move a button out from under it first.
    await button?.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await this.#page.waitForFunction(
      (element) => !(element as HTMLButtonElement | null)?.disabled,
      { polling: 50 },
      button
    )
    await button?.click()
    this.taps++
  }

  /** Into the field, what stood there goes. */
  async write(label: string, text: string, within = ''): Promise<void> {
    const selector = within === '' ? `aria/${label}` : `${within} ::-p-aria(${label})`
    const field = await this.#page.waitForSelector(selector)
    await field?.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await field?.click({ count: 3 })
    await this.#page.keyboard.press('Backspace')
    await field?.type(text)
    this.taps++
    this.keys += text.length
    this.json += text.split('\n').filter((line) => /[[{"]/.test(line)).length
  }

  /** A choice takes two taps: it opens, and one is taken. */
  async choose(selector: string, value: string): Promise<void> {
    const field = await this.#page.waitForSelector(selector)
    await field?.select(value)
    this.taps += 2
  }
}

interface Station {
  url: string
  claim: Promise<string>
  stop: () => Promise<void>
}

async function start(profile: string, data: string): Promise<Station> {
  const [command = '', ...words] = PROGRAM.command
  const args = [...words, 'start', '--profile', profile, '--data', data, '--host', '127.0.0.1', '--port', '0']
  const child = spawn(command, args, {
    cwd: data,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...PROGRAM.env, LOOKOUT_LOG: 'info' }
  })
  const first = <T>(stream: NodeJS.ReadableStream, of: (line: string) => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      createInterface({ input: stream }).on('line', (line) => {
        const found = of(line)
        if (found !== undefined) resolve(found)
      })
      child.once('exit', (code) => reject(new Error(`the station ended with ${code}`)))
    })
  const claim = first(child.stderr, (line) => /claim code ([0-9A-Z]{4}-[0-9A-Z]{4})/.exec(line)?.[1])
  claim.catch(() => undefined)
  const url = await first(child.stdout, (line) => /^lookout ready (\S+)/.exec(line)?.[1])
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    url,
    claim,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    }
  }
}

interface Figures {
  profile: string
  taps: number
  keys: number
  seconds: number
  json: number
  restarts: number
  heard: string
}

/** The process and when it began: another one after a walk is a restart. */
async function runOf({ url }: Station): Promise<string> {
  const { started_at } = (await (await fetch(`${url}/api/status`)).json()) as { started_at: string }
  return started_at
}

async function reached(page: Page, step: string): Promise<void> {
  try {
    await page.waitForFunction((hash) => location.hash === hash, { polling: 50 }, step)
  } catch (error) {
    const shown = await page.$eval('main', (main) => (main as HTMLElement).innerText)
    throw new Error(`${step} was not reached: ${shown}`, { cause: error })
  }
}

async function picture(page: Page, name: string): Promise<void> {
  if (values.pictures === undefined) return
  mkdirSync(values.pictures, { recursive: true })
  const look = values.dark ? 'dark' : 'light'
  await page.screenshot({
    path: join(values.pictures, `${name}-${values.width}-${language}-${look}.png`) as `${string}.png`,
    fullPage: true
  })
}

async function walk(browser: Browser, profile: string, where: string): Promise<Figures> {
  const place = PLACES[where]
  if (place === undefined) throw new Error(`a place is one of ${Object.keys(PLACES).join(', ')}`)
  const data = mkdtempSync(join(tmpdir(), 'lookout-walk-'))
  // Radios on the network listen at the port of their kind: a newcomer knows their address alone.
  const [mt, mc] = await Promise.all([
    Peer.start('mt', ['--host', HOST, '--port', '4403']),
    Peer.start('mc', ['--host', HOST, '--port', '5000'])
  ])
  const station = await start(profile, data)
  const context = await browser.createBrowserContext()
  try {
    const page = await context.newPage()
    const width = Number(values.width)
    await page.setViewport({ width, height: width < 600 ? 740 : 900, hasTouch: width < 600, isMobile: width < 600 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: values.dark ? 'dark' : 'light' }])
    await page.emulateTimezone(place.zone)
    await page.setExtraHTTPHeaders({ 'accept-language': language })
    const hand = new Hand(page)
    const run = await runOf(station)
    const began = performance.now()
    await page.goto(`${station.url}/first-run`, { waitUntil: 'load' })
    if (profile !== 'home') await claim(page, hand, station)
    await page.waitForSelector('#step')
    await steps(page, hand, { place, name: `${profile}-${where}` })
    const heard = await drill(page, hand)
    const seconds = (performance.now() - began) / 1000
    await picture(page, `${profile}-${where}-6-drill`)
    const restarts = (await runOf(station)) === run ? 0 : 1
    return {
      profile: `${profile}, ${where}`,
      taps: hand.taps,
      keys: hand.keys,
      seconds,
      json: hand.json,
      restarts,
      heard
    }
  } finally {
    await context.close()
    await station.stop()
    await Promise.all([mt.stop(), mc.stop()])
    rmSync(data, { recursive: true, force: true })
  }
}

/** On a board nobody is the operator before the code was typed. */
async function claim(page: Page, hand: Hand, station: Station): Promise<void> {
  await page.goto(`${station.url}/sign-in?back=/first-run`, { waitUntil: 'load' })
  hand.taps++
  await hand.write(words.code, await station.claim)
  await hand.write(words.passphrase, 'correct horse')
  await Promise.all([page.waitForNavigation(), hand.tap(words.claim)])
}

/** The country comes from the zone of the phone; a few letters find the town, and Enter takes it. */
async function placeStep(page: Page, hand: Hand, { place, name }: { place: Place; name: string }): Promise<void> {
  const country = await page.waitForSelector(`aria/${words.country}`)
  await page.waitForFunction(
    (field, code) => (field as HTMLSelectElement | null)?.value === code,
    { polling: 50 },
    country,
    place.country
  )
  await hand.write(words.town, place.typed)
  await page.waitForFunction(
    (town) => document.querySelector('.results button')?.textContent?.includes(town),
    { polling: 50 },
    place.town
  )
  await picture(page, `${name}-1-place`)
  await page.keyboard.press('Enter')
  hand.keys++
  const field = await page.waitForSelector(`aria/${words.place}`)
  await page.waitForFunction(
    (input, town) => (input as HTMLInputElement | null)?.value === town,
    { polling: 50 },
    field,
    place.town
  )
  await hand.tap(words.next)
  await reached(page, '#area')
}

/** The sources that are ticked for the country; no source of a walk may ask anybody, so the step is skipped. */
async function sourcesStep(page: Page, hand: Hand, { place, name }: { place: Place; name: string }): Promise<void> {
  await page.waitForFunction(
    (many) => document.querySelectorAll('.ticks input:checked').length === many,
    { polling: 50 },
    place.sources.length
  )
  const noted = (await page.$('#first-run form > .banner.note')) !== null
  if (noted !== place.note) throw new Error(`${name}: a word on the missing warning service: ${noted}`)
  await picture(page, `${name}-4-sources`)
  await hand.tap(words.skip)
  await reached(page, '#matrix')
}

async function steps(page: Page, hand: Hand, { place, name }: { place: Place; name: string }): Promise<void> {
  await placeStep(page, hand, { place, name })
  await picture(page, `${name}-2-area`)
  await hand.tap(words.next)
  await reached(page, '#radios')
  await hand.write(words.address, HOST)
  await hand.tap(words.find)
  await page.waitForFunction(() => document.querySelectorAll('.radio-search .good').length === 2, { polling: 50 })
  await picture(page, `${name}-3-radios`)
  await hand.tap(words.next)
  await reached(page, '#sources')
  await sourcesStep(page, hand, { place, name })
  // Proposed from what the radios have: nobody has to know a number.
  await page.waitForFunction(
    (channel) =>
      [...document.querySelectorAll('#first-run .pair :is(input, select)')].every(
        (field) => (field as HTMLInputElement).value !== ''
      ) && (document.querySelector('#first-run .pair input') as HTMLInputElement).value === channel,
    { polling: 50 },
    MC_CHANNEL
  )
  await picture(page, `${name}-5-matrix`)
  await hand.tap(words.next)
  await reached(page, '#test')
}

async function drill(page: Page, hand: Hand): Promise<string> {
  await hand.tap(words.drill)
  await page.waitForSelector('.drill li.done:nth-child(4)', { timeout: 120_000 })
  return page.$eval('.drill', (list) => (list as HTMLElement).innerText.replace(/\s*\n\s*/g, ' · '))
}

async function main(): Promise<boolean> {
  if (values.bundle !== undefined) {
    const node = execFileSync(join(resolve(values.bundle), 'bin/node'), ['--version'], { encoding: 'utf8' })
    process.stdout.write(`${values.bundle} on Node ${node}`)
  }
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
  })
  try {
    let within = true
    // Every profile at the first place, and the last profile at all of them.
    const walks = values.profile.flatMap((profile, nth) =>
      values.place.slice(0, nth === values.profile.length - 1 ? undefined : 1).map((place) => ({ profile, place }))
    )
    for (const one of walks) {
      const { profile, taps, keys, seconds, json, restarts, heard } = await walk(browser, one.profile, one.place)
      const fits = taps <= MOST.taps && seconds <= MOST.seconds && json === 0 && restarts === 0
      within &&= fits
      process.stdout.write(
        `${profile} ${values.width} px ${language}: ${taps} taps, ${keys} keystrokes, ${seconds.toFixed(1)} s, ${json} lines of JSON, ${restarts} restarts${fits ? '' : ' – TOO MUCH'}\n  ${heard}\n`
      )
    }
    return within
  } finally {
    await browser.close()
  }
}

process.exitCode = (await main()) ? 0 : 1
