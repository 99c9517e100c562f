import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { AIR_LANGUAGES, type AirLanguage } from '../../../src/model/air-languages.ts'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { because, type Reason } from '../../../src/model/reason.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { backEvent, staleEvent } from '../../../src/warning/feeds/polling/staleness.ts'
import { byteLength } from '../../../src/warning/messages/budget.ts'
import { CATALOGUE } from '../../../src/warning/messages/catalogue/catalogue.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import { event } from './sample-events.ts'
import { NOW, request } from './samples.ts'
import { TOLD, toldIn } from './tongue-samples.ts'

const golden = (language: AirLanguage): URL => new URL(`../../golden/tongues/${language}.txt`, import.meta.url)

for (const language of AIR_LANGUAGES) {
  t.test(`every sample in ${language} reads as its golden file says, byte for byte`, async (t) => {
    const text = toldIn(language)
      .map(([name, sample]) => {
        const { parts, bytes } = composeMessage(sample)
        return `# ${name}\n${parts.map((part, i) => `${bytes[i]}  ${part}`).join('\n')}\n`
      })
      .join('\n')
    if (process.env['LOOKOUT_UPDATE_GOLDEN'] === '1') writeFileSync(golden(language), text)
    t.equal(text, readFileSync(golden(language), 'utf8'))
  })
}

/** Words that the English templates write, and those of the samples' prose. Names of places, offices and networks are none. */
const ENGLISH =
  /(?<!\p{L})(?:warn|watch|adv|stmt|upd|til|until|from|since|as of|further notice|cancel|ended|still|now|was|deep|shallow|quake|avy|high|fire|cont|road|closed|work|landslide|river|rising|crest|flood|geomag|storm|obs|pass|rise|set|mesh|heard|battery|channel|drill|exercise|danger|shelter|take|move|avoid|evacuate|stay|seen|heat|satellite|hotspots?|severe|snow|fog|wind|gale|rip|current|volcano|level|heavy|rain|degraded|sat|sun|mon|noon|midnight|at|the|and|of)(?!\p{L})/iu
/** Names in the samples that hold such a word, and what is the same word in a language. */
const NAMES =
  /Two Barrel|Ainslie Creek|Bear Ridge|Sawtooth Mtns|Great Sitkin|Horseshoe Bend|Cottonwood River|High Valley|Hilltop|San Gorgonio Pass|Cape Suckling|Coastal Volusia|Camas Prairie|VIA MC|NOAA 20|Okanogan Highlands/g
const SAME: Partial<Record<AirLanguage, RegExp>> = {
  fr: /danger|obs\. |par satellite/gi,
  it: /dal satellite/g,
  es: /obs\. /g,
  pt: /obs\. /g,
  nl: /storm|wind|(?<= )op(?= zee)/gi,
  pl: /obs\. /g
}

for (const language of AIR_LANGUAGES.filter((one) => one !== 'en')) {
  t.test(`no sample in ${language} has an English word left`, async (t) => {
    for (const [name, sample] of toldIn(language)) {
      const text = composeMessage(sample).parts.join(' ').replace(NAMES, '')
      const plain = SAME[language] === undefined ? text : text.replace(SAME[language], '')
      t.notMatch(plain, ENGLISH, `${name}: ${text}`)
    }
  })

  t.test(`a text in ${language} keeps every budget, and is never cut inside a grapheme`, async (t) => {
    for (const [name, sample] of toldIn(language))
      for (const limit of [40, 60, 90, 127, 200]) {
        const { parts } = composeMessage({ ...sample, limitBytes: limit, targetBytes: limit, maxParts: 2 })
        for (const part of parts) {
          t.ok(byteLength(part) <= limit, `${name}: ${byteLength(part)} of ${limit}`)
          t.notMatch(part, /\uFFFD|^\p{M}/u, part)
        }
      }
  })
}

t.test('an English channel has the texts of before, whether its language is named or not', async (t) => {
  for (const [name, change] of TOLD)
    t.strictSame(composeMessage(request({ language: 'en', ...change })), composeMessage(request(change)), name)
})

const german = (change: Parameters<typeof request>[0]) =>
  composeMessage(request({ language: 'de', regions: ['Nord'], ...change })).parts[0]

t.test('prose that says what the facts do not goes out whole in its own tongue, never half', async (t) => {
  const civil = event({
    expires: '2026-07-04T03:00:00Z',
    data: { event_name: 'Civil Emergency Message', detail: 'Gas leak at the mill', attribution: 'NWS' }
  })
  t.equal(german({ event: civil }), 'CIVIL EMERGENCY Nord til 9:00p. Gas leak at the mill. NWS')
  const evacuation = event({
    data: { event_name: 'Evacuation Immediate', detail: 'Zones 3 and 4. Go to the fairgrounds' }
  })
  t.match(german({ event: evacuation }), /^EVACUATION IMMEDIATE Nord .*Zones 3 and 4/)
  const bare = event({ data: { event_name: 'Evacuation Immediate', instruction: 'Evacuate now.' } })
  t.equal(german({ event: bare }), 'EVAKUIERUNG Nord (18:21). Gebiet sofort verlassen')
})

