import { because, isSame, type Reason } from '../../model/reason.ts'
import { isObject, type JsonObject, type JsonValue, objectIn } from '../../platform/config/json.ts'
import { pointerOf } from '../../platform/config/locate.ts'
import { type AppError, refusedAt } from '../../platform/errors.ts'
import type { Config } from '../../settings/schema.ts'
import { cellsOf } from './matrix-document.ts'

/** Every region name the configuration uses outside of the areas, and where, in words for people. */
export function regionUses(config: Config): Map<string, Reason[]> {
  const { region_routes, toggles, rules, broadcasts } = config.notifications
  const found: [region: string, place: Reason][] = [
    ...cellsOf(region_routes).flatMap(({ family, region }) => named([region], because('used_by_matrix', { family }))),
    ...Object.entries(toggles).flatMap(([family, { regions }]) =>
      named(regions, because('used_by_policy', { family }))
    ),
    ...rules.flatMap(({ name, region_scope }, at) =>
      named(region_scope, because('used_by_rule', { name: name || String(at + 1) }))
    ),
    ...broadcasts.flatMap(({ name, region }) => named([region], because('used_by_broadcast', { name }))),
    ...config.sources.flatMap((source) =>
      named(regionsOfSource(source), because('used_by_source', { kind: source.kind }))
    )
  ]
  const uses = new Map<string, Reason[]>()
  for (const [region, place] of found) {
    const known = uses.get(region) ?? []
    if (region !== '' && !known.some((one) => isSame(one, place))) uses.set(region, [...known, place])
  }
  return uses
}

function named(regions: readonly string[], place: Reason): [string, Reason][] {
  return regions.map((region) => [region, place])
}

function regionsOfSource(source: Config['sources'][number]): string[] {
  if (source.kind === 'satpass') return source.observers.map(({ name }) => name)
  return source.kind === 'mesh_health' ? [...source.regions, ...source.nodes.flatMap(({ regions }) => regions)] : []
}

type Renames = ReadonlyMap<string, string>

/**
 * Renames regions in the raw document, which it answers: columns of the matrix, policies, rules, broadcasts and sources;
 * all at once, so that two names can be exchanged. Order and unknown keys stay. Throws AppError `invalid` when a cell would be lost.
 */
export function renameRegions(raw: JsonObject, renames: Renames): JsonObject {
  if (renames.size === 0) return raw
  renameInSources(raw, renames)
  const notifications = objectIn(raw['notifications'])
  const cells = objectIn(objectIn(notifications['region_routes'])['cells'])
  for (const [family, row] of Object.entries(cells)) if (isObject(row)) cells[family] = renameRow(row, family, renames)
  for (const toggle of objectsIn(notifications['toggles'])) renameList(toggle, 'regions', renames)
  for (const rule of objectsIn(notifications['rules'])) renameList(rule, 'region_scope', renames)
  for (const broadcast of objectsIn(notifications['broadcasts'])) {
    const { region } = broadcast
    if (typeof region === 'string') broadcast['region'] = renames.get(region) ?? region
  }
  return raw
}

/** Satellite passes belong to regions by their observers' names; mesh health names its regions. */
function renameInSources(raw: JsonObject, renames: Renames): void {
  for (const source of objectsIn(raw['sources'])) {
    if (source['kind'] === 'satpass') {
      for (const observer of objectsIn(source['observers'])) {
        const { name } = observer
        if (typeof name === 'string') observer['name'] = renames.get(name) ?? name
      }
    }
    if (source['kind'] !== 'mesh_health') continue
    renameList(source, 'regions', renames)
    for (const node of objectsIn(source['nodes'])) renameList(node, 'regions', renames)
  }
}

function renameRow(row: JsonObject, family: string, renames: Renames): JsonObject {
  const renamed: JsonObject = {}
  for (const [region, cell] of Object.entries(row)) {
    const name = renames.get(region) ?? region
    if (Object.hasOwn(renamed, name)) throw collision(family, name, renames)
    renamed[name] = cell
  }
  return renamed
}

function collision(family: string, name: string, renames: Renames): AppError {
  const [old = name] = [...renames].find(([, fresh]) => fresh === name) ?? []
  const why = because('cell_is_there_already', { family, region: name })
  return refusedAt(pointerOf(['rename', old]), 'rule', why)
}

function renameList(holder: JsonObject, key: string, renames: Renames): void {
  const list = holder[key]
  if (!Array.isArray(list)) return
  holder[key] = list.map((name) => (typeof name === 'string' ? (renames.get(name) ?? name) : name))
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).filter((one) => isObject(one))
}
