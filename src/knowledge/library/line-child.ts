import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { because, type Reason } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { createCgroup } from '../../platform/process/cgroup.ts'
import { activeConfinement, confinedCommand } from '../../platform/process/confinement.ts'
import { exitReason } from '../../platform/process/exit.ts'
import { guardGroup, releaseGroup } from '../../platform/process/guardian.ts'
import type { OwnProgram } from '../../platform/process/own-program.ts'
import { groupBytes, offerToOomKiller, signalGroup } from '../../platform/process/process-group.ts'

const LOOK_EVERY_MS = 1000
const STDERR_BYTES = 4096

export interface LineLimits {
  memoryBytes: number
  lineBytes: number
  /** Longest wait for the next line; the time in which nobody asks for one does not count. */
  silenceMs: number
}

/** The process ended before it had said everything. */
export class ChildDied extends AppError {
  constructor(how: Reason) {
    super('unavailable', how)
  }
}

/**
 * The lines a program of ours prints, as they are asked for: a slow reader holds it up, one that turns away ends it. It runs
 * in a process group of its own, without network where the system allows it, at low priority, bounded in memory.
 * @throws ChildDied when it fails, grows too large or falls silent; what `signal` was aborted with.
 */
export async function* linesOf(
  { command, args }: OwnProgram,
  limits: LineLimits,
  signal: AbortSignal
): AsyncGenerator<string> {
  signal.throwIfAborted()
  const confinement = await activeConfinement()
  signal.throwIfAborted()
  const cgroup = confinement.cgroup === null ? null : createCgroup(confinement.cgroup, limits.memoryBytes)
  const [program, ...line] = confinedCommand(
    confinement,
    { command, args, memoryBytes: limits.memoryBytes, fileBytes: null, node: true },
    cgroup
  )
  const home = tmpdir()
  const child = spawn(program, line, {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', HOME: home, TMPDIR: home },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const run = new Run(child, limits)
  const aborted = (): void => run.stop(signal.reason)
  signal.addEventListener('abort', aborted, { once: true })
  try {
    yield* run.lines(child.stdout, child.stderr)
  } finally {
    signal.removeEventListener('abort', aborted)
    run.end()
    cgroup?.kill()
    cgroup?.remove()
  }
}

class Run {
  readonly #child: ChildProcess
  readonly #limits: LineLimits
  readonly #exit: Promise<Reason | null>
  readonly #watch: NodeJS.Timeout
  #ended = false
  #stopped: { why: unknown } | null = null

  constructor(child: ChildProcess, limits: LineLimits) {
    this.#child = child
    this.#limits = limits
    // Resolves with the failure; null when it ended well.
    this.#exit = new Promise((resolve) => {
      child.once('error', (error) => resolve(because('could_not_be_started', { said: reasonOf(error) })))
      child.once('exit', (code, signal) => {
        this.#ended = true
        if (child.pid !== undefined) releaseGroup(child.pid)
        resolve(code === 0 ? null : because('ended_how', { how: exitReason(code, signal) }))
      })
    })
    if (child.pid !== undefined) {
      guardGroup(child.pid)
      offerToOomKiller(child.pid)
    }
    this.#watch = setInterval(() => this.#look(), LOOK_EVERY_MS)
  }

  async *lines(stdout: Readable, stderr: Readable): AsyncGenerator<string> {
    let said = ''
    stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-STDERR_BYTES)
    })
    const chunks = stdout[Symbol.asyncIterator]()
    let rest: Buffer[] = []
    let length = 0
    for (;;) {
      const chunk = await this.#next(chunks)
      if (chunk === null) break
      let from = 0
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        yield Buffer.concat([...rest, chunk.subarray(from, at)]).toString('utf8')
        rest = []
        length = 0
        from = at + 1
      }
      rest.push(chunk.subarray(from))
      length += chunk.length - from
      if (length > this.#limits.lineBytes) throw new ChildDied(because('archive_reader_endless_line'))
    }
    const how = await this.#exit
    this.#throwStopped()
    if (how !== null) throw new ChildDied(diedOf(how, lastWords(said)))
  }

  /** Aborted, it is killed, and what it still had to say is not waited for. */
  async #next(chunks: AsyncIterator<unknown>): Promise<Buffer | null> {
    const silence = setTimeout(() => {
      this.stop(new ChildDied(because('archive_reader_silent', { seconds: this.#limits.silenceMs / 1000 })))
    }, this.#limits.silenceMs)
    try {
      const { done, value } = await chunks.next()
      this.#throwStopped()
      return done === true ? null : (value as Buffer)
    } finally {
      clearTimeout(silence)
    }
  }

  /** The first reason counts. */
  stop(why: unknown): void {
    this.#stopped ??= { why }
    this.#kill()
  }

  #throwStopped(): void {
    if (this.#stopped !== null) throw this.#stopped.why
  }

  end(): void {
    clearInterval(this.#watch)
    this.#kill()
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
  }

  #look(): void {
    const { pid } = this.#child
    if (pid === undefined || this.#ended) return
    if ((groupBytes(pid) ?? 0) > this.#limits.memoryBytes)
      this.stop(new ChildDied(because('archive_reader_memory', { limit: this.#limits.memoryBytes / 2 ** 20 })))
  }

  #kill(): void {
    if (this.#child.pid !== undefined && !this.#ended) signalGroup(this.#child.pid, 'SIGKILL')
  }
}

function diedOf(how: Reason, said: string | null): Reason {
  return said === null ? because('archive_reader_died', { how }) : because('archive_reader_died_said', { how, said })
}

function lastWords(said: string): string | null {
  const line = /^(?:\w*Error\b.*|FATAL.*|lookout: .*)$/m.exec(said)?.[0]
  return line === undefined ? null : line.slice(0, 300)
}
