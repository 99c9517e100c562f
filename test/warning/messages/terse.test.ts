import t from 'tap'
import { composeDigest } from '../../../src/warning/messages/digest.ts'
import { shortCall } from '../../../src/warning/messages/guidance.ts'
import { cutDetail } from '../../../src/warning/messages/sentences.ts'
import { shortSource } from '../../../src/warning/messages/signature.ts'
import { terse } from '../../../src/warning/messages/terse.ts'
import { event } from './sample-events.ts'
import { NOW, STATION } from './samples.ts'

t.test('measures and filling words of a bulletin are written short, no figure changes', async (t) => {
  const rows: [string, string][] = [
    ['Southwest winds 25 to 35 mph with gusts up to 60 mph expected.', 'SW winds 25-35mph, gusts to 60mph.'],
    ['North to northeast winds 10 to 15 knots.', 'N-NE winds 10-15kt.'],
    ['Winds could gust over 70 mph at times.', 'Gusts over 70mph.'],
    ['West winds to 25 kt and significant waves to 5 ft.', 'W winds to 25kt, waves to 5ft.'],
    ['Heavy snow possible. Total snow accumulations between 4 and 10 inches.', 'Heavy snow 4-10in.'],
    ['Heavy snow. Additional snow accumulations of 7 to 12 inches.', 'Heavy snow, another 7-12in.'],
    ['Snow. Additional snow accumulations of up to two inches.', 'Snow, up to another 2in.'],
    [
      'Snow expected. There is a likelihood moderate winter weather impacts. Total snow accumulations between 2 and 5 inches.',
      'Snow 2-5in.'
    ],
    ['Total snow accumulations of one and a half to three feet.', 'Snow 1.5-3ft.'],
    ['Ice accumulations of around one tenth of an inch.', 'Ice 0.1in.'],
    ['Sub-freezing temperatures as low as 25 expected.', 'Sub-freezing temperatures down to 25F.'],
    ['Flooding caused by excessive rainfall continues to be possible.', 'Flooding from heavy rain still possible.'],
    [
      'A severe thunderstorm was located near Gray, or 5 miles east of Clinton, moving east at 35 mph.',
      'Severe thunderstorm near Gray, moving E 35mph.'
    ],
    [
      'On May 4 an earthquake with preliminary magnitude 8.1 occurred 60 miles southeast of Kodiak City, Alaska.',
      'M8.1 quake 60mi SE of Kodiak City, Alaska.'
    ],
    ['No tsunami expected.', 'No tsunami expected.'],
    ['landslide at the bridge', 'landslide at the bridge'],
    ['Windböen bis 60 km/h, 20 bis 35 l/m2.', 'Windböen bis 60 km/h, 20 bis 35 l/m2.'],
    ['Vent de 60 km/h', 'Vent de 60 km/h']
  ]
  for (const [long, short] of rows) t.equal(terse(long), short)
})

t.test('a sentence that must be cut ends with one of its clauses', async (t) => {
  const snow = 'Heavy snow 8-12in in the most persistent lake snows across the far northern portion of the county'
  t.equal(cutDetail(snow, 60), 'Heavy snow 8-12in in the most persistent lake snows')
  t.equal(
    cutDetail('Heavy snow 6-12in west of Highway 395, with local totals up to 2ft', 50),
    'Heavy snow 6-12in west of Highway 395'
  )
  t.equal(cutDetail('Gusts to 60mph', 50), 'Gusts to 60mph')
})

t.test('the calls that services repeat have a short form, any other stays', async (t) => {
  t.equal(shortCall("Turn around, don't drown when encountering flooded roads"), "Turn around, don't drown")
  t.equal(shortCall('Slow down and use caution while traveling'), 'Drive with care')
  t.equal(shortCall('Use caution while traveling outside'), 'Dress warmly outside')
  t.equal(shortCall('DO NOT DELAY...SEEK SHELTER NOW!'), 'SEEK SHELTER NOW!')
  t.equal(shortCall('Leave now by US 20 east'), 'Leave now by US 20 east')
  t.equal(shortCall('Dress in layers including a hat, face mask, and gloves if you must go outside'), 'Dress in layers')
  t.equal(shortCall('Consider avoiding or delaying travel until the snow squall passes your location'), 'Delay travel')
})

t.test('a source takes at most 15 bytes', async (t) => {
  const rows: [string, string][] = [
    ['NWS BOI', 'NWS BOI'],
    ['Environment Canada', 'ECCC'],
    ['Deutscher Wetterdienst', 'DWD'],
    ['Met Éireann', 'Met Éireann'],
    ['Leitfunkstelle Musterstadt Feuerwehr, Rettungsdienst, Katastrophenschutz', 'Leitst.'],
    ['Leitfunkstelle Kassel Feuerwehr, Rettungsdienst, Katastrophenschutz', 'Leitst. Kassel'],
    ['warnings.meteo.example.org', 'example.org'],
    ['', '']
  ]
  for (const [name, short] of rows) {
    t.equal(shortSource(name), short)
    t.ok(Buffer.byteLength(shortSource(name)) <= 15)
  }
})

t.test('a digest names each river and how grave it is', async (t) => {
  const river = (name: string, grade: string) =>
    event({
      thread_id: name,
      expires: '2026-07-04T12:15:00Z',
      data: {
        event_name: 'Flood Warning',
        places: ['Uvalde, TX'],
        detail: `${name}: ${grade} flooding, 12ft, flood stage 10ft`,
        attribution: 'NWS EWX'
      }
    })
  const entries = [river('Frio River at Concan', 'major'), river('Leona River at Uvalde', 'minor')].map((one) => ({
    event: one,
    kind: 'new' as const,
    regions: ['Hill Country']
  }))
  t.equal(
    composeDigest({ title: 'QUIET 22:00-06:00', entries, station: STATION, limitBytes: 200, nowMs: NOW }).text,
    'QUIET 22:00-06:00: FLOOD WARN Frio River at Concan til Sat 6:15a. major flooding; FLOOD WARN Leona River at Uvalde til Sat 6:15a. minor flooding'
  )
})
