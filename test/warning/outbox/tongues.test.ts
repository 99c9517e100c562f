import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
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
