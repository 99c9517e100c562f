import { classifyAlert } from '../../../model/classify.ts'
import type { EventData, LookoutEvent } from '../../../model/event.ts'
import { familyKeys, familyOf, findCategory } from '../../../model/families.ts'
import { quakeLevel } from '../../../model/levels.ts'
import { ordersPeople } from '../../../model/ordered.ts'
import { because } from '../../../model/reason.ts'
import { isAtLeast, type Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import { unstatedSeverity } from '../../../model/unstated.ts'
import { revisionOf } from '../../../platform/bytes/canonical-json.ts'
import { AppError } from '../../../platform/errors.ts'
import { alertOf, leaf } from '../cap/index-entry.ts'
import { readAlertElement } from '../cap/parse.ts'
import type { SkippedItem } from '../feed.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { looseTimeText } from '../reading/loose.ts'
import { clip, sentences } from '../reading/prose.ts'
import { childText, type Element } from '../reading/xml.ts'
import type { ReadTools } from '../source.ts'
import { quakeIn } from '../usgs/quake-text.ts'
import type { FeedItem } from './items.ts'
import { saidBy } from './labels.ts'
import type { GeorssRule, GeorssSettings } from './settings.ts'
import { type Shape, shapeIn } from './shape.ts'
import { writtenPlace } from './written-place.ts'

type Settings = Pick<GeorssSettings, 'category' | 'severity' | 'rules' | 'radius_km' | 'attribution' | 'language'>
type Tools = Pick<ReadTools, 'source' | 'receivedAt' | 'families'>

/** The judgement of the settings on an item: its rules, then what holds for all. */
export interface Ruling {
  category: string
  severity: Severity | null
  off: boolean
  ends: boolean
}

/** Category and level each come from the first rule that names one; any of them may leave the item out, or end it. */
export function rulingOf({ title, text, categories }: FeedItem, settings: Settings): Ruling {
  const words = [title, ...categories, text].join('\n').toLowerCase()
  const fitting = settings.rules.filter((rule) => words.includes(rule.words.toLowerCase()))
  const first = <Key extends keyof GeorssRule>(key: Key): GeorssRule[Key] | undefined =>
    fitting.find((rule) => rule[key] !== undefined)?.[key]
  return {
    category: first('category') ?? settings.category,
    severity: first('severity') ?? settings.severity ?? null,
    off: fitting.some(({ off }) => off === true),
    ends: fitting.some(({ ends }) => ends === true)
  }
}

/** The event of an item, or why it is none. @throws AppError `bad-input` for a category nobody knows. */
export function eventOf(
  item: FeedItem,
  { ruling, settings, feedTitle }: { ruling: Ruling; settings: Settings; feedTitle: string },
  tools: Tools
): LookoutEvent | SkippedItem {
  const said = settings.attribution || clip(feedTitle, 30)
  const event = isCap(item.element) ? fromCap(item, said, settings, tools) : fromItem(item, said, ruling, tools)
  if ('reason' in event) return event
  const placed = { ...event, ...whereIs(item, said, settings) }
  const family = ruling.category === '' ? event.family : familyFor(ruling.category, tools)
  const told = {
    ...placed,
    ...(ruling.category === '' ? {} : { category: ruling.category, family }),
    severity: ruling.severity ?? placed.severity
  }
  return { ...told, revision: revisionIn(told) }
}

function familyFor(category: string, { families = familyKeys }: Tools): string {
  const family = familyOf(category, families())
  if (family !== null) return family
  throw new AppError('bad-input', because('no_such_category', { category: clip(category, 60) }))
}

/** The content of an event without its times: a feed that is made anew every minute says nothing new. */
function revisionIn({ sent_at: _sent, received_at: _received, ...told }: LookoutEvent): string {
  return revisionOf(JSON.parse(JSON.stringify(told)))
}

/** Feeds of the Common Alerting Protocol put its elements into their items; GDACS alone has a `severity` of its own. */
function isCap(element: Element): boolean {
  return ['severity', 'urgency', 'event'].every((name) => childText(element, name) !== '')
}

function fromCap(item: FeedItem, said: string, settings: Settings, tools: Tools): LookoutEvent | SkippedItem {
  const { id, element, title } = item
  const fallbacks = { identifier: id, sender: said || 'feed', sent: sentText(item, tools), headline: title }
  const { children, ...alert } = alertOf(element, fallbacks)
  const missing = ['status', 'msgType'].filter((name) => !children.some((child) => child.name === name))
  const given = missing.map((name) => leaf(name, name === 'status' ? 'Actual' : 'Alert'))
  const { events, skipped } = readAlertElement(
    { ...alert, children: [...children, ...given] },
    { receivedAt: tools.receivedAt, source: tools.source, language: settings.language || 'en' }
  )
  const [event] = events
  if (event === undefined) return { id, reason: skipped[0]?.reason ?? because('no_alert') }
  // An end that nobody named is none.
  return { ...event, id, expires: looseTimeText(childText(element, 'expires')) }
}

function fromItem(item: FeedItem, said: string, ruling: Ruling, tools: Tools): LookoutEvent {
  const { id, title, text, categories } = item
  const category = ruling.category || guessedCategory(title, categories)
  const quake = category === 'earthquake_event' ? quakeFacts(item) : {}
  const { magnitude } = quake
  return feedEvent(
    {
      id,
      category,
      severity: magnitude === undefined ? usualLevel(item, category, ruling) : quakeLevel({ magnitude, alert: null }),
      title: clip(title || (text.split('\n')[0] ?? ''), 500),
      body: text,
      sent_at: sentText(item, tools),
      thread_id: `${tools.source}:${id}`,
      data: {
        ...(magnitude === undefined ? proseFacts(item, category) : quake),
        ...(said === '' ? {} : { attribution: said }),
        ...(item.language === '' ? {} : { language: item.language })
      }
    },
    tools
  )
}

/** A seismologist's title is numbers and a place: `Magnitude(ML) 2.3 - 1 km NE Norcia (PG)`. */
function guessedCategory(title: string, categories: readonly string[]): string {
  if (quakeIn(title).magnitude !== undefined) return 'earthquake_event'
  const { category } = classifyAlert([title, ...categories].join('. '), [], ['Other'])
  return category === 'fire_warning' && LIT.test(title) ? 'wildfire_incident' : category
}

/** Fires that somebody lights, and looks after. */
const LIT = /\b(?:prescribed|planned|controlled) (?:fire|burn)|\bhazard reduction\b|\bburn[\s-]off\b/i

/** Of an earthquake its numbers say all; of anything else what the text says. */
function proseFacts({ title, text }: FeedItem, category: string): EventData {
  const { places, detail, instruction, hectares } = saidBy(title, text)
  const isFire = findCategory(category)?.family === 'fire'
  return {
    ...(places.length === 0 ? {} : { places }),
    ...(detail === '' ? {} : { detail }),
    ...(instruction === '' ? {} : { instruction }),
    ...(isFire && hectares !== null ? { hectares } : {}),
    material: `${title}|${sentences(detail)[0] ?? ''}`
  }
}

/**
 * A category somebody chose brings its level, as for what is posted; one that was guessed from a title wakes nobody, but for an
 * order to leave or to stay inside, which by morning would be told to nobody. A guess never spends the reserve.
 */
function usualLevel({ title, text }: FeedItem, category: string, ruling: Ruling): Severity {
  const family = findCategory(category)?.family ?? ''
  const usual = unstatedSeverity({ category, family, title, summary: '', body: text, data: {} })
  if (ruling.category !== '' || usual === 'routine') return usual
  if (LIT.test(title)) return 'routine'
  return isAtLeast(usual, 'critical') && ordersPeople(title) ? 'critical' : 'priority'
}

/** `2026-10-06 09:14:08 UTC - Magnitude(ML) 2.3 - 1 km NE Norcia (PG)`. */
function quakeFacts({ title, text: told, element }: FeedItem): EventData {
  // EMSC has elements of its own.
  const text = [told, ...['magnitude', 'time'].map((name) => childText(element, name))].join('\n')
  const [, day, clock] = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)? ?(?:UTC|Z)/.exec(`${title} ${text}`) ?? []
  const origin = looseTimeText(day === undefined ? '' : `${day}T${clock}Z`)
  const place = afterNumbers(title)
  const numbers = quakeIn(`${title}\n${text}`)
  const { magnitude = 0 } = numbers
  return {
    event_name: 'Earthquake',
    ...numbers,
    severity_inside_region: quakeLevel({ magnitude, alert: null, insideRegion: true }),
    material: `M${(Math.floor(magnitude * 2) / 2).toFixed(1)}`,
    ...(origin === null ? {} : { origin_time: origin }),
    ...(place === '' || /magnitud|\d\.\d/i.test(place) ? {} : { places: [clip(place, 80)] })
  }
}

