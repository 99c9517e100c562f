import { because } from '../../../model/reason.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SourceSettings } from '../common-settings.ts'
import { inTurns } from '../reading/steps.ts'
import type { FetchRequest, PollTools, ReadTools, SourceKind, SourceReading } from '../source.ts'
import type { WorkRule } from './report.ts'
import { type RoadListing, roadSteps, sameAgainSteps } from './standing.ts'

interface RoadSettings extends SourceSettings {
  url?: string
  work: WorkRule
}

export interface RoadFormat<Settings extends RoadSettings> {
  kind: string
  about: string
  intervalSeconds: number
  minIntervalSeconds: number
  /** `page` is the address of a further page. */
  request(settings: Settings, page: string | null): FetchRequest
  /** A few entries a step. Throws AppError `bad-input` for a body that is not a listing. */
  parse(body: Uint8Array, settings: Settings, now: number): Generator<void, RoadPage>
}

export type RoadPage = RoadListing & { next?: string | null }

const MOST_PAGES = 20
/** The number of pages the last time: of a list in several pages one that is unchanged says nothing about the rest. */
const PAGES = 'pages'

/** A polled source of road events: a full listing, of which what is missing twice is over. */
export function roadSource<Settings extends RoadSettings>(format: RoadFormat<Settings>): SourceKind<Settings> {
  return {
    mode: 'poll',
    kind: format.kind,
    about: format.about,
    defaultIntervalSeconds: format.intervalSeconds,
    minIntervalSeconds: format.minIntervalSeconds,
    needsContact: false,
    missing: ({ url }) => (url === undefined || url === '' ? because('needs_listing_address') : null),
    poll: (settings, tools) => poll(format, settings, tools),
    read: (body, settings, tools) =>
      drain(readingSteps(format, drain(format.parse(body, settings, tools.receivedAt)), settings, tools))
  }
}

async function poll<Settings extends RoadSettings>(
  format: RoadFormat<Settings>,
  settings: Settings,
  tools: PollTools
): Promise<SourceReading | 'unchanged'> {
  const conditional = tools.memory.get(PAGES) !== 'several'
  const pages: RoadListing[] = []
  let page: string | null = null
  do {
    const request = format.request(settings, page)
    const answer = await tools.fetch({ ...request, conditional: conditional && page === null })
    if (answer.state === 'unchanged') return await sameAgain(format.kind, tools)
    const listing = await inTurns(format.parse(answer.body, settings, tools.receivedAt), tools.signal)
    pages.push(listing)
    page = listing.next == null ? null : new URL(listing.next, answer.url).href
    if (page !== null && pages.length >= MOST_PAGES)
      throw new AppError('bad-input', because('body_too_many_pages', { feed: format.kind, most: MOST_PAGES }))
  } while (page !== null)
  tools.memory.set(PAGES, pages.length > 1 ? 'several' : 'one')
  return inTurns(readingSteps(format, joined(pages), settings, tools), tools.signal)
}

function joined(pages: readonly RoadListing[]): RoadListing {
  return {
    reports: pages.flatMap(({ reports }) => reports),
    skipped: pages.flatMap(({ skipped }) => skipped),
    items: pages.reduce((sum, { items }) => sum + items, 0),
    updated: pages[0]?.updated ?? null
  }
}

async function sameAgain(kind: string, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const events = await inTurns(sameAgainSteps(tools), tools.signal)
  return events.length === 0 ? 'unchanged' : { kind, events, skipped: [], updated: null, items: 0 }
}

function* readingSteps<Settings extends RoadSettings>(
  { kind }: RoadFormat<Settings>,
  listing: RoadListing,
  settings: Settings,
  tools: ReadTools
): Generator<void, SourceReading> {
  return { kind, ...(yield* roadSteps(listing, settings.work, tools)), updated: listing.updated, items: listing.items }
}

/** The address with a key in its query, where there is one. */
export function withKey(
  url: string,
  { api_key = '', key_parameter = 'api_key' }: { api_key?: string; key_parameter?: string }
): string {
  const address = new URL(url)
  if (api_key !== '' && !address.searchParams.has(key_parameter)) address.searchParams.set(key_parameter, api_key)
  return address.href
}
