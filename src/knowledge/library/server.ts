import { readFile } from 'node:fs/promises'
import { because, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import { httpGet } from '../../platform/net/fetch.ts'
import { findProgram } from '../../platform/process/programs.ts'
import { EMPTY, runBounded } from '../../platform/process/run.ts'
import type { WikiPrefix, WikiServerPlace } from './citation.ts'
import { type FeedEntry, readFeed } from './feed.ts'
import { listenAddress } from './listen-place.ts'
import { ServerProcess } from './server-process.ts'
import type { LibraryConfig } from './settings.ts'

const ASK_MS = 5000
const VERSION_MS = 10_000
const MIB = 2 ** 20

/** The state of the library server. `missing`: not installed. `off`: nobody wants one, or there is nothing to serve. */
export type ServerStatus = 'running' | 'starting' | 'failed' | 'missing' | 'external' | 'off'

export interface ServerState {
  status: ServerStatus
  /** As this program reaches it; null when it does not. */
  url: string | null
  /** `3.3.0`; null when it is not known. */
  version: string | null
  /** The reason why it does not serve; null when it does. */
  reason: Reason | null
}

export interface ServerOptions {
  settings: Pick<LibraryConfig, 'server' | 'port' | 'server_url' | 'server_pid_file'>
  /** `library.xml`. */
  file: string
  /** Address of the dashboard. */
  host: string
  userAgent: () => string
  log: Pick<Log, 'info' | 'warn' | 'error'>
  clock: Clock
  random: () => number
  /** The state is another one. */
  onChange: () => void
  program?: () => string | null
}

/** The server that shows the archives: ours, one that somebody else runs, or none (contract §9). */
export class LibraryServer {
  readonly #options: ServerOptions
  readonly #process: ServerProcess | null
  readonly #program: () => string | null
  #version: string | null = null
  #prefix: WikiPrefix = ''
  #asked = false
  /** Of an external one: why it did not answer last time. */
  #silence: Reason | null = because('server_not_asked')

  constructor(options: ServerOptions) {
    this.#options = options
    this.#program = options.program ?? (() => findProgram('kiwix-serve'))
    const { settings, host, file, log, clock, random } = options
    this.#process =
      settings.server !== 'supervised'
        ? null
        : new ServerProcess({
            file,
            log,
            clock,
            random,
            program: this.#program,
            place: async () => ({ address: await listenAddress(host), port: settings.port }),
            answers: async (url) => (await this.#statusOf(url)) !== null,
            onChange: () => this.#changed()
          })
  }

  get kind(): LibraryConfig['server'] {
    return this.#options.settings.server
  }

  /** Asking starts nothing. */
  state(): ServerState {
    const version = this.#version
    const { server, server_url: url } = this.#options.settings
    if (server === 'off') return { status: 'off', url: null, version: null, reason: because('server_is_off') }
    if (server === 'external') {
      if (url === '') return { status: 'failed', url: null, version: null, reason: because('server_url_empty') }
      return { status: 'external', url, version, reason: this.#silence }
    }
    const state = this.#process?.state ?? 'stopped'
    if (state === 'stopped') return { status: 'off', url: null, version, reason: because('no_archive_yet') }
    return { status: state, url: this.#process?.url ?? null, version, reason: this.#process?.reason ?? null }
  }

  /** For links; null while there is no server to open them. */
  place(): WikiServerPlace | null {
    const { server } = this.#options.settings
    if (server === 'off') return null
    return { kind: server, url: this.state().url, prefix: this.#prefix }
  }

  /** Of ours: its process. */
  get pid(): number | null {
    return this.#process?.pid ?? null
  }

  /** Ours runs while there is something to serve. */
  async want(serve: boolean): Promise<void> {
    if (serve) this.#process?.start()
    else await this.#process?.stop()
  }

  /** Tells it to read `library.xml` again. Answers why it could not be told; null when it was. */
  async reload(): Promise<Reason | null> {
    if (this.#process !== null) return this.#process.hangUp() ? null : because('server_runs_not')
    const { server_pid_file: file } = this.#options.settings
    if (this.kind === 'off') return because('server_none')
    if (file === '') return because('server_pid_file_empty')
    try {
      process.kill(await pidOf(file), 'SIGHUP')
      return null
    } catch (error) {
      return because('of_file', { file, said: reasonOf(error) })
    }
  }

  /** The list that it serves. @throws AppError `unavailable` when there is none or it does not answer, `bad-input` for nonsense. */
  async feed(signal?: AbortSignal): Promise<FeedEntry[]> {
    const { url, reason } = this.state()
    if (url === null)
      throw new AppError('unavailable', because('no_library_server', { why: reason ?? because('server_starting') }))
    try {
      const { userAgent } = this.#options
      const listed = await readFeed({ url, userAgent: userAgent(), ...(signal === undefined ? {} : { signal }) })
      this.#silence = null
      if (!this.#asked) await this.#askOnce(url)
      return listed
    } catch (error) {
      if (error instanceof AppError) this.#silence = error.reason
      // Whoever answers next may be another version.
      this.#asked = false
      throw error
    }
  }

  /** Ours does not answer though it runs: it is started again. */
  restart(reason: Reason): void {
    this.#process?.restart(reason)
  }

  /** Ends ours; for good. */
  async stop(): Promise<void> {
    await this.#process?.close()
  }

  #changed(): void {
    if (this.#process?.state === 'starting') this.#asked = false
    this.#options.onChange()
  }

  /** Once per start: which pages it has, and which version it is. */
  async #askOnce(url: string): Promise<void> {
    const viewer = await this.#statusOf(`${url.replace(/\/+$/, '')}/viewer`)
    if (viewer === null) return
    this.#prefix = viewer === 200 ? '/content' : ''
    if (this.#process !== null) this.#version = await this.#askVersion()
    this.#asked = true
  }

  async #statusOf(url: string): Promise<number | null> {
    try {
      const { status } = await httpGet({ url, userAgent: this.#options.userAgent(), totalMs: ASK_MS })
      return status
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }

  async #askVersion(): Promise<string | null> {
    const command = this.#program()
    if (command === null) return null
    const limits = { timeMs: VERSION_MS, memoryBytes: 256 * MIB, outputBytes: MIB }
    try {
      const { stdout } = await runBounded({ command, args: ['--version'], cwd: EMPTY, limits })
      return /^kiwix-\w+\s+v?(\d[\w.-]*)/m.exec(stdout.toString())?.[1] ?? null
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }
}

/** @throws AppError when the file holds no process id of another program. */
async function pidOf(file: string): Promise<number> {
  const text = (await readFile(file, 'utf8')).trim()
  const pid = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (pid <= 1 || pid === process.pid) throw new AppError('invalid', because('no_process_id'))
  return pid
}
