// Notices that a test file no longer gets anywhere, long before the time that the slowest machine may take is over.
import { readdirSync, readFileSync } from 'node:fs'

/** Tests wait for a minute at most. A file that tells nothing for so long has hung when it does nothing, or nothing else. Seconds. */
export const HUNG_SECONDS = 180
/** Part of a processor that a program with nothing to do may take. */
const IDLE = 0.03
const LOOKS = 36
/** Clock ticks of `/proc` are hundredths of a second (Linux `USER_HZ`). Seconds. */
const TICK = 0.01

/**
 * Waiting takes as long on any machine, so it is counted by the clock, and only while this process itself is on time; work takes
 * longer on a slow machine, so it is counted in CPU, of which a slow one may use more.
 * @param {{ pid: number, slowness: number, seconds?: number, cpu?: (pid: number) => number | null, onHung: (why: string) => void }} file
 *   with `slowness` against the machine of docs/measurements.md
 * @returns {{ told: () => void, stop: () => void }} `told`: it has told something
 */
export function watchForHang({ pid, slowness, seconds = HUNG_SECONDS, cpu = cpuOfTree, onHung }) {
  const every = seconds / LOOKS
  const most = seconds * Math.max(1, slowness)
  let last = cpu(pid)
  if (last === null) return { told: () => undefined, stop: () => undefined }
  let at = performance.now()
  let quiet = []
  const timer = setInterval(() => {
    const now = performance.now()
    const spent = cpu(pid)
    if (spent === null) return
    // Programs whose end nobody waited for take their count with them.
    quiet.push({ wall: Math.min((now - at) / 1000, 2 * every), cpu: Math.max(0, spent - last) })
    at = now
    last = spent
    const worked = quiet.reduce((sum, look) => sum + look.cpu, 0)
    const latest = quiet.slice(-LOOKS)
    const waited = latest.reduce((sum, look) => sum + look.wall, 0)
    const beside = latest.reduce((sum, look) => sum + look.cpu, 0)
    if (worked >= most) onHung(`told nothing during ${worked.toFixed(0)} s of CPU`)
    else if (latest.length === LOOKS && waited >= seconds * 0.9 && beside < IDLE * waited)
      onHung(`stood still for ${waited.toFixed(0)} s`)
  }, every * 1000)
  return {
    told: () => {
      quiet = []
    },
    stop: () => clearInterval(timer)
  }
}

/** Seconds of CPU of a process, of those it started and of those they waited for; null where nobody tells. */
export function cpuOfTree(pid) {
  if (process.platform !== 'linux') return null
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf)
  const tree = new Set([pid])
  for (let size = 0; size < tree.size; ) {
    size = tree.size
    for (const { pid: child, parent } of processes) if (tree.has(parent)) tree.add(child)
  }
  return processes.reduce((sum, { pid: one, ticks }) => (tree.has(one) ? sum + ticks * TICK : sum), 0)
}

function statOf(name) {
  try {
    const fields = readFileSync(`/proc/${name}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0)
    return [{ pid: Number(name), parent: Number(fields[1]), ticks }]
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return []
    throw error
  }
}
