import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { DeliveryView } from '../../../src/warning/outbox/delivery.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/**
 * docs/interface.md §2: an event ends per zone, and its end goes once to whom it was told. Random lives of warnings over several
 * zones and regions, judged by what was on the air alone.
 */

/** By zone the region it lies in. */
const REGION: Readonly<Record<string, string>> = { IDZ001: 'North', IDZ002: 'South', IDZ003: 'South', IDZ004: 'East' }
const ZONES = Object.keys(REGION)
const CONFIG = {
  ...withMatrix(
    {
      weather: {
        North: { mt: 1, mc: 'both' },
        South: { mt: 2, mc: 'south', fallback: true },
        East: { mt: 3, mc: 'both', min_severity: 'priority' }
      }
    },
    {
      coalesce_seconds: 10,
      toggles: { weather: { cooldown_seconds: 120, freshness_seconds: 0 } },
      quiet_hours: { enabled: true, start: '18:30', end: '18:40' }
    }
  ),
  coverage: {
    region_tagging: true,
    areas: ['North', 'South', 'East'].map((name) => ({ name, codes: ZONES.filter((zone) => REGION[zone] === name) }))
  },
  station: { timezone: 'UTC' }
}

const zones = fc.subarray(ZONES, { minLength: 1 })
const thread = fc.constantFrom('A', 'B')
const severity = fc.constantFrom('routine', 'priority', 'critical', 'immediate')
const STEP = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('tell' as const),
      thread,
      zones,
      severity,
      minutes: fc.constantFrom(20, 60, 600),
      joined: fc.boolean()
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), thread, zones: fc.option(zones, { nil: [] }) })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), thread, zones }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 4, 30, 150, 600) })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      radio: fc.constantFrom('mt' as const, 'mc' as const),
      down: fc.boolean()
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      radio: fc.constantFrom('mt' as const, 'mc' as const),
      how: fc.constantFrom('refused' as const, 'discarded' as const, 'on-air' as const)
    })
  }
)
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never

interface Posted {
  id: string
  seq: number
  thread: string
  kind: 'tell' | 'cancel' | 'expire'
  zones: readonly string[]
  at: number
  expires: number | null
}

/** One row on one channel, with what it was made of. */
interface Said {
  row: DeliveryView
  thread: string
  ends: boolean
  zones: ReadonlySet<string>
  /** The time at which the radio had it first, and whether it is known to have been on the air. */
  at: number
  surely: boolean
}

async function lived(t: Test, steps: readonly Step[]): Promise<{ s: Station; posted: Posted[] }> {
  const s = await station(t, { config: CONFIG })
  const posted: Posted[] = []
  const post = async (
    kind: Posted['kind'],
    thread: string,
    zones: readonly string[],
    more: Record<string, unknown>
  ): Promise<void> => {
    const id = `${thread}${kind}${posted.length}`
    const { seq } = await s.post({
      ...{
        id,
        family: 'weather',
        category: 'weather_flood_warning',
        thread_id: thread,
        zones,
        regions: [],
        title: `Flood Warning ${id}`
      },
      ...more
    })
    const expires = typeof more['expires'] === 'string' ? Date.parse(more['expires']) : null
    posted.push({ id, seq: seq ?? -1, thread, kind, zones, at: s.clock.now(), expires })
  }
  for (const step of steps) {
    const { kind } = step
    // Two messages of one second are not in order by what they say.
    await s.run(1)
    if (kind === 'wait') await s.run(step.seconds)
    if (kind === 'link') s[step.radio].setFault({ down: step.down })
    if (kind === 'fault')
      s[step.radio].setFault(
        step.how === 'refused' ? { refuseNext: { code: 'DUTY_CYCLE_LIMIT', retry: true } } : { silentNext: step.how }
      )
    if (kind === 'tell') {
      const { thread, zones, severity } = step
      const lifecycle = posted.some((one) => one.thread === thread) ? 'update' : 'new'
      const expires = new Date(s.clock.now() + step.minutes * 60_000).toISOString()
      const data = {
        event_name: 'Flood Warning',
        places: [`P${posted.length}`],
        detail: step.joined ? 'Water rises' : `Water ${posted.length}`
      }
      await post('tell', thread, zones, { severity, lifecycle, expires, data })
    }
    if (kind === 'cancel' || kind === 'expire') {
      const data = { event_name: 'Flood Warning', places: [`P${posted.length}`] }
      await post(kind, step.thread, step.zones, { severity: 'routine', lifecycle: kind, data })
    }
  }
  for (const radio of [s.mt, s.mc]) radio.setFault({ down: false })
  for (let round = 0; round < 100 && s.core.waiting.open() > 0; round++) await s.run(600)
  return { s, posted }
}

