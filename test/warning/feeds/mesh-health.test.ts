import fc from 'fast-check'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { MESH_CATEGORIES } from '../../../src/model/categories.ts'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { meshHealthEvent } from '../../../src/warning/feeds/mesh-health/events.ts'
import type { RadioReading } from '../../../src/warning/feeds/mesh-health/nodes.ts'
import { meshHealthSourceSchema } from '../../../src/warning/feeds/mesh-health/settings.ts'
import { MeshHealth } from '../../../src/warning/feeds/mesh-health/source.ts'
import { batteryLevel } from '../../../src/warning/feeds/mesh-health/watch.ts'
import type { SourceMemory } from '../../../src/warning/feeds/source.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import type { MeshNode, Network, RadioDetails, RadioHealth } from '../../../src/warning/radios/radio.ts'
import { note } from '../../helpers/in-words.ts'
import { START, station, withMatrix } from '../../helpers/station.ts'
import { request } from '../messages/samples.ts'

const MINUTE = 60_000
const settingsOf = (settings: Record<string, unknown> = {}) =>
  v.parse(meshHealthSourceSchema, { kind: 'mesh_health', ...settings })

/** The rows that a database keeps: JSON. `writes` counts what a card would have to bear. */
class Memory implements SourceMemory {
  readonly rows = new Map<string, string>()
  writes = 0

  get(key: string): unknown {
    const row = this.rows.get(key)
    return row === undefined ? undefined : JSON.parse(row)
  }

  set(key: string, value: unknown): void {
    this.writes++
    this.rows.set(key, JSON.stringify(value))
  }

  delete(key: string): void {
    this.rows.delete(key)
  }

  entries(prefix: string): [string, unknown][] {
    return this.keys(prefix).map((key) => [key, this.get(key)])
  }

  keys(prefix: string): string[] {
    return [...this.rows.keys()].filter((key) => key.startsWith(prefix))
  }
}

const NOTHING: RadioDetails = {
  firmware: null,
  batteryPercent: null,
  batteryMillivolts: null,
  channelUtilization: null,
  airUtilization: null,
  queueLength: null,
  nodes: []
}

interface WorldOptions {
  settings?: Record<string, unknown>
  /** The world whose memory and time go on in another process. */
  after?: World
  networks?: Network[]
}

/** Radios one can play with, watched on a virtual clock. */
class World {
  readonly clock: VirtualClock
  readonly memory: Memory
  readonly events: LookoutEvent[] = []
  readonly refused: LookoutEvent[] = []
  readonly errors: string[] = []
  readonly watch: MeshHealth
  radios: RadioReading[]
  settings: ReturnType<typeof settingsOf>
  refuse = false
  /** The offset by which the clock of the machine was set, with its timers left alone. */
  skew = 0

  constructor({ settings = {}, after, networks = ['mt', 'mc'] }: WorldOptions = {}) {
    this.clock = after?.clock ?? new VirtualClock(START)
    this.memory = after?.memory ?? new Memory()
    this.settings = after?.settings ?? settingsOf(settings)
    this.radios = networks.map((network) => ({
      id: network,
      network,
      name: 'Base',
      health: { state: 'connecting', reason: note('first attempt'), since: this.clock.now() },
      details: NOTHING
    }))
    this.watch = new MeshHealth({
      source: 'mesh_health',
      settings: () => this.settings,
      radios: () => this.radios,
      clock: { now: () => this.clock.now() + this.skew, after: (ms, task) => this.clock.after(ms, task) },
      memory: this.memory,
      accept: async (events) => {
        ;(this.refuse ? this.refused : this.events).push(...events)
        if (this.refuse) throw new Error('the disk is full')
      },
      log: pino({ level: 'error' }, { write: (line: string) => this.errors.push(line) })
    })
    this.watch.start()
  }

  static async ready(options: WorldOptions = {}): Promise<World> {
    const world = new World(options)
    for (const { id } of world.radios) world.turn(id, 'ready')
    await world.run(2)
    return world
  }

