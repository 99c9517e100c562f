import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { revisionOf } from '../../platform/bytes/canonical-json.ts'
import { nextTurn, paced, Slices } from '../../platform/clock/slices.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError, refusedAt } from '../../platform/errors.ts'
import { canonicalCode } from '../../warning/coverage/codes.ts'
import type { Ledger } from '../../warning/outbox/ledger.ts'
import type { StoredEvent } from '../../warning/outbox/stored-event.ts'
import {
  type CoverageBody,
  type CoverageWarning,
  coverageBody,
  coverageDocumented,
  coverageOf,
  coverageWarningSteps,
  publicCoverage,
  saidWarnings,
  servedCoverage,
  storeCoverage,
  vertexCount
} from '../editing/coverage-document.ts'
import { previewCoverage } from '../editing/coverage-preview.ts'
import { askerOf } from '../server/asker.ts'
import type { HttpContext } from '../server/context.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, post, type Route, type Told } from '../server/route.ts'
import { nameOf } from './acks.ts'
import {
  coverageAnswer,
  outlineAnswer,
  outlinesAnswer,
  placesAnswer,
  previewAnswer,
  savedCoverageAnswer
} from './answers/station.ts'
import type { Services } from './services.ts'
import { under } from './trial.ts'

const DAY_MS = 86_400_000
/** Read at once: events with large shapes take a while to read. */
const PAGE = 4
/** Newer events are enough to see what an area does. */
const MAX_EVENTS = 1000
/** Anybody may ask for a preview: a map of this many vertices is one a person has drawn or imported. */
const MAX_VERTICES = 20_000
const MAX_CODES = 50

const days = v.pipe(
  v.exactOptional(v.pipe(v.number(), v.minValue(1, 'days are 1 to 14'), v.maxValue(14, 'days are 1 to 14'))),
  v.description('How far back; default 7.')
)
export const previewBody = looseObject({ coverage: coverageBody, days })
export const previewDocumented = v.object({ coverage: coverageDocumented, days })

const limit = v.pipe(
  v.optional(v.string(), '20'),
  v.regex(/^\d{1,3}$/, 'a limit is a whole number from 1 to 50'),
  v.transform(Number),
  v.minValue(1, 'a limit is a whole number from 1 to 50'),
  v.maxValue(50, 'a limit is a whole number from 1 to 50')
)
export const searchQuery = v.object({
  q: v.pipe(v.string('q says what to look for'), v.maxLength(80), v.description('A name, a state or a code.')),
  limit: v.pipe(limit, v.description('1 to 50.'))
})
export const outlinesQuery = v.object({
  codes: v.pipe(
    v.string('codes is a list with commas between'),
    v.maxLength(1000),
    v.description('At most 50, with commas between.')
  )
})

/** `GET /api/coverage`: the coverage as saved; its revision is the ETag. */
function readCoverage({ context }: Services): Handler<unknown, undefined, Told<typeof coverageAnswer>> {
  return async (call) => {
    await context.config.refresh()
    const document = servedCoverage(context.config.current())
    const shown = askerOf(context, call).isGuest ? publicCoverage(document) : document
    return json(shown, { headers: { ETag: `"${revisionOf(document)}"` } })
  }
}

/** `POST /api/coverage`: replaces the areas, and switches that are named; nothing else changes but names in `rename`. */
function writeCoverage({ context }: Services): Handler<unknown, CoverageBody, Told<typeof savedCoverageAnswer>> {
  return async ({ body, headers, identity }) => {
    const ifMatch = headers['if-match']
    const config = await context.config.update((raw) => storeCoverage(raw, body), {
      ...(ifMatch === undefined ? {} : { ifMatch }),
      revisionOf: servedCoverage,
      by: nameOf(identity)
    })
    const saved = servedCoverage(config)
    await nextTurn()
    const revision = revisionOf(saved)
    const slices = new Slices(nextTurn)
    const odd = await paced(coverageWarningSteps(saved, config), () => slices.pause())
    const warnings = [...odd, ...silencedNames(context, Object.keys(body.rename ?? {}))]
    await nextTurn()
    return json(
      { ok: true, saved, warnings: saidWarnings(warnings, askerOf(context, { headers, identity })), revision },
      { headers: { ETag: `"${revision}"` } }
    )
  }
}

/** Silences stand outside of the configuration and keep the name they were given. */
function silencedNames({ reactions, now }: HttpContext, renamed: readonly string[]): CoverageWarning[] {
  return reactions.silences
    .active(now())
    .filter(({ region }) => region !== null && renamed.includes(region))
    .map(({ region }) => ({
      code: 'silence_keeps_name',
      reason: because('silence_keeps_name', { region: region ?? '' }),
      path: '/areas'
    }))
}

/** `POST /api/coverage/preview`: what an unsaved coverage would match of the last days. Stores nothing. */
function tryCoverage({
  context,
  heavy
}: Services): Handler<unknown, v.InferOutput<typeof previewBody>, Told<typeof previewAnswer>> {
  return async (call) => {
    const { body } = call
    await context.config.refresh()
    const config = context.config.current()
    const coverage = under('/coverage', () => coverageOf(body.coverage, config))
    if (vertexCount(coverage.areas) > MAX_VERTICES) {
      throw refusedAt('/coverage/areas', 'range', because('preview_most_vertices', { most: MAX_VERTICES }))
    }
    const since = context.now() - (body.days ?? 7) * DAY_MS
    const pages = newestFirst(context.ledger, since)
    const saved = context.shownConfig().coverage
    const { zones } = context.places
    return heavy.run(call, async (pace) => {
      const preview = await previewCoverage({ saved, coverage, zones, since, pages, pace })
      await pace()
      const warnings = await paced(coverageWarningSteps(coverage, config), pace)
      return json({ ...preview, warnings: saidWarnings(warnings, askerOf(context, call)) })
    })
  }
}

