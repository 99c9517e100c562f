import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { LookoutEvent } from '../../src/model/event.ts'
import { severityRank } from '../../src/model/severity.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { readAnyFeed } from '../../src/warning/feeds/recorded.ts'
import type { DeliveryView } from '../../src/warning/outbox/delivery.ts'
import type { Accepted } from '../../src/warning/routing/accepted.ts'
import { needsFixture } from '../helpers/fixtures.ts'
import { type Station, station } from '../helpers/station.ts'

/** docs/interface.md §4 rules 4, 6, 8: of recorded feeds nothing is lost to cooldown, staleness, sightings or inhibition. */

const MINUTE = 60_000
const ON_AIR = new Set(['sent', 'heard', 'delivered', 'unconfirmed'])

interface Deferred {
  what: string
  heldAt: number
  leftAt: number | null
  /** The number of messages that were told in its text. */
  together: number
}

interface Outcome {
  messages: number
  texts: number
  deferred: Deferred[]
  /** Events that nobody was told of, by reason. */
  untold: Record<string, string[]>
}

const region = (codes: readonly string[] | null, floor = 'priority') => ({
  coverage: {
    enabled: true,
    region_tagging: true,
    areas: [codes === null ? { name: 'All', bbox: [-180, -90, 180, 90] } : { name: 'All', codes }]
  },
  notifications: {
    region_routes: {
      enabled: true,
      cells: Object.fromEntries(
        ['weather', 'fire', 'avalanche', 'seismic', 'emergency'].map((family) => [
          family,
          { All: { mt: 0, mc: null, min_severity: floor } }
        ])
      )
    }
  }
})

/** Every event at its own time, then until nothing waits. */
async function replayed(t: Test, events: readonly LookoutEvent[], config: unknown): Promise<[Station, Accepted[]]> {
  const list = [...events].sort((a, b) => Date.parse(a.sent_at) - Date.parse(b.sent_at))
  const s = await station(t, { config, clock: new VirtualClock(Date.parse(list[0]?.sent_at ?? '') - MINUTE) })
  const accepted: Accepted[] = []
  for (const event of list) {
    await s.clock.runTo(Math.max(s.clock.now(), Date.parse(event.sent_at)))
    const answer = s.core.accept([{ event: { ...event, received_at: new Date(s.clock.now()).toISOString() } }])
    await s.clock.runTo(s.clock.now())
    accepted.push(...(await answer))
  }
  while (s.core.waiting.open() > 0) await s.run(600)
  return [s, accepted.filter(({ duplicate }) => !duplicate)]
}

function outcomeOf(s: Station, accepted: readonly Accepted[]): Outcome {
  const byId = new Map(s.deliveries({ merged: true }).map((row) => [row.id, row]))
  const carrier = (row: DeliveryView): DeliveryView => {
    const into = row.merged_into === null ? undefined : byId.get(row.merged_into)
    return into === undefined ? row : carrier(into)
  }
  const members = new Map<number, number>()
  for (const row of byId.values())
    if (row.path !== 'digest') members.set(carrier(row).id, (members.get(carrier(row).id) ?? 0) + 1)
  const untold: Outcome['untold'] = {}
  const note = (reason: string, what: string): void => {
    untold[reason] = [...(untold[reason] ?? []), what]
  }
  for (const one of accepted) {
    const { seq, event, decision } = one
    const own = seq === null ? [] : s.core.deliveries.ofEvent(seq)
    const joined = decision?.trace.some(({ stage, reason }) => stage === 'thread' && reason === 'same_hazard') === true
    const reason = `${decision?.reason}`
    const isRepeat =
      reason === 'duplicate' && !joined && [...byId.values()].some((row) => row.thread_id === event.thread_id)
    const why = reason === 'duplicate' && joined ? 'sighting' : reason
    const unsent = own.map(carrier).filter(({ state }) => !ON_AIR.has(state))
    if (isInhibited(one)) {
      // Told when the graver one is over; else that one said it until then.
      const told = own.length > 0 && unsent.length === 0
      if (!told && !isCovered(event, accepted, byId.values())) note('inhibition', event.title)
      continue
    }
    if (own.length === 0) note(isRepeat ? 'repeat' : why, event.title)
    for (const { state, reason: fate } of unsent) note(`${state} ${fate}`, event.title)
  }
  const deferred = [...byId.values()].flatMap((row): Deferred[] => {
    const held = s.core.deliveries.steps(row.id).find((step) => step.state === 'held' && step.reason === 'cooldown')
    if (held === undefined) return []
    const last = carrier(row)
    const leftAt = last.sent_at === null ? null : Date.parse(last.sent_at)
    const what = accepted.find(
      ({ seq }) => seq !== null && s.core.deliveries.ofEvent(seq).some(({ id }) => id === row.id)
    )
    return [{ what: what?.event.title ?? '', heldAt: Date.parse(held.at), leftAt, together: members.get(last.id) ?? 1 }]
  })
  const carried = [...byId.values()].filter((row) => ON_AIR.has(carrier(row).state))
  return { messages: carried.length, texts: s.onAir().length, deferred, untold }
}

