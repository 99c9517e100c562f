import { availableParallelism, tmpdir } from 'node:os'
import { because } from '../../model/reason.ts'
import { AppError, reasonOf } from '../errors.ts'
import { type Child, startBounded } from './child.ts'
import { cleanEnvironment, type Limit, programName } from './child-spec.ts'
import type { Confinement } from './confinement.ts'
import { withinJobMemory } from './job-memory.ts'
import { findProgram } from './programs.ts'

const MIB = 2 ** 20
const STDERR_BYTES = 16 * 1024
const LOOK_EVERY_MS = 400

/** The place of a program that makes no files: with a view of its own, an empty folder. */
export const EMPTY = tmpdir()

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
  /** Also HOME and TMPDIR of the program: the folder of its job, or `EMPTY` for one that makes no files. */
  cwd: string
  /** Files and folders it may read beside that. Where the system allows it, others do not exist for it. */
  reads?: readonly string[]
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
 * Runs a program on untrusted input to its end, in a process group of its own, bounded in time, memory, output and disk. A
 * program that fails by itself is an answer (`code`), no error. @throws AppError `missing` (no such program), `timeout`,
 * `too-large` (memory, output, folder), `unavailable` (could not be started); what `signal` was aborted with.
 */
export async function runBounded(options: RunOptions): Promise<RunResult> {
  options.signal?.throwIfAborted()
  const command = findProgram(options.command)
  if (command === null) throw new AppError('missing', because('program_not_here', { program: options.command }))
  const child = await started(options, command)
  try {
    const { code, signal, error } = await child.settled()
    if (error !== null) throw notStarted(options, error)
    return { code, signal, stdout: child.output, stderr: child.words, peakBytes: child.peakBytes }
  } finally {
    child.release()
  }
}

function started(options: RunOptions, command: string): Promise<Child> {
  const { args, cwd, reads = [], env = {}, input, limits, node = false, signal, confinement } = options
  const { timeMs, memoryBytes, outputBytes, folderBytes: folder } = limits
  return startBounded({
    command,
    args,
    cwd,
    env: { ...cleanEnvironment(cwd), ...env },
    view: { reads, writes: cwd === EMPTY ? [] : [cwd] },
    stdout: 'bytes',
    wordsBytes: STDERR_BYTES,
    ...(input === undefined ? {} : { input }),
    ...(signal === undefined ? {} : { signal }),
    bounds: {
      timeMs,
      // Never reached within the time, even on all cores: it holds when our own loop is too late to end it.
      cpuSeconds: Math.ceil(timeMs / 1000) * availableParallelism() + 1,
      memoryBytes,
      outputBytes,
      lookMs: LOOK_EVERY_MS,
      node,
      exceeded: (limit) => exceeded(limit, options),
      ...(folder === undefined ? {} : { folder }),
      ...(confinement === undefined ? {} : { confinement })
    }
  })
}

function exceeded(limit: Limit, { command, limits }: RunOptions): AppError {
  const program = programName(command)
  const { timeMs, outputBytes, folderBytes } = limits
  if (limit === 'memory') return neededMemory(program, limits.memoryBytes)
  if (limit === 'output')
    return new AppError('too-large', because('program_wrote_too_much', { program, limit: size(outputBytes) }))
  if (limit === 'folder')
    return new AppError(
      'too-large',
      because('program_filled_folder', { program, limit: size(folderBytes?.bytes ?? 0) })
    )
  return new AppError('timeout', because('program_too_long', { program, seconds: timeMs / 1000 }))
}

/** @param own what the program might have by itself */
function neededMemory(program: string, own: number): AppError {
  const { memoryBytes, isOfProfile } = withinJobMemory(own)
  const told = { program, limit: size(memoryBytes) }
  return new AppError(
    'too-large',
    isOfProfile ? because('program_needed_profile_memory', told) : because('program_needed_memory', told)
  )
}

function notStarted({ command }: RunOptions, cause: unknown): AppError {
  const program = programName(command)
  return new AppError('unavailable', because('could_not_start', { program, said: reasonOf(cause) }), { cause })
}

function size(bytes: number): string {
  return bytes >= MIB ? `${Math.round(bytes / MIB)} MiB` : `${Math.round(bytes / 1024)} KiB`
}
