#!/usr/bin/env node
// Compiles the tests once, runs small files together and the others in a process of their own, and ends with `N passed, N failed, N skipped`.
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILED, compile } from './compile-tests.js'
import { runFiles } from './run-test-files.js'
import { testFolder } from './test-folder.js'

const HELP = `usage: npm test -- [options] [FILE or FOLDER …]

Runs the unit tests and the quick hermetic ones, or the files named. Of a folder, every *.test.ts below it.

  --integration   the suite that starts the program itself (test/app and others that do), files that wait for other programs, and
                  files that measure how long the main thread is held
  --browser       the suite that looks at the dashboard in Chromium
  --again         run a file that failed once more, alone: what passes then is named "unsteady", does not fail the run and
                  is added to docs/unsteady-tests.md (docs/decisions/0013); always so when CI=true, where nothing is written
  --alone         every file in a process of its own
  --jobs N        processes at once; default: one for each core and one more, at most 2 with --browser
  --most-cpu N    what one file may cost, in units of a piece of work measured beside it; default 400 for the unit tests
  --verbose       everything the files print
  --help          this

Tests that need recordings (LOOKOUT_FIXTURES) or programs that are not here are skipped, counted and named at the end.
The last lines are wall and CPU time, the slowest files, and "N passed, N failed, N skipped". Exit code 1 when one failed.`

const root = fileURLToPath(new URL('..', import.meta.url))
const UNSTEADY = join(root, 'docs/unsteady-tests.md')
/** More failures than these in one run are no accident of timing, and are not looked at again. */
const MOST_AGAIN = 4
const SLOWEST = 20
const OWN_SUITE = /^test\/(?:app|browser|faults)\//
/** Files that mostly wait: for programs of the machine, for children that are killed, for lines between two processes. */
const WAITING = [
  'test/platform/sessions/session-store.test.ts',
  'test/knowledge/enrich/extract.test.ts',
  'test/warning/feeds/brokers.test.ts',
  'test/knowledge/intake/convert.test.ts',
  'test/knowledge/intake/dispatcher.test.ts',
  'test/platform/process/run.test.ts',
  'test/platform/process/side-process.test.ts',
  'test/knowledge/library/registration.test.ts',
  'test/knowledge/library/server.test.ts',
  'test/warning/radios/meshcore/peer.test.ts',
  'test/warning/radios/meshtastic/links.test.ts',
  'test/warning/radios/supervisor.test.ts',
  'test/knowledge/scrape/built-in.test.ts',
  'test/scripts/test-runner.test.ts'
]
/** Files that measure steps of the main thread: they need seconds of the processor, and to be tried again on a busy machine. */
const MEASURING = ['test/dashboard/anonymous-cost.test.ts', 'test/warning/feeds/long-listings.test.ts']

/** A test that starts the program itself belongs to the integration suite, wherever it lies. */
const STARTS_PROGRAM =
  /^import \{[^}]*\b(?:run|launch|Launched|startLookout)\b[^}]*\} from '[./]*\/helpers\/process\.ts'$/m

function usage(text) {
  console.error(`test: ${text}\n\n${HELP}`)
  process.exit(2)
}

function parse(argv) {
  const options = {
    integration: false,
    browser: false,
    again: process.env.CI === 'true',
    verbose: false,
    alone: false,
    jobs: 0,
    mostCpu: null,
    named: []
  }
  for (let index = 0; index < argv.length; index++) {
    const arg = argv[index]
    if (arg === '--help' || arg === '-h') {
      console.log(HELP)
      process.exit(0)
    } else if (arg === '--jobs') options.jobs = Number(argv[++index])
    else if (arg === '--most-cpu') options.mostCpu = Number(argv[++index])
    else if (['--integration', '--browser', '--again', '--verbose', '--alone'].includes(arg))
      options[arg.slice(2)] = true
    else if (arg.startsWith('-')) usage(`unknown option ${arg}`)
    else options.named.push(arg)
  }
  if (!Number.isInteger(options.jobs) || options.jobs < 0) usage('--jobs takes a whole number')
  if (options.mostCpu !== null && !(options.mostCpu > 0)) usage('--most-cpu takes a number')
  if (options.named.length === 0 && !options.integration && !options.browser) options.mostCpu ??= MOST_CPU
  if (options.jobs === 0)
    options.jobs = options.browser ? Math.min(2, availableParallelism()) : availableParallelism() + 1
  return options
}

function testsBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
}

function filesOf({ integration, browser, named }) {
  if (named.length === 0) {
    if (browser) return testsBelow('test/browser')
    const others = testsBelow('test').filter((file) => !OWN_SUITE.test(file))
    const isIntegrated = (file) =>
      WAITING.includes(file) || MEASURING.includes(file) || STARTS_PROGRAM.test(readFileSync(join(root, file), 'utf8'))
    if (integration) return [...testsBelow('test/app'), ...others.filter(isIntegrated)]
    return others.filter((file) => !isIntegrated(file))
  }
  const files = named.flatMap((name) => {
    const file = relative(root, resolve(name))
    const stat = statSync(join(root, file), { throwIfNoEntry: false })
    if (stat === undefined) usage(`there is no ${name}`)
    return stat.isDirectory() ? testsBelow(file) : [file]
  })
  if (files.length === 0) usage(`no *.test.ts in ${named.join(', ')}`)
  return files
}

