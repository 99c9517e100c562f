#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { languageOfTerminal, takeLanguage } from './cli/language.ts'
import type { VerbContext, WorkRole } from './cli/verb.ts'
import { because } from './model/reason.ts'
import { sentenceOf } from './model/words/sentences.ts'
import { StorageError, UnreadableRow } from './platform/database/storage-fault.ts'
import { AppError, type ErrorCode, errorText, issueReason } from './platform/errors.ts'
import { keepShapes, keepYoungSpaceSmall, leaveOutLargeCompiler } from './platform/process/small-heap.ts'
import { verbTools } from './station/verb-tools.ts'

/** Contract §12: 0 done, 1 runtime failure, 2 usage, 3 configuration refused, 4 something it needs is missing. */
const EXIT_CODES: Partial<Record<ErrorCode, number>> = { usage: 2, 'bad-input': 2, 'config-refused': 3, missing: 4 }

const HELP = `Lookout ${version()} — hazard warnings for LoRa meshes

usage: lookout VERB [options]

  start            watch, route and send; serves the dashboard (http://127.0.0.1:8080)
  preview [FOLDER] the dashboard and its API alone: nothing is sent
  tag              stamp events from stdin with the areas they touch
  explain          what would become of one event, and why
  replay FILE…     run recorded feeds or events through the whole pipeline
  feed NAME        what a source says, from a file or asked once
  zones            import or fetch outlines of zones of any country, list and find them
  addresses        build the file in which addresses are looked up, and check it
  archiver         what web sites are archived with here; installs its image offline
  check-config     judge a configuration; --explain tells where every value comes from
  import FILE…     make a configuration of the YAML of the earlier system
  doctor           what this machine has and what is missing
  support-bundle   one file for whoever helps to mend this station; no secrets in it
  backup DIR       add a backup to a folder, while the station runs; --verify checks them
  restore DIR      write a backup into a new folder
  verify-log       check that nobody changed the log of who did what
  verify-bundle    check that an unpacked bundle is whole and signed by a key that is trusted
  forget           begin the history anew; what was is kept in a folder of its own
  token            make, list and revoke API tokens
  first-boot       take lookout-setup.txt of the boot partition into the settings

  lookout VERB --help tells more. --lang de (or LANG) gives reasons in German.

exit codes: 0 done · 1 failed · 2 wrong usage · 3 configuration refused · 4 something needed is missing
`

type Verb = (args: string[], context: VerbContext) => Promise<number>

/** One file per verb, loaded when it is asked for. */
const VERBS: Record<string, () => Promise<Verb>> = {
  start: async () => (await import('./cli/start.ts')).start,
  preview: async () => (await import('./cli/start.ts')).preview,
  tag: async () => (await import('./cli/tag.ts')).tag,
  explain: async () => (await import('./cli/explain.ts')).explainVerb,
  replay: async () => (await import('./cli/replay.ts')).replay,
  feed: async () => (await import('./cli/feed.ts')).feed,
  zones: async () => (await import('./cli/zones.ts')).zones,
  addresses: async () => (await import('./cli/addresses.ts')).addresses,
  archiver: async () => (await import('./cli/archiver.ts')).archiver,
  'check-config': async () => (await import('./cli/check-config.ts')).checkConfig,
  import: async () => (await import('./cli/import-older.ts')).importOlder,
  doctor: async () => (await import('./cli/doctor.ts')).doctor,
  'support-bundle': async () => (await import('./cli/support-bundle.ts')).supportBundle,
  backup: async () => (await import('./cli/backup.ts')).backup,
  'verify-log': async () => (await import('./cli/verify-log.ts')).verifyLog,
  'verify-bundle': async () => (await import('./cli/verify-bundle.ts')).verifyBundle,
  forget: async () => (await import('./cli/forget.ts')).forget,
  restore: async () => (await import('./cli/restore.ts')).restore,
  token: async () => (await import('./cli/token.ts')).token,
  'first-boot': async () => (await import('./cli/first-boot.ts')).firstBoot,
  // Not in HELP: how the program starts itself in another process.
  work: async () => (await import('./cli/work.ts')).work
}

/** Roles of `lookout work ROLE`; heavy packages load with the role that needs them. */
const ROLES: Record<string, () => Promise<WorkRole>> = {
  knowledge: async () => (await import('./station/knowledge-work.ts')).runKnowledgeWorker,
  search: async () => (await import('./station/search-work.ts')).runSearcher,
  convert: async () => (await import('./station/convert-work.ts')).runConverter,
  print: async () => (await import('./station/print-work.ts')).runPrinter,
  backup: async () => (await import('./station/backup-work.ts')).runBackup,
  salvage: async () => (await import('./station/salvage-work.ts')).runSalvage,
  model: async () => (await import('./station/model-work.ts')).runModelInspector,
  scrape: async () => (await import('./station/scrape-work.ts')).runScraper
}

