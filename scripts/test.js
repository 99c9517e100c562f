#!/usr/bin/env node
// Compiles the tests once, runs small files together and the others in a process of their own, and ends with `N passed, N failed, N skipped`.
import { appendFileSync, existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILED, compile } from './compile-tests.js'
import { ALL_LIMIT_MS, commandOf, runSlice, SLICE_LIMIT_MS } from './fault-slices.js'
import { ensureGazetteer } from './gazetteer.js'
import { HUNG_SECONDS } from './hang-watch.js'
import { pool } from './job-pool.js'
import { runFiles } from './run-test-files.js'
import { testFolder } from './test-folder.js'
import { seconds, sum, tellFile, tellSkipped, tellSlowest, tellTimes } from './test-report.js'
import { jobsOf, sourcesOf } from './test-suites.js'

const HELP = `usage: npm test -- [options] [FILE or FOLDER …]

Runs the unit tests and the quick hermetic ones, or the files named. Of a folder, every *.test.ts below it.

  --integration   the suite that starts the program itself (test/app and others that do), files that wait for other programs,
                  files that measure how long the main thread is held, and whole recordings and hours of air
  --browser       the suite that looks at the dashboard in Chromium
  --faults        a few rounds of every fault run (scripts/faults.js)
                  Of these three, several may be asked for: they share the processors then
  --again         run a file that failed once more, alone: what passes then is named "unsteady", does not fail the run and
                  is added to docs/unsteady-tests.md (docs/decisions/0013); always so when CI=true, where nothing is written
  --alone         every file in a process of its own
  --jobs N        processes at once; default: one for each core and one more. In the three long suites a
                  file that mostly waits counts as half, one with a browser as one and a quarter
  --most-cpu N    what one file may cost, in units of a piece of work measured beside it; default 400 for the unit tests
  --hung SECONDS  ends a file that for so long tells nothing, and either does nothing else or works as many seconds of CPU (more
                  on a slow machine); default 180
  --verbose       everything the files print
  --help          this

Tests that need recordings (LOOKOUT_FIXTURES) or programs that are not here are skipped, counted and named at the end.
The last lines are wall and CPU time, the slowest files, and "N passed, N failed, N skipped". Exit code 1 when one failed.`

const root = fileURLToPath(new URL('..', import.meta.url))
const UNSTEADY = join(root, 'docs/unsteady-tests.md')
/** More failures than these in one run are no accident of timing, and are not looked at again. */
const MOST_AGAIN = 4

function usage(text) {
  console.error(`test: ${text}\n\n${HELP}`)
  process.exit(2)
}

function parse(argv) {
  const options = {
    integration: false,
    browser: false,
    faults: false,
    again: process.env.CI === 'true',
    verbose: false,
    alone: false,
    jobs: 0,
    mostCpu: null,
    hung: HUNG_SECONDS,
    named: []
  }
  for (let index = 0; index < argv.length; index++) {
    const arg = argv[index]
    if (arg === '--help' || arg === '-h') {
      console.log(HELP)
      process.exit(0)
    } else if (arg === '--jobs') options.jobs = Number(argv[++index])
    else if (arg === '--hung') options.hung = Number(argv[++index])
    else if (arg === '--most-cpu') options.mostCpu = Number(argv[++index])
    else if (['--integration', '--browser', '--faults', '--again', '--verbose', '--alone'].includes(arg))
      options[arg.slice(2)] = true
    else if (arg.startsWith('-')) usage(`unknown option ${arg}`)
    else options.named.push(arg)
  }
  if (!Number.isInteger(options.jobs) || options.jobs < 0) usage('--jobs takes a whole number')
  if (options.mostCpu !== null && !(options.mostCpu > 0)) usage('--most-cpu takes a number')
  if (!(options.hung > 0)) usage('--hung takes a number')
  const isLong = options.integration || options.browser || options.faults
  if (options.named.length === 0 && !isLong) options.mostCpu ??= MOST_CPU
  if (options.jobs === 0) options.jobs = availableParallelism() + 1
  return options
}

/**
 * The most that a file of the unit tests may cost, in units of `referenceMs`: more than five times what the dearest one
 * takes. What passes it belongs to the integration suite or to the fault runs.
 */
const MOST_CPU = 400

/** The machine of docs/measurements.md has `referenceMs` of so many. */
const REFERENCE_MS = 100

/** CPU of a fixed piece of work, in ms: more where others use the caches of the machine. */
function referenceMs() {
  const begun = process.cpuUsage()
  const rows = Array.from({ length: 20_000 }, (_, at) => ({
    id: `row-${(at * 7919) % 20_000}`,
    at,
    words: ['a', 'b', 'c']
  }))
  for (let round = 0; round < 4; round++) {
    const copy = JSON.parse(JSON.stringify(rows))
    copy.sort((a, b) => (a.id < b.id ? -1 : 1))
  }
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}

