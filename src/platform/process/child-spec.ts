import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { AppError } from '../errors.ts'
import { createCgroup, type RunCgroup } from './cgroup.ts'
import { type Confinement, confinedCommand, sandboxedLine, viewedLine } from './confinement.ts'
import type { FileView } from './file-view.ts'
import { findProgram } from './programs.ts'

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
  /** Its input stays open for `write` until `endInput`. */
  keepsInput?: true
  /** `lines`: read by `lines()`; `bytes`: kept; `words`: the last of it joins the last words. */
  stdout: 'lines' | 'bytes' | 'words' | 'ignore'
  /** Bytes of the last words, which are the end of standard error. */
  wordsBytes: number
  onWords?: (chunk: Buffer) => void
  /** Node's channel for messages. */
  onMessage?: (message: unknown) => void
  /** It does not keep us alive, and runs at this priority: 0 as ours … 19 last. */
  background?: { niceness: number }
  /** The files it may see, where this machine can hide the others. One without is of our own, and sees all. */
  view?: FileView
}

export interface BoundedSpec extends ChildSpec {
  bounds: Bounds
  view: FileView
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

/** The control group of a run; in the sandbox each has one, which tells what belongs to it. */
export function cgroupFor({ bounds, view }: Partial<BoundedSpec>, means: Confinement | null): RunCgroup | null {
  if (means === null || means.cgroup === null) return null
  if (means.sandbox !== null)
    return view === undefined
      ? null
      : createCgroup(means.cgroup, bounds?.network ? null : (bounds?.memoryBytes ?? null))
  return bounds === undefined ? null : createCgroup(means.cgroup, bounds.memoryBytes)
}

/** The command with all that confines it: the one place where bounds and views become words of a command. One of our own is not confined. */
export function commandLine(
  { command, args, env, bounds, view, background }: ChildSpec & Partial<BoundedSpec>,
  means: Confinement | null,
  cgroup: RunCgroup | null
): [string, ...string[]] {
  if (means === null || view === undefined) return [command, ...args]
  if (bounds === undefined)
    return serverLine({ command, args, env, view, niceness: background?.niceness ?? null }, means, cgroup)
  const { memoryBytes, folder, cpuSeconds = null, node } = bounds
  return confinedCommand(
    means,
    { command, args, env, memoryBytes, fileBytes: folder?.bytes ?? null, cpuSeconds, node, view },
    cgroup
  )
}

/** One that serves keeps the network and runs for as long as it likes. */
function serverLine(
  {
    command,
    args,
    env,
    view,
    niceness
  }: Pick<ChildSpec, 'command' | 'args' | 'env'> & { view: FileView; niceness: number | null },
  { files, sandbox, endWithParent }: Confinement,
  cgroup: RunCgroup | null
): [string, ...string[]] {
  if (files === null) return [command, ...args]
  if (sandbox !== null) {
    const server = { view, command, args, node: false, env, inside: [command, ...args] }
    return sandboxedLine({ sandbox, files: { ...files, noNetwork: [] }, endWithParent }, server, cgroup)
  }
  // Its own process is a child of the one we start by the time we could give that another priority.
  const nice = niceness === null ? null : findProgram('nice')
  const line = [
    ...(nice === null ? [] : [nice, '-n', String(niceness)]),
    ...viewedLine({ ...files, noNetwork: [] }, view, { command, args, node: false }),
    command,
    ...args
  ]
  return [line[0] ?? command, ...line.slice(1)]
}

const SIGNAL_NAMES: readonly NodeJS.Signals[] = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL'] as const),
  ...(['SIGSEGV', 'SIGPIPE', 'SIGALRM', 'SIGTERM', 'SIGXCPU', 'SIGXFSZ', 'SIGSYS'] as const)
]
const SIGNALS = new Map(SIGNAL_NAMES.map((name) => [constants.signals[name], name]))

/** Its end as it would be without bubblewrap, which tells a signal as a shell does and its own failure by its words. */
export function unwrappedEnd(end: ChildEnd, words: string): ChildEnd {
  const { code, error } = end
  if (error !== null || code === null) return end
  if (code > 128) {
    const signal = SIGNALS.get(code - 128)
    return signal === undefined ? end : { code: null, signal, error: null }
  }
  const isOurs = code === 1 ? words.startsWith('bwrap: ') : /^(?:s6-\w+|lookout-sandbox): /.test(words) && code !== 0
  return isOurs ? { code: null, signal: null, error: new Error(words.trim()) } : end
}

/** Starts it; answers the error when not even a process could be made. */
export function spawnChild(
  { cwd, env, input, keepsInput, stdout, onMessage }: ChildSpec,
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
        input === undefined && keepsInput === undefined ? 'ignore' : 'pipe',
        out,
        'pipe',
        ...(onMessage === undefined ? [] : ['ipc' as const])
      ]
    })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
