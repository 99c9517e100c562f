import { spawn } from 'node:child_process'
import { because, type Reason } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { exitReason } from '../../platform/process/exit.ts'
import { findProgram } from '../../platform/process/programs.ts'

const OUTPUT_BYTES = 256 * 1024
const DEFAULT_MS = 30_000

export interface ClientAnswer {
  /** Null when a signal ended the client. */
  code: number | null
  stdout: string
  stderr: string
}

/** A container engine by its command line: `docker` and `podman` understand the same words. */
export interface EngineClient {
  name: 'docker' | 'podman'
  /**
   * Runs the client once. What a container does is not its business: containers are started detached. @throws AppError
   * `unavailable` when it cannot be started or does not answer in time; what `signal` was aborted with.
   */
  call: (args: readonly string[], options?: { timeMs?: number; signal?: AbortSignal }) => Promise<ClientAnswer>
}

/** The client of an installed engine, or null. It gets our environment: that is where its socket and its settings stand. */
export function engineClient(name: EngineClient['name'], path?: string): EngineClient | null {
  const program = findProgram(name, path)
  if (program === null) return null
  return { name, call: (args, options) => callClient(program, args, options) }
}

function callClient(
  program: string,
  args: readonly string[],
  { timeMs = DEFAULT_MS, signal }: { timeMs?: number; signal?: AbortSignal } = {}
): Promise<ClientAnswer> {
  signal?.throwIfAborted()
  const name = program.split('/').at(-1) ?? program
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const stdout = gather(child.stdout)
  const stderr = gather(child.stderr)
  return new Promise((resolve, reject) => {
    const give = (error: unknown): void => {
      child.kill('SIGKILL')
      // A container started by it may hold its pipes.
      child.stdout.destroy()
      child.stderr.destroy()
      finish(() => reject(error))
    }
    const timer = setTimeout(
      () => give(new AppError('unavailable', because('engine_no_answer', { engine: name, seconds: timeMs / 1000 }))),
      timeMs
    )
    const aborted = (): void => give(signal?.reason)
    signal?.addEventListener('abort', aborted, { once: true })
    const finish = (end: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
      end()
    }
    child.once('error', (cause) => {
      const error = new AppError('unavailable', because('could_not_start', { program: name, said: reasonOf(cause) }), {
        cause
      })
      finish(() => reject(error))
    })
    child.once('close', (code) => finish(() => resolve({ code, stdout: stdout(), stderr: stderr() })))
  })
}

/** The last part of what is written. */
function gather(stream: NodeJS.ReadableStream): () => string {
  let said = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    said = Buffer.concat([said, chunk]).subarray(-OUTPUT_BYTES)
  })
  return () => said.toString('utf8')
}

/** The client's words on its failure, in one line. */
export function clientFault({ stderr, stdout, code }: ClientAnswer): Reason {
  const lines = (stderr.trim() === '' ? stdout : stderr).split('\n').map((line) => line.trim())
  const told = lines.filter((line) => line !== '').at(-1)
  if (told === undefined) return exitReason(code)
  return because('note', { text: told.replace(/^(?:Error|docker|podman):\s*/i, '').slice(0, 300) })
}