  async restart(networks: Network[] = ['mt', 'mc']): Promise<World> {
    await this.watch.stop()
    return new World({ after: this, networks })
  }

  #change(id: string, change: (radio: RadioReading) => Partial<RadioReading>): void {
    this.radios = this.radios.map((radio) => (radio.id === id ? { ...radio, ...change(radio) } : radio))
  }

  turn(id: string, state: RadioHealth['state']): void {
    const reason = state === 'ready' ? null : note('the link is lost')
    this.#change(id, () => ({ health: { state, reason, since: this.clock.now() } }))
  }

  tell(id: string, details: Partial<RadioDetails> & Record<string, unknown>): void {
    this.#change(id, (radio) => ({ details: { ...NOTHING, ...radio.details, ...details } }))
  }

  /** A radio hears a node, now unless said otherwise. */
  hear(id: string, node: Partial<MeshNode> & { id: string }): void {
    const nodes = this.radios.find((radio) => radio.id === id)?.details?.nodes ?? []
    const known = nodes.find((one) => one.id === node.id)
    const heard = { name: '', batteryPercent: null, ...known, lastHeardAt: this.clock.now(), ...node }
    this.tell(id, { nodes: [...nodes.filter((one) => one.id !== node.id), heard] })
  }

  async run(minutes: number): Promise<void> {
    await this.clock.runTo(this.clock.now() + minutes * MINUTE)
  }

  /** The events told since the last question: `lifecycle category severity title`. */
  told(): string[] {
    return this.events
      .splice(0)
      .map(({ lifecycle, category, severity, title }) => `${lifecycle} ${category} ${severity} ${title}`)
  }
}

const BALD = { id: '!00000b0b', name: 'Bald Mtn' }
const LOST = 'new feeder_offline priority Meshtastic radio Base out of service for 5m'

t.test('the settings have the documented defaults and refuse an order that cannot be', async (t) => {
  t.match(settingsOf(), {
    regions: [],
    nodes: [],
    radio_lost_minutes: 5,
    node_silent_minutes: 120,
    meshcore_silent_minutes: 1500,
    battery_warning_percent: 30,
    battery_critical_percent: 15,
    battery_emergency_percent: 5,
    battery_hysteresis_percent: 5,
    utilization_percent: 40,
    utilization_clear_percent: 30,
    utilization_minutes: 10,
    utilization_sustained_hours: 3
  })
  t.match(settingsOf({ nodes: [{ node: ' Bald Mtn ' }] }).nodes, [{ node: 'Bald Mtn', critical: false, regions: [] }])
  t.ok(settingsOf({ battery_critical_percent: 0 }), 'a level that is off has no order')
  for (const [path, wrong] of [
    ['battery_warning_percent', { battery_warning_percent: 10 }],
    ['battery_warning_percent', { battery_emergency_percent: 20 }],
    ['utilization_clear_percent', { utilization_clear_percent: 40 }],
    ['radio_lost_minutes', { radio_lost_minutes: 0 }],
    ['nodes', { nodes: {} }],
    ['nodes.0.node', { nodes: [{ node: ' ' }] }]
  ] as const) {
    const { success, issues } = v.safeParse(meshHealthSourceSchema, { kind: 'mesh_health', ...wrong })
    t.equal(success, false, JSON.stringify(wrong))
    t.equal(v.getDotPath(issues?.[0] as v.BaseIssue<unknown>), path)
  }
})

