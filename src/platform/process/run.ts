import { type ChildProcess, spawn } from 'node:child_process'
import { because } from '../../model/reason.ts'
import { AppError, reasonOf } from '../errors.ts'
import { folderBytes } from '../files/folder-size.ts'
import { createCgroup, type RunCgroup } from './cgroup.ts'
import { activeConfinement, type Confinement, confinedCommand } from './confinement.ts'
import { guardGroup, releaseGroup } from './guardian.ts'
import { groupBytes, offerToOomKiller, signalGroup } from './process-group.ts'
import { findProgram } from './programs.ts'

const MIB = 2 ** 20
const STDERR_BYTES = 16 * 1024
const FIRST_LOOK_MS = 50
const LOOK_EVERY_MS = 400
/** Somebody who left the group may hold the pipes open; what was said until then is taken. */
const DRAIN_MS = 1000
/** Words by which programs and libraries say that they could get no memory. */
const OUT_OF_MEMORY =
  /out of memory|memory exhausted|cannot allocate memory|MemoryError|bad_alloc|virtual memory exhausted|heap limit/i

export interface RunLimits {
  timeMs: number
  /** Of the whole group; where only `prlimit` is to be had, of each process. */
  memoryBytes: number
  /** Of standard output. */
  outputBytes: number
  /** The most bytes that may lie in this folder. */
  folderBytes?: { folder: string; bytes: number }
}

export interface RunOptions {
  /** A name on the PATH, or an absolute path. */
  command: string
  args: readonly string[]
  /** Also HOME and TMPDIR of the program. */
  cwd: string
  /** Added to the clean environment: PATH, LANG=C.UTF-8, HOME, TMPDIR. */
  env?: Readonly<Record<string, string>>
  input?: string | Uint8Array
  limits: RunLimits
  /** The command is Node: its heap gets a limit of its own. */
  node?: true
  signal?: AbortSignal
  /** For tests; otherwise what is active on this machine. */
  confinement?: Confinement
}

export interface RunResult {
  /** Null when a signal ended it. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: Buffer
  /** The last 16 KiB. */
  stderr: string
  /** Highest memory seen, of the whole group; null when it ended before anybody looked. */
  peakBytes: number | null
}

/**
 * Runs a program on untrusted input: in a process group of its own that ends with it and with us, bounded in time, memory,
 * output and disk, without network where the system allows it, at low priority. A program that fails by itself is an
 * answer (`code`), no error. @throws AppError `missing` (no such program), `timeout`, `too-large` (memory, output, folder),
 * `unavailable` (could not be started); what `signal` was aborted with.
 */
export async function runBounded(options: RunOptions): Promise<RunResult> {
  options.signal?.throwIfAborted()
  const path = findProgram(options.command)
  if (path === null) throw new AppError('missing', because('program_not_here', { program: options.command }))
  const confinement = options.confinement ?? (await activeConfinement())
  options.signal?.throwIfAborted()
  const cgroup = confinement.cgroup === null ? null : createCgroup(confinement.cgroup, options.limits.memoryBytes)
  try {
    return await new BoundedRun(options, path, confinement, cgroup).result()
  } finally {
    cgroup?.remove()
  }
}

class BoundedRun {
  readonly #options: RunOptions
  readonly #child: ChildProcess
  readonly #cgroup: RunCgroup | null
  readonly #watched: boolean
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #stdout: Buffer[] = []
  #stdoutBytes = 0
  #stderr: Buffer = Buffer.alloc(0)
  #peakBytes: number | null = null
  #stopped: unknown = null
  /** The leader has ended: its number may belong to somebody else soon. */
  #ended = false
  #over = false

