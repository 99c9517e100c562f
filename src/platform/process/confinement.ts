import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../errors.ts'
import { type CgroupParent, cgroupOfSandbox, delegatedCgroup, type RunCgroup } from './cgroup.ts'
import { type FileView, type ViewMeans, viewArguments, viewCandidates } from './file-view.ts'
import { FIRST_TO_GO } from './process-group.ts'
import { findProgram } from './programs.ts'

const PROBE_MS = 5000
/** The sandbox begins with the first who asks, on a board that may be about to start everything at once. */
const SANDBOX_MS = 30_000
/** A system that forbids what a view needs says so by bubblewrap; nobody need ask again. */
const FORBIDDEN = /^bwrap: .*(?:Permission denied|Operation not permitted|No permissions|not support)/m
/** In place of the name of a group: the run has none. */
export const NO_GROUP = '-'
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
  /**
   * Put before the name of a run's group and the words of its view, so that a service beside ours starts it, which may make
   * namespaces where we may not; null where we start all ourselves. docs/decisions/0068
   */
  sandbox: readonly string[] | null
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
  env: Readonly<Record<string, string | undefined>>
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

/**
 * The means that are active on this machine; probed at the first call, a few milliseconds.
 * @throws AppError `unavailable` when the sandbox that LOOKOUT_SANDBOX names cannot be reached or makes no view now; the next call asks again
 */
export async function activeConfinement(): Promise<Confinement> {
  const means = await probedOnce()
  if (means.sandbox === null || means.cgroup === null || existsSync(means.cgroup.folder)) return means
  // It ended and took its groups along; asked, it begins anew.
  active = null
  return probedOnce()
}

function probedOnce(): Promise<Confinement> {
  if (active !== null) return active
  const probe = probeConfinement(process.env)
  active = probe
  probe.catch(() => {
    if (active === probe) active = null
  })
  return probe
}

/**
 * Tries what this machine allows. A system that forbids namespaces has no views; a sandbox that is only away now must not
 * have a stranger's document read without one.
 * @throws AppError `unavailable` when the sandbox that LOOKOUT_SANDBOX names cannot be reached or makes no view now
 */
export async function probeConfinement(env: Record<string, string | undefined>): Promise<Confinement> {
  const sandbox = sandboxOf(env)
  const away = sandbox === null ? null : await viewInSandbox(sandbox)
  const own = await ownMeans(env, away === null)
  return away === null ? own : { ...own, ...away, noNetwork: [], sandbox, watch: own.watch && away.cgroup !== null }
}

/** The program that speaks to the socket of LOOKOUT_SANDBOX; null where none is named. */
function sandboxOf(env: Record<string, string | undefined>): string[] | null {
  const socket = env['LOOKOUT_SANDBOX'] ?? ''
  if (socket === '') return null
  const client = findProgram('s6-sudo')
  if (client === null) throw noSandbox(because('program_not_here', { program: 's6-sudo (package s6)' }))
  // Without our environment: a run gets its own.
  return [client, '-e', socket]
}

function noSandbox(said: Reason): AppError {
  return new AppError('unavailable', because('sandbox_away', { said }))
}

