import { pino } from 'pino'
import t from 'tap'
import * as v from 'valibot'
import { configSchema } from '../../src/settings/schema.ts'
import { stationBroadcasts } from '../../src/station/broadcasts.ts'
import { stationExercises } from '../../src/station/exercises.ts'
import { exerciseSchema } from '../../src/warning/events/exercise.ts'
import { BURN, type Config, configOf, LATER, standbyConfigs, type World, world } from './world.ts'

/**
 * Nothing of any feature stands before a text of immediate danger: from the moment its event comes nothing else begins on the air of either
 * network until it does, over the wire. Docs: docs/interface.md §6.
 */

const HOUR = 3600
const ADMIN = '!0000004d'
const always = { min_severity: 'priority', every_hours: 2, start: '00:00', end: '00:00' }
const utc = { station: { timezone: 'UTC' } }
const silent = pino({ level: 'silent' })
const deaf = configOf({ enabled: false })
const cells = {
  fire: { North: { mt: 1, mc: 'north' } },
  weather: { North: { mt: 1, mc: 'north' }, South: { mt: 2, mc: 'south' } }
}

/** Four alerts of the severity, each with a place; the texts have not all left. */
const four = async ({ field, one }: World, severity: string, seconds: number): Promise<void> => {
  for (const n of [1, 2, 3, 4])
    await one.post({ ...BURN, id: `f${n}`, title: `Fire ${n}`, severity, lat: 43 + n / 10, lon: -116, expires: LATER })
  await field.run(seconds)
}
const everybodyAsks = ({ one, ann, ben }: World, command: string): void => {
  for (const { writeMt, writeMc } of [ann, ben]) {
    writeMt(one, command)
    writeMc(one, command)
  }
}

interface Feature {
  name: string
  configs: readonly [Config, Config?]
  /** Brings the station to the moment at which most of the feature waits. */
  busy: (world: World) => Promise<void>
  /** Words of the feature that are on the air later. */
  waits: RegExp
}

const broadcasts = [1, 2, 3].map((n) => ({
  name: `b${n}`,
  what: 'text',
  text: `Announcement ${n}`,
  at: ['07:00'],
  mt: n,
  mc: 'north'
}))
const injects = [1, 2, 3].map((n) => ({
  at: 1,
  event: { name: `d${n}`, family: 'weather', region: 'South', severity: 'immediate', words: `Dam ${n} breaks` }
}))

const FEATURES: readonly Feature[] = [
  {
    name: 'waypoints',
    configs: [configOf({ mt_waypoints: { enabled: true } }), deaf],
    busy: (w) => four(w, 'critical', 20),
    waits: /Fire 4/
  },
  {
    name: 'alert packets',
    configs: [configOf({ mt_alert: { packet: 'beside' } }), deaf],
    busy: (w) => four(w, 'immediate', 24),
    waits: /Fire \d/
  },
  {
    name: 'reminders',
    configs: [configOf({ reminders: [always] }, utc), deaf],
    busy: async (w) => {
      await four(w, 'critical', 0)
      await w.field.run(2 * HOUR + 40)
    },
    waits: /^(?:Alpha: )?STILL/
  },
  {
    name: 'a catch-up',
    configs: [configOf(), deaf],
    busy: async (w) => {
      await four(w, 'critical', 120)
      everybodyAsks(w, '!catchup')
      await w.field.run(4)
    },
    waits: /3\/3/
  },
  {
    name: 'answers',
    configs: [configOf({}, { commands: { admins: [ADMIN] } }), deaf],
    busy: async (w) => {
      await four(w, 'critical', 120)
      for (const command of ['!status', '!alerts', '!help']) everybodyAsks(w, command)
      await w.field.run(4)
    },
    waits: /!alerts/
  },
  {
    name: 'announcements',
    configs: [configOf({ broadcasts }, utc), deaf],
    busy: async ({ field, one }) => {
      const config = v.parse(configSchema, configOf({ broadcasts }, utc))
      const { core, radios } = one
      const player = stationBroadcasts({ core, radios, config: () => config, clock: field.clock, log: silent })
      for (const { run } of player.jobs()) await run()
      await field.run(4)
    },
    waits: /Announcement 3/
  },
  {
    name: 'an exercise',
    configs: [configOf({ region_routes: { enabled: true, cells } }), deaf],
    busy: async ({ field, one }) => {
      const config = v.parse(configSchema, configOf({ region_routes: { enabled: true, cells } }))
      const player = stationExercises({ core: one.core, config: () => config, clock: field.clock, log: silent })
      player.start(v.parse(exerciseSchema, { title: 'Dams', injects }), {})
      await field.run(61)
      await player.close()
    },
    waits: /Dam 3 breaks/
  },
  {
    name: 'standby, of what a source said just now',
    configs: standbyConfigs(),
    busy: async (w) => {
      // In its first three minutes a station of two gives what is on the air 5 s to end.
      await w.field.run(200)
      await four(w, 'critical', 4)
    },
    waits: /Fire 4/
  }
]

for (const { name, configs, busy, waits } of FEATURES) {
  t.test(`a text of immediate danger waits for nothing of ${name}`, async (t) => {
    const w = await world(t, { configs, loss: 0 })
    const { field, one } = w
    await busy(w)
    const from = field.clock.now()
    const before = field.onAir.length
    const burst = { id: 'burst', title: 'Wall of water', severity: 'immediate', expires: LATER }
    await one.post({ ...burst, sent_at: new Date(from).toISOString() })
    await field.run(900)
    const mine = field.onAir.slice(before).filter(({ station }) => station === 'Alpha')
    for (const network of ['mt', 'mc'] as const) {
      const begun = mine.filter((other) => other.network === network)
      t.match(begun[0]?.text, /Wall of water/, `${network}: the first that begins`)
      const late = ((begun[0]?.at ?? from) - from) / 1000
      t.comment(`${name}, ${network}: after ${late.toFixed(1)} s`)
      t.ok(late < 6, `${network}: after ${late.toFixed(1)} s`)
    }
    t.ok(
      mine.some(({ text }) => waits.test(text)),
      'something of it did wait'
    )
    t.same(field.refused, [])
  })
}
