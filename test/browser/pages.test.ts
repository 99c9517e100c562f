import t from 'tap'
import { startLookout } from '../helpers/process.ts'
import { checkPage, closeBrowser, NAME_ON_THE_NETWORK, openPage } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(300_000)

/** Path and name of the screenshots of every page. */
const PAGES: [string, string][] = [
  ['/', 'overview'],
  ['/alerts', 'alerts'],
  ['/field-card', 'field-card'],
  ['/mesh-a/routing', 'mt-routing'],
  ['/mesh-b/routing', 'mc-routing'],
  ['/docs/api', 'api'],
  ['/docs/design', 'design'],
  ['/history', 'history-empty'],
  ['/audit', 'audit'],
  ['/profile', 'profile']
]

t.test('every page loads without errors and foreign requests, and is accessible at three widths', async (t) => {
  const station = await startLookout(t, 'data', {
    cwd: t.testdir({ data: {} }),
    args: [],
    env: { LOOKOUT_LOG: 'error' }
  })
  for (const [path, name] of PAGES) await checkPage(t, { base: station.url, path, name })
  const base = station.url.replace('127.0.0.1', NAME_ON_THE_NETWORK)
  for (const path of ['/', '/alerts', '/mesh-a/routing']) {
    const watched = await openPage(t, { base })
    if (watched === null) return
    await watched.page.goto(base + path)
    t.same(watched.errors, [], `${path}: as a phone on the network sees it, without an error on the console`)
  }
  for (const path of ['/', '/profile']) {
    const watched = await openPage(t, { base: station.url, width: 360, height: 740 })
    if (watched === null) return
    await watched.page.goto(station.url + path)
    const tops = await watched.page.$$eval('.menu', (all) =>
      all.map((menu) => Math.round(menu.getBoundingClientRect().top))
    )
    t.ok(tops.length === 2 && tops[0] === tops[1], `${path}: on a phone both menus stand side by side (${tops})`)
    const home = await watched.page.$eval('.station a', (link) => link.getBoundingClientRect().height)
    t.ok(home >= 44, `${path}: the name is large enough for a thumb (${home})`)
  }
})
