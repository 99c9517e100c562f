import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../files/atomic-file.ts'

/** Of a process as the kernel lists it. */
interface Listed {
  pid: number
  parent: number
  /** Ticks of the clock that it and those of its children that have ended worked. */
  ticks: number
  /** `<name>` as the kernel cuts it. */
  name: string
}

/** One process of the station. */
export interface StationProcess extends Listed {
  /** `main`, `worker`, `search` or another role of ours; null: another program. */
  role: string | null
  memoryBytes: number
  /** True: its share of what several processes hold together (PSS). False: all that it holds (RSS), what others hold too included. */
  isShare: boolean
}

/** The longest that is read in one go: radios wait for it. */
const AT_ONCE_MS = 4
const ROLES: Readonly<Record<string, string>> = { knowledge: 'worker', search: 'search' }

/**
 * This process and all below it: the worker, OCR, LibreOffice, the server of the library. Everybody is listed for it, a few at a time. What
 * runs in a service of its own (lookout-sandbox, a container engine) is no child of ours; `others` names those.
 */
export async function stationProcesses({
  proc,
  root,
  pause,
  others = () => []
}: {
  proc: string
  root: number
  /** Gives others their turn. */
  pause: () => Promise<void>
  /** More processes that belong to these. */
  others?: (pids: ReadonlySet<number>) => readonly number[]
}): Promise<StationProcess[]> {
  const all = await everybody(proc, pause)
  const ours = below(all, root)
  const more = new Set(others(new Set(ours.map(({ pid }) => pid))))
  const members = [...ours, ...all.filter(({ pid }) => more.has(pid) && !ours.some((one) => one.pid === pid))]
  const measured: StationProcess[] = []
  for (const one of members) {
    const memory = await memoryOf(proc, one.pid)
    if (memory !== null) measured.push({ ...one, role: one.pid === root ? 'main' : roleOf(proc, one.pid), ...memory })
  }
  return measured
}

async function everybody(proc: string, pause: () => Promise<void>): Promise<Listed[]> {
  const found: Listed[] = []
  let begun = performance.now()
  for (const name of names(proc)) {
    if (!/^\d+$/.test(name)) continue
    const one = listed(Number(name), text(join(proc, name, 'stat')))
    if (one !== null) found.push(one)
    if (performance.now() - begun < AT_ONCE_MS) continue
    await pause()
    begun = performance.now()
  }
  return found
}

/** proc(5), stat: pid (name) state ppid …; fields 14 to 17 are the times of itself and of its ended children. The name may hold brackets. */
function listed(pid: number, stat: string): Listed | null {
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  const [state, parent] = fields
  if (state === undefined || state === 'Z' || parent === undefined) return null
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  if (!Number.isFinite(ticks)) return null
  return { pid, parent: Number(parent), ticks, name: stat.slice(stat.indexOf('(') + 1, end) }
}

function below(all: readonly Listed[], root: number): Listed[] {
  const children = new Map<number, Listed[]>()
  for (const one of all) children.set(one.parent, [...(children.get(one.parent) ?? []), one])
  const found = all.filter(({ pid }) => pid === root)
  for (let at = 0; at < found.length; at++) found.push(...(children.get(found[at]?.pid ?? 0) ?? []))
  return found
}

/** To add up the pages of a large process takes the kernel milliseconds: never on our own thread. */
async function memoryOf(proc: string, pid: number): Promise<{ memoryBytes: number; isShare: boolean } | null> {
  const share = kib(await textLater(join(proc, String(pid), 'smaps_rollup')), 'Pss')
  if (share !== null) return { memoryBytes: share, isShare: true }
  const resident = kib(await textLater(join(proc, String(pid), 'status')), 'VmRSS')
  return resident === null ? null : { memoryBytes: resident, isShare: false }
}

function roleOf(proc: string, pid: number): string | null {
  const words = text(join(proc, String(pid), 'cmdline')).split('\0')
  const at = words.indexOf('work')
  return at < 1 ? null : (ROLES[words[at + 1] ?? ''] ?? null)
}

function kib(content: string, name: string): number | null {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(content)?.[1]
  return found === undefined ? null : Number(found) * 1024
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    return nothing(error, [])
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    return nothing(error, '')
  }
}

async function textLater(file: string): Promise<string> {
  try {
    return await readFile(file, 'latin1')
  } catch (error) {
    return nothing(error, '')
  }
}

/** It has ended since, does not let itself be read, or this is no Linux. */
function nothing<Value>(error: unknown, value: Value): Value {
  if (errorCode(error) === '') throw error
  return value
}
