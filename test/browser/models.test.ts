/// <reference lib="dom" />

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElementHandle, Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { startLookout } from '../helpers/process.ts'
import { writeModel } from '../helpers/static-model.ts'
import { checkPage, closeBrowser, follow, openPage, screenshot } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(300_000)

const TEXT = 'The elevator of the shelter holds eight persons and is checked every morning by the warden.'

/** A folder as a phone has it: two files of a model, and of another that is torn. */
function phone(t: Pick<Test, 'teardown'>): { good: string[]; torn: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'models-page-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const words = [...new Set(TEXT.toLowerCase().match(/\p{L}+/gu))]
  const vectors = words.map((word, at) => [word, [word === 'elevator' ? 5 : 0, at % 2, (at % 3) / 2]])
  const both = (name: string) => ['model.safetensors', 'tokenizer.json'].map((file) => join(folder, name, file))
  for (const name of ['good', 'torn'])
    writeModel(join(folder, name), { ...Object.fromEntries(vectors), lift: [5, 0, 0] })
  mkdirSync(join(folder, 'torn'), { recursive: true })
  writeFileSync(join(folder, 'torn/tokenizer.json'), '{"model": {')
  return { good: both('good'), torn: both('torn') }
}

const says = (page: Page, words: string): Promise<unknown> =>
  page.waitForFunction((said: string) => document.body.innerText.includes(said), { timeout: 60_000 }, words)

async function choose(page: Page, name: string, files: readonly string[]): Promise<void> {
  const field = (await page.waitForSelector('#name')) as ElementHandle<HTMLInputElement>
  await field.evaluate((input) => {
    input.value = ''
  })
  await field.type(name)
  const input = (await page.waitForSelector('#uploader input[type=file]')) as ElementHandle<HTMLInputElement>
  await input.uploadFile(...files)
}

t.test('on a phone both files of a model are chosen together, it is used, and what is torn says why', async (t) => {
  const { good, torn } = phone(t)
  const { url } = await startLookout(t, t.testdir({}), { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const form = new FormData()
  form.append('file', new Blob([TEXT.repeat(8)]), 'house.txt')
  await fetch(`${url}/api/upload`, { method: 'POST', body: form })
  const watched = await openPage(t, { base: url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors } = watched
  await page.goto(`${url}/knowledge`)
  await follow(page, 'main a[href="/knowledge/models"]')
  await says(page, 'There is none yet.')
  await checkPage(t, { base: url, path: '/knowledge/models', name: 'models-none' })

  await choose(page, '', good)
  t.equal(await page.$eval('#name', (input) => input.matches(':invalid')), true, 'without a name nothing is sent')
  t.equal(await page.$('#uploader .files-list'), null)
  await choose(page, 'potion-tiny', good)
  await page.waitForSelector('#models li[data-key="potion-tiny"], li[data-key="potion-tiny"] button[value="use"]')
  await says(page, '2 of 2 uploaded')
  await says(page, '3 dimensions')
  await follow(page, 'button[value="use"]')
  await says(page, 'The model is in use.')
  await says(page, 'static potion-tiny')
  await page.waitForFunction(async () => (await (await fetch('/api/search?q=lift')).json()).count === 1, {
    timeout: 60_000
  })

  await choose(page, 'another', good)
  await says(page, 'not in use')
  t.same(errors, [], 'nothing was complained of')
  await choose(page, 'torn', torn)
  await says(page, 'tokenizer.json is no file of a model')
  await says(page, 'Neither file was kept')
  await screenshot(page, 'models-refused-360')
  await choose(page, 'half', good.slice(1))
  await says(page, 'Still to come: model.safetensors')
  await checkPage(t, { base: url, path: '/knowledge/models', name: 'models' })

  await page.setExtraHTTPHeaders({ 'accept-language': 'de' })
  await page.goto(`${url}/knowledge/models`)
  for (const words of ['Bedeutungsmodelle', 'in Gebrauch', 'Fehlt noch: model.safetensors', 'Dateien wählen'])
    await says(page, words)
  await screenshot(page, 'models-de-360')
  await page.setViewport({ width: 1440, height: 900 })
  await screenshot(page, 'models-de-1440')
  await follow(page, 'li[data-key="another"] button[value="remove"]')
  await says(page, 'Es ist entfernt.')
})
