#!/usr/bin/env node
// Long seeded runs that break things on purpose. The same seed gives the same events and instants.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILED, compile, compiledPath } from './compile-tests.js'

const RUNS = {
  damage: 'damage.ts',
  disk: 'disk-storm.ts',
  kill: 'kill-storm.ts',
  'kill-peers': 'kill-peers.ts',
  'kill-ingest': 'kill-ingest.ts',
  'kill-library': 'kill-library.ts',
  peers: 'peer-storm.ts',
  saturated: 'saturated.ts',
  sources: 'sources-day.ts',
  titles: 'titles.ts'
}
/** The runs that a change must pass: a few rounds of each. Seeds are fixed, so that a failure comes back. */
const CI = [
  ['damage', '--seed', '1', '--flips', '60', '--step', '3'],
  ['disk', '--seed', '1', '--rounds', '10'],
  ['kill', '--seed', '1', '--rounds', '5', '--events', '3'],
  ['kill-peers', '--seed', '1', '--rounds', '4'],
  ['kill-ingest', '--seed', '1', '--rounds', '8', '--files', '10'],
  ['kill-library', '--seed', '1', '--rounds', '6', '--articles', '60'],
  ['peers', '--seed', '1', '--events', '20', '--air-scale', '0.2'],
  ['saturated', '--seed', '1', '--hours', '1', '--immediates', '4', '--live', '25'],
  ['sources', '--seed', '1', '--hours', '3'],
  ['titles', '--seed', '2', '--count', '300']
]

const HELP = `usage: node scripts/faults.js RUN [options]
       node scripts/faults.js ci

  damage [--seed N] [--flips N]  every recording of a feed, cut off and with bytes changed, read by its kind
  disk [--seed N] [--rounds N] [--mounts]
                                 damaged files, failing writes and syncs, a pulled folder, full and read-only mounts (root); default 40 rounds
  kill [--seed N] [--rounds N]   kill -9 at random instants of a storm of events; default 50 rounds
  kill-peers [--seed N] [--rounds N]
                                 kill -9 between "transmitting" and the ack of a wire-level radio; default 50 rounds
  kill-ingest [--seed N] [--rounds N] [--files N]
                                 kill -9 at random instants while files go from upload to search; default 200 kills, 50 files
  kill-library [--seed N] [--rounds N] [--articles N]
                                 kill -9 while archives are registered with kiwix-serve, read and removed; default 60 kills
  peers [--seed N] [--link tcp|pty|both] [--events N]
                                 the demo storm and more over both test peers, over TCP and a pseudo-terminal
  saturated [--seed N] [--hours N]
                                 24 hours of a fast clock with 200 messages waiting; immediate ones must get through
  sources [--seed N] [--hours N] [--faults SHARE]
                                 24 hours of every source on a fast clock, against a server that breaks in every way
  titles [--seed N] [--count N]  odd titles on every page that shows some, in every language; default 10,000
  ci                             a few rounds of every run (npm run test:faults)

  node scripts/faults.js RUN --help tells more.
Each run ends with "N passed, N failed".
`

const [name, ...options] = process.argv.slice(2)
if (name === undefined || name === '--help' || name === '-h') {
  console.log(HELP.trimEnd())
  process.exit(name === undefined ? 2 : 0)
}
if (name !== 'ci' && !Object.hasOwn(RUNS, name)) {
  console.error(`faults: unknown run "${name}". Known: ${Object.keys(RUNS).join(', ')}, ci.`)
  process.exit(2)
}
const root = fileURLToPath(new URL('..', import.meta.url))
const times = []
let failed = 0

/** One run in a process of its own; what it says is shown as it comes, or whole at its end when others run beside it. */
function execute([run, ...args], stdio) {
  const started = Date.now()
  const child = spawn(process.execPath, [compiledPath(`test/faults/${RUNS[run]}`), ...args], {
    cwd: root,
    stdio,
    env: { ...process.env, NODE_NO_WARNINGS: '1', LOOKOUT_COMPILED: COMPILED }
  })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => said.push(bytes))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => {
      process.stdout.write(Buffer.concat(said))
      times.push(`  ${((Date.now() - started) / 1000).toFixed(1).padStart(8)} s  ${run}`)
      if (status !== 0) failed++
      resolve()
    })
  })
}

/** The slices mostly wait for clocks and for programs that start again: two go on at once. */
async function slices() {
  const waiting = [...CI]
  const work = async () => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift())
      await execute(run, ['ignore', 'pipe', 'pipe'])
  }
  await Promise.all([work(), work()])
  console.log(`\nfault runs, wall time:\n${times.join('\n')}`)
}

await compile(Object.values(RUNS).map((file) => `test/faults/${file}`))
if (name === 'ci') await slices()
else await execute([name, ...options], 'inherit')
process.exitCode = failed === 0 ? 0 : 1