t.test('a radio that is lost is told once after its time, and once when it is steadily back', async (t) => {
  const world = await World.ready()
  await world.run(10)
  world.turn('mt', 'down')
  await world.run(4)
  t.strictSame(world.told(), [], 'not before its time')
  await world.run(2)
  const [event] = world.events
  t.match(event, {
    source: 'mesh_health',
    family: 'mesh_health',
    thread_id: 'mesh:radio-mt:lost',
    regions: [],
    region: null,
    expires: null,
    data: { detail: 'No alerts on Meshtastic until it is back', reason: 'the link is lost', radio: 'mt' }
  })
  t.equal(Date.parse(event?.sent_at ?? ''), world.clock.now() - MINUTE, 'the time of the reading: never stale')
  t.strictSame(world.told(), [LOST])
  await world.run(20)
  world.turn('mt', 'connecting')
  await world.run(19.5)
  world.turn('mt', 'ready')
  await world.run(0.5)
  world.turn('mt', 'down')
  t.strictSame(world.told(), [], 'once, and ready for half a minute is not back')
  world.turn('mt', 'ready')
  await world.run(3)
  t.strictSame(world.told(), [
    'cancel infra_recovery routine Mesh alert: Meshtastic radio Base in service again after 45m'
  ])
  await world.run(60)
  t.strictSame(world.told(), [])
  world.turn('mt', 'suspect')
  await world.run(6)
  t.strictSame(world.told(), [LOST], 'a second time is told again')
})

t.test(
  'a link that only comes for seconds is lost, a short loss is none, and a closed radio is our own doing',
  async (t) => {
    const world = await World.ready()
    for (let turn = 0; turn < 8; turn++) {
      world.turn('mt', 'down')
      await world.run(0.9)
      world.turn('mt', 'ready')
      await world.run(0.1)
    }
    t.strictSame(world.told(), [LOST], 'ready for 6 s a minute is not ready')
    const short = await World.ready()
    for (let turn = 0; turn < 8; turn++) {
      short.turn('mt', 'down')
      await short.run(4)
      short.turn('mt', 'ready')
      await short.run(3)
    }
    short.turn('mt', 'closed')
    await short.run(60)
    t.strictSame(short.told(), [])
  }
)

t.test('after a restart nothing is told twice, nothing is forgotten, and a radio has its time afresh', async (t) => {
  const first = await World.ready()
  first.turn('mt', 'down')
  await first.run(6)
  t.strictSame(first.told(), [LOST])
  const second = await first.restart()
  second.turn('mc', 'ready')
  await second.run(30)
  t.strictSame(second.told(), [], 'still lost: known')
  const third = await second.restart()
  await third.run(3.5)
  third.turn('mt', 'ready')
  third.turn('mc', 'ready')
  await third.run(0.5)
  t.strictSame(third.told(), [], 'ready for half a minute is not back')
  await third.run(2.5)
  t.match(third.told(), [/^cancel infra_recovery .* in service again after \d+m$/])
  const fourth = await third.restart()
  await fourth.run(4)
  t.strictSame(fourth.told(), [], 'still connecting after a boot is no loss')
  await fourth.run(2)
  t.equal(fourth.told().length, 2, 'unless it goes on')
  await fourth.watch.stop()
  t.equal(fourth.clock.waiting, 0, 'a stopped watch leaves no timer')
})

t.test(
  'a watched node that is silent for its time is told, by id, name or key, and told when it is back',
  async (t) => {
    const key = `aabbccddeeff${'0'.repeat(52)}`
    const nodes = [
      { node: 'bald mtn', critical: true, regions: ['Valley'] },
      { node: '!00000C0C' },
      { node: key, silent_minutes: 60 },
      { node: 'Never Heard' }
    ]
    const world = await World.ready({ settings: { nodes } })
    const hearAll = (): void => {
      world.hear('mt', BALD)
      world.hear('mt', { id: '!00000c0c' })
      world.hear('mt', { id: '!00000d0d', name: 'Somebody else' })
      world.hear('mc', { id: 'aabbccddeeff', name: 'Roof' })
    }
    for (let hour = 0; hour < 3; hour++) {
      hearAll()
      await world.run(59)
    }
    t.strictSame(world.told(), [], 'heard every hour')
    await world.run(2)
    t.strictSame(world.told(), ['new infra_offline priority Roof not heard for 1h'])
    await world.run(60)
    t.strictSame(
      world.events.map(({ thread_id, regions, data }) => [thread_id, regions, data['node']]),
      [
        ['mesh:bald mtn:silent', ['Valley'], BALD.id],
        ['mesh:!00000c0c:silent', [], '!00000c0c']
      ]
    )
    t.strictSame(world.told(), [
      'new critical_node_down immediate Critical node Bald Mtn not heard for 2h',
      'new infra_offline priority !00000C0C not heard for 2h'
    ])
    world.hear('mt', BALD)
    await world.run(130)
    t.strictSame(world.told(), [], 'heard once in hours: at the edge of reach, not back')
    world.hear('mt', BALD)
    await world.run(5)
    world.hear('mt', BALD)
    await world.run(1)
    t.match(world.told(), [/^cancel infra_recovery routine Mesh alert: Bald Mtn heard again after 4h1\dm$/])
  }
)

