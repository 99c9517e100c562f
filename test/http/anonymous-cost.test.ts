import { join } from 'node:path'
import { pino } from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import * as v from 'valibot'
import { configSchema } from '../../src/config/schema.ts'
import { Core } from '../../src/core.ts'
import { NO_ZONE_SHAPES } from '../../src/coverage/zones.ts'
import type { LookoutEvent } from '../../src/events/event.ts'
import { parseEventInput } from '../../src/events/input.ts'
import { VirtualClock } from '../../src/lib/clock.ts'
import { openDatabase } from '../../src/lib/database.ts'
import { Ledger } from '../../src/outbox/ledger.ts'
import { Outbox } from '../../src/outbox/outbox.ts'
import { ledgerMigrations } from '../../src/outbox/schema.ts'
import { createRadios } from '../../src/radios/create.ts'
import { SelfReport } from '../../src/readiness/self-report.ts'
import { stationReadiness } from '../../src/station-readiness.ts'
import { NOW, station } from './harness.ts'

/** Whoever may read may ask as often as they like: no page may cost what a warning waits for (contract §6). */

const REGIONS = Array.from({ length: 40 }, (_, n) => `Valley ${n}`)
const FAMILIES = ['fire', 'weather', 'seismic', 'roads', 'avalanche', 'emergency', 'tracking', 'satpass', 'mesh_health']
const EVENTS = 5000
const WAITING = 11_000

const bbox = (n: number): number[] => [
  -117 + (n % 8) / 2,
  42 + Math.floor(n / 8) / 2,
  -116.5 + (n % 8) / 2,
  42.5 + n / 16
]
const config = {
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
function event(n: number): LookoutEvent {
  const input = {
    ...{ id: `e${n}`, source: 'test', family: FAMILIES[n % FAMILIES.length], severity: 'priority' },
    ...{ title: `Flood Warning ${n} for the middle fork`, summary: 'Move to higher ground. '.repeat(30) },
    ...{ sent_at: new Date(NOW - n * 60_000).toISOString(), expires: new Date(NOW + 86_400_000).toISOString() },
    geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
  }
  return parseEventInput(input, { now: NOW - n * 60_000, families: new Set(FAMILIES) })
}

/** A database in the middle of a storm. */
async function seed(path: string): Promise<void> {
  const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  const ledger = new Ledger(db)
  const outbox = new Outbox({
    db,
    now: () => NOW,
    coalesceSeconds: () => 20,
    heldBecause: () => null,
    onChange: () => undefined
  })
  db.transaction(() => {
    for (let n = EVENTS; n > 0; n--) {
      const seq = ledger.add(event(n)) ?? 0
      ledger.decide(seq, {
        kind: 'send',
        reason: 'cell',
        trace: [{ stage: 'matrix', outcome: 'match', reason: 'cell', detail: 'x' }]
      })
    }
    for (let n = 0; n < WAITING; n++) {
      outbox.add(event(n % EVENTS), (n % EVENTS) + 1, {
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
        ...{ cooldown: [], mergeInto: null, material: '' }
      })
    }
  })
  db.close()
}

async function storm(t: Test) {
  const path = join(t.testdir(), 'lookout.db')
  await seed(path)
  const parsed = v.parse(configSchema, config)
  const clock = new VirtualClock(NOW)
  const radios = await createRadios({ configured: [], allowSimulatedDefault: true, mcNames: () => [], clock })
  const core = await Core.open({
    ...{ databasePath: path, config: () => parsed, configFor: () => parsed, zones: NO_ZONE_SHAPES, radios, clock },
    ...{ log: pino({ level: 'silent' }), commitWindowMs: 0, transmit: false },
    retentionDays: { events: 30, deliveries: 30, traces: 30 }
  })
  t.teardown(() => core.close())
  const readiness = stationReadiness({
    ...{
      mode: 'run',
      dataFolder: t.testdirName,
      startedAt: NOW,
      now: () => NOW,
      core,
      current: () => parsed,
      saved: () => parsed
    },
    ...{
      configStale: () => false,
      demoOffered: () => false,
      unmadeRadios: [],
      sources: () => [],
      report: new SelfReport()
    }
  })
  return station(t, {
    config,
    context: {
      ledger: core.ledger,
      deliveries: {
        list: (query) => core.deliveries.list(query),
        steps: (id) => core.deliveries.steps(id),
        ofEvent: (seq) => core.deliveries.ofEvent(seq),
        counts: () => core.waiting.counts()
      },
      radios: () => core.radioStatus(),
      readiness,
      explain: (asked, matrix) => core.explain(asked, matrix),
      backtest: (...asked) => core.backtest(...asked)
    }
  })
}

/** Milliseconds of the processor for one answer: the least of some, as others use this machine too. */
async function costOf(work: () => Promise<unknown>, times = 5): Promise<number> {
  const costs: number[] = []
  for (let time = 0; time < times; time++) {
    const begun = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(begun)
    costs.push((user + system) / 1000)
  }
  return Math.min(...costs)
}

const PATHS = [
  ...['/', '/alerts', '/events', '/events?q=nothing+like+it', '/deliveries', '/deliveries?state=failed'],
  ...['/deliveries?channel=nowhere', '/mesh-a/routing', '/mesh-b/routing', '/coverage', '/radios', '/first-run'],
  ...['/settings', '/settings/notifications', '/sources', '/history', '/docs/api', '/api/openapi.json', '/metrics'],
  ...['/api/status', '/api/radios', '/api/health/ready', '/api/events?limit=100', '/api/deliveries?limit=50'],
  ...['/api/deliveries?state=failed', '/api/deliveries?channel=nowhere', '/api/events?q=nothing+like+it'],
  ...['/api/notifications/region-routing', '/api/settings', '/api/settings/schema', '/api/silences', '/api/coverage']
]
/** Half a thousand rows are read, written and sent in slices. */
const LONG = ['/api/events?limit=500', '/api/deliveries?limit=500', '/api/deliveries?limit=500&format=csv']

/** 50 ms of a main thread on which the plain page takes 3.5. */
const MOST = 14
/** This process is the client too, which reads megabytes of JSON. */
const MOST_LONG = 60

t.test('in a storm no anonymous GET costs more than some plain pages', async (t) => {
  const s = await storm(t)
  const plain = await costOf(() => s.ask('/profile'), 12)
  for (const path of [...PATHS, ...LONG]) {
    // Pages that were drawn a moment ago are drawn anew.
    const cost = await costOf(async () => {
      await s.clock.runTo(s.clock.now() + 2000)
      const { status } = await s.ask(path)
      if (status !== 200 && status !== 503) t.fail(`${path}: ${status}`)
    })
    const most = LONG.includes(path) ? MOST_LONG : MOST
    t.ok(cost <= most * plain, `${path}: ${(cost / plain).toFixed(1)} plain pages`)
  }
})

t.test('a routing page asks the radios once, however many cells it has; so does a page of messages', async (t) => {
  const s = await storm(t)
  const radios = s.context.radios
  let asked = 0
  s.context.radios = () => {
    asked++
    return radios()
  }
  for (const path of ['/mesh-a/routing', '/mesh-b/routing', '/deliveries']) {
    asked = 0
    await s.ask(path)
    t.ok(asked <= 4, `${path}: ${asked} times`)
  }
})
