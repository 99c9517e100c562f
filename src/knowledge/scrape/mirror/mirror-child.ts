import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { because, type Reason } from '../../../model/reason.ts'
import { jsonOr } from '../../../platform/bytes/json-or.ts'
import { AppError, type ErrorCode, reasonOf } from '../../../platform/errors.ts'
import { activeConfinement, confinedCommand } from '../../../platform/process/confinement.ts'
import { exitReason } from '../../../platform/process/exit.ts'
import { guardGroup, releaseGroup } from '../../../platform/process/guardian.ts'
import type { OwnProgram } from '../../../platform/process/own-program.ts'
import { groupBytes, offerToOomKiller, signalGroup } from '../../../platform/process/process-group.ts'
import { type MirrorEnd, mirrorLineSchema } from './options.ts'

const MIB = 1024 * 1024
const MEMORY_BYTES = 448 * MIB
const LOOK_MS = 2000
/** A pause a site asked for may be minutes long. */
const SILENCE_MS = 20 * 60_000
const STDERR_BYTES = 4096
/** Codes that the child may give for itself; anything else is a failure that may pass. */
const CODES: readonly ErrorCode[] = [
  'invalid',
  'bad-input',
  'too-large',
  'unsupported',
  'no-space',
  'unavailable',
  'timeout'
]

export interface MirrorRun {
  program: OwnProgram
  folder: string
  signal: AbortSignal
  onProgress: (numbers: { done: number; total: number }) => void
}

/**
 * Runs the archiver's process: in a group of its own that ends with it and with us, bounded in memory, at low priority. It is
 * the one child that needs the network; where it goes is bounded by its own guard. @throws AppError as it reported, or
 * `unavailable` when it died; what `signal` was aborted with.
 */
export async function runMirror({ program, folder, signal, onProgress }: MirrorRun): Promise<MirrorEnd> {
  const confinement = { ...(await activeConfinement()), noNetwork: [], cgroup: null }
  signal.throwIfAborted()
  const limited = { ...program, memoryBytes: MEMORY_BYTES, fileBytes: null, node: true }
  const [command, ...args] = confinedCommand(confinement, limited, null)
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', HOME: folder, TMPDIR: folder, ...caSettings() },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const run = new Run(child)
  const aborted = (): void => run.stop(signal.reason)
  signal.addEventListener('abort', aborted, { once: true })
  try {
    return await run.end(onProgress)
  } finally {
    signal.removeEventListener('abort', aborted)
    run.tidy()
  }
}

/** Certificates an operator trusts beside the usual ones. */
function caSettings(): Record<string, string> {
  const names = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

class Run {
  readonly #child: ChildProcess
  readonly #exit: Promise<Reason | null>
  readonly #watch: NodeJS.Timeout
  #heard = Date.now()
  #said = ''
  #ended = false
  #stopped: { why: unknown } | null = null

  constructor(child: ChildProcess) {
    this.#child = child
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
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#said = `${this.#said}${chunk}`.slice(-STDERR_BYTES)
    })
    this.#watch = setInterval(() => this.#look(), LOOK_MS)
  }

  async end(onProgress: MirrorRun['onProgress']): Promise<MirrorEnd> {
    const end = await this.#listen(onProgress)
    const how = await this.#exit
    if (this.#stopped !== null) throw this.#stopped.why
    if (end !== null && how === null) return end
    const words = this.#said.trim().split('\n').at(-1) ?? ''
    const ended = { how: how ?? because('ended_without_word') }
    if (words === '') throw new AppError('unavailable', because('archiver_ended', ended))
    throw new AppError('unavailable', because('archiver_ended_said', { ...ended, said: words.slice(0, 300) }))
  }

  async #listen(onProgress: MirrorRun['onProgress']): Promise<MirrorEnd | null> {
    const { stdout } = this.#child
    if (stdout === null) return null
    let end: MirrorEnd | null = null
    for await (const text of createInterface({ input: stdout })) {
      this.#heard = Date.now()
      const line = v.safeParse(mirrorLineSchema, jsonOr(null, text))
      if (!line.success) continue
      if (line.output.kind === 'progress') onProgress(line.output)
      else if (line.output.kind === 'end') end = line.output
      else this.#stopped ??= { why: reported(line.output) }
    }
    return end
  }

  /** The first reason counts. */
  stop(why: unknown): void {
    this.#stopped ??= { why }
    this.#kill()
  }

  tidy(): void {
    clearInterval(this.#watch)
    this.#kill()
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
  }

  #look(): void {
    const { pid } = this.#child
    if (pid === undefined || this.#ended) return
    if ((groupBytes(pid) ?? 0) > MEMORY_BYTES)
      this.stop(new AppError('too-large', because('archiver_memory', { limit: MEMORY_BYTES / MIB })))
    if (Date.now() - this.#heard > SILENCE_MS)
      this.stop(new AppError('timeout', because('archiver_silent', { minutes: SILENCE_MS / 60_000 })))
  }

  #kill(): void {
    if (this.#child.pid !== undefined && !this.#ended) signalGroup(this.#child.pid, 'SIGKILL')
  }
}

function reported({ code, reason }: { code: string; reason: Reason }): AppError {
  return new AppError(CODES.find((one) => one === code) ?? 'unavailable', reason)
}
