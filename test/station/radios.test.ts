import { pino } from 'pino'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { StationRadios } from '../../src/station/radios.ts'
import type { RadioConfig } from '../../src/warning/radios/settings.ts'
import type { SimulatedRadio } from '../../src/warning/radios/simulated.ts'
import { START, type Station, station, withMatrix } from '../helpers/station.ts'

const radio = (network: 'mt' | 'mc', more: Partial<RadioConfig> = {}): RadioConfig => ({
  id: network,
  network,
  link: 'simulated',
  admin_key_required: true,
  ...more
})
const MATRIX = withMatrix({ fire: { North: { mt: 1, mc: 'north' } } })

interface World extends Station {
  all: StationRadios
  /** Saves these radios and lets the station follow. */
  choose: (...radios: RadioConfig[]) => Promise<void>
  ids: () => string[]
  states: () => Promise<Record<string, string>>
}

async function world(t: Test, beginning: RadioConfig[], { simulatedDefault = false } = {}): Promise<World> {
  let configured = beginning
  const clock = new VirtualClock(START)
  const all = await StationRadios.open({
    config: { current: () => ({ radios: configured }) },
    profile: { simulated_radios: simulatedDefault },
    transmit: true,
    mcNames: () => ['north'],
    clock,
    log: pino({ level: 'silent' })
  })
  const found = await station(t, { config: MATRIX, clock, radios: all.list })
  t.teardown(() => all.close())
  all.start(found.core)
  await found.run(1)
  return {
    ...found,
    all,
    choose: async (...radios) => {
      configured = radios
      const following = all.follow()
      await found.run(1)
      await following
      await found.run(1)
    },
    ids: () => all.list.map(({ description }) => description.id),
    states: async () => Object.fromEntries(found.deliveries().map(({ transport, state }) => [transport, state]))
  }
}

t.test('a radio that is chosen while the station runs sends what waited for it, without a restart', async (t) => {
  const { post, run, choose, states, ids, core } = await world(t, [])
  await post({ id: 'a', severity: 'critical' })
  await run(5)
  t.same(await states(), { mt: 'held', mc: 'held' })
  await choose(radio('mt'))
  await run(60)
  t.same(ids(), ['mt'])
  t.match(await states(), { mt: /sent|heard/, mc: 'held' })
  t.same(
    core.loops().map(({ name }) => name),
    ['pipeline', 'radio mt'],
    'the watchdog looks after its queue'
  )
  await choose(radio('mt'), radio('mc'))
  await run(60)
  t.match(await states(), { mt: /sent|heard/, mc: /sent|heard|unconfirmed/ })
})

t.test('the radios that stand in for none go when one is chosen, and come back with its end', async (t) => {
  const { choose, ids } = await world(t, [], { simulatedDefault: true })
  t.same(ids(), ['sim-mt', 'sim-mc'])
  await choose(radio('mc'))
  t.same(ids(), ['mc'])
  await choose()
  t.same(ids(), ['sim-mt', 'sim-mc'])
})

t.test(
  'a change of one radio leaves the other connected, and so does a change that no radio is made from',
  async (t) => {
    const { all, choose } = await world(t, [radio('mt'), radio('mc')])
    const [mt, mc] = all.list
    await choose(radio('mt', { admin_key_required: false }), radio('mc'))
    t.same(all.list, [mt, mc])
    await choose(radio('mt', { channels: [0, 1] }), radio('mc'))
    t.not(all.list[0], mt)
    t.equal(all.list[1], mc)
    t.equal(mt?.health().state, 'closed')
    t.equal(all.list[0]?.health().state, 'ready')
  }
)

t.test('the text on its way when its radio is taken away does not stay on its way', async (t) => {
  const { post, run, choose, states, all } = await world(t, [radio('mt')])
  const taken: string[] = []
  ;(all.list[0] as SimulatedRadio).onTaken(({ text }) => taken.push(text))
  const accepted = post({ id: 'a', severity: 'critical' })
  await accepted
  for (let ms = 0; taken.length === 0 && ms < 10_000; ms += 20) await run(0.02)
  t.match(await states(), { mt: 'transmitting' })
  await choose()
  t.not((await states())['mt'], 'transmitting')
  await choose(radio('mt'))
  await run(120)
  t.match(await states(), { mt: /sent|heard|unconfirmed|sent_unknown/ })
})

t.test('a radio that cannot be made is a problem until it is mended; the other one is used', async (t) => {
  const { all, choose, ids } = await world(t, [])
  await choose(radio('mt', { link: 'tcp' }), radio('mc'))
  t.same(ids(), ['mc'])
  t.match(all.problems, [{ code: 'radio_needs' }])
  await choose(radio('mc'))
  t.same(all.problems, [])
})