/** A file that looks at its process, or changes it, would see or disturb its neighbours. */
const ALONE =
  /process\.(?:on|once|chdir|exit|cpuUsage|memoryUsage|kill)|process\.env\S* = |delete process\.env|globalThis|setFlags|\bgc\(/
/** Bytes of source, and files, of one process. */
const GROUP = { bytes: 360_000, files: 48 }

const sizeOf = (file) => statSync(join(root, file)).size

/** The groups that run together, the longest first, so that the last one running is a short one. */
function grouped(files, { alone, browser, integration, jobs }) {
  const single = alone || browser || integration || files.length <= jobs
  const groups = []
  let open = null
  for (const file of [...files].sort((a, b) => sizeOf(b) - sizeOf(a))) {
    const bytes = sizeOf(file)
    if (
      single ||
      OWN_SUITE.test(file) ||
      WAITING.includes(file) ||
      ALONE.test(readFileSync(join(root, file), 'utf8'))
    ) {
      groups.push({ files: [file], bytes })
      continue
    }
    if (open === null || open.bytes + bytes > GROUP.bytes || open.files.length >= GROUP.files) {
      open = { files: [], bytes: 0 }
      groups.push(open)
    }
    open.files.push(file)
    open.bytes += bytes
  }
  return groups.sort((a, b) => b.bytes - a.bytes).map(({ files: together }) => together)
}

/**
 * The most that a file of the unit tests may cost, in units of `referenceMs`: more than five times what the dearest one
 * takes. What passes it belongs to the integration suite or to the fault runs.
 */
const MOST_CPU = 400

/** CPU of a fixed piece of work, in ms: about 100 on the machine of docs/measurements.md, more where others use its caches. */
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

async function runAll(groups, { jobs, verbose }) {
  const waiting = [...groups]
  const count = groups.flat().length
  const results = []
  const work = async () => {
    for (let files = waiting.shift(); files !== undefined; files = waiting.shift()) {
      const ran = await runFiles({ root, folder: COMPILED, data, files })
      // Those behind a file that ended the process have not run yet.
      if (ran.length < files.length) waiting.push(files.slice(ran.length))
      for (const result of ran) {
        results.push(result)
        tellFile(result, `${results.length}/${count}`)
        if (verbose) console.log(result.output)
        else if (!result.ok) console.log(result.trouble)
      }
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return results
}

function tellFile({ ok, file, passed, failed, skipped, wallMs }, place) {
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : [])
  ]
  console.log(`${ok ? 'ok' : 'not ok'} ${place} - ${file}  ${counts.join(', ')}  ${seconds(wallMs)}`)
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
const sum = (results, member) => results.reduce((total, result) => total + result[member], 0)

function tellTimes(name, results, { wallMs, compileMs }) {
  console.log(
    `\n${name}: ${seconds(wallMs)} wall, ${seconds(sum(results, 'cpuMs'))} CPU of ${results.length} files, compiled in ${seconds(compileMs)}`
  )
  console.log(`the slowest ${Math.min(SLOWEST, results.length)} (wall, CPU):`)
  for (const { file, wallMs: wall, cpuMs } of [...results].sort((a, b) => b.wallMs - a.wallMs).slice(0, SLOWEST))
    console.log(`  ${seconds(wall).padStart(8)} ${seconds(cpuMs).padStart(8)}  ${file}`)
}

function tellSkipped(results) {
  const reasons = new Map()
  for (const { file, skipped } of results)
    for (const reason of skipped) reasons.set(reason, (reasons.get(reason) ?? new Set()).add(file))
  if (reasons.size === 0) return
  console.log('\nskipped:')
  for (const [reason, files] of reasons) console.log(`  ${reason}: ${[...files].join(', ')}`)
}

/** An unsteady file is a bug to be found: it stays on the page until somebody has found it. */
function remember(files) {
  if (process.env.CI === 'true' || files.length === 0) return
  const day = new Date().toISOString().slice(0, 10)
  if (!existsSync(UNSTEADY)) return
  appendFileSync(UNSTEADY, files.map((file) => `| ${day} | \`${file}\` | not yet known |\n`).join(''))
}

async function lookAgain(results) {
  const unsteady = []
  for (const first of results.filter(({ ok }) => !ok)) {
    console.log(`\nonce more, alone: ${first.file}`)
    const [second] = await runAll([[first.file]], { jobs: 1, verbose: false })
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

const options = parse(process.argv.slice(2))
const files = filesOf(options)
const started = Date.now()
await compile(files)
const data = testFolder()
const compileMs = Date.now() - started
const before = referenceMs()
const results = await runAll(grouped(files, options), options)
limitCost(results, options.mostCpu, before)
const failures = results.filter(({ ok }) => !ok)
if (failures.length > 0)
  console.log(
    `\nfailed:\n${failures.flatMap(({ file, failures: names }) => [`  ${file}`, ...names.slice(0, 10).map((name) => `    ${name}`)]).join('\n')}`
  )
if (options.again && failures.length > 0 && failures.length <= MOST_AGAIN) await lookAgain(results)
const name =
  options.named.length > 0
    ? 'the files named'
    : options.browser
      ? 'browser suite'
      : options.integration
        ? 'integration suite'
        : 'tests'
tellSkipped(results)
tellTimes(name, results, { wallMs: Date.now() - started, compileMs })
const skipped = results.reduce((total, result) => total + result.skipped.length, 0)
console.log(
  `\n${sum(results, 'passed')} passed, ${sum(results, 'failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
)
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
