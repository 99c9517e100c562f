import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { launch, ndjson, run, startLookout } from '../helpers/process.ts'

const CONFIG = {
  families: { drill: { label: 'Drills' } },
  coverage: { enabled: true, region_tagging: true, areas: [{ name: 'North', bbox: [-115, 44, -113, 45] }] },
  notifications: {
    coalesce_seconds: 0,
    toggles: { fire: { cooldown_seconds: 0 } },
    region_routes: {
      enabled: true,
      cells: { fire: { North: { mt: 3, mc: 'north' } }, drill: { North: { mt: 4, mc: null } } }
    }
  }
}
const event = (id: string, minute: number, more: object = {}): object => ({
  id,
  source: 'test',
  family: 'fire',
  severity: 'priority',
  title: `Fire ${id}`,
  sent_at: new Date(Date.UTC(2026, 5, 1, 18, minute)).toISOString(),
  lat: 44.5,
  lon: -114,
  ...more
})
const file = (...events: object[]): string => events.map((entry) => `${JSON.stringify(entry)}\n`).join('')

interface Line {
  transport: string
  channel: string | number
  text: string
  bytes: number
  thread_id: string
  event_ids: string[]
  state: string
}
const told = ({ transport, channel, event_ids }: Line): string => `${transport}:${channel} ${event_ids.join()}`

t.test('replay sends each event at its own time, in the order of time, and explains the rest', async (t) => {
  const cwd = t.testdir({
    'config.json': JSON.stringify(CONFIG),
    'later.ndjson': file(event('c', 20), event('far', 21, { lat: 10 })),
    'earlier.ndjson': file(event('b', 10), event('a', 0), event('drill', 11, { family: 'drill', category: '' }))
  })
  const args = ['replay', 'later.ndjson', 'earlier.ndjson', '--config', 'config.json']
  const { code, stdout, stderr } = await run(t, args, { cwd })
  t.equal(code, 0)
  const lines = ndjson<Line>(stdout)
  t.same(
    lines.filter(({ transport }) => transport === 'mt').map(told),
    ['mt:3 a', 'mt:3 b', 'mt:4 drill', 'mt:3 c'],
    'ties and files do not matter; a family of the configuration is known'
  )
  t.same(lines.filter(({ transport }) => transport === 'mc').map(told), ['mc:north a', 'mc:north b', 'mc:north c'])
  for (const { text, bytes, event_ids } of lines) {
    t.equal(bytes, Buffer.byteLength(text))
    t.match(text.toUpperCase(), event_ids.join(' ').toUpperCase())
  }
  t.match(stderr, /5 events: 4 with messages, 1 silent, 0 known already/)
  t.match(stderr, /silent {2}far .*outside/)
})

t.test('events ten years apart end soon; a listing without times has the time of its file, never 1970', async (t) => {
  const then = {
    ...JSON.parse(file(event('old', 0))),
    sent_at: '2014-06-01T10:00:00Z',
    expires: '2014-06-01T12:00:00Z'
  }
  const fire = {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [-116.2, 43.6] },
    properties: { IrwinID: '{A1}', IncidentName: 'Croy', IncidentTypeCategory: 'WF', IncidentSize: 2400 }
  }
  const cwd = t.testdir({
    'config.json': JSON.stringify({
      ...CONFIG,
      sources: [{ kind: 'wfigs', name: 'mine' }]
    }),
    'both.ndjson': `${JSON.stringify(then)}\n${file(event('new', 0))}`,
    'fires.geojson': JSON.stringify({ type: 'FeatureCollection', features: [fire] })
  })
  const apart = await run(t, ['replay', 'both.ndjson', '--config', 'config.json', '--dry-run'], { cwd })
  t.equal(apart.code, 0)
  t.match(ndjson(apart.stdout), [
    { id: 'old', outcome: 'send' },
    { id: 'new', outcome: 'send' }
  ])
  const timeless = await run(t, ['replay', 'fires.geojson', '--as', 'mine', '--config', 'config.json'], { cwd })
  t.equal(timeless.code, 0, timeless.stderr)
  t.notMatch(timeless.stdout, /1970/)
  const unknown = await run(t, ['replay', 'both.ndjson', '--as', 'no-such-source', '--config', 'config.json'], { cwd })
  t.not(unknown.code, 0)
  t.match(unknown.stderr, /no-such-source/)
})

