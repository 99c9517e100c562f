import type { EventData, LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { isAtLeast, type Severity } from '../../../model/severity.ts'
import { revisionOf } from '../../../platform/bytes/canonical-json.ts'
import { drain } from '../../../platform/clock/slices.ts'
import type { SkippedItem } from '../feed.ts'
import { saidBy } from '../georss/labels.ts'
import { oldestFirst } from '../reading/feed-event.ts'
import { withoutTags } from '../reading/prose.ts'
import { Standing } from '../reading/standing.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { childrenOf, childText, type Element } from '../reading/xml.ts'
import type { PollTools, ReadTools, SourceKind, SourceReading } from '../source.ts'
import type { AU_STATES, CapAuSettings } from './au-settings.ts'
import { parameters } from './event.ts'
import { leaf } from './index-entry.ts'
import { indexSteps } from './index-read.ts'
import { readAlertElement } from './parse.ts'

/**
 * CAP-AU of the states: one envelope with every incident that is open. It differs from other CAP: an identifier is made
 * anew with each edition, so that the incident is what stays; `expires` says when the next edition comes (in Western
 * Australia the time of sending); an incident ends by no longer being listed; and the level is that of the Australian
 * Warning System, beside which CAP's own severity says little.
 */

const KIND = 'cap_au'
/** The mark of an envelope that had no incident the last time. */
const EMPTY = 'empty'

const ADDRESSES: Readonly<Record<(typeof AU_STATES)[number], string>> = {
  nsw: 'https://www.rfs.nsw.gov.au/feeds/majorIncidentsCAP.xml',
  qld: 'https://publiccontent-gis-psba-qld-gov-au.s3.amazonaws.com/content/Feeds/BushfireCurrentIncidents/bushfireAlert_capau.xml',
  tas: 'https://alert.tas.gov.au/data/cap-au.xml',
  wa: 'https://api.emergency.wa.gov.au/v1/capau'
}

export const capAuSource: SourceKind<CapAuSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Fires and other incidents of an Australian state, by the levels of the Australian Warning System.',
  defaultIntervalSeconds: 300,
  minIntervalSeconds: 120,
  warns: true,
  needsContact: false,
  missing: ({ state, url }) => (state === '' && url === '' ? because('needs_state') : null),
  poll,
  read: (body, settings, tools) => drain(readSteps(body, settings, tools))
}

async function poll(settings: CapAuSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const { url, state } = settings
  const answer = await tools.fetch({ url: url === '' && state !== '' ? ADDRESSES[state] : url })
  if (answer.state === 'new') return inTurns(readSteps(answer.body, settings, tools), tools.signal)
  const events = await inTurns(standingIn(tools).sameAgain(missesOf(tools.memory.get(EMPTY) === true)), tools.signal)
  return events.length === 0 ? 'unchanged' : { kind: KIND, events, skipped: [], updated: null, items: 0 }
}

/** An envelope without any incident may be a fault of its server: everything is over only when it stays so. */
const missesOf = (isEmpty: boolean): number | undefined => (isEmpty ? 6 : undefined)

const standingIn = (tools: ReadTools): Standing => new Standing(tools, 'incident:')

function* readSteps(body: Uint8Array, settings: CapAuSettings, tools: ReadTools): Generator<void, SourceReading> {
  const { alerts } = yield* indexSteps(body)
  const standing = standingIn(tools)
  const events: LookoutEvent[] = []
  const skipped: SkippedItem[] = []
  const listed = new Set<string>()
  yield* eachInTurn(alerts, (alert) => {
    const { receivedAt, source } = tools
    const read = readAlertElement(steady(alert), { receivedAt, source, level: levelOf })
    skipped.push(...read.skipped)
    for (const event of read.events) {
      listed.add(event.id)
      const incident = incidentOf(event, alert, source)
      // One that fell below is told all the same: somebody was warned of it.
      if (isAtLeast(event.severity, settings.min_severity) || standing.isTold(event.id))
        events.push(standing.tell(incident))
      else skipped.push({ id: event.id, reason: because('below_severity', { least: settings.min_severity }) })
    }
  })
  const isEmpty = listed.size === 0
  if ((tools.memory.get(EMPTY) === true) !== isEmpty) tools.memory.set(EMPTY, isEmpty)
  const ends = yield* standing.missing(listed, missesOf(isEmpty))
  const told = oldestFirst([...events, ...ends])
  return { kind: KIND, events: told, skipped, updated: events.at(-1)?.sent_at ?? null, items: alerts.length }
}

