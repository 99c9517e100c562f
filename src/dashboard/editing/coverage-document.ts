import * as v from 'valibot'
import { because, type Reason } from '../../model/reason.ts'
import { canonicalJson } from '../../platform/bytes/canonical-json.ts'
import { drain, nextTurn, Slices } from '../../platform/clock/slices.ts'
import { parseWith } from '../../platform/config/issues.ts'
import { asJson, isObject, type JsonObject, type JsonValue } from '../../platform/config/json.ts'
import { pointerOf } from '../../platform/config/locate.ts'
import { looseObject, record } from '../../platform/config/object.ts'
import { AppError, type Issue, issueOf, issueReason } from '../../platform/errors.ts'
import { areaWarningSteps } from '../../settings/area-warnings.ts'
import type { Config } from '../../settings/schema.ts'
import { CIRCLE_CORNERS } from '../../warning/coverage/circle.ts'
import {
  type AreaConfig,
  areaSchema,
  type CoverageConfig,
  coverageSchema,
  originalPath
} from '../../warning/coverage/settings.ts'
import { type Asker, toldTo } from '../server/guest.ts'
import { regionUses, renameRegions } from './region-names.ts'

const renames = v.pipe(
  record(
    v.pipe(v.string(), v.nonEmpty('a region has a name')),
    v.pipe(v.string(), v.trim(), v.nonEmpty('a region has a name'))
  ),
  v.description('Old name → new name: renamed wherever the configuration names the region.')
)

/** The body of `POST /api/coverage`: the document `GET` serves, all of its areas, and names to change elsewhere. */
export const coverageBody = looseObject({
  enabled: v.exactOptional(v.boolean()),
  region_tagging: v.exactOptional(v.boolean()),
  excluded_sources: v.exactOptional(v.array(v.string())),
  everywhere_sources: v.exactOptional(v.array(v.string())),
  zones_online: v.exactOptional(v.boolean()),
  areas: v.pipe(v.array(v.unknown(), 'areas is a list'), v.maxLength(500, 'at most 500 areas')),
  rename: v.exactOptional(renames)
})
export const coverageDocumented = v.object({
  ...v.partial(v.object(coverageSchema.entries), ['enabled', 'region_tagging', 'excluded_sources', 'zones_online'])
    .entries,
  areas: v.array(areaSchema),
  rename: v.optional(renames)
})

export type CoverageBody = v.InferOutput<typeof coverageBody>

/** The document of `GET /api/coverage`, and whose revision it tells: areas in their long form, unknown keys included. */
export function servedCoverage({ coverage }: Config): CoverageConfig {
  return coverage
}

/** The same without what somebody wrote beside the known keys: a guest reads names, shapes and codes. */
export function publicCoverage(coverage: CoverageConfig): CoverageConfig {
  const { enabled, region_tagging, excluded_sources, everywhere_sources, zones_online } = coverage
  const areas = coverage.areas.map(({ name, parts }) => ({ name, parts: parts.map(publicPart) }))
  const sources = everywhere_sources === undefined ? {} : { everywhere_sources }
  return { enabled, region_tagging, excluded_sources, ...sources, zones_online, areas }
}

type Part = AreaConfig['parts'][number]

/** GeoJSON takes members of anybody's. */
function publicPart({ geometry, ...rest }: Part): Part {
  if (geometry === undefined) return rest
  return geometry.type === 'Polygon'
    ? { ...rest, geometry: { type: geometry.type, coordinates: geometry.coordinates } }
    : { ...rest, geometry: { type: geometry.type, coordinates: geometry.coordinates } }
}

/** The coverage of a body over that of the configuration; what the body leaves out stays. Throws AppError `invalid`. */
export function coverageOf(body: CoverageBody, config: Config): CoverageConfig {
  const { rename: _rename, ...document } = body
  return parseWith(coverageSchema, { ...config.coverage, ...document }, 'the coverage')
}

/**
 * Puts the coverage into the raw document, which it answers: areas that stay what they were keep their spelling, keys
 * the body does not name stay. `rename` is carried out in the same change. Throws AppError `invalid`.
 */
export async function storeCoverage(raw: JsonObject, body: CoverageBody): Promise<JsonObject> {
  const slices = new Slices(nextTurn)
  const { rename = {}, areas, ...others } = body
  const stored = isObject(raw['coverage']) ? raw['coverage'] : {}
  // Checked before anything is compared, so that pointers are those of the body.
  const { areas: long } = parseWith(coverageSchema, { ...others, areas }, 'the coverage')
  checkRenames(rename, new Set(long.flatMap(({ name }) => name ?? [])))
  const written = Array.isArray(stored['areas']) ? stored['areas'] : []
  const spelt = new Map<string, JsonValue>()
  for (const area of written) {
    spelt.set(identityOf(area), area)
    await slices.pause()
  }
  const kept: JsonValue[] = []
  for (const area of long) {
    kept.push(spelt.get(canonicalJson(area)) ?? asJson(area))
    await slices.pause()
  }
  Object.assign(stored, asJson(others))
  stored['areas'] = kept
  raw['coverage'] = stored
  return renameRegions(raw, new Map(Object.entries(rename)))
}

