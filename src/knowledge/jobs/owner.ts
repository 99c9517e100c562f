import { readFileSync } from 'node:fs'

/** Under which the worker holds its leases: the station names them by it and the number of the process. */
export const WORKER_ROLE = 'knowledge'

/**
 * A name for the leases of this process that no other process ever has: pid, and where the system tells them the time the
 * process started and the boot it belongs to.
 */
export function leaseOwner(role: string): string {
  return `${role}:${process.pid}:${startOf(process.pid) ?? 'unknown'}`
}

/**
 * True when the process behind a lease has certainly ended; false also when nobody can say (the lease runs out then).
 */
export function ownerIsGone(owner: string): boolean {
  const match = /:(\d+):(\S+)$/.exec(owner)
  if (match === null) return false
  const pid = Number(match[1])
  const start = startOf(pid)
  if (start !== null && match[2] !== 'unknown') return start !== match[2]
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** `<boot>-<ticks since boot>` of a living process; null when it is gone or the system does not tell (proc(5), field 22). */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 8)
    // The name of the program stands in brackets and may hold spaces and brackets itself.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return ticks === undefined ? null : `${boot}-${ticks}`
  } catch {
    return null
  }
}
