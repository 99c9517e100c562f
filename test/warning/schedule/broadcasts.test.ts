import { pino } from 'pino'
import t from 'tap'
import * as v from 'valibot'
import { type Config, configSchema } from '../../../src/settings/schema.ts'
import { stationBroadcasts } from '../../../src/station/broadcasts.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import type { Problem } from '../../../src/warning/readiness/problem.ts'
import { Broadcasts, cronOf } from '../../../src/warning/schedule/broadcasts.ts'
import { Scheduler } from '../../../src/warning/schedule/scheduler.ts'
import { type Broadcast, broadcastSchema, broadcastsSchema } from '../../../src/warning/schedule/settings.ts'
import { type BroadcastTextsOptions, broadcastText } from '../../../src/warning/schedule/texts.ts'
import { station } from '../../helpers/station.ts'

const NOW = Date.parse('2026-06-01T13:00:00Z')
const log = pino({ level: 'silent' })
const broadcast = (more: Record<string, unknown>): Broadcast =>
  v.parse(broadcastSchema, { name: 'one', what: 'digest', at: ['07:00'], mt: 1, ...more })
const event = (id: string, more: Record<string, unknown> = {}) =>
  parseEventInput(
    { id, source: 's', family: 'weather', title: id, expires: '2026-06-01T20:00:00Z', regions: ['North'], ...more },
    { now: NOW, families: new Set(['weather', 'fire']) }
  )
const options = (more: Partial<BroadcastTextsOptions> = {}): BroadcastTextsOptions => ({
  config: () => v.parse(configSchema, {}),
  now: () => NOW,
  active: () => [
    event('Flood Warning', { severity: 'critical' }),
    event('Frost', { regions: ['South'] }),
    event('Big', { family: 'fire' })
  ],
  problems: () => [],
  nodeName: () => 'node',
  bandConditions: async () => 'Kp2 quiet',
  passes: async (observer, { bytes }) => `${observer} ${bytes}`,
  ...more
})

t.test('a broadcast is checked: a time of day, a channel, words', async (t) => {
  const ok = { name: 'one', what: 'digest', at: ['07:00'], mt: 0 }
  const bad: [string, unknown][] = [
    ['25:00', { ...ok, at: ['25:00'] }],
    ['no time', { ...ok, at: [] }],
    ['no channel', { ...ok, mt: null }],
    ['no words', { ...ok, what: 'text', text: ' ' }],
    ['unknown', { ...ok, what: 'weather' }]
  ]
  t.ok(v.safeParse(broadcastSchema, ok).success)
  for (const [name, value] of bad) t.notOk(v.safeParse(broadcastSchema, value).success, name)
  t.notOk(v.safeParse(broadcastsSchema, [ok, ok]).success, 'names must differ')
})

t.test('times and days make a cron expression', async (t) => {
  t.equal(cronOf('07:30', []), '30 7 * * *')
  t.equal(cronOf('00:05', ['sat', 'sun', 'sat']), '5 0 * * 0,6')
})

t.test('a digest tells what is in force, the gravest first, of its region and families', async (t) => {
  const all = await broadcastText(broadcast({}), 'mt', options())
  t.match(all, /^NOW 1:00p: FLOOD WARN North til 8:00p; Frost, South til 8:00p; FIRE Big, North/)
  t.match(await broadcastText(broadcast({ region: 'South' }), 'mt', options()), /^NOW South 1:00p: Frost til 8:00p$/)
  t.match(await broadcastText(broadcast({ families: ['fire'] }), 'mt', options()), /: FIRE Big, North/)
  t.match(
    await broadcastText(broadcast({ min_severity: 'priority' }), 'mt', options()),
    /: FLOOD WARN North til 8:00p$/
  )
  const many = options({ active: () => Array.from({ length: 40 }, (_, n) => event(`Long alert number ${n}`)) })
  const full = (await broadcastText(broadcast({}), 'mc', many)) ?? ''
  t.ok(new TextEncoder().encode(`node: ${full}`).length <= 160, full)
  t.match(full, /; \+\d+$/)
})

t.test('nothing to tell keeps the channel free, unless asked to say so', async (t) => {
  const quiet = options({ active: () => [] })
  t.equal(await broadcastText(broadcast({}), 'mt', quiet), null)
  t.equal(await broadcastText(broadcast({ say_when_empty: true }), 'mt', quiet), 'No alerts in force (1:00p).')
  const south = broadcast({ say_when_empty: true, region: 'South' })
  t.equal(await broadcastText(south, 'mt', quiet), 'No alerts in force for South (1:00p).')
})

