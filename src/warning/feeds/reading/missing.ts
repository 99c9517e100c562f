import { oneLine } from './prose.ts'

/** Clues of a search for somebody to look out for, as far as the alert gives them. */
export interface MissingFacts {
  /** `girl, 13`: who is missing. */
  who?: string
  vehicle?: string
  /** With its state where that is named: `FL ERZB06`. */
  plate?: string
}

const COLOURS =
  '(?:(?:light|dark|bright|metallic)[ -])?(?:white|black|silver|gr[ae]y|blue|red|green|yellow|gold|tan|brown|maroon|orange|purple|beige|burgundy|teal|champagne|copper)'
const VEHICLE = new RegExp(
  `\\b(?:(${COLOURS})(?:,? (?:and|over) ${COLOURS})?,?\\s+)?((?:19|20)\\d\\d)\\s+(?:(${COLOURS})\\s+)?([A-Z][\\w-]*(?:\\s+[A-Z0-9][\\w-]*){0,3})`,
  'i'
)
/** Words that no model is called by: the name of a car ends before them. */
const NOT_A_MODEL =
  /(?<!\s)\s+(?:with|bearing|license|licence|plate|tag|registration|last|and|in|on|at|was|is|heading|traveling|headed|displaying|having|or|that|which|from|driven|the|a)\b.*$/i
const PLATE =
  /\b(?:([A-Z][A-Za-z]+(?: [A-Z][a-z]+)?|[A-Z]{2})\s+)?(?:licen[sc]e\s+)?(?:plates?|tags?|registration)(?:\s+(?:number|no\.?|#))?(?:\s+(?:is|of|reading))?[\s:#]+(?:([A-Z]{2})\s+)?((?=[A-Z]*\d|[A-Z]+ [A-Z]*\d)[A-Z0-9]{2,4} (?!(?:AND|THE|WAS|HAS|WHO|HE|SHE|HIS|HER|IN|ON|AT|IF|OR|IS|TO|OF|BY|LAST|SEEN|WITH|FROM|CALL|NEAR|THIS|THEY|HEAD)\b)[A-Z0-9]{2,4}|(?=[A-Z0-9-]*\d)[A-Z0-9]{1,4}[A-Z0-9-]{2,6})(?![\w-])/
/** The form of phone texts: `LIC/ERZB06 (FL)`, `LIC/ID 7B12345`. */
const LICENCE =
  /\b(?:LIC(?:ENSE)?|TAG|PLATE)\s*[/:]\s*(?:([A-Z]{2}) )?((?=[A-Z]*\d|[A-Z0-9]+ [A-Z]*\d)[A-Z0-9]{1,4}[ -]?[A-Z0-9]{2,6})(?: \(([A-Z]{2})\))?(?![\w-])/
const CHILD =
  /\b(\d{1,2})[- ](?:year|yr)s?[- ]old\s+(?:(?!(?:girl|boy|female|male|child|woman|man)\b)[a-z'-]+(?: [a-z'-]+){0,2}, (?:an? )?)?(?:(?:white|black|hispanic|asian|native american|caucasian|african american)\s+)*(girl|boy|female|male|child|woman|man)?/i
/** The person who is wanted: `a white man, 34`. */
const ADULT = /\b(man|woman|male|female),? (?:aged? )?(\d{2})\b/i
const KINDS = new Map([
  ['female', 'girl'],
  ['male', 'boy']
])

/** Car, plate and child of an alert about a missing person: what somebody at the road can recognise. */
export function missingFacts(text: string): MissingFacts {
  const line = oneLine(text)
  const [, first, year, second, model = ''] = VEHICLE.exec(line) ?? []
  const name = model.replace(NOT_A_MODEL, '').trim()
  const colour = (first ?? second ?? '').toLowerCase()
  // Older products are written in capitals, and codes of states and plates are so in all.
  const [, named = '', state = '', plate] = plateIn(line)
  const who = whoIn(line)
  return {
    ...(who === '' ? {} : { who }),
    ...(year === undefined || name === '' ? {} : { vehicle: [colour, year, calm(name)].filter(Boolean).join(' ') }),
    ...(plate === undefined
      ? {}
      : { plate: [state || (/^[A-Z]{2}$/.test(named) ? named : ''), plate].filter(Boolean).join(' ') })
  }
}

/** The match, the word before, the state and the plate itself; empty where no plate is told. */
function plateIn(line: string): readonly (string | undefined)[] {
  const [whole, before, plate, after] = LICENCE.exec(line) ?? []
  if (whole !== undefined) return [whole, '', before ?? after ?? '', plate]
  return PLATE.exec(line) ?? PLATE.exec(line.toUpperCase().replace(/PLATE/g, 'plate')) ?? []
}

/** `girl 9`, `man 34`; '' when the text gives no age. */
function whoIn(line: string): string {
  const [, wanted, years] = ADULT.exec(line) ?? []
  const [, age = years, kind = wanted ?? 'child'] = CHILD.exec(line) ?? []
  if (age === undefined) return ''
  const sex = kind.toLowerCase()
  const who = Number(age) < 18 ? (KINDS.get(sex) ?? sex) : sex === 'child' ? 'person' : sex
  return `${who} ${age}`
}

/** `NISSAN FRONTIER` as `Nissan Frontier`; short words such as `BMW X5` stay. */
function calm(name: string): string {
  return name.replace(/\b([A-Z])([A-Z]{3,})\b/g, (_, head: string, rest: string) => head + rest.toLowerCase())
}

/** The facts as one sentence; '' when there are none. */
export function missingSentence(text: string): string {
  const { who, vehicle, plate } = missingFacts(text)
  const parts = [who ?? '', vehicle ?? '', plate === undefined ? '' : `plate ${plate}`].filter((part) => part !== '')
  const sentence = parts.join(', ')
  return sentence === '' ? '' : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}
