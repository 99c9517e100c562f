import { classifyAlert } from '../../../model/classify.ts'
import type { EventData, LookoutEvent } from '../../../model/event.ts'
import { type Impact, impactFloor, NO_IMPACT } from '../../../model/impact.ts'
import { isKindOfMessage } from '../../../model/kind-names.ts'
import { capLevel, nwsLevel } from '../../../model/levels.ts'
import { highestSeverity, type Severity } from '../../../model/severity.ts'
import { formatTime, formatTimeOrNull } from '../../../model/time.ts'
import { callToAction } from '../polling/calls.ts'
import { type Bulletin, isNws, materialOf, nwsAttribution, type Standing } from '../reading/bulletin.ts'
import { saidAction, saidFacts } from '../reading/civil-facts.ts'
import { gradedDetail } from '../reading/grade.ts'
import { hazardSentence, headlined } from '../reading/hazard.ts'
import { looseTimeText } from '../reading/loose.ts'
import { impactFacts, impactOf, kindOf } from '../reading/nws-impact.ts'
import { clip, oneLine, withoutTags } from '../reading/prose.ts'
import { calmText } from '../reading/spelling.ts'
import { childrenOf, childText, childTexts, type Element } from '../reading/xml.ts'
import { quakeIn } from '../usgs/quake-text.ts'
import { type CapPlace, placeOf } from './area.ts'

/** One info of one alert, ready to become an event. */
export interface CapParts {
  info: Element
  bulletin: Bulletin
  standing: Standing
  allClear: boolean
  /** Takes the place of the level that CAP's own words give. */
  level: Severity | null
  options: { receivedAt: number; source?: string; defaultExpiresHours?: number; category?: string }
}

/** A CAP alert without `expires` is taken to hold for a day from its effect, unless the source is set otherwise. */
const DEFAULT_EXPIRES_HOURS = 24
const HOUR_MS = 3600 * 1000

/** The values of `parameter` elements of this name. */
export function parameters(info: Element, name: string): string[] {
  return namedValues(info, 'parameter', name)
}

/** Event codes of SAME, of Canada's profile of CAP and of the German warning system; systems of others mean other things by theirs. */
const CODE_SYSTEMS = /^(?:SAME|profile:CAP-CP:Event:.*|profile:DE-BBK-EVENTCODE.*)$/i

/** The values of `eventCode` elements that are known here, in capitals. */
export function eventCodes(info: Element): string[] {
  return childrenOf(info, 'eventCode').flatMap((child) => {
    const value = childText(child, 'value')
    return CODE_SYSTEMS.test(childText(child, 'valueName')) && value !== '' ? [value.toUpperCase()] : []
  })
}

function namedValues(info: Element, element: string, name: string): string[] {
  return childrenOf(info, element).flatMap((child) => {
    const value = childText(child, 'value')
    return childText(child, 'valueName') === name && value !== '' ? [value] : []
  })
}

const BY_NUMBER = ['green', 'yellow', 'orange', 'red']

/** The colour of MeteoAlarm's level: of `awareness_level`, "2; yellow; Moderate", else the one that heads title or event. */
export function colourOf(info: Element): string | null {
  const [said = ''] = parameters(info, 'awareness_level')
  const named = /\b(green|yellow|orange|red)\b/i.exec(said)?.[1]
  const number = /^\s*([1-4])\s*(?:;|$)/.exec(said)?.[1]
  const headed = [childText(info, 'headline'), childText(info, 'event')]
    .map((text) => /^(green|yellow|orange|red)\b/i.exec(text)?.[1])
    .find((colour) => colour !== undefined)
  const colour = named ?? (number === undefined ? headed : BY_NUMBER[Number(number) - 1])
  return colour?.toLowerCase() ?? null
}

