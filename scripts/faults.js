#!/usr/bin/env node
// Long seeded runs that break things on purpose. The same seed gives the same events and instants.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILED, compile } from './compile-tests.js'
import { commandOf, RUNS, runSlice, sourceOf } from './fault-slices.js'

/** A full run takes an hour or two. */
const LIMIT_MINUTES = 240

const HELP = `usage: node scripts/faults.js RUN [options] [--limit MINUTES]
       node scripts/faults.js ci

  clock [--seed N] [--jumps N]   a clock that leaps by hours and years, to 1970 and back, under a storm; default 30 jumps
  attack [--seconds N] [--only NAME]
                                 a hostile guest, mesh and feed from a second network namespace; no attempt may have an effect (npm run attack)
  damage [--seed N] [--flips N]  every recording of a feed, cut off and with bytes changed, read by its kind
  disk [--seed N] [--rounds N] [--mounts]
                                 damaged files, failing writes and syncs, a pulled folder, full and read-only mounts (root); default 40 rounds
  fuzz [--seed N] [--cases N] [--seconds N] [--only NAME]
                                 broken and growing inputs for every parser of outside bytes (npm run fuzz); default 1,000,000 cases each;
                                 with --state FILE a run that goes on after an interruption, on --processes N
  kill [--seed N] [--rounds N]   kill -9 at random instants of a storm of events; default 50 rounds
  kill-peers [--seed N] [--rounds N]
                                 kill -9 between "transmitting" and the ack of a wire-level radio; default 50 rounds
  kill-ingest [--seed N] [--rounds N] [--files N]
                                 kill -9 at random instants while files go from upload to search; default 200 kills, 50 files
  kill-library [--seed N] [--rounds N] [--articles N]
                                 kill -9 while archives are registered with kiwix-serve, read and removed; default 60 kills
  peers [--seed N] [--link tcp|pty|both] [--events N]
                                 the demo storm and more over both test peers, over TCP and a pseudo-terminal
  power [--seed N] [--count N]   the power is cut anywhere between two calls of the real program: every folder a disk may hold then is opened;
                                 default 1,000
  saturated [--seed N] [--hours N]
                                 24 hours of a fast clock with 200 messages waiting; immediate ones must get through
  soak [--hours N] [--seed N]    a day of a fast clock with links that break: memory, handles, messages without an end; default 24 hours
  soak --rest MINUTES [--program FILE]
                                 the real program at rest on minimal_pi: memory, handles, children, bytes written a day
  sources [--seed N] [--hours N] [--faults SHARE]
                                 24 hours of every source on a fast clock, against a server that breaks in every way
  standby [--seed N] [--count N] [--loss SHARE] [--differ MS] [--network mt|mc] [--ip any|true|none]
                                 two or three stations on one channel that falls apart and comes together, and each alert said once;
                                 default 1,000 partitions
  titles [--seed N] [--count N]  odd titles on every page that shows some, in every language; default 10,000
  ci                             a few rounds of every run (npm run test:faults)

  node scripts/faults.js RUN --help tells more.
  --limit MINUTES  a run that takes longer is ended, with all it started, and has failed; default ${LIMIT_MINUTES}
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
if (name === 'ci')
  process.exit(
    spawnSync(process.execPath, ['scripts/test.js', '--faults'], { cwd: root, stdio: 'inherit' }).status ?? 1
  )

const at = options.indexOf('--limit')
const [, minutes = LIMIT_MINUTES] = at === -1 ? [] : options.splice(at, 2)
if (!(Number(minutes) > 0)) {
  console.error('faults: --limit takes a number of minutes')
  process.exit(2)
}
await compile([sourceOf(name)])
if (options.includes('--help'))
  process.exit(spawnSync(process.execPath, commandOf([name, '--help']), { cwd: root, stdio: 'inherit' }).status ?? 1)
const { ok } = await runSlice({
  name: `${name} ${options.join(' ')}`,
  args: commandOf([name, ...options]),
  cwd: root,
  env: { LOOKOUT_COMPILED: COMPILED },
  limitMs: Number(minutes) * 60_000,
  shown: true
})
process.exitCode = ok ? 0 : 1
