import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type CgroupParent, delegatedCgroup, type RunCgroup } from './cgroup.ts'
import { type FileView, type ViewMeans, viewArguments, viewCandidates } from './file-view.ts'
import { FIRST_TO_GO } from './process-group.ts'
import { findProgram } from './programs.ts'

const PROBE_MS = 5000
const MIB = 2 ** 20
/**
 * Beside its heap, Node holds code, stacks of its threads and buffers; `--data` counts all that may be written. From Node 24
 * on V8 reserves its whole range for code at the start and aborts without it (768 MiB are too few, measured).
 */
const NODE_OVERHEAD = (Number(process.versions.node.split('.')[0]) >= 24 ? 1280 : 192) * MIB
const MIN_HEAP_MIB = 32

/** Means of this machine to bound the programs that read untrusted files. Found once, by trying. */
export interface Confinement {
  /** Memory by the kernel, for all processes of a run together; null when no cgroup was given to us. */
  cgroup: CgroupParent | null
  /** Memory by the kernel, for each process: the path of `prlimit`, or null. */
  prlimit: string | null
  /** True when the memory of a whole run can be watched (/proc). */
  watch: boolean
  /** Put before a command so that it has no network; empty where that is not allowed. */
  noNetwork: readonly string[]
  /** A program sees the files of its job and no others; null where that is not allowed. */
  files: ViewMeans | null
  /** Put before a command so that everything else goes first. */
  lowPriority: readonly string[]
  /** Put before a command so that the kernel takes it, and all that it starts, before the station when memory runs out. */
  firstToGo: readonly string[]
  /** Put before a command so that the kernel ends it with us; a guardian ends the whole group in any case. */
  endWithParent: readonly string[]
}

export interface ConfinedCommand {
  /** Absolute path. */
  command: string
  args: readonly string[]
  memoryBytes: number
  /** No file may grow beyond. */
  fileBytes: number | null
  /** Of each process; null: no limit. */
  cpuSeconds?: number | null
  /** The command is Node itself: its heap is bounded by its own flag. */
  node: boolean
  view: FileView
}

let active: Promise<Confinement> | null = null

/** The means that are active on this machine; probed at the first call, a few milliseconds. */
export function activeConfinement(): Promise<Confinement> {
  active ??= probeConfinement(process.env)
  return active
}

/** Tries what this machine allows. Never rejects. */
export async function probeConfinement(env: Record<string, string | undefined>): Promise<Confinement> {
  const [prlimit, noNetwork, files, nice, ionice, choom, endWithParent] = await Promise.all([
    firstThatRuns([['prlimit', '--core=0', '--data=1073741824', '--fsize=1073741824']]),
    withoutNetwork(),
    viewOfFiles(),
    firstThatRuns([['nice', '-n', '10']]),
    firstThatRuns([
      ['ionice', '-c', '3'],
      ['ionice', '-c', '2', '-n', '7']
    ]),
    firstThatRuns([['choom', '-n', FIRST_TO_GO, '--']]),
    firstThatRuns([['setpriv', '--pdeathsig', 'KILL']])
  ])
  return {
    cgroup: delegatedCgroup(env),
    prlimit: prlimit[0] ?? null,
    watch: existsSync('/proc/self/status'),
    noNetwork,
    files,
    lowPriority: [...nice, ...ionice],
    firstToGo: choom,
    endWithParent
  }
}

/** The first of these prefixes with which a program starts, its own path made absolute; empty when none does. */
async function firstThatRuns(
  prefixes: readonly (readonly string[])[],
  { program = 'true', args = [], good = () => true }: ProbeTarget = {}
): Promise<string[]> {
  const target = findProgram(program)
  for (const [name = '', ...options] of prefixes) {
    const path = findProgram(name)
    if (path === null || target === null) continue
    const output = await outputOf(path, [...options, target, ...args])
    if (output !== null && good(output)) return [path, ...options]
  }
  return []
}

interface ProbeTarget {
  program?: string
  args?: readonly string[]
  good?: (output: string) => boolean
}

/** Believed when the program itself does not see a folder that it was not given. */
async function viewOfFiles(): Promise<ViewMeans | null> {
  const look = { program: 'sh', args: ['-c', '[ -d "$0" ] || echo hidden', '/sys'] }
  const good = (output: string): boolean => output === 'hidden\n'
  const line = await firstThatRuns(viewCandidates(process.geteuid?.() === 0), { ...look, good })
  if (line.length === 0) return null
  const alone = await firstThatRuns([[...line, '--unshare-net']], { ...look, good })
  return { line, noNetwork: alone.length > 0 ? ['--unshare-net'] : [] }
}

/** A network of its own with nothing but a loopback that is down; believed when the program itself sees nothing else. */
function withoutNetwork(): Promise<string[]> {
  const spaces = [
    ['unshare', '--user', '--map-current-user', '--net'],
    ['unshare', '--user', '--map-root-user', '--net']
  ]
  const prefixes = process.geteuid?.() === 0 ? [['unshare', '--net'], ...spaces] : spaces
  const onlyLoopback = (output: string): boolean => {
    const names = [...output.matchAll(/^\s*([^\s:|]+):/gm)].map(([, name]) => name)
    return names.length > 0 && names.every((name) => name === 'lo')
  }
  return firstThatRuns(prefixes, { program: 'cat', args: ['/proc/net/dev'], good: onlyLoopback })
}

