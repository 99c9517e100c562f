import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { systemClock } from '../platform/clock/clock.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { createLog, LOG_LEVELS, type Log } from '../platform/log/log.ts'
import { recordStation } from '../platform/process/running-stations.ts'
import { serviceManager } from '../platform/process/service-manager.ts'
import { Watchdog } from '../platform/process/watchdog.ts'
import { readSettings, type Settings } from '../settings/environment.ts'
import { claimFile, keepClaim, removeClaimFile } from './claim-file.ts'
import { addressForPhones, claimPicture } from './claim-picture.ts'
import { readableLog } from './readable-log.ts'
import { Story } from './story.ts'
import type { RunningApp, VerbContext } from './verb.ts'

const START_HELP = `usage: lookout start [--data DIR] [--profile NAME] [--host ADDRESS] [--port N] [--log LEVEL] [--no-demo | --demo-again]

Watches, routes and sends; serves the dashboard.
  --data DIR      data folder (LOOKOUT_DATA; default ./data, made when missing)
  --profile NAME  home, regional_pi or minimal_pi (LOOKOUT_PROFILE; default home)
  --host, --port  where the dashboard answers (LOOKOUT_HTTP_HOST, LOOKOUT_HTTP_PORT; 127.0.0.1:8080; port 0 = any free)
  --log LEVEL     ${LOG_LEVELS.join(' ')} (LOOKOUT_LOG; default info); the log goes to stderr
  --no-demo       do not play the demo (it plays only while nothing is configured, on simulated radios)
  --demo-again    play the demo from its beginning although this data folder has seen it

LOOKOUT_CLAIM_FILE=FILE holds the claim code while nobody has claimed the station (without it /boot/firmware/lookout-claim.txt
where there is that folder; off: none).
LOOKOUT_SANDBOX=SOCKET names the service that starts programs which read documents, each with a view of its own files (the unit sets it).
LOOKOUT_RESTARTED_BY=NAME says that this (systemd, a container) starts the program again when it ends: the page may restart it
LOOKOUT_RESET_FILE=FILE at a start at which it is there and new, the passphrase is forgotten and a claim code offered
LOOKOUT_BOARD_FILE=FILE holds what the lamp of the board shows, and that the board is to be switched off (deploy/systemd/lookout-board)
LOOKOUT_AIR_LOG=FILE (development) appends a JSON line for every text that a simulated radio takes for the air.

stdout: "lookout ready http://HOST:PORT profile=NAME radios=… pid=…" once the port answers
signals: SIGTERM, SIGINT stop within 5 s; SIGHUP re-reads the configuration
exit codes: 0 stopped · 1 failed · 2 usage · 3 configuration refused · 4 something needed is missing
`

const PREVIEW_HELP = `usage: lookout preview [FOLDER] [--host ADDRESS] [--port N] [--log LEVEL]

The dashboard and its API alone, on the data folder FOLDER (default ./data): no radio, no feed, nothing is sent.
A missing folder is made with a sample configuration. Changes you save are used at once.
`

const OPTIONS = {
  data: { type: 'string' },
  profile: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  log: { type: 'string' },
  help: { type: 'boolean', short: 'h' }
} as const

/** `lookout start`: contract §12. */
export async function start(args: string[], context: VerbContext): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { ...OPTIONS, 'no-demo': { type: 'boolean' }, 'demo-again': { type: 'boolean' } }
  })
  if (values.help) {
    context.out(START_HELP)
    return 0
  }
  const demo =
    values['no-demo'] || context.env['LOOKOUT_DEMO'] === 'off' ? 'off' : values['demo-again'] ? 'again' : 'on'
  return run('run', await settingsFrom(values, context), { demo, context })
}