t.test('what saves lives and has no words in the language keeps the whole text in its tongue', async (t) => {
  const flood = (instruction: string) =>
    event({ data: { event_name: 'Flash Flood Warning', detail: 'The dam has failed', instruction } })
  t.match(
    german({ event: flood('Evacuate Oak Street by way of the old bridge.') }),
    /^FLASH FLOOD WARN Nord .*Oak Street/
  )
  t.equal(
    german({ event: flood('Move to higher ground now.') }),
    'WARNUNG vor STURZFLUT Nord (18:21). Sofort auf höher gelegenes Gelände'
  )
})

t.test('a source that speaks the language of the channel keeps its own words', async (t) => {
  const storm = event({
    expires: '2026-07-04T03:00:00Z',
    data: {
      event_name: 'Sturmböen',
      awareness: 'orange',
      detail: 'Es treten Sturmböen um 80 km/h auf',
      instruction: 'Gegenstände sichern.',
      cap: { language: 'de-DE' }
    }
  })
  t.equal(german({ event: storm }), 'ORANGE STURMBÖEN Nord bis 21:00. Sturmböen um 80 km/h. Gegenstände sichern')
})

t.test('an own event without a language is in that of the people here', async (t) => {
  const road = event({
    family: 'emergency',
    title: 'Brücke unpassierbar',
    data: { detail: 'Umleitung ausgeschildert' }
  })
  t.equal(german({ event: road }), 'Brücke unpassierbar, Nord (18:21). Umleitung ausgeschildert')
})

t.test(
  'letters are folded where the channel asks for it, German by its own rule, and the budget is that of the folded text',
  async (t) => {
    const text = german({
      event: event({ data: { event_name: 'Blizzard Warning', places: ['Zürich', 'Ärmel'] } }),
      ascii: true,
      kind: 'cancel'
    })
    t.match(text, /^AUFGEHOBEN: WARNUNG vor SCHNEESTURM Nord, Zuerich\/Aermel/)
    t.match(text, /^[\x20-\x7e]*$/)
    t.match(
      german({
        event: event({
          family: 'weather',
          title: 'EXERCISE, no danger: Ridge',
          data: { drill: true, exercise: 'Ridge' }
        }),
        ascii: true
      }),
      /^UEBUNG, keine Gefahr/
    )
  }
)