function outputOf(path: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(path, [...args], { timeout: PROBE_MS, killSignal: 'SIGKILL', env: {} }, (error, stdout) =>
      resolve(error === null ? stdout : null)
    )
  })
}

/** The whole command line: every bound that is active here, then the command. */
export function confinedCommand(
  confinement: Confinement,
  { command, args, memoryBytes, fileBytes, cpuSeconds = null, node, view }: ConfinedCommand,
  cgroup: RunCgroup | null
): [string, ...string[]] {
  const { files, noNetwork, lowPriority, firstToGo, endWithParent } = confinement
  const heap = node ? [`--max-old-space-size=${heapMib(memoryBytes)}`] : []
  const line = [
    ...(cgroup?.enter ?? []),
    // Ahead of what starts a process of its own: a word of ours from outside might reach the first of them alone.
    ...firstToGo,
    ...(files !== null && files.noNetwork.length > 0 ? [] : noNetwork),
    ...lowPriority,
    ...limits(confinement, { memoryBytes: node ? memoryBytes + NODE_OVERHEAD : memoryBytes, fileBytes, cpuSeconds }),
    // Last: changing who one is, as `unshare` does, makes the kernel forget it.
    ...(files === null ? endWithParent : viewedLine(files, view, { command, args, node })),
    command,
    ...heap,
    ...args
  ]
  return [line[0] ?? command, ...line.slice(1)]
}

/** The words that stand before a command so that it sees only its own files; bubblewrap ends it with us by itself. */
export function viewedLine(
  { line, noNetwork }: ViewMeans,
  view: FileView,
  command: { command: string; args: readonly string[]; node: boolean }
): string[] {
  return [...line, ...noNetwork, ...viewArguments(view, command)]
}

function limits(
  { prlimit }: Confinement,
  { memoryBytes, fileBytes, cpuSeconds }: { memoryBytes: number; fileBytes: number | null; cpuSeconds: number | null }
): string[] {
  if (prlimit === null) return []
  const file = fileBytes === null ? [] : [`--fsize=${fileBytes}`]
  // The first of the two is told by SIGXCPU, by which we know it; the second is for one that takes no notice.
  const cpu = cpuSeconds === null ? [] : [`--cpu=${cpuSeconds}:${cpuSeconds + 5}`]
  return [prlimit, '--core=0', `--data=${memoryBytes}`, ...file, ...cpu]
}

/** The part of a run's memory that is left for the objects of a Node program. */
export function heapMib(memoryBytes: number): number {
  return Math.max(MIN_HEAP_MIB, Math.floor((memoryBytes / MIB) * 0.75))
}

/** One line for people: what bounds the programs that read untrusted files here. */
export function describeConfinement(confinement: Confinement): string {
  const { cgroup, prlimit, watch, noNetwork, files, lowPriority, endWithParent } = confinement
  const memory = [
    ...(cgroup === null ? [] : [`cgroup v${cgroup.version} (${cgroup.folder})`]),
    ...(prlimit === null ? [] : ['prlimit']),
    ...(watch ? ['watched by size'] : [])
  ]
  return [
    'time and process group always',
    `memory: ${memory.join(', ') || 'not bounded, except for Node'}`,
    `files: ${files === null ? 'all of ours' : 'those of their job (bubblewrap)'}`,
    `network: ${networkOf({ noNetwork, files })}`,
    `priority: ${lowPriority.length > 0 ? 'low' : 'as ours'}`,
    `end with the program: ${endWithParent.length > 0 ? 'kernel and guardian' : 'guardian'}`
  ].join('; ')
}

function networkOf({ noNetwork, files }: Pick<Confinement, 'noNetwork' | 'files'>): string {
  if (files !== null && files.noNetwork.length > 0) return 'none (bubblewrap)'
  return noNetwork.length > 0 ? 'none (unshare)' : 'not taken away'
}

/** Says what a missing bound means and how to get it; empty when nothing is missing. */
export function confinementGaps({ cgroup, prlimit, watch, noNetwork, files }: Confinement): string[] {
  const gaps: string[] = []
  if (cgroup === null && prlimit === null)
    gaps.push(
      watch
        ? 'memory is only watched, a sudden burst is not caught (install util-linux for prlimit)'
        : 'memory of converters is not bounded on this system'
    )
  if (files === null)
    gaps.push(
      findProgram('bwrap') === null
        ? 'converters, kiwix-serve and the archiver can read what the station can, its keys too (install bubblewrap)'
        : 'converters, kiwix-serve and the archiver can read what the station can, its keys too (bubblewrap may not make a user namespace here)'
    )
  if (noNetwork.length === 0 && (files === null || files.noNetwork.length === 0))
    gaps.push('converters keep the network (install util-linux, allow user namespaces or run in a container without)')
  return gaps
}