const isInhibited = ({ decision }: Accepted): boolean =>
  (decision?.inhibited ?? []).length > 0 || decision?.reason === 'inhibited'

/** True when every zone of what was muted was told of something at least as grave that lasts as long. */
function isCovered(muted: LookoutEvent, accepted: readonly Accepted[], rows: Iterable<DeliveryView>): boolean {
  const told = new Set([...rows].filter(({ state }) => ON_AIR.has(state)).map(({ thread_id }) => thread_id))
  const graver = accepted.filter(
    ({ event, decision }) =>
      decision?.kind === 'send' &&
      told.has(event.thread_id) &&
      event.thread_id !== muted.thread_id &&
      severityRank(event.severity) >= severityRank(muted.severity) &&
      Date.parse(event.expires ?? '') >= Date.parse(muted.expires ?? '')
  )
  const zones = new Set(graver.flatMap(({ event }) => event.zones))
  return muted.zones.every((zone) => zones.has(zone))
}

/** Tells whoever reads the output what was deferred and when it left. */
function tell(t: Test, name: string, { messages, texts, deferred, untold }: Outcome): void {
  t.comment(`${name}: ${messages} messages in ${texts} texts, ${deferred.length} deferred`)
  for (const { what, heldAt, leftAt, together } of deferred) {
    const [held, left] = [heldAt, leftAt ?? 0].map((at) => new Date(at).toISOString().slice(5, 19))
    const minutes = leftAt === null ? 'never' : `${((leftAt - heldAt) / MINUTE).toFixed(1)} min`
    t.comment(`  held ${held}, left ${left} (${minutes}), ${together} in its text: ${what.slice(0, 70)}`)
  }
  for (const [reason, list] of Object.entries(untold)) t.comment(`  not told, ${reason}: ${list.length}`)
}

function checkNothingLost(t: Test, outcome: Outcome, allowed: readonly string[]): void {
  const lost = Object.entries(outcome.untold).filter(([reason]) => !allowed.includes(reason))
  t.same(lost, [], 'nothing is lost to a cooldown, to staleness, sightings or inhibition')
  t.ok(outcome.deferred.length > 0, 'something was deferred')
  t.same(
    outcome.deferred.filter(({ leftAt }) => leftAt === null),
    [],
    'and all of it left'
  )
}

t.test('a recorded week of earthquakes in one region: every one is told', async (t) => {
  const file = needsFixture(t, 'feeds/usgs-quakes/1.0_week-2022-04-04.geojson')
  if (file === null) return
  const { events } = await readAnyFeed(readFileSync(file), { receivedAt: 0, as: 'usgs' })
  const [s, accepted] = await replayed(t, events, region(null))
  const outcome = outcomeOf(s, accepted)
  tell(t, 'earthquakes', outcome)
  checkNothingLost(t, outcome, ['below_min_severity'])
})

t.test('529 recorded weather alerts in one region: every one is told', async (t) => {
  const file = needsFixture(t, 'feeds/nws-geojson/alerts-500-part-a.json')
  if (file === null) return
  const { events } = await readAnyFeed(readFileSync(file), { receivedAt: 0, as: 'nws' })
  const codes = [...new Set(events.flatMap(({ zones }) => zones))]
  const [s, accepted] = await replayed(t, events, region(codes))
  const outcome = outcomeOf(s, accepted)
  tell(t, 'alerts', outcome)
  // An end by time is silent, an end of what was below the floor too; what says nothing new of its own event is a repeat.
  checkNothingLost(t, outcome, ['below_min_severity', 'ended_by_time', 'nothing_to_cancel', 'repeat'])
})

t.test('what a graver warning holds back is said by it as long, or told after it', async (t) => {
  const file = needsFixture(t, 'feeds/nws-geojson/alerts-500-part-a.json')
  if (file === null) return
  const { events } = await readAnyFeed(readFileSync(file), { receivedAt: 0, as: 'nws' })
  const codes = [...new Set(events.flatMap(({ zones }) => zones))]
  const weather = { families: ['weather'] }
  const rule = {
    name: 'the graver one',
    enabled: true,
    source: { ...weather, min_severity: 'priority' },
    target: weather
  }
  const { coverage, notifications } = region(codes, 'routine')
  const config = { coverage, notifications: { ...notifications, inhibition: { rules: [rule] } } }
  const [s, accepted] = await replayed(t, events, config)
  const outcome = outcomeOf(s, accepted)
  tell(t, 'alerts with inhibition', outcome)
  t.ok(accepted.filter(isInhibited).length >= 5, 'something was held back')
  checkNothingLost(t, outcome, ['ended_by_time', 'nothing_to_cancel', 'repeat'])
})
