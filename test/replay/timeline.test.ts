import t, { type Test } from 'tap'
import { wordsOf } from '../../src/model/content.ts'
import type { Delivery } from '../../src/warning/outbox/delivery.ts'
import { needsFixture } from '../helpers/fixtures.ts'
import { type Captured, MINUTE, openWorld, readCapture, type World } from './capture-world.ts'

const CAPTURE = 'feeds/nws-geojson/alerts-500-part-a.json'
/** Before anything but tests was sent. */
const START = Date.parse('2026-02-15T15:48:00Z')
const FIRST_POLL_MS = 1500
const END = Date.parse('2026-02-15T21:32:00Z')

/** Places finer than a state: where one event ends for a neighbour and goes on, or grows. */
const FINE: Record<string, string[]> = {
  'Flint Hills': ['KSZ049', 'KSZ051', 'KSZ052', 'KSZ067', 'KSZ068'],
  Wichita: ['KSZ032', 'KSZ033', 'KSZ047', 'KSZ048', 'KSZ050', 'KSZ053'],
  Carlton: ['MNZ021'],
  Duluth: ['MNZ020'],
  'Crow Wing': ['MNZ033'],
  Denali: ['AKZ826'],
  'Tanana Flats': ['AKZ828', 'AKZ829', 'AKZ830'],
  Yukon: ['AKZ814', 'AKZ815', 'AKZ816', 'AKZ817', 'AKZ818'],
  'Lynn Canal': ['PKZ011', 'PKZ012', 'PKZ013'],
  'Salton Sea': ['CAZ569'],
  'Palo Verde': ['CAZ560', 'CAZ561', 'CAZ562', 'CAZ564', 'CAZ568', 'CAZ570'],
  Elko: ['NVZ031', 'NVZ034', 'NVZ035', 'NVZ038', 'NVZ039', 'NVZ041'],
  Ruby: ['NVZ030', 'NVZ036', 'NVZ037', 'NVZ040']
}

interface Region {
  name: string
  codes: string[]
  mt: number | null
  mc: string | null
}

/** The fine places, and of every state and sea that the capture names what is left. Some share a channel, some have none. */
function regionsOf(alerts: readonly Captured[]): Region[] {
  const fine = new Set(Object.values(FINE).flat())
  const rest = new Map<string, Set<string>>()
  for (const zone of alerts.flatMap(({ zones }) => zones)) {
    const state = zone.slice(0, 2)
    if (!fine.has(zone)) rest.set(state, (rest.get(state) ?? new Set()).add(zone))
  }
  const states = [...rest].sort(([a], [b]) => (a < b ? -1 : 1))
  const named: [string, string[]][] = [
    ...Object.entries(FINE),
    ...states.map(([s, zones]) => [`Rest ${s}`, [...zones]] as [string, string[]])
  ]
  return named.map(([name, codes], at) => ({
    name,
    codes,
    mt: at % 11 === 7 ? null : at % 7,
    mc: at % 13 === 5 ? null : at < 5 ? 'plains' : `ch-${at}`
  }))
}

function configOf(regions: readonly Region[], alerts: readonly Captured[]): object {
  const row = Object.fromEntries(regions.map(({ name, mt, mc }) => [name, { mt, mc }]))
  const loose = { cooldown_seconds: 0 }
  return {
    station: { contact: 'ops@valley.example', timezone: 'America/Chicago' },
    coverage: { enabled: true, region_tagging: true, areas: regions.map(({ name, codes }) => ({ name, codes })) },
    notifications: {
      toggles: { weather: loose, fire: loose, avalanche: loose },
      inhibition: { warning_mutes_watch: false },
      region_routes: { enabled: true, cells: { weather: row, fire: row, avalanche: row } }
    },
    sources: [
      {
        kind: 'nws',
        interval_seconds: 60,
        area: [...new Set(alerts.flatMap(({ zones }) => zones).map((zone) => zone.slice(0, 2)))]
      }
    ]
  }
}

const pollOf = (at: number): number => START + Math.ceil(Math.max(0, at - START - FIRST_POLL_MS) / MINUTE) * MINUTE
const minuteOf = (time: number): number => START + Math.floor((time - START) / MINUTE) * MINUTE
const isEnd = ({ action }: Captured): boolean => ['CAN', 'EXP', 'UPG'].includes(action)
const timeText = (time: number): string => new Date(time).toISOString().slice(11, 16)

/**
 * The words that one channel should say of one event, told from the recording alone: the regions and the state of each
 * zone.
 */
