import { classifyAlert, isTestCode } from '../../../model/classify.ts'
import type { EventData, LookoutEvent } from '../../../model/event.ts'
import { IMPACT_TAGS, type Impact } from '../../../model/impact.ts'
import { nwsLevel } from '../../../model/levels.ts'
import { because } from '../../../model/reason.ts'
import type { Reference } from '../../../model/thread.ts'
import { formatTime, parseTime, utcOrNull } from '../../../model/time.ts'
import { type SkippedItem, TEST_REASON } from '../feed.ts'
import { callToAction, urgentCall } from '../polling/calls.ts'
import {
  type Bulletin,
  materialOf,
  nwsAttribution,
  parseReferences,
  reference,
  type Standing,
  standingOf
} from '../reading/bulletin.ts'
import { saidAction, saidFacts } from '../reading/civil-facts.ts'
import { gradedDetail } from '../reading/grade.ts'
import { clockLabel, hazardSentence, headlined } from '../reading/hazard.ts'
import { headlineOf } from '../reading/headline.ts'
import { asBag, type Bag, textOf, textsOf } from '../reading/json.ts'
import { impactFacts, impactOf, kindOf } from '../reading/nws-impact.ts'
import type { HazardTimes } from '../reading/passages.ts'
import { clip, oneLine } from '../reading/prose.ts'
import { calmText } from '../reading/spelling.ts'
import { beginsLater, leadingVtec, parseVtec } from '../reading/vtec.ts'
import { alertGeometry } from './geometry.ts'

/** One entry of the listing, read but not yet chained to the others. */
export interface NwsAlert {
  bulletin: Bulletin
  standing: Standing
  event: LookoutEvent
}

const ID_PREFIX = /^https?:\/\/[^/]+\/alerts\//

/** Reads one entry; the other answer says why it cannot become an event. */
export function readAlert(properties: Bag, geometry: unknown, receivedAt: string): NwsAlert | SkippedItem {
  const id = (textOf(properties['id']) || textOf(properties['@id'])).replace(ID_PREFIX, '')
  const event = textOf(properties['event'])
  const sent = parseTime(textOf(properties['sent']))
  const parameters = asBag(properties['parameters']) ?? {}
  if (id === '') return { id, reason: because('no_id') }
  if (isTest(properties, id)) return { id, reason: TEST_REASON }
  if (event === '') return { id, reason: because('no_event_name') }
  if (sent === null) return { id, reason: because('no_readable_sent') }
  const vtec = parseVtec(textsOf(parameters['VTEC']).join('\n'))
  if (vtec.length > 0 && vtec.every(({ product }) => product === 'T')) return { id, reason: TEST_REASON }
  const bulletin: Bulletin = {
    sender: textOf(properties['sender']),
    identifier: id,
    sent,
    messageType: textOf(properties['messageType']),
    event,
    references: referencesOf(properties, parameters, id),
    vtec,
    zones: codesOf(properties, 'UGC')
  }
  const standing = standingOf(bulletin)
  return { bulletin, standing, event: toEvent({ properties, parameters, bulletin, standing, geometry, receivedAt }) }
}

function isTest(properties: Bag, id: string): boolean {
  const status = textOf(properties['status'])
  if (status !== '' && status !== 'Actual') return true
  return id.includes('KEEPALIVE') || isTestCode(textsOf(asBag(properties['eventCode'])?.['SAME']))
}

function codesOf(properties: Bag, kind: 'UGC' | 'SAME'): string[] {
  const codes = textsOf(asBag(properties['geocode'])?.[kind]).map((code) => code.toUpperCase())
  return [...new Set(codes)]
}

function referencesOf(properties: Bag, parameters: Bag, id: string): Reference[] {
  const listed = Array.isArray(properties['references']) ? properties['references'] : []
  const named = listed.flatMap((entry) => {
    const bag = asBag(entry) ?? {}
    const identifier = textOf(bag['identifier']) || textOf(bag['@id']).replace(ID_PREFIX, '')
    return identifier === '' ? [] : [reference(textOf(bag['sender']), identifier, textOf(bag['sent']))]
  })
  const expired = textsOf(parameters['expiredReferences']).flatMap(parseReferences)
  const byId = new Map([...expired, ...named].map((entry) => [entry.identifier, entry]))
  byId.delete(id)
  return [...byId.values()]
}

interface Parts {
  properties: Bag
  parameters: Bag
  bulletin: Bulletin
  standing: Standing
  geometry: unknown
  receivedAt: string
}

