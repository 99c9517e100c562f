import { familyKeys } from '../../model/families.ts'
import { because } from '../../model/reason.ts'
import { parseWith } from '../../platform/config/issues.ts'
import { asJson, type JsonObject, memberOf, objectAt, objectIn } from '../../platform/config/json.ts'
import { pointerOf } from '../../platform/config/locate.ts'
import { AppError, type Issue, issueOf, issueReason } from '../../platform/errors.ts'
import type { Config } from '../../settings/schema.ts'
import { isNetworkOn, MESH_NETWORKS } from '../../warning/routing/network-switches.ts'
import { type Cell, type RegionRoutes, regionRoutesBodySchema } from '../../warning/routing/settings.ts'

/** Names that JavaScript's objects keep for themselves; the schema would drop them without a word. */
const RESERVED = new Set(['__proto__', 'prototype', 'constructor'])

/**
 * The posted matrix, checked and with its defaults. Throws AppError `invalid` with a pointer for every refused place;
 * both `enabled` and `cells` must be there (contract §4). A switch of a network that is left out is that of `stored`.
 */
export function readMatrix(input: unknown, stored: Switches): RegionRoutes {
  const issues = reservedNames(input)
  if (issues.length > 0) throw notValid(issues)
  return { ...switchesOf(stored), ...parseWith(regionRoutesBodySchema, input, 'the matrix') }
}

/** The matrix with each switch written out. */
export type ServedMatrix = RegionRoutes & Required<Switches>

type Switches = Pick<RegionRoutes, 'mt_enabled' | 'mc_enabled'>

/** Both, written out. */
const switchesOf = (routes: Switches): Required<Switches> => ({
  mt_enabled: isNetworkOn(routes, 'mt'),
  mc_enabled: isNetworkOn(routes, 'mc')
})

function reservedNames(input: unknown): Issue[] {
  const cells = memberOf(input, 'cells')
  const issues: Issue[] = []
  const visit = (value: unknown, path: string[]): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      const here = [...path, key]
      if (RESERVED.has(key)) issues.push(issueOf(pointerOf(here), 'rule', because('no_name_here', { name: key })))
      else if (here.length < 3) visit(memberOf(value, key), here)
    }
  }
  visit(cells, ['cells'])
  return issues
}

/**
 * Only cells with an MT or an MC channel: what is stored and served (contract §4). Families left without one are left
 * out, and so are a `fallback` and a `mute` that are not set.
 */
export function withChannels(cells: RegionRoutes['cells']): RegionRoutes['cells'] {
  const families = Object.entries(cells).map(([family, row]) => {
    const kept = Object.entries(row)
      .filter(([, { mt, mc }]) => mt !== null || mc !== null)
      .map(([region, { fallback = false, mute = false, ...cell }]) => [
        region,
        { ...cell, ...(mute ? { mute } : {}), ...(fallback === false ? {} : { fallback }) }
      ])
    return [family, Object.fromEntries(kept)] as const
  })
  return Object.fromEntries(families.filter(([, row]) => Object.keys(row).length > 0))
}

/** The document `GET /api/notifications/region-routing` serves, and whose revision it tells. */
export function servedMatrix({ notifications }: Config): ServedMatrix {
  const { region_routes } = notifications
  return { ...region_routes, ...switchesOf(region_routes), cells: withChannels(region_routes.cells) }
}

/**
 * Puts the matrix into the raw document, which it answers, and touches nothing else (contract §4). Throws AppError `invalid` for a family
 * that is neither known nor stored already.
 */
export function storeMatrix(raw: JsonObject, matrix: RegionRoutes, families: ReadonlySet<string>): JsonObject {
  const notifications = objectAt(raw, 'notifications')
  const routes = objectAt(notifications, 'region_routes')
  const stored = new Set(Object.keys(objectIn(routes['cells'])))
  const unknown = Object.keys(matrix.cells).filter((family) => !families.has(family) && !stored.has(family))
  if (unknown.length > 0) throw unknownFamilies(unknown, families)
  routes['enabled'] = matrix.enabled
  for (const network of MESH_NETWORKS) {
    // On is as good as unwritten; only a matrix from elsewhere has it written while the master is off (contract §13).
    if (isNetworkOn(matrix, network)) delete routes[`${network}_enabled`]
    else routes[`${network}_enabled`] = false
  }
  routes['cells'] = asJson(withChannels(matrix.cells))
  return raw
}

function unknownFamilies(unknown: readonly string[], families: ReadonlySet<string>): AppError {
  const known = [...families]
  return notValid(
    unknown.map((family) =>
      issueOf(pointerOf(['cells', family]), 'choice', because('family_not_known', { family, known }))
    )
  )
}

function notValid(issues: readonly Issue[]): AppError {
  const [first] = issues
  const why = first === undefined ? because('not_ready') : issueReason(first)
  return new AppError('invalid', because('matrix_not_valid', { why }), { issues })
}

/** Every family key that may be a row: the built-in ones and those of the configuration. */
export function knownFamilies(config: Config): ReadonlySet<string> {
  return familyKeys(config.families)
}

/** Names of the named coverage areas, configuration order, no duplicates: the columns of the matrix (contract §3). */
export function regionNames({ coverage }: Config): string[] {
  const names = coverage.areas.map(({ name }) => name).filter((name) => name !== null)
  return [...new Set(names)]
}

/** Every stored cell with its place. */
export function cellsOf(routes: RegionRoutes): { family: string; region: string; cell: Cell }[] {
  return Object.entries(routes.cells).flatMap(([family, row]) =>
    Object.entries(row).map(([region, cell]) => ({ family, region, cell }))
  )
}
