import t from 'tap'
import * as v from 'valibot'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { PeerSums, type PeerWord } from '../../../src/warning/outbox/peer-question.ts'
import { standbySchema } from '../../../src/warning/routing/standby-settings.ts'
import { Air } from '../../helpers/air.ts'
import { Lan, type LanKind } from '../../helpers/lan.ts'
import { START, type Station, station } from '../../helpers/station.ts'

/** Docs: docs/interface.md §6, *Two stations*: the word over IP. */

const SECRET = 'a shared secret of two'
const [ONE, TWO, THREE] = ['!00000001', '!00000002', '!00000003'] as const
const IDS = [ONE, TWO, THREE]
const LISTENER = '!0000000f'
const urlOf = (order: number): string => `http://192.168.1.${order}:8080`

type Test = Parameters<typeof station>[0]

interface World {
  air: Air
  lan: Lan
  clock: VirtualClock
  /** Nodes that reach nobody. */
  cut: Set<string>
  kind: { now: LanKind; lie: PeerWord }
  stations: Station[]
  /** Seconds from the alert to each text at the listener, with who said it. */
  told: () => [string, number][]
  run: (seconds: number) => Promise<void>
}

interface Settings {
  stations?: number
  off?: boolean
  cells?: object
  routes?: object
  ip?: boolean
  waits?: object
}

function configOf(order: number, settings: Settings = {}): object {
  const {
    stations = 2,
    off = false,
    cells = { fire: { North: { mt: 3 } } },
    routes = {},
    ip = true,
    waits = {}
  } = settings
  const addresses = ip ? Array.from({ length: stations }, (_, at) => ({ order: at + 1, address: urlOf(at + 1) })) : []
  const standby = { enabled: true, order, stations, secret: SECRET, peers: IDS, addresses, wait_seconds: waits }
  const matrix = { enabled: true, cells, ...routes }
  return { notifications: { coalesce_seconds: 0, enabled: !off, standby, region_routes: matrix } }
}

async function world(t: Test, configs: readonly object[], kind: LanKind = 'true'): Promise<World> {
  const clock = new VirtualClock(START)
  const cut = new Set<string>()
  const air = new Air({ clock, random: () => 0.5, reaches: (from, to) => !cut.has(from) && !cut.has(to) })
  air.listener(LISTENER)
  const way = { now: kind, lie: 'not_here' as PeerWord }
  const lan = new Lan({ clock, secret: SECRET, kind: () => way.now, lie: () => way.lie })
  const stations: Station[] = []
  for (const [at, config] of configs.entries()) {
    const radio = await air.radio(IDS[at] ?? ONE)
    stations.push(await station(t, { config, clock, radios: [radio], random: () => 0.5, askPeer: lan.ask }))
    lan.add(urlOf(at + 1), { order: at + 1, station: () => stations[at] ?? null })
  }
  return {
    air,
    lan,
    clock,
    cut,
    kind: way,
    stations,
    told: () => air.heardBy(LISTENER).map(({ from, at }) => [from, Math.round((at - ALERT_AT) / 1000)]),
    run: (seconds) => clock.runTo(clock.now() + seconds * 1000)
  }
}

/** A source that names no time; the stations have it at once, 20 s before the second's slot on LongFast. */
const BURN = { id: 'a', title: 'Pine Fire', severity: 'critical', expires: '2026-06-02T18:00:00Z' }
const ALERT_AT = START + 20_000
/** Some slots later, when the radios have long been there: the first may speak for half a minute, and the next slot is 48 s away. */
const AFTER_SLOT = START + 70_000 + 3 * 74_000
const all = async (w: World, event: Record<string, unknown> = BURN, when = ALERT_AT): Promise<void> => {
  await w.clock.runTo(when)
  for (const one of w.stations) await one.post(event)
}
const at = ({ stations }: World, order: number): Station => {
  const found = stations[order - 1]
  if (found === undefined) throw new Error('there is none')
  return found
}
const states = (one: Station): string[] => one.deliveries().map(({ state }) => state)
const stepsOf = (one: Station): string[] =>
  one.deliveries().flatMap(({ id }) => one.core.deliveries.steps(id).map(({ step }) => step.code))
