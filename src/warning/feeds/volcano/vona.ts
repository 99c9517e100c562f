import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { type SkippedItem, TEST_REASON } from '../feed.ts'
import { clip, oneLine, withoutTags } from '../reading/prose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { type Ash, isAshUnit } from './ash.ts'
import { colourOf, levelOf, type Notice, type Notices } from './notice.ts'
import { isVona, VONA_HEAD } from './vona-head.ts'

/** The labels of ICAO's form, and the short ones of its newer edition. */
const LABELS: readonly (readonly [key: string, label: string])[] = [
  ['issued', 'issued|DTG'],
  ['colour', 'current (?:aviation )?colou?r code'],
  ['previous', 'previous (?:aviation )?colou?r code'],
  ['number', 'notice (?:number|NR)'],
  ['location', 'volcano location|PSN'],
  ['volcano', 'volcano'],
  ['source', 'source|SVO'],
  ['area', 'area'],
  ['elevation', 'summit elevation|source ELEV'],
  ['summary', 'volcanic activity summary|ACT STS'],
  ['height', 'volcanic cloud height|VA CLD HGT'],
  ['cloud', 'other volcanic cloud information|MOV'],
  ['remarks', 'remarks|RMK'],
  ['contacts', 'contacts?|CTC'],
  ['next', 'next notice|NXT NOTICE'],
  ['status', 'status|STS']
]
const LABEL = new RegExp(
  `^[ \\t]*(?:\\(\\d{1,2}\\)[ \\t]*)?(?:${LABELS.map(([key, label]) => `(?<${key}>${label})`).join('|')})[ \\t]*:`,
  'gim'
)
const MAX_NOTICES = 500

/**
 * Volcano Observatory Notices for Aviation as plain text or in a page, one or several. Exercises are skipped.
 * @throws AppError `bad-input` when there is none, or more than 500.
 */
export function* noticesOfVona(text: string, feed: string): Generator<void, Notices> {
  const plain = /<(?:html|body|div|table|pre|br|p)\b/i.test(text)
    ? withoutTags(text.replace(/<\/(?:tr|p|div|li|pre)\s*>/gi, '\n').replace(/<\/(?:td|th)\s*>/gi, ' '))
    : text
  const blocks = plain.split(new RegExp(`(?=${VONA_HEAD.source})`, 'i')).filter(isVona)
  if (blocks.length === 0 || blocks.length > MAX_NOTICES)
    throw new AppError('bad-input', notSoMany(blocks.length, feed))
  const result: Notices = { notices: [], skipped: [], complete: false }
  yield* eachInTurn([...blocks.entries()], ([index, block]) => {
    const notice = noticeOf(fieldsOf(block), block)
    if ('reason' in notice) result.skipped.push({ id: notice.id || `notice ${index + 1}`, reason: notice.reason })
    else result.notices.push(notice)
  })
  return result
}

const notSoMany = (count: number, feed: string): Reason =>
  count === 0 ? because('no_vona_notices', { feed }) : because('too_many_vona_notices', { feed, most: MAX_NOTICES })

type Fields = ReadonlyMap<string, string>

/** The values between one label and the next, on one line or several. */
function fieldsOf(block: string): Fields {
  const marks = [...block.matchAll(LABEL)]
  const fields = new Map<string, string>()
  for (const [index, mark] of marks.entries()) {
    const key = Object.entries(mark.groups ?? {}).find(([, label]) => label !== undefined)?.[0] ?? ''
    const value = oneLine(block.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? block.length))
    if (!fields.has(key)) fields.set(key, value.slice(0, 5000))
  }
  return fields
}