/** A file that costs too much has failed. The dearer of the references before and after the run counts. */
function limitCost(results, most, before) {
  if (most === null) return
  const limit = most * Math.max(before, referenceMs())
  for (const result of results) {
    if (result.cpuMs <= limit) continue
    const told = `it cost ${seconds(result.cpuMs)} of CPU, at most ${seconds(limit)} here`
    Object.assign(result, { ok: false, failed: Math.max(1, result.failed), failures: [...result.failures, told] })
  }
}

const begun = Date.now()

/** Runs a slice and tells its result as that of a file. */
async function runFaults({ files: [file], slice }) {
  const limitMs = Math.min(SLICE_LIMIT_MS, begun + ALL_LIMIT_MS - Date.now())
  const env = { LOOKOUT_COMPILED: COMPILED }
  const found = await runSlice({ name: file, args: commandOf(slice), cwd: root, env, limitMs: Math.max(1, limitMs) })
  return {
    ...found,
    file,
    skipped: [],
    failures: found.ok ? [] : [found.why],
    trouble: found.output.replace(/^/gm, '  ')
  }
}

async function runAll(jobs, { room, verbose }) {
  const waiting = [...jobs]
  const count = jobs.flatMap(({ files }) => files).length
  const results = []
  await pool(waiting, room, async (job) => {
    const startedAt = Date.now()
    const ran =
      job.slice === undefined
        ? await runFiles({ root, folder: COMPILED, data, files: job.files, hang })
        : [await runFaults(job)]
    // Those behind a file that ended the process have not run yet.
    if (ran.length < job.files.length) waiting.push({ ...job, files: job.files.slice(ran.length) })
    for (const result of ran) {
      results.push({ ...result, suite: job.suite, startedAt, endedAt: Date.now() })
      tellFile(result, `${results.length}/${count}`)
      if (verbose) console.log(result.output)
      else if (!result.ok) console.log(result.trouble)
    }
  })
  return results
}

/** An unsteady file is a bug to be found: it stays on the page until somebody has found it. */
function remember(files) {
  if (process.env.CI === 'true' || files.length === 0) return
  const day = new Date().toISOString().slice(0, 10)
  if (!existsSync(UNSTEADY)) return
  appendFileSync(UNSTEADY, files.map((file) => `| ${day} | \`${file}\` | not yet known |\n`).join(''))
}

/** A fault run has its seed: what fails in it fails again. */
const isRepeated = ({ ok, suite }) => !ok && suite !== 'fault runs'

async function lookAgain(results) {
  const unsteady = []
  for (const first of results.filter(isRepeated)) {
    console.log(`\nonce more, alone: ${first.file}`)
    const again = { suite: first.suite, files: [first.file], weight: 1, seconds: 0 }
    const [second] = await runAll([again], { room: 1, verbose: false })
    limitCost([second], options.mostCpu, before)
    if (!second.ok) {
      console.log(`${first.file} failed twice`)
      continue
    }
    unsteady.push(first.file)
    console.log(`unsteady: ${first.file} failed and then passed; find out why`)
    results.splice(results.indexOf(first), 1, second)
  }
  remember(unsteady)
}

function jobsAsked() {
  try {
    return jobsOf(options)
  } catch (error) {
    return usage(error.message)
  }
}

const options = parse(process.argv.slice(2))
const jobs = jobsAsked()
// Tests read the places of the world, which nobody has built on a fresh clone.
ensureGazetteer()
await compile(sourcesOf(jobs))
const data = testFolder()
const compileMs = Date.now() - begun
const before = referenceMs()
const hang = { slowness: before / REFERENCE_MS, seconds: options.hung }
const results = await runAll(jobs, { room: options.jobs, verbose: options.verbose })
limitCost(results, options.mostCpu, before)
const failures = results.filter(({ ok }) => !ok)
if (failures.length > 0)
  console.log(
    `\nfailed:\n${failures.flatMap(({ file, failures: names }) => [`  ${file}`, ...names.slice(0, 10).map((name) => `    ${name}`)]).join('\n')}`
  )
if (options.again && failures.length <= MOST_AGAIN) await lookAgain(results)
tellSkipped(results)
for (const suite of new Set(jobs.map((job) => job.suite))) {
  const own = results.filter((result) => result.suite === suite)
  const wallMs = Math.max(...own.map(({ endedAt }) => endedAt)) - Math.min(...own.map(({ startedAt }) => startedAt))
  tellTimes(suite, own, { wallMs, compileMs })
}
tellSlowest(results)
const skipped = results.reduce((total, result) => total + result.skipped.length, 0)
console.log(
  `\n${sum(results, 'passed')} passed, ${sum(results, 'failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
)
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