const away = { down: true } as const

/** A first that says nothing, and what the second does without IP: it waits 45 s, and for the next slot. */
const ALONE = { from: TWO, after: 95 }
/** The next slot, and the time on the air. */
const SOON = 25

t.test('what the first will not say the second says in its next slot, instead of after the wait', async (t) => {
  const cells = (cell: object) => ({ cells: { fire: { North: { mt: 3, ...cell } } } })
  const cases: Record<string, object> = {
    'notifications are off': configOf(1, { off: true }),
    'its cell is off': configOf(1, cells({ enabled: false })),
    'its cell is mute': configOf(1, cells({ enabled: false, mute: true })),
    'its network is off': configOf(1, { routes: { mt_enabled: false } })
  }
  for (const [what, first] of Object.entries(cases)) {
    const without = await world(t, [first, configOf(2, { ip: false })])
    await all(without)
    await without.run(200)
    t.match(without.told(), [[ALONE.from, Number]], what)
    t.ok((without.told()[0]?.[1] ?? 0) >= ALONE.after, `${what}: ${without.told()}`)
    const w = await world(t, [first, configOf(2)])
    await all(w)
    await w.run(200)
    t.match(w.told(), [[TWO, SOON]], what)
    t.ok(stepsOf(at(w, 2)).includes('not_of_peers'), what)
    t.equal(w.lan.asked.length, 1, `${what}: it is asked once`)
  }
})

t.test('the radio of the first is away: the second does not wait, even where the first has not seen it', async (t) => {
  for (const known of [true, false]) {
    const w = await world(t, [configOf(1), configOf(2)])
    at(w, 1).mt.setFault(away)
    await w.clock.runTo(ALERT_AT)
    if (known) await at(w, 1).post(BURN)
    await at(w, 2).post(BURN)
    await w.run(60)
    t.match(w.told(), [[TWO, SOON]])
  }
})

t.test('its text failed: the second is told so when it asks, and does not wait for what never comes', async (t) => {
  const w = await world(t, [configOf(1), configOf(2)])
  at(w, 1).mt.setFault({ refuseNext: { code: 'TOO_LARGE', retry: false } })
  // The first speaks at once, and the second's next slot is before the end of its wait of 90 s.
  await all(w, { ...BURN, severity: 'priority' }, AFTER_SLOT)
  await w.run(70)
  t.same(states(at(w, 1)), ['failed'])
  t.match(w.told(), [[TWO, Number]])
})

t.test('what the first says it will not say it may say after all: who hears the other says nothing', async (t) => {
  const w = await world(t, [configOf(1), configOf(2)])
  at(w, 1).mt.setFault(away)
  await all(w)
  await w.run(4)
  t.ok(stepsOf(at(w, 2)).includes('not_of_peers'))
  at(w, 1).mt.setFault({ down: false })
  await w.run(200)
  t.equal(w.told().length, 1, `${w.told()}`)
  t.equal([...states(at(w, 1)), ...states(at(w, 2))].filter((state) => state === 'stood_down').length, 1)
})

t.test('a first that may still speak without a guard is waited for, whatever it says', async (t) => {
  for (const [age, soonest] of [
    [0.5, 29],
    [20, 9],
    [40, 0]
  ] as const) {
    const w = await world(t, [configOf(1), configOf(2)], 'lies')
    w.cut.add(ONE)
    await all(w, { ...BURN, sent_at: new Date(ALERT_AT - age * 1000).toISOString() })
    await w.run(200)
    const step = at(w, 2)
      .core.deliveries.steps(at(w, 2).deliveries()[0]?.id ?? 0)
      .find((one) => one.step.code === 'not_of_peers')
    const until = (Number(step?.step.params['until']) - ALERT_AT) / 1000
    t.ok(until >= soonest && until < soonest + 6, `${age} s old: the wait ends at ${until} s`)
  }
})

