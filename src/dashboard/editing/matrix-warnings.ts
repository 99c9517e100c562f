import { familyOf } from '../../model/families.ts'
import { pointerOf } from '../../platform/config/locate.ts'
import type { Config } from '../../settings/schema.ts'
import type { RegionRoutes } from '../../warning/routing/settings.ts'
import { cellsOf, knownFamilies, regionNames } from './matrix-document.ts'

/** Something about a matrix that is worth knowing and does not keep it from being saved. `paths` point into the matrix. */
export interface MatrixWarning {
  code: 'mt_channels_exceeded' | 'orphan_region' | 'orphan_family' | 'unknown_key' | 'disabled_cell_falls_through'
  message: string
  paths: string[]
  region?: string
  family?: string
  channels?: number[]
}

/** Contract §4: a Meshtastic radio has a primary channel and seven more; more than seven in use is a warning. */
export const MT_CHANNELS_BEFORE_WARNING = 7

/** All warnings about a stored matrix, worst first. */
export function matrixWarnings(routes: RegionRoutes, config: Config): MatrixWarning[] {
  return [
    ...tooManyChannels(routes),
    ...orphanRegions(routes, config),
    ...orphanFamilies(routes, config),
    ...fallingThrough(routes, config)
  ]
}

/** Distinct MT channel indices in use, ascending. */
export function mtChannelsOf(routes: RegionRoutes): number[] {
  const used = new Set<number>()
  for (const { cell } of cellsOf(routes)) if (cell.mt !== null) used.add(cell.mt)
  return [...used].sort((a, b) => a - b)
}

function tooManyChannels(routes: RegionRoutes): MatrixWarning[] {
  const channels = mtChannelsOf(routes)
  if (channels.length <= MT_CHANNELS_BEFORE_WARNING) return []
  const message = `${channels.length} different Meshtastic channels are in use, more than ${MT_CHANNELS_BEFORE_WARNING}: every radio that is to hear them all must have all of them`
  return [{ code: 'mt_channels_exceeded', message, paths: [''], channels }]
}

function orphanRegions(routes: RegionRoutes, config: Config): MatrixWarning[] {
  const known = new Set(regionNames(config))
  const places = new Map<string, string[]>()
  for (const { family, region } of cellsOf(routes)) {
    if (known.has(region)) continue
    places.set(region, [...(places.get(region) ?? []), pointerOf(['cells', family, region])])
  }
  return [...places].map(([region, paths]) => ({
    code: 'orphan_region',
    message: `no coverage area is named "${region}": its cells are kept, but no event will match them`,
    region,
    paths
  }))
}

function orphanFamilies(routes: RegionRoutes, config: Config): MatrixWarning[] {
  const known = knownFamilies(config)
  return Object.keys(routes.cells)
    .filter((family) => !known.has(family))
    .map((family) => ({
      code: 'orphan_family',
      message: `"${family}" is not a family any more: its cells are kept, but no event will match them`,
      family,
      paths: [pointerOf(['cells', family])]
    }))
}

/** Contract §4 rule 2: a disabled cell does not match, so what stands outside of the matrix may broadcast the event after all. */
function fallingThrough(routes: RegionRoutes, config: Config): MatrixWarning[] {
  if (!routes.enabled) return []
  return cellsOf(routes)
    .filter(
      ({ family, region, cell }) => !cell.enabled && cell.mute !== true && isBroadcastOutside(config, family, region)
    )
    .map(({ family, region }) => ({
      code: 'disabled_cell_falls_through',
      message: `the cell ${family} × ${region} is disabled, and the family's own policy or a rule broadcasts its events: disable that too, or mute the cell, for silence`,
      family,
      region,
      paths: [pointerOf(['cells', family, region])]
    }))
}

function isBroadcastOutside(config: Config, family: string, region: string): boolean {
  return broadcastScopes(config, family).some((scope) => scope.length === 0 || scope.includes(region))
}

/**
 * The region scopes (an empty one is every region) of what broadcasts events of a family outside of the matrix: the
 * family's own policy, and rules that take any of its categories (contract §5).
 */
export function broadcastScopes({ families, notifications }: Config, family: string): string[][] {
  const { toggles, rules, destinations } = notifications
  const typesOf = (names: readonly string[], own: readonly string[]): readonly string[] =>
    names.length === 0 ? own : names.flatMap((name) => destinations[name]?.type ?? [])
  const toggle = toggles[family]
  const scopes: string[][] = []
  if (toggle?.enabled && isBroadcast(typesOf(toggle.destinations, Object.values(toggle.severity_channels).flat())))
    scopes.push([...toggle.regions])
  for (const rule of rules) {
    const takes =
      rule.categories.length === 0 || rule.categories.some((id) => familyOf(id, Object.keys(families)) === family)
    if (!rule.enabled || rule.trigger_type !== 'condition' || !takes) continue
    if (isBroadcast(typesOf(rule.destinations, [rule.delivery_type]))) scopes.push([...rule.region_scope])
  }
  return scopes
}

function isBroadcast(types: readonly string[]): boolean {
  return types.includes('mesh_broadcast') || types.includes('meshcore_broadcast')
}

const MATRIX_KEYS = new Set(['enabled', 'mt_enabled', 'mc_enabled', 'cells'])
const CELL_KEYS = new Set(['mt', 'mc', 'min_severity', 'enabled', 'mute', 'fallback'])

/** Finds the keys beyond the wire shape: unknown keys of a cell are kept, unknown keys beside `cells` are not. */
export function unknownKeys(posted: RegionRoutes): MatrixWarning[] {
  const beside = Object.keys(posted).filter((key) => !MATRIX_KEYS.has(key))
  const inside = cellsOf(posted).flatMap(({ family, region, cell }) =>
    Object.keys(cell)
      .filter((key) => !CELL_KEYS.has(key))
      .map((key) => ({ key, path: pointerOf(['cells', family, region, key]) }))
  )
  return [
    ...inside.map(({ key, path }) => unknownKey(`unknown key "${key}": kept, but it means nothing`, path)),
    ...beside.map((key) => unknownKey(`unknown key "${key}": ignored`, pointerOf([key])))
  ]
}

function unknownKey(message: string, path: string): MatrixWarning {
  return { code: 'unknown_key', message, paths: [path] }
}
