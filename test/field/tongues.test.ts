import t from 'tap'
import { configOf, world } from './world.ts'

/** Languages of channels over the wire: docs/interface.md §6. */

const TORNADO = {
  id: 'tor',
  family: 'weather',
  category: 'weather_tornado_warning',
  severity: 'immediate',
  title: 'Tornado Warning',
  expires: '2026-06-01T20:00:00Z',
  regions: ['North', 'South'],
  data: {
    event_name: 'Tornado Warning',
    instruction: 'Take cover now.',
    attribution: 'NWS',
    cap: { language: 'en-US' }
  }
}

t.test('each channel of both networks has its own language, 24 hours, and letters folded where it asks', async (t) => {
  const messages = {
    channels: {
      'mt:2': { language: 'fr' },
      'mc:north': { language: 'pl', ascii: true },
      'mc:south': { language: 'ja' }
    }
  }
  const config = configOf(
    {},
    { messages, station: { language: 'de', timezone: 'UTC', time_format: '24h', units: 'metric' } }
  )
  const { field, one, ann } = await world(t, { configs: [config, configOf()] })
  await one.post(TORNADO)
  await field.run(120)
  t.same(ann.words().sort(), [
    'mc:north OSTRZEZENIE: TORNADO North do 20:00. Natychmiast szukaj schronienia. NWS',
    'mc:south 竜巻警報 South 20:00まで。直ちに身を守る。NWS',
    'mt:1 WARNUNG vor TORNADO North bis 20:00. Sofort Schutz suchen. NWS',
    "mt:2 ALERTE TORNADE South jusqu'à 20h00. Mettez-vous à l'abri immédiatement. NWS"
  ])
})