t.test('a MeshCore node has the time of its adverts, and one advert is its return', async (t) => {
  const world = await World.ready({ settings: { nodes: [{ node: 'Roof' }] } })
  const roof = { id: 'aabbccddeeff', name: 'Roof' }
  world.hear('mc', roof)
  await world.run(24 * 60)
  t.strictSame(world.told(), [])
  await world.run(70)
  t.strictSame(world.told(), ['new infra_offline priority Roof not heard for 1d1h'])
  const again = await world.restart()
  for (const { id } of again.radios) again.turn(id, 'ready')
  // The radio's list has the last advert in the time of the node's own clock, which is ahead.
  again.hear('mc', { ...roof, lastHeardAt: START + 30 * MINUTE })
  await again.run(60)
  t.strictSame(again.told(), [], 'what the list says at the start is no sign of life')
  again.hear('mc', roof)
  await again.run(2)
  t.match(again.told(), [/^cancel infra_recovery .*Roof heard again after 1d2h\d*m?$/])
})

t.test('a radio that is lost says nothing about nodes, and the time without it does not count', async (t) => {
  const world = await World.ready({ settings: { nodes: [{ node: 'Bald Mtn' }] } })
  world.hear('mt', BALD)
  await world.run(60)
  world.turn('mt', 'down')
  await world.run(600)
  t.strictSame(world.told(), [LOST], 'nothing about the node')
  world.turn('mt', 'ready')
  await world.run(55)
  t.match(world.told(), [/radio Base in service again/])
  await world.run(10)
  t.match(world.told(), [/^new infra_offline priority Bald Mtn not heard for 2h$/])
  t.test('but another radio that hears it does', async (t) => {
    const two = await World.ready({ settings: { nodes: [{ node: 'Bald Mtn' }] } })
    two.hear('mt', BALD)
    two.hear('mc', { id: 'aabbccddeeff', name: 'Bald Mtn' })
    two.turn('mt', 'down')
    await two.run(7)
    t.strictSame(two.told(), [LOST])
    two.settings = settingsOf({ nodes: [{ node: 'Bald Mtn', silent_minutes: 30 }] })
    await two.run(30)
    t.strictSame(two.told(), ['new infra_offline priority Bald Mtn not heard for 30m'])
  })
})

t.test('a clock that is set makes no one silent, and nodes that are not listed are not watched', async (t) => {
  const world = await World.ready({ settings: { nodes: [{ node: 'Bald Mtn' }] } })
  world.hear('mt', BALD)
  world.hear('mt', { id: '!00000e0e', name: 'Passer-by', batteryPercent: 2 })
  await world.run(5)
  world.skew = 365 * 24 * 60 * MINUTE
  await world.run(30)
  t.strictSame(world.told(), [])
  world.settings = settingsOf()
  await world.run(2)
  t.strictSame(world.memory.entries('node:'), [], 'a node taken off the list is forgotten')
})

t.test('a sign of life in the future is another clock’s, and hides no later one', async (t) => {
  const settings = { nodes: [{ node: 'Roof', silent_minutes: 60 }] }
  const roof = { id: 'aabbccddeeff', name: 'Roof' }
  const world = await World.ready({ settings })
  world.hear('mc', { ...roof, lastHeardAt: START + 1e9 })
  await world.run(50)
  world.hear('mc', roof)
  await world.run(50)
  t.strictSame(world.told(), [], 'what the radio heard itself is later, though its time is less')
  const both = await World.ready({ settings })
  both.hear('mt', { id: '!00000f0f', name: 'Roof', lastHeardAt: START + 1e9 })
  for (let turn = 0; turn < 3; turn++) {
    both.hear('mc', roof)
    await both.run(50)
  }
  t.strictSame(both.told(), [])
})

