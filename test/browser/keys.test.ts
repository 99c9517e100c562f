import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { KeyTester } from '../../src/knowledge/keys/key-test.ts'
import { type Station, station } from '../dashboard/harness.ts'
import { note } from '../helpers/in-words.ts'
import { type KeySetup, keySetup } from '../helpers/keys.ts'
import { modelServer } from '../helpers/model-server.ts'
import { axeViolations, checkPage, closeBrowser, openPage, screenshot } from './harness.ts'

t.teardown(closeBrowser)

const A = 'AIzaSyA1234567890aaaaaaaa'
const B = 'AIzaSyB1234567890bbbbbbbb'
const C = 'sk-proj-1234567890cccccc'

async function start(
  t: Test,
  text: string,
  language: 'en' | 'de' = 'en'
): Promise<{ s: Station; setup: KeySetup; base: string }> {
  const server = await modelServer(t, ({ key }) =>
    key === A ? { body: { models: [] } } : { status: 403, body: { error: { message: 'this key is blocked' } } }
  )
  const folder = mkdtempSync(join(tmpdir(), 'lookout-keys-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const setup = await keySetup(t, { folder, text })
  const llm = { provider: 'gemini', url: server.url }
  let s: Station | null = null
  const tester = new KeyTester({
    keys: setup.store,
    config: () => {
      if (s === null) throw new Error('too early')
      return s.context.config.current().knowledge
    },
    now: () => setup.clock.now(),
    userAgent: () => 'Lookout/0'
  })
  s = await station(t, {
    config: { knowledge: { llm } },
    context: { keys: { store: setup.store, tester }, now: () => setup.clock.now() }
  })
  return { s, setup, base: s.service.url + (language === 'en' ? '' : '') }
}

/** Presses the first button with this accessible name. */
async function press(page: Page, name: string): Promise<void> {
  const button = await page.waitForSelector(`aria/${name}[role="button"]`, { timeout: 10_000 })
  await button?.evaluate((element) => (element as HTMLElement).click())
}

async function sees(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), { timeout: 10_000 }, text)
}

t.test('the keys are accessible, quiet and complete at three widths, with keys and without', async (t) => {
  const full = await start(t, `GEMINI_KEY_1=${A}\nGEMINI_KEY_2=${B}\nOPENAI_KEY_1=${C}\nEMBEDDING_KEY=short\n`)
  const ids = (await full.setup.store.list()).map(({ id }) => id)
  for (let count = 0; count < 12; count++) full.setup.store.record(ids[0] ?? '', { kind: 'ok' })
  full.setup.store.record(ids[1] ?? '', {
    kind: 'refused',
    reason: note('generativelanguage.googleapis.com answers 403: this key is blocked')
  })
  full.setup.store.record(ids[2] ?? '', { kind: 'limited', retryAfterMs: 600_000 })
  await checkPage(t, { base: full.base, path: '/settings/keys', name: 'keys' })
  const empty = await start(t, '')
  await checkPage(t, { base: empty.base, path: '/settings/keys', name: 'keys-empty' })
})

t.test('a key is added, tested, replaced and removed with one thumb; it is never shown again', async (t) => {
  const { base, setup } = await start(t, '')
  const watched = await openPage(t, { base, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors, requests } = watched
  await page.goto(`${base}/settings/keys`)
  await sees(page, 'There are no keys yet.')
  await page.type('#key', A)
  t.equal(await page.$eval('#key', (field) => (field as HTMLInputElement).type), 'password')
  await page.keyboard.press('Enter')
  await sees(page, 'AIzaSyA1...aaaa is added.')
  t.equal(setup.file(), `GEMINI_KEY_1=${A}\n`)
  t.equal(await page.$eval('#key', (field) => (field as HTMLInputElement).value), '', 'the field forgets it')
  await press(page, 'Test: AIzaSyA1...aaaa')
  await sees(page, 'AIzaSyA1...aaaa works')
  await page.type('#key', A)
  await press(page, 'Add')
  await sees(page, 'this key is there already')
  await screenshot(page, 'keys-refused-360')
  t.same(await axeViolations(page), [], 'with a refusal')
  await press(page, 'Replace: AIzaSyA1...aaaa')
  await page.waitForSelector('.card form input')
  await page.keyboard.type(B)
  await screenshot(page, 'keys-replace-360')
  t.same(await axeViolations(page), [], 'while replacing')
  await page.keyboard.press('Enter')
  await sees(page, 'AIzaSyB1...bbbb takes the place of AIzaSyA1...aaaa.')
  t.equal(setup.file(), `GEMINI_KEY_1=${B}\n`)
  await press(page, 'Test all')
  await sees(page, '0 of 1 keys work.')
  await sees(page, 'this key is blocked')
  await press(page, 'Read the file again')
  await sees(page, 'Read again: 1 keys.')
  setup.write(`GEMINI_KEY_1=${B}\nOPENAI_KEY_1=${C}\n`)
  await press(page, 'Read the file again')
  await sees(page, 'sk-proj-...cccc')
  await press(page, 'Remove: AIzaSyB1...bbbb')
  await press(page, 'Remove for good: AIzaSyB1...bbbb')
  await sees(page, 'AIzaSyB1...bbbb is removed.')
  t.equal(setup.file(), `OPENAI_KEY_1=${C}\n`)
  t.notMatch(await page.content(), /1234567890b|1234567890c/)
  t.notMatch(requests.join(' '), /1234567890/, 'no address holds a key')
  t.same(
    errors.filter((line) => !line.includes('409')),
    []
  )
})
