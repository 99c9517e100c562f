/** Facts about a station for the checks of readiness (contract §13). */
import * as v from 'valibot'
import { configSchema } from '../../src/settings/schema.ts'
import type { RadioFact, SourceFact, StationFacts } from '../../src/warning/readiness/facts.ts'

export const NOW = Date.parse('2026-07-01T12:00:00Z')
export const radio: RadioFact = { id: 'mt', network: 'mt', state: 'ready', reason: null, missing: [] }
export const source: SourceFact = {
  name: 'nws',
  kind: 'nws',
  state: 'ok',
  reason: null,
  heardAt: NOW - 60_000,
  answered: true,
  intervalSeconds: 60
}

interface Changes {
  coverage?: object
  notifications?: object
  sources?: object[]
  radios?: object[]
}
export const north = { fire: { North: { mt: 3 } }, weather: { North: { mt: 3 } } }

export function config({ coverage = {}, notifications = {}, ...more }: Changes = {}): StationFacts['config'] {
  return v.parse(configSchema, {
    station: { contact: 'ops@example.org' },
    coverage: { region_tagging: true, areas: [{ name: 'North', bbox: [0, 0, 1, 1] }], ...coverage },
    notifications: { region_routes: { enabled: true, cells: north }, ...notifications },
    sources: [{ kind: 'nws', area: ['ID'] }],
    ...more
  })
}

/** A station of which nothing bad is known. */
export function facts(changes: Partial<StationFacts> = {}): StationFacts {
  return {
    now: NOW,
    preview: false,
    demo: false,
    drill: false,
    config: config(),
    configStale: false,
    radios: [radio],
    unmadeRadios: [],
    sources: [source],
    failedMessages: 0,
    untold: [],
    unplaced: [],
    proxySign: null,
    changedKeys: 0,
    clock: { jump: null, from: null },
    disk: { freeBytes: 1e9 },
    storage: null,
    putAside: [],
    knowledgeClosed: false,
    shed: null,
    backup: null,
    undervoltage: false,
    failedStarts: 0,
    loop: null,
    writes: { lastAt: null, unwrittenSince: null },
    ...changes
  }
}
