import { BUILTIN_FAMILIES, hasNoRegion } from '../model/vocabulary.ts'
import { pointerOf } from '../platform/config/locate.ts'
import { nearest } from '../platform/config/nearest.ts'
import { walkSchema } from '../platform/config/schema-walk.ts'
import type { Issue } from '../platform/errors.ts'
import { AREA_KEYS, originalPath } from '../warning/coverage/settings.ts'
import type { Cell } from '../warning/routing/settings.ts'
import { areaWarnings } from './area-warnings.ts'
import { type Config, configSchema } from './schema.ts'

type Path = (string | number)[]

/**
 * Finds settings that are accepted but probably not meant: unknown keys, odd shapes, names that lead nowhere (contract
 * §3 and §4). `raw` is the document as written, `config` what the schema made of it. Paths are pointers into `raw`.
 */
export function configWarnings(raw: unknown, config: Config): Issue[] {
  const found: Issue[] = []
  const warn = (path: Path, code: string, message: string): void => {
    found.push({ path: pointerOf(originalPath(path, raw)), code, message })
  }
  unknownKeys(raw, warn)
  for (const { path, code, message } of areaWarnings(config.coverage.areas))
    warn(['coverage', 'areas', ...path], code, message)
  matrixWarnings(config, warn)
  policyWarnings(config, warn)
  escalationWarnings(config, warn)
  sourceWarnings(config, warn)
  return found
}

type Warn = (path: Path, code: string, message: string) => void

function unknownKeys(raw: unknown, warn: Warn): void {
  walkSchema(configSchema, raw, ({ schema, path, siblings }) => {
    if (schema !== null) return
    const key = String(path.at(-1))
    const isArea = path[0] === 'coverage' && path[1] === 'areas' && path.length === 4
    warn(
      [...path],
      'unknown_key',
      `unknown key "${key}": it is kept, but does nothing${didYouMean(key, isArea ? AREA_KEYS : siblings)}`
    )
  })
}

function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates)
  return near === null ? '' : `; did you mean "${near}"?`
}

function areaNames({ coverage }: Config): string[] {
  return coverage.areas.flatMap(({ name }) => (name === null ? [] : [name]))
}

function families(config: Config): string[] {
  return [...BUILTIN_FAMILIES, ...Object.keys(config.families)]
}

function matrixWarnings(config: Config, warn: Warn): void {
  switchWarnings(config, warn)
  const { enabled, cells } = config.notifications.region_routes
  const at = ['notifications', 'region_routes', 'cells']
  for (const [family, row] of Object.entries(cells)) {
    familyWarning(config, [...at, family], family, warn)
    if (matchesNothing(config, family) && Object.keys(row).length > 0) {
      const message = `events of ${family} have no region by nature: no cell of this row matches them, notifications.toggles.${family} decides`
      warn([...at, family], 'regionless_row', message)
    }
    for (const [region, cell] of Object.entries(row)) {
      regionWarning(config, [...at, family, region], region, warn)
      cellWarnings(cell, [...at, family, region], warn)
    }
  }
  const inUse = enabled && Object.values(cells).some((row) => Object.keys(row).length > 0)
  if (inUse && !config.coverage.region_tagging) {
    const message =
      'the matrix is on, but coverage.region_tagging is off: no event gets a region, so no cell ever matches'
    warn(['notifications', 'region_routes', 'enabled'], 'tagging_off', message)
  }
}

function cellWarnings({ enabled, mute = false, mt, mc, fallback = false }: Cell, at: Path, warn: Warn): void {
  if (enabled && mute) warn([...at, 'mute'], 'idle_mute', 'a cell that is on sends: set enabled to false to mute it')
  if (fallback === false || (mt !== null && mc !== null)) return
  const message =
    'fallback needs a Meshtastic and a MeshCore channel: with one of them there is nothing to fall back to'
  warn([...at, 'fallback'], 'idle_fallback', message)
}