  constructor(options: RunOptions, path: string, confinement: Confinement, cgroup: RunCgroup | null) {
    this.#options = options
    this.#cgroup = cgroup
    this.#watched = confinement.watch
    const { args, cwd, env = {}, input, limits, node = false } = options
    const [program, ...line] = confinedCommand(
      confinement,
      { command: path, args, memoryBytes: limits.memoryBytes, fileBytes: limits.folderBytes?.bytes ?? null, node },
      cgroup
    )
    try {
      this.#child = spawn(program, line, {
        cwd,
        env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', HOME: cwd, TMPDIR: cwd, ...env },
        detached: true,
        stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe']
      })
    } catch (error) {
      throw this.#notStarted(error)
    }
  }

  async result(): Promise<RunResult> {
    const { signal, limits } = this.#options
    const aborted = (): void => this.#stop(signal?.reason)
    signal?.addEventListener('abort', aborted, { once: true })
    this.#after(limits.timeMs, () =>
      this.#stop(
        new AppError('timeout', because('program_too_long', { program: this.#name, seconds: limits.timeMs / 1000 }))
      )
    )
    try {
      const [code, ended] = await this.#end()
      await this.#judge(code, ended)
      return {
        code,
        signal: ended,
        stdout: Buffer.concat(this.#stdout),
        stderr: this.#stderr.toString('utf8'),
        peakBytes: this.#peak()
      }
    } finally {
      this.#over = true
      signal?.removeEventListener('abort', aborted)
      for (const timer of this.#timers) clearTimeout(timer)
    }
  }

  get #name(): string {
    return this.#options.command.split('/').at(-1) ?? this.#options.command
  }

  /** Resolves when the program and its pipes are closed; nothing of its group is left then. */
  #end(): Promise<[number | null, NodeJS.Signals | null]> {
    const child = this.#child
    const { pid } = child
    if (pid !== undefined) {
      guardGroup(pid)
      offerToOomKiller(pid)
      this.#look(pid, FIRST_LOOK_MS)
    }
    child.stdout?.on('data', (chunk: Buffer) => this.#takeOutput(chunk))
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-STDERR_BYTES)
    })
    // A program that does not read all of its input is a case of its own.
    child.stdin?.on('error', () => undefined).end(this.#options.input)
    return new Promise((resolve, reject) => {
      child.once('error', (error) => reject(this.#notStarted(error)))
      child.once('exit', () => {
        if (pid === undefined) return
        this.#kill()
        this.#ended = true
        releaseGroup(pid)
        this.#after(DRAIN_MS, () => {
          child.stdout?.destroy()
          child.stderr?.destroy()
        })
      })
      child.once('close', (code, signal) => resolve([code, signal]))
    })
  }

  #notStarted(cause: unknown): AppError {
    return new AppError('unavailable', because('could_not_start', { program: this.#name, said: reasonOf(cause) }), {
      cause
    })
  }

  #takeOutput(chunk: Buffer): void {
    const { outputBytes } = this.#options.limits
    if (this.#stopped !== null) return
    this.#stdoutBytes += chunk.length
    if (this.#stdoutBytes <= outputBytes) this.#stdout.push(chunk)
    else
      this.#stop(
        new AppError('too-large', because('program_wrote_too_much', { program: this.#name, limit: size(outputBytes) }))
      )
  }

  /** Memory of the group and the size of the folder, again and again. */
  #look(pid: number, wait: number): void {
    const { memoryBytes, folderBytes: folder } = this.#options.limits
    this.#after(wait, async () => {
      const bytes = this.#watched ? groupBytes(pid) : null
      if (bytes !== null) this.#peakBytes = Math.max(this.#peakBytes ?? 0, bytes)
      if (bytes !== null && bytes > memoryBytes) this.#stop(this.#tooMuchMemory())
      if (folder !== undefined && (await folderBytes(folder.folder)) > folder.bytes) this.#stop(this.#tooMuchDisk())
      if (this.#stopped === null) this.#look(pid, Math.min(LOOK_EVERY_MS, wait * 2))
    })
  }

  /** Was it a limit that ended it? Those of the kernel are seen only by their effect. @throws AppError `too-large`, or why it was stopped. */
  async #judge(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.#stopped !== null) throw this.#stopped
    const { memoryBytes, folderBytes: folder } = this.#options.limits
    if (this.#cgroup?.outOfMemory() === true) throw this.#tooMuchMemory()
    const failed = code !== 0
    const full = (this.#peak() ?? 0) > memoryBytes * 0.9
    if (failed && (full || OUT_OF_MEMORY.test(this.#stderr.toString('utf8')))) throw this.#tooMuchMemory()
    if (folder === undefined) return
    const bytes = await folderBytes(folder.folder)
    if (signal === 'SIGXFSZ' || bytes > folder.bytes || (failed && bytes === folder.bytes)) throw this.#tooMuchDisk()
  }

  #peak(): number | null {
    const kernel = this.#cgroup?.peak() ?? null
    return kernel === null ? this.#peakBytes : Math.max(kernel, this.#peakBytes ?? 0)
  }

  #tooMuchMemory(): AppError {
    const { memoryBytes } = this.#options.limits
    return new AppError(
      'too-large',
      because('program_needed_memory', { program: this.#name, limit: size(memoryBytes) })
    )
  }

  #tooMuchDisk(): AppError {
    const bytes = this.#options.limits.folderBytes?.bytes ?? 0
    return new AppError('too-large', because('program_filled_folder', { program: this.#name, limit: size(bytes) }))
  }

  /** The first reason counts. */
  #stop(reason: unknown): void {
    this.#stopped ??= reason ?? new AppError('unavailable', because('program_was_stopped', { program: this.#name }))
    this.#kill()
  }

  #kill(): void {
    this.#cgroup?.kill()
    if (this.#child.pid !== undefined && !this.#ended) signalGroup(this.#child.pid, 'SIGKILL')
  }

  #after(ms: number, task: () => void | Promise<void>): void {
    if (this.#over) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void task()
    }, ms)
    this.#timers.add(timer)
  }
}

function size(bytes: number): string {
  return bytes >= MIB ? `${Math.round(bytes / MIB)} MiB` : `${Math.round(bytes / 1024)} KiB`
}
