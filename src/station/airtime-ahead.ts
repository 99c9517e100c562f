import type { Clock } from '../platform/clock/clock.ts'
import type { Config } from '../settings/schema.ts'
import { type AirtimeAhead, HOURS_AHEAD } from '../warning/outbox/airtime-ahead.ts'
import type { Planned } from '../warning/outbox/airtime-plans.ts'
import { nextRun } from '../warning/schedule/next-run.ts'

const KEPT_MS = 30_000
/** A broadcast goes 24 times a day at most. */
const MOST_RUNS = 24

/** The hours to come on the air, made anew when somebody asks after half a minute: a storm's guests share one answer. */
export function keptAirtimeAhead(
  make: (planned: readonly Planned[]) => Promise<AirtimeAhead[]>,
  config: () => Config,
  clock: Pick<Clock, 'now'>
): () => Promise<readonly AirtimeAhead[]> {
  let kept: { at: number; ahead: Promise<AirtimeAhead[]> } | null = null
  return () => {
    const now = clock.now()
    if (kept !== null && Math.abs(now - kept.at) < KEPT_MS) return kept.ahead
    const made = { at: now, ahead: make(plannedBroadcasts(config(), now)) }
    made.ahead.catch(() => {
      if (kept === made) kept = null
    })
    kept = made
    return made.ahead
  }
}

/** The broadcasts of the coming hours. The words of most are known only when they go. */
export function plannedBroadcasts({ notifications, station }: Config, now: number): Planned[] {
  if (!notifications.enabled) return []
  return notifications.broadcasts
    .filter(({ enabled }) => enabled)
    .flatMap((broadcast) => {
      const bytes = broadcast.what === 'text' ? Buffer.byteLength(broadcast.text) : null
      const channels = [
        ...(broadcast.mt === null ? [] : [{ network: 'mt' as const, channel: String(broadcast.mt) }]),
        ...(broadcast.mc === null ? [] : [{ network: 'mc' as const, channel: broadcast.mc }])
      ]
      return runsOf(broadcast, station.timezone, now).flatMap((at) => channels.map((to) => ({ ...to, at, bytes })))
    })
}

function runsOf(broadcast: Parameters<typeof nextRun>[0], timezone: string, now: number): number[] {
  const runs: number[] = []
  let at = nextRun(broadcast, timezone, now)
  while (at !== null && at <= now + HOURS_AHEAD * 3_600_000 && runs.length < MOST_RUNS) {
    runs.push(at)
    at = nextRun(broadcast, timezone, at)
  }
  return runs
}
