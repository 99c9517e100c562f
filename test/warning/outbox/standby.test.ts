import t from 'tap'
import * as v from 'valibot'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { standbyMs } from '../../../src/warning/outbox/standby.ts'
import { alertLetters, markOf, tagIn } from '../../../src/warning/outbox/station-mark.ts'
import { standbySchema } from '../../../src/warning/routing/standby-settings.ts'
import { Air } from '../../helpers/air.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** Docs: docs/interface.md §6, *Two stations*. */

const SECRET = 'a shared secret of two'
const [ONE, TWO, THREE] = ['!00000001', '!00000002', '!00000003'] as const
const LISTENER = '!0000000f'
const PEERS = [ONE, TWO, THREE]

const configOf = (order: number, more: object = {}): object =>
  withMatrix(
    { fire: { North: { mt: 3 } } },
    { standby: { enabled: true, order, secret: SECRET, peers: PEERS, ...more } }
  )

interface Pair {
  air: Air
  clock: VirtualClock
  cut: Set<string>
  stations: Station[]
}

/** Stations on one channel, with a listener; `cut`: nodes that reach nobody. */
async function pair(t: Parameters<typeof station>[0], configs: readonly object[]): Promise<Pair> {
  const clock = new VirtualClock(START)
  const cut = new Set<string>()
  const air = new Air({ clock, random: () => 0.5, reaches: (from, to) => !cut.has(from) && !cut.has(to) })
  air.listener(LISTENER)
  const stations: Station[] = []
  for (const [index, config] of configs.entries()) {
    const id = PEERS[index] ?? ONE
    const radio = await air.radio(id)
    stations.push(await station(t, { config, clock, radios: [radio], random: () => 0.5 }))
  }
  return { air, clock, cut, stations }
}

const burn = { id: 'a', title: 'Pine Fire', severity: 'critical', expires: '2026-06-02T18:00:00Z' }
const both = async ({ stations }: Pair, event: Record<string, unknown>): Promise<void> => {
  for (const one of stations) await one.post(event)
}
const states = (one: Station | undefined): string[] => (one?.deliveries() ?? []).map(({ state }) => state)

