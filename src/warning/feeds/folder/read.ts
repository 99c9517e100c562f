import { jsonOr } from '../../../platform/bytes/json-or.ts'
import { AppError } from '../../../platform/errors.ts'
import { detectKind, parseFeedFile } from '../detect.ts'
import type { ParsedFeed } from '../feed.ts'
import { asBag } from '../reading/json.ts'
import { type MapTools, readMessage } from '../reading/mapping.ts'
import { decodeText } from '../reading/xml.ts'
import type { SourceReading } from '../source.ts'
import type { FolderSettings } from './settings.ts'

/**
 * The events of a file: by the mapping of the folder, else Events and GeoJSON, else a feed of the kind that is set or that
 * the content tells; those are of the folder as their source. Throws AppError `bad-input` when it is none of them or broken.
 */
export function readDropped(body: Uint8Array, settings: FolderSettings, tools: MapTools): SourceReading {
  const { mapping } = settings
  if (mapping !== undefined) return readMessage(body, mapping, tools)
  // Names of kinds are known in any case: `Events` are checked as `events` are.
  const as = settings.as?.toLowerCase()
  if (as === 'events' || (as === undefined && holdsEvents(decodeText(body)))) return readMessage(body, undefined, tools)
  const parsed = parseFeedFile(body, { ...tools, ...(as === undefined ? {} : { as }) })
  const events = parsed.events.map((event) => ({ ...event, source: tools.source }))
  return { ...parsed, events, items: events.length + parsed.skipped.length }
}

/** Reads what any source publishes, by its content or as the kind that is named. */
type ReadAny = (body: Uint8Array, as: string | undefined) => Promise<ParsedFeed | null>

/** As `readDropped`, and what any other source publishes besides. */
export async function readAnyDropped(
  body: Uint8Array,
  settings: FolderSettings,
  tools: MapTools & { readAny: ReadAny }
): Promise<SourceReading> {
  const parsed = settings.mapping === undefined ? await tools.readAny(body, settings.as) : null
  if (parsed === null) return readDropped(body, settings, tools)
  const events = parsed.events.map((event) => ({ ...event, source: tools.source }))
  return { ...parsed, events, items: events.length + parsed.skipped.length }
}

/** Events by their look, one that leaves its source to the folder, and any GeoJSON that is no known feed. */
function holdsEvents(text: string): boolean {
  try {
    return detectKind(text) === 'events'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const bag = asBag(jsonOr(null, text))
    return bag !== null && (bag['type'] === 'FeatureCollection' || ('id' in bag && 'title' in bag))
  }
}