function toEvent({ properties, parameters, bulletin, standing, geometry, receivedAt }: Parts): LookoutEvent {
  const { event } = bulletin
  const description = textOf(properties['description'])
  const impact = impactOf((name) => textsOf(parameters[name]), description, bulletin.sent)
  const codes = textsOf(asBag(properties['eventCode'])?.['SAME'])
  const kind = classifyAlert(event, codes)
  const severity = nwsLevel({
    event,
    codes,
    category: kind.category,
    severity: textOf(properties['severity']),
    urgency: textOf(properties['urgency']),
    ended: standing.lifecycle === 'cancel' || standing.lifecycle === 'expire',
    ...impact,
    kind: kindOf(bulletin.vtec)
  })
  // A VTEC end of zeros: the hazard has no end yet, and the end of the product's own validity is not one.
  const open = standing.vtecEnd === null && utcOrNull(properties['ends']) === null
  const ends = utcOrNull(properties['ends']) ?? standing.vtecEnd ?? utcOrNull(properties['expires'])
  const expires = open ? null : ends
  const places = placesOf(textOf(properties['areaDesc']))
  const instruction = textOf(properties['instruction'])
  return {
    id: bulletin.identifier,
    source: 'nws',
    revision: '',
    ...kind,
    severity,
    title: clip(titleOf(event, places), 500),
    summary: headlineOf(textsOf(parameters['NWSheadline'])[0] ?? textOf(properties['headline'])),
    body: [description, instruction].filter((text) => text !== '').join('\n\n'),
    geometry: alertGeometry(geometry),
    bbox: null,
    circle: null,
    lat: null,
    lon: null,
    zones: [...bulletin.zones],
    same: codesOf(properties, 'SAME'),
    onset: utcOrNull(properties['onset']),
    expires,
    sent_at: formatTime(bulletin.sent),
    received_at: receivedAt,
    thread_id: standing.own,
    lifecycle: standing.lifecycle,
    region: null,
    regions: [],
    data: {
      ...dataOf(
        { properties, parameters, bulletin, standing, impact },
        places,
        materialOf({ standing, severity, expires, grade: impact.grade })
      ),
      ...(open ? { until_further_notice: true } : {})
    }
  }
}

/** The places an `areaDesc` lists, without repeats: `Blaine, ID; Camas, ID`. */
export function placesOf(areaDesc: string): string[] {
  const places = areaDesc.split(';').map(oneLine)
  return [...new Set(places.filter((place) => place !== ''))]
}

function titleOf(event: string, places: readonly string[]): string {
  if (places.length === 0) return event
  const more = places.length > 3 ? ` and ${places.length - 3} more` : ''
  return `${event}: ${places.slice(0, 3).join('; ')}${more}`
}

function dataOf(
  parts: Pick<Parts, 'properties' | 'parameters' | 'bulletin' | 'standing'> & { impact: Impact },
  places: string[],
  material: string
): EventData {
  const { properties, parameters, bulletin, standing, impact } = parts
  const first = (name: string): string => textsOf(parameters[name])[0] ?? ''
  const [awips, wmo, senderName] = [first('AWIPSidentifier'), first('WMOidentifier'), textOf(properties['senderName'])]
  const over = standing.lifecycle === 'cancel' || standing.lifecycle === 'expire'
  const detail = gradedDetail(over ? '' : impact.grade, toldBy(properties, parameters, bulletin))
  const description = textOf(properties['description'])
  const { category } = classifyAlert(bulletin.event, textsOf(asBag(properties['eventCode'])?.['SAME']))
  const told = textOf(properties['instruction'])
  const asked =
    callToAction(told, bulletin.event) ||
    saidAction(category, description) ||
    (told === '' ? urgentCall(description) : '')
  const instruction = over ? '' : calmText(asked, description, places)
  const short = first('CMAMtext')
  return {
    event_name: bulletin.event,
    places,
    ...(detail === '' ? {} : { detail }),
    ...(instruction === '' ? {} : { instruction }),
    attribution: nwsAttribution({ vtec: bulletin.vtec, wmo, awips, senderName }),
    ...(short === '' ? {} : { short_text: clip(short, 90) }),
    ...(standing.vtec === null ? {} : { vtec: standing.vtec }),
    material,
    references: bulletin.references.map(({ identifier }) => identifier),
    ...saidFacts(category, description, impact),
    nws: { ...factsOf(properties, parameters), ...impactFacts(impact) }
  }
}

/** The product's words about the hazard. */
function toldBy(properties: Bag, parameters: Bag, bulletin: Bulletin): string {
  const description = textOf(properties['description'])
  const headline = textsOf(parameters['NWSheadline'])[0] ?? ''
  const { event } = bulletin
  const said = hazardSentence(description, event, timesOf(properties, bulletin))
  return calmText(
    headlined(said, { description, event, headline }),
    description,
    placesOf(textOf(properties['areaDesc']))
  )
}

/** The times of the hazard, in the clock of the office, which its bulletin uses too. */
function timesOf(properties: Bag, { vtec, sent }: Bulletin): HazardTimes {
  const labels = ['onset', 'ends'].flatMap((key) => clockLabel(textOf(properties[key])))
  return { begins: beginsLater(leadingVtec(vtec), sent), labels }
}

const FACTS = ['severity', 'urgency', 'certainty', 'messageType', 'response', 'replacedAt', 'replacedBy'] as const
const PARAMETERS = ['VTEC', 'AWIPSidentifier', ...IMPACT_TAGS, 'eventMotionDescription']

/** The few facts of the original worth keeping; the full text stays in `body`. */
function factsOf(properties: Bag, parameters: Bag): Bag {
  const facts = FACTS.map((key) => [key, textOf(properties[key])] as const).filter(([, text]) => text !== '')
  const said = PARAMETERS.map((key) => [key, textsOf(parameters[key]).join(' ')] as const).filter(
    ([, text]) => text !== ''
  )
  return Object.fromEntries([...facts, ...said])
}