t.test('the queue of the first is slow: the second listens longer, once, and the text is said once', async (t) => {
  const saidBurn = async (ip: boolean): Promise<[World, string[]]> => {
    const w = await world(t, [configOf(1), configOf(2, { ip })])
    await w.clock.runTo(AFTER_SLOT)
    for (let n = 0; n < 16; n++)
      await at(w, 1).post({ ...BURN, id: `e${n}`, title: `Fire ${n}`, severity: 'immediate' })
    await all(w, BURN, AFTER_SLOT)
    await w.run(400)
    return [w, w.air.heardBy(LISTENER).flatMap(({ from, text }) => (text.includes('Pine') ? [from] : []))]
  }
  const [, without] = await saidBurn(false)
  t.same(without, [TWO, ONE].slice(0, without.length), 'without IP the second says it')
  const [w, withIp] = await saidBurn(true)
  t.same(withIp, [ONE])
  const { id, state } = at(w, 2).deliveries()[0] ?? { id: 0 }
  t.equal(state, 'stood_down')
  const until = at(w, 2)
    .core.deliveries.steps(id)
    .flatMap(({ step }) => (step.code === 'coming_of_peer' ? [Number(step.params['until'])] : []))
  t.same(until, [AFTER_SLOT + 90_000], 'one wait of its severity more')
  t.ok(w.lan.asked.length <= 3, `${w.lan.asked.length} questions`)
})

t.test('an immediate alert waits at most 30 s longer, however long its wait is set', async (t) => {
  const w = await world(t, [configOf(1), configOf(2, { waits: { immediate: 60 } })], 'lies')
  w.kind.lie = 'coming'
  w.cut.add(ONE)
  await all(w, { ...BURN, severity: 'immediate' })
  await w.run(300)
  const { id } = at(w, 2).deliveries()[0] ?? { id: 0 }
  const until = at(w, 2)
    .core.deliveries.steps(id)
    .flatMap(({ step }) => (step.code === 'coming_of_peer' ? [Number(step.params['until'])] : []))
  t.same(until, [ALERT_AT + 90_000])
  t.match(w.told(), [[TWO, Number]])
})

t.test('no answer, one that is late, forged, replayed or no answer at all changes nothing', async (t) => {
  for (const kind of ['dead', 'late', 'garbage', 'forged', 'replayed'] as const) {
    const w = await world(t, [configOf(1, { off: true }), configOf(2)], kind)
    await all(w)
    await w.run(200)
    t.match(w.told(), [[TWO, Number]], kind)
    t.ok((w.told()[0]?.[1] ?? 0) >= ALONE.after, `${kind}: ${w.told()}`)
    t.notOk(
      stepsOf(at(w, 2)).some((code) => code === 'not_of_peers' || code === 'coming_of_peer'),
      kind
    )
    t.equal(w.lan.asked.length, 2, `${kind}: asked at the beginning of the wait and at its end`)
  }
})

t.test('an alert that the first has not seen is waited for as without IP', async (t) => {
  const w = await world(t, [configOf(1), configOf(2)])
  await w.clock.runTo(ALERT_AT)
  await at(w, 2).post(BURN)
  await w.run(200)
  t.match(w.told(), [[TWO, Number]])
  t.ok((w.told()[0]?.[1] ?? 0) >= ALONE.after)
})

t.test('whatever is said over IP, nothing counts as heard: no message stands down by it', async (t) => {
  for (const lie of ['coming', 'not_here', 'no_word'] as const) {
    const w = await world(t, [configOf(1), configOf(2)], 'lies')
    w.kind.lie = lie
    w.cut.add(ONE)
    await all(w)
    await w.run(400)
    t.match(w.told(), [[TWO, Number]], lie)
    t.notOk(states(at(w, 2)).includes('stood_down'))
  }
})

t.test('what was said is no word: a second that did not hear it waits as long as ever', async (t) => {
  const w = await world(t, [configOf(1), configOf(2)])
  w.cut.add(TWO)
  await all(w)
  await w.run(200)
  t.match(w.told(), [[ONE, Number]])
  t.notOk(stepsOf(at(w, 2)).some((code) => code === 'not_of_peers' || code === 'coming_of_peer'))
})

t.test('a station at rest asks nobody, and the first of the order never does', async (t) => {
  const w = await world(t, [configOf(1), configOf(2)])
  await w.run(3600)
  t.same(w.lan.asked, [])
  await all(w)
  await w.run(300)
  t.ok(w.lan.asked.every(({ url }) => url === urlOf(1)))
})

