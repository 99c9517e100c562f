import t from 'tap'
import { plannedBroadcasts } from '../../../src/station/airtime-ahead.ts'
import {
  channelsAhead,
  hoursAhead,
  played,
  type Usual,
  type Wanted
} from '../../../src/warning/outbox/airtime-ahead.ts'
import { AirtimePlans } from '../../../src/warning/outbox/airtime-plans.ts'
import { mtModem } from '../../../src/warning/radios/modem.ts'
import { fire, launch, NOW, queue, station } from '../../dashboard/harness.ts'

/** The hours to come on the air: from what waits, what is planned, and what the hours of the last days looked like (contract §6). */

const HOUR = 3_600_000
const now = 1_750_000_000_000
const text = (patch: Partial<Wanted> = {}): Wanted => ({
  ...{ channel: '3', kind: 'queued', severity: 'priority', at: now, until: null, ms: 1000 },
  ...patch
})
/** One per cent of an hour is 36 s: 70 % of it are ours, and 80 % of that for all but immediate danger: 20.16 s. */
const european = { now, network: 'mc', dutyCycle: 0.01, spent: [] } as const
const none: Usual = { days: 0, byChannel: new Map() }

t.test('what fits goes at once, one after the other, with the pauses of the queue', async (t) => {
  const { sent, full_at, clear_at, late } = played([text(), text({ severity: 'critical' }), text()], european)
  t.same(
    sent.map(({ begins }) => begins - now),
    [0, 5000, 8000],
    'four times its own length is left free after what is not grave, two seconds after what is'
  )
  t.same([full_at, clear_at, late], [null, now + 9000, 0])
})

t.test('the hour that is full is told, and when the last text is on the air', async (t) => {
  const { sent, full_at, clear_at } = played(
    Array.from({ length: 30 }, () => text()),
    european
  )
  t.equal(full_at, now + 20 * 5000, 'twenty seconds are taken')
  const [late] = sent.slice(20)
  t.ok(late !== undefined && late.begins >= now + HOUR, 'the twenty-first waits for the first to be an hour old')
  t.ok(clear_at !== null && clear_at > now + HOUR && clear_at < now + HOUR + 10 * 60_000, String(clear_at))
})

t.test('what was spent in the last hour counts, and immediate danger has the reserve', async (t) => {
  const spent = [{ at: now - 30 * 60_000, ms: 20_000 }]
  const grave = played([text({ severity: 'immediate' })], { ...european, spent })
  t.same([grave.full_at, grave.clear_at], [null, now + 1000])
  const other = played([text()], { ...european, spent })
  t.equal(other.full_at, now)
  t.ok(Number(other.clear_at) >= now + 30 * 60_000)
})

t.test('a text that is over before its turn, or longer than any hour allows, is late and takes nothing', async (t) => {
  const spent = [{ at: now, ms: 20_000 }]
  const { late, sent, clear_at } = played([text({ until: now + 60_000 }), text({ ms: 25_000 })], { ...european, spent })
  t.same([late, sent, clear_at], [2, [], null])
})

t.test('what is planned goes when its time comes, and does not hold up what is due before', async (t) => {
  const planned = text({ kind: 'planned', at: now + 2 * HOUR, ms: 3000 })
  const done = played([planned, text()], european)
  t.same(
    done.sent.map(({ kind, begins }) => [kind, begins - now]),
    [
      ['queued', 0],
      ['planned', 2 * HOUR]
    ]
  )
  t.equal(done.clear_at, now + 1000, 'nobody waits for a broadcast')
  const hours = hoursAhead(done, none, now)
  t.same(
    hours.slice(0, 3).map(({ queued_ms, planned_ms, usual_ms }) => [queued_ms, planned_ms, usual_ms]),
    [
      [1000, 0, null],
      [0, 0, null],
      [0, 3000, null]
    ],
    'without a day behind it nothing is said to be usual'
  )
})

t.test('the usual of an hour is that hour of the day, of each channel', async (t) => {
  const at = Math.floor(now / HOUR) % 24
  const hours = Array.from({ length: 24 }, (_, hour) => (hour === (at + 1) % 24 ? 700 : 0))
  const usual: Usual = { days: 3, byChannel: new Map([['5', hours]]) }
  t.same(
    hoursAhead(played([], european), usual, now)
      .slice(0, 3)
      .map(({ usual_ms }) => usual_ms),
    [0, 700, 0]
  )
  t.same(channelsAhead([text()], usual, now), [
    { channel: '3', queued: 1, planned: 0, ms: 1000, usual_ms: 0 },
    { channel: '5', queued: 0, planned: 0, ms: 0, usual_ms: 700 }
  ])
})

t.test('broadcasts of the coming hours are planned, with their words where these are known', async (t) => {
  const broadcast = {
    name: 'b',
    enabled: true,
    days: [],
    mt: 2,
    mc: null,
    text: 'Good morning',
    at: ['10:00', '14:30']
  }
  const config = (more: object, enabled = true) =>
    ({ notifications: { enabled, broadcasts: [{ ...broadcast, ...more }] }, station: { timezone: 'UTC' } }) as never
  const nine = Date.UTC(2026, 0, 5, 9)
  t.same(plannedBroadcasts(config({ what: 'text' }), nine), [
    { network: 'mt', channel: '2', at: nine + HOUR, bytes: 12 },
    { network: 'mt', channel: '2', at: nine + 5.5 * HOUR, bytes: 12 }
  ])
  t.same(
    plannedBroadcasts(config({ what: 'digest', mc: 'hailey', at: ['10:00'] }), nine).map(({ network, bytes }) => [
      network,
      bytes
    ]),
    [
      ['mt', null],
      ['mc', null]
    ]
  )
  t.same(plannedBroadcasts(config({ what: 'text', enabled: false }), nine), [])
  t.same(plannedBroadcasts(config({ what: 'text' }, false), nine), [], 'notifications are off')
})

const description = {
  ...{ id: 'a', network: 'mt', link: 'sim', simulated: true, nodeName: 'Hut' },
  modem: mtModem('ShortFast', 'US')
} as never

t.test(
  'the ledger tells what waits and what the last days were like; what is not written yet is a guess',
  async (t) => {
    const s = await station(t)
    const plans = new AirtimePlans(s.db)
    const ask = () => plans.of({ description, spent: [], planned: [], now: NOW })
    const empty = await ask()
    t.same([empty.days, empty.channels, empty.is_estimate, empty.clear_at], [0, [], false, null])
    await s.ask({ path: '/api/events', body: fire })
    launch(s.outbox, queue(s, 1), 'x'.repeat(80))
    await s.ask({ path: '/api/events', body: { ...fire, id: 'f2' } })
    queue(s, 2)
    const { days, is_estimate, channels, hours } = await plans.of({
      description,
      spent: [],
      planned: [],
      now: NOW + 1000
    })
    t.same([days, is_estimate], [1, true])
    t.match(channels, [{ channel: '3', queued: 1, planned: 0 }])
    t.ok(Number(channels[0]?.ms) > 50 && Number(channels[0]?.usual_ms) >= 0)
    t.ok(Number(hours[0]?.queued_ms) > 0)
  }
)
