import { because, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import { type Clock, systemClock } from '../clock/clock.ts'
import { AppError, reasonOf } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { Child } from './child.ts'
import type { ChildEnd } from './child-spec.ts'
import { exitReason } from './exit.ts'
import { childNodeOptions, ownProgram } from './own-program.ts'
import { anonymousBytes, oomKills } from './process-group.ts'
import { type FromSide, isMessage, type ToSide } from './side-messages.ts'
import { type RequestOptions, SideRequests } from './side-requests.ts'
import { type SupervisedState, Supervisor } from './supervisor.ts'

const MIB = 2 ** 20
const START_MS = 60_000
/** An idle process that was told to end ends in this time, or is ended. */
const END_MS = 5000
const RESTART = { min: 500, max: 5 * 60_000 }
/** Nobody who asks waits longer for one that crashed: it is started for them, though not more often than this. */
const ASKED_AGAIN_MS = 5000
const LAST_WORDS = 4096
const NICENESS = 10
const LOOK_AT_MEMORY_MS = 1000
/** As V8 says that its heap is full, and whoever gets no memory from the system. */
const OUT_OF_MEMORY = /heap out of memory|heap limit|out of memory|cannot allocate memory|bad_alloc/i

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
  /** Memory that no file holds: beyond it, it is ended. Its heap is bounded by V8, and what stands beside the heap by nothing else. */
  memoryBytes?: number
  /** 0 as ours … 19 last; the radios never wait for it. */
  niceness?: number
  /** Messages it sends by itself. */
  onNotify?: (method: string, params: unknown) => void
  /** It ended by itself while it worked. True: what it worked on is to blame, so that it is started again at once. */
  onDeath?: (death: SideDeath) => boolean
  /** After every change of `status().state`. */
  onChange?: () => void
  clock?: Clock
  random?: () => number
}

export type SideState = SupervisedState

