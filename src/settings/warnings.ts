import { because, type Reason } from '../model/reason.ts'
import { BUILTIN_FAMILIES, hasNoRegion } from '../model/vocabulary.ts'
import { memberOf } from '../platform/config/json.ts'
import { pointerOf } from '../platform/config/locate.ts'
import { nearest } from '../platform/config/nearest.ts'
import { walkSchema } from '../platform/config/schema-walk.ts'
import { type Issue, issueOf } from '../platform/errors.ts'
import { AREA_KEYS, originalPath } from '../warning/coverage/settings.ts'
import { MESH_NETWORKS, NETWORK_NAMES, shutNetworks } from '../warning/routing/network-switches.ts'
import type { Cell } from '../warning/routing/settings.ts'
import { areaWarnings } from './area-warnings.ts'
import { type Config, configSchema } from './schema.ts'

type Path = (string | number)[]

/** Codes of warnings about settings that are no shapes of areas; `repeated_key` is told by `check-config` alone, which reads the text. */
export const SETTING_WARNING_CODES = [
  'repeated_key',
  'unknown_key',
  'orphan_family',
  'orphan_region',
  'orphan_destination',
  'regionless_row',
  'tagging_off',
  'matrix_off',
  'imported_matrix_off',
  'matrix_network_off',
  'idle_mute',
  'idle_fallback',
  'idle_step',
  'unfoldable'
] as const
export type SettingWarningCode = (typeof SETTING_WARNING_CODES)[number]

/**
 * Finds settings that are accepted but probably not meant: unknown keys, odd shapes, names that lead nowhere (contract
 * §3 and §4). `raw` is the document as written, `config` what the schema made of it. Paths are pointers into `raw`.
 */
export function configWarnings(raw: unknown, config: Config): Issue[] {
  const shapes = areaWarnings(config.coverage.areas).map(({ path, code, reason }) =>
    issueOf(pointerOf(originalPath(['coverage', 'areas', ...path], raw)), code, reason)
  )
  return [...shapes, ...settingWarnings(raw, config)]
}

/** The same without the shapes of areas: comparing the sides of large outlines takes long. */
export function settingWarnings(raw: unknown, config: Config): SettingWarning[] {
  const found: SettingWarning[] = []
  const warn: Warn = (path, code, reason) => {
    found.push({ ...issueOf(pointerOf(originalPath(path, raw)), code, reason), code, reason })
  }
  unknownKeys(raw, warn)
  matrixWarnings(raw, config, warn)
  policyWarnings(config, warn)
  escalationWarnings(config, warn)
  sourceWarnings(config, warn)
  letterWarnings(config, warn)
  return found
}

/** Nobody has a way to write Japanese in the letters of ASCII that its readers read: the option does nothing there. */
function letterWarnings({ station, messages }: Config, warn: Warn): void {
  if (station.language === 'ja' && messages.ascii) warn(['messages', 'ascii'], 'unfoldable', because('odd_unfoldable'))
  for (const [key, { language = station.language, ascii = false }] of Object.entries(messages.channels))
    if (language === 'ja' && ascii)
      warn(['messages', 'channels', key, 'ascii'], 'unfoldable', because('odd_unfoldable'))
}

export interface SettingWarning extends Issue {
  code: SettingWarningCode
  reason: Reason
}

type Warn = (path: Path, code: SettingWarningCode, reason: Reason) => void

function unknownKeys(raw: unknown, warn: Warn): void {
  walkSchema(configSchema, raw, ({ schema, path, siblings }) => {
    if (schema !== null) return
    const key = String(path.at(-1))
    const isArea = path[0] === 'coverage' && path[1] === 'areas' && path.length === 4
    const near = nearest(key, isArea ? AREA_KEYS : siblings)
    warn([...path], 'unknown_key', near === null ? because('odd_key', { key }) : because('odd_key_near', { key, near }))
  })
}

function areaNames({ coverage }: Config): string[] {
  return coverage.areas.flatMap(({ name }) => (name === null ? [] : [name]))
}

function families(config: Config): string[] {
  return [...BUILTIN_FAMILIES, ...Object.keys(config.families)]
}

