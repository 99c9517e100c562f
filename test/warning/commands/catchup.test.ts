import { join } from 'node:path'
import t from 'tap'
import { asks } from '../../helpers/asks.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

const cells = {
  fire: { North: { mt: 3, mc: 'north-fire' }, South: { mt: 4 } },
  weather: { South: { mt: 4 } },
  emergency: { North: { mt: 3, min_severity: 'critical' } }
}
const config = withMatrix(cells)
const EXPIRES = '2026-06-01T23:00:00Z'

/** The texts that came back, wherever they went. */
const answers = async (...[s, radio, text]: Parameters<typeof asks>): Promise<string[]> =>
  (await asks(s, radio, text, 120)).map((told) => told.slice(told.indexOf(' ') + 1))

async function post(s: Station, id: string, more: Record<string, unknown> = {}): Promise<void> {
  await s.post({ id, title: `Fire ${id}`, family: 'fire', regions: ['North'], expires: EXPIRES, ...more })
  await s.run(30)
}

t.test('!catchup tells whole texts of what is still in force, the gravest first and of these the newest', async (t) => {
  const s = await station(t, { config })
  await post(s, 'one')
  await post(s, 'two', { severity: 'critical' })
  await post(s, 'three')
  await post(s, 'over', { expires: '2026-06-01T18:05:00Z' })
  await s.run(600)
  const texts = await answers(s, s.mt, { text: '!catchup' })
  t.match(texts, [
    /^1\/3 Fire two, North.*#[0-9A-Z]{4}$/,
    /^2\/3 .*Fire three.*#[0-9A-Z]{4}$/,
    /^3\/3 .*Fire one.*#[0-9A-Z]{4}$/
  ])
  t.equal(texts.length, 3, 'what is over is not told')
})

t.test(
  'no more texts than the owner says; the last one counts what was left out, inside the byte budget',
  async (t) => {
    const s = await station(t, { config: { ...config, commands: { catchup_texts: 2 } } })
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await post(s, id, {
        title: `Fire ${id} on a very long and winding ridge above the old mill of the valley`.repeat(3)
      })
    await s.run(1800)
    for (const [radio, bytes] of [
      [s.mt, 200],
      [s.mc, 155]
    ] as const) {
      const texts = await answers(s, radio, { from: radio === s.mc ? 'aabbccddeeff' : '!00000001', text: '!catchup' })
      t.same(texts.length, 2, JSON.stringify(texts))
      t.match(texts[0], /^1\/2 .*#[0-9A-Z]{4}$/)
      t.match(texts[1], /^2\/2 .*#[0-9A-Z]{4}; \+3: !alerts$/)
      for (const text of texts) t.ok(Buffer.byteLength(text) <= bytes, text)
    }
  }
)

t.test('on a channel what the matrix sends there is told, with its regions alone', async (t) => {
  const s = await station(t, { config })
  await post(s, 'both', { regions: ['North', 'South'] })
  await post(s, 'minor', { family: 'emergency', severity: 'priority' })
  await post(s, 'storm', { family: 'weather', regions: ['South'] })
  await s.run(120)
  const [north = '', ...more] = await answers(s, s.mt, { channel: 3, text: '!catchup' })
  t.match(north, /^Fire both, North\. Upd \d:\d\dp #[0-9A-Z]{4}$/, 'no number where there is one')
  t.same(more, [], 'neither what is below the least severity of the cell nor what goes elsewhere')
  t.equal((await answers(s, s.mt, { channel: 4, text: '!catchup' })).length, 2)
  t.equal((await answers(s, s.mt, { channel: 7, text: '!catchup' })).length, 3, 'a channel without a cell is told all')
  t.match(await answers(s, s.mc, { from: '', fromName: 'Ann', channel: 'north-fire', text: '!catchup' }), [
    /Fire both, North\. Upd \d:\d\dp #[0-9A-Z]{4}$/
  ])
})

t.test('a channel of a network that the matrix is off for is told all, as with the matrix off', async (t) => {
  const region_routes = { enabled: true, mc_enabled: false, cells }
  const s = await station(t, { config: withMatrix(cells, { region_routes }) })
  await post(s, 'north')
  await post(s, 'south', { regions: ['South'] })
  await s.run(120)
  const ask = { from: '', fromName: 'Ann', channel: 'north-fire', text: '!catchup' }
  t.equal((await answers(s, s.mc, ask)).length, 2)
  t.equal((await answers(s, s.mt, { channel: 3, text: '!catchup' })).length, 1)
})

t.test('a region can be named; where nothing is in force the answer says for which place', async (t) => {
  const s = await station(t, { config })
  t.same(await answers(s, s.mt, { text: '!catchup' }), ['Nothing in force.'])
  t.same(await answers(s, s.mt, { channel: 3, text: '!catchup' }), ['Nothing in force on channel 3.'])
  await post(s, 'far', { regions: ['South'] })
  t.same(await answers(s, s.mt, { from: '!00000002', text: '!catchup north' }), ['Nothing in force for north.'])
  t.match(await answers(s, s.mt, { from: '!00000002', text: '!catchup SOUTH' }), [/^Fire far, South/])
})

t.test('where more goes on than one answer looks at, it does not say that there is nothing', async (t) => {
  const s = await station(t, { config })
  for (let index = 0; index < 200; index++)
    await s.post({ id: `s${index}`, family: 'roads', regions: ['South'], expires: EXPIRES })
  await s.run(60)
  t.match(await answers(s, s.mt, { from: '!00000003', text: '!catchup north' }), [/^Not known: 200 or more/])
  t.match(await answers(s, s.mt, { from: '!00000003', text: '!alerts north' }), [/^Not known: 200 or more/])
})

t.test('three catch-ups in ten minutes, for each costs several texts', async (t) => {
  const s = await station(t, { config })
  for (let count = 0; count < 3; count++) t.same(await answers(s, s.mt, { text: '!catchup' }), ['Nothing in force.'])
  t.match(await answers(s, s.mt, { text: '!catchup' }), [/^Too many commands: 3 in 10 minutes\. Ask again at /])
  t.same(await answers(s, s.mt, { text: '!catchup' }), [])
  t.match(await answers(s, s.mt, { text: '!status' }), [/ready/], 'other commands go on')
})

t.test('an answer arms no guard: the update after a catch-up is told as it would have been', async (t) => {
  const s = await station(t, { config, databasePath: join(t.testdir(), 'db') })
  await post(s, 'a')
  await s.run(60)
  await answers(s, s.mt, { channel: 3, text: '!catchup' })
  const before = s.mt.airLog.length
  await post(s, 'a', { revision: '2', severity: 'critical' })
  await s.run(60)
  t.equal(s.mt.airLog.length, before + 1)
  const again = await s.restart()
  await again.run(120)
  t.same(again.mt.airLog, [], 'and a restart says nothing again')
})