async function ownMeans(env: Record<string, string | undefined>, withViews: boolean): Promise<Confinement> {
  const [prlimit, noNetwork, files, nice, ionice, choom, endWithParent] = await Promise.all([
    firstThatRuns([['prlimit', '--core=0', '--data=1073741824', '--fsize=1073741824']]),
    withViews ? withoutNetwork() : [],
    withViews ? viewOfFiles(viewCandidates(process.geteuid?.() === 0)) : null,
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
    sandbox: null,
    lowPriority: [...nice, ...ionice],
    firstToGo: choom,
    endWithParent
  }
}

/** The first of these prefixes with which a program starts, its own path made absolute; empty when none does. */
async function firstThatRuns(
  prefixes: readonly (readonly string[])[],
  { program = 'true', args = [], good = () => true, timeMs = PROBE_MS, refused }: ProbeTarget = {}
): Promise<string[]> {
  const target = findProgram(program)
  for (const [name = '', ...options] of prefixes) {
    const path = findProgram(name)
    if (path === null || target === null) continue
    const { output, words } = await outputOf(path, [...options, target, ...args], timeMs)
    if (output !== null && good(output)) return [path, ...options]
    refused?.(words)
  }
  return []
}

interface ProbeTarget {
  program?: string
  args?: readonly string[]
  good?: (output: string) => boolean
  timeMs?: number
  /** Told of each prefix that does not do, in the words of its program; empty when it gave no answer in time. */
  refused?: (words: string) => void
}

/** Believed when the program itself does not see a folder that it was not given. */
async function viewOfFiles(
  candidates: readonly (readonly string[])[],
  more: Pick<ProbeTarget, 'timeMs' | 'refused'> = {}
): Promise<ViewMeans | null> {
  const look = { program: 'sh', args: ['-c', '[ -d "$0" ] || echo hidden', '/sys'], ...more }
  const good = (output: string): boolean => output === 'hidden\n'
  const ended = (line: readonly string[]): string[] => [...line, '--']
  const line = (await firstThatRuns(candidates.map(ended), { ...look, good })).slice(0, -1)
  if (line.length === 0) return null
  const alone = await firstThatRuns([ended([...line, '--unshare-net'])], { ...look, good })
  return { line, noNetwork: alone.length > 0 ? ['--unshare-net'] : [] }
}

/**
 * The view that the sandbox gives, and its control group; null when this system forbids it.
 * @throws AppError `unavailable` when it gives none, or not the whole of it, for another reason
 */
async function viewInSandbox(sandbox: readonly string[]): Promise<Pick<Confinement, 'files' | 'cgroup'> | null> {
  const call = [...sandbox, NO_GROUP]
  let said = ''
  const refused = (words: string): void => {
    said = words
  }
  for (const [, ...view] of viewCandidates(false)) {
    const files = await viewOfFiles([[...call, ...view]], { timeMs: SANDBOX_MS, refused })
    if (files !== null && (files.noNetwork.length > 0 || FORBIDDEN.test(said)))
      return { files: { ...files, line: files.line.slice(call.length) }, cgroup: await cgroupWithin(files.line) }
    // Another kind of view may do; one that did not come about at all says nothing of views.
    if (files !== null || !said.startsWith('bwrap: ')) break
  }
  if (FORBIDDEN.test(said)) return null
  const why =
    said === '' ? because('not_ready_within', { seconds: SANDBOX_MS / 1000 }) : because('note', { text: said })
  throw noSandbox(why)
}

async function cgroupWithin([command = '', ...view]: readonly string[]): Promise<CgroupParent | null> {
  const { output } = await outputOf(
    command,
    [...view, '--', findProgram('cat') ?? 'cat', '/proc/self/cgroup'],
    PROBE_MS
  )
  return cgroupOfSandbox(output ?? '')
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

interface ProbeOutput {
  /** Null when it failed. */
  output: string | null
  /** The last line of what it wrote to standard error; empty when it was stopped. */
  words: string
}

function outputOf(path: string, args: readonly string[], timeMs: number): Promise<ProbeOutput> {
  return new Promise((resolve) => {
    execFile(path, [...args], { timeout: timeMs, killSignal: 'SIGKILL', env: {} }, (error, stdout, stderr) => {
      const words = stderr.trim().split('\n').at(-1) ?? ''
      resolve({ output: error === null ? stdout : null, words: error?.killed === true ? '' : words })
    })
  })
}

/** The whole command line: every bound that is active here, then the command. */
export function confinedCommand(
  confinement: Confinement,
  { command, args, env, memoryBytes, fileBytes, cpuSeconds = null, node, view }: ConfinedCommand,
  cgroup: RunCgroup | null
): [string, ...string[]] {
  const { files, noNetwork, lowPriority, firstToGo, endWithParent, sandbox } = confinement
  const heap = node ? [`--max-old-space-size=${heapMib(memoryBytes)}`] : []
  const bounds = limits(confinement, {
    memoryBytes: node ? memoryBytes + NODE_OVERHEAD : memoryBytes,
    fileBytes,
    cpuSeconds
  })
  if (sandbox !== null && files !== null) {
    const inside = [...lowPriority, ...bounds, command, ...heap, ...args]
    return sandboxedLine({ sandbox, files, endWithParent }, { view, command, args, node, env, inside }, cgroup)
  }
  const line = [
    ...(cgroup?.enter ?? []),
    // Ahead of what starts a process of its own: a word of ours from outside might reach the first of them alone.
    ...firstToGo,
    ...(files !== null && files.noNetwork.length > 0 ? [] : noNetwork),
    ...lowPriority,
    ...bounds,
    // Last: changing who one is, as `unshare` does, makes the kernel forget it.
    ...(files === null ? endWithParent : viewedLine(files, view, { command, args, node })),
    command,
    ...heap,
    ...args
  ]
  return [line[0] ?? command, ...line.slice(1)]
}

/**
 * The command line that has the sandbox start a program: the group it enters, its view, and inside the view its environment and what bounds it.
 * The service gives it its place before the station when memory runs out.
 */
export function sandboxedLine(
  {
    sandbox,
    files,
    endWithParent
  }: Pick<Confinement, 'endWithParent'> & { sandbox: readonly string[]; files: ViewMeans },
  {
    view,
    inside,
    env,
    ...command
  }: {
    view: FileView
    inside: readonly string[]
    env: Readonly<Record<string, string | undefined>>
    command: string
    args: readonly string[]
    node: boolean
  },
  cgroup: RunCgroup | null
): [string, ...string[]] {
  // The client goes with us even before a guardian knows of it, and the run with the client.
  const [first = '', ...call] = [...endWithParent, ...sandbox]
  const settings = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  const clean = [findProgram('env') ?? 'env', '-i', ...settings]
  return [first, ...call, cgroup?.name ?? NO_GROUP, ...viewedLine(files, view, command), ...clean, ...inside]
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
  const { cgroup, prlimit, watch, noNetwork, files, sandbox, lowPriority, endWithParent } = confinement
  const memory = [
    ...(cgroup === null || cgroup.unbounded === true ? [] : [`cgroup v${cgroup.version} (${cgroup.folder})`]),
    ...(prlimit === null ? [] : ['prlimit']),
    ...(watch ? ['watched by size'] : [])
  ]
  return [
    'time and process group always',
    `memory: ${memory.join(', ') || 'not bounded, except for Node'}`,
    `files: ${files === null ? 'all of ours' : `those of their job (bubblewrap${sandbox === null ? '' : ', in a service of its own'})`}`,
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
export function confinementGaps(
  { cgroup, prlimit, watch, noNetwork, files }: Confinement,
  env: Readonly<Record<string, string | undefined>> = process.env
): string[] {
  const gaps: string[] = []
  if ((cgroup === null || cgroup.unbounded === true) && prlimit === null)
    gaps.push(
      watch
        ? 'memory is only watched, a sudden burst is not caught (install util-linux for prlimit)'
        : 'memory of converters is not bounded on this system'
    )
  if (files === null)
    gaps.push(
      findProgram('bwrap') === null
        ? 'converters, kiwix-serve and the archiver can read what the station can, its keys too (install bubblewrap)'
        : (env['LOOKOUT_SANDBOX'] ?? '') !== ''
          ? 'converters, kiwix-serve and the archiver can read what the station can, its keys too (this system forbids user namespaces to bubblewrap)'
          : 'converters, kiwix-serve and the archiver can read what the station can, its keys too (bubblewrap may not make a user namespace here)'
    )
  if (noNetwork.length === 0 && (files === null || files.noNetwork.length === 0))
    gaps.push('converters keep the network (install util-linux, allow user namespaces or run in a container without)')
  return gaps
}