/** Contract §4 rule 11. Watched nodes may be given regions, and match then. */
function matchesNothing({ sources }: Config, family: string): boolean {
  const placed = sources.some(
    (source) =>
      source.kind === 'mesh_health' &&
      (source.regions.length > 0 || source.nodes.some(({ regions }) => regions.length > 0))
  )
  return hasNoRegion(family) && !(family === 'mesh_health' && placed)
}

/** A matrix that is off sends nothing, however many cells it has; one from elsewhere has two switches that mean nothing here. */
function switchWarnings(config: Config, warn: Warn): void {
  const { region_routes } = config.notifications
  const at = ['notifications', 'region_routes']
  const isFilled = Object.values(region_routes.cells).some((row) => Object.keys(row).length > 0)
  if (region_routes.enabled || !isFilled) return
  const foreign = ['mt_enabled', 'mc_enabled'].filter((key) => Object.hasOwn(region_routes, key))
  if (foreign.length > 0) {
    const message = `THE MATRIX IS OFF and sends nothing: ${foreign.join(' and ')} are switches of another system. Write "enabled": true beside "cells" to switch it on`
    warn([...at, foreign[0] ?? ''], 'imported_matrix_off', message)
  } else warn(at, 'matrix_off', 'the matrix has cells and is off: none of them sends anything. Write "enabled": true')
}

function policyWarnings(config: Config, warn: Warn): void {
  const { toggles, rules } = config.notifications
  for (const [family, { regions, destinations }] of Object.entries(toggles)) {
    const at = ['notifications', 'toggles', family]
    familyWarning(config, at, family, warn)
    for (const [index, region] of regions.entries()) regionWarning(config, [...at, 'regions', index], region, warn)
    destinationWarnings(config, [...at, 'destinations'], destinations, warn)
  }
  for (const [number, { region_scope, destinations }] of rules.entries()) {
    const at = ['notifications', 'rules', number]
    for (const [index, region] of region_scope.entries())
      regionWarning(config, [...at, 'region_scope', index], region, warn)
    destinationWarnings(config, [...at, 'destinations'], destinations, warn)
  }
}

function escalationWarnings(config: Config, warn: Warn): void {
  for (const [family, { steps }] of Object.entries(config.notifications.escalation)) {
    const at = ['notifications', 'escalation', family]
    familyWarning(config, at, family, warn)
    for (const [index, { type, node_ids, contacts, destination }] of steps.entries()) {
      const here = [...at, 'steps', index]
      if (type === 'dm' && node_ids.length + contacts.length === 0)
        warn(here, 'idle_step', 'this dm step tells nobody: give it node_ids or contacts')
      if (type === 'webhook' && !Object.hasOwn(config.notifications.destinations, destination))
        warn([...here, 'destination'], 'orphan_destination', `no destination is named "${destination}"`)
    }
  }
}

function sourceWarnings(config: Config, warn: Warn): void {
  for (const [index, { overrides }] of config.sources.entries()) {
    for (const [event, { family }] of Object.entries(overrides))
      if (family !== undefined) familyWarning(config, ['sources', index, 'overrides', event, 'family'], family, warn)
  }
}

function familyWarning(config: Config, path: Path, family: string, warn: Warn): void {
  const known = families(config)
  if (known.includes(family)) return
  warn(path, 'orphan_family', `there is no family "${family}"${didYouMean(family, known)}`)
}

function regionWarning(config: Config, path: Path, region: string, warn: Warn): void {
  const known = areaNames(config)
  if (known.includes(region)) return
  warn(path, 'orphan_region', `no area is named "${region}"${didYouMean(region, known)}`)
}

function destinationWarnings(config: Config, path: Path, names: readonly string[], warn: Warn): void {
  const known = Object.keys(config.notifications.destinations)
  for (const [index, name] of names.entries()) {
    if (known.includes(name)) continue
    warn([...path, index], 'orphan_destination', `no destination is named "${name}"${didYouMean(name, known)}`)
  }
}
