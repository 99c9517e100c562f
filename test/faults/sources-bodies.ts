import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { sourceSchema } from '../../src/warning/feeds/settings.ts'
import { samples } from '../helpers/feed-samples.ts'
import { fixture } from '../helpers/fixtures.ts'
import { ninaOutline, ninaRow, ninaWarning } from '../warning/feeds/nina-samples.ts'
import { capDocument, capInfo, nwsFeature, nwsListing, quakeFeature, quakeListing } from '../warning/feeds/samples.ts'

/** The providers of the day: what each source asks for, by the addresses its settings have by default, and what comes. */

/** 2026-03-01 22:00 UTC: when the day begins. What was recorded another day is moved by whole days, so that it is in force. */
export const DAY_START = Date.parse('2026-03-01T22:00:00Z')
const DAY_MS = 86_400_000

export interface Provided {
  source: Record<string, unknown>
  /** By a part of the address, the first that fits: what is served there. */
  bodies: [part: string, body: () => string | null][]
}

const iso = (hours: number): string => new Date(DAY_START + hours * 3_600_000).toISOString()
const json = (value: unknown): string => JSON.stringify(value)

/** The recording with its days moved; null when the recordings are not there. */
function recorded(path: string, day: string): () => string | null {
  return () => {
    const file = fixture(`feeds/${path}`)
    const days = Math.floor((DAY_START - Date.parse(`${day}T00:00:00Z`)) / DAY_MS)
    return file === null ? null : moved(readFileSync(file, 'utf8'), days)
  }
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** Every day in a text, so many later: ISO dates, VTEC, e-mail dates and epoch milliseconds; clock times stay. */
export function moved(text: string, days: number): string {
  const shift = (year: number, month: number, day: number): [number, number, number] => {
    const at = new Date(Date.UTC(year, month - 1, day) + days * DAY_MS)
    return [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
  }
  const two = (value: number): string => String(value).padStart(2, '0')
  return text
    .replace(/\b(20\d\d)-(\d\d)-(\d\d)(?=\D)/g, (_, y, m, d) => shift(+y, +m, +d).map(two).join('-'))
    .replace(/\b(\d\d)(\d\d)(\d\d)(?=T\d{4}Z)/g, (whole, y, m, d) =>
      whole === '000000'
        ? whole
        : shift(2000 + Number(y), +m, +d)
            .map((part) => two(part % 100))
            .join('')
    )
    .replace(/\b(\d\d?) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (20\d\d)\b/g, (_, d, name, y) => {
      const [year, month, day] = shift(+y, MONTHS.indexOf(name) + 1, +d)
      return `${two(day)} ${MONTHS[month - 1]} ${year}`
    })
    .replace(/\b1[4-9]\d{11}\b/g, (ms) => String(Number(ms) + days * DAY_MS))
}

const detail = (): string =>
  capDocument({ id: 'detail-1', infos: [capInfo({ more: `<expires>${iso(30)}</expires>` })] }).replace(
    /<sent>[^<]*/,
    `<sent>${iso(-1).replace('.000Z', '-00:00')}`
  )

const gauge = {
  lid: 'HSBI1',
  name: 'Payette River near Horseshoe Bend',
  latitude: 43.94,
  longitude: -116.2,
  status: { observed: { primary: 12.4, primaryUnit: 'ft', floodCategory: 'minor', validTime: iso(0) } },
  flood: { stageUnits: 'ft', categories: { action: { stage: 9 }, minor: { stage: 11 }, moderate: { stage: 13 } } }
}
const workZone = {
  type: 'FeatureCollection',
  feed_info: { publisher: 'TestDOT', version: '4.2', update_date: iso(0) },
  features: [
    {
      id: 'w1',
      type: 'Feature',
      properties: {
        core_details: {
          event_type: 'work-zone',
          data_source_id: '1',
          road_names: ['I-80'],
          direction: 'northbound',
          update_date: iso(-2)
        },
        start_date: iso(-100),
        end_date: iso(500),
        vehicle_impact: 'all-lanes-closed'
      },
      geometry: {
        type: 'LineString',
        coordinates: [
          [-116, 43],
          [-116.1, 43.1]
        ]
      }
    }
  ]
}
const quakes = (): string =>
  quakeListing(
    ...['us1', 'us2', 'us3'].map((id, at) =>
      quakeFeature(id, { mag: 5 + at / 2, time: DAY_START - 7_200_000, updated: DAY_START - 3_600_000 }, [
        -114 + at,
        44,
        9
      ])
    )
  ).replace('1760000100000', String(DAY_START))

const fires = (): string =>
  `<rss version="2.0" xmlns:georss="http://www.georss.org/georss"><channel><title>Fires</title><item><title>Bushfire at Smith Road</title><guid>f1</guid><pubDate>${new Date(DAY_START - 3_600_000).toUTCString()}</pubDate><georss:point>44 -114</georss:point></item></channel></rss>`
const storm = {
  id: 'ep012026',
  name: 'Test',
  classification: 'HU',
  intensity: '85',
  pressure: '972',
  latitudeNumeric: 44,
  longitudeNumeric: -114,
  movementDir: 315,
  movementSpeed: 12,
  lastUpdate: iso(-1)
}
const volcano = {
  vnum: '332010',
  volcano_name_appended: 'Kilauea',
  latitude: 44,
  longitude: -114,
  notice_identifier: 'n1',
  sent_date_cap: iso(-1),
  alert_level: 'WATCH',
  color_code: 'ORANGE',
  synopsis: 'Lava fountains continue.'
}
const felt = {
  eid: 'e1',
  rdt: iso(-1),
  at: iso(-1),
  ift: '発表',
  en_anm: 'Off Fukushima',
  cod: '+37.5+141.7-50000/',
  mag: '5.8',
  maxi: '5+',
  json: 'a_VXSE5k_1.json'
}
const wave = {
  Head: { Title: '津波', ReportDateTime: iso(-1), EventID: 'e1', InfoType: '発表' },
  Body: {
    Tsunami: {
      Forecast: { Item: { Area: { Name: '岩手県', Code: '210' }, Category: { Kind: { Code: '51' } } } }
    }
  }
}
const atVolcano = {
  reportDatetime: iso(-1),
  volcanoInfos: [
    {
      type: '噴火警報・予報（対象火山）',
      items: [{ name: 'レベル３（入山規制）', areas: [{ code: '506', name: '桜島' }] }]
    }
  ]
}

/** Sources of polled kinds, one that downloads by itself, and two that share a host. */
const WRITTEN: readonly Provided[] = [
  {
    source: { kind: 'nws', area: ['ID', 'KS', 'MN', 'AK', 'CA', 'PK'] },
    bodies: [
      [
        'api.weather.gov',
        () =>
          recorded('nws-geojson/alerts-500-part-a.json', '2026-02-15')() ??
          nwsListing(nwsFeature({ sent: iso(-1), expires: iso(9), ends: iso(20) }))
      ]
    ]
  },
  {
    source: { kind: 'usgs' },
    bodies: [['2.5_day', () => recorded('usgs-quakes/1.0_day-2022-04-04.geojson', '2022-04-04')() ?? quakes()]]
  },
  { source: { kind: 'usgs', name: 'quakes-week', feed: '4.5_week' }, bodies: [['4.5_week', quakes]] },
  {
    source: { kind: 'cap', url: 'https://cap.example/alert.cap' },
    bodies: [['cap.example/alert', () => recorded('cap/australia.cap', '2013-01-01')() ?? detail()]]
  },
  {
    source: { kind: 'cap', name: 'cap-index', url: 'https://cap.example/index.atom' },
    bodies: [
      ['cap.example/index', recorded('cap/nws-weather_index-2010.atom', '2010-08-31')],
      ['alerts-beta', detail]
    ]
  },
  {
    source: { kind: 'ipaws' },
    bodies: [['apps.fema.gov', () => `<alerts>${detail().replace(/<\?xml[^>]*>/, '')}</alerts>`]]
  },
  {
    source: { kind: 'meteoalarm', country: 'poland' },
    bodies: [
      ['legacy-atom-poland', recorded('meteoalarm/legacy-atom-poland.xml', '2023-04-26')],
      ['feeds.meteoalarm.org/api', detail]
    ]
  },
  {
    source: { kind: 'cap_au', state: 'nsw' },
    bodies: [
      [
        'rfs.nsw.gov.au',
        () =>
          `<EDXLDistribution xmlns="urn:oasis:names:tc:emergency:EDXL:DE:1.0"><contentObject><xmlContent><embeddedXMLContent>${detail().replace(/<\?xml[^>]*>/, '')}</embeddedXMLContent></xmlContent></contentObject></EDXLDistribution>`
      ]
    ]
  },
  {
    source: { kind: 'nina', systems: ['mowas'] },
    bodies: [
      ['mowas/mapData', () => json([ninaRow('mow.A')])],
      ['.geojson', () => json(ninaOutline)],
      ['warnings/mow', () => json(ninaWarning('mow.A', { sent: iso(-1) }))]
    ]
  },
  { source: { kind: 'met_alerts' }, bodies: [['api.met.no', recorded('met-norway/metno_alerts.json', '2026-03-07')]] },
  {
    source: { kind: 'wfigs' },
    bodies: [
      ['Perimeters', recorded('wfigs-perimeters/perimeters-2025-03-13.geojson', '2025-03-13')],
      ['Incident_Locations', recorded('wfigs-incidents/incidents-fl.geojson', '2026-07-30')]
    ]
  },
  {
    source: { kind: 'bc_wildfire' },
    bodies: [['nrs.gov.bc.ca', recorded('bc-wildfire/wildfire_feed_location_list.json', '2026-07-07')]]
  },
  {
    source: { kind: 'firms', map_key: 'k'.repeat(32), bbox: [-125, 31, -102, 49] },
    bodies: [['firms.modaps', recorded('firms/world_fires_1_day.csv', '2022-04-04')]]
  },
  {
    source: { kind: 'swpc' },
    bodies: [
      ['noaa-scales', recorded('swpc/noaa-scales.2025_04_16.json', '2025-04-16')],
      ['alerts.json', recorded('swpc/alerts.2025_04_17.json', '2025-04-17')],
      ['k-index-forecast', recorded('swpc/noaa-planetary-k-index-forecast.2025_04_17.json', '2025-04-17')],
      ['k-index', recorded('swpc/noaa-planetary-k-index.2026_08_01.json', '2026-08-01')]
    ]
  },
  { source: { kind: 'nwps', gauges: ['HSBI1'] }, bodies: [['api.water.noaa.gov', () => json(gauge)]] },
  {
    source: { kind: 'nwis', sites: [{ id: '06904500', action: 1.5 }], max_age_hours: 48 },
    bodies: [['waterdata.usgs.gov', recorded('nwis/ogc-api-samples.json', '2026-08-07')]]
  },
  {
    source: { kind: 'avalanche' },
    bodies: [['api.avalanche.org', recorded('avalanche/us-zones-part-a.geojson', '2026-01-10')]]
  },
  {
    source: { kind: 'avalanche_canada', min_danger: 1 },
    bodies: [
      ['en/products', recorded('avalanche/ca-sea-to-sky-forecast.json', '2015-12-31')],
      [
        'en/areas',
        () =>
          json({
            type: 'FeatureCollection',
            features: [
              {
                type: 'Feature',
                id: 'sea-to-sky',
                properties: {},
                geometry: {
                  type: 'Polygon',
                  coordinates: [
                    [
                      [-123, 50],
                      [-122, 50],
                      [-122, 51],
                      [-123, 50]
                    ]
                  ]
                }
              }
            ]
          })
      ]
    ]
  },
  {
    source: { kind: 'open511' },
    bodies: [['open511.gov.bc.ca', recorded('roads/open511-drivebc-five.json', '2023-06-29')]]
  },
  { source: { kind: 'wzdx', url: 'https://wzdx.example/feed' }, bodies: [['wzdx.example', () => json(workZone)]] },
  {
    source: { kind: 'datex2', url: 'https://datex.example/situations' },
    bodies: [['datex.example', recorded('roads/datex2-GUID50365428-v2.xml', '2019-11-26')]]
  },
  {
    source: { kind: 'digitraffic' },
    bodies: [['digitraffic.fi', recorded('roads/digitraffic-GUID50409331.json', '2023-01-25')]]
  },
  {
    source: { kind: 'cars', url: 'https://cars.example/events' },
    bodies: [['cars.example', recorded('roads/cars-chain-ups.json', '2026-01-15')]]
  },
  {
    source: { kind: 'gdacs', green: true, droughts: true },
    bodies: [['gdacs.org', recorded('gdacs/gdacs-rss-24h.xml', '2019-12-30')]]
  },
  {
    source: { kind: 'georss', url: 'https://rss.example/feed', ends_when_gone: true },
    bodies: [['rss.example', fires]]
  },
  { source: { kind: 'nhc' }, bodies: [['nhc.noaa.gov', () => json({ activeStorms: [storm] })]] },
  { source: { kind: 'volcano' }, bodies: [['volcanoes.usgs.gov', () => json([volcano])]] },
  {
    source: { kind: 'jma' },
    bodies: [
      ['quake/data/list.json', () => json([felt])],
      ['tsunami/data/list.json', () => json([{ eid: 'e1', json: 'a_VTSE41_1.json', rdt: iso(-1), ift: '発表' }])],
      ['tsunami/data/a_VTSE41_1.json', () => json(wave)],
      ['volcano_list.json', () => json({ 506: { nameEn: 'Sakurajima', latlon: ['31.593', '130.657'] } })],
      ['volcano/data/warning.json', () => json([atVolcano])]
    ]
  },
  {
    source: {
      kind: 'rest',
      url: 'https://rest.example/list?key=hush',
      token: 'very-secret',
      mapping: {
        list: '/items',
        fields: { id: '/id', title: '/title', family: { value: 'fire' }, lat: '/lat', lon: '/lon', sent_at: '/at' }
      }
    },
    bodies: [['rest.example', () => json({ items: [{ id: 'a', title: 'Smoke', lat: 44, lon: -114, at: iso(-1) }] })]]
  },
  {
    source: { kind: 'satpass', observers: [{ name: 'Boise', lat: 43.6, lon: -116.2 }], satellites: ['NOAA 20'] },
    bodies: [['celestrak.org', recorded('tle-omm/weather.tle', '2026-03-01')]]
  }
]

/** The sample of a kind that has no row above, served at the address its settings name. */
const SAMPLED: readonly Provided[] = samples()
  .filter(({ kind }) => !WRITTEN.some(({ source }) => source['kind'] === kind))
  .map(({ kind, settings, now, body }) => {
    const { url } = v.parse(v.looseObject({ url: v.string() }), v.parse(sourceSchema, { kind, ...settings }))
    const text = typeof body === 'string' ? body : json(body)
    const days = Math.floor((DAY_START - Date.parse(now)) / DAY_MS)
    return { source: { kind, ...settings }, bodies: [[new URL(url).hostname, () => moved(text, days)]] }
  })

/** Sources of every polled kind. */
export const PROVIDED: readonly Provided[] = [...WRITTEN, ...SAMPLED]