t.test('--data keeps the memory: nothing is sent twice; --dry-run looks and leaves no trace', async (t) => {
  const cwd = t.testdir({
    data: { 'config.json': JSON.stringify(CONFIG) },
    'fires.ndjson': file(event('a', 0), event('b', 5))
  })
  const args = ['replay', 'fires.ndjson', '--data', 'data']
  const dry = await run(t, [...args, '--dry-run'], { cwd })
  t.equal(dry.code, 0)
  t.match(ndjson(dry.stdout), [
    { id: 'a', outcome: 'send', regions: ['North'] },
    { id: 'b', outcome: 'send' }
  ])
  t.same(readdirSync(join(cwd, 'data')), ['config.json'], 'a dry run stores nothing')

  const first = await run(t, args, { cwd })
  t.equal(ndjson(first.stdout).length, 4)
  const second = await run(t, args, { cwd })
  t.same([second.code, second.stdout], [0, ''])
  t.match(second.stderr, /2 events: 0 with messages, 0 silent, 2 known already/)
  const dryAgain = await run(t, [...args, '--dry-run'], { cwd })
  t.match(
    ndjson(dryAgain.stdout),
    [
      { id: 'a', outcome: 'duplicate' },
      { id: 'b', outcome: 'duplicate' }
    ],
    'it knows what was sent'
  )

  const update = file(event('a', 30, { revision: '2', title: 'Fire a grows' }))
  const cwd2 = t.testdir({
    data: { 'config.json': JSON.stringify(CONFIG) },
    'a.ndjson': file(event('a', 0)),
    'b.ndjson': update
  })
  await run(t, ['replay', 'a.ndjson', '--data', 'data'], { cwd: cwd2 })
  await run(t, ['replay', 'b.ndjson', '--data', 'data', '--dry-run'], { cwd: cwd2 })
  const real = await run(t, ['replay', 'b.ndjson', '--data', 'data'], { cwd: cwd2 })
  t.match(ndjson(real.stdout), [{ kind: 'update' }, { kind: 'update' }], 'what a dry run looked at is still news')
})

t.test('replay never works on the folder of a running station, but a dry run may look', async (t) => {
  const cwd = t.testdir({ 'fires.ndjson': file(event('a', 0)), data: { 'config.json': JSON.stringify(CONFIG) } })
  const station = await startLookout(t, 'data', { cwd, args: ['--no-demo'], env: { LOOKOUT_LOG: 'fatal' } })
  const refused = await run(t, ['replay', 'fires.ndjson', '--data', 'data'], { cwd })
  t.equal(refused.code, 1)
  t.equal(refused.stdout, '')
  t.match(refused.stderr, /another Lookout runs on data/)
  const dry = await run(t, ['replay', 'fires.ndjson', '--data', 'data', '--dry-run'], { cwd })
  t.match(ndjson(dry.stdout), [{ id: 'a', outcome: 'send' }])
  const { json } = await station.get<{ events: unknown[] }>('/api/events')
  t.same(json.events, [], 'the station has heard of nothing')
  t.equal((await station.launched.stop()).code, 0)
})

t.test('--speed follows the clock on the wall', async (t) => {
  const cwd = t.testdir({ 'config.json': JSON.stringify(CONFIG), 'fires.ndjson': file(event('a', 0), event('b', 1)) })
  const before = Date.now()
  const { code, stdout } = await run(t, ['replay', 'fires.ndjson', '--config', 'config.json', '--speed', '60'], { cwd })
  t.equal(code, 0)
  t.equal(ndjson(stdout).length, 4)
  t.ok(Date.now() - before >= 1000, 'a minute at 60 times the speed lasts a second')
})

t.test('a reader that goes away ends a replay quietly, and its temporary folder goes too', async (t) => {
  const events = Array.from({ length: 400 }, (_, index) => event(`f${index}`, index))
  const cwd = t.testdir({ 'config.json': JSON.stringify(CONFIG), 'fires.ndjson': file(...events), tmp: {} })
  const launched = launch(t, {
    args: ['replay', 'fires.ndjson', '--config', 'config.json'],
    cwd,
    env: { TMPDIR: join(cwd, 'tmp') }
  })
  await launched.until('the first line', () => launched.stdout.includes('\n'))
  launched.child.stdout?.destroy()
  const { code, stderr } = await launched.ended
  t.equal(code, 0)
  t.notMatch(stderr, /EPIPE|Error/)
  t.same(
    readdirSync(join(cwd, 'tmp')).filter((name) => name.startsWith('lookout-')),
    []
  )
  t.ok(readFileSync(join(cwd, 'fires.ndjson')).length > 0)
})
