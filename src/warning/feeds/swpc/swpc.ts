import { because } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { inTurns } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { PollTools, ReadTools, SourceKind, SourceReading } from '../source.ts'
import { documentSteps, FEED, type SwpcDocument } from './documents.ts'
import { forecastEvents } from './forecasts.ts'
import { observedStorms, rememberKp } from './observed.ts'
import type { SwpcSettings } from './settings.ts'

const KIND = 'swpc'

/** The K index first: the storm that is told beside it may need it. */
const DOCUMENTS = ['products/noaa-planetary-k-index.json', 'products/noaa-scales.json', 'products/alerts.json'] as const

/**
 * NOAA space weather. Each fact has one authority: what is observed comes from the scales (R, S, G), what is expected from the
 * warnings and watches among the alerts; the K index only stands beside a geomagnetic storm. So one storm is told once.
 */
export const swpcSource: SourceKind<SwpcSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Radio blackouts, radiation storms and geomagnetic storms, observed and expected (NOAA SWPC).',
  defaultIntervalSeconds: 180,
  minIntervalSeconds: 60,
  needsContact: false,
  poll,
  read: (body, settings, tools) => drain(readOneSteps(body, settings, tools))
}

/** A product that fails does not keep the others from being read, as long as storms or warnings come through. */
async function poll(settings: SwpcSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const read: SwpcDocument[] = []
  const failed: SkippedItem[] = []
  let lastError: AppError | null = null
  for (const path of DOCUMENTS) {
    try {
      const fetched = await tools.fetch({ url: `${settings.base_url.replace(/\/+$/, '')}/${path}` })
      if (fetched.state === 'unchanged') continue
      read.push(
        expected(
          path,
          await inTurns(documentSteps(await inTurns(decodeSteps(fetched.body), tools.signal)), tools.signal)
        )
      )
    } catch (error) {
      if (!(error instanceof AppError) || tools.signal.aborted) throw error
      failed.push({ id: path, reason: error.reason })
      lastError = error
    }
  }
  if (lastError !== null && DOCUMENTS.slice(1).every((path) => failed.some(({ id }) => id === path))) throw lastError
  if (read.length === 0 && failed.length === 0) return 'unchanged'
  const reading = await inTurns(readAll(read, settings, tools), tools.signal)
  return { ...reading, skipped: [...reading.skipped, ...failed] }
}

function* readOneSteps(body: Uint8Array, settings: SwpcSettings, tools: ReadTools): Generator<void, SourceReading> {
  return yield* readAll([yield* documentSteps(yield* decodeSteps(body))], settings, tools)
}

const KINDS = { [DOCUMENTS[0]]: 'kp', [DOCUMENTS[1]]: 'scales', [DOCUMENTS[2]]: 'alerts' } as const

function expected(path: (typeof DOCUMENTS)[number], document: SwpcDocument): SwpcDocument {
  if (document.kind === KINDS[path]) return document
  throw new AppError('bad-input', because('other_product', { feed: FEED, path, kind: document.kind }))
}

function* readAll(
  documents: readonly SwpcDocument[],
  settings: SwpcSettings,
  tools: ReadTools
): Generator<void, SourceReading> {
  const reading: SourceReading = { kind: KIND, events: [], skipped: [], updated: null, items: 0 }
  for (const document of documents) {
    const { events, skipped } = yield* readOne(document, settings, tools)
    reading.events = [...reading.events, ...events]
    reading.skipped = [...reading.skipped, ...skipped]
    reading.items += itemsOf(document)
    const time = timeOf(document)
    if (time !== null && (reading.updated === null || formatTime(time) > reading.updated))
      reading.updated = formatTime(time)
  }
  return reading
}

function* readOne(
  document: SwpcDocument,
  settings: SwpcSettings,
  tools: ReadTools
): Generator<void, Pick<SourceReading, 'events' | 'skipped'>> {
  if (document.kind === 'scales') return observedStorms(document, settings, tools)
  if (document.kind === 'alerts') return yield* forecastEvents(document.messages, settings, tools)
  rememberKp(tools.memory, document.latest)
  return { events: [], skipped: [] }
}

function itemsOf(document: SwpcDocument): number {
  if (document.kind === 'scales') return document.levels.length
  return document.kind === 'alerts' ? document.messages.length : document.rows
}

function timeOf(document: SwpcDocument): number | null {
  if (document.kind === 'scales') return document.time
  if (document.kind === 'kp') return document.latest?.time ?? null
  return document.messages.reduce<number | null>(
    (latest, { issued }) => (issued !== null && (latest === null || issued > latest) ? issued : latest),
    null
  )
}