t.test('batteries are told level by level, the station’s own too, and only a clear rise is one', async (t) => {
  const nodes = [{ node: 'Bald Mtn' }]
  const world = await World.ready({ settings: { nodes } })
  const steps: [percent: number, told: string[]][] = [
    [30, []],
    [29, ['new battery_warning routine Bald Mtn battery 29%']],
    [34, []],
    [28, []],
    [14.6, ['update battery_critical priority Bald Mtn battery 14%']],
    [19, []],
    [4, ['update battery_emergency immediate Bald Mtn battery 4%, shuts down soon']],
    [9, []],
    [3, []],
    [12, ['update battery_critical priority Bald Mtn battery up to 12%, still low']],
    [4, ['update battery_emergency immediate Bald Mtn battery 4%, shuts down soon']],
    [34, ['update battery_warning routine Bald Mtn battery up to 34%, still low']],
    [35, ['cancel infra_recovery routine Mesh alert: Bald Mtn battery up to 35%']],
    [2, ['new battery_emergency immediate Bald Mtn battery 2%, shuts down soon']],
    [300, []],
    [90, ['cancel infra_recovery routine Mesh alert: Bald Mtn battery up to 90%']]
  ]
  const identities = new Set<string>()
  for (const [percent, told] of steps) {
    world.hear('mt', { ...BALD, batteryPercent: percent })
    await world.run(1)
    for (const event of world.events) identities.add(identityOf(event))
    t.strictSame(world.told(), told, `${percent} %`)
  }
  t.equal(identities.size, 9, 'each message has an identity of its own')
  world.tell('mt', { batteryPercent: 20 })
  await world.run(1)
  t.equal(world.events[0]?.thread_id, 'mesh:radio-mt:battery')
  t.strictSame(world.told(), ['new battery_warning routine Meshtastic radio Base battery 20%'])
  world.tell('mt', { batteryPercent: null })
  await world.run(60)
  t.strictSame(world.told(), [], 'nothing told is nothing known')
  world.tell('mt', { batteryPercent: null, externalPower: true })
  await world.run(1)
  t.match(world.told(), [/^cancel infra_recovery routine Mesh alert: Meshtastic radio Base battery up to 100%$/])
})

t.test('a channel is busy by its average, told once more after hours, and quiet only well below', async (t) => {
  const world = await World.ready({ networks: ['mt'] })
  const use = async (percent: number, minutes: number): Promise<string[]> => {
    world.tell('mt', { channelUtilization: percent / 100 })
    await world.run(minutes)
    return world.told()
  }
  t.strictSame(await use(40, 30), [], 'the limit itself is allowed')
  t.strictSame(await use(90, 1), ['new high_utilization routine Meshtastic radio Base channel use 45%, limit 40%'])
  const fresh = await World.ready({ networks: ['mt'] })
  fresh.tell('mt', { channelUtilization: 0.9 })
  await fresh.run(8)
  t.strictSame(fresh.told(), [], 'one reading is no average')
  t.strictSame(await use(35, 60), [], 'in between nothing changes')
  t.strictSame(await use(44, 109), [])
  t.strictSame(await use(44, 2), [
    'update sustained_high_util priority Meshtastic radio Base channel busy for 3h, now 44%'
  ])
  world.turn('mt', 'down')
  t.strictSame(await use(0, 3), [], 'what a lost radio last said does not count')
  world.turn('mt', 'ready')
  t.strictSame(await use(31, 30), [])
  t.match(await use(29, 15), [
    /^cancel infra_recovery routine Mesh alert: Meshtastic radio Base channel use down to 30%$/
  ])
})