t.test('the second station hears the first and says nothing; it counts as told', async (t) => {
  const p = await pair(t, [configOf(1), configOf(2)])
  await both(p, burn)
  await p.stations[0]?.run(300)
  const heard = p.air.heardBy(LISTENER)
  t.same(
    heard.map(({ from }) => from),
    [ONE]
  )
  t.match(heard[0]?.text, /Pine Fire.* #[0-9A-Z]{4}\.[0-9A-Z]{5}$/)
  t.same(states(p.stations[1]), ['stood_down'])
  const [row] = p.stations[1]?.deliveries() ?? []
  t.equal(row?.reason, 'heard_peer')
  await both(p, { ...burn, id: 'b', lifecycle: 'cancel', thread_id: 'test:a' })
  await p.stations[0]?.run(300)
  t.same(
    p.air.heardBy(LISTENER).map(({ from }) => from),
    [ONE, ONE],
    'the end is owed by both and said by one'
  )
})

t.test('what the first does not say in its time the second says, marked, within two minutes', async (t) => {
  const p = await pair(t, [configOf(1), configOf(2)])
  p.cut.add(ONE)
  await both(p, burn)
  await p.stations[0]?.run(40)
  t.same(p.air.heardBy(LISTENER), [], 'it listens for 45 seconds and what chance adds')
  await p.stations[0]?.run(60)
  const heard = p.air.heardBy(LISTENER)
  t.same(
    heard.map(({ from }) => from),
    [TWO]
  )
  t.match(heard[0]?.text, /^STBY Pine Fire/)
  p.cut.clear()
  await p.stations[0]?.run(3600)
  t.equal(p.air.heardBy(LISTENER).filter(({ from }) => from === TWO).length, 1)
})

t.test('a third waits for both, and three stations of which one lives say it once', async (t) => {
  for (const alive of [ONE, TWO, THREE]) {
    const p = await pair(t, [configOf(1, { stations: 3 }), configOf(2, { stations: 3 }), configOf(3, { stations: 3 })])
    for (const id of PEERS) if (id !== alive) p.cut.add(id)
    await both(p, { ...burn, severity: 'immediate' })
    await p.stations[0]?.run(120)
    t.same(
      p.air.heardBy(LISTENER).map(({ from }) => from),
      [alive]
    )
  }
})

t.test('the first says nothing of what another was heard saying before it had its turn', async (t) => {
  const p = await pair(t, [configOf(1), configOf(2)])
  await p.stations[1]?.post(burn)
  await p.stations[1]?.run(120)
  await p.stations[0]?.post(burn)
  await p.stations[0]?.run(120)
  t.same(
    p.air.heardBy(LISTENER).map(({ from }) => from),
    [TWO]
  )
  t.same(states(p.stations[0]), ['stood_down'])
})

t.test('an update is another alert: what was heard of the one before does not silence it', async (t) => {
  const p = await pair(t, [configOf(1), configOf(2)])
  await both(p, burn)
  await p.stations[0]?.run(200)
  p.cut.add(ONE)
  const graver = { ...burn, revision: '2', severity: 'immediate', lifecycle: 'update', title: 'Pine Fire crosses' }
  await both(p, graver)
  await p.stations[0]?.run(120)
  t.same(
    p.air.heardBy(LISTENER).map(({ from }) => from),
    [ONE, TWO]
  )
})

t.test('a tag counts only with the right secret, from a station that is listed, and on its channel', async (t) => {
  const mark = markOf(SECRET, { family: 'fire', id: 'a', revision: '' }, { severity: 'critical', ends: false })
  const forged = markOf(
    'another secret, as long',
    { family: 'fire', id: 'a', revision: '' },
    { severity: 'critical', ends: false }
  )
  const cases = [
    ['as it is', { from: ONE, channel: 3 }, mark, {}, 'stood_down'],
    ['another secret', { from: ONE, channel: 3 }, forged, {}, 'heard'],
    ['nobody listed', { from: '!000000ff', channel: 3 }, mark, {}, 'heard'],
    ['another channel', { from: ONE, channel: 4 }, mark, {}, 'heard'],
    ['a direct text', { from: ONE, channel: null }, mark, {}, 'heard'],
    [
      'anybody of the channel, where it is trusted',
      { from: '!000000ff', channel: 3 },
      mark,
      { trust: 'channel' },
      'stood_down'
    ],
    ['a forger of the channel', { from: '!000000ff', channel: 3 }, forged, { trust: 'channel' }, 'heard']
  ] as const
  for (const [what, text, tail, more, state] of cases) {
    const s = await station(t, { config: configOf(2, more), random: () => 0.5 })
    await s.post(burn)
    await s.run(5)
    s.mt.receive({ text: `FIRE Pine #K7QF.${tail}`, ...text })
    await s.run(120)
    t.same(states(s), [state], what)
  }
})

t.test('less grave than here is not the same: a station that judges it critical says so', async (t) => {
  const s = await station(t, { config: configOf(2), random: () => 0.5 })
  await s.post(burn)
  const lesser = markOf(SECRET, { family: 'fire', id: 'a', revision: '' }, { severity: 'priority', ends: false })
  s.mt.receive({ text: `FIRE Pine #K7QF.${lesser}`, from: ONE, channel: 3 })
  await s.run(120)
  t.same(states(s), ['heard'])
})

t.test('a revision that is not known here covers; an older one does not', async (t) => {
  const said = { severity: 'critical', ends: false } as const
  const of = (revision: string): string => markOf(SECRET, { family: 'fire', id: 'a', revision }, said)
  t.not(of('1'), of('2'))
  for (const [revision, state] of [
    ['1', 'heard'],
    ['7', 'stood_down']
  ] as const) {
    const s = await station(t, { config: configOf(2), random: () => 0.5 })
    await s.post({ ...burn, revision: '1' })
    await s.post({ ...burn, revision: '2', lifecycle: 'update', title: 'Pine Fire crosses' })
    s.mt.receive({ text: `FIRE Pine #K7QF.${of(revision)}`, from: ONE, channel: 3 })
    await s.run(120)
    t.same(states(s), [state], revision)
  }
})

t.test('what was heard, and what waits, survives the end of the process', async (t) => {
  const s = await station(t, { config: configOf(2), databasePath: `${t.testdir()}/lookout.db`, random: () => 0.5 })
  const mark = markOf(SECRET, { family: 'fire', id: 'a', revision: '' }, { severity: 'critical', ends: false })
  s.mt.receive({ text: `FIRE Pine #K7QF.${mark}`, from: ONE, channel: 3 })
  const again = await s.restart()
  await again.post(burn)
  await again.run(120)
  t.same(states(again), ['stood_down'])
  await again.post({ ...burn, id: 'c', title: 'Oak Fire' })
  await again.run(20)
  const third = await again.restart()
  await third.run(44)
  t.same(third.onAir(), [], 'it listens anew: nobody listened while it was away')
  await third.run(60)
  t.match(third.onAir(), [/^mt:3 STBY .*Oak Fire/])
})

t.test('one station alone says at once what it always said, without a mark', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3 } } }) })
  await s.post(burn)
  await s.run(10)
  t.match(s.onAir(), [/Pine Fire/])
  t.equal(tagIn(s.onAir()[0] ?? ''), null)
})

t.test(
  'the wait is the place in the order times the severity’s; with no clock chance adds at most a third',
  async (t) => {
    const settings = v.parse(standbySchema, { enabled: true, secret: SECRET, peers: [ONE], order: 3, stations: 3 })
    const [set, unset] = [START, 600_000]
    const cases = [
      [settings, 'immediate', unset, 0, 60_000],
      [settings, 'immediate', unset, 1, 70_000],
      [settings, 'immediate', set, 1, 60_000],
      [settings, 'routine', unset, 0, 240_000],
      [{ ...settings, order: 1 }, 'routine', unset, 1, 0],
      [{ ...settings, enabled: false }, 'routine', unset, 1, 0]
    ] as const
    for (const [of, severity, now, chance, ms] of cases)
      t.equal(standbyMs(of, severity, { now, random: () => chance }), ms)
  }
)

t.test('two stations without a secret, or without anybody to listen to, are refused', async (t) => {
  for (const [settings, words] of [
    [{ enabled: true, secret: 'short', peers: [ONE] }, /at least 12 characters/],
    [{ enabled: true, secret: SECRET }, /name the radios/],
    [{ enabled: true, secret: SECRET, peers: [ONE], order: 3 }, /no higher than the number of stations/],
    [{ enabled: true, secret: SECRET, peers: [ONE], wait_seconds: { critical: 10 } }, /at least 30 seconds/]
  ] as const)
    t.throws(() => v.parse(standbySchema, settings), words)
})

t.test(
  'four letters tell alerts apart: a thousand of them make no two marks of one alert and one gravity',
  async (t) => {
    const marks = new Set<string>()
    for (let n = 0; n < 1000; n++)
      marks.add(
        alertLetters(SECRET, { family: 'fire', id: `e${n}`, revision: '' }, { severity: 'critical', ends: false })
      )
    t.ok(marks.size >= 998, `${marks.size}`)
  }
)
