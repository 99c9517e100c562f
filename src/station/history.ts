import { join } from 'node:path'
import type { Clock } from '../platform/clock/clock.ts'
import type { LoopMeter } from '../platform/clock/loop-meter.ts'
import { openOrAnew } from '../platform/database/database-anew.ts'
import type { Log } from '../platform/log/log.ts'
import type { MetricsHistory } from '../platform/metrics/history.ts'
import type { Measured } from '../platform/metrics/point.ts'
import { takeChildPeak } from '../platform/process/child-peak.ts'
import type { Profile } from '../settings/profile.ts'
import type { Sources } from '../warning/feeds/sources.ts'
import type { Core } from './core.ts'

interface Parts {
  dataFolder: string
  profile: Profile
  core: Pick<Core, 'radioStatus'>
  sources: Pick<Sources, 'list'>
  loop: Pick<LoopMeter, 'takeLongestMs'>
  clock: Clock
  log: Log
  /** Counts of documents, items and vectors. */
  knowledge: { measured: () => Measured }
}

export interface StationHistory {
  history: MetricsHistory
  /** Measures from now on. */
  start: () => void
  stop: () => Promise<void>
}

const UP: ReadonlySet<string> = new Set(['polling', 'ok', 'unchanged', 'ready'])

/** The history of measurements; null, and nothing of it loaded, when the profile has it off. */
export async function openHistory(parts: Parts): Promise<StationHistory | null> {
  const { dataFolder, profile, core, sources, loop, clock, log, knowledge } = parts
  if (!profile.subsystems.metrics) return null
  const [{ Collector }, { MetricsHistory }, { metricsMigrations }, { SystemSampler }, { StationMeter }] =
    await Promise.all([
      import('../platform/metrics/collector.ts'),
      import('../platform/metrics/history.ts'),
      import('../platform/metrics/schema.ts'),
      import('../platform/metrics/system.ts'),
      import('../platform/metrics/station-meter.ts')
    ])
  const db = await openOrAnew(
    { path: join(dataFolder, 'metrics.db'), migrations: metricsMigrations, synchronous: 'NORMAL' },
    { now: () => clock.now(), log, shared: false }
  )
  const history = new MetricsHistory({ db, keepDays: profile.retention.metrics_days })
  const machine = new SystemSampler({ folder: dataFolder, now: () => clock.now() })
  const meter = new StationMeter({ clock, takeChildPeak })
  const collector = new Collector({
    history,
    samplers: {
      system: async () => ({
        ...(await machine.sample()),
        ...(await meter.sample()),
        longest_stall_ms: loop.takeLongestMs()
      }),
      radios: () => radiosMeasured(core),
      airtime: () => airtimeMeasured(core),
      feeds: () => feedsMeasured(sources),
      ...(profile.subsystems.knowledge ? { knowledge: () => knowledge.measured() } : {})
    },
    clock,
    log
  })
  return {
    history,
    start: () => {
      meter.start()
      collector.start()
    },
    stop: async () => {
      await meter.stop()
      await collector.stop()
      history.close()
    }
  }
}

function radiosMeasured(core: Parts['core']): Measured {
  return Object.fromEntries(
    core.radioStatus().map(({ id, state, queue, details }) => [
      id,
      {
        ready: state === 'ready' ? 1 : 0,
        waiting: queue.waiting,
        nodes_known: details?.nodes_known ?? null,
        battery_percent: details?.battery_percent ?? null,
        channel_utilization: details?.channel_utilization ?? null,
        air_utilization: details?.air_utilization ?? null
      }
    ])
  )
}

function airtimeMeasured(core: Parts['core']): Measured {
  return Object.fromEntries(
    core
      .radioStatus()
      .map(({ id, airtime: { used_seconds, budget_seconds } }) => [id, { used_seconds, budget_seconds }])
  )
}

/** A source that was not asked yet is neither up nor down. */
export function feedsMeasured(sources: Parts['sources']): Measured {
  return Object.fromEntries(
    sources
      .list()
      .filter(({ enabled }) => enabled)
      .map(({ name, state, items, bytes, requests, events, failures }) => [
        name,
        { up: state === 'waiting' ? null : UP.has(state) ? 1 : 0, items, bytes, requests, events, failures }
      ])
  )
}