/** `lookout preview`: contract §7. */
export async function preview(args: string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  if (values.help) {
    context.out(PREVIEW_HELP)
    return 0
  }
  if (positionals.length > 1) throw new AppError('usage', because('preview_takes_one_folder'))
  const folder = positionals[0] ?? values.data
  const settings = await settingsFrom({ ...values, ...(folder === undefined ? {} : { data: folder }) }, context)
  const { makeSampleFolder } = await import('./sample.ts')
  if (await makeSampleFolder(settings.dataFolder))
    context.err(`made ${settings.dataFolder} with a sample configuration\n`)
  return run('preview', settings, { demo: 'off', context })
}

type Values = { [Key in 'data' | 'profile' | 'host' | 'port' | 'log']?: string | undefined }

function settingsFrom(values: Values, { env, root }: VerbContext): Promise<Settings> {
  return readSettings({ argv: values, env, root })
}

async function run(
  mode: 'run' | 'preview',
  settings: Settings,
  { demo, context }: { demo: 'on' | 'off' | 'again'; context: VerbContext }
): Promise<number> {
  const log = createLog({
    level: settings.logLevel,
    ...(process.stderr.isTTY ? { destination: readableLog(context.err) } : {})
  })
  const manager = mode === 'run' ? serviceManager(context.env, log) : null
  const watchdog = manager === null ? null : new Watchdog({ manager, clock: systemClock, log })
  watchdog?.starting()
  context.asked.addEventListener('abort', () => watchdog?.stopping(), { once: true })
  const signals = new Signals(log, context.asked)
  let app: RunningApp
  try {
    app = await context.startApp({
      mode,
      demo,
      log,
      overrides: overridesOf(settings),
      version: context.version,
      root: context.root,
      dataFolder: resolve(settings.dataFolder),
      profileName: settings.profileName,
      host: settings.host,
      port: settings.port,
      asked: context.asked,
      ...(context.env['LOOKOUT_HOTSPOT_STATE'] ? { hotspotState: context.env['LOOKOUT_HOTSPOT_STATE'] } : {}),
      ...(context.env['LOOKOUT_UPDATE_STATE'] ? { updateState: context.env['LOOKOUT_UPDATE_STATE'] } : {}),
      restartedBy: context.env['LOOKOUT_RESTARTED_BY'] || null,
      leave: () => process.kill(process.pid, 'SIGTERM'),
      ...(context.env['LOOKOUT_BOARD_FILE'] ? { boardFile: context.env['LOOKOUT_BOARD_FILE'] } : {}),
      ...(context.env['LOOKOUT_RESET_FILE'] ? { resetFile: context.env['LOOKOUT_RESET_FILE'] } : {}),
      ...(context.env['LOOKOUT_AIR_LOG'] ? { airLog: context.env['LOOKOUT_AIR_LOG'] } : {}),
      onStarted: (running) => {
        if (mode === 'run') tellVerbs(running, { settings, log, context })
        announce(running, { mode, settings, log, context })
        watchdog?.ready(
          () => running.loops(),
          () => statusOf(running)
        )
      }
    })
  } catch (error) {
    if (!context.asked.aborted) throw error
    log.info({ signal: context.asked.reason }, 'stopped before it was up')
    return 0
  }
  return signals.follow(app).finally(() => manager?.close())
}

/** Before the ready line: whoever waited for it finds the station. */
function tellVerbs({ url }: RunningApp, { settings, log, context }: Omit<Announcement, 'mode'>): void {
  const { env, version } = context
  const takeBack = recordStation(env, { data: resolve(settings.dataFolder), url, version })
  if (takeBack === null) log.debug('no folder takes the record for verbs: they need --data')
  else process.once('exit', takeBack)
}

/** The words of `systemctl status`. */
function statusOf({ radios, waiting }: RunningApp): string {
  const ready = radios.filter((radio) => radio.health().state === 'ready').length
  return sentenceOf(because('service_runs', { ready, radios: radios.length, waiting: waiting() }))
}

/** Settings that somebody set beside the profile: `GET /api/profile` shows them. */
function overridesOf({ host, port, logLevel, origins }: Settings): Record<string, string | number> {
  const values = { host, port, log: logLevel }
  const set = Object.entries(values).filter(([name]) => {
    const origin = origins[name === 'host' || name === 'port' ? name : 'log']
    return origin !== 'profile' && origin !== 'default'
  })
  return Object.fromEntries(set)
}