t.test('a third ends its wait when both before it will not say it, not when one of them is not asked', async (t) => {
  const three = { stations: 3 }
  const off = { stations: 3, off: true }
  const w = await world(t, [configOf(1, off), configOf(2, off), configOf(3, three)])
  await all(w, { ...BURN, severity: 'priority' })
  await w.run(10)
  t.ok(stepsOf(at(w, 3)).includes('not_of_peers'))
  await w.run(170)
  t.match(w.told(), [[THREE, Number]])
  const one = await world(t, [configOf(1, off), configOf(2, three), configOf(3, three)])
  one.cut.add(TWO)
  await all(one, { ...BURN, severity: 'priority' })
  await one.run(100)
  t.notOk(stepsOf(at(one, 3)).includes('not_of_peers'))
})

t.test('a storm asks about sixteen messages at once', async (t) => {
  const w = await world(t, [configOf(1, { off: true }), configOf(2)])
  await w.clock.runTo(ALERT_AT)
  for (let n = 0; n < 40; n++) await at(w, 2).post({ ...BURN, id: `e${n}`, title: `Fire ${n}` })
  await w.run(10)
  t.same(
    w.lan.asked.map(({ question }) => question.asked.length),
    [16, 16, 8]
  )
})

t.test(
  'a question tells nothing but how much waits, and its answer belongs to it, to its station and to its secret',
  (t) => {
    const message = {
      channelKey: 'mt:3',
      event: { family: 'fire', id: 'a', revision: '1' },
      said: { severity: 'critical', ends: false } as const
    }
    const mine = new PeerSums(SECRET, 1)
    const question = mine.question([message])
    t.notMatch(JSON.stringify(question), /mt:3|fire|critical/)
    t.not(JSON.stringify(question), JSON.stringify(new PeerSums(SECRET, 1).question([message])), 'no two are alike')
    const theirs = new PeerSums(SECRET, 1, question.nonce)
    t.ok(theirs.isQuestion(question))
    t.notOk(new PeerSums('another secret, as long', 1, question.nonce).isQuestion(question))
    t.notOk(theirs.isQuestion({ ...question, asked: [] }))
    const answer = theirs.answer(question, ['coming'])
    t.same(mine.read(question, answer), ['coming'])
    t.equal(new PeerSums(SECRET, 2, question.nonce).read(question, answer), null, 'another station')
    t.equal(new PeerSums(SECRET, 1).read(question, answer), null, 'another question')
    t.equal(mine.read(question, { ...answer, words: [answer.proof] }), null, 'another word')
    t.end()
  }
)

t.test('an address without a secret is refused, and one that is no address of a station', (t) => {
  const of = (more: object): object => ({ enabled: true, secret: SECRET, peers: [ONE], ...more })
  for (const [settings, words] of [
    [{ addresses: [{ order: 1, address: urlOf(1) }] }, /need a shared secret of at least 12 characters/],
    [of({ addresses: [{ order: 1, address: 'ftp://192.168.1.1' }] }), /the address of a station/],
    [of({ addresses: [{ order: 1, address: 'http://me:secret@192.168.1.1' }] }), /the address of a station/],
    [of({ addresses: [{ order: 1, address: 'http://192.168.1.1/pages' }] }), /the address of a station/],
    [of({ addresses: [1, 2].map((n) => ({ order: 1, address: urlOf(n) })) }), /each place in the order has one address/]
  ] as const)
    t.throws(() => v.parse(standbySchema, settings), words)
  t.end()
})

t.test('of each address is known what questions showed', async (t) => {
  const w = await world(t, [configOf(1), configOf(2)])
  const state = (): unknown => at(w, 2).core.byIp.states()
  t.match(state(), [{ order: 1, address: urlOf(1), state: 'unknown', askedAt: null, answeredAt: null }])
  for (const [kind, expected] of [
    ['true', 'answers'],
    ['dead', 'silent'],
    ['late', 'silent'],
    ['forged', 'disbelieved']
  ] as const) {
    w.kind.now = kind
    const trying = at(w, 2).core.byIp.tryAll()
    await w.run(5)
    t.match(await trying, [{ state: expected, answeredAt: Number }], kind)
  }
})
