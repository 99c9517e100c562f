import { dirname } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { reasonOf } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import { Child } from '../../platform/process/child.ts'
import type { ChildEnd } from '../../platform/process/child-spec.ts'
import { activeConfinement, type Confinement } from '../../platform/process/confinement.ts'
import { exitReason } from '../../platform/process/exit.ts'
import { withLinked } from '../../platform/process/file-view.ts'
import { findProgram } from '../../platform/process/programs.ts'
import { Supervisor } from '../../platform/process/supervisor.ts'
import { canListen, freePort, type ListenPlace } from './listen-place.ts'

/** A board that reads a large library from a slow card needs its time. */
const READY_MS = 60_000
const ASK_AGAIN_MS = 150
const RESTART = { min: 500, max: 60_000 }
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
 * `kiwix-serve` as our child, started again with back-off. It is known by its process id from `spawn` and in no other way.
 */
export class ServerProcess {
  readonly #options: ProcessOptions
  readonly #supervisor: Supervisor
  #missing = false
  #reason: Reason | null = null
  #url: string | null = null
  /** The one that was found where any will do: addresses stay the same after a crash. */
  #port: number | null = null
  #wanted = false
  #told: string | null = null
  #cancelLook = (): void => undefined
  #turn: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: ProcessOptions) {
    this.#options = options
    this.#supervisor = new Supervisor({
      clock: options.clock,
      random: options.random,
      restart: RESTART,
      readyMs: READY_MS,
      late: because('no_answer_within', { seconds: READY_MS / 1000 }),
      describe: endOf,
      again: () => this.#begin(),
      onCrash: (crash) => this.#crashed(crash),
      onChange: () => this.#changed()
    })
  }

  get state(): ProcessState {
    const { state } = this.#supervisor
    if (this.#missing) return 'missing'
    return state === 'resting' ? 'failed' : state === 'ending' ? 'stopped' : state
  }

  /** The reason why it does not run; null when it does. */
  get reason(): Reason | null {
    return this.#reason
  }

  /** The address where we reach it; null when it does not run. */
  get url(): string | null {
    return this.state === 'running' ? this.#url : null
  }

  get pid(): number | null {
    return this.#supervisor.child?.pid ?? null
  }

  /** Starts it, or sees to it that it goes on. */
  start(): void {
    if (this.#wanted || this.#closed) return
    this.#wanted = true
    this.#begin()
  }

  /** Ends it with its whole group, within 2 s; it may be started again. Never rejects. */
  async stop(): Promise<void> {
    this.#wanted = false
    this.#cancelLook()
    this.#reason = null
    if (this.#missing) this.#forget()
    await this.#supervisor.stop()
    // Somebody may have wanted it again while it ended.
    if (this.#wanted) this.#begin()
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#closed = true
    await this.stop()
    await this.#turn
  }

  /** It does not do what it should: ends it, and starts it again. */
  restart(reason: Reason): void {
    if (this.#wanted) this.#supervisor.kill(reason)
  }

  /** SIGHUP: it reads its library again. False when it does not run. */
  hangUp(): boolean {
    return this.state === 'running' && this.#supervisor.child?.tell('SIGHUP') === true
  }

  /** While it ends nothing is new: it has stopped once it is gone. */
  #changed(): void {
    if (this.#supervisor.state !== 'ending') this.#options.onChange()
  }

  /** Nobody asks any more for a program that is not here. */
  #forget(): void {
    this.#missing = false
    this.#options.onChange()
  }

  #begin(): void {
    this.#turn = this.#turn.then(() => this.#open()).catch((error: unknown) => this.#failed(reasonOf(error)))
  }

  async #open(): Promise<void> {
    if (!this.#wanted || this.#supervisor.child !== null) return
    const { program = () => findProgram('kiwix-serve'), clock, onChange } = this.#options
    const command = program()
    this.#missing = command === null
    if (command === null) {
      this.#reason = because('kiwix_not_installed')
      this.#cancelLook = clock.after(LOOK_AGAIN_MS, () => this.#begin())
      onChange()
      return
    }
    this.#reason = null
    this.#supervisor.prepare()
    const place = await this.#options.place()
    const port = place.port === 0 ? await this.#anyPort(place.address) : place.port
    if (!(await canListen(place.address, port))) {
      this.#failed(because('port_taken', { port, address: place.address }))
      return
    }
    const means = await activeConfinement()
    if (this.#wanted) this.#spawn(command, { address: place.address, port }, means)
  }

  async #anyPort(address: string): Promise<number> {
    if (this.#port === null || !(await canListen(address, this.#port))) this.#port = await freePort(address)
    return this.#port
  }

  #spawn(command: string, { address, port }: ListenPlace, means: Confinement): void {
    const { file } = this.#options
    const folder = dirname(file)
    const child = new Child(
      {
        command,
        args: ['--library', '--address', address, '--port', String(port), file],
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' },
        // It answers strangers: archives are all it may read.
        view: { reads: withLinked(folder), writes: [] },
        stdout: 'words',
        wordsBytes: LAST_WORDS,
        background: { niceness: NICENESS }
      },
      means
    )
    this.#url = `http://${ownAddress(address)}:${port}`
    this.#supervisor.run(child)
    this.#awaitReady(child)
  }

  #awaitReady(child: Child): void {
    const { clock, answers } = this.#options
    const waits = (): boolean => child === this.#supervisor.child && this.#supervisor.state === 'starting'
    clock.after(ASK_AGAIN_MS, () => {
      if (!waits()) return
      void answers(this.#url ?? '').then((ready) => {
        if (!waits()) return
        if (ready) this.#ready(child)
        else this.#awaitReady(child)
      })
    })
  }

  #ready({ pid }: Child): void {
    this.#told = null
    this.#supervisor.ready()
    this.#options.log.info({ pid, url: this.#url }, 'the library server runs')
  }

  #failed(reason: Reason): void {
    if (this.#wanted) this.#supervisor.crashed(reason)
  }

  #crashed({ reason, crashes, wait }: { reason: Reason; crashes: number; wait: number }): void {
    const told = JSON.stringify(reason)
    this.#reason = reason
    // The same trouble, such as a port that stays taken, is told once.
    if (told === this.#told) return
    this.#told = told
    this.#options.log.error(
      { reason: sentenceOf(reason), crashes, retry_in_ms: wait },
      'the library server does not run'
    )
  }
}

function endOf({ code, signal, error }: ChildEnd, why: Reason | null, words: string): Reason {
  if (error !== null) return because('it_could_not_be_started', { said: reasonOf(error) })
  const how = exitReason(code, signal)
  const said = why ?? lastLine(words)
  return said === null ? because('it_ended', { how }) : because('it_ended_said', { how, said })
}

/** The last one that says something. */
function lastLine(words: string): Reason | null {
  const lines = words.split('\n').map((line) => line.trim())
  const line = lines.filter((text) => text !== '' && !/^(?:Loading|The library was|The Kiwix server)/.test(text)).at(-1)
  return line === undefined ? null : because('note', { text: line.slice(0, 300) })
}

const ownAddress = (address: string): string =>
  address === '0.0.0.0' ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address