function matrixWarnings(raw: unknown, config: Config, warn: Warn): void {
  switchWarnings(raw, config, warn)
  const { enabled, cells } = config.notifications.region_routes
  const at = ['notifications', 'region_routes', 'cells']
  for (const [family, row] of Object.entries(cells)) {
    familyWarning(config, [...at, family], family, warn)
    if (matchesNothing(config, family) && Object.keys(row).length > 0) {
      warn([...at, family], 'regionless_row', because('odd_regionless_row', { family }))
    }
    for (const [region, cell] of Object.entries(row)) {
      regionWarning(config, [...at, family, region], region, warn)
      cellWarnings(cell, [...at, family, region], warn)
    }
  }
  const inUse = enabled && Object.values(cells).some((row) => Object.keys(row).length > 0)
  if (inUse && !config.coverage.region_tagging) {
    warn(['notifications', 'region_routes', 'enabled'], 'tagging_off', because('odd_tagging_off'))
  }
}

function cellWarnings({ enabled, mute = false, mt, mc, fallback = false }: Cell, at: Path, warn: Warn): void {
  if (enabled && mute) warn([...at, 'mute'], 'idle_mute', because('odd_mute'))
  if (fallback === false || (mt !== null && mc !== null)) return
  warn([...at, 'fallback'], 'idle_fallback', because('odd_fallback'))
}

/** True when no event of the family matches a cell: contract §4 rule 11. Watched nodes may be given regions, and match then. */
export function matchesNothing({ sources }: Config, family: string): boolean {
  const placed = sources.some(
    (source) =>
      source.kind === 'mesh_health' &&
      (source.regions.length > 0 || source.nodes.some(({ regions }) => regions.length > 0))
  )
  return hasNoRegion(family) && !(family === 'mesh_health' && placed)
}

/**
 * A matrix that is off sends nothing, however many cells it has; one from elsewhere has a switch for each network, and no master
 * above them. A network that is off while cells name channels of it is told too.
 */
function switchWarnings(raw: unknown, config: Config, warn: Warn): void {
  const { region_routes } = config.notifications
  const at = ['notifications', 'region_routes']
  const cells = Object.values(region_routes.cells).flatMap((row) => Object.values(row))
  if (region_routes.enabled) {
    for (const network of MESH_NETWORKS)
      if (cells.some((cell) => shutNetworks(cell, region_routes).includes(network)))
        warn(
          [...at, `${network}_enabled`],
          'matrix_network_off',
          because('odd_network_off', { network: NETWORK_NAMES[network] })
        )
    return
  }
  if (cells.length === 0) return
  const written = memberOf(memberOf(raw, 'notifications'), 'region_routes')
  const foreign =
    memberOf(written, 'enabled') === undefined
      ? ['mt_enabled', 'mc_enabled'].filter((key) => memberOf(written, key) !== undefined)
      : []
  if (foreign.length > 0) {
    warn([...at, foreign[0] ?? ''], 'imported_matrix_off', because('odd_imported_matrix', { keys: foreign }))
  } else warn(at, 'matrix_off', because('odd_matrix_off'))
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
      if (type === 'dm' && node_ids.length + contacts.length === 0) warn(here, 'idle_step', because('odd_step'))
      if (type === 'webhook' && !Object.hasOwn(config.notifications.destinations, destination))
        warn([...here, 'destination'], 'orphan_destination', because('odd_destination', { name: destination }))
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
  const near = nearest(family, known)
  const reason = near === null ? because('odd_family', { family }) : because('odd_family_near', { family, near })
  warn(path, 'orphan_family', reason)
}

function regionWarning(config: Config, path: Path, region: string, warn: Warn): void {
  const known = areaNames(config)
  if (known.includes(region)) return
  const near = nearest(region, known)
  const reason = near === null ? because('odd_region', { region }) : because('odd_region_near', { region, near })
  warn(path, 'orphan_region', reason)
}

function destinationWarnings(config: Config, path: Path, names: readonly string[], warn: Warn): void {
  const known = Object.keys(config.notifications.destinations)
  for (const [index, name] of names.entries()) {
    if (known.includes(name)) continue
    const near = nearest(name, known)
    const reason =
      near === null ? because('odd_destination', { name }) : because('odd_destination_near', { name, near })
    warn([...path, index], 'orphan_destination', reason)
  }
}