t.test('what could not be stored is told later under the same identity, and time alone writes little', async (t) => {
  const world = await World.ready()
  world.turn('mt', 'down')
  world.refuse = true
  await world.run(10)
  t.strictSame(world.told(), [])
  t.ok(world.errors.length > 0)
  t.match(world.errors[0], /the disk is full.*could not be recorded/s)
  world.refuse = false
  await world.run(1)
  t.equal(world.events.length, 1)
  t.ok(world.refused.length >= 4, 'tried at each sample')
  t.strictSame(new Set([...world.refused, ...world.events].map(identityOf)).size, 1)
  const quiet = await World.ready({ settings: { nodes: [{ node: 'Bald Mtn' }] } })
  for (let minute = 0; minute < 120; minute++) {
    quiet.hear('mt', BALD)
    await quiet.run(1)
  }
  t.ok(quiet.memory.writes < 30, `${quiet.memory.writes} writes in two hours`)
})

t.test('what was stored when the process was killed has the same identity when it is told again', async (t) => {
  const world = await World.ready({ settings: { nodes: [{ node: 'Bald Mtn' }] } })
  world.hear('mt', { ...BALD, batteryPercent: 90 })
  await world.run(1)
  const kept = new Map(world.memory.rows)
  world.turn('mt', 'down')
  world.hear('mt', { ...BALD, batteryPercent: 4 })
  await world.run(6)
  world.memory.rows.clear()
  for (const [key, row] of kept) world.memory.rows.set(key, row)
  const again = await world.restart()
  again.turn('mc', 'ready')
  again.hear('mt', { ...BALD, batteryPercent: 4 })
  await again.run(6)
  t.equal(world.events.length, 2)
  t.strictSame(again.events.map(identityOf), world.events.map(identityOf))
})

t.test('a memory that was lost or garbled starts afresh and repeats no identity', async (t) => {
  const world = await World.ready()
  world.turn('mt', 'down')
  await world.run(6)
  const [before] = world.events
  world.memory.set('radio:mt', { lost: 'what?' })
  const again = await world.restart()
  again.turn('mc', 'ready')
  await again.run(6)
  const [after] = again.events
  t.equal(after?.thread_id, before?.thread_id)
  t.not(after?.id, before?.id)
})

const identityOf = ({ id, revision }: LookoutEvent): string => `${id} ${revision}`

/** Levels told per thread, checked to be what a listener can follow. */
function checkStory(events: readonly LookoutEvent[]): void {
  const threads = new Map<string, { level: string; id: string; ids: Set<string> }>()
  const identities = new Set<string>()
  for (const event of events) {
    const { thread_id, lifecycle, id, revision } = event
    const told = threads.get(thread_id) ?? { level: 'over', id: '', ids: new Set() }
    const level = lifecycle === 'cancel' ? 'over' : (revision.split('-')[1] ?? '')
    const identity = identityOf(event)
    if (identities.has(identity)) throw new Error(`${identity} is told twice`)
    identities.add(identity)
    if (level === told.level) throw new Error(`${thread_id} is told as ${level} twice running`)
    if ((lifecycle === 'new') !== (told.level === 'over')) throw new Error(`${thread_id}: ${lifecycle} out of order`)
    if (lifecycle !== 'new' && id !== told.id) throw new Error(`${identity} ends another episode`)
    if (lifecycle === 'new' && told.ids.has(id)) throw new Error(`${id} begins twice`)
    threads.set(thread_id, { level, id, ids: told.ids.add(id) })
  }
}

const states = fc.constantFrom('ready', 'down', 'suspect', 'connecting', 'closed') as fc.Arbitrary<RadioHealth['state']>
const percent = fc.double({ min: 0, max: 100, noNaN: true })
const seldom = fc.nat(19).map((value) => value === 0)
const reading = fc.record({
  minutes: fc.double({ min: 0.1, max: 40, noNaN: true }),
  state: fc.option(states, { freq: 1 }),
  use: fc.option(percent),
  battery: fc.option(percent),
  heard: fc.boolean(),
  nodeBattery: fc.option(percent),
  restart: seldom,
  refuse: seldom
})