function* newestFirst(ledger: Pick<Ledger, 'list'>, since: number): Iterable<readonly StoredEvent[]> {
  let before: number | undefined
  for (let read = 0; read < MAX_EVENTS; read += PAGE) {
    const page = ledger.list({ since, limit: PAGE, ...(before === undefined ? {} : { before }) })
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    before = page.at(-1)?.seq
  }
}

/** `GET /api/atlas/search`: counties and states by name, zones by code. */
function searchPlaces({
  context
}: Services): Handler<v.InferOutput<typeof searchQuery>, undefined, Told<typeof placesAnswer>> {
  return async ({ query: { q, limit: most } }) => json({ results: await context.places.search(q, most) })
}

/** `GET /api/zones/:code/outline`: a GeoJSON Feature with few vertices, for drawing. */
function readOutline({ context }: Services): Handler<unknown, undefined, Told<typeof outlineAnswer>> {
  return async ({ params }) => {
    const code = canonicalCode(params['code'])
    const geometry = code === null ? null : context.places.outline(code)
    if (code === null || geometry === null)
      throw new AppError('not-found', because('no_outline_of_code', { code: params['code'] ?? '' }))
    const feature = {
      type: 'Feature' as const,
      id: code,
      properties: { name: await context.places.nameOf(code) },
      geometry
    }
    return json(feature, { headers: { ETag: `"${revisionOf(feature)}"` } })
  }
}

/** `GET /api/zones/outlines`: the geometries of up to 50 codes at once, by the code that was asked for; unknown ones are left out. */
function readOutlines({
  context
}: Services): Handler<v.InferOutput<typeof outlinesQuery>, undefined, Told<typeof outlinesAnswer>> {
  return ({ query: { codes } }) => {
    const asked = [...new Set(codes.split(',').map((code) => code.trim()))].filter((code) => code !== '')
    if (asked.length > MAX_CODES) throw new AppError('invalid', because('most_codes_at_once', { most: MAX_CODES }))
    const outlines = asked.flatMap((asking) => {
      const code = canonicalCode(asking)
      const geometry = code === null ? null : context.places.outline(code)
      return geometry === null ? [] : [[asking, geometry] as const]
    })
    return json({ outlines: Object.fromEntries(outlines) })
  }
}

export const coverageRoutes = (services: Services): Route[] => [
  get('/api/coverage', {
    summary: 'The coverage areas and their switches.',
    about:
      '`{enabled, region_tagging, excluded_sources, zones_online, areas: [{name, parts}]}`, short forms written out, unknown keys included. Its revision is the `ETag`.',
    answer: coverageAnswer,
    handle: readCoverage(services)
  }),
  post('/api/coverage', {
    summary: 'Replaces the coverage areas.',
    about:
      'Body: the document of `GET`; `areas` is required, switches that are left out stay. `If-Match` is optional. `rename: {old: new}` renames regions in the same write wherever the configuration names them: matrix, policies, rules, broadcasts, satellite passes and mesh health; silences keep the name they were given. Answers `{ok, saved, warnings: [{code, message, path}], revision}`. Nothing else in the configuration changes.',
    body: coverageBody,
    documented: coverageDocumented,
    answer: savedCoverageAnswer,
    handle: writeCoverage(services)
  }),
  // Two tries a second go on for ever; six at once.
  post('/api/coverage/preview', {
    summary: 'What a coverage would match.',
    about:
      'Body: `{coverage, days?}`. Answers `{since, events, unlocated, passed, areas: [{name, events}], counts, newly, no_longer, retagged, inside, warnings}`: the real tagging over the newest 1000 stored events, against the saved coverage; lists hold 100 events, `inside` every `seq` that touches an area. At most 20000 vertices.',
    access: 'trial',
    cost: 5,
    body: previewBody,
    documented: previewDocumented,
    answer: previewAnswer,
    handle: tryCoverage(services)
  }),
  get('/api/atlas/search', {
    summary: 'Counties, states and zones by name or code.',
    about: '`{results: [{code, name, state, kind}]}`, best first; kind is state, county or zone. Zones have no names.',
    query: searchQuery,
    answer: placesAnswer,
    handle: searchPlaces(services)
  }),
  get('/api/zones/outlines', {
    summary: 'Outlines of several codes.',
    about:
      '`{outlines: {code: GeoJSON geometry}}` of up to 50 codes; unknown ones are left out. Few vertices: for drawing.',
    query: outlinesQuery,
    answer: outlinesAnswer,
    handle: readOutlines(services)
  }),
  get('/api/zones/:code/outline', {
    summary: 'The outline of a code.',
    about: 'A GeoJSON Feature with few vertices; 404 when no pack and no atlas has the code.',
    answer: outlineAnswer,
    handle: readOutline(services)
  })
]
