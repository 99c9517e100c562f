import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { WarningConfig } from '../settings.ts'
import { warningSchema } from '../settings.ts'
import { type DetectOptions, parseFeedFile } from './detect.ts'
import type { ParsedFeed } from './feed.ts'
import { readRecorded } from './look.ts'
import { stripMark } from './reading/json.ts'
import { decodeText } from './reading/xml.ts'
import { sourceKindOf } from './recognise.ts'
import { KNOWN_KINDS, sourceName, sourceSchema } from './settings.ts'

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
    const known = ['events', ...KNOWN_KINDS.map((one) => one.kind)]
    throw new AppError('bad-input', because('unknown_kind', { kind, known }))
  }
  const settings = own ?? v.parse(sourceSchema, { kind, name: kind })
  // Raw text names a day of the month: without a time of arrival, as in a replay, it is taken to be of these days.
  const at = receivedAt === 0 && kind === 'nws_text' ? systemClock.now() : receivedAt
  return readRecorded(content, { settings, config: config ?? v.parse(warningSchema, {}), at })
}