/** Two spellings of one area have one identity: that of its long form. */
function identityOf(area: unknown): string {
  const { success, output } = v.safeParse(areaSchema, area)
  return canonicalJson(success ? output : area)
}

/** Names that JavaScript's objects keep for themselves. */
const RESERVED = new Set(['__proto__', 'prototype', 'constructor'])

/** A name that stays in use must not lose its cells, and cells must not go to a name no area has. */
function checkRenames(rename: Readonly<Record<string, string>>, names: ReadonlySet<string>): void {
  const issues = Object.entries(rename).flatMap(([old, fresh]): Issue[] => {
    const path = pointerOf(['rename', old])
    if (RESERVED.has(fresh)) return [issueOf(path, 'rule', because('no_name_in_matrix', { name: fresh }))]
    if (!names.has(fresh)) return [issueOf(path, 'rule', because('no_area_is_named', { name: fresh }))]
    const moved = Object.values(rename).includes(old)
    return names.has(old) && !moved ? [issueOf(path, 'rule', because('area_still_named', { name: old }))] : []
  })
  const [first] = issues
  if (first !== undefined)
    throw new AppError('invalid', because('coverage_not_valid', { why: issueReason(first) }), { issues })
}

export interface CoverageWarning {
  code: string
  reason: Reason
  /** Pointer into the document, areas in their long form. */
  path: string
}

export type SaidWarning = Omit<CoverageWarning, 'reason'> & { message: string }

/** In the language of whoever asks. */
export function saidWarnings(warnings: readonly CoverageWarning[], asker: Asker): SaidWarning[] {
  return warnings.map(({ reason, ...rest }) => ({ ...rest, message: toldTo(reason, asker) }))
}

/** Comparing each side of a ring with each other: beyond this many pairs it would hold everything up. */
const MAX_PAIRS = 2_000_000

/**
 * Finds what is accepted but probably not meant: odd shapes, doubled names (contract §3), and names used elsewhere that
 * no area has.
 */
export function coverageWarnings(coverage: CoverageConfig, config: Config): CoverageWarning[] {
  return drain(coverageWarningSteps(coverage, config))
}

/** The same in steps: outlines may have thousands of sides. */
export function* coverageWarningSteps(coverage: CoverageConfig, config: Config): Generator<void, CoverageWarning[]> {
  const large = pairsOf(coverage.areas) > MAX_PAIRS
  const areas = large ? coverage.areas.map(({ name }) => ({ name, parts: [] })) : coverage.areas
  const shapes = (yield* areaWarningSteps(areas)).map(({ path, code, reason }) => ({
    code,
    reason,
    path: pointerOf(originalPath(['areas', ...path], coverage))
  }))
  const unread = {
    code: 'too_large',
    reason: because('odd_too_large'),
    path: '/areas'
  }
  return [...(large ? [unread] : []), ...shapes, ...orphans(coverage, config)]
}

function orphans(coverage: CoverageConfig, config: Config): CoverageWarning[] {
  const names = new Set(coverage.areas.map(({ name }) => name))
  return [...regionUses(config)]
    .filter(([region]) => !names.has(region))
    .map(([region, places]) => ({
      code: 'orphan_region',
      reason: because('odd_region_used', { region, places: [...places] }),
      path: '/areas'
    }))
}

function pairsOf(areas: readonly AreaConfig[]): number {
  return ringsOf(areas).reduce((sum, ring) => sum + ring.length ** 2 / 2, 0)
}

/** A county's outline in the atlas has about so many. */
const CODE_CORNERS = 20

/**
 * The cost of a preview: the vertices of all areas. A circle is compared as if it had as many as its polygon, a code as
 * a county.
 */
export function vertexCount(areas: readonly AreaConfig[]): number {
  const others = areas.flatMap(({ parts }) =>
    parts.map(({ circle, codes }) => (circle === undefined ? 0 : CIRCLE_CORNERS) + CODE_CORNERS * (codes?.length ?? 0))
  )
  return [...ringsOf(areas).map((ring) => ring.length), ...others].reduce((sum, count) => sum + count, 0)
}

function ringsOf(areas: readonly AreaConfig[]): number[][][] {
  return areas.flatMap(({ parts }) =>
    parts.flatMap(({ geometry }) => {
      if (geometry === undefined) return []
      return geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
    })
  )
}
