import { callToAction, urgentCall } from '../polling/calls.ts'
import { clip, oneLine, sentences } from '../reading/prose.ts'

/** Names of the lines that fire services write, in small letters: `ALERT LEVEL: Advice`, `Location: Smith Road`. */
const PLACE = ['location', 'place', 'suburb', 'locality', 'municipality', 'council area']
const LEVEL = ['alert level', 'warning level', 'level']
const STATUS = ['status', 'current status', 'stage']
const SIZE = ['size', 'fire size']
const SAYS = ['details', 'what is happening', 'message', 'summary', 'description']
const ASKS = ['advice', 'instruction', 'action', 'what to do']
/** Labels of what a message says already, or nobody has to know. */
const REST = [
  ...['category', 'type', 'incident type', 'fire', 'region', 'responsible agency', 'agency', 'updated', 'last update'],
  ...['last updated', 'coordinates', 'latitude', 'longitude'],
  ...['number of vehicles', 'more info', 'more information', 'reported', 'reported (utc)', 'source', 'time', 'date']
]
const NAMES = new Set([...PLACE, ...LEVEL, ...STATUS, ...SIZE, ...SAYS, ...ASKS, ...REST])

const LABEL = /^([\p{L}][\p{L} ()/]{1,30}?)\s*:\s+(\S.*)$/u
const MAX_DETAIL = 200

/** The facts of an item's text beside its title. */
interface Said {
  places: string[]
  detail: string
  instruction: string
  hectares: number | null
}

/** InciWeb begins with it what it has to say. */
const HEADING = /^incident overview\s*[-–:]\s*/i

/** The facts of an item: of lines with a name where it has such lines, and of its sentences. */
export function saidBy(title: string, text: string): Said {
  const labels = new Map<string, string>()
  const prose: string[] = []
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = LABEL.exec(line) ?? []
    if (!NAMES.has(name.toLowerCase())) prose.push(line)
    else if (!labels.has(name.toLowerCase())) labels.set(name.toLowerCase(), value.trim())
  }
  const first = (names: readonly string[]): string =>
    names.map((name) => labels.get(name) ?? '').find((value) => value !== '') ?? ''
  // A heading is no sentence, and a line of a list ends where it ends.
  const told = prose
    .filter((line) => /[\p{L}\d]/u.test(line) && !line.endsWith(':'))
    .map((line) => line.replace(HEADING, ''))
    .map((line) => line.replace(/([^.!?;,])$/, '$1.'))
  const asked = callToAction(first(ASKS)) || urgentCall(told.join(' '))
  return {
    places: placesIn(first(PLACE), title),
    detail: detailOf([first(LEVEL), first(STATUS), first(SAYS), ...told], title, asked),
    instruction: asked,
    hectares: hectaresIn(first(SIZE))
  }
}

/** A place that the title names is said already. */
function placesIn(place: string, title: string): string[] {
  const said = bareText(title)
  if (said !== '' && bareText(place).includes(said)) return []
  const rest = place.split(',').filter((part) => bareText(part) !== '' && !said.includes(bareText(part)))
  return rest.length === 0 ? [] : [clip(rest.map((part) => part.trim()).join(', '), 80)]
}

/** Sentences that are neither the title nor the call, as long as there is room for them. */
function detailOf(parts: readonly string[], title: string, asked: string): string {
  const isSaid = (sentence: string): boolean => {
    const bare = bareText(sentence)
    return bare === '' || bareText(title).includes(bare) || bare === bareText(asked)
  }
  let detail = ''
  for (const sentence of parts.flatMap((part) => sentences(oneLine(part)))) {
    if (isSaid(sentence)) continue
    const joined = detail === '' ? sentence : `${detail.replace(/([^.!?])$/, '$1.')} ${sentence}`
    if (joined.length > MAX_DETAIL) return detail === '' ? clip(joined, MAX_DETAIL) : detail
    detail = joined
  }
  return detail
}

function bareText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** `120 ha`, `1,943 hectares`; null for anything else. */
export function hectaresIn(text: string): number | null {
  const found = /(?<!\d)(\d[\d,. ]{0,30})\s*(?:ha|hectares?)\b/i.exec(text)?.[1]
  const size = found === undefined ? Number.NaN : Number(found.replace(/[,\s]/g, ''))
  return Number.isFinite(size) ? size : null
}
