import { renameSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startLookout } from '../helpers/process.ts'
import { foreignFile, sampleFile } from '../knowledge/addresses/sample.ts'
import { axeViolations, checkPage, closeBrowser, openPage, screenshot } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(300_000)

t.test('the page of addresses at three widths: empty, answered, without a file', async (t) => {
  const data = t.testdir({})
  const station = await startLookout(t, data, { env: { LOOKOUT_LOG: 'error' } })
  await checkPage(t, { base: station.url, path: '/addresses', name: 'addresses-none' })
  await sampleFile(data)
  await checkPage(t, { base: station.url, path: '/addresses', name: 'addresses' })
  const near = '/addresses?q=181%20W%20Washington%20St,%20Boise'
  await checkPage(t, { base: station.url, path: near, name: 'addresses-near' })
  await checkPage(t, { base: station.url, path: '/addresses?q=zzzz', name: 'addresses-nothing' })
  const unlike = '/addresses?q=124%20W%20Wachinktons%20St,%20Boise'
  await checkPage(t, { base: station.url, path: unlike, name: 'addresses-no-street' })
  await checkPage(t, { base: station.url, path: '/addresses?q=7%20Oak%20Ct,%20Gotham', name: 'addresses-no-place' })
  await checkPage(t, {
    base: station.url,
    path: '/addresses?q=123%20N%20Main%20Ave,%20Boise',
    name: 'addresses-differs'
  })
  const lite = join(data, 'lite.sqlite')
  ;(await foreignFile(lite, { lite: true, indexes: ['zipcode, number, street'] })).close()
  renameSync(lite, join(data, 'addresses.sqlite'))
  await checkPage(t, { base: station.url, path: '/addresses?q=7+Oak+Ct+83705', name: 'addresses-lite' })
})

t.test('a street that is none is said to be none in German too, and what stands below is marked', async (t) => {
  const data = t.testdir({})
  await sampleFile(data)
  const station = await startLookout(t, data, { env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page } = watched
  await page.setExtraHTTPHeaders({ 'accept-language': 'de' })
  await page.goto(`${station.url}/addresses?q=124%20W%20Wachinktons%20St,%20Boise`, { waitUntil: 'load' })
  t.match(await page.$eval('.how', (line) => line.textContent), 'In diesem Ort gibt es keine solche Straße.')
  t.equal(await page.$eval('.found .mark', (mark) => mark.textContent), 'Straße mit ähnlichem Namen')
  await screenshot(page, 'addresses-no-street-de-360')
})

t.test('suggestions open while typing, are walked by keyboard, announced, and chosen', async (t) => {
  const data = t.testdir({})
  await sampleFile(data)
  const station = await startLookout(t, data, { env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
  if (watched === null) return
  const { page, errors, foreign } = watched
  const input = () =>
    page.$eval('#q', (field) => ({
      value: (field as HTMLInputElement).value,
      expanded: field.getAttribute('aria-expanded'),
      active: field.getAttribute('aria-activedescendant')
    }))
  await page.goto(`${station.url}/addresses`, { waitUntil: 'load' })
  await page.waitForSelector('#q[role="combobox"]')
  t.match(await input(), { expanded: 'false', active: null })
  await page.type('#q', '123 ma')
  await page.waitForSelector('#suggestions:not([hidden]) [role="option"]')
  t.match(await input(), { value: '123 ma', expanded: 'true', active: null })
  t.equal(await page.$eval('#suggested', (status) => status.textContent), '3 suggestions')
  t.same(await axeViolations(page), [], 'axe, with the list open')
  await screenshot(page, 'addresses-suggestions-360')

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  t.match(await input(), { value: /^123 MAIN ST, /, active: 'suggestion-1' })
  t.equal(await page.$$eval('[aria-selected="true"]', (options) => options.length), 1)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  t.match(await input(), { value: '123 ma', active: null }, 'above the first stands what was typed')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  t.match(await input(), { value: '123 ma', expanded: 'false' }, 'Escape closes and gives back what was typed')

  await page.keyboard.press('ArrowDown')
  await page.waitForSelector('#suggestions:not([hidden])')
  await page.keyboard.press('ArrowDown')
  const { value } = await input()
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  t.equal(await page.$eval('#q', (field) => (field as HTMLInputElement).value), value)
  t.equal(await page.$eval('.how', (line) => line.textContent), 'This address:')

  await page.$eval('#q', (field) => {
    ;(field as HTMLInputElement).value = ''
  })
  await page.type('#q', 'twin')
  await page.waitForSelector('#suggestions:not([hidden]) [role="option"]')
  await Promise.all([page.waitForNavigation(), page.click('#suggestions [role="option"]')])
  t.match(page.url(), 'q=TWIN+FALLS%2C+ID')
  await page.click('.place button')
  await page.waitForFunction(() => document.querySelector('.place button')?.textContent === 'Copied')
  t.same(errors, [])
  t.same(foreign, [])
})

t.test('a station that does not answer leaves a form that works', async (t) => {
  const data = t.testdir({})
  await sampleFile(data)
  const station = await startLookout(t, data, { env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: station.url })
  if (watched === null) return
  const { page } = watched
  await page.setRequestInterception(true)
  page.on('request', (request) =>
    request.url().includes('/suggest') ? request.respond({ status: 503, body: '{}' }) : request.continue()
  )
  await page.goto(`${station.url}/addresses`, { waitUntil: 'load' })
  await page.type('#q', '7 oak ct boise')
  await page.waitForResponse((response) => response.url().includes('/suggest'))
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  t.equal(await page.$eval('.how', (line) => line.textContent), 'This address:')
})
