import type { LookoutEvent } from '../model/event.ts'
import type { Locator } from './coverage/locator.ts'
import type { Ledger } from './outbox/ledger.ts'
import type { StoredEvent } from './outbox/stored-event.ts'
import type { Radio } from './radios/radio.ts'
import { type BacktestReport, backtest } from './routing/backtest.ts'
import type { RegionRoutes } from './routing/settings.ts'
import { asItCame, cameColdly, type Located } from './routing/tagged.ts'
import type { WarningConfig } from './settings.ts'
import { TrialStation } from './trial-station.ts'

interface TrialStores {
  config: WarningConfig
  radios: readonly Radio[]
  ledger: Ledger
  locator: Locator
}

/** Tries this matrix on the stored events of a span. `pace` is called between two small steps. */
export async function tryMatrix(
  matrix: RegionRoutes,
  { since, until }: { since: number; until: number },
  { config, radios, ledger, locator }: TrialStores,
  pace: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve))
): Promise<BacktestReport> {
  const notifications = { ...config.notifications, region_routes: matrix }
  const locate = (event: LookoutEvent): Located => locator.locate(event, config.coverage, config.sources)
  const trial = await TrialStation.open({
    config: { ...config, notifications },
    locate,
    radio: (network) => radios.find(({ description }) => description.network === network)?.description ?? null
  })
  try {
    await pace()
    return await backtest({
      notifications,
      timezone: config.station.timezone,
      since,
      until,
      events: arrivals(ledger.span(since, until)),
      locate,
      station: trial,
      pace
    })
  } finally {
    trial.close()
  }
}

/** As they came; one that came at a cold start is judged as such again. */
function* arrivals(stored: Iterable<StoredEvent>): Iterable<{ event: LookoutEvent; coldStart: boolean }> {
  for (const { event, trace } of stored) yield { event: asItCame(event, trace), coldStart: cameColdly(trace) }
}
