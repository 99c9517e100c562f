import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startLookout } from '../helpers/process.ts'
import { closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)
t.setTimeout(120_000)

/** A station of usual size: six regions of which no two are told alike, on both networks. */
const NAMES = ['North Valley', 'South Valley', 'Snake River', 'Sawtooths', 'Camas Prairie', 'Middle Fork']
const row = (first: number) =>
  Object.fromEntries(NAMES.map((name, n) => [name, { mt: (first + n) % 8, mc: `net-${n}` }]))
const CONFIG = {
  coverage: { region_tagging: true, areas: NAMES.map((name, n) => ({ name, bbox: [-116 + n, 43, -115 + n, 44] })) },
  commands: { who: { ack: 'channel' } },
  notifications: {
    toggles: { rf_propagation: { enabled: true, broadcast_channel: 0 } },
    region_routes: { enabled: true, cells: { fire: row(1), weather: row(2), emergency: row(1), avalanche: row(5) } }
  }
}

t.test('the card of a station of usual size prints on one sheet, A4 or Letter, in both languages', async (t) => {
  const cwd = t.testdir({ data: {} })
  writeFileSync(join(cwd, 'data', 'config.json'), JSON.stringify(CONFIG))
  const { url } = await startLookout(t, 'data', { cwd, args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const watched = await openPage(t, { base: url })
  if (watched === null) return
  const { page } = watched
  for (const lang of ['en', 'de']) {
    await page.setExtraHTTPHeaders({ 'accept-language': lang })
    await page.goto(`${url}/field-card`)
    for (const format of ['A4', 'Letter'] as const) {
      const pdf = Buffer.from(await page.pdf({ format })).toString('latin1')
      t.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1, `${format}, ${lang}`)
    }
  }
  t.same(watched.errors, [])
})
