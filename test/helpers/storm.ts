import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Test } from 'tap'
import * as v from 'valibot'
import type { LookoutEvent } from '../../src/model/event.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { Core } from '../../src/station/core.ts'
import { stationReadiness } from '../../src/station/readiness.ts'
import { NO_ZONE_SHAPES } from '../../src/warning/coverage/zones.ts'
import { parseEventInput } from '../../src/warning/events/input.ts'
import { Ledger } from '../../src/warning/outbox/ledger.ts'
import { Outbox } from '../../src/warning/outbox/outbox.ts'
import { ledgerMigrations } from '../../src/warning/outbox/schema.ts'
import { createRadios } from '../../src/warning/radios/create.ts'
import { SelfReport } from '../../src/warning/readiness/self-report.ts'
import { NOW, station } from '../dashboard/harness.ts'

const REGIONS = Array.from({ length: 40 }, (_, n) => `Valley ${n}`)
export const FAMILIES = [
  'fire',
  'weather',
  'seismic',
  'roads',
  'avalanche',
  'emergency',
  'tracking',
  'satpass',
  'mesh_health'
]
const EVENTS = 5000
const WAITING = 11_000

const bbox = (n: number): number[] => [
  -117 + (n % 8) / 2,
  42 + Math.floor(n / 8) / 2,
  -116.5 + (n % 8) / 2,
  42.5 + n / 16
]
export const config = {
  coverage: { region_tagging: true, areas: REGIONS.map((name, n) => ({ name, bbox: bbox(n) })) },
  notifications: {
    region_routes: {
      enabled: true,
      cells: Object.fromEntries(
        [...FAMILIES, 'rf_propagation'].map((family) => [
          family,
          Object.fromEntries(REGIONS.map((name, n) => [name, { mt: n % 8, mc: `valley-${n}` }]))
        ])
      )
    }
  }
}

const ring = Array.from({ length: 40 }, (_, n) => [
  -114 + Math.cos((n / 20) * Math.PI) / 3,
  43 + Math.sin((n / 20) * Math.PI) / 3
])
function event(n: number, now = NOW): LookoutEvent {
  const input = {
    id: `e${n}`,
    source: 'test',
    family: FAMILIES[n % FAMILIES.length],
    severity: 'priority',
    title: `Flood Warning ${n} for the middle fork`,
    summary: 'Move to higher ground. '.repeat(30),
    sent_at: new Date(now - n * 60_000).toISOString(),
    expires: new Date(now + 86_400_000).toISOString(),
    geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
  }
  return parseEventInput(input, { now: now - n * 60_000, families: new Set(FAMILIES) })
}

let template: Promise<string> | null = null

/** A database in the middle of a storm: made once, for it takes seconds. */
async function seed(path: string): Promise<void> {
  template ??= make()
  copyFileSync(await template, path)
}

async function make(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-storm-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'lookout.db')
  await fillStorm(path)
  return path
}

/** Writes a `lookout.db` in the middle of a storm: 5,000 events of the days before `now`, 11,000 messages that wait. */
export async function fillStorm(path: string, now = NOW): Promise<void> {
  const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  const ledger = new Ledger(db)
  const outbox = new Outbox({
    db,
    now: () => now,
    coalesceSeconds: () => 20,
    heldBecause: () => null,
    onChange: () => undefined
  })
  db.transaction(() => {
    for (let n = EVENTS; n > 0; n--) {
      const seq = ledger.add(event(n, now)) ?? 0
      ledger.decide(seq, {
        kind: 'send',
        reason: 'cell',
        trace: [{ stage: 'matrix', outcome: 'match', reason: 'cell', detail: 'x' }]
      })
    }
    for (let n = 0; n < WAITING; n++) {
      outbox.add(event(n % EVENTS, now), (n % EVENTS) + 1, {
        ...{
          transport: n % 2 === 0 ? 'mt' : 'mc',
          channel: n % 2 === 0 ? n % 8 : `valley-${n % 40}`,
          direct: false,
          kind: 'new'
        },
        ...{
          regions: [REGIONS[n % 40] ?? ''],
          newPlacesOnly: false,
          path: 'matrix',
          dedup: { source: 'test', key: `${n}` }
        },
        cooldown: [],
        mergeInto: null,
        material: ''
      })
    }
  })
  db.close()
}

/** A station whose matrix, areas and stored state are as large as they may be: 10 × 40 cells, 5,000 events, 11,000 rows that wait. */
export async function storm(
  t: Test,
  { transmit = false, prepare }: { transmit?: boolean; prepare?: (db: Database) => void } = {}
) {
  // The folder of the test is that of the pages.
  const folder = mkdtempSync(join(tmpdir(), 'lookout-storm-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'lookout.db')
  await seed(path)
  if (prepare !== undefined) {
    const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
    db.transaction(() => prepare(db))
    db.close()
  }
  let parsed = v.parse(configSchema, config)
  const clock = new VirtualClock(NOW)
  const mcNames = () => (transmit ? REGIONS.map((_, n) => `valley-${n}`) : [])
  const radios = await createRadios({ configured: [], allowSimulatedDefault: true, mcNames, clock })
  const core = await Core.open({
    databasePath: path,
    config: () => parsed,
    configFor: () => parsed,
    zones: NO_ZONE_SHAPES,
    radios,
    clock,
    log: pino({ level: 'silent' }),
    commitWindowMs: 0,
    transmit,
    retentionDays: { events: 30, deliveries: 30, traces: 30 }
  })
  t.teardown(() => core.close())
  if (transmit) await Promise.all(radios.map((radio) => radio.connect()))
  const current = () => parsed
  const readiness = stationReadiness({
    ...{
      mode: 'run',
      dataFolder: t.testdirName,
      startedAt: NOW,
      now: () => clock.now(),
      core,
      current,
      saved: current
    },
    configStale: () => false,
    demoOffered: () => false,
    unmadeRadios: [],
    proxySign: () => null,
    knowledgeClosed: () => false,
    shed: () => null,
    backup: () => null,
    undervoltage: () => false,
    failedStarts: 0,
    sources: () => [],
    report: new SelfReport()
  })
  const web = await station(t, {
    config,
    context: {
      now: () => clock.now(),
      observers: core.observers,
      ledger: core.ledger,
      acceptEvents: (events) => core.accept(events.map((event) => ({ event }))),
      reactions: core.reactions,
      deliveries: {
        list: (query) => core.deliveries.list(query),
        steps: (id) => core.deliveries.steps(id),
        ofEvent: (seq) => core.deliveries.ofEvent(seq),
        counts: () => core.waiting.counts(),
        rang: () => core.deliveries.rang(),
        heardTags: (count) => core.deliveries.heardTags(count),
        airtimeMs: (network, bytes) => core.airtimeMs(network, bytes)
      },
      radios: () => core.radioStatus(),
      readiness,
      explain: (asked, matrix) => core.explainSteps(asked, matrix),
      backtest: (...asked) => core.backtest(...asked)
    }
  })
  return {
    ...web,
    core,
    /** Time of the core: that of the pages is `clock`. */
    time: clock,
    setNotifications: (notifications: Record<string, unknown>) => {
      parsed = v.parse(configSchema, { ...config, notifications: { ...config.notifications, ...notifications } })
    }
  }
}