t.test('names of places stand with no English word between them, and keep the words that are theirs', async (t) => {
  const placed = (place: string, language: AirLanguage = 'de') =>
    composeMessage(
      request({ language, event: event({ data: { event_name: 'Gale Warning', places: [place], attribution: 'NWS' } }) })
    ).parts[0]
  const table = [
    ['Florence to Cape Blanco OR out 10nm', 'Florence - Cape Blanco OR 10nm'],
    ['Waters from Cape Suckling to Gravel Point out to 15 NM', 'Waters Cape Suckling - Gravel Point 15nm'],
    ['from Fair Head to Strangford Lough to Howth Head', 'Fair Head - Strangford Lough - Howth Head'],
    ['Seul Choix Point to 5NM West of Mackinac Bridge', 'Seul Choix Point - 5nm W von Mackinac Bridge'],
    ['Cascade County below 5000ft', 'Cascade County <5000ft'],
    ['Santee River near Jamestown', 'Santee River (Jamestown)'],
    ['East of England', 'East of England'],
    ['Gulf of Alaska', 'Gulf of Alaska'],
    ['Truth or Consequences', 'Truth or Consequences']
  ] as const
  for (const [place, said] of table) t.equal(placed(place), `WARNUNG vor STURM AUF SEE ${said} (18:21). NWS`)
  t.match(placed('6 to 5 km east of Kootenay Pass', 'ja'), /Kootenay Passの東6-5km/)
  t.match(placed('35 km west of Anahim Lake', 'fr'), /35km O d'Anahim Lake/)
  t.match(placed('Florence to Cape Blanco', 'en'), /Florence to Cape Blanco/)
  const name = 'Yerong Creek Structure Fire'
  const fire = { family: 'fire', category: 'fire_warning', title: name, data: { places: [name], language: 'en' } }
  t.match(composeMessage(request({ language: 'de', event: event(fire) })).parts[0], /^BRAND,? Yerong Creek[,.] /)
})

t.test('prose in a language that no channel has is not taken for one that looks like it', async (t) => {
  const gale = (detail: string) =>
    composeMessage(
      request({
        language: 'pl',
        event: event({ title: 'Gale', data: { event_name: 'Gale', awareness: 'yellow', places: ['A2'], detail } })
      })
    ).parts[0]
  for (const detail of [
    'Østlig sterk kuling 20 m/s i dag og i kveld',
    'Ostlig kuling, snöfall och vind i norr',
    'Silný vítr i bouřky, výstraha může být prodloužena'
  ])
    t.match(gale(detail), /^ALERT ŻÓŁTY: SZTORM A2 \(18:21\)$/, detail)
  t.match(gale('W nocy silny wiatr do 20 m/s, możliwe porywy'), /możliwe porywy/, 'Polish stays')
})

t.test('what the station tells of itself is said in every language, as its sources word it', async (t) => {
  const feed = { name: 'NWS', staleSince: NOW - 7_200_000, error: null, now: NOW }
  const off = (why: Reason) => event({ family: 'mesh_health', title: `Ridge ${sentenceOf(why)}` })
  const made: [string, LookoutEvent, RegExp][] = [
    ['a feed is silent', staleEvent({ ...feed, lastOk: NOW - 7_200_000 }), /FUNKNETZ Quelle NWS seit 2h stumm/],
    ['it never spoke', staleEvent({ ...feed, lastOk: null }), /FUNKNETZ Quelle NWS seit dem Start stumm/],
    ['it is back', backEvent({ ...feed, lastOk: NOW - 7_200_000 }), /FUNKNETZ Quelle NWS wieder da nach 2h/],
    ['the battery is low', off(because('board_off_battery', { percent: 9 })), /FUNKNETZ Ridge schaltet ab: Akku 9 %/],
    ['the supply is weak', off(because('board_off_voltage')), /FUNKNETZ Ridge schaltet ab: Versorgung zu schwach/]
  ]
  for (const [name, one, said] of made)
    t.match(composeMessage(request({ event: one, kind: one.lifecycle, language: 'de' })).parts[0], said, name)
})

t.test('a text whole in its own tongue has the full stops of that tongue', async (t) => {
  const civil = event({
    data: { event_name: 'Civil Emergency Message', detail: 'Gas leak (mill). Stay away', attribution: 'NWS' }
  })
  t.match(composeMessage(request({ language: 'ja', event: civil })).parts[0], /^CIVIL EMERGENCY [\x20-\x7e]*$/)
})

t.test('a drill and an exercise say so before all else, in every language, news and end too', async (t) => {
  const made = (data: object, title: string, kind: 'new' | 'update' | 'cancel' | 'expire', language: AirLanguage) =>
    composeMessage(
      request({ event: event({ family: 'roads', title, data: { drill: true, ...data } }), kind, language })
    ).parts[0] ?? ''
  for (const language of AIR_LANGUAGES) {
    const { drill, exercise } = CATALOGUE[language].words
    for (const kind of ['new', 'update', 'cancel', 'expire'] as const) {
      const script = made({ exercise: 'Spring' }, 'EXERCISE, no danger: Pass closed', kind, language)
      t.match(script, new RegExp(`^${exercise}: .*Pass closed`), kind)
      t.match(made({}, 'DRILL, no danger: Pass closed', kind, language), new RegExp(`^${drill}: .*Pass closed`), kind)
      t.match(made({}, 'Pass closed', kind, language), new RegExp(`^${drill}: .*Pass closed`), `${kind}, as posted`)
    }
    t.equal(drill === exercise, language === 'ja', `${language} has a word for each`)
  }
  t.match(made({}, 'DRILL, no danger', 'new', 'en'), /^DRILL, no danger(?!:)/)
})

t.test('every language but Japanese is plain ASCII where the channel asks for it', async (t) => {
  for (const language of AIR_LANGUAGES.filter((one) => one !== 'ja'))
    for (const [name, sample] of toldIn(language))
      t.match(composeMessage({ ...sample, ascii: true }).parts.join(' '), /^[\x20-\x7e]*$/, `${language} ${name}`)
})

t.test('Japanese sentences end as Japanese ones do, within the same bytes', async (t) => {
  const data = {
    event_name: 'Tsunami Warning',
    instruction: 'Move to higher ground now. Stay out of the water.',
    attribution: 'JMA'
  }
  const said = (bytes: number) =>
    composeMessage(
      request({ event: event({ data }), language: 'ja', regions: ['釧路'], limitBytes: bytes, targetBytes: bytes })
    )
  t.strictSame(said(200).parts, ['津波警報 釧路 (18:21)。直ちに高台へ避難。海・川から離れる。JMA'])
  for (let bytes = 40; bytes <= 200; bytes++) t.ok(byteLength(said(bytes).parts[0] ?? '') <= bytes)
})

t.test(
  'no hazard is guessed: a storm on land is none at sea, a level stands in the headline, a place in the prose',
  async (t) => {
    const gusts = {
      event_name: 'Heavy thunderstorms with gale-force gusts',
      awareness: 'orange',
      cap: { language: 'en' }
    }
    t.match(
      german({ event: event({ category: 'weather_marine_statement', data: gusts }) }),
      /^WARNSTUFE ORANGE: SCHWERES GEWITTER Nord/
    )
    const canada = event({
      title: 'severe thunderstorm watch ended',
      data: { event_name: 'thunderstorm', cap: { language: 'en-CA' } }
    })
    t.match(german({ event: canada, kind: 'cancel' }), /^AUFGEHOBEN: VORWARNUNG vor SCHWEREM GEWITTER Nord/)
    const cyclone = event({
      data: { event_name: 'Tropical Cyclone', detail: 'SARAI-19: winds of 111 km/h, Vanuatu and Tonga' }
    })
    t.match(german({ event: cyclone, regions: [] }), /^TROPICAL CYCLONE .*Vanuatu and Tonga/)
  }
)
