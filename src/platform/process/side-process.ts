import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { because, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import { type Clock, systemClock } from '../clock/clock.ts'
import { AppError, reasonOf } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { backoff } from '../net/backoff.ts'
import { exitReason } from './exit.ts'
import { guardGroup, releaseGroup } from './guardian.ts'
import { childNodeOptions, ownProgram } from './own-program.ts'
import { offerToOomKiller, residentBytes, signalGroup } from './process-group.ts'
import { type FromSide, isMessage, type ToSide } from './side-messages.ts'
import { type RequestOptions, SideRequests } from './side-requests.ts'

const START_MS = 60_000
/** An idle process that was told to end ends in this time, or is ended. */
const END_MS = 5000
/** SIGTERM, then after this SIGKILL: together within the 2 s of a stopping step (contract §12). */
const TERM_MS = 1500
const RESTART = { min: 500, max: 5 * 60_000 }
/** A process that ran this long was well; the next crash is a new one. */
const WELL_MS = 60_000
/** Nobody who asks waits longer for one that crashed: it is started for them, though not more often than this. */
const ASKED_AGAIN_MS = 5000
const LAST_WORDS = 4096
const NICENESS = 10

export interface SideOptions {
  /** For the log and for people: `knowledge worker`. */
  name: string
  /** Arguments behind the program: `['work', 'knowledge', '--data', folder]`. */
  args: readonly string[]
  log: Pick<Log, 'info' | 'error'>
  /** File of the program; by default the one that runs now. */
  entry?: string
  env?: Record<string, string | undefined>
  /** Limit of its heap in MiB. */
  heapMib?: number
  /** 0 as ours … 19 last; the radios never wait for it. */
  niceness?: number
  /** Messages it sends by itself. */
  onNotify?: (method: string, params: unknown) => void
  /** After every change of `status().state`. */
  onChange?: () => void
  clock?: Clock
  random?: () => number
}

/** `resting`: it crashed and is started again at `retryAt`. */
export type SideState = 'stopped' | 'starting' | 'running' | 'ending' | 'resting'

export interface SideStatus {
  name: string
  state: SideState
  pid: number | null
  /** Epoch milliseconds: since when it is in this state. */
  since: number
  /** In a row. */
  crashes: number
  lastCrash: { at: number; reason: Reason } | null
  retryAt: number | null
  /** Its own memory; null when it does not run or the system does not tell. */
  residentBytes: number | null
}

/**
 * Another process of this program, on demand: started by the first message, it ends itself when idle, is started again
 * with back-off after a crash, and never outlives us. Idle, it does not keep us alive; a request under way does.
 */
export class SideProcess {
  readonly #options: SideOptions
  readonly #clock: Clock
  readonly #requests: SideRequests
  #child: ChildProcess | null = null
  #state: SideState = 'stopped'
  #since: number
  #crashes = 0
  #lastCrash: SideStatus['lastCrash'] = null
  #retryAt: number | null = null
  #cancelTimer: () => void = () => undefined
  #lastWords = ''
  /** It was ended because it took too long to start. */
  #late = false
  #closed: Promise<void> | null = null

  constructor(options: SideOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#since = this.#clock.now()
    this.#requests = new SideRequests({
      name: options.name,
      clock: this.#clock,
      send: (message) => this.#send(message),
      excuse: () => (this.#state === 'running' ? null : (this.#lastCrash?.reason ?? null))
    })
  }

  /**
   * @throws AppError `timeout`; `unavailable` when the process ended or was stopped before it answered; what `signal` was
   * aborted with; and whatever the handler threw, AppErrors with their code.
   */
  async request<T>(method: string, params: unknown, options: RequestOptions = {}): Promise<T> {
    if (this.#closed !== null) throw this.#stoppedError()
    const { at } = this.#lastCrash ?? { at: Number.NEGATIVE_INFINITY }
    if (this.#clock.now() - at >= ASKED_AGAIN_MS) this.retry()
    const answer = this.#requests.add(method, params, options)
    this.#flush()
    return (await answer) as T
  }

  /** Tells it something; starts it when it does not run. What cannot be told because of a crash is told after it. */
  notify(method: string, params: unknown): void {
    if (this.#closed !== null) return
    this.#requests.notify(method, params)
    this.#flush()
  }

  /** What made it crash is over: one that rests is started now. */
  retry(): void {
    if (this.#closed !== null || this.#state !== 'resting') return
    this.#cancelTimer()
    this.#start()
  }

  status(): SideStatus {
    const pid = this.#child?.pid ?? null
    return {
      name: this.#options.name,
      state: this.#state,
      pid,
      since: this.#since,
      crashes: this.#crashes,
      lastCrash: this.#lastCrash,
      retryAt: this.#retryAt,
      residentBytes: pid === null ? null : residentBytes(pid)
    }
  }

  /** Ends it within 2 s, with its whole process group, for good; requests under way fail. Never rejects. */
  stop(): Promise<void> {
    this.#closed ??= this.#shutDown()
    return this.#closed
  }

  async #shutDown(): Promise<void> {
    this.#cancelTimer()
    this.#retryAt = null
    const child = this.#child
    this.#enter(child === null ? 'stopped' : 'ending')
    if (child !== null) {
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
      child.ref()
      this.#signal(child, 'SIGTERM')
      const timer = setTimeout(() => this.#signal(child, 'SIGKILL'), TERM_MS)
      await gone
      clearTimeout(timer)
    }
    this.#requests.failAll(this.#stoppedError())
  }

  #stoppedError(): AppError {
    return new AppError('unavailable', because('side_stopped', { name: this.#options.name }))
  }

  /** Sends what waits, or sees to it that there is somebody to send it to. */
  #flush(): void {
    if (this.#closed !== null || !this.#requests.open) return
    if (this.#state === 'stopped') this.#start()
    else if (this.#state === 'running') this.#requests.flush()
  }

  #send(message: ToSide): void {
    // An error here means that it is going; its `exit` tells the rest.
    this.#child?.send(message, () => undefined)
  }

  #start(): void {
    const { args, entry, env = process.env, heapMib } = this.#options
    const own = ownProgram(args, entry === undefined ? {} : { entry })
    const heap = heapMib === undefined ? [] : [`--max-old-space-size=${heapMib}`]
    this.#retryAt = null
    this.#lastWords = ''
    this.#late = false
    this.#enter('starting')
    const child = spawn(own.command, [...heap, ...own.args], {
      env: { ...env, NODE_OPTIONS: childNodeOptions(env['NODE_OPTIONS']) },
      // A group of its own: a Ctrl-C in the terminal is for us, and we stop it in order.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc']
    })
    this.#child = child
    this.#settle(child)
    this.#cancelTimer = this.#clock.after(START_MS, () => {
      this.#late = true
      this.#signal(child, 'SIGKILL')
    })
    child.on('message', (message) => this.#took(child, message))
    child.stderr?.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk)
      this.#lastWords = `${this.#lastWords}${chunk}`.slice(-LAST_WORDS)
    })
    child.once('error', (error) => this.#gone(child, because('could_not_be_started', { said: reasonOf(error) })))
    child.once('exit', (code, signal) => this.#gone(child, this.#describeEnd(code, signal), code === 0))
  }

  /** It must not outlive us, must not be in the way of the station, and must not keep it alive. */
  #settle(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    if (child.stderr !== null && 'unref' in child.stderr && typeof child.stderr.unref === 'function')
      child.stderr.unref()
    if (child.pid === undefined) return
    guardGroup(child.pid)
    offerToOomKiller(child.pid)
    try {
      setPriority(child.pid, this.#options.niceness ?? NICENESS)
    } catch {
      // It is gone already, which `exit` tells.
    }
  }

  #took(child: ChildProcess, message: unknown): void {
    if (child !== this.#child) return
    if (!isMessage<FromSide>(message, ['ready', 'idle', 'notify', 'result', 'error'])) return
    if (message.type === 'ready') this.#ready()
    else if (message.type === 'idle') this.#mayEnd(child)
    else if (message.type === 'notify') this.#options.onNotify?.(message.method, message.params)
    else this.#requests.answered(message)
  }

  #ready(): void {
    if (this.#state !== 'starting') return
    this.#cancelTimer()
    this.#enter('running')
    this.#options.log.info({ side: this.#options.name, pid: this.#child?.pid }, 'side process started')
    this.#flush()
  }

  #mayEnd(child: ChildProcess): void {
    if (this.#state !== 'running' || this.#requests.open) return
    this.#enter('ending')
    this.#send({ type: 'end' })
    this.#cancelTimer = this.#clock.after(END_MS, () => this.#signal(child, 'SIGKILL'))
  }

  #gone(child: ChildProcess, reason: Reason, inOrder = false): void {
    if (child !== this.#child) return
    this.#child = null
    this.#cancelTimer()
    if (child.pid !== undefined) {
      signalGroup(child.pid, 'SIGKILL')
      releaseGroup(child.pid)
    }
    const { name } = this.#options
    this.#requests.failSent(new AppError('unavailable', because('side_ended', { name, how: reason })))
    // Somebody else may have told it to end, such as the service manager that is about to tell us.
    if (this.#state === 'ending' || (inOrder && this.#state === 'running')) {
      this.#crashes = 0
      this.#enter('stopped')
    } else this.#crashed(reason)
    this.#flush()
  }

  #crashed(reason: Reason): void {
    const { name, log, random = Math.random } = this.#options
    const now = this.#clock.now()
    const wasWell = this.#state === 'running' && now - this.#since >= WELL_MS
    this.#crashes = wasWell ? 1 : this.#crashes + 1
    this.#lastCrash = { at: now, reason }
    const wait = backoff(this.#crashes - 1, { ...RESTART, random })
    this.#retryAt = now + wait
    this.#enter('resting')
    if (wait > ASKED_AGAIN_MS)
      this.#requests.failAsked(new AppError('unavailable', because('side_rests', { name, how: reason })))
    log.error(
      { side: name, reason: sentenceOf(reason), crashes: this.#crashes, retry_in_ms: wait },
      'side process ended unexpectedly'
    )
    this.#cancelTimer = this.#clock.after(wait, () => this.#start())
  }

  #describeEnd(code: number | null, signal: NodeJS.Signals | null): Reason {
    const how = exitReason(code, signal)
    const words = wordsOf(this.#lastWords)
    if (words !== null)
      return because('ended_with_words', { how, said: because('note', { text: words.slice(0, 300) }) })
    if (!this.#late) return how
    return because('ended_with_words', { how, said: because('not_ready_within', { seconds: START_MS / 1000 }) })
  }

  #signal({ pid }: ChildProcess, signal: NodeJS.Signals): void {
    if (pid !== undefined) signalGroup(pid, signal)
  }

  #enter(state: SideState): void {
    if (this.#state === state) return
    this.#state = state
    this.#since = this.#clock.now()
    this.#options.onChange?.()
  }
}

/** The reason of its end, when its last words say it: `FATAL ERROR: … heap out of memory`. */
function wordsOf(lastWords: string): string | null {
  // Node's own words, ours when we give up (`lookout: …`), and the last line of a log.
  const said = /^(?:\w*Error\b.*|FATAL.*|lookout: .*)$/m.exec(lastWords)?.[0]
  return /"level":"fatal".*"err":"((?:[^"\\]|\\[^n])*)/.exec(lastWords)?.[1] ?? said ?? null
}