/** The alert under a name that outlives its edition, without the time of the next one, and without references to editions before. */
function steady(alert: Element): Element {
  const incident = childText(alert, 'incidents')
  const [info] = childrenOf(alert, 'info')
  const code = info === undefined ? '' : eventCodeOf(info)
  const id = incident === '' ? childText(alert, 'identifier') : [incident, code].filter((part) => part !== '').join(':')
  const dropped = new Set(['identifier', 'sender', 'references', 'incidents', 'msgType'])
  const isOver = childText(alert, 'msgType') === 'Cancel'
  const sender = childText(alert, 'sender') || (info === undefined ? '' : childText(info, 'senderName'))
  return {
    ...alert,
    children: [
      leaf('identifier', id),
      leaf('sender', sender),
      leaf('msgType', isOver ? 'Cancel' : 'Alert'),
      ...alert.children.filter(({ name }) => !dropped.has(name)).map(withoutExpiry)
    ]
  }
}

/** Of two products of one incident, a fire and its smoke, each has a code of its own. */
function eventCodeOf(info: Element): string {
  const [first] = childrenOf(info, 'eventCode')
  return first === undefined ? '' : childText(first, 'value')
}

function withoutExpiry(child: Element): Element {
  return child.name === 'info' ? { ...child, children: child.children.filter(({ name }) => name !== 'expires') } : child
}

/** In force until it is no longer listed: no end is known, and a new edition with the same words is no news. */
function incidentOf(event: LookoutEvent, alert: Element, source: string): LookoutEvent {
  const { end_assumed: _, ...data } = event.data
  const isOver = event.lifecycle === 'cancel'
  const told: LookoutEvent = {
    ...event,
    thread_id: `${source}:${event.id}`,
    expires: null,
    data: {
      ...data,
      ...(isOver ? {} : wordsOf(event, alert)),
      references: [],
      material: isOver ? 'over' : `${event.category}|${event.severity}`
    }
  }
  const { sent_at: _sent, received_at: _received, onset: _onset, body: _body, ...content } = told
  return { ...told, revision: revisionOf(JSON.parse(JSON.stringify(content))) }
}

/** The words of an incident: its description is a list of named lines, and the level is the first thing to know. */
function wordsOf({ title, data }: LookoutEvent, alert: Element): EventData {
  const [info] = childrenOf(alert, 'info')
  if (info === undefined) return {}
  const level = levelNameOf(info)
  const text = withoutTags(childText(info, 'description')).replace(/^(?:alert|warning) level:.*$/im, '')
  const { places, detail } = saidBy(title, text)
  const isHead = level === HIGHEST
  // `RIDGE RD, OLD MILL` and `Ridge Road, Old Mill` are one place; the highest level is told without the title.
  const isSaid = (place: string): boolean =>
    !isHead && title.toLowerCase().includes((place.split(',').at(-1) ?? place).trim().toLowerCase())
  const known = data.places ?? []
  const said = isHead || level === '' ? detail : [level, detail].filter((part) => part !== '').join('. ')
  return {
    ...(isHead ? { event_name: `${data.event_name ?? ''} ${HIGHEST}`.trim() } : {}),
    places: (known.length === 0 ? places : known).filter((place) => !isSaid(place)),
    detail: said
  }
}

const HIGHEST = 'Emergency Warning'
const LEVELS: readonly (readonly [RegExp, string, Severity])[] = [
  [/\bemergency warning\b/i, HIGHEST, 'immediate'],
  [/\bwatch (?:and|&) act\b/i, 'Watch and Act', 'critical'],
  [/\badvice\b/i, 'Advice', 'priority']
]
const NO_LEVEL = /^(?:information|not applicable|not yet known|planned burn)$/i

/** The words that name the level: `AlertLevel`, else the headline. */
function levelWords(info: Element): string {
  const [said = ''] = parameters(info, 'AlertLevel')
  return said.trim() === '' ? childText(info, 'headline') : said.trim()
}

const levelNameOf = (info: Element): string => LEVELS.find(([pattern]) => pattern.test(levelWords(info)))?.[1] ?? ''

/** The level of the Australian Warning System, else that of CAP, of which none wakes anybody. */
function levelOf(info: Element, byCap: Severity): Severity {
  const words = levelWords(info)
  if (NO_LEVEL.test(words)) return 'routine'
  const level = LEVELS.find(([pattern]) => pattern.test(words))?.[2]
  return level ?? (isAtLeast(byCap, 'critical') ? 'priority' : byCap)
}