/** `… - 1 km NE Norcia (PG)`, or what follows the magnitude alone: `Mw 6.9  GREECE`. */
function afterNumbers(title: string): string {
  const parts = title.split(/ - |; /)
  const [, bare = ''] = /^[a-z_]{2,5}\s+\d{1,2}\.\d+\s+(\D{3,80})$/i.exec(title.trim()) ?? []
  return (parts.length > 1 ? parts.at(-1) : bare)?.trim() ?? ''
}

/** A clock that runs ahead would keep an item young for ever. */
function sentText({ sent }: FeedItem, { receivedAt }: Tools): string {
  return formatTime(sent === null ? receivedAt : Math.min(sent, receivedAt))
}

function whereIs({ element, text }: FeedItem, said: string, { radius_km }: Settings): Partial<LookoutEvent> {
  const drawn: Shape = shapeIn(element)
  const isNowhere = drawn.geometry === null && drawn.circle === null && drawn.bbox === null && drawn.lat === null
  const shape = isNowhere ? { ...drawn, ...writtenPlace(text, /\binciweb\b/i.test(said)) } : drawn
  const { lat, lon, geometry, circle, bbox } = shape
  if (geometry === null && circle === null && bbox === null && lat === null) return {}
  const isPoint = geometry === null && circle === null && bbox === null
  const around = isPoint && radius_km > 0 && lat !== null && lon !== null ? { lat, lon, radius_km } : null
  return { ...shape, circle: circle ?? around }
}
