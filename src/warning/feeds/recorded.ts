import * as v from 'valibot'
import { systemClock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { WarningConfig } from '../settings.ts'
import { warningSchema } from '../settings.ts'
import { type DetectOptions, parseFeedFile } from './detect.ts'
import type { ParsedFeed } from './feed.ts'
import { readRecorded } from './look.ts'
import { asBag, type Bag, stripMark } from './reading/json.ts'
import { decodeText } from './reading/xml.ts'
import { KNOWN_KINDS, sourceName, sourceSchema } from './settings.ts'
import { isVona } from './volcano/vona.ts'

/** Kinds whose reader needs more than the defaults, and those that have no file: never found by content. */
const NAMED_ONLY = new Set(['rest', 'folder', 'mqtt', 'nats', 'satpass', 'mesh_health', 'cap_stream', 'ipaws'])

/** Kinds a single parser reads without settings. */
const SIMPLE = new Set(['nws', 'usgs', 'events'])

export interface RecordedOptions extends DetectOptions {
  /** A source of this kind that is configured here reads it with its own settings. */
  config?: WarningConfig
}

/**
 * A recorded feed of any kind, or a file of Events. `as` names the kind or a configured source, else the content decides; sources
 * are read with the settings they are configured with, else with the defaults of their kind. Throws AppError `bad-input`, naming the kinds, when nothing fits.
 */
export async function readAnyFeed(content: Uint8Array, options: RecordedOptions): Promise<ParsedFeed> {
  return (await readSourceFile(content, options)) ?? parseFeedFile(content, options)
}

/** A recorded answer of a source; null when it is one of the simple kinds, or tells of none. Throws as `readAnyFeed` does. */
export async function readSourceFile(
  content: Uint8Array,
  { as, receivedAt, config }: Pick<RecordedOptions, 'as' | 'receivedAt' | 'config'>
): Promise<ParsedFeed | null> {
  const named = config?.sources.find((source) => sourceName(source) === as)
  const kind = named?.kind ?? as?.toLowerCase() ?? sourceKindOf(stripMark(decodeText(content)))
  const own = named ?? config?.sources.find((source) => source.kind === kind)
  if (kind === null || (SIMPLE.has(kind) && own === undefined)) return null
  if (!KNOWN_KINDS.some((known) => known.kind === kind)) {
    const list = ['events', ...KNOWN_KINDS.map((known) => known.kind)].join(', ')
    throw new AppError('bad-input', `Unknown kind ${kind}. Known kinds: ${list}.`)
  }
  const settings = own ?? v.parse(sourceSchema, { kind, name: kind })
  // Raw text names a day of the month: without a time of arrival, as in a replay, it is taken to be of these days.
  const at = receivedAt === 0 && kind === 'nws_text' ? systemClock.now() : receivedAt
  return readRecorded(content, { settings, config: config ?? v.parse(warningSchema, {}), at })
}

/** The source whose answer this looks like; null when only the simple kinds are left. */
export function sourceKindOf(text: string): string | null {
  const start = text.trimStart()
  if (isVona(start.slice(0, 20_000))) return 'volcano'
  const kind = start.startsWith('<') ? kindOfXml(start) : kindOfText(start)
  return kind === null || NAMED_ONLY.has(kind) ? null : kind
}

const XML_ROOTS = new Map([
  ['alert', 'cap'],
  ['alerts', 'cap'],
  ['Report', 'jma'],
  ['d2LogicalModel', 'datex2'],
  ['messageContainer', 'datex2'],
  ['payload', 'datex2']
])

function kindOfXml(text: string): string | null {
  const bare = text.slice(0, 20_000).replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->/g, '')
  const root = /<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]/.exec(bare)?.[1] ?? ''
  if (root === 'rss' || root === 'feed' || root === 'RDF') return kindOfFeed(bare)
  // An alert in an envelope: EDXL-DE, SOAP.
  return XML_ROOTS.get(root) ?? (text.includes('urn:oasis:names:tc:emergency:cap:') ? 'cap' : null)
}

