// The suites and their files: which of them share a process, and how much of a processor each keeps busy.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SLICES, sourceOf } from './fault-slices.js'

const root = fileURLToPath(new URL('..', import.meta.url))
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
  'test/knowledge/scrape/container.test.ts',
  'test/knowledge/scrape/full-disk.test.ts',
  'test/platform/process/child.test.ts',
  'test/scripts/test-runner.test.ts'
]
/** Files that measure what the main thread does: they need seconds of the processor, and to be tried again on a busy machine. */
const MEASURING = [
  'test/dashboard/anonymous-cost.test.ts',
  'test/dashboard/titles.test.ts',
  'test/warning/feeds/long-listings.test.ts'
]
/** Whole recordings, hours of simulated air, whole books, archives and sites: the longest of what a newcomer, who waits for the unit tests, need not wait for. */
const LENGTHY = new RegExp(
  `^test/(?:${[
    'replay/',
    'warning/outbox/pace\\.',
    'warning/feeds/every-fixture\\.',
    'warning/atlas/import-pack\\.',
    'knowledge/search/search\\.',
    'knowledge/library/(?:ingest|zim)\\.',
    'knowledge/scrape/mirror\\.'
  ].join('|')})`
)

/** A test that starts the program itself belongs to the integration suite, wherever it lies. */
const STARTS_PROGRAM =
  /^import \{[^}]*\b(?:run|launch|Launched|startLookout)\b[^}]*\} from '[./]*\/helpers\/process\.ts'$/m

function testsBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
}

/** The files of each suite that is asked for, without the fault runs. @throws Error when there is no file of a name */
function filesOf({ integration, browser, faults, named }) {
  if (named.length > 0) return [['the files named', named.flatMap(filesNamed)]]
  const others = testsBelow('test').filter((file) => !OWN_SUITE.test(file))
  const isIntegrated = (file) =>
    WAITING.includes(file) ||
    MEASURING.includes(file) ||
    LENGTHY.test(file) ||
    STARTS_PROGRAM.test(readFileSync(join(root, file), 'utf8'))
  const suites = []
  if (browser) suites.push(['browser suite', testsBelow('test/browser')])
  if (integration) suites.push(['integration suite', [...testsBelow('test/app'), ...others.filter(isIntegrated)]])
  if (!browser && !integration && !faults) suites.push(['tests', others.filter((file) => !isIntegrated(file))])
  return suites
}

function filesNamed(name) {
  const file = relative(root, resolve(name))
  const stat = statSync(join(root, file), { throwIfNoEntry: false })
  if (stat === undefined) throw new Error(`there is no ${name}`)
  const files = stat.isDirectory() ? testsBelow(file) : [file]
  if (files.length === 0) throw new Error(`no *.test.ts in ${name}`)
  return files
}

/** A file that looks at its process, or changes it, would see or disturb its neighbours. */
const ALONE =
  /process\.(?:on|once|chdir|exit|cpuUsage|memoryUsage|kill)|process\.env\S* = |delete process\.env|globalThis|setFlags|\bgc\(/
/** Bytes of source, and files, of one process. */
const GROUP = { bytes: 360_000, files: 48 }

const sizeOf = (file) => statSync(join(root, file)).size

/** The files that run together, in one process. */
function grouped(files, single) {
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
      groups.push([file])
      continue
    }
    if (open === null || open.bytes + bytes > GROUP.bytes || open.files.length >= GROUP.files) {
      open = { files: [], bytes: 0 }
      groups.push(open.files)
    }
    open.files.push(file)
    open.bytes += bytes
  }
  return groups
}

/**
 * Seconds that the long files take on the machine of docs/measurements.md: they begin first, so that what runs last is short.
 * Of the others the size of the source tells enough.
 */
const LASTING = {
  'test/app/update.test.ts': 130,
  'test/app/full-disk.test.ts': 124,
  'test/app/install.test.ts': 110,
  'test/browser/knowledge.test.ts': 75,
  'test/browser/library.test.ts': 60,
  'test/app/knowledge.test.ts': 58,
  'test/app/disk.test.ts': 54,
  'test/app/new.test.ts': 47,
  'test/browser/coverage.test.ts': 39,
  'test/browser/first-run.test.ts': 38,
  'test/browser/routing.test.ts': 38,
  'test/browser/events.test.ts': 34,
  'test/app/long-steps.test.ts': 33,
  'test/scripts/test-runner.test.ts': 33,
  'test/browser/pages.test.ts': 30,
  'test/app/readme.test.ts': 29,
  'test/app/library.test.ts': 28,
  'test/app/load.test.ts': 27
}
const BYTES_A_SECOND = 2500
const secondsOf = (file) => LASTING[file] ?? sizeOf(file) / BYTES_A_SECOND

/** Files that keep less than half of a processor busy. */
const IDLE = [
  'test/app/full-disk.test.ts',
  'test/app/knowledge.test.ts',
  'test/app/disk.test.ts',
  'test/app/library.test.ts',
  'test/app/load.test.ts',
  'test/app/radios.test.ts',
  'test/app/replay.test.ts',
  'test/platform/process/side-process.test.ts',
  'test/warning/radios/supervisor.test.ts',
  'test/warning/feeds/brokers.test.ts'
]

/** Files that measure the longest step: beside others the collector of garbage waits for its helpers, and its pauses count. */
const UNDISTURBED = [
  ...['test/app/long-steps.test.ts', 'test/app/long-chores.test.ts', 'test/app/long-reads.test.ts'],
  ...['test/app/storage-steps.test.ts', 'test/app/first-text.test.ts']
]

/** The part of a processor that a file keeps busy: a browser has processes of its own, and more than two starve each other. */
function weightOf(file, suite) {
  if (suite === 'tests' || suite === 'the files named') return 1
  if (UNDISTURBED.includes(file)) return 100
  if (file.startsWith('test/browser/')) return 1.25
  return IDLE.includes(file) ? 0.5 : 1
}

/**
 * @typedef {{ suite: string, files: string[], slice?: string[], weight: number, seconds: number }} Job files that run in one
 *   process, or a slice of the fault runs
 * @returns {Job[]} the longest first. @throws Error when there is no file of a name
 */
export function jobsOf(options) {
  const jobs = filesOf(options).flatMap(([suite, files]) => {
    const single = options.alone || options.browser || options.integration || files.length <= options.jobs
    return grouped(files, single).map((together) => ({
      suite,
      files: together,
      weight: weightOf(together[0], suite),
      seconds: together.reduce((sum, file) => sum + secondsOf(file), 0)
    }))
  })
  const slices = options.faults
    ? SLICES.map(({ command, weight, seconds }) => ({
        suite: 'fault runs',
        files: [`scripts/faults.js ${command.join(' ')}`],
        slice: command,
        weight,
        seconds
      }))
    : []
  return [...jobs, ...slices].sort((a, b) => b.seconds - a.seconds)
}

/** The sources to be compiled for these jobs. */
export const sourcesOf = (jobs) =>
  jobs.flatMap(({ files, slice }) => (slice === undefined ? files : [sourceOf(slice[0])]))
