import { because } from '../../../model/reason.ts'
import type { SkippedItem } from '../feed.ts'
import { TEST_REASON } from '../feed.ts'
import { parseReferences } from '../reading/bulletin.ts'
import { asBag, type Bag, textOf, textsOf } from '../reading/json.ts'
import { looseText, looseTime } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'

/** One alert in the terms of CAP, whatever its provider calls them. */
export interface MetAlert {
  /** Of the message; where the provider keeps it over all messages about one thing, of the thing. */
  id: string
  /** `Alert`, `Update`, `Cancel`. */
  type: string
  name: string
  /** As the listing calls it in its own language; '' where that is English. */
  ownName: string
  /** The subject and its area: the same over all messages about one thing. */
  key: string
  area: string[]
  severity: string
  urgency: string
  certainty: string
  /** Colour of the awareness level; '' without one. */
  colour: string
  title: string
  description: string
  instruction: string
  /** Epoch milliseconds. Null when the message does not say. */
  sent: number | null
  /** From when the message counts: no later than it was sent, where it does not say when that was. */
  effective: number | null
  onset: number | null
  end: number | null
  references: string[]
  sender: string
  codes: string[]
  feature: Bag
}

/** Fields in the order of preference; `_xx` is the language. */
function pick(properties: Bag, language: string, ...names: string[]): string {
  for (const name of names)
    for (const key of [`${name}_${language}`, name, `${name}_en`]) {
      const text = looseText(properties[key])
      if (text !== '') return text
    }
  return ''
}

/** Reads one feature. `listed` is when the listing was made: MET Norway writes no time of sending beside the identifier. */
export function readAlert(feature: Bag | null, language: string, isEnglish: boolean): MetAlert | SkippedItem {
  const properties = asBag(feature?.['properties'])
  if (feature === null || properties === null)
    return { id: looseText(feature?.['id']), reason: because('no_properties') }
  const said = (...names: string[]): string => pick(properties, language, ...names)
  const ownId = said('id', 'identifier', 'alert_id') || looseText(feature['id'])
  const area = areasOf(properties, said('area', 'areaDesc', 'feature_name', 'zone'))
  const code = said('event', 'alert_code', 'alert_short_name', 'alert_name')
  const key = [code, said('feature_id') || area.join(';') || ownId].join('|')
  const id = ownId || key
  if (id === '|' || code === '') return { id, reason: because('no_id_or_event') }
  const status = said('status').toLowerCase()
  if (/^(?:test|exercise|draft|system)$/.test(status)) return { id, reason: TEST_REASON }
  const [from, to] = intervalOf(feature)
  const time = (...names: string[]): number | null => looseTime(said(...names))
  return {
    id,
    type: typeOf(said('type', 'msgType', 'messageType'), status),
    name: nameOf(properties, said, isEnglish),
    ownName: isEnglish ? '' : oneLine(said('eventAwarenessName')),
    key,
    area,
    severity: said('severity'),
    urgency: said('urgency'),
    certainty: said('certainty'),
    colour: colourOf(said('awareness_level', 'risk_colour', 'riskMatrixColor')),
    title: oneLine(said('headline', 'title', 'alert_name')),
    description: said('description', 'alert_text', 'descriptions'),
    instruction: said('instruction', 'instructions'),
    sent: time('sent', 'updated', 'publication_datetime', 'issued') ?? timeInId(id),
    effective: time('effective'),
    onset: from ?? time('onset', 'effective', 'validity_datetime'),
    end: to ?? time('eventEndingTime', 'event_end_datetime', 'ends', 'expires', 'expiration_datetime'),
    references: referencesOf(properties['references']),
    sender: oneLine(said('senderName', 'sender')),
    codes: textsOf(asBag(properties['geocode'])?.['SAME']),
    feature
  }
}

/** `when.interval` is [onset, end] (MetAlerts 2.0). */
function intervalOf(feature: Bag): [from: number | null, to: number | null] {
  const interval = asBag(feature['when'])?.['interval']
  const [from, to] = Array.isArray(interval) ? interval.map(looseTime) : []
  return [from ?? null, to ?? null]
}

