import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { reasonOf } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import { backoff } from '../../platform/net/backoff.ts'
import { exitReason } from '../../platform/process/exit.ts'
import { guardGroup, releaseGroup } from '../../platform/process/guardian.ts'
import { offerToOomKiller, signalGroup } from '../../platform/process/process-group.ts'
import { findProgram } from '../../platform/process/programs.ts'
import { canListen, freePort, type ListenPlace } from './listen-place.ts'

/** A board that reads a large library from a slow card needs its time. */
const READY_MS = 60_000
const ASK_AGAIN_MS = 150
const RESTART = { min: 500, max: 60_000 }
/** A server that ran this long was well; the next crash is a new one. */
const WELL_MS = 60_000
/** SIGTERM, then after this SIGKILL: together within the 2 s of a stopping step (contract §12). */
const TERM_MS = 1500
const LAST_WORDS = 2048
const NICENESS = 5
/** The program may be installed while we run. */
const LOOK_AGAIN_MS = 60_000

export type ProcessState = 'stopped' | 'missing' | 'starting' | 'running' | 'failed'

export interface ProcessOptions {
  /** `library.xml`. */
  file: string
  place: () => Promise<ListenPlace>
  /** Resolves with true when it answers at this address. */
  answers: (url: string) => Promise<boolean>
  log: Pick<Log, 'info' | 'warn' | 'error'>
  clock: Clock
  random: () => number
  onChange: () => void
  /** An absolute path, or null when it is not installed. */
  program?: () => string | null
}

/**
 * `kiwix-serve` as our child: in a process group of its own that never outlives us, started again with back-off. It is known
 * by its process id from `spawn` and in no other way.
 */
