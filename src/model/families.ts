import { type CategoryRow, HAZARD_CATEGORIES, MESH_CATEGORIES } from './categories.ts'
import type { Severity } from './vocabulary.ts'
import { BUILTIN_FAMILIES } from './vocabulary.ts'
import { WEATHER_HAZARD_ROWS } from './weather-hazards.ts'

/** A category as `GET /api/notifications/families` shows it. */
export interface Category {
  id: string
  description: string
  default_severity: Severity
  example_message: string
}

/** A row of the matrix. `dynamic` families come from the configuration. */
export interface Family {
  key: string
  label: string
  dynamic: boolean
  categories: Category[]
}

type BuiltinFamily = (typeof BUILTIN_FAMILIES)[number]

const LABELS: Record<BuiltinFamily, string> = {
  mesh_health: 'Mesh health',
  weather: 'Weather',
  fire: 'Fire',
  rf_propagation: 'Radio propagation',
  roads: 'Roads',
  avalanche: 'Avalanche',
  seismic: 'Seismic',
  satpass: 'Satellite passes',
  emergency: 'Emergency',
  tracking: 'Tracking'
}

const ROWS: Record<BuiltinFamily, readonly CategoryRow[]> = {
  ...HAZARD_CATEGORIES,
  weather: [...HAZARD_CATEGORIES.weather, ...WEATHER_HAZARD_ROWS],
  mesh_health: MESH_CATEGORIES
}

const BY_ID = new Map(
  BUILTIN_FAMILIES.flatMap((family) => ROWS[family].map((row) => [row[0], { family, category: toCategory(row) }]))
)

/** Contract §4 rule 6. Families not named here count as stale after an hour. */
const FRESHNESS_SECONDS = new Map<string, number>([
  ['weather', 1800],
  ['emergency', 1800],
  ['seismic', 3600],
  ['roads', 3600],
  ['rf_propagation', 3600],
  ['fire', 21_600],
  ['avalanche', 86_400],
  ['mesh_health', 600],
  ['satpass', 600],
  ['tracking', 600]
])

function toCategory([id, default_severity, description, example_message]: CategoryRow): Category {
  return { id, description, default_severity, example_message }
}

/** The known category of this id with its family, or null. */
export function findCategory(id: string): { family: string; category: Category } | null {
  return BY_ID.get(id) ?? null
}

/** The weight of an event of this category when its sender does not say; `routine` for an unknown one. */
export function defaultSeverity(category: string): Severity {
  return BY_ID.get(category)?.category.default_severity ?? 'routine'
}

/**
 * The family a category belongs to, or null when it is unknown. A family of the configuration owns the category named
 * like itself and those that start with its key and `_` (`river` owns `river` and `river_high`).
 */
export function familyOf(category: string, extraFamilies: Iterable<string> = []): string | null {
  const known = BY_ID.get(category)
  if (known !== undefined) return known.family
  let owner: string | null = null
  for (const key of extraFamilies) {
    if (isBuiltin(key)) continue
    const owns = category === key || category.startsWith(`${key}_`)
    if (owns && key.length > (owner?.length ?? 0)) owner = key
  }
  return owner
}

function isBuiltin(key: string): key is BuiltinFamily {
  return Object.hasOwn(ROWS, key)
}

/** All families, built-in ones first and in the order of the contract, then those of the configuration. */
export function listFamilies(extra: Record<string, { label?: string }> = {}): Family[] {
  const builtin = BUILTIN_FAMILIES.map((key) => ({
    key,
    label: labelOf(extra, key) || LABELS[key],
    dynamic: false,
    categories: ROWS[key].map(toCategory)
  }))
  const own = Object.keys(extra)
    .filter((key) => !isBuiltin(key))
    .map((key) => ownFamily(key, labelOf(extra, key) || capitalised(key)))
  return [...builtin, ...own]
}

function labelOf(extra: Record<string, { label?: string }>, key: string): string {
  return Object.hasOwn(extra, key) ? (extra[key]?.label?.trim() ?? '') : ''
}

function ownFamily(key: string, label: string): Family {
  const category: CategoryRow = [key, 'routine', `Events of ${label}`, `${label}: something happened`]
  return { key, label, dynamic: true, categories: [toCategory(category)] }
}

function capitalised(key: string): string {
  return `${key.charAt(0).toUpperCase()}${key.slice(1)}`.replaceAll('_', ' ')
}

/** Every family key an event may name: the built-in ones and those of the configuration. */
export function familyKeys(extra: Record<string, unknown> = {}): ReadonlySet<string> {
  return new Set([...BUILTIN_FAMILIES, ...Object.keys(extra)])
}

/**
 * The age in seconds that an event of this family may have when a policy does not say otherwise. Contract §4 rule 6.
 */
export function defaultFreshnessSeconds(family: string): number {
  return FRESHNESS_SECONDS.get(family) ?? 3600
}
