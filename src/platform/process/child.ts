import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { because } from '../../model/reason.ts'
import { AppError } from '../errors.ts'
import { folderBytes } from '../files/folder-size.ts'
import type { RunCgroup } from './cgroup.ts'
import { noteChildPeak } from './child-peak.ts'
import {
  type BoundedSpec,
  type ChildEnd,
  type ChildSpec,
  cgroupFor,
  commandLine,
  type Limit,
  programName,
  spawnChild,
  unwrappedEnd
} from './child-spec.ts'
import { activeConfinement, type Confinement } from './confinement.ts'
import { guardGroup, releaseGroup } from './guardian.ts'
import { withinJobMemory } from './job-memory.ts'
import { bytesOf, groupMembers, offerToOomKiller, residentBytes, signalBehind, signalGroup } from './process-group.ts'

/** SIGTERM, then after this SIGKILL: together within the 2 s of a stopping step (contract §12). */
const TERM_MS = 1500
const FIRST_LOOK_MS = 50
/** Somebody who left the group may hold the pipes open; what was said until then is taken. */
const DRAIN_MS = 1000
/** As the kernel names them. */
const WRAPPERS = ['bwrap', 'lookout-sandbox']
/** Words by which programs and libraries say that they could get no memory. */
const OUT_OF_MEMORY =
  /out of memory|memory exhausted|cannot allocate memory|MemoryError|bad_alloc|virtual memory exhausted|heap limit/i

/** Starts it within its bounds: in time, memory, output and disk, without network where the system allows it, at low priority. */
export async function startBounded(spec: BoundedSpec): Promise<Child> {
  spec.signal?.throwIfAborted()
  const means = spec.bounds.confinement ?? (await activeConfinement())
  spec.signal?.throwIfAborted()
  const { memoryBytes } = withinJobMemory(spec.bounds.memoryBytes)
  const bounded = { ...spec, bounds: { ...spec.bounds, memoryBytes } }
  return new Child(bounded, spec.bounds.network ? withNetwork(means) : means)
}

function withNetwork(means: Confinement): Confinement {
  const { files, sandbox, cgroup } = means
  return {
    ...means,
    noNetwork: [],
    cgroup: sandbox === null ? null : cgroup,
    files: files === null ? null : { ...files, noNetwork: [] }
  }
}

/**
 * Another program, in a process group of its own that ends with it and with us, however we end: the one place where the
 * station starts programs, bounds them and ends them.
 */
export class Child {
  /** Settles when the program has ended, or could not be started. */
  readonly exited: Promise<ChildEnd>
  /** Settles when its pipes are closed, too. */
  readonly closed: Promise<ChildEnd>
  readonly #spec: ChildSpec & Partial<BoundedSpec>
  readonly #process: ChildProcess | null
  readonly #cgroup: RunCgroup | null
  readonly #watched: boolean
  /** The sandbox started it: what we started only speaks for it. */
  readonly #isElsewhere: boolean
  /** The names of the processes it stands behind, which give it its view of the files; null when it has none. */
  readonly #wrappers: readonly string[] | null
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #output: Buffer[] = []
  readonly #aborted = (): void => this.stop(this.#spec.signal?.reason)
  #outputBytes = 0
  #words: Buffer = Buffer.alloc(0)
  #peakBytes: number | null = null
  #stopped: { why: unknown } | null = null
  #end: ChildEnd | null = null