/** RSS and Atom are read for what their items hold. */
function kindOfFeed(text: string): string {
  if (text.includes('gdacs')) return 'gdacs'
  if (/<nhc:Cyclone|xmlns:nhc=/.test(text)) return 'nhc'
  if (/<id>https?:\/\/www\.data\.jma\.go\.jp\//.test(text)) return 'jma'
  if (/<cap:|emergency:cap|cap\+xml/.test(text)) return 'cap'
  if (/<volcano:alertlevel/i.test(text)) return 'volcano'
  return /georss|wgs84_pos|opengis\.net\/gml|<geo:(?:lat|long|Point)\b/.test(text) ? 'georss' : 'cap'
}

function kindOfText(text: string): string | null {
  if (/^(?:\d{3}\s+)?[A-Z]{4}\d\d [A-Z]{4} \d{6}/m.test(text.slice(0, 500))) return 'nws_text'
  const firstLine = text.slice(0, text.indexOf('\n') === -1 ? 500 : text.indexOf('\n'))
  if (/^latitude,longitude,/.test(firstLine)) return 'firms'
  if (!text.startsWith('{') && !text.startsWith('[')) return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  return Array.isArray(value) ? kindOfList(value) : kindOfObject(asBag(value))
}

/** What the first entry of a list has, and whose list that is. */
const LIST_MARKS: readonly [key: string, kind: string][] = [
  ['product_id', 'swpc'],
  ['time_tag', 'swpc'],
  ['RoadwayName', 'open511'],
  ['event-id', 'cars'],
  ['dangerRatings', 'avalanche_canada'],
  ['fireNumber', 'bc_wildfire'],
  ['msgType', 'cap'],
  ['volcano_name', 'volcano'],
  ['volcano_name_appended', 'volcano'],
  ['vName', 'volcano'],
  ['volcanoInfos', 'jma'],
  ['eid', 'jma'],
  ['dataTypeCode', 'jma'],
  ['controlDatetime', 'jma'],
  ['areaTypes', 'jma'],
  ['incidentNumberLabel', 'bc_wildfire']
]

function kindOfList(list: readonly unknown[]): string | null {
  const [first] = list
  if (Array.isArray(first)) return first.includes('time_tag') ? 'swpc' : null
  if (asBag(asBag(first)?.['warning'])?.['class20Items'] !== undefined) return 'jma'
  return kindByMarks(asBag(first), LIST_MARKS)
}

const OBJECT_MARKS: readonly [key: string, kind: string][] = [
  ['warnings', 'cap'],
  ['msgType', 'cap'],
  ['activeStorms', 'nhc'],
  ['Head', 'jma'],
  ['areaTypes', 'jma'],
  ['notice_sections', 'volcano'],
  ['timeSeries', 'nwis'],
  ['gauges', 'nwps'],
  ['lid', 'nwps'],
  ['dangerRatings', 'avalanche_canada'],
  ['feed_info', 'wzdx'],
  ['road_event_feed_info', 'wzdx'],
  ['situationId', 'digitraffic']
]

const FEATURE_MARKS: readonly [key: string, kind: string][] = [
  ['center_id', 'avalanche'],
  ['volcanoID', 'volcano'],
  ['monitoring_location_id', 'nwis'],
  ['situationId', 'digitraffic'],
  ['awareness_level', 'met_alerts'],
  ['alert_code', 'met_alerts'],
  ['poly_IncidentName', 'wfigs'],
  ['attr_IrwinID', 'wfigs'],
  ['IrwinID', 'wfigs'],
  ['IncidentName', 'wfigs']
]

function kindOfObject(bag: Bag | null): string | null {
  if (bag === null) return null
  if (Array.isArray(bag['events']) && ('pagination' in bag || 'meta' in bag)) return 'open511'
  if (asBag(bag['0'])?.['G'] !== undefined) return 'swpc'
  const found =
    kindByMarks(bag, OBJECT_MARKS) ??
    kindByMarks(asBag(bag['value']), OBJECT_MARKS) ??
    kindByMarks(asBag(bag['report']), OBJECT_MARKS)
  if (found !== null) return found
  const collection = Array.isArray(bag['collection']) ? bag['collection'] : null
  if (collection !== null) return kindOfList(collection)
  const { features } = bag
  const feature = Array.isArray(features) ? asBag(features[0]) : bag
  return kindByMarks(asBag(feature?.['properties']), FEATURE_MARKS)
}

function kindByMarks(bag: Bag | null, marks: readonly [key: string, kind: string][]): string | null {
  if (bag === null) return null
  return marks.find(([key]) => key in bag)?.[1] ?? null
}
