import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { shell } from './process-group.ts'

/** The folder in which the kernel shows its control groups. */
const MOUNT = '/sys/fs/cgroup'
/** Ours while programs run in groups beside it: version 2 allows no processes in a group that divides its memory. */
const OWN_GROUP = 'lookout'

/** A folder of the cgroup tree in which we may make groups. */
export interface CgroupParent {
  folder: string
  version: 1 | 2
  /** Groups below it tell what belongs to a run, and the kernel bounds no memory by them. */
  unbounded?: true
}

/** The group of one run. */
export interface RunCgroup {
  name: string
  /** Put before the command: enters the group, then becomes the command. */
  enter: readonly string[]
  /** Highest use in bytes; null when the kernel does not tell. */
  peak: () => number | null
  outOfMemory: () => boolean
  /** Its processes. */
  members: () => number[]
  /** Ends every process in it, those of other sessions included. */
  kill: () => void
  /** Removes it; never throws. */
  remove: () => void
}

/**
 * The cgroup that was given to us, or null. Being allowed to write is no permission (root always is): either
 * LOOKOUT_CGROUP names the folder, or we are a systemd service with `Delegate=memory` and a user of its own, whose folder
 * systemd then gives to that user.
 */
export function delegatedCgroup(
  env: Record<string, string | undefined>,
  { mount = MOUNT, own = ownPath() }: { mount?: string; own?: string | null } = {}
): CgroupParent | null {
  const named = env['LOOKOUT_CGROUP'] ?? ''
  const folder = named !== '' ? named : serviceFolder(mount, own)
  if (folder === null) return null
  if (existsSync(join(folder, 'memory.limit_in_bytes'))) return usable({ folder, version: 1 })
  if (!words(join(folder, 'cgroup.controllers')).includes('memory')) return null
  return usable({ folder, version: 2 })
}

function serviceFolder(mount: string, own: string | null): string | null {
  if (own === null) return null
  const path = basename(own) === OWN_GROUP ? own.slice(0, -OWN_GROUP.length - 1) : own
  const folder = join(mount, path)
  if (!path.endsWith('.service') || !existsSync(folder)) return null
  const user = process.geteuid?.() ?? 0
  return user !== 0 && statSync(folder).uid === user ? folder : null
}

/** Of cgroup version 2: `0::/system.slice/lookout.service`. */
function ownPath(): string | null {
  return /^0::(\/.+)$/m.exec(readText('/proc/self/cgroup'))?.[1] ?? null
}

function usable(parent: CgroupParent): CgroupParent | null {
  try {
    if (parent.version === 2 && !words(join(parent.folder, 'cgroup.subtree_control')).includes('memory')) {
      const ours = join(parent.folder, OWN_GROUP)
      mkdirSync(ours, { recursive: true })
      for (const pid of words(join(parent.folder, 'cgroup.procs'))) writeFileSync(join(ours, 'cgroup.procs'), pid)
      writeFileSync(join(parent.folder, 'cgroup.subtree_control'), '+memory')
    }
    createCgroup(parent, 64 * 2 ** 20).remove()
    return parent
  } catch {
    return null
  }
}

let made = 0

/**
 * The group of the service behind this path of /proc/self/cgroup, in which we may make groups for runs; null where it is none of
 * ours. Its own processes stand in a group beside (`serve`).
 */
export function cgroupOfSandbox(path: string, mount = MOUNT): CgroupParent | null {
  const own = /^0::(\/.+)\/serve$/m.exec(path)?.[1]
  if (own === undefined) return null
  const folder = join(mount, own)
  const isBounded = words(join(folder, 'cgroup.subtree_control')).includes('memory')
  const parent: CgroupParent = { folder, version: 2, ...(isBounded ? {} : { unbounded: true as const }) }
  try {
    createCgroup(parent, 64 * 2 ** 20).remove()
    return parent
  } catch {
    return null
  }
}

/**
 * Makes the group of one run with this much memory (null: as much as its parent has) and no swap. @throws what the kernel says
 * when it cannot.
 */
export function createCgroup({ folder, version, unbounded }: CgroupParent, memoryBytes: number | null): RunCgroup {
  const name = `lookout-run-${process.pid}-${made++}`
  const group = join(folder, name)
  mkdirSync(group)
  const set = (file: string, value: string): void => writeFileSync(join(group, file), value)
  const kill = (): void => {
    if (version === 2 && existsSync(join(group, 'cgroup.kill'))) set('cgroup.kill', '1')
    else for (const pid of words(join(group, 'cgroup.procs'))) killOne(Number(pid))
  }
  const bound = (bytes: number): void => {
    set(version === 2 ? 'memory.max' : 'memory.limit_in_bytes', String(bytes))
    const swap = version === 2 ? 'memory.swap.max' : 'memory.memsw.limit_in_bytes'
    // Kernels without accounting of swap have no such file.
    if (existsSync(join(group, swap))) set(swap, version === 2 ? '0' : String(bytes))
    if (version === 2 && existsSync(join(group, 'memory.oom.group'))) set('memory.oom.group', '1')
  }
  try {
    if (memoryBytes !== null && unbounded !== true) bound(memoryBytes)
  } catch (error) {
    rmdirSync(group)
    throw error
  }
  return {
    name,
    enter: [shell() ?? 'sh', '-c', 'echo $$ > "$0" && exec "$@"', join(group, 'cgroup.procs')],
    peak: () =>
      // Without a bound the kernel counts what it caches of files, too.
      memoryBytes === null ? null : number(join(group, version === 2 ? 'memory.peak' : 'memory.max_usage_in_bytes')),
    outOfMemory: () =>
      /^oom_kill [1-9]/m.test(readText(join(group, version === 2 ? 'memory.events' : 'memory.oom_control'))),
    members: () => words(join(group, 'cgroup.procs')).map(Number),
    kill,
    remove: () => removeGroup(group, kill)
  }
}

function removeGroup(group: string, kill: () => void, tries = 10): void {
  try {
    kill()
    rmdirSync(group)
  } catch {
    // A process is still on its way out. An empty group costs nothing and goes with its parent at the latest.
    if (tries > 0) setTimeout(() => removeGroup(group, kill, tries - 1), 300).unref()
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

function number(file: string): number | null {
  const text = readText(file).trim()
  return /^\d+$/.test(text) ? Number(text) : null
}

function words(file: string): string[] {
  return readText(file)
    .split(/\s+/)
    .filter((word) => word !== '')
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
