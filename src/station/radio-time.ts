import type { LentTime } from '../platform/clock/clock.ts'
import { FIRST_SET_MS } from '../platform/clock/clock-set.ts'
import type { Log } from '../platform/log/log.ts'
import type { Radio, RadioTime } from '../warning/radios/radio.ts'
import type { SelfReport } from '../warning/readiness/self-report.ts'

const EVERY_MS = 5000
const YEAR_MS = 365 * 86_400_000
/** Nobody leaves a station off for longer; a later time is of a device whose clock is wrong, too. */
const LONGEST_OFF_MS = 2 * YEAR_MS
const LONGEST_LIFE_MS = 10 * YEAR_MS
/** Two that know the time differ by less. */
const AGREE_MS = 120_000
/** The newest event was stored by a clock that may have been ahead a little. */
const SLACK_MS = 300_000

/** The time of now as a radio knows it, epoch milliseconds. */
export interface Witness extends Pick<RadioTime, 'proven'> {
  radio: string
  time: number
}

/**
 * The time that may be believed while the own clock is not set (docs/decisions/0032): one witness whose time no stranger on the mesh can have set, or two
 * that agree. Never before the newest event that is stored, nor long after it. Null: nobody knows.
 */
export function believed(witnesses: readonly Witness[], newest: number | null): Witness | null {
  const from = newest === null ? FIRST_SET_MS : Math.max(FIRST_SET_MS, newest - SLACK_MS)
  const to = newest === null ? FIRST_SET_MS + LONGEST_LIFE_MS : from + LONGEST_OFF_MS
  const possible = witnesses.filter(({ time }) => time >= from && time <= to)
  const agreed = possible.find((one) =>
    possible.some((other) => other.radio !== one.radio && Math.abs(other.time - one.time) <= AGREE_MS)
  )
  const own = possible.filter(({ proven }) => proven)
  // Two that know it for sure and say different things: one of them is wrong, and nobody knows which.
  const disagree = own.some((one) => own.some((other) => Math.abs(other.time - one.time) > AGREE_MS))
  return agreed ?? (disagree ? null : (own[0] ?? null))
}

interface Options {
  clock: LentTime
  radios: readonly Pick<Radio, 'description' | 'time'>[]
  newest: () => number | null
  report: Pick<SelfReport, 'clockFrom'>
  log: Pick<Log, 'warn'>
}

/** While the own clock is not set, asks the radios for the time every few seconds, until one is believed. Answers how to stop. */
export function borrowTime({ clock, radios, newest, report, log }: Options): () => void {
  if (!clock.isUnset) return () => undefined
  let cancel = (): void => undefined
  const look = (): void => {
    if (!clock.isUnset) {
      report.clockFrom(null)
      return
    }
    const one = clock.isLent ? null : believed(witnessesOf(radios, clock.now()), newest())
    if (one !== null) {
      clock.lend(one.time)
      log.warn(
        { radio: one.radio, time: new Date(one.time).toISOString() },
        'the clock is not set: the time of this radio is used'
      )
      report.clockFrom(one.radio)
    }
    cancel = clock.after(EVERY_MS, look)
  }
  cancel = clock.after(EVERY_MS, look)
  return () => cancel()
}

function witnessesOf(radios: Options['radios'], now: number): Witness[] {
  return radios.flatMap((radio): Witness[] => {
    const said = radio.time?.() ?? null
    return said === null ? [] : [{ radio: radio.description.id, proven: said.proven, time: said.told + now - said.at }]
  })
}