interface Announcement {
  mode: 'run' | 'preview'
  settings: Settings
  log: Log
  context: VerbContext
}

/** The ready line of contract §12, then the story on the terminal. */
function announce(app: RunningApp, { mode, settings, log, context }: Announcement): void {
  const radios =
    app.radios
      .map(({ description }) => `${description.id}(${description.simulated ? 'simulated' : description.link})`)
      .join(',') || 'none'
  context.out(
    `lookout ready ${app.url} profile=${settings.profileName} radios=${mode === 'preview' ? 'preview' : radios} pid=${process.pid}\n`
  )
  log.info({ url: app.url, profile: settings.profileName, radios, mode, pid: process.pid }, 'ready')
  if (mode !== 'preview') offerClaim(app, { log, context })
  if (app.demoNote === null && !process.stdout.isTTY) return
  if (app.demoNote !== null) context.out(`\n${sentenceOf(app.demoNote, context.language)}\n`)
  const story = new Story((line) => context.out(`${line}\n`), app.timezone, context.language)
  app.observers.on('decided', (accepted) => story.decided(accepted, Date.now()))
  app.observers.on('delivery', (delivery) => story.delivery(delivery, Date.now()))
}

/** Contract §10: whoever reads the console may choose the passphrase. After the ready line: nobody waits for it. */
function offerClaim(app: RunningApp, told: { log: Log; context: VerbContext }): void {
  app.offerClaim().then(
    async (code) => {
      await keepClaimFile(app, code, told)
      if (code === null) return
      told.log.info(`nobody has claimed this station: sign in at ${app.url}/sign-in with the claim code ${code}`)
      const address = process.stdout.isTTY ? addressForPhones(app.url) : null
      if (address !== null) told.context.out(await claimPicture(address, code))
    },
    (error: unknown) => told.log.error({ err: error }, `no claim code could be made: ${errorText(error)}`)
  )
}

/** Whoever holds the card may read the code there. Mostly the boot partition belongs to root: then only the log has it. */
async function keepClaimFile(
  { url }: RunningApp,
  code: string | null,
  { log, context }: { log: Log; context: VerbContext }
): Promise<void> {
  const file = claimFile(context.env['LOOKOUT_CLAIM_FILE'] || undefined)
  if (file === null) return
  try {
    if (code === null) await removeClaimFile(file)
    else await keepClaim(file, { code, url, clock: systemClock, onError: (error) => notKept(log, file, error) })
  } catch (error) {
    notKept(log, file, error)
  }
}

function notKept(log: Log, file: string, error: unknown): void {
  log.info({ file }, `the claim code is not kept in a file: ${errorText(error)}`)
}

/** Translates signals for the running station. */
class Signals {
  readonly #log: Log
  readonly #asked: AbortSignal
  #reload = (): void => undefined

  constructor(log: Log, asked: AbortSignal) {
    this.#log = log
    this.#asked = asked
    process.on('SIGHUP', () => this.#reload())
  }

  /** Resolves with the exit code when a signal has stopped everything. */
  async follow(app: RunningApp): Promise<number> {
    // Only the sockets and watchers of the parts keep the process alive otherwise.
    const hold = setInterval(() => undefined, 3_600_000)
    this.#reload = () => {
      app.reload().then(
        () => this.#log.info('configuration read again'),
        (error: unknown) => this.#log.error({ err: error }, `the configuration could not be read: ${errorText(error)}`)
      )
    }
    const asked = this.#asked
    if (!asked.aborted) await new Promise((resolve) => asked.addEventListener('abort', resolve, { once: true }))
    this.#log.info({ signal: asked.reason }, 'stopping')
    const failed = await app.stop()
    clearInterval(hold)
    this.#log.info({ failed }, 'stopped')
    return failed.length === 0 ? 0 : 1
  }
}