/** The event of one info. `thread_id` is the one the message starts by itself; chaining is up to the caller. */
export function toEvent(parts: CapParts): LookoutEvent {
  const { info, bulletin, standing, options } = parts
  const place = placeOf(info)
  const name = bulletin.event || 'Alert'
  const severity = parts.level ?? levelOf(parts)
  const onset = looseTimeText(childText(info, 'onset'))
  const effective = looseTimeText(childText(info, 'effective'))
  const validityMs = (options.defaultExpiresHours ?? DEFAULT_EXPIRES_HOURS) * HOUR_MS
  const start = Date.parse(effective ?? onset ?? formatTime(bulletin.sent))
  const said = looseTimeText(childText(info, 'expires'))
  const stated = said ?? formatTimeOrNull(start + validityMs)
  // The product of the NWS is replaced long before the hazard ends: VTEC tells when that is, or that nobody knows.
  const expires = standing.vtecEnd === undefined ? stated : standing.vtecEnd
  const isAssumed = said === null && standing.vtecEnd === undefined
  const headline = oneLine(childText(info, 'headline'))
  const body = [withoutTags(childText(info, 'description')), withoutTags(childText(info, 'instruction'))]
  return {
    id: bulletin.identifier,
    source: options.source ?? 'cap',
    revision: '',
    ...classOf(info, bulletin, options.category),
    severity,
    title: clip(headline || name, 500),
    summary: oneLine(parameters(info, 'NWSheadline')[0] ?? headline),
    body: body.filter((text) => text !== '').join('\n\n'),
    geometry: place.geometry,
    bbox: null,
    circle: place.circle,
    lat: null,
    lon: null,
    zones: place.zones,
    same: place.same,
    onset: onset ?? effective,
    expires,
    sent_at: formatTime(bulletin.sent),
    received_at: formatTime(options.receivedAt),
    thread_id: standing.own,
    lifecycle: standing.lifecycle,
    region: null,
    regions: [],
    data: {
      ...dataOf(parts, place, materialOf({ standing, severity, expires, grade: impactIn(info, bulletin).grade })),
      ...(expires === null ? { until_further_notice: true } : {}),
      ...(isAssumed ? { end_assumed: true } : {})
    }
  }
}

/** NWS alerts go by code and name, as in JSON; others by their category too, `Other` when a bare Cancel has none. */
function classOf(info: Element, { sender, event }: Bulletin, usual = 'Other'): { category: string; family: string } {
  const codes = eventCodes(info)
  if (isNws(sender)) return classifyAlert(leveled(event, info), codes)
  const categories = childTexts(info, 'category')
  // MeteoAlarm says in English what a national event name says in its own language, and its index has no category.
  const [awareness = ''] = parameters(info, 'awareness_type')
  const missing = isMeteoalarm(info) ? 'Met' : usual
  // `Gefahrendurchsage` is the kind of message; what happens stands in its headline.
  const told = isKindOfMessage(event) ? childText(info, 'headline') : leveled(event, info)
  return classifyAlert(`${awareness} ${told}`.trim(), codes, categories.length === 0 ? [missing] : categories)
}

/** Canada's events are bare hazards, `tornado`, as were those of CAP 1.1: what is told of them stands in the headline. */
function leveled(event: string, info: Element): string {
  if (isMeteoalarm(info) || /\b(?:warning|watch|advisory|statement)\b/i.test(event)) return event
  const [level = ''] = /\b(?:warning|watch|advisory)\b/i.exec(childText(info, 'headline')) ?? []
  return `${event} ${level}`.trim()
}

/** `Other`, or no category and no code at all, is no emergency by itself: a bare index has every note of its sender like that. */
function saysWhat(info: Element): boolean {
  return (
    eventCodes(info).length > 0 ||
    childTexts(info, 'category').some((category) => category !== 'Other') ||
    isMeteoalarm(info)
  )
}

function isMeteoalarm(info: Element): boolean {
  return parameters(info, 'awareness_type').length > 0 || hasCode(info, 'EMMA_ID')
}

/** CAP has no place for them but the text. */
function quakeFacts(info: Element): EventData {
  const origin = looseTimeText(childText(info, 'onset')) ?? looseTimeText(childText(info, 'effective'))
  return {
    ...quakeIn(`${childText(info, 'headline')} ${childText(info, 'description')}`),
    ...(origin === null ? {} : { origin_time: origin })
  }
}

function hasCode(info: Element, system: string): boolean {
  return childrenOf(info, 'area').some((area) =>
    childrenOf(area, 'geocode').some((geocode) => childText(geocode, 'valueName') === system)
  )
}