t.test('over any readings, losses and restarts, what was told is over before it is told again', async (t) => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(reading, { minLength: 20, maxLength: 80, size: 'max' }), async (readings) => {
      const nodes = [{ node: 'Bald Mtn', silent_minutes: 30 }]
      const settings = { nodes, utilization_minutes: 3, utilization_sustained_hours: 0.5 }
      let world = await World.ready({ networks: ['mt'], settings })
      const story: LookoutEvent[] = []
      for (const { minutes, state, use, battery, heard, nodeBattery, restart, refuse } of readings) {
        if (restart) {
          await world.watch.stop()
          const { radios } = world
          world = new World({ after: world, networks: ['mt'] })
          world.radios = radios
        }
        if (state !== null) world.turn('mt', state)
        world.tell('mt', { channelUtilization: use === null ? null : use / 100, batteryPercent: battery })
        if (heard) world.hear('mt', { ...BALD, batteryPercent: nodeBattery })
        world.refuse = refuse
        await world.run(minutes)
        story.push(...world.events.splice(0))
      }
      await world.watch.stop()
      checkStory(story)
      count += story.length
    }),
    { numRuns: 100 }
  )
  t.ok(count > 500, `${count} events`)
})

t.test('between two falls below a level a battery was clearly above it', async (t) => {
  const thresholds = [30, 15, 5]
  let falls = 0
  fc.assert(
    fc.property(fc.array(percent, { maxLength: 200 }), (values) => {
      const highest = thresholds.map(() => 100)
      let level = 0
      for (const value of values) {
        const next = batteryLevel(level, value, { thresholds, hysteresis: 5 })
        for (const [index, threshold] of thresholds.entries()) {
          highest[index] = Math.max(highest[index] ?? 0, value)
          if (level > index || next <= index) continue
          if ((highest[index] ?? 0) < threshold + 5) throw new Error(`below ${threshold} again after ${highest[index]}`)
          highest[index] = 0
          falls++
        }
        level = next
      }
    })
  )
  t.ok(falls > 100, `${falls} falls`)
})

t.test('values dancing inside a band of hysteresis are told at most once', async (t) => {
  const dance = (low: number, high: number) =>
    fc.array(fc.double({ min: low, max: high, noNaN: true, maxExcluded: true }), { minLength: 1, maxLength: 60 })
  const levels = { battery_warning_percent: 0, battery_critical_percent: 0, battery_emergency_percent: 0 }
  for (const [key, threshold] of Object.entries({
    battery_warning_percent: 30,
    battery_critical_percent: 15,
    battery_emergency_percent: 5
  })) {
    await fc.assert(
      fc.asyncProperty(dance(threshold - 5, threshold + 5), async (values) => {
        const world = await World.ready({ networks: ['mt'], settings: { ...levels, [key]: threshold } })
        for (const value of values) {
          world.tell('mt', { batteryPercent: value })
          await world.run(1)
        }
        await world.watch.stop()
        const least = Math.min(...values)
        if (world.events.length !== (least < threshold ? 1 : 0)) throw new Error(world.told().join('\n'))
      }),
      { numRuns: 40 }
    )
  }
  await fc.assert(
    fc.asyncProperty(dance(30.1, 55), async (values) => {
      const world = await World.ready({ networks: ['mt'], settings: { utilization_minutes: 2 } })
      for (const value of values) {
        world.tell('mt', { channelUtilization: value / 100 })
        await world.run(1)
      }
      await world.watch.stop()
      if (world.events.length > 1) throw new Error(world.told().join('\n'))
    }),
    { numRuns: 40 }
  )
  t.pass()
})

/** A text as a listener reads it. */
function textOf(event: LookoutEvent): string {
  const kind = event.lifecycle === 'cancel' ? 'cancel' : event.lifecycle === 'update' ? 'update' : 'new'
  return composeMessage(request({ event, kind, regions: event.regions })).parts[0] ?? ''
}

