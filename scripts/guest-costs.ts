/**
 * The costliest questions that anybody may ask: every row of the table of routes, in its costliest form, against the built program.
 *
 *   node --import=tsx scripts/guest-costs.ts [--all] [--tries N]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { costOfGuest, type GuestCost, longestStep, METERED } from '../test/helpers/guest-costs.ts'
import { type GuestRequest, guestRequests } from '../test/helpers/guest-requests.ts'
import { guestWorld } from '../test/helpers/guest-world.ts'

const HELP = `node --import=tsx scripts/guest-costs.ts [--all] [--tries N]
CPU of the main thread for the twenty costliest questions of a guest: milliseconds, the first time and the median of N (5). Linux only.
`
const { values } = parseArgs({
  options: { help: { type: 'boolean' }, all: { type: 'boolean' }, tries: { type: 'string' } }
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const TRIES = Number(values.tries ?? 5)
const MOST_ROWS = 20

const endings: (() => unknown)[] = []
const folder = mkdtempSync(join(tmpdir(), 'lookout-guests-'))
try {
  const program = fileURLToPath(new URL('../dist/lookout.js', import.meta.url))
  const world = await guestWorld({ teardown: (end) => void endings.push(end) }, folder, {
    program,
    env: { LOOKOUT_LOG: 'error', ...METERED }
  })
  const { launched, url } = world.station
  const to = { pid: launched.child.pid ?? 0, port: Number(new URL(url).port) }
  const rows: { asked: GuestRequest; first: GuestCost; median: number; step: number }[] = []
  for (const asked of guestRequests(world)) {
    const first = await costOfGuest(to, asked)
    const more: number[] = []
    while (more.length < TRIES) more.push((await costOfGuest(to, asked)).cpuMs)
    more.sort((a, b) => a - b)
    const step = await longestStep(launched.child, () => costOfGuest(to, asked))
    const again = await longestStep(launched.child, () => costOfGuest(to, asked))
    rows.push({ asked, first, median: more[Math.floor(TRIES / 2)] ?? 0, step: Math.min(step, again) })
  }
  rows.sort((a, b) => b.median - a.median)
  const shown = values.all ? rows : rows.slice(0, MOST_ROWS)
  console.log(
    '| Question | Status | Answer, KiB | First, ms | Median, ms | Longest step, ms |\n|---|---|---|---|---|---|'
  )
  for (const { asked, first, median, step } of shown)
    console.log(
      `| ${asked.method} ${asked.path.slice(0, 70)}${asked.body === undefined ? '' : ` (${Math.ceil(JSON.stringify(asked.body).length / 1024)} KiB)`} | ${first.status} | ${Math.round(first.bytes / 1024)} | ${first.cpuMs.toFixed(1)} | ${median.toFixed(1)} | ${step.toFixed(1)} |`
    )
  console.log(`${rows.length} questions of ${new Set(rows.map(({ asked }) => asked.row)).size} rows`)
} finally {
  for (const end of endings) await end()
  rmSync(folder, { recursive: true, force: true })
}
