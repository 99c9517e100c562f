import { pointerOf } from '../config/locate.ts'
import type { RegionRoutes, Toggle } from '../config/notifications-schema.ts'
import type { Config } from '../config/schema.ts'
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
const MT_CHANNELS_BEFORE_WARNING = 7

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
  const message = `${channels.length} different MT channels are in use, more than ${MT_CHANNELS_BEFORE_WARNING}: every radio that is to hear them all must have all of them`
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

/** Contract §4 rule 2: a disabled cell does not match, so the family's own policy may broadcast the event after all. */
function fallingThrough(routes: RegionRoutes, config: Config): MatrixWarning[] {
  if (!routes.enabled) return []
  return cellsOf(routes)
    .filter(({ family, region, cell }) => !cell.enabled && broadcasts(config.notifications.toggles[family], region))
    .map(({ family, region }) => ({
      code: 'disabled_cell_falls_through',
      message: `the cell ${family} × ${region} is disabled, and the family's own policy broadcasts its events: disable that too for silence`,
      family,
      region,
      paths: [pointerOf(['cells', family, region])]
    }))
}

function broadcasts(toggle: Toggle | undefined, region: string): boolean {
  if (toggle === undefined || !toggle.enabled) return false
  if (toggle.regions.length > 0 && !toggle.regions.includes(region)) return false
  const types = Object.values(toggle.severity_channels).flat()
  return types.includes('mesh_broadcast') || types.includes('meshcore_broadcast')
}

const CELL_KEYS = new Set(['mt', 'mc', 'min_severity', 'enabled', 'fallback'])

/** What was posted beyond the wire shape: unknown keys of a cell are kept, unknown keys beside `cells` are not. */
export function unknownKeys(posted: RegionRoutes): MatrixWarning[] {
  const beside = Object.keys(posted).filter((key) => key !== 'enabled' && key !== 'cells')
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