function noticeOf(fields: Fields, block: string): Notice | SkippedItem {
  const of = (key: string): string => fields.get(key) ?? ''
  const [, named = '', number = ''] = /^(.*?)\s*\(?(?:CAVW)?\s*#?\s*(\d{6})?(?:-\d+)?\)?$/i.exec(of('volcano')) ?? []
  const name = clip(usualCase(named), 80)
  const id = number || name.toLowerCase()
  if (/\bexercise\b/i.test(block) || /^(?:test|exer)/i.test(of('status'))) return { id, reason: TEST_REASON }
  const colour = colourOf(of('colour').split(/[\s(,]/)[0] ?? '')
  const level = levelOf('', colour)
  if (id === '') return { id, reason: because('no_volcano') }
  if (level === null) {
    const colour = clip(of('colour'), 20)
    const reason = colour === '' ? because('colour_code_missing') : because('colour_code_unknown', { colour })
    return { id, reason }
  }
  const time = issuedAt(of('issued'))
  if (time === null) return { id, reason: because('no_issue_time') }
  return {
    id,
    name,
    level,
    colour,
    product: `Volcano Code ${colour}`,
    area: clip(usualCase(of('area')), 60),
    ...(positionOf(of('location')) ?? { lat: null, lon: null }),
    time,
    number: of('number') || of('issued'),
    ash: ashOf(of('height'), of('cloud')),
    summary: of('summary'),
    attribution: clip(of('source'), 60)
  }
}

/** Some observatories write names in capitals. */
function usualCase(text: string): string {
  if (/\p{Ll}/u.test(text)) return text
  return text
    .toLowerCase()
    .replace(/(^|[\s-])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}

/** `20250211/1504Z`. */
function issuedAt(text: string): number | null {
  const [, year, month, day, hour, minute] = /^(20\d\d)(\d\d)(\d\d)\s*\/\s*(\d\d):?(\d\d)\s*Z?/i.exec(text) ?? []
  if (year === undefined) return null
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  return Number.isNaN(time) ? null : time
}

/** `N6451 W01947`, `N56 03 min E160 38 min`, `S 08 deg 06 min 29 sec E 112 deg 55 min 12 sec`; null for anything else. */
export function positionOf(text: string): { lat: number; lon: number } | null {
  const [, south, north, west, east] =
    /^([NS])\s*(\d[^NSEW]{0,30}?)[\s,;/-]*([EW])\s*(\d[\d\s.°'"′″a-z]{0,30})/i.exec(
      text.replace(/\b(?:deg(?:rees)?|min(?:utes)?|sec(?:onds)?)\b\.?/gi, ' ')
    ) ?? []
  if (south === undefined || north === undefined || west === undefined || east === undefined) return null
  const [lat, lon] = [angle(north, 2), angle(east, 3)]
  if (lat === null || lon === null || lat > 90 || lon > 180 || (lat === 0 && lon === 0)) return null
  return { lat: /s/i.test(south) ? -lat : lat, lon: /w/i.test(west) ? -lon : lon }
}

/** Degrees, minutes and seconds: in groups, or run together with `width` digits for the degrees. */
function angle(text: string, width: number): number | null {
  const groups = text.match(/\d+(?:\.\d+)?/g) ?? []
  const [first = ''] = groups
  const isJoined = groups.length === 1 && /^\d+$/.test(first) && first.length > width
  const parts = isJoined
    ? [first.slice(0, width), first.slice(width, width + 2), first.slice(width + 2) || '0']
    : groups
  const [degrees = Number.NaN, minutes = 0, seconds = 0] = parts.map(Number)
  const value = degrees + minutes / 60 + seconds / 3600
  return Number.isFinite(value) && minutes < 60 && seconds < 60 ? Math.round(value * 1e4) / 1e4 : null
}

const NO_ASH =
  /\b(?:no|not|none|without)\b[^.]{0,40}\b(?:ash|observ\w*|detect\w*|visible|seen|produc\w*)\b|\bunknown\b|^\W*(?:nil|n\/a)\W*$/i

/** The meaning of a cloud for those below it: how high it is and where it goes. */
function ashOf(height: string, cloud: string): Ash | null {
  const [, top = '', unit = ''] = /(?<!\d)(\d[\d,.]{0,30})\s*(km|m|ft|feet)\b/i.exec(height) ?? []
  const level = /\bFL\s?(\d{2,3})\b/.exec(height)?.[1]
  if (NO_ASH.test(height) || (top === '' && level === undefined)) return null
  const measure = unit.toLowerCase() === 'feet' ? 'ft' : unit.toLowerCase()
  return {
    ...(level === undefined
      ? { top: top.replace(/,/g, ''), unit: isAshUnit(measure) ? measure : 'm' }
      : { top: String(Number(level) * 100), unit: 'ft' }),
    to: directionIn(cloud)
  }
}

const SIDE = '((?:north|south|east|west)[a-z-]*|[NSEW]{1,3}(?:-[NSEW]{1,3})?)'
const BETWEEN = new RegExp(`\\bfrom (?:the )?${SIDE} to (?:the )?${SIDE}\\b`, 'i')
const FROM = new RegExp(`\\bfrom (?:the )?${SIDE}\\b`, 'gi')
const TO = new RegExp(
  `\\b(?:mov|drift|extend|transport|spread|direction|toward|to)\\w*\\b[^.]{0,30}?\\b${SIDE}\\b`,
  'i'
)

/**
 * The direction it goes; `from southwest to west` is how Indonesia writes between the two. Where a wind comes from is
 * not where ash goes.
 */
function directionIn(cloud: string): string {
  const [, one = '', other = ''] = BETWEEN.exec(cloud) ?? []
  if (one !== '') return `${usualSide(one)} to ${usualSide(other)}`
  return usualSide(TO.exec(cloud.replace(FROM, ''))?.[1] ?? '')
}

function usualSide(side: string): string {
  return /^[NSEW-]{1,7}$/.test(side) ? side : side.toLowerCase()
}
