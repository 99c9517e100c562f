import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../files/atomic-file.ts'
import type { MachineFiles } from './system.ts'

const MACHINE: MachineFiles = { proc: '/proc', sys: '/sys' }

/** The strain of the machine, as its kernel tells it; null where it tells nothing. Units: `Strained` in `src/model/shedding.ts`. */
export interface MachineStrain {
  temperature: number | null
  memory: number | null
  own_memory: number | null
  memory_pressure: number | null
  battery: number | null
}

/** A dozen small files of the kernel, which are never on a disk: read at once, in less than a millisecond. */
export function machineStrain({ proc, sys }: MachineFiles = MACHINE): MachineStrain {
  return {
    temperature: hottest(join(sys, 'class/thermal')),
    memory: availableShare(text(join(proc, 'meminfo'))),
    own_memory: ownShare(proc, sys),
    memory_pressure: matched(text(join(proc, 'pressure/memory')), /^some avg10=([\d.]+)/m),
    battery: batteryOf(join(sys, 'class/power_supply'))
  }
}

function hottest(folder: string): number | null {
  const zones = names(folder).filter((name) => name.startsWith('thermal_zone'))
  const known = zones.flatMap((zone) => matched(text(join(folder, zone, 'temp')), /^(-?\d+)$/m) ?? [])
  return known.length === 0 ? null : Math.max(...known) / 1000
}

function availableShare(meminfo: string): number | null {
  const total = matched(meminfo, /^MemTotal:\s+(\d+) kB$/m)
  const available = matched(meminfo, /^MemAvailable:\s+(\d+) kB$/m)
  return total === null || available === null || total === 0 ? null : round((100 * available) / total)
}

/**
 * Of the nearest group above us that has a limit: the service's own. What the kernel only caches for it can be given back and
 * is no strain.
 */
function ownShare(proc: string, sys: string): number | null {
  const path = /^0::(\/.*)$/m.exec(text(join(proc, 'self/cgroup')))?.[1]
  const root = join(sys, 'fs/cgroup')
  if (path === undefined) return null
  for (let folder = join(root, path); folder.startsWith(root); folder = dirname(folder)) {
    const limit = matched(text(join(folder, 'memory.max')), /^(\d+)$/m)
    const used = matched(text(join(folder, 'memory.current')), /^(\d+)$/m)
    if (limit === null || used === null || limit === 0) continue
    const cached = matched(text(join(folder, 'memory.stat')), /^inactive_file (\d+)$/m) ?? 0
    return round((100 * Math.max(0, used - cached)) / limit)
  }
  return null
}

/** The board's own supply, not that of a mouse or a radio (`scope` Device). One that is charged or full is no strain. */
function batteryOf(folder: string): number | null {
  const left = names(folder).flatMap((name) => {
    const read = (file: string): string => text(join(folder, name, file)).trim()
    const isOurs = read('type') === 'Battery' && read('scope') !== 'Device' && read('present') !== '0'
    if (!isOurs || read('status') !== 'Discharging') return []
    return matched(read('capacity'), /^(\d+)$/) ?? []
  })
  return left.length === 0 ? null : Math.min(...left)
}

function names(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function matched(content: string, pattern: RegExp): number | null {
  const found = pattern.exec(content)?.[1]
  return found === undefined ? null : Number(found)
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    // Not every machine has it, and some refuse to be read at that moment.
    if (errorCode(error) === '') throw error
    return ''
  }
}

const round = (value: number): number => Math.round(value * 10) / 10
