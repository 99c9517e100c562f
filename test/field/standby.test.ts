import t from 'tap'
import { BURN, standbyConfigs, told, world } from './world.ts'

/** Two stations without a network between them, with the drivers of both networks. Docs: docs/interface.md §6, *Two stations*. */

t.test('each alert is said once on each network, and the second counts it as told', async (t) => {
  const { field, one, two, ann } = await world(t, { configs: standbyConfigs() })
  await Promise.all([one.post(BURN), two.post(BURN)])
  await field.run(600)
  t.same(told(ann, /Pine Fire/).sort(), ['mc:north Alpha', 'mt:1 Alpha'])
  t.same(
    two
      .deliveries()
      .map(({ transport, state }) => `${transport} ${state}`)
      .sort(),
    ['mc stood_down', 'mt stood_down']
  )
  t.same(field.refused, [])
})

t.test('what the first cannot say the second says, marked, on both networks and within its time', async (t) => {
  const { field, one, two, ann } = await world(t, { configs: standbyConfigs() })
  field.cut.add('Alpha')
  const from = field.clock.now()
  await Promise.all([one.post(BURN), two.post(BURN)])
  await field.run(600)
  t.same(told(ann, /^STBY .*Pine Fire/).sort(), ['mc:north Bravo', 'mt:1 Bravo'])
  for (const { at } of ann.shown) t.ok(at - from < 200_000, `${(at - from) / 1000} s`)
})

t.test('after a split each hears of what is new once more, and nothing that was said is said again', async (t) => {
  const { field, one, two, ann } = await world(t, { configs: standbyConfigs() })
  field.cut.add('Bravo')
  await Promise.all([one.post(BURN), two.post(BURN)])
  await field.run(600)
  field.cut.delete('Bravo')
  const next = { ...BURN, id: 'next', title: 'Oak Fire' }
  await Promise.all([one.post(next), two.post(next)])
  await field.run(600)
  t.same(told(ann, /Oak Fire/).sort(), ['mc:north Alpha', 'mt:1 Alpha'])
  t.same(told(ann, /Pine Fire/).sort(), ['mc:north Alpha', 'mt:1 Alpha'])
})
