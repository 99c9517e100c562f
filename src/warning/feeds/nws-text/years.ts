import { asBag } from '../reading/json.ts'
import type { Vtec } from '../reading/vtec.ts'
import type { SourceMemory } from '../source.ts'

/**
 * Finds the year in which a VTEC event was first issued, for its number begins anew each year and later messages of a long
 * flood do not name it.
 */
export interface Years {
  /** Times of earlier messages of this event, epoch milliseconds. */
  earlier(vtec: Vtec, sent: number): number[]
  /** Remembers that the event was told; `first` are times that stand for its first issue. */
  note(vtec: Vtec, sent: number, first: readonly number[]): void
}

const DAY_MS = 24 * 3600 * 1000
/** A message about an event is followed by another within days; over this a number is that of a new year. */
const SILENCE_DAYS = 90
/** For a text read by itself. */
export const NO_YEARS: Years = { earlier: () => [], note: () => undefined }

/** Remembers, for every office and number, when its event was first and last heard of. */
export function rememberedYears(memory: SourceMemory): Years {
  return {
    earlier(vtec, sent) {
      const known = vtec.action === 'NEW' ? null : read(memory, nameOf(vtec))
      return known !== null && Math.abs(sent - known.last) <= SILENCE_DAYS * DAY_MS ? [known.first] : []
    },
    note(vtec, sent, first) {
      const name = nameOf(vtec)
      const known = read(memory, name)
      // The first message of a year for whatever repeats it; an old product read again changes nothing.
      if (known !== null && known.last > sent) return
      memory.set(name, { first: Math.min(sent, ...first), last: sent })
      forgetOld(memory, sent)
    }
  }
}

function nameOf({ office, phenomenon, significance, number }: Vtec): string {
  return `etn:${office}.${phenomenon}.${significance}.${number}`
}

function read(memory: SourceMemory, name: string): { first: number; last: number } | null {
  const bag = asBag(memory.get(name))
  const [first, last] = [bag?.['first'], bag?.['last']]
  return typeof first === 'number' && typeof last === 'number' ? { first, last } : null
}

function forgetOld(memory: SourceMemory, now: number): void {
  if (memory.entries('etn:').length < 2000) return
  for (const [name] of memory.entries('etn:')) {
    const known = read(memory, name)
    if (known === null || now - known.last > SILENCE_DAYS * DAY_MS) memory.delete(name)
  }
}

/** Begin of a flood in H-VTEC, second line: `/JAMS1.1.ER.191216T1352Z.191231T0000Z.000000T0000Z.NO/`. Epoch milliseconds, or null. */
export function floodBegin(text: string): number | null {
  const match = /\/[A-Z0-9]{5}\.[0-3NU]\.[A-Z]{2}\.(\d\d)(\d\d)(\d\d)T(\d\d)(\d\d)Z\./.exec(text)
  if (match === null || match[2] === '00') return null
  const [, year, month, day, hour, minute] = match
  const ms = Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:00Z`)
  return Number.isNaN(ms) ? null : ms
}
