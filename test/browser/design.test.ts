/// <reference lib="dom" />
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { startLookout } from '../helpers/process.ts'
import { axeViolations, closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)

const CONFIG = {
  notifications: { toggles: { fire: { enabled: true, broadcast_channel: 1 }, weather: { broadcast_channel: 2 } } }
}

t.test(
  'a window is opened and left by keyboard, gives the focus back, and is without fault in every theme',
  async (t) => {
    const folder = t.testdir({ data: {} })
    const station = await startLookout(t, 'data', { cwd: folder, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
    const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
    if (watched === null) return
    const { page } = watched
    await page.goto(`${station.url}/docs/design`, { waitUntil: 'load' })
    await page.waitForSelector('#dialog-shown button')
    await page.focus('#dialog-shown button')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog.dialog[open]')
    for (const theme of ['light', 'dark', 'night']) {
      await page.evaluate((name) => {
        document.documentElement.dataset['theme'] = name
      }, theme)
      t.same(await axeViolations(page), [], theme)
    }
    t.ok(await page.evaluate(() => document.activeElement?.closest('dialog') !== null), 'the focus is in it')
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.querySelector('dialog') === null)
    t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Open it')
    t.same(watched.errors, [])
  }
)

/** Pixels of a picture that are neither red nor dark: what would blind eyes used to the dark. The browser reads its own picture. */
async function palePixels(page: Page): Promise<number> {
  const picture = await page.screenshot({ encoding: 'base64' })
  return (await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    if (context === null) return -1
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    let pale = 0
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
      if (red > 50 && Math.max(green, blue) > 0.75 * red) pale++
    }
    return pale
  }, picture)) as number
}

t.test('by night nothing on a form is white or grey: boxes, fields, lists and arrows are red on black', async (t) => {
  const folder = t.testdir({ data: { 'config.json': JSON.stringify(CONFIG) } })
  const station = await startLookout(t, 'data', { cwd: folder, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: station.url, width: 768, height: 1200 })
  if (watched === null) return
  const { page } = watched
  await page.setCookie({ name: 'theme', value: 'night', url: station.url })
  for (const path of ['/settings/notifications', '/mesh-a/routing', '/first-run', '/coverage', '/keys']) {
    await page.goto(station.url + path, { waitUntil: 'load' })
    t.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'night', path)
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '')
    })
    t.equal(await palePixels(page), 0, path)
  }
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  t.ok((await palePixels(page)) > 1000, 'another theme is seen to be another')
})
