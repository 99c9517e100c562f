import { readdir, readFile, stat, statfs } from 'node:fs/promises'
import { cpus, freemem, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../files/atomic-file.ts'

/** Files in which the kernel tells about the machine; tests give another place. */
export interface MachineFiles {
  proc: string
  sys: string
}

const MACHINE: MachineFiles = { proc: '/proc', sys: '/sys' }
const SECTOR_BYTES = 512

/** The state of the machine and of this process. Null: this machine does not tell. */
export interface SystemSample extends Record<string, number | null> {
  /** Of all cores, since the sample before. */
  cpu_percent: number | null
  /** Of one core, by the main process alone, since the sample before. */
  process_cpu_percent: number | null
  load_1m: number
  /** Of the main process alone; of all together: station-meter.ts. */
  rss_bytes: number
  memory_total_bytes: number
  memory_available_bytes: number
  temperature_celsius: number | null
  /** 1 while the board lowers its clock or lacks voltage. */
  throttled: number | null
  /** 1 when that has happened since the board started. */
  throttled_since_boot: number | null
  disk_total_bytes: number | null
  disk_free_bytes: number | null
  /** By anybody, to the disk (SD card) of the data folder, since the board started. */
  disk_written_bytes: number | null
  /** By this process, since it started. */
  process_written_bytes: number | null
}

/** Bits of the firmware's word: https://www.raspberrypi.com/documentation/computers/os.html (get_throttled). */
const THROTTLED_NOW = 0xf
const THROTTLED_BEFORE = 0xf0000

/** Measures the machine; shares of time are since the sample before. */
export class SystemSampler {
  readonly #folder: string
  readonly #files: MachineFiles
  readonly #now: () => number
  #cpu: { busy: number; total: number } | null = null
  #own: { at: number; microseconds: number } | null = null

  constructor({ folder, now, files = MACHINE }: { folder: string; now: () => number; files?: MachineFiles }) {
    this.#folder = folder
    this.#now = now
    this.#files = files
  }

  async sample(): Promise<SystemSample> {
    const [temperature, throttled, disk, written, own, available] = await Promise.all([
      this.#temperature(),
      this.#throttled(),
      this.#disk(),
      this.#written(),
      this.#ownWritten(),
      this.#available()
    ])
    return {
      cpu_percent: this.#cpuShare(),
      process_cpu_percent: this.#ownShare(),
      load_1m: round(loadavg()[0] ?? 0),
      rss_bytes: process.memoryUsage.rss(),
      memory_total_bytes: totalmem(),
      memory_available_bytes: available,
      temperature_celsius: temperature,
      ...throttled,
      ...disk,
      disk_written_bytes: written,
      process_written_bytes: own
    }
  }

  #cpuShare(): number | null {
    let busy = 0
    let total = 0
    for (const { times } of cpus()) {
      const all = times.user + times.nice + times.sys + times.irq + times.idle
      total += all
      busy += all - times.idle
    }
    const before = this.#cpu
    this.#cpu = { busy, total }
    if (before === null || total <= before.total) return null
    return round((100 * (busy - before.busy)) / (total - before.total))
  }

  #ownShare(): number | null {
    const { user, system } = process.cpuUsage()
    const now = { at: this.#now(), microseconds: user + system }
    const before = this.#own
    this.#own = now
    if (before === null || now.at <= before.at) return null
    return round((100 * (now.microseconds - before.microseconds)) / 1000 / (now.at - before.at))
  }

  /** The warmest zone: on a Pi the only one, the processor's. */
  async #temperature(): Promise<number | null> {
    const zones = await names(join(this.#files.sys, 'class/thermal'))
    const all = await Promise.all(
      zones
        .filter((zone) => zone.startsWith('thermal_zone'))
        .map((zone) => readNumber(join(this.#files.sys, 'class/thermal', zone, 'temp')))
    )
    const known = all.filter((value) => value !== null)
    return known.length === 0 ? null : round(Math.max(...known) / 1000)
  }

  /** The vendor kernel tells the firmware's word, Debian's own kernel an alarm of the voltage. */
  async #throttled(): Promise<{ throttled: number | null; throttled_since_boot: number | null }> {
    const word = await readText(join(this.#files.sys, 'devices/platform/soc/soc:firmware/get_throttled'))
    if (word !== null && /^[0-9a-f]+$/i.test(word)) {
      const bits = Number.parseInt(word, 16)
      return { throttled: flag(bits & THROTTLED_NOW), throttled_since_boot: flag(bits & THROTTLED_BEFORE) }
    }
    const folder = join(this.#files.sys, 'class/hwmon')
    for (const name of await names(folder)) {
      if ((await readText(join(folder, name, 'name'))) !== 'rpi_volt') continue
      return { throttled: await readNumber(join(folder, name, 'in0_lcrit_alarm')), throttled_since_boot: null }
    }
    return { throttled: null, throttled_since_boot: null }
  }

  async #disk(): Promise<{ disk_total_bytes: number | null; disk_free_bytes: number | null }> {
    try {
      const { blocks, bavail, bsize } = await statfs(this.#folder)
      return { disk_total_bytes: blocks * bsize, disk_free_bytes: bavail * bsize }
    } catch (error) {
      if (errorCode(error) === '') throw error
      return { disk_total_bytes: null, disk_free_bytes: null }
    }
  }

  /** The seventh field of the device's statistics (kernel documentation, block/stat): sectors written. */
  async #written(): Promise<number | null> {
    const { dev } = await stat(this.#folder)
    const major = Math.floor(dev / 256) & 0xfff
    const minor = (dev & 0xff) | (Math.floor(dev / 4096) & 0xfff00)
    const line = await readText(join(this.#files.sys, `dev/block/${major}:${minor}/stat`))
    const sectors = Number(line?.trim().split(/\s+/)[6])
    return Number.isFinite(sectors) ? sectors * SECTOR_BYTES : null
  }

  async #ownWritten(): Promise<number | null> {
    const found = /^write_bytes: (\d+)$/m.exec((await readText(join(this.#files.proc, 'self/io'))) ?? '')
    return found === null ? null : Number(found[1])
  }

  /** Memory that programs could still use; free memory alone leaves out what the kernel only caches. */
  async #available(): Promise<number> {
    const found = /^MemAvailable:\s+(\d+) kB$/m.exec((await readText(join(this.#files.proc, 'meminfo'))) ?? '')
    return found === null ? freemem() : Number(found[1]) * 1024
  }
}

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return []
  }
}

async function readText(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    // Not every machine has it, and some refuse to be read at that moment.
    if (errorCode(error) === '') throw error
    return null
  }
}

async function readNumber(file: string): Promise<number | null> {
  const text = await readText(file)
  return text === null || !/^-?\d+$/.test(text) ? null : Number(text)
}

function flag(bits: number): number {
  return bits === 0 ? 0 : 1
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