/** They go on without anybody who reads their output. */
const STATIONS: ReadonlySet<string> = new Set(['start', 'preview'])

/** Run with sudo, they make what the user of the service must read: addresses and outlines of zones are nobody's secret. */
const OPEN: ReadonlySet<string> = new Set(['addresses', 'zones'])

/** Contract §12: gone 5 s after it was asked to, whatever still stands in its way. What was under way is in the files. */
const LEAVE_MS = 4800
/** Until the last lines have left; a hash that is still being made is not waited for. */
const FLUSH_MS = 200

/** Aborted by the first SIGTERM or SIGINT. A station hears of it from its first moment on, before anything of it stands. */
function stopSignal(): AbortSignal {
  const asked = new AbortController()
  if (!STATIONS.has(process.argv[2] ?? '')) return asked.signal
  const obey = (signal: NodeJS.Signals): void => {
    if (asked.signal.aborted) return
    asked.abort(signal)
    setTimeout(() => process.exit(0), LEAVE_MS).unref()
  }
  process.on('SIGTERM', obey)
  process.on('SIGINT', obey)
  return asked.signal
}

const ASKED = stopSignal()
// Run by hand, with the mask of a login shell, the program keeps its files to itself as under its unit.
if (!OPEN.has(process.argv[2] ?? '')) process.umask(0o077)

// Loading the program would let it grow for good, and load a compiler, before the profile that says how small the board is has been read.
if (STATIONS.has(process.argv[2] ?? '')) {
  keepYoungSpaceSmall(true)
  leaveOutLargeCompiler(true)
  keepShapes()
}

let language = languageOfTerminal(process.env)

const KNOWN = Object.keys(VERBS).filter((name) => name !== 'work')

function version(): string {
  return process.env['LOOKOUT_VERSION'] ?? '0.0.0-source'
}

async function main(all: string[]): Promise<number> {
  const [name, ...args] = all
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(HELP)
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version()}\n`)
    return 0
  }
  const load = VERBS[name]
  if (load === undefined) throw new AppError('usage', because('unknown_verb', { verb: name, known: KNOWN }))
  const { asked, rest } = takeLanguage(args)
  language = asked ?? language
  const verb = await load()
  return verb(rest, {
    version: version(),
    language,
    root: fileURLToPath(new URL('..', import.meta.url)),
    env: process.env,
    stdin: process.stdin,
    asked: ASKED,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    startApp: async (options) => (await import('./station/app.ts')).startApp(options),
    ...verbTools,
    openCore: async (options) => (await import('./station/core.ts')).Core.open(options),
    roles: ROLES
  })
}

/** Recognises the error of node:util for an unknown or incomplete option. */
function isArgumentError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

/** A bug ends the process: systemd starts it again, and what was on its way is in the file. */
function die(error: unknown): never {
  process.stderr.write(
    `${JSON.stringify({ level: 'fatal', time: new Date().toISOString(), msg: 'unexpected error', err: error instanceof Error ? error.stack : String(error) })}\n`
  )
  process.exit(1)
}

/** A disk that fails is no bug: the station goes on with what it has in memory (contract §6), and readiness says so. */
function surviveDisk(error: unknown): void {
  if (!(error instanceof StorageError || error instanceof UnreadableRow) || !STATIONS.has(process.argv[2] ?? ''))
    die(error)
  process.stderr.write(
    `${JSON.stringify({ level: 'error', time: new Date().toISOString(), msg: 'a part of the station met a failing disk', err: error.stack })}\n`
  )
}

process.on('uncaughtException', surviveDisk)
process.on('unhandledRejection', surviveDisk)
// A reader that goes away (`| head`) is no failure, and no reason for a station to stop.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') die(error)
  else if (!STATIONS.has(process.argv[2] ?? '')) process.exit(0)
})

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
    if (ASKED.aborted) setTimeout(() => process.exit(), FLUSH_MS).unref()
  },
  (error: unknown) => {
    if (isArgumentError(error)) {
      process.stderr.write(`lookout: ${errorText(error)}\n`)
      process.exitCode = 2
      return
    }
    if (!(error instanceof AppError)) return die(error)
    process.stderr.write(`lookout: ${sentenceOf(error.reason, language)}\n`)
    for (const issue of error.issues)
      process.stderr.write(`  ${issue.path || '/'}: ${sentenceOf(issueReason(issue), language)}\n`)
    process.exitCode = EXIT_CODES[error.code] ?? 1
  }
)
