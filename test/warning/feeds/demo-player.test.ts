import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { type Config, configSchema } from '../../../src/settings/schema.ts'
import { demoConfig } from '../../../src/warning/feeds/demo/demo.ts'
import { DemoPlayer, type DemoStage } from '../../../src/warning/feeds/demo/demo-player.ts'
import { type Station, station } from '../../helpers/station.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** A station that nobody has set up, the demo playing on it. */
async function playing(t: Test): Promise<Station & { setUp: (config: object) => Promise<void>; demo: DemoPlayer }> {
  const s = await station(t, { config: await demoConfig(`${ROOT}/demo`) })
  let saved: Config = v.parse(configSchema, {})
  let changed = (): void => undefined
  const demo = await DemoPlayer.open({
    root: ROOT,
    demo: 'on',
    allSimulated: true,
    clock: s.clock,
    config: () => saved,
    onConfigChange: (listener) => {
      changed = listener
    }
  })
  if (demo === null) throw new Error('the demo is not offered')
  const stage: DemoStage = {
    accept: (arrivals) => s.core.accept(arrivals),
    fact: (name) => s.core.ledger.fact(name),
    setFact: (name, value) => s.core.ledger.setFact(name, value),
    remove: () => s.core.forgetDemo(),
    onError: (error) => t.fail(String(error))
  }
  demo.prepare(stage)
  await demo.play(stage)
  const setUp = async (config: object): Promise<void> => {
    saved = v.parse(configSchema, config)
    s.setConfig(config)
    changed()
    await s.run(0)
  }
  return { ...s, demo, setUp }
}

const area = { coverage: { region_tagging: true, areas: [{ name: 'Valley', bbox: [-118, 41, -110, 49] }] } }

t.test('what the demo tells carries its mark in events and messages', async (t) => {
  const s = await playing(t)
  await s.run(40)
  t.ok(s.core.ledger.active(s.clock.now(), 50).length > 3)
  t.ok(s.deliveries({ merged: true }).length > 3)
  t.ok(s.deliveries({ merged: true }).every(({ demo }) => demo))
  t.same(
    s.onAir().filter((text) => !/ DEMO /.test(text)),
    []
  )
})

for (const seconds of [20, 41, 200])
  t.test(
    `the demo is gone ${seconds} s after it began, the moment the station is set up, and does not come back`,
    async (t) => {
      const s = await playing(t)
      await s.run(seconds)
      t.ok(s.core.ledger.list({ limit: 50 }).length > 0)
      await s.setUp(area)
      t.same(s.core.ledger.active(s.clock.now(), 50), [], 'no alert of it is in force')
      t.ok(
        s.deliveries({ merged: true }).every(({ state }) => state === 'transmitting'),
        'but what is just on the air'
      )
      const before = s.onAir().length
      await s.run(300)
      t.same(s.core.ledger.list({ limit: 50 }), [])
      t.same(s.deliveries({ merged: true }), [])
      t.ok(s.onAir().length <= before + 2, 'nothing more is sent')
      t.equal(s.core.ledger.fact('demo_run'), null, 'another demo is a new one')
      t.equal(s.demo.state(), null)
    }
  )

t.test('a real event that looks like one of the demo is told: nothing is remembered of the demo', async (t) => {
  const s = await playing(t)
  await s.run(30)
  const invented = s.core.ledger.list({ limit: 50 }).find(({ event }) => event.severity === 'immediate')?.event
  if (invented === undefined) throw new Error('the demo has no grave event')
  const { region: _region, regions: _regions, data, ...same } = invented
  const cells = Object.fromEntries([[invented.family, { Valley: { mt: 2 } }]])
  await s.setUp({ ...area, notifications: { region_routes: { enabled: true, cells } } })
  await s.run(10)
  const { demo: _demo, ...told } = data
  const real = await s.post({
    ...same,
    data: told,
    regions: ['Valley'],
    source: 'real',
    sent_at: new Date(s.clock.now()).toISOString()
  })
  t.match(real.decision, { kind: 'send' })
})

t.test('only the demo is taken out: what was real stays', async (t) => {
  const s = await playing(t)
  await s.run(20)
  await s.post({ id: 'real', severity: 'critical', regions: ['North'] })
  await s.run(30)
  const own = s.deliveries().filter(({ event_ids }) => event_ids.includes('real')).length
  await s.setUp(area)
  await s.run(60)
  t.match(s.core.ledger.list({ limit: 50 }), [{ event: { id: 'real' } }])
  t.equal(s.deliveries().length, own)
})