t.test('a broadcast gives no all-clear that nobody can give', async (t) => {
  const silent: Problem = { code: 'source_silent', params: { name: 'NWS' }, blocking: false, link: '/sources' }
  const untagged: Problem = { code: 'tagging_off', params: {}, blocking: true, link: '/coverage' }
  const told = (more: object, problems: Problem[], active: BroadcastTextsOptions['active'] = () => []) =>
    broadcastText(broadcast({ say_when_empty: true, ...more }), 'mt', options({ active, problems: () => problems }))
  t.equal(await told({}, [silent]), 'No alerts known (1:00p). No all-clear: NWS is silent.')
  t.equal(await told({}, [untagged]), 'No alerts in force (1:00p).', 'all of it: what has no region counts too')
  t.equal(
    await told({ region: 'South' }, [untagged]),
    'No alerts known for South (1:00p). No all-clear: alerts get no regions.'
  )
  const many = () => Array.from({ length: 200 }, (_, n) => event(`Alert ${n}`))
  t.match(await told({ region: 'South' }, [], many), /^Not known: 200 or more graver alerts/)
})

t.test('words of your own, band conditions and passes', async (t) => {
  t.equal(
    await broadcastText(broadcast({ what: 'text', text: '!net tonight\n8 PM' }), 'mt', options()),
    'net tonight 8 PM'
  )
  t.equal(await broadcastText(broadcast({ what: 'band_conditions' }), 'mt', options()), 'Kp2 quiet')
  t.equal(await broadcastText(broadcast({ what: 'passes', region: 'Hill' }), 'mt', options()), 'Hill 200')
})

t.test('one run a minute and channel, remembered over restarts, and none while notifications are off', async (t) => {
  const facts = new Map<string, string>()
  const sent: unknown[] = []
  let [now, enabled] = [NOW, true]
  const board = new Broadcasts({
    broadcasts: () => [broadcast({ mc: 'net' }), broadcast({ name: 'off', enabled: false })],
    timezone: () => 'UTC',
    enabled: () => enabled,
    now: () => now,
    log,
    compose: async (_, network) => (network === 'mt' ? 'text' : null),
    send: (text, to) => sent.push([text, to.network, to.channel]),
    fact: (name) => facts.get(name) ?? null,
    setFact: (name, value) => facts.set(name, value)
  })
  t.strictSame(
    board.jobs().map(({ cron }) => cron),
    ['0 7 * * *']
  )
  await board.run('one')
  await board.run('one')
  await board.run('off')
  await board.run('gone')
  t.strictSame(sent, [['text', 'mt', 1]])
  enabled = false
  now += 60_000
  await board.run('one')
  t.equal(sent.length, 1)
  t.strictSame(await board.preview(broadcast({ mc: 'net' })), [
    { channel: 'mt:1', text: 'text' },
    { channel: 'mc:net', text: null }
  ])
})

t.test('jobs of a group are replaced as a whole, one change after the other', async (t) => {
  const scheduler = new Scheduler(log)
  const job = { name: 'x', cron: '* * * * *', run: () => undefined }
  await Promise.all([
    scheduler.set('a', [job, job], 'UTC'),
    scheduler.set('a', [job], 'UTC'),
    scheduler.set('b', [], 'UTC')
  ])
  await scheduler.stop()
  await t.rejects(scheduler.set('a', [{ ...job, cron: 'never' }], 'UTC'))
})

t.test(
  'a text is final when it is made: before a radio has told its name, there is room for the longest',
  async (t) => {
    const s = await station(t)
    Object.assign(s.mc.description, { nodeName: '' })
    const config = (): Config => v.parse(configSchema, {})
    const made = stationBroadcasts({ core: s.core, config, radios: s.radios, clock: s.clock, log })
    const [mt, mc] = await made.preview(broadcast({ what: 'text', text: 'word '.repeat(60), mt: 1, mc: 'ops' }))
    t.ok(new TextEncoder().encode(`${'n'.repeat(31)}: ${mc?.text}`).length <= 160, mc?.text ?? '')
    t.ok((mt?.text ?? '').length > 150)
  }
)
