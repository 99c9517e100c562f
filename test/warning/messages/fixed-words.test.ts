import t from 'tap'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import { event } from './sample-events.ts'
import { request, STATION } from './samples.ts'

const SMOKE = event({
  expires: '2026-07-04T02:00:00Z',
  severity: 'immediate',
  family: 'emergency',
  category: 'emergency_civil',
  title: 'Starke Rauchentwicklung nach Grossbrand',
  data: {
    event_name: 'Gefahrendurchsage',
    places: ['Bettenhausen'],
    detail: 'Nach einem Grossbrand kommt es zu starker Rauchentwicklung.',
    instruction: 'Halten Sie Fenster und Türen geschlossen.',
    attribution: 'Leitfunkstelle Kassel Feuerwehr, Rettungsdienst, Katastrophenschutz',
    cap: { language: 'de-DE' }
  }
})
const station = { ...STATION, timezone: 'Europe/Berlin', time_format: '24h' as const }
const german = (change: Parameters<typeof request>[0] = {}) =>
  composeMessage(request({ event: SMOKE, station, targetBytes: 200, ...change })).parts[0] ?? ''

t.test('a German warning has German fixed words, and what to do stands before who says so', async (t) => {
  t.equal(
    german(),
    'GEFAHRENDURCHSAGE Bettenhausen bis 04:00. Nach einem Grossbrand kommt es zu starker Rauchentwicklung. Halten Sie Fenster und Türen geschlossen. Leitst. Kassel'
  )
  t.match(
    german({ limitBytes: 110, targetBytes: 110 }),
    /Halten Sie Fenster und Türen geschlossen/,
    'it outlasts the detail'
  )
  t.match(german({ kind: 'update' }), /^GEFAHRENDURCHSAGE NEU Bettenhausen bis 04:00/)
  t.match(german({ kind: 'cancel' }), /^ENTWARNUNG GEFAHRENDURCHSAGE Bettenhausen \(02:21\)/)
})

t.test('levels, colours, days and open ends are German too, another language keeps the English words', async (t) => {
  const frost = (data: Record<string, unknown>, more = {}) =>
    composeMessage(
      request({ station, event: event({ data: { places: ['Harz'], cap: { language: 'de' }, ...data }, ...more }) })
    ).parts[0]
  t.equal(
    frost(
      { event_name: 'Frost Warning', awareness: 'yellow' },
      { expires: '2026-07-06T06:00:00Z', onset: '2026-07-05T06:00:00Z' }
    ),
    'FROST WARNUNG Harz ab So 08:00 bis Mo 08:00'
  )
  t.equal(
    frost({ event_name: 'Sturmböen', awareness: 'red', until_further_notice: true }),
    'ROT STURMBÖEN Harz bis auf Weiteres (Stand 02:21)'
  )
  t.match(
    frost({ event_name: 'Frost Warning', cap: { language: 'sv' } }, { expires: '2026-07-06T06:00:00Z' }),
    /FROST WARN Harz til Mon/
  )
})

t.test('the fixed words are in the tongue that the source speaks', async (t) => {
  const told = (language: string, more: Parameters<typeof event>[0] = {}, kind: 'new' | 'cancel' = 'new') =>
    composeMessage(
      request({
        station,
        kind,
        event: event({
          expires: '2026-07-06T06:00:00Z',
          data: { event_name: 'x', places: ['P'], cap: { language } },
          ...more
        })
      })
    ).parts[0]
  t.equal(told('es-MX'), 'X P hasta el lun 08:00')
  t.equal(told('fr-CA'), "X P jusqu'à lun 08:00")
  t.equal(told('it-IT', { onset: '2026-07-05T06:00:00Z' }), 'X P da dom 08:00 fino a lun 08:00')
  t.equal(told('pt-BR', {}, 'cancel'), 'CANCELADO X P (02:21)')
  t.equal(told('nl-NL', { expires: '2026-07-20T06:00:00Z' }), 'X P tot 20 jul 08:00')
  t.equal(told('pl-PL', { expires: '2027-07-20T06:00:00Z' }), 'X P do 20 lip 2027')
  t.equal(
    told('ja-JP', { onset: '2026-07-05T06:00:00Z', expires: '2026-07-20T06:00:00Z' }),
    'X P 日 08:00から 7/20 08:00まで'
  )
})
