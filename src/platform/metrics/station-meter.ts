import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { nextTurn } from '../clock/slices.ts'
import { errorCode } from '../files/atomic-file.ts'
import { type StationProcess, stationProcesses } from './station-processes.ts'
import type { MachineFiles } from './system.ts'

/** Memory and CPU of all processes of the station together. Null: this machine does not tell. */
export interface StationSample extends Record<string, number | null> {
  station_processes: number | null
  station_memory_bytes: number | null
  /** 1: shares of what is held together were added up (PSS); 0: of some process only all that it holds is known (RSS). */
  station_memory_is_pss: number | null
  /** The highest sum that was seen since the sample before. */
  station_memory_peak_bytes: number | null
  main_memory_bytes: number | null
  worker_memory_bytes: number | null
  /** The largest other program since the sample before, however short it ran. */
  largest_child_bytes: number | null
  /** Of all cores, by all processes, since the sample before. */
  station_cpu_percent: number | null
  /** As the kernel counts the whole service since its start, caches of files included. */
  service_memory_peak_bytes: number | null
}

/** While others than the main process run. */
const BUSY_LOOK_MS = 10_000
const QUIET_LOOK_MS = 30_000
/** Of `proc`: fixed on every Linux that people use (USER_HZ). */
const TICKS_PER_SECOND = 100
const SANDBOX = 'fs/cgroup/system.slice/lookout-sandbox.service'

interface Options {
  clock: Clock
  /** The largest child that whoever started it has seen since it was asked the last time. */
  takeChildPeak?: () => number | null
  files?: MachineFiles
  root?: number
}

/** Looks now and then, so that what runs for a short time is seen; `sample` ends a stretch of time and begins the next. */
export class StationMeter {
  readonly #o: Required<Options>
  #peak = 0
  #largest = 0
  #cpu: { at: number; ticks: number } | null = null
  #cancel: () => void = () => undefined
  #looking: Promise<StationProcess[]> | null = null
  #stopped = false

  constructor({
    clock,
    takeChildPeak = () => null,
    files = { proc: '/proc', sys: '/sys' },
    root = process.pid
  }: Options) {
    this.#o = { clock, takeChildPeak, files, root }
  }

  start(): void {
    this.#plan(QUIET_LOOK_MS)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    await this.looked()
  }

  /** Resolves when no look goes on. */
  async looked(): Promise<void> {
    await this.#looking
  }

  async sample(): Promise<StationSample> {
    const found = await this.#look()
    const told = this.#o.takeChildPeak() ?? 0
    const largest = Math.max(this.#largest, told)
    const memory = sumOf(found)
    const isKnown = found.length > 0
    const sample = {
      station_processes: isKnown ? found.length : null,
      station_memory_bytes: isKnown ? memory : null,
      station_memory_is_pss: isKnown ? Number(found.every(({ isShare }) => isShare)) : null,
      station_memory_peak_bytes: isKnown ? this.#peak : null,
      main_memory_bytes: isKnown ? sumOf(found.filter(({ role }) => role === 'main')) : null,
      worker_memory_bytes: isKnown ? sumOf(found.filter(({ role }) => role === 'worker')) : null,
      largest_child_bytes: isKnown ? largest : null,
      station_cpu_percent: this.#cpuShare(found),
      service_memory_peak_bytes: servicePeak(this.#o.files)
    }
    this.#peak = memory
    this.#largest = 0
    return sample
  }

  /** Two who look at the same time look once. */
  #look(): Promise<StationProcess[]> {
    this.#looking ??= this.#readAll().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async #readAll(): Promise<StationProcess[]> {
    const { files, root } = this.#o
    const found = await stationProcesses({
      proc: files.proc,
      root,
      pause: nextTurn,
      others: (pids) => sandboxed(files, pids)
    })
    this.#peak = Math.max(this.#peak, sumOf(found))
    for (const { role, memoryBytes } of found) if (role === null) this.#largest = Math.max(this.#largest, memoryBytes)
    return found
  }

  #plan(wait: number): void {
    if (this.#stopped) return
    this.#cancel = this.#o.clock.after(wait, () => {
      // The small shell that ends what is left is always there, once anything was started.
      const next = (found: readonly StationProcess[]): void =>
        this.#plan(found.length > 2 ? BUSY_LOOK_MS : QUIET_LOOK_MS)
      this.#look().then(next, () => this.#plan(QUIET_LOOK_MS))
    })
  }

  /** A process that ended meanwhile is counted by whoever started it, so that nothing of a short run is lost. */
  #cpuShare(found: readonly StationProcess[]): number | null {
    if (found.length === 0) return null
    const now = { at: this.#o.clock.now(), ticks: found.reduce((sum, { ticks }) => sum + ticks, 0) }
    const before = this.#cpu
    this.#cpu = now
    if (before === null || now.at <= before.at || now.ticks < before.ticks) return null
    const seconds = ((now.at - before.at) / 1000) * availableParallelism()
    return Math.round((1000 * (now.ticks - before.ticks)) / TICKS_PER_SECOND / seconds) / 10
  }
}

function sumOf(found: readonly StationProcess[]): number {
  return found.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)
}

/** The runs that the sandbox service started for one of these processes; their groups have its number in their name (cgroup.ts). */
function sandboxed({ sys }: MachineFiles, pids: ReadonlySet<number>): number[] {
  const folder = join(sys, SANDBOX)
  if (!existsSync(folder)) return []
  return read(() => readdirSync(folder), []).flatMap((name) => {
    const starter = /^lookout-run-(\d+)-\d+$/.exec(name)?.[1]
    if (starter === undefined || !pids.has(Number(starter))) return []
    return read(() => readFileSync(join(folder, name, 'cgroup.procs'), 'latin1'), '')
      .split('\n')
      .filter((line) => line !== '')
      .map(Number)
  })
}

/** Of the nearest service above us: version 2 of control groups alone tells it by our own path. */
function servicePeak({ proc, sys }: MachineFiles): number | null {
  const path = /^0::(\/.+)$/m.exec(read(() => readFileSync(join(proc, 'self/cgroup'), 'latin1'), ''))?.[1]
  const root = join(sys, 'fs/cgroup')
  if (path === undefined) return null
  for (let folder = join(root, path); folder.length > root.length; folder = dirname(folder)) {
    if (!folder.endsWith('.service')) continue
    const peak = read(() => readFileSync(join(folder, 'memory.peak'), 'latin1'), '').trim()
    return /^\d+$/.test(peak) ? Number(peak) : null
  }
  return null
}

/** The kernel does not tell, or it has ended since. */
function read<Value>(what: () => Value, otherwise: Value): Value {
  try {
    return what()
  } catch (error) {
    if (errorCode(error) === '') throw error
    return otherwise
  }
}
