import { pino } from 'pino'
import t from 'tap'
import * as v from 'valibot'
import { configSchema } from '../../src/settings/schema.ts'
import { stationBroadcasts } from '../../src/station/broadcasts.ts'
import { BURN, CELLS, configOf, told, world } from './world.ts'

/** Reminders, announcements, and cells that say nothing, over the wire of both networks. */

const HOUR = 3600
const utc = { station: { timezone: 'UTC' } }

t.test('what goes on is said again on both networks, in the hours there are for it, and ends with it', async (t) => {
  const reminders = [{ min_severity: 'critical', every_hours: 2, start: '06:00', end: '22:00' }]
  const { field, one, ann } = await world(t, { configs: [configOf({ reminders }, utc), configOf()] })
  await one.post({ ...BURN, expires: '2026-06-02T09:00:00Z' })
  await field.run(24 * HOUR)
  const again = ann.shown.filter(({ text }) => text.startsWith('STILL'))
  const hours = (network: string): string[] =>
    again.filter((one) => one.network === network).map(({ at }) => new Date(at).toISOString().slice(8, 13))
  t.same(hours('mt'), ['01T20', '02T06', '02T08'])
  t.same(hours('mc'), ['01T20', '02T06', '02T08'])
  t.same(field.refused, [])
})

t.test('an announcement goes at its time to its channels, several to a mix of them', async (t) => {
  const broadcasts = [
    { name: 'net', what: 'text', text: 'Net tonight at eight', at: ['19:00'], mt: 7, mc: 'drill' },
    { name: 'north', what: 'digest', region: 'North', at: ['19:30'], mt: 1, mc: 'north' },
    { name: 'south', what: 'digest', region: 'South', at: ['19:30'], mt: 2, say_when_empty: true }
  ]
  const config = configOf({ broadcasts }, utc)
  const { field, one, ann } = await world(t, { configs: [config, configOf()] })
  const player = stationBroadcasts({
    core: one.core,
    config: () => v.parse(configSchema, config),
    radios: one.radios,
    clock: field.clock,
    log: pino({ level: 'silent' })
  })
  await one.post(BURN)
  await field.run(600)
  const before = ann.shown.length
  t.same(
    player.jobs().map(({ cron }) => cron),
    ['0 19 * * *', '30 19 * * *', '30 19 * * *']
  )
  for (const { run } of player.jobs()) await run()
  await field.run(300)
  t.match(ann.words().slice(before).sort(), [
    /^mc:drill Net tonight at eight$/,
    /^mc:north NOW North .*Pine Fire/,
    /^mt:1 NOW North .*Pine Fire/,
    /^mt:2 .*South/,
    /^mt:7 Net tonight at eight$/
  ])
})

t.test('a mute cell and a network that is off say nothing on the air, and the policy takes over nowhere', async (t) => {
  const toggles = {
    fire: { enabled: true, broadcast_channel: 3, severity_channels: { critical: ['mesh_broadcast'] } }
  }
  const cells = { ...CELLS, fire: { ...CELLS.fire, South: { mt: 2, mc: 'south', enabled: false, mute: true } } }
  const routes = { enabled: true, mc_enabled: false, cells }
  const { field, one, ann } = await world(t, { configs: [configOf({ region_routes: routes, toggles }), configOf()] })
  await one.post({ ...BURN, id: 's', title: 'Elm Fire', regions: ['South'] })
  await one.post(BURN)
  await field.run(600)
  t.same(told(ann, /Elm Fire/), [])
  t.same(told(ann, /Pine Fire/), ['mt:1 Alpha'])
})
