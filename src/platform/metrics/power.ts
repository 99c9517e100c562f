import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, systemClock } from '../clock/clock.ts'
import { errorCode } from '../files/atomic-file.ts'

/** The voltage of a Raspberry Pi's supply. Null: this machine does not tell. */
export interface Power {
  /** It is too low now. */
  low: boolean | null
  /** It was too low since the board started. */
  wasLow: boolean | null
}

/** Bits of the firmware's word: https://www.raspberrypi.com/documentation/computers/os.html (get_throttled). */
const LOW_NOW = 0x1
const LOW_BEFORE = 0x10000

/** The vendor's kernel tells the firmware's word, Debian's own kernel an alarm of the voltage. `sys` is `/sys` but for tests. */
export function readPower(sys = '/sys'): Power {
  const word = textOf(join(sys, 'devices/platform/soc/soc:firmware/get_throttled'))
  if (/^(?:0x)?[0-9a-f]+$/i.test(word)) {
    const bits = Number.parseInt(word, 16)
    return { low: (bits & LOW_NOW) !== 0, wasLow: (bits & LOW_BEFORE) !== 0 }
  }
  const folder = join(sys, 'class/hwmon')
  for (const name of namesIn(folder)) {
    if (textOf(join(folder, name, 'name')) !== 'rpi_volt') continue
    const alarm = textOf(join(folder, name, 'in0_lcrit_alarm'))
    return { low: alarm === '' ? null : alarm !== '0', wasLow: null }
  }
  return { low: null, wasLow: null }
}

/** Asking is a question to the firmware: pages that are loaded one after the other hear the same answer. */
const FRESH_MS = 15_000

/** The voltage, asked at most every 15 s. */
export class PowerWatch {
  readonly #read: () => Power
  readonly #clock: Pick<Clock, 'now'>
  #known: { at: number; power: Power } | null = null

  constructor({ read = readPower, clock = systemClock }: { read?: () => Power; clock?: Pick<Clock, 'now'> } = {}) {
    this.#read = read
    this.#clock = clock
  }

  now(): Power {
    const at = this.#clock.now()
    if (this.#known === null || Math.abs(at - this.#known.at) >= FRESH_MS) this.#known = { at, power: this.#read() }
    return this.#known.power
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (errorCode(error) === '') throw error
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    // Not every machine has it, and some refuse to be read at that moment.
    if (errorCode(error) === '') throw error
    return ''
  }
}
