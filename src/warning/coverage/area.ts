import type { AreaPart, CoverageConfig } from './settings.ts'

/** One coverage area: the union of its parts. A null name covers, but is never a region. Contract §3. */
export interface MonitoringArea {
  readonly name: string | null
  readonly parts: readonly Readonly<AreaPart>[]
}

/**
 * The areas of a checked configuration, in its order, names kept. Deeply frozen and independent of the
 * configuration object: changing either afterwards does not change the other.
 */
export function buildAreas(coverage: Pick<CoverageConfig, 'areas'>): readonly MonitoringArea[] {
  return deepFreeze(coverage.areas.map((area) => ({ name: area.name, parts: structuredClone(area.parts) })))
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
  return value
}