t.test('the texts read as a person would say them, the end of a condition too', async (t) => {
  const facts = {
    source: 'mesh_health',
    category: 'infra_offline',
    thread: 'x:silent',
    episode: 1,
    revision: '1-1',
    lifecycle: 'new',
    eventName: 'Node silent',
    name: 'Bald Mtn',
    says: 'not heard for 2h',
    regions: ['North'],
    sentAt: Date.parse('2026-07-04T00:21:00Z')
  } as const
  const table: [Partial<Parameters<typeof meshHealthEvent>[0]>, string][] = [
    [{}, 'MESH Bald Mtn not heard for 2h, North (6:21p)'],
    [
      { lifecycle: 'cancel', category: 'infra_recovery', revision: 'over', says: 'heard again after 2h10m' },
      'CANCEL Mesh alert: Bald Mtn heard again after 2h10m, North (6:21p)'
    ],
    [{ name: 'Flood Warning: run' }, 'MESH Flood Warning: run not heard for 2h, North (6:21p)'],
    [{ name: '<b>/Mesh\n\u202e one', says: 'silent' }, 'Mesh one silent, North (6:21p)'],
    [{ name: `${'x'.repeat(39)}yz` }, `MESH ${'x'.repeat(39)}... not heard for 2h, North (6:21p)`],
    [
      { before: 'MeshCore radio', name: 'Base', says: 'out of service for 5m', detail: 'No alerts on MeshCore' },
      'MESH MeshCore radio Base out of service for 5m, North (6:21p). No alerts on MeshCore'
    ],
    [{ lifecycle: 'update', says: 'battery 13%' }, 'MESH UPD Bald Mtn battery 13%, North (6:21p)']
  ]
  for (const [change, text] of table) t.equal(textOf(meshHealthEvent({ ...facts, ...change })), text)
  for (const [category, severity] of MESH_CATEGORIES) {
    t.equal(meshHealthEvent({ ...facts, category }).severity, severity, category)
  }
  t.equal(meshHealthEvent({ ...facts, severity: 'critical' }).severity, 'critical')
})

/** The watch wired to a station by hand, as the program does it. */
async function watched(t: Test): Promise<Awaited<ReturnType<typeof station>>> {
  const config = withMatrix({ mesh_health: { North: { mt: 2, mc: 'north-mesh', min_severity: 'priority' } } })
  const s = await station(t, { config })
  const watch = new MeshHealth({
    source: 'mesh_health',
    settings: () => settingsOf({ regions: ['North'] }),
    radios: () =>
      s.radios.map((radio) => ({
        id: radio.description.id,
        network: radio.description.network,
        name: radio.description.nodeName,
        health: radio.health(),
        details: radio.details?.() ?? null
      })),
    clock: s.clock,
    memory: new Memory(),
    accept: async (events) => {
      await s.core.accept(events.map((event) => ({ event })))
    },
    log: pino({ level: 'error' }, { write: (line: string) => t.fail(line) })
  })
  watch.start()
  t.teardown(() => watch.stop())
  return s
}

t.test(
  'a lost radio is told on the other network in its time, and its return once, where the loss was told',
  async (t) => {
    const s = await watched(t)
    await s.run(10 * 60)
    t.strictSame(s.onAir(), [])
    s.mt.setFault({ down: true })
    const lostAt = s.clock.now()
    await s.run(5 * 60)
    t.strictSame(s.onAir(), [])
    await s.run(75)
    t.match(s.onAir(), [
      /^mc:north-mesh Lookout: MESH Meshtastic radio Lookout out of service for 5m, North \(.*No alerts on Mesh/
    ])
    t.ok((s.mc.airLog[0]?.at ?? 0) - lostAt <= 6 * 60_000 + 15_000, 'five minutes, a sample and a place in the queue')
    await s.run(40 * 60)
    t.equal(s.onAir().length, 1)
    t.equal(
      s.deliveries().find(({ transport }) => transport === 'mt')?.state,
      'expired',
      'no old news on its own network'
    )
    s.mt.setFault({ down: false })
    await s.run(3 * 60)
    t.match(s.onAir().slice(1), [
      /^mc:north-mesh Lookout: CANCEL Mesh alert: Meshtastic radio Lookout in service again after 4\dm, North/
    ])
    await s.run(60 * 60)
    t.equal(s.onAir().length, 2, 'told once, although a return is below the floor of the cell')
  }
)
