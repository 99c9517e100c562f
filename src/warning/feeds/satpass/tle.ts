import { because, type Reason } from '../../../model/reason.ts'
import { eachInTurn } from '../reading/steps.ts'
import type { Entry } from './mean-elements.ts'

const LINE_1 = /^1 [0-9A-HJ-NP-Z ][0-9 ]{4}/
const LINE_2 = /^2 [0-9A-HJ-NP-Z ][0-9 ]{4}/
/** The checksum stands in column 69. */
const LENGTH = 69

/**
 * Element sets in two lines, or in three with the name first (a `0 ` before it is left out). Fields by column and the
 * checksum modulo 10 after CelesTrak's description of the format; a set with a wrong checksum is skipped.
 */
export function* parseTle(text: string): Generator<void, Entry[]> {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trimEnd())
  const entries: Entry[] = []
  let name = ''
  let taken = -1
  yield* eachInTurn([...lines.entries()], ([index, line]) => {
    if (line === '' || line.startsWith('#') || index === taken) return
    const next = lines[index + 1] ?? ''
    if (LINE_1.test(line) && LINE_2.test(next)) {
      entries.push(readSet(name, line, next))
      taken = index + 1
    } else if (LINE_1.test(line) || LINE_2.test(line)) {
      entries.push({ id: name || `line ${index + 1}`, reason: because('line_missing') })
    } else {
      name = line.replace(/^0 /, '').trim().slice(0, 60)
      return
    }
    name = ''
  })
  return entries
}

function readSet(given: string, line1: string, line2: string): Entry {
  const number = catalogueNumber(line1.slice(2, 7))
  const name = given || `Object ${number}`
  const reason = whyBroken(line1) ?? whyBroken(line2)
  if (reason !== null) return { id: name, reason }
  if (catalogueNumber(line2.slice(2, 7)) !== number) return { id: name, reason: because('lines_of_two') }
  if (line1.charAt(62) === '4') return { id: name, reason: because('elements_for_xp') }
  return {
    name,
    number,
    epoch: epochOf(line1.slice(18, 20), line1.slice(20, 32)),
    bstar: exponential(line1.slice(53, 61)),
    inclination: decimal(line2.slice(8, 16)),
    node: decimal(line2.slice(17, 25)),
    eccentricity: decimal(`0.${line2.slice(26, 33).replaceAll(' ', '0')}`),
    perigee: decimal(line2.slice(34, 42)),
    anomaly: decimal(line2.slice(43, 51)),
    meanMotion: decimal(line2.slice(52, 63))
  }
}

function whyBroken(line: string): Reason | null {
  if (line.length < LENGTH) return because('line_cut_off')
  let sum = 0
  for (const char of line.slice(0, LENGTH - 1)) {
    if (char >= '0' && char <= '9') sum += Number(char)
    else if (char === '-') sum += 1
  }
  return line.charAt(LENGTH - 1) === String(sum % 10) ? null : because('wrong_checksum')
}

/** `25544`, or Alpha-5: a letter for the first two digits from 100,000 on, without I and O. NaN for anything else. */
function catalogueNumber(text: string): number {
  const letter = 'ABCDEFGHJKLMNPQRSTUVWXYZ'.indexOf(text.charAt(0))
  const digits = text.slice(letter < 0 ? 0 : 1).trim()
  if (!/^\d+$/.test(digits)) return Number.NaN
  return letter < 0 ? Number(digits) : (letter + 10) * 10_000 + Number(digits)
}

/** Two digits of the year (1957 to 2056) and the day of the year with its fraction. */
function epochOf(year: string, day: string): number {
  const short = decimal(year)
  const full = short < 57 ? 2000 + short : 1900 + short
  return Math.round(Date.UTC(full, 0) + (decimal(day) - 1) * 86_400_000)
}

function decimal(text: string): number {
  return /^\s*[+-]?(?:\d+(?:\.\d+)?|\.\d+)\s*$/.test(text) ? Number(text) : Number.NaN
}

/** ` 27777-3` is 0.27777e-3. */
function exponential(text: string): number {
  const match = /^\s*([+-]?)(\d{1,5})\s*([+-]\d)\s*$/.exec(text)
  return match === null ? Number.NaN : Number(`${match[1] ?? ''}0.${match[2] ?? ''}e${match[3] ?? ''}`)
}
