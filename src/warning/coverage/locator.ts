import type { LookoutEvent } from '../../model/event.ts'
import type { Reason } from '../../model/reason.ts'
import { isAtLeast } from '../../model/severity.ts'
import { buildAreas } from './area.ts'
import { type GateVerdict, gateEvent, isLost, passEverywhere } from './gate.ts'
import { buildRegionIndex, type Match, type RegionIndex, widened } from './region-index.ts'
import type { CoverageConfig } from './settings.ts'
import { tagEvent } from './tag.ts'
import type { ZoneShapes } from './zones.ts'

export interface LocationStep extends Reason {
  stage: 'tag'
  outcome: 'note'
  reason: string
}

type Sources = readonly { kind: string; name?: string; everywhere_when_unlocated?: boolean }[]

const NOWHERE = { geometry: null, bbox: null, circle: null, lat: null, lon: null, same: [] }

export interface Location {
  region: string | null
  regions: string[]
  gate: GateVerdict
  trace: LocationStep[]
  /** The regions a single code reaches; null when nobody can tell where it is. */
  regionsOf: (code: string) => readonly string[] | null
}

/** Tagging and gate for whatever coverage is in force; areas are compiled once per change of them. Contract §3. */
export class Locator {
  readonly #zones: ZoneShapes
  readonly #compiled = new Map<string, RegionIndex>()

  constructor(zones: ZoneShapes) {
    this.#zones = zones
  }

  /** `sources`: the settings that say whose weather goes everywhere when nobody can place it. */
  locate(event: LookoutEvent, coverage: CoverageConfig, sources: Sources = []): Location {
    const match = this.#match(event, coverage)
    const tag = tagEvent(event, match, { region_tagging: coverage.region_tagging, areaCount: coverage.areas.length })
    const verdict = gateEvent(event, coverage, match)
    const isEverywhere = isLost(verdict) && goesEverywhere(event, coverage, sources)
    const gate = isEverywhere ? passEverywhere(verdict) : verdict
    const { region, regions } = isEverywhere && coverage.region_tagging ? allRegions(coverage) : tag
    return {
      region,
      regions,
      gate,
      trace: [{ stage: 'tag', outcome: 'note', reason: tag.reason, code: tag.why.code, params: tag.why.params }],
      regionsOf: (code) => {
        const { located, names } = this.#index(coverage).match({ ...NOWHERE, zones: [code] })
        return located ? names : null
      }
    }
  }

  /**
   * A grave warning whose zones nobody here can place goes to all areas in their state: told too widely is better than
   * not told (docs/decisions/0015).
   */
  #match(event: LookoutEvent, coverage: CoverageConfig): Match {
    const match = this.#index(coverage).match(event)
    return isAtLeast(event.severity, 'critical') ? widened(match, coverage.areas) : match
  }

  /** The outlines behind the areas have changed. */
  forget(): void {
    this.#compiled.clear()
  }

  /** Two coverages are in use at most: the saved one and the demo's. */
  #index(coverage: CoverageConfig): RegionIndex {
    const key = this.#keyOf(coverage)
    let index = this.#compiled.get(key)
    if (index === undefined) {
      index = buildRegionIndex(buildAreas(coverage), this.#zones)
      if (this.#compiled.size >= 2) this.#compiled.clear()
      this.#compiled.set(key, index)
    }
    return index
  }

  #lastAreas: CoverageConfig['areas'] | null = null
  #lastKey = ''

  /** The configuration is frozen and replaced as a whole, so the same list object means the same areas. */
  #keyOf({ areas }: CoverageConfig): string {
    if (areas !== this.#lastAreas) {
      this.#lastAreas = areas
      this.#lastKey = JSON.stringify(areas)
    }
    return this.#lastKey
  }
}

function goesEverywhere({ source, severity }: LookoutEvent, coverage: CoverageConfig, sources: Sources): boolean {
  if (!isAtLeast(severity, 'critical')) return false
  return (
    coverage.everywhere_sources?.includes(source) === true ||
    sources.some((set) => set.everywhere_when_unlocated === true && (set.name ?? set.kind) === source)
  )
}

function allRegions({ areas }: CoverageConfig): { region: string | null; regions: string[] } {
  const regions = [...new Set(areas.flatMap(({ name }) => name ?? []))]
  return { region: regions[0] ?? null, regions }
}
