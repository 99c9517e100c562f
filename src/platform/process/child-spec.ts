import { type ChildProcess, spawn } from 'node:child_process'
import type { AppError } from '../errors.ts'
import type { RunCgroup } from './cgroup.ts'
import { type Confinement, confinedCommand } from './confinement.ts'

export type Limit = 'time' | 'cpu' | 'memory' | 'output' | 'line' | 'silence' | 'folder'

/** Bounds of a program that reads what strangers made. */
export interface Bounds {
  /** Of the whole group; where only `prlimit` is to be had, of each process. */
  memoryBytes: number
  /** The longest time between two looks at its memory and folder. */
  lookMs: number
  timeMs?: number
  /** Of each process, held by the kernel: it counts also while our own loop is too late to look. */
  cpuSeconds?: number
  /** Of standard output that is kept. */
  outputBytes?: number
  /** The most bytes that may lie in this folder. */
  folder?: { folder: string; bytes: number }
  /** The command is Node: its heap gets a limit of its own. */
  node: boolean
  /** It fetches: it keeps the network, and no control group counts the cache of the files it writes. */
  network?: true
  /** The error that whoever waits is given. */
  exceeded: (limit: Limit) => AppError
  /** For tests; otherwise what is active on this machine. */
  confinement?: Confinement
}

export interface ChildSpec {
  /** An absolute path. */
  command: string
  args: readonly string[]
  cwd?: string
  /** All that it gets; `cleanEnvironment` for a program that reads what strangers made. */
  env: Readonly<Record<string, string | undefined>>
  input?: string | Uint8Array
  /** `lines`: read by `lines()`; `bytes`: kept; `words`: the last of it joins the last words. */
  stdout: 'lines' | 'bytes' | 'words' | 'ignore'
  /** Bytes of the last words, which are the end of standard error. */
  wordsBytes: number
  onWords?: (chunk: Buffer) => void
  /** Node's channel for messages. */
  onMessage?: (message: unknown) => void
  /** It does not keep us alive, and runs at this priority: 0 as ours … 19 last. */
  background?: { niceness: number }
}

export interface BoundedSpec extends ChildSpec {
  bounds: Bounds
  signal?: AbortSignal
}

export interface ChildEnd {
  /** Null when a signal ended it. */
  code: number | null
  signal: NodeJS.Signals | null
  /** The reason why it could not be started; null when it was. */
  error: unknown
}

/** PATH, LANG=C.UTF-8, HOME and TMPDIR, and of ours those that are named. */
export function cleanEnvironment(home: string, names: readonly string[] = []): Record<string, string> {
  const ours = names.flatMap((name) => {
    const value = process.env[name] ?? ''
    return value === '' ? [] : [[name, value]]
  })
  return {
    PATH: process.env['PATH'] ?? '',
    LANG: 'C.UTF-8',
    HOME: home,
    TMPDIR: home,
    ...Object.fromEntries(ours)
  }
}

/** As people call it. */
export function programName(command: string): string {
  return command.split('/').at(-1) ?? command
}

/** The command with all that confines it: the one place where bounds become words of a command. One of our own is not confined. */
export function commandLine(
  { command, args, bounds }: ChildSpec & Partial<BoundedSpec>,
  means: Confinement | null,
  cgroup: RunCgroup | null
): [string, ...string[]] {
  if (bounds === undefined || means === null) return [command, ...args]
  const { memoryBytes, folder, cpuSeconds = null, node } = bounds
  return confinedCommand(
    means,
    { command, args, memoryBytes, fileBytes: folder?.bytes ?? null, cpuSeconds, node },
    cgroup
  )
}

/** Starts it; answers the error when not even a process could be made. */
export function spawnChild(
  { cwd, env, input, stdout, onMessage }: ChildSpec,
  [program, ...line]: [string, ...string[]]
): ChildProcess | Error {
  const out = stdout === 'ignore' ? 'ignore' : 'pipe'
  try {
    return spawn(program, line, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...env },
      // A group of its own: a Ctrl-C in the terminal is for us, and we stop it in order.
      detached: true,
      stdio: [
        input === undefined ? 'ignore' : 'pipe',
        out,
        'pipe',
        ...(onMessage === undefined ? [] : ['ipc' as const])
      ]
    })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
