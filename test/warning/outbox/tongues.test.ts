import t from 'tap'
import * as v from 'valibot'
import { familyKeys } from '../../../src/model/families.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { configSchema } from '../../../src/settings/schema.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { spokenOn } from '../../../src/warning/messages/spoken-on.ts'
import type { Delivery } from '../../../src/warning/outbox/delivery.ts'
import { composeFor, digestText } from '../../../src/warning/outbox/text.ts'
import { station, withMatrix } from '../../helpers/station.ts'

const NOW = Date.parse('2026-06-01T18:00:00Z')
const CELLS = { weather: { North: { mt: 1, mc: 'nord' }, South: { mt: 2, mc: null } } }
const SPEAKING = {
  station: { language: 'de', time_format: '24h' },
  messages: { channels: { 'mt:2': { language: 'en' }, 'mc:nord': { ascii: true } } }
}
const at = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString()
const config = {
  ...withMatrix(CELLS, { toggles: { weather: { cooldown_seconds: 0 } }, coalesce_seconds: 0 }),
  ...SPEAKING
}

const snow = (region: string, more: Record<string, unknown> = {}) => ({
  id: `snow-${region}`,
  source: 'nws',
  family: 'weather',
  category: 'weather_winter_warning',
  severity: 'priority',
  title: 'Heavy Snow Warning',
  expires: at(6),
  sent_at: at(0),
  regions: [region],
  data: { event_name: 'Heavy Snow Warning', detail: 'Total snow 6 to 12 inches', attribution: 'NWS BOI' },
  ...more
})

t.test('each channel hears its own language, and the records hold what went out', async (t) => {
  const s = await station(t, { config, clock: new VirtualClock(NOW) })
  await s.post(snow('North'))
  await s.post(snow('South'))
  await s.run(120)
  t.strictSame(s.onAir().sort(), [
    'mc:nord Lookout: WARNUNG vor STARKEM SCHNEEFALL North bis Di 00:00. NWS BOI',
    'mt:1 WARNUNG vor STARKEM SCHNEEFALL North bis Di 00:00. NWS BOI',
    'mt:2 HEAVY SNOW WARN South til Tue 00:00. Total snow 6-12in. NWS BOI'
  ])
  const told = s.core.deliveries.list({ limit: 10 }).deliveries.map(({ text }) => text)
  t.strictSame(told.filter((text) => text?.startsWith('WARNUNG vor')).length, 2, 'as the pages list them')
})

const delivery = (channel: number, parts: string[]): Delivery =>
  Object.assign({} as Delivery, { transport: 'mt', channel, direct: false, parts })

t.test('what is said again keeps its words, but not on a channel of another language', async (t) => {
  const given = v.parse(configSchema, config)
  const event = parseEventInput(snow('North'), { now: NOW, families: familyKeys() })
  const told = (channel: number, origin: Delivery) =>
    composeFor(
      event,
      { kind: 'new', regions: ['North'], newPlacesOnly: false, mark: 'RPT', code: null, origin, events: [event] },
      {
        config: given,
        spoken: spokenOn(given, { transport: 'mt', channel, direct: false }),
        description: { network: 'mt', nodeName: 'Ridge' },
        nowMs: NOW
      }
    )[0]
  t.equal(told(1, delivery(1, ['WARNUNG vor SCHNEE'])), 'WDH WARNUNG vor SCHNEE')
  t.match(told(2, delivery(1, ['WARNUNG vor SCHNEE'])), /^RPT HEAVY SNOW WARN North/)
  t.match(told(1, delivery(2, ['HEAVY SNOW WARN'])), /^WDH WARNUNG vor STARKEM SCHNEEFALL North/)
})

t.test('a digest is in the language of its channel, its title and its count too', async (t) => {
  const given = v.parse(configSchema, config)
  const event = parseEventInput(snow('North'), { now: NOW, families: familyKeys() })
  const heads = ['a', 'b', 'c', 'd', 'e'].map((thread_id) => ({
    ...{ thread_id, severity: 'priority' as const, kind: 'new' as const, regions: ['North'], demo: false },
    event: () => event
  }))
  const said = (language: 'de' | 'fr' | 'ja') =>
    digestText(heads, 'cooldown', {
      ...{ config: given, description: { network: 'mt', nodeName: 'Ridge' }, nowMs: NOW },
      spoken: { language, ascii: language === 'fr' }
    }).text
  t.match(said('de'), /^AUSSERDEM: WARNUNG vor STARKEM SCHNEEFALL North bis Di 00:00.*; \+\d$/)
  t.match(said('fr'), /^AUSSI: ALERTE FORTES CHUTES DE NEIGE North jusqu'a mar 00h00/)
  t.match(said('ja'), /^他に: 大雪警報 North/)
  for (const language of ['de', 'fr', 'ja'] as const) t.ok(Buffer.byteLength(said(language)) <= 200)
})