function areasOf(properties: Bag, area: string): string[] {
  const listed = textsOf(properties['areas'])
  const names = listed.length > 0 ? listed : area.split(';')
  return [...new Set(names.map(oneLine))].filter((name) => name !== '').slice(0, 20)
}

/** Canada says in `status` what others say in the type of the message. */
const BY_STATUS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ended|expired|cancel+ed|changed_from)$/, 'Cancel'],
  [/^(?:updated|continued|changed_to|extended)$/, 'Update'],
  [/^(?:issued|new)$/, 'Alert']
]

function typeOf(type: string, status: string): string {
  const known = ['Alert', 'Update', 'Cancel'].find((name) => name.toLowerCase() === type.toLowerCase())
  return known ?? BY_STATUS.find(([pattern]) => pattern.test(status))?.[1] ?? (type || 'Alert')
}

/** `2; yellow; Moderate` or a colour alone. */
function colourOf(text: string): string {
  return /\b(?:green|yellow|orange|red|gr[ae]y)\b/.exec(text.toLowerCase())?.[0] ?? ''
}

/** MET Norway's events, whose awareness names come in the language of the listing. */
const MET_EVENTS: ReadonlyMap<string, string> = new Map([
  ['blowingSnow', 'Blowing Snow'],
  ['forestFire', 'Forest Fire'],
  ['gale', 'Gale'],
  ['ice', 'Ice'],
  ['icing', 'Icing'],
  ['landslide', 'Landslide'],
  ['lightning', 'Lightning'],
  ['polarLow', 'Polar Low'],
  ['rain', 'Rain'],
  ['rainFlood', 'Flooding Rain'],
  ['snow', 'Snow'],
  ['stormSurge', 'Storm Surge'],
  ['wind', 'Wind']
])
const LEVEL_WORD = /\b(?:warning|watch|advisory|statement|emergency|outlook|alert)$/i

/** A name that ends in a level word: `Gale Warning`, `Severe Thunderstorm Watch`. */
function nameOf(properties: Bag, said: (...names: string[]) => string, isEnglish: boolean): string {
  const event = textOf(properties['event'])
  const aware = oneLine(said('eventAwarenessName'))
  const met = isEnglish && aware !== '' ? aware : MET_EVENTS.get(event)
  const given = oneLine(met ?? said('alert_name', 'alert_short_name', 'event')).replace(/\s*\((\w+)\)$/, ' $1')
  const name = capitalised(given === '' ? 'Weather' : given)
  if (LEVEL_WORD.test(name)) return name
  const level = said('alert_type').toLowerCase()
  return `${name} ${LEVEL_WORD.test(level) ? capitalised(level) : 'Warning'}`
}

function capitalised(text: string): string {
  return text.replace(/(^|[\s-])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}

/** Identifiers, in a list or in CAP's `sender,identifier,sent` triples. */
function referencesOf(value: unknown): string[] {
  const ids = textsOf(value).flatMap((text) => {
    const triples = parseReferences(text).map(({ identifier }) => identifier)
    return triples.length > 0 ? triples : text.split(/\s+/)
  })
  const bags: unknown[] = Array.isArray(value) ? value : []
  return [...ids, ...bags.map((entry) => looseText(asBag(entry)?.['identifier'])).filter((id) => id !== '')]
}

/**
 * An OID of the WMO register of alerting authorities may end in when the message was made: `….20260306192210.079`. A full
 * hour, `….260306220000.0833_1_0`, is the nominal time of a forecast, hours before it is published.
 */
function timeInId(id: string): number | null {
  const [, century = '20', digits] = /^2\.49\.0\.[\d.]+?\.(20)?(\d{12})\.[\w.]+$/.exec(id) ?? []
  if (digits === undefined || digits.endsWith('0000')) return null
  const [year, month, day, hour, minute, second] = digits.match(/\d\d/g) ?? []
  return looseTime(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