function saidOn(s: Station, posted: readonly Posted[]): Map<string, Said[]> {
  const byId = new Map(posted.map((one) => [one.id, one]))
  const channels = new Map<string, Said[]>()
  for (const row of s.deliveries()) {
    const radio = row.transport === 'mt' ? s.mt : s.mc
    const bare = (text: string): string => text.replace(/^Lookout: /, '').replace(/^RPT /, '')
    const aired = radio.airLog.find(
      ({ channel, text }) => channel === row.channel && row.text !== null && bare(text) === bare(row.text)
    )
    // Of unknown fate: it may have been heard, and is not said again below critical (docs/interface.md §6).
    const surely = row.state !== 'sent_unknown'
    if (aired === undefined && surely) continue
    const pieces = row.event_ids.flatMap((id) => byId.get(id) ?? [])
    const key = `${row.transport}:${row.channel}`
    const handed = s.core.deliveries.steps(row.id).find(({ state }) => state === 'transmitting')
    const at = Date.parse(handed?.at ?? row.created_at)
    for (const thread of new Set(pieces.map((piece) => piece.thread))) {
      const own = pieces.filter((piece) => piece.thread === thread)
      const named = own.flatMap((piece) => (piece.zones.length > 0 ? piece.zones : ZONES))
      const zones = new Set(named.filter((zone) => row.regions.includes(REGION[zone] ?? '')))
      channels.set(key, [
        ...(channels.get(key) ?? []),
        {
          row,
          thread,
          ends: row.kind === 'cancel',
          zones,
          at,
          surely
        }
      ])
    }
  }
  return channels
}

/** The faults of the air: what it says and must not, and what it does not say and must. */
function faults(s: Station, posted: readonly Posted[]): string[] {
  return [...saidOn(s, posted)].flatMap(([channel, all]) => {
    const inOrder = [...all].sort((a, b) => a.at - b.at)
    return [...new Set(all.map((one) => one.thread))].flatMap((thread) => {
      const said = inOrder.filter((one) => one.thread === thread)
      const own = posted.filter((one) => one.thread === thread)
      const found = [...wrongEnds(said, own), ...ZONES.flatMap((zone) => unheard(zone, said, own))]
      return found.map((what) => `${channel} ${thread}: ${what}`)
    })
  })
}

const about = (zone: string, posted: readonly Posted[]): Posted[] =>
  posted.filter(({ zones }) => zones.length === 0 || zones.includes(zone))

/** Ends of what was not told there or had its end, that name no region, or that speak of what goes on as over and the other way round. */
function wrongEnds(said: readonly Said[], posted: readonly Posted[]): string[] {
  const found: string[] = []
  const open = new Set<string>()
  for (const { ends, zones, row, at } of said) {
    if (!ends) {
      for (const zone of zones) open.add(zone)
      continue
    }
    const ended = [...zones].filter((zone) => open.delete(zone))
    const lastWord = (zone: string): Posted | undefined => about(zone, posted).findLast((one) => one.at <= at)
    const goesOn = (zone: string): boolean => lastWord(zone)?.kind === 'tell'
    if (ended.length === 0) found.push(`"${row.text}" ends nothing that was told`)
    else if (ended.every(goesOn)) found.push(`"${row.text}" although it goes on again`)
    const still = ZONES.some((zone) => row.regions.includes(REGION[zone] ?? '') && goesOn(zone))
    const names = row.regions.length > 0 && row.regions.every((region) => row.text?.includes(region))
    if (row.text?.includes('Still on') ? !still : !names) found.push(`"${row.text}" in ${row.regions.join(', ')}`)
  }
  return found
}

/** A told warning that was cancelled for good in this zone, and nobody heard; or one that left after its end. */
function unheard(zone: string, said: readonly Said[], posted: readonly Posted[]): string[] {
  const words = about(zone, posted)
  const told = words.findLastIndex(({ kind }) => kind === 'tell')
  const end = words[told + 1]
  if (told < 0 || end === undefined) return []
  const here = said.filter(({ zones }) => zones.has(zone))
  const begun = here.filter(({ ends }) => !ends)
  const late = begun.filter(({ at, zones }) => at > end.at && zones.size === 1)
  const found = late.map(({ row }) => `"${row.text}" after its end`)
  const last = begun.findLast(({ at, surely }) => surely && at <= end.at)
  const until = posted.filter(({ id }) => last?.row.event_ids.includes(id)).map(({ expires }) => expires ?? 0)
  if (last === undefined || end.kind === 'expire' || Math.max(...until) <= end.at) return found
  return here.some(({ ends, at }) => ends && at > last.at)
    ? found
    : [...found, `no end of "${last.row.text}" in ${zone}`]
}

t.test(
  'whoever was told of a warning hears of its end once, with the name of the region, and nobody else does',
  async (t) => {
    const runs = Number(process.env['LOOKOUT_ENDS_RUNS'] ?? 60)
    const seed = Number(process.env['LOOKOUT_ENDS_SEED'] ?? 1)
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 3, maxLength: 14 }), async (steps) => {
        const { s, posted } = await lived(t, steps)
        const found = faults(s, posted)
        if (found.length > 0)
          throw new Error(
            `${found.join('\n')}\n${s
              .deliveries({ merged: true })
              .map(
                (row) =>
                  `${row.id} ${row.transport}:${row.channel} ${row.kind} ${row.state} ${row.reason} ${row.regions} ${row.event_ids} ${row.created_at.slice(11, 19)} ${row.sent_at?.slice(11, 19)} ${row.text}`
              )
              .join('\n')}`
          )
      }),
      { numRuns: runs, seed }
    )
  }
)