export class ServerProcess {
  readonly #options: ProcessOptions
  #state: ProcessState = 'stopped'
  #reason: Reason | null = null
  #url: string | null = null
  /** The one that was found where any will do: addresses stay the same after a crash. */
  #port: number | null = null
  #wanted = false
  #child: ChildProcess | null = null
  #since = 0
  #crashes = 0
  #lastWords = ''
  /** The reason for which we ended it ourselves. */
  #why: Reason | null = null
  #told: string | null = null
  #cancelTimer = (): void => undefined
  #turn: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: ProcessOptions) {
    this.#options = options
  }

  get state(): ProcessState {
    return this.#state
  }

  /** The reason why it does not run; null when it does. */
  get reason(): Reason | null {
    return this.#reason
  }

  /** The address where we reach it; null when it does not run. */
  get url(): string | null {
    return this.#state === 'running' ? this.#url : null
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** Starts it, or sees to it that it goes on. */
  start(): void {
    if (this.#wanted || this.#closed) return
    this.#wanted = true
    this.#crashes = 0
    this.#begin()
  }

  /** Ends it with its whole group, within 2 s; it may be started again. Never rejects. */
  async stop(): Promise<void> {
    this.#wanted = false
    this.#cancelTimer()
    await this.#end()
    if (!this.#wanted) this.#enter('stopped', null)
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#closed = true
    await this.stop()
    await this.#turn
  }

  /** It does not do what it should: ends it, and starts it again. */
  restart(reason: Reason): void {
    const child = this.#child
    if (child === null || !this.#wanted) return
    this.#why = reason
    this.#signal(child, 'SIGKILL')
  }

  /** SIGHUP: it reads its library again. False when it does not run. */
  hangUp(): boolean {
    const pid = this.#child?.pid
    if (this.#state !== 'running' || pid === undefined) return false
    try {
      process.kill(pid, 'SIGHUP')
      return true
    } catch {
      // Gone this moment: it reads the library when it is started again.
      return false
    }
  }

  #begin(): void {
    this.#turn = this.#turn.then(() => this.#open()).catch((error: unknown) => this.#failed(reasonOf(error)))
  }

  async #open(): Promise<void> {
    if (!this.#wanted || this.#child !== null) return
    const { program = () => findProgram('kiwix-serve'), clock } = this.#options
    const command = program()
    if (command === null) {
      this.#enter('missing', because('kiwix_not_installed'))
      this.#cancelTimer = clock.after(LOOK_AGAIN_MS, () => this.#begin())
      return
    }
    this.#enter('starting', null)
    const place = await this.#options.place()
    const port = place.port === 0 ? await this.#anyPort(place.address) : place.port
    if (!(await canListen(place.address, port))) {
      this.#failed(because('port_taken', { port, address: place.address }))
      return
    }
    if (this.#wanted) this.#spawn(command, { address: place.address, port })
  }

  async #anyPort(address: string): Promise<number> {
    if (this.#port === null || !(await canListen(address, this.#port))) this.#port = await freePort(address)
    return this.#port
  }

  #spawn(command: string, { address, port }: ListenPlace): void {
    const { file, clock } = this.#options
    const { PATH: path = '' } = process.env
    const child = spawn(command, ['--library', '--address', address, '--port', String(port), file], {
      cwd: dirname(file),
      env: { PATH: path, LANG: 'C.UTF-8' },
      // A group of its own: a Ctrl-C in the terminal is for us, and we stop it in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    this.#child = child
    this.#lastWords = ''
    this.#why = null
    this.#url = `http://${ownAddress(address)}:${port}`
    this.#settle(child)
    const hear = (chunk: Buffer): void => {
      this.#lastWords = `${this.#lastWords}${chunk}`.slice(-LAST_WORDS)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('error', (error) => this.#gone(child, because('it_could_not_be_started', { said: reasonOf(error) })))
    child.once('exit', (code, signal) => this.#gone(child, this.#endOf(exitReason(code, signal))))
    this.#awaitReady(child, clock.now() + READY_MS)
  }

  #settle(child: ChildProcess): void {
    child.unref()
    for (const pipe of [child.stdout, child.stderr])
      if (pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
    if (child.pid === undefined) return
    guardGroup(child.pid)
    offerToOomKiller(child.pid)
    try {
      setPriority(child.pid, NICENESS)
    } catch {
      // It is gone already, which `exit` tells.
    }
  }

  #awaitReady(child: ChildProcess, deadline: number): void {
    const { clock, answers } = this.#options
    this.#cancelTimer = clock.after(ASK_AGAIN_MS, () => {
      const ask = answers(this.#url ?? '')
      void ask.then((ready) => {
        if (child !== this.#child || this.#state !== 'starting') return
        if (ready) this.#ready(child)
        else if (clock.now() > deadline) {
          this.#why = because('no_answer_within', { seconds: READY_MS / 1000 })
          this.#signal(child, 'SIGKILL')
        } else this.#awaitReady(child, deadline)
      })
    })
  }

  #ready(child: ChildProcess): void {
    this.#since = this.#options.clock.now()
    this.#told = null
    this.#enter('running', null)
    this.#options.log.info({ pid: child.pid, url: this.#url }, 'the library server runs')
  }

  #gone(child: ChildProcess, reason: Reason): void {
    if (child !== this.#child) return
    this.#child = null
    this.#cancelTimer()
    if (child.pid !== undefined) {
      signalGroup(child.pid, 'SIGKILL')
      releaseGroup(child.pid)
    }
    if (this.#wanted) this.#failed(reason)
  }

  #failed(reason: Reason): void {
    if (!this.#wanted) return
    const { clock, random, log } = this.#options
    const wasWell = this.#state === 'running' && clock.now() - this.#since >= WELL_MS
    this.#crashes = wasWell ? 1 : this.#crashes + 1
    const wait = backoff(this.#crashes - 1, { ...RESTART, random })
    // The same trouble, such as a port that stays taken, is told once.
    if (JSON.stringify(reason) !== this.#told)
      log.error(
        { reason: sentenceOf(reason), crashes: this.#crashes, retry_in_ms: wait },
        'the library server does not run'
      )
    this.#told = JSON.stringify(reason)
    this.#enter('failed', reason)
    this.#cancelTimer = clock.after(wait, () => this.#begin())
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (child === null) return
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
    child.ref()
    this.#signal(child, 'SIGTERM')
    const timer = setTimeout(() => this.#signal(child, 'SIGKILL'), TERM_MS)
    await gone
    clearTimeout(timer)
  }

  #endOf(how: Reason): Reason {
    const said = this.#why ?? this.#said()
    return said === null ? because('it_ended', { how }) : because('it_ended_said', { how, said })
  }

  /** Its last line that says something. */
  #said(): Reason | null {
    const lines = this.#lastWords.split('\n').map((line) => line.trim())
    const line = lines
      .filter((text) => text !== '' && !/^(?:Loading|The library was|The Kiwix server)/.test(text))
      .at(-1)
    return line === undefined ? null : because('note', { text: line.slice(0, 300) })
  }

  #signal({ pid }: ChildProcess, signal: NodeJS.Signals): void {
    if (pid !== undefined) signalGroup(pid, signal)
  }

  #enter(state: ProcessState, reason: Reason | null): void {
    if (this.#state === state && this.#reason === reason) return
    this.#state = state
    this.#reason = reason
    this.#options.onChange()
  }
}

const ownAddress = (address: string): string =>
  address === '0.0.0.0' ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address