  constructor(spec: ChildSpec & Partial<BoundedSpec>, means: Confinement | null = null) {
    const { bounds, signal } = spec
    this.#spec = spec
    this.#cgroup = cgroupFor(spec, means)
    this.#isElsewhere = spec.view !== undefined && (means?.sandbox ?? null) !== null
    this.#watched = means?.watch === true
    this.#wrappers = spec.view === undefined || (means?.files ?? null) === null ? null : WRAPPERS
    const started = spawnChild(spec, commandLine(spec, means, this.#cgroup))
    this.#process = started instanceof Error ? null : started
    if (started instanceof Error) {
      this.#end = { code: null, signal: null, error: started }
      this.exited = this.closed = Promise.resolve(this.#end)
      return
    }
    const { exited, closed } = this.#ends(started)
    this.exited = exited
    this.closed = closed
    this.#settle(started)
    this.#listen(started)
    signal?.addEventListener('abort', this.#aborted, { once: true })
    const { timeMs } = bounds ?? {}
    if (timeMs !== undefined) this.#after(timeMs, () => this.#exceed('time'))
    if (bounds !== undefined) this.#look(FIRST_LOOK_MS)
  }

  get pid(): number | null {
    return this.#process?.pid ?? null
  }

  /** The end of what it wrote to standard error. */
  get words(): string {
    return this.#words.toString('utf8')
  }

  /** Its standard output, within its bounds. */
  get output(): Buffer {
    return Buffer.concat(this.#output)
  }

  /** Highest memory seen, of the whole group; null when it ended before anybody looked. */
  get peakBytes(): number | null {
    const kernel = this.#cgroup?.peak() ?? null
    return kernel === null ? this.#peakBytes : Math.max(kernel, this.#peakBytes ?? 0)
  }

  /** Its own memory; null when it does not run or the system does not tell. */
  get residentBytes(): number | null {
    return this.pid === null || this.#end !== null ? null : residentBytes(this.pid)
  }

  /**
   * The lines of its standard output as they are asked for: a slow reader holds it up. The time in which nobody asks is no
   * silence. @throws the reason for which it was stopped.
   */
  async *lines({ lineBytes, silenceMs }: { lineBytes: number; silenceMs: number }): AsyncGenerator<string> {
    const chunks = this.#process?.stdout?.[Symbol.asyncIterator]()
    if (chunks === undefined) return
    let rest: Buffer[] = []
    let length = 0
    for (;;) {
      const chunk = await this.#next(chunks, silenceMs)
      if (chunk === null) return
      let from = 0
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        yield Buffer.concat([...rest, chunk.subarray(from, at)]).toString('utf8')
        rest = []
        length = 0
        from = at + 1
      }
      rest.push(chunk.subarray(from))
      length += chunk.length - from
      if (length > lineBytes) this.#exceed('line')
    }
  }

  /** Its end, once nobody reads from it any more. @throws the reason for which it was stopped, or the limit that ended it. */
  async settled(): Promise<ChildEnd> {
    const end = await this.closed
    this.#throwStopped()
    const limit = await this.#limitOf(end)
    if (limit !== null) throw this.#spec.bounds?.exceeded(limit)
    return end
  }

  /** To an input that is kept open. An error here means that it is going. */
  write(text: string): void {
    this.#process?.stdin?.write(text)
  }

  endInput(): void {
    this.#process?.stdin?.end()
  }

  /** An error here means that it is going; `exited` tells the rest. */
  send(message: object): void {
    this.#process?.send(message, () => undefined)
  }

  /** To the whole group. */
  signal(signal: NodeJS.Signals): void {
    if (this.pid === null || this.#end !== null) return
    if (signal === 'SIGKILL') this.#cgroup?.kill()
    signalGroup(this.pid, signal)
  }

  /** To the program alone. False when it is gone. */
  tell(signal: NodeJS.Signals): boolean {
    if (this.#end !== null || this.pid === null) return false
    if (this.#wrappers === null) return this.#process?.kill(signal) === true
    return signalBehind(this.#wrappers, this.#members(this.pid), signal)
  }

  /** Kills it; the first reason counts. */
  stop(why: unknown): void {
    this.#stopped ??= {
      why: why ?? new AppError('unavailable', because('program_was_stopped', { program: this.#name }))
    }
    this.signal('SIGKILL')
    if (this.#end !== null) this.#destroyPipes()
  }

  /** In order: SIGTERM to the group, and SIGKILL when that was not enough. Resolves when it is gone. */
  async terminate(): Promise<void> {
    if (this.#end !== null) return
    this.#process?.ref()
    this.signal('SIGTERM')
    const timer = setTimeout(() => this.signal('SIGKILL'), TERM_MS)
    await this.exited
    clearTimeout(timer)
  }

  /** Whoever started it is done with it: nothing of it is left. */
  release(): void {
    this.#spec.signal?.removeEventListener('abort', this.#aborted)
    this.#clear()
    this.signal('SIGKILL')
    this.#destroyPipes()
    noteChildPeak(this.peakBytes)
    this.#cgroup?.remove()
  }

  get #name(): string {
    return programName(this.#spec.command)
  }

  #ends(child: ChildProcess): { exited: Promise<ChildEnd>; closed: Promise<ChildEnd> } {
    let close = (_end: ChildEnd): void => undefined
    const closed = new Promise<ChildEnd>((resolve) => {
      close = resolve
    })
    const exited = new Promise<ChildEnd>((resolve) => {
      const gone = (end: ChildEnd): void => {
        if (this.#end === null) this.#gone(child, end)
        resolve(this.#end ?? end)
      }
      child.on('error', (error) => {
        const end = { code: null, signal: null, error }
        // An error of a signal or a message does not end it.
        if (child.pid !== undefined) return
        gone(end)
        close(end)
      })
      child.once('exit', (code, signal) => gone(this.#endOf(code, signal)))
      child.once('close', (code, signal) => close(this.#endOf(code, signal)))
    })
    return { exited, closed }
  }

  #endOf(code: number | null, signal: NodeJS.Signals | null): ChildEnd {
    const end = { code, signal, error: null }
    return this.#wrappers === null ? end : unwrappedEnd(end, this.words)
  }

  /** All that is left of its group goes with it. */
  #gone(child: ChildProcess, end: ChildEnd): void {
    this.signal('SIGKILL')
    this.#end = end
    this.#clear()
    if (child.pid !== undefined) releaseGroup(child.pid)
    if (this.#stopped !== null) this.#destroyPipes()
    else
      this.#after(DRAIN_MS, () => {
        child.stderr?.destroy()
        if (this.#spec.stdout !== 'lines') child.stdout?.destroy()
      })
  }

  /** It must not outlive us, and goes before the station when memory runs out. */
  #settle(child: ChildProcess): void {
    const { background } = this.#spec
    if (child.pid === undefined) return
    // At once: what it has started by then keeps the number that it began with.
    offerToOomKiller(child.pid)
    guardGroup(child.pid)
    if (background === undefined) return
    child.unref()
    child.channel?.unref()
    for (const pipe of [child.stdin, child.stdout, child.stderr])
      if (pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
    try {
      setPriority(child.pid, background.niceness)
    } catch {
      // It is gone already, which `exited` tells.
    }
  }

  #listen(child: ChildProcess): void {
    const { stdout, wordsBytes, onWords, onMessage, input, keepsInput } = this.#spec
    const hear = (chunk: Buffer): void => {
      this.#words = Buffer.concat([this.#words, chunk]).subarray(-wordsBytes)
      onWords?.(chunk)
    }
    child.stderr?.on('data', hear)
    if (stdout === 'words') child.stdout?.on('data', hear)
    if (stdout === 'bytes') child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk))
    if (onMessage !== undefined) child.on('message', onMessage)
    // A program that does not read all of its input is a case of its own.
    child.stdin?.on('error', () => undefined)
    if (keepsInput === undefined) child.stdin?.end(input)
  }

  #take(chunk: Buffer): void {
    if (this.#stopped !== null) return
    this.#outputBytes += chunk.length
    if (this.#outputBytes <= (this.#spec.bounds?.outputBytes ?? Number.POSITIVE_INFINITY)) this.#output.push(chunk)
    else this.#exceed('output')
  }

  /** Stopped, it is killed, and what it still had to say is not waited for. */
  async #next(chunks: AsyncIterator<unknown>, silenceMs: number): Promise<Buffer | null> {
    const silence = setTimeout(() => this.#exceed('silence'), silenceMs)
    try {
      this.#throwStopped()
      const { done, value } = await chunks.next()
      this.#throwStopped()
      return done === true || !Buffer.isBuffer(value) ? null : value
    } catch (error) {
      this.#throwStopped()
      if (this.#end !== null) return null
      throw error
    } finally {
      clearTimeout(silence)
    }
  }

  /** The processes of the run. */
  #members(pid: number): number[] {
    return this.#isElsewhere ? (this.#cgroup?.members() ?? []) : groupMembers(pid)
  }

  /** Memory of the group and the size of the folder, again and again. */
  #look(wait: number): void {
    this.#after(wait, async () => {
      const { memoryBytes = 0, lookMs = wait, folder } = this.#spec.bounds ?? {}
      const bytes = this.#watched && this.pid !== null ? bytesOf(this.#members(this.pid)) : null
      if (bytes !== null) this.#peakBytes = Math.max(this.#peakBytes ?? 0, bytes)
      if (bytes !== null && bytes > memoryBytes) this.#exceed('memory')
      if (folder !== undefined && (await folderBytes(folder.folder)) > folder.bytes) this.#exceed('folder')
      if (this.#goesOn) this.#look(Math.min(lookMs, wait * 2))
    })
  }

  /** False once it has ended or is ended: it may have been while its folder was gone through. */
  get #goesOn(): boolean {
    return this.#stopped === null && this.#end === null
  }

  /** The limit that ended it: those of the kernel are seen only by their effect. */
  async #limitOf({ code, signal }: ChildEnd): Promise<Limit | null> {
    const { bounds } = this.#spec
    if (bounds === undefined) return null
    if (signal === 'SIGXCPU') return 'cpu'
    if (this.#cgroup?.outOfMemory() === true) return 'memory'
    const failed = code !== 0
    const full = (this.peakBytes ?? 0) > bounds.memoryBytes * 0.9
    if (failed && (full || OUT_OF_MEMORY.test(this.words))) return 'memory'
    if (bounds.folder === undefined) return null
    const bytes = await folderBytes(bounds.folder.folder)
    const most = bounds.folder.bytes
    return signal === 'SIGXFSZ' || bytes > most || (failed && bytes === most) ? 'folder' : null
  }

  #exceed(limit: Limit): void {
    this.stop(this.#spec.bounds?.exceeded(limit))
  }

  #throwStopped(): void {
    if (this.#stopped !== null) throw this.#stopped.why
  }

  #destroyPipes(): void {
    this.#process?.stdout?.destroy()
    this.#process?.stderr?.destroy()
  }

  /** Until it ends. */
  #after(ms: number, task: () => void | Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void task()
    }, ms)
    this.#timers.add(timer)
  }

  #clear(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
