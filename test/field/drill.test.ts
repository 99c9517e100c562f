import { pino } from 'pino'
import t from 'tap'
import * as v from 'valibot'
import { configSchema } from '../../src/settings/schema.ts'
import { stationExercises } from '../../src/station/exercises.ts'
import { exerciseSchema } from '../../src/warning/events/exercise.ts'
import { LATER, standbyConfigs, told, world } from './world.ts'

/** An exercise on two stations of which one plays it, over the wire of both networks. Docs: docs/interface.md §13. */

const river = (words: string, more: object = {}): object => ({
  name: 'river',
  family: 'weather',
  region: 'North',
  severity: 'immediate',
  words,
  ...more
})
const script = v.parse(exerciseSchema, {
  title: 'Flood night',
  ends: 30,
  injects: [
    { at: 1, event: river('Mill River is over the road') },
    { at: 10, event: river('Mill River is falling', { severity: 'priority' }) }
  ]
})
const PLACE = { lat: 43.6, lon: -116.2, radius_km: 30 }
const MARK = /^(?:CANCEL )?(?:DRILL|EXERCISE)/

t.test(
  'every text of an exercise is marked, it ends by itself, and a real alert in the middle is told by its own rules',
  async (t) => {
    const configs = standbyConfigs(
      { mt_alert: { packet: 'beside' }, mt_waypoints: { enabled: true } },
      { coverage: { region_tagging: true, areas: [{ name: 'North', circle: PLACE }] } }
    )
    const { field, one, two, ann } = await world(t, { configs })
    const config = v.parse(configSchema, configs[0])
    const log = pino({ level: 'error' }, { write: (line: string) => t.fail(line) })
    const player = stationExercises({ core: one.core, config: () => config, clock: field.clock, log })
    t.teardown(() => player.close())
    player.start(script, { North: { circle: PLACE } })
    await field.run(5 * 60)
    const real = {
      id: 'flood',
      title: 'Mill River flood',
      family: 'weather',
      severity: 'critical',
      expires: LATER,
      circle: PLACE
    }
    await Promise.all([one.post(real), two.post(real)])
    await field.run(40 * 60)

    t.equal(player.status()?.state, 'over')
    const drilled = ann.shown.filter(({ port, text }) => port !== 8 && /river is/i.test(text))
    t.same([...new Set(drilled.map(({ network, from }) => `${network} ${from}`))].sort(), ['mc Alpha', 'mt Alpha'])
    for (const { text } of drilled) t.match(text, MARK)
    t.same(told(ann, /River flood/).sort(), ['mc:north Alpha', 'mt:1 Alpha'], 'the real one once on each network')
    t.notMatch(
      ann
        .words()
        .filter((words) => /River flood/.test(words))
        .join(),
      MARK
    )
    t.same(
      two.deliveries().map(({ state }) => state),
      ['stood_down', 'stood_down'],
      'nothing was muted at the other'
    )

    const { entries } = one.core.ledger.comms.sent({ after: { at: 0, n: 0 }, until: field.clock.now(), limit: 100 })
    const onAir = one.mtNode.transmitted.length + one.mcNode.transmitted.length
    t.equal(entries.length, onAir, 'the log has each time that something was on the air')
    t.same([...new Set(ann.shown.map(({ port }) => port))].sort(), [1, 11, 8], 'it rings, and is on the map')
    const words = [...one.mtNode.transmitted, ...one.mcNode.transmitted].map(({ text }) => text)
    const marked = words.filter((text) => /DRILL|EXERCISE/.test(text)).length
    t.equal(entries.filter(({ drill }) => drill).length, marked)
    t.equal(
      entries.filter(({ exercise }) => exercise).length,
      marked,
      'of an exercise, rings and marks as well as texts'
    )
  }
)
