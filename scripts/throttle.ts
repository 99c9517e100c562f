import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A way to give a program a part of a core, as small boards have it. Linux only. */
export interface Throttle {
  /** For the reader of the figures. */
  how: string
  /** Whatever it starts afterwards is held back with it where the way of throttling knows children. */
  hold: (child: ChildProcess) => void
  end: () => void
}

const PERIOD_MS = 100
const CGROUPS = '/sys/fs/cgroup'

/** Stops and continues a process in turn; in a process of its own, so that the pauses do not depend on what the bench does. */
const TURNS = `
const [pid, run, rest] = process.argv.slice(1).map(Number)
const wait = new Int32Array(new SharedArrayBuffer(4))
try {
  for (;;) {
    process.kill(pid, 'SIGCONT')
    Atomics.wait(wait, 0, 0, run)
    process.kill(pid, 'SIGSTOP')
    Atomics.wait(wait, 0, 0, rest)
    if (process.ppid === 1) process.kill(pid, 'SIGKILL')
  }
} catch (error) {
  // The program has ended: there is nothing to hold any more.
  if (error.code !== 'ESRCH') throw error
}
`

/** By a cgroup where one may be made, else by signals. `by` names one of them; `none` leaves the program alone. */
export function throttle(share: number, by: string): Throttle {
  if (by === 'none') return { how: 'not throttled', hold: () => undefined, end: () => undefined }
  const made = by === 'signals' ? null : (cgroup2(share) ?? cgroup1(share))
  if (made === null && by === 'cgroup') throw new Error('no cgroup may be made here: try --throttle signals')
  return made ?? signals(share)
}

function cgroup2(share: number): Throttle | null {
  if (!controllers(join(CGROUPS, 'cgroup.subtree_control')).includes('cpu')) return null
  return group(join(CGROUPS, `lookout-bench-${process.pid}`), 'cgroup v2 cpu.max', (folder) =>
    writeFileSync(join(folder, 'cpu.max'), `${share * PERIOD_MS * 1000} ${PERIOD_MS * 1000}`)
  )
}

function cgroup1(share: number): Throttle | null {
  if (!existsSync(join(CGROUPS, 'cpu/cpu.cfs_quota_us'))) return null
  return group(join(CGROUPS, 'cpu', `lookout-bench-${process.pid}`), 'cgroup v1 cpu.cfs_quota_us', (folder) => {
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_MS * 1000))
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(share * PERIOD_MS * 1000))
  })
}

function controllers(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : []
}

function group(folder: string, how: string, limit: (folder: string) => void): Throttle | null {
  try {
    accessSync(join(folder, '..'), constants.W_OK)
    mkdirSync(folder)
    limit(folder)
  } catch {
    // Not ours to make: the next way is tried.
    return null
  }
  return {
    how: `${how}, ${PERIOD_MS} ms periods, the program and its side processes`,
    hold: ({ pid }) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    end: () => {
      // Side processes end a moment after the program.
      for (let tries = 0; tries < 50 && existsSync(folder); tries++) {
        try {
          rmdirSync(folder)
        } catch {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
        }
      }
    }
  }
}

function signals(share: number): Throttle {
  const ended: (() => void)[] = []
  return {
    how: `SIGSTOP for ${(1 - share) * PERIOD_MS} of every ${PERIOD_MS} ms, the program alone`,
    hold: (child) => {
      const times = [child.pid, share * PERIOD_MS, (1 - share) * PERIOD_MS].map(String)
      const turns = spawn(process.execPath, ['-e', TURNS, ...times], { stdio: 'ignore' })
      ended.push(() => {
        turns.kill('SIGKILL')
        // It may just have been stopped, and must hear that it is to end.
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGCONT')
      })
    },
    end: () => {
      for (const end of ended.splice(0)) end()
    }
  }
}