/** An end nobody asked for. */
export interface SideDeath {
  pid: number
  signal: NodeJS.Signals | null
  reason: Reason
  /** It said so, was ended by its bound, or the kernel ended processes for it meanwhile. */
  outOfMemory: boolean
}

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
  readonly #supervisor: Supervisor
  #stopping = false
  #resting = false
  #oomKills: number | null = null
  #tooLarge = false
  #pid: number | null = null
  #cancelWatch = (): void => undefined
  #closed: Promise<void> | null = null

  constructor(options: SideOptions) {
    const { name, clock = systemClock, random = Math.random } = options
    this.#options = options
    this.#clock = clock
    this.#supervisor = new Supervisor({
      clock,
      random,
      restart: RESTART,
      readyMs: START_MS,
      late: because('not_ready_within', { seconds: START_MS / 1000 }),
      describe: endOf,
      // Somebody else may have told it to end, such as the service manager that is about to tell us.
      inOrder: ({ code }) => code === 0,
      excused: (end, reason) => this.#died(end, reason),
      again: () => this.#start(),
      onGone: (how) => this.#requests.failSent(new AppError('unavailable', because('side_ended', { name, how }))),
      onCrash: (crash) => this.#crashed(crash),
      onChange: () => this.#changed()
    })
    this.#requests = new SideRequests({
      name,
      clock,
      send: (message) => this.#send(message),
      excuse: () => (this.#supervisor.state === 'running' ? null : (this.#supervisor.lastCrash?.reason ?? null))
    })
  }

  /**
   * @throws AppError `timeout`; `unavailable` when the process ended or was stopped before it answered; what `signal` was
   * aborted with; and whatever the handler threw, AppErrors with their code.
   */
  async request<T>(method: string, params: unknown, options: RequestOptions = {}): Promise<T> {
    if (this.#stopping) throw this.#stoppedError()
    const { at } = this.#supervisor.lastCrash ?? { at: Number.NEGATIVE_INFINITY }
    if (this.#clock.now() - at >= ASKED_AGAIN_MS) this.retry()
    const answer = this.#requests.add(method, params, options)
    this.#flush()
    return (await answer) as T
  }

  /** Tells it something; starts it when it does not run. What cannot be told because of a crash is told after it. */
  notify(method: string, params: unknown): void {
    if (this.#stopping) return
    this.#requests.notify(method, params)
    this.#flush()
  }

  /** The cause of its crash is over: one that rests is started now. */
  retry(): void {
    if (!this.#stopping && !this.#resting && this.#supervisor.state === 'resting') this.#start()
  }

  /** Ends it within 2 s; requests under way fail, and it is not started before `resume`. What it is told meanwhile is told then. Never rejects. */
  async rest(): Promise<void> {
    if (this.#stopping || this.#resting) return
    this.#resting = true
    await this.#supervisor.stop()
    if (this.#resting) this.#requests.failSent(this.#stoppedError())
  }

  resume(): void {
    this.#resting = false
    this.#flush()
  }

  status(): SideStatus {
    const { child, state, since, crashes, lastCrash, retryAt } = this.#supervisor
    return {
      name: this.#options.name,
      state,
      pid: child?.pid ?? null,
      since,
      crashes,
      lastCrash,
      retryAt,
      residentBytes: child?.residentBytes ?? null
    }
  }

  /** Ends it within 2 s, with its whole process group, for good; requests under way fail. Never rejects. */
  stop(): Promise<void> {
    this.#stopping = true
    this.#cancelWatch()
    this.#closed ??= this.#supervisor.stop().then(() => this.#requests.failAll(this.#stoppedError()))
    return this.#closed
  }

  #stoppedError(): AppError {
    return new AppError('unavailable', because('side_stopped', { name: this.#options.name }))
  }

  /** Sends what waits, or sees to it that there is somebody to send it to. */
  #flush(): void {
    if (this.#stopping || this.#resting || !this.#requests.open) return
    if (this.#supervisor.state === 'stopped') this.#start()
    else if (this.#supervisor.state === 'running') this.#requests.flush()
  }

  #send(message: ToSide): void {
    this.#supervisor.child?.send(message)
  }

  #start(): void {
    const { args, entry, env = process.env, heapMib, niceness = NICENESS } = this.#options
    const own = ownProgram(args, entry === undefined ? {} : { entry })
    const heap = heapMib === undefined ? [] : [`--max-old-space-size=${heapMib}`]
    const child: Child = new Child({
      command: own.command,
      args: [...heap, ...own.args],
      // It is this program: it gets all that we have.
      env: { ...env, NODE_OPTIONS: childNodeOptions(env['NODE_OPTIONS']) },
      stdout: 'ignore',
      wordsBytes: LAST_WORDS,
      onWords: (chunk) => process.stderr.write(chunk),
      onMessage: (message) => this.#took(child, message),
      background: { niceness }
    })
    this.#oomKills = oomKills()
    this.#tooLarge = false
    this.#pid = child.pid
    this.#supervisor.run(child)
    this.#watchMemory(child)
  }

  #watchMemory(child: Child): void {
    const { memoryBytes } = this.#options
    if (memoryBytes === undefined) return
    this.#cancelWatch()
    this.#cancelWatch = this.#clock.after(LOOK_AT_MEMORY_MS, () => {
      if (child !== this.#supervisor.child || child.pid === null) return
      this.#tooLarge = (anonymousBytes(child.pid) ?? 0) > memoryBytes
      if (this.#tooLarge) this.#supervisor.kill(because('side_needed_memory', { limit: Math.round(memoryBytes / MIB) }))
      else this.#watchMemory(child)
    })
  }

  #died({ signal }: ChildEnd, reason: Reason): boolean {
    const { onDeath } = this.#options
    if (onDeath === undefined || this.#stopping || this.#pid === null) return false
    const kills = oomKills()
    const wasTaken = signal === 'SIGKILL' && kills !== null && this.#oomKills !== null && kills > this.#oomKills
    const outOfMemory = this.#tooLarge || wasTaken || OUT_OF_MEMORY.test(sentenceOf(reason))
    return onDeath({ pid: this.#pid, signal, reason, outOfMemory })
  }

  #took(child: Child, message: unknown): void {
    if (child !== this.#supervisor.child) return
    if (!isMessage<FromSide>(message, ['ready', 'idle', 'notify', 'result', 'error'])) return
    if (message.type === 'ready') this.#ready(child)
    else if (message.type === 'idle') this.#mayEnd()
    else if (message.type === 'notify') this.#options.onNotify?.(message.method, message.params)
    else this.#requests.answered(message)
  }

  #ready({ pid }: Child): void {
    if (!this.#supervisor.ready()) return
    this.#options.log.info({ side: this.#options.name, pid }, 'side process started')
    this.#flush()
  }

  #mayEnd(): void {
    if (this.#supervisor.state !== 'running' || this.#requests.open) return
    this.#supervisor.expectEnd(END_MS)
    this.#send({ type: 'end' })
  }

  #changed(): void {
    this.#options.onChange?.()
    // One that ended when idle may have been asked meanwhile.
    if (this.#supervisor.state === 'stopped') this.#flush()
  }

  #crashed({ reason, crashes, wait }: { reason: Reason; crashes: number; wait: number }): void {
    const { name, log } = this.#options
    if (wait > ASKED_AGAIN_MS)
      this.#requests.failAsked(new AppError('unavailable', because('side_rests', { name, how: reason })))
    log.error({ side: name, reason: sentenceOf(reason), crashes, retry_in_ms: wait }, 'side process ended unexpectedly')
  }
}

function endOf({ code, signal, error }: ChildEnd, why: Reason | null, lastWords: string): Reason {
  if (error !== null) return because('could_not_be_started', { said: reasonOf(error) })
  const how = exitReason(code, signal)
  const words = wordsOf(lastWords)
  const said = words === null ? why : because('note', { text: words.slice(0, 300) })
  return said === null ? how : because('ended_with_words', { how, said })
}

/** The reason of its end, when its last words say it: `FATAL ERROR: … heap out of memory`. */
function wordsOf(lastWords: string): string | null {
  // Node's own words, ours when we give up (`lookout: …`), and the last line of a log.
  const said = /^(?:\w*Error\b.*|FATAL.*|lookout: .*)$/m.exec(lastWords)?.[0]
  return /"level":"fatal".*"err":"((?:[^"\\]|\\[^n])*)/.exec(lastWords)?.[1] ?? said ?? null
}
