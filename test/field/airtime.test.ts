import { pino } from 'pino'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { configSchema } from '../../src/settings/schema.ts'
import { stationBroadcasts } from '../../src/station/broadcasts.ts'
import { BURN, type Config, configOf, standbyConfigs, type World, world } from './world.ts'

/**
 * The cost of each feature on the air, over the wire: Meshtastic LongFast, MeshCore 62.5 kHz SF7 CR5, a text of a common length. The figures stand in
 * docs/measurements.md, *What the features cost on the air*; here they may not grow.
 */

const HOUR = 3600
const PLACE = { lat: 43.6, lon: -116.2 }

interface Costs {
  name: string
  configs: readonly [Config, Config?]
  happens: (world: World) => Promise<void>
  /** Taken away: the same in a station without the feature, and what would have happened anyway. */
  without?: readonly [Config, Config?]
  except?: (world: World) => Promise<void>
  /** Seconds on the air of each network at most, of all that the feature adds. */
  most: { mt: number; mc: number }
}

const text = 'Wildfire north of the mill spreads towards the old bridge, leave by the east road now'
const LONG = { ...BURN, title: 'Pine Fire', summary: text, ...PLACE }
const plain = configOf()
const day = { station: { timezone: 'UTC' } }

const told =
  (severity: string) =>
  async ({ field, one, two }: World): Promise<void> => {
    await Promise.all([one.post({ ...LONG, severity }), two.post({ ...LONG, severity })])
    await field.run(600)
  }
const asked =
  (...commands: string[]) =>
  async (w: World): Promise<void> => {
    await told('critical')(w)
    for (const command of commands) {
      w.ann.writeMt(w.one, command)
      w.ann.writeMc(w.one, command)
      await w.field.run(120)
    }
  }
const said = async ({ field, one }: World): Promise<void> => {
  const config = v.parse(configSchema, announcing)
  const log = pino({ level: 'silent' })
  const { core, radios } = one
  for (const { run } of stationBroadcasts({ core, radios, config: () => config, clock: field.clock, log }).jobs())
    await run()
  await field.run(300)
}
const broadcasts = [{ name: 'weather', what: 'text', text, at: ['07:00'], mt: 1, mc: 'north' }]
const announcing = configOf({ broadcasts }, day)
/** Bravo has nothing to say: one station is measured. */
const deaf = configOf({ enabled: false })

const FEATURES: readonly Costs[] = [
  {
    name: 'a text, for comparison',
    configs: [plain, deaf],
    happens: told('critical'),
    most: { mt: 1.4, mc: 0.6 }
  },
  {
    name: 'a waypoint',
    configs: [configOf({ mt_waypoints: { enabled: true } }), deaf],
    happens: told('critical'),
    without: [plain, deaf],
    most: { mt: 0.85, mc: 0 }
  },
  {
    name: 'an alert packet beside the text',
    configs: [configOf({ mt_alert: { packet: 'beside' } }), deaf],
    happens: told('immediate'),
    without: [plain, deaf],
    most: { mt: 1.4, mc: 0 }
  },
  {
    name: 'a reminder',
    configs: [
      configOf({ reminders: [{ min_severity: 'critical', every_hours: 2, start: '00:00', end: '00:00' }] }, day),
      deaf
    ],
    happens: async (w) => {
      await told('critical')(w)
      await w.field.run(2 * HOUR)
    },
    without: [configOf({}, day), deaf],
    most: { mt: 1.5, mc: 0.6 }
  },
  {
    name: '!catchup, of one alert',
    configs: [plain, deaf],
    happens: asked('!catchup'),
    except: told('critical'),
    most: { mt: 1.5, mc: 0.6 }
  },
  {
    name: '!status',
    configs: [plain, deaf],
    happens: asked('!status'),
    except: told('critical'),
    most: { mt: 0.8, mc: 0.4 }
  },
  {
    name: 'an announcement',
    configs: [announcing, deaf],
    happens: said,
    most: { mt: 1.1, mc: 0.5 }
  },
  {
    name: 'standby, two stations',
    configs: standbyConfigs(),
    happens: told('critical'),
    without: [plain, deaf],
    most: { mt: 0.1, mc: 0.1 }
  }
]

async function seconds(
  t: Test,
  { configs, happens }: Pick<Costs, 'configs' | 'happens'>
): Promise<Record<'mt' | 'mc', number>> {
  const w = await world(t, { configs, loss: 0 })
  await happens(w)
  t.same(w.field.refused, [])
  return { mt: w.field.airSeconds('mt'), mc: w.field.airSeconds('mc') }
}

for (const { without, except, ...feature } of FEATURES) {
  t.test(`on the air: ${feature.name}`, async (t) => {
    const spent = await seconds(t, feature)
    const isMore = without !== undefined || except !== undefined
    const before = { configs: without ?? feature.configs, happens: except ?? feature.happens }
    const base = isMore ? await seconds(t, before) : { mt: 0, mc: 0 }
    for (const network of ['mt', 'mc'] as const) {
      const more = spent[network] - base[network]
      t.comment(`${feature.name}, ${network}: ${more.toFixed(2)} s`)
      t.ok(more <= feature.most[network], `${network}: ${more.toFixed(2)} s`)
    }
  })
}
