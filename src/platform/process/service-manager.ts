import { because } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import { systemClock } from '../clock/clock.ts'
import { settledWithin } from '../clock/within.ts'
import type { Log } from '../log/log.ts'
import { Child } from './child.ts'
import { exitReason } from './exit.ts'
import { shell } from './process-group.ts'
import { findProgram } from './programs.ts'
import { Supervisor } from './supervisor.ts'

/**
 * A line of fields between tabs becomes one message, and each that has left is acknowledged. The shell forks, not we: a copy of our
 * memory for each message would hold the radios.
 */
const RELAY = "trap '' HUP INT TERM; set -f; IFS='\t'; while read -r line; do \"$1\" $line; printf '\\006'; done"
const ACKNOWLEDGED = '\u0006'
const NOTIFIER = 'systemd-notify'
const WORDS_BYTES = 2048
const RESTART = { min: 1000, max: 10_000 }
/** For the last message: within the time to stop (contract §12). */
const CLOSE_MS = 3000

/** The fields of a message to the service manager: sd_notify(3). */
export type Notice = Readonly<
  Partial<Record<'READY' | 'STOPPING' | 'WATCHDOG' | 'EXTEND_TIMEOUT_USEC' | 'STATUS', string>>
>

/** The service manager that started us. */
export interface ServiceManager {
  /** It restarts us when it hears nothing for this long; null when it does not watch. Milliseconds. */
  watchdogMs: number | null
  tell: (notice: Notice) => void
  /** The last message has left, or its sender is gone. */
  close: () => Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/** How long the service manager waits for a sign of life from this process: sd_watchdog_enabled(3). Null: it does not. */
export function watchdogOf(env: Environment, pid: number = process.pid): number | null {
  const watched = env['WATCHDOG_PID'] ?? ''
  if (watched !== '' && watched !== String(pid)) return null
  const microseconds = env['WATCHDOG_USEC'] ?? ''
  return /^[1-9]\d*$/.test(microseconds) ? Number(microseconds) / 1000 : null
}

/** A field holds no tab and no line break: they end it. */
export function lineOf(notice: Notice): string {
  const fields = Object.entries(notice).map(([name, value]) => `${name}=${value.replace(/[\t\n\r]+/g, ' ')}`)
  return `${fields.join('\t')}\n`
}

/**
 * Who started us, where that wants to hear of us; null otherwise. Node has no datagram sockets of the file system, so a shell
 * that stays passes each message on with systemd-notify (docs/decisions/0030). It ends with us: its input is our pipe.
 */
export function serviceManager(env: Environment, log: Log): ServiceManager | null {
  const socket = env['NOTIFY_SOCKET'] ?? ''
  if (socket === '') return null
  const [sh, notifier] = [shell(), findProgram(NOTIFIER)]
  if (sh === null || notifier === null) {
    log.error({ program: NOTIFIER }, sentenceOf(because('notifier_missing', { program: NOTIFIER })))
    return null
  }
  const relay = new Relay({ sh, notifier, socket, log })
  return {
    watchdogMs: watchdogOf(env),
    tell: (notice) => relay.tell(notice),
    close: () => relay.close()
  }
}

/** Later words replace earlier ones of the same name; each keeps its place beside those it was said with. */
export function joined(earlier: Notice, later: Notice): Notice {
  return { ...Object.fromEntries(Object.entries(earlier).filter(([name]) => !(name in later))), ...later }
}

/**
 * The shell that passes messages on, kept running. One message is under way at a time, what comes meanwhile becomes one: on a busy
 * machine, where each takes seconds, the last word of a stop does not stand behind a queue of signs of life.
 */
class Relay {
  readonly #o: { sh: string; notifier: string; socket: string; log: Log }
  readonly #supervisor: Supervisor
  #closed = false
  #isUnderWay = false
  #waiting: Notice | null = null

  constructor(options: { sh: string; notifier: string; socket: string; log: Log }) {
    this.#o = options
    this.#supervisor = new Supervisor({
      clock: systemClock,
      random: Math.random,
      restart: RESTART,
      readyMs: CLOSE_MS,
      late: because('not_ready_within', { seconds: CLOSE_MS / 1000 }),
      describe: ({ code, signal }) => because('notifier_ended', { program: NOTIFIER, how: exitReason(code, signal) }),
      again: () => this.#start(),
      onCrash: ({ reason, wait }) => options.log.warn({ wait_ms: wait }, sentenceOf(reason)),
      onChange: () => undefined
    })
    this.#start()
  }

  tell(notice: Notice): void {
    if (this.#closed) return
    this.#waiting = this.#waiting === null ? notice : joined(this.#waiting, notice)
    if (!this.#isUnderWay) this.#pass()
  }

  #pass(): void {
    const { child } = this.#supervisor
    if (child === null || this.#waiting === null) return
    child.write(lineOf(this.#waiting))
    this.#waiting = null
    this.#isUnderWay = true
  }

  #acknowledged(): void {
    this.#isUnderWay = false
    this.#pass()
  }

  async close(): Promise<void> {
    const { child } = this.#supervisor
    this.#pass()
    this.#closed = true
    this.#supervisor.expectEnd(CLOSE_MS)
    child?.endInput()
    // Neither children nor the timers of the clock keep a program alive: it would be gone before its last word.
    const alive = setTimeout(() => undefined, CLOSE_MS)
    if (child !== null) await settledWithin(child.exited, CLOSE_MS, systemClock)
    await this.#supervisor.stop()
    clearTimeout(alive)
  }

  #start(): void {
    if (this.#closed) return
    const { sh, notifier, socket } = this.#o
    const child = new Child({
      command: sh,
      args: ['-c', RELAY, 'sh', notifier],
      env: { PATH: process.env['PATH'], NOTIFY_SOCKET: socket },
      keepsInput: true,
      stdout: 'words',
      wordsBytes: WORDS_BYTES,
      onWords: (words) => {
        if (words.includes(ACKNOWLEDGED)) this.#acknowledged()
      },
      background: { niceness: 0 }
    })
    this.#supervisor.run(child)
    this.#supervisor.ready()
    // Whatever the one before it had under way is gone with it.
    this.#isUnderWay = false
    this.#pass()
  }
}
