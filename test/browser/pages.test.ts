import t from 'tap'
import { startLookout } from '../helpers/process.ts'
import { checkPage, closeBrowser } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(300_000)

/** Path and name of the screenshots of every page. */
const PAGES: [string, string][] = [
  ['/', 'overview'],
  ['/alerts', 'alerts'],
  ['/mesh-a/routing', 'mt-routing'],
  ['/mesh-b/routing', 'mc-routing'],
  ['/docs/api', 'api'],
  ['/history', 'history-empty'],
  ['/profile', 'profile']
]

t.test('every page loads without errors and foreign requests, and is accessible at three widths', async (t) => {
  const station = await startLookout(t, 'data', {
    cwd: t.testdir({ data: {} }),
    args: [],
    env: { LOOKOUT_LOG: 'error' }
  })
  for (const [path, name] of PAGES) await checkPage(t, { base: station.url, path, name })
})