class Listener {
  readonly #channel: string
  readonly #regionOf: ReadonlyMap<string, Region>
  #regions = new Set<string>()
  #zones = new Map<string, string>()

  constructor(channel: string, regionOf: ReadonlyMap<string, Region>) {
    this.#channel = channel
    this.#regionOf = regionOf
  }

  /** The messages that a poll with these alerts of one event should lead to: `new North`, `cancel South`, nothing. */
  hear(alerts: readonly Captured[]): string[] {
    const [running, over] = [alerts.filter((alert) => !isEnd(alert)), alerts.filter(({ action }) => action === 'CAN')]
    const begins = this.#regions.size === 0
    const fresh = new Set<string>()
    const changed = new Set<string>()
    for (const alert of running) {
      const mine = this.#mine(alert)
      for (const region of mine) if (!this.#regions.has(region)) fresh.add(region)
      if (mine.length > 0 && this.#differs(alert)) for (const region of mine) changed.add(region)
    }
    for (const alert of running) this.#learn(alert)
    const news = changed.size > 0 ? [...changed, ...fresh] : [...fresh]
    const told = news.length === 0 ? [] : [`${begins ? 'new' : 'update'} ${named(news)}`]
    const ended = over.flatMap((alert) => this.#mine(alert)).filter((region) => this.#regions.has(region))
    for (const region of ended) this.#regions.delete(region)
    return ended.length === 0 ? told : [...told, `cancel ${named(ended)}`]
  }

  #mine({ zones }: Captured): string[] {
    const regions = zones.flatMap((zone) => this.#regionOf.get(zone) ?? [])
    return regions.filter((region) => channelsOf(region).includes(this.#channel)).map(({ name }) => name)
  }

  #differs({ zones, level, ends }: Captured): boolean {
    if (this.#zones.size === 0) return false
    const state = `${level} ${ends}`
    const known = zones.flatMap((zone) => this.#zones.get(zone) ?? [])
    return known.length === 0 ? ![...this.#zones.values()].includes(state) : known.some((before) => before !== state)
  }

  #learn(alert: Captured): void {
    const mine = this.#mine(alert)
    if (mine.length === 0) return
    for (const region of mine) this.#regions.add(region)
    for (const zone of alert.zones) this.#zones.set(zone, `${alert.level} ${alert.ends}`)
  }
}

/** In the order of first sight; Node 20 has no Map.groupBy. */
function grouped<T, K>(list: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const named = (regions: readonly string[]): string => [...new Set(regions)].sort().join('+')
const channelsOf = ({ mt, mc }: Region): string[] => [
  ...(mt === null ? [] : [`mt:${mt}`]),
  ...(mc === null ? [] : [`mc:${mc}`])
]

/** `15:55 mt:1 KICT.FG.Y.0003 new Flint Hills+Wichita`, all of the afternoon. */
function expectedLines(alerts: readonly Captured[], regions: readonly Region[]): string[] {
  const regionOf = new Map(regions.flatMap((region) => region.codes.map((code) => [code, region])))
  const channels = [...new Set(regions.flatMap(channelsOf))]
  const lines: string[] = []
  for (const [event, all] of grouped(
    alerts.filter(({ isTest, vtec }) => !isTest && vtec !== ''),
    ({ vtec }) => vtec
  )) {
    for (const channel of channels) {
      const listener = new Listener(channel, regionOf)
      for (const [poll, brought] of grouped(all, ({ at }) => pollOf(at)))
        lines.push(...listener.hear(brought).map((said) => `${timeText(poll)} ${channel} ${event} ${said}`))
    }
  }
  return lines.sort()
}

const lineOf = ({ createdAt, channelKey, threadId, content, regions }: Delivery): string =>
  `${timeText(minuteOf(createdAt))} ${channelKey} ${threadId.replace(/^vtec:|\.2026$/g, '')} ${wordsOf(content).kind} ${named(regions)}`
/** The lines that a message of another event of the same product carried along (pieces of one warning are one message). */
function carriedLines(alerts: readonly Captured[], sent: readonly Delivery[]): string[] {
  const byId = new Map(alerts.map((alert) => [alert.id, alert]))
  return sent.flatMap((delivery) => {
    const own = delivery.threadId.replace(/^vtec:|\.2026$/g, '')
    const others = new Set(
      delivery.eventIds.map((id) => byId.get(id)?.vtec ?? '').filter((vtec) => vtec !== '' && vtec !== own)
    )
    return [...others].map(
      (vtec) =>
        `${timeText(minuteOf(delivery.createdAt))} ${delivery.channelKey} ${vtec} ${wordsOf(delivery.content).kind}`
    )
  })
}

/**
 * Lines the recording leads to that were neither sent nor carried by another message, and lines nothing leads to. Products coded by
 * counties reach regions of zones by the correspondence of both, which the recording does not tell: they may be more.
 */
function differences(alerts: readonly Captured[], regions: readonly Region[], sent: readonly Delivery[]): string[] {
  const carried = carriedLines(alerts, sent)
  const counties = new Set(alerts.flatMap(({ vtec, zones }) => (zones.some((zone) => zone[2] === 'C') ? [vtec] : [])))
  const [expected, actual] = [expectedLines(alerts, regions), sent.map(lineOf)]
  const lost = expected.filter((line) => {
    return !actual.includes(line) && !carried.some((start) => line.startsWith(`${start} `))
  })
  const more = actual.filter((line) => !expected.includes(line) && !counties.has(line.split(' ')[2] ?? ''))
  return [...lost.map((line) => `lost ${line}`), ...more.map((line) => `more ${line}`)]
}

const isVtec = ({ threadId }: Delivery): boolean => threadId.startsWith('vtec:')

function checkIdentity(t: Test, alerts: readonly Captured[], { decided, sent }: World): void {
  const byId = new Map(alerts.map((alert) => [alert.id, alert]))
  const threads = new Map<string, Set<string>>()
  for (const { id, threadId } of decided) {
    const alert = byId.get(id)
    if (alert === undefined || alert.isTest) t.fail(`${id} became an event`)
    const key = alert?.vtec ?? ''
    if (key !== '') threads.set(key, (threads.get(key) ?? new Set()).add(threadId))
  }
  const keys = new Set(alerts.filter(({ isTest }) => !isTest).map(({ vtec }) => vtec))
  keys.delete('')
  t.strictSame(
    [...threads].filter(([key, ids]) => ids.size !== 1 || !ids.has(`vtec:${key}.2026`)),
    [],
    'one thread per VTEC event, and none for two'
  )
  t.equal(threads.size, keys.size, 'every VTEC event of the recording')
  const silent = new Set(alerts.filter(({ action }) => action === 'EXP' || action === 'UPG').map(({ id }) => id))
  t.ok(silent.size >= 15)
  t.strictSame(
    sent()
      .flatMap(({ eventIds }) => eventIds)
      .filter((id) => silent.has(id) || byId.get(id)?.isTest !== false),
    [],
    'what ended by time, was superseded or tests is never said'
  )
}

t.test('an afternoon of alerts, asked each minute: every channel hears what is new for it, once', async (t) => {
  const file = needsFixture(t, CAPTURE)
  if (file === null) return
  const alerts = readCapture(file)
  const regions = regionsOf(alerts)
  const world = await openWorld(t, { alerts, config: configOf(regions, alerts), start: START })
  await world.runTo(END)
  checkIdentity(t, alerts, world)

  const sent = world.sent().filter(isVtec)
  t.strictSame(differences(alerts, regions, sent), [], 'told from the recording alone')
  t.ok(sent.length > 150)
  const perEvent = [...grouped(sent, ({ threadId, channelKey }) => `${threadId} ${channelKey}`).values()]
  t.ok(Math.max(...perEvent.map((rows) => rows.length)) <= 4, 'no channel hears of one event more than four times')
  t.equal(new Set(world.onAir()).size, world.onAir().length, 'no text is said twice on a channel')

  const of = (event: string): string[] =>
    sent
      .map(lineOf)
      .filter((line) => line.includes(` ${event} `))
      .sort()
  t.strictSame(
    of('KICT.FG.Y.0003').filter((line) => line.includes('plains')),
    ['15:55 mc:plains KICT.FG.Y.0003 new Flint Hills+Wichita', '16:44 mc:plains KICT.FG.Y.0003 cancel Flint Hills'],
    'cancelled for one region while it goes on in the next, and its end by time is silent'
  )
  t.strictSame(
    of('KDLH.FG.Y.0005').filter((line) => line.includes('plains')),
    ['15:56 mc:plains KDLH.FG.Y.0005 new Carlton+Crow Wing', '19:42 mc:plains KDLH.FG.Y.0005 update Duluth'],
    'EXB and EXA tell the regions that are new'
  )
  const segments = alerts.filter(({ vtec }) => vtec === 'PAJK.SC.Y.0055')
  t.equal(segments.length, 12)
  t.equal(new Set(segments.map(({ at }) => at)).size, 1)
  const channels = regions
    .filter(({ codes }) => segments.some(({ zones }) => zones.some((zone) => codes.includes(zone))))
    .flatMap(channelsOf)
  t.equal(
    of('PAJK.SC.Y.0055').length,
    new Set(channels).size,
    'twelve segments of one second are one message a channel'
  )
  t.ok(world.asked.total > 330 && world.asked.unchanged > 230, `asked each minute: ${JSON.stringify(world.asked)}`)
  t.equal(world.decided.filter(({ duplicate }) => !duplicate).length, alerts.filter(({ isTest }) => !isTest).length)
})

/** Minutes after which nothing is sent for two polls, while what they brought still waits: where a restart could lose or repeat. */
function restartsOf(alerts: readonly Captured[]): number[] {
  const polls = new Set(alerts.map(({ at }) => pollOf(at)))
  const calm = [...polls].filter((poll) => poll > START && !polls.has(poll + MINUTE) && !polls.has(poll + 2 * MINUTE))
  return calm.filter((_, index) => index % 4 === 0)
}

t.test('the same with restarts while messages wait: nothing twice, nothing lost', async (t) => {
  const file = needsFixture(t, CAPTURE)
  if (file === null) return
  const alerts = readCapture(file)
  const regions = regionsOf(alerts)
  const config = configOf(regions, alerts)
  const restarts = restartsOf(alerts)
  t.ok(restarts.length >= 5, `${restarts.length} restarts`)
  const world = await openWorld(t, { alerts, config, start: START })
  let waiting = 0
  for (const at of restarts) {
    await world.runTo(at + 10_000)
    waiting += world.waiting()
    await world.restart()
  }
  await world.runTo(END)
  t.ok(waiting > 10, `${waiting} messages waited at a restart`)
  checkIdentity(t, alerts, world)
  t.strictSame(differences(alerts, regions, world.sent().filter(isVtec)), [])
  t.equal(new Set(world.onAir()).size, world.onAir().length, 'no text is said twice on a channel')
  t.equal(world.onAir().length, world.sent().length)
  t.ok(world.asked.unchanged > 230, 'what was learned of the listing outlives the program')
})

/** True for a message that waited for the summary of what is in force. */
const isLater = ({ content, createdAt, dueAt }: Delivery): boolean =>
  content.kind === 'digest' || dueAt - createdAt >= 60_000

t.test('what stands in the first listing is known; what changes afterwards is told', async (t) => {
  const file = needsFixture(t, CAPTURE)
  if (file === null) return
  const alerts = readCapture(file)
  const regions = regionsOf(alerts)
  const start = Date.parse('2026-02-15T18:30:00Z')
  const world = await openWorld(t, { alerts, config: configOf(regions, alerts), start })
  await world.runTo(start + 90_000)
  const known = world.decided.filter(({ duplicate }) => !duplicate)
  t.equal(known.length, alerts.filter(({ at, isTest }) => at <= start && !isTest).length)
  t.strictSame([...new Set(known.map(({ decision }) => `${decision?.kind} ${decision?.reason}`))].sort(), [
    'recorded cold_start',
    'recorded superseded',
    'send planned',
    'send summary',
    'silent ended_by_time',
    'silent nothing_to_cancel'
  ])
  const summed = known.filter(({ decision }) => decision?.reason === 'summary')
  t.ok(summed.every(({ event }) => event.severity !== 'routine' && Date.parse(event.expires ?? '') > start))
  const [summary, own] = [true, false].map((later) => world.sent().filter((row) => later === isLater(row)))
  t.ok(
    own?.every((row) => / K\w{3}\.TO\.A\./.test(lineOf(row))) && own.length > 0,
    `only the tornado watches have texts of their own: ${own?.map(lineOf).join('; ')}`
  )
  const threads = new Set(summed.map(({ threadId }) => threadId))
  t.ok(summary?.every(({ threadId, content }) => content.kind === 'digest' || threads.has(threadId)))
  const channels = summary?.map(({ channelKey }) => channelKey) ?? []
  t.ok(
    channels.length > 5 && new Set(channels).size === channels.length,
    `one summary a channel: ${channels.join(' ')}`
  )
  await world.runTo(Date.parse('2026-02-15T19:44:00Z'))
  t.strictSame(
    world
      .sent()
      .map(lineOf)
      .filter((line) => line.includes('KDLH.FG.Y.0005'))
      .sort(),
    [
      '19:42 mc:plains KDLH.FG.Y.0005 new Carlton+Duluth',
      '19:42 mt:2 KDLH.FG.Y.0005 new Carlton',
      '19:42 mt:3 KDLH.FG.Y.0005 new Duluth'
    ]
  )
})