/** The level by CAP's own words. The NWS has one scale, in JSON and in CAP. */
export function levelOf({
  info,
  bulletin,
  standing,
  allClear
}: Pick<CapParts, 'info' | 'bulletin' | 'standing' | 'allClear'>): Severity {
  const codes = eventCodes(info)
  const facts = {
    event: bulletin.event,
    codes,
    category: (saysWhat(info) ? classOf(info, bulletin) : classifyAlert(bulletin.event)).category,
    severity: childText(info, 'severity'),
    urgency: childText(info, 'urgency'),
    ended: standing.lifecycle === 'cancel' || standing.lifecycle === 'expire'
  }
  if (isNws(bulletin.sender) && !allClear) {
    return nwsLevel({ ...facts, ...impactIn(info, bulletin), kind: kindOf(bulletin.vtec) })
  }
  const stated = capLevel({ ...facts, allClear })
  if (facts.ended || allClear) return stated
  const { tags } = impactIn(info, bulletin)
  return highestSeverity([stated, impactFloor({ ...NO_IMPACT, tags }, { event: facts.event, kind: '' })])
}

function impactIn(info: Element, { sent }: Bulletin): Impact {
  return impactOf((name) => parameters(info, name), withoutTags(childText(info, 'description')), sent)
}

function dataOf(parts: CapParts, place: CapPlace, material: string): EventData {
  const { info, bulletin, standing, allClear } = parts
  const over = standing.lifecycle === 'cancel' || standing.lifecycle === 'expire'
  const description = withoutTags(childText(info, 'description'))
  const impact = impactIn(info, bulletin)
  const detail = gradedDetail(over ? '' : impact.grade, toldBy(parts, place.places))
  const { category } = classOf(info, bulletin)
  const asked =
    callToAction(withoutTags(childText(info, 'instruction')), bulletin.event) || saidAction(category, description)
  const instruction = over ? '' : calmText(asked, description, place.places)
  const short = parameters(info, 'CMAMtext')[0] ?? ''
  const awareness = isMeteoalarm(info) ? colourOf(info) : null
  return {
    ...(bulletin.event === '' ? {} : { event_name: bulletin.event }),
    ...(awareness === null ? {} : { awareness }),
    ...(category === 'earthquake_event' ? quakeFacts(info) : {}),
    ...saidFacts(category, description, impact),
    places: place.places,
    ...(place.otherCodes.length === 0 ? {} : { geocodes: place.otherCodes }),
    ...(detail === '' ? {} : { detail }),
    ...(instruction === '' ? {} : { instruction }),
    attribution: attributionOf(info, bulletin),
    ...(short === '' ? {} : { short_text: clip(short, 90) }),
    ...(standing.vtec === null ? {} : { vtec: standing.vtec }),
    material,
    references: bulletin.references.map(({ identifier }) => identifier),
    cap: {
      sender: bulletin.sender,
      severity: childText(info, 'severity'),
      urgency: childText(info, 'urgency'),
      certainty: childText(info, 'certainty'),
      msgType: bulletin.messageType,
      language: childText(info, 'language'),
      ...(isNws(bulletin.sender) ? { ...impact.tags, ...impactFacts(impact) } : {}),
      all_clear: allClear
    }
  }
}

/** The event, as its description tells it. */
function toldBy({ info, bulletin: { event } }: CapParts, places: readonly string[]): string {
  // `*** CITY OF FLAGSTAFF ***` is a letterhead.
  const description = withoutTags(childText(info, 'description')).replace(/\*{3,}[^*\n]{0,80}\*{3,}/g, '')
  const headline = parameters(info, 'NWSheadline')[0] ?? ''
  return calmText(headlined(hazardSentence(description, event), { description, event, headline }), description, places)
}

function attributionOf(info: Element, { sender, vtec }: Bulletin): string {
  const senderName = oneLine(childText(info, 'senderName'))
  // A sender is often the mail address of whoever was on duty: the service stands behind the @.
  if (!isNws(sender)) return clip(senderName || (sender.split('@').at(-1) ?? ''), 60)
  const [wmo = '', awips = ''] = [parameters(info, 'WMOidentifier')[0], parameters(info, 'AWIPSidentifier')[0]]
  return nwsAttribution({ vtec, wmo, awips, senderName })
}
