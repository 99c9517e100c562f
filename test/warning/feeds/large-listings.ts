import * as v from 'valibot'
import { avalancheCanadaSource } from '../../../src/warning/feeds/avalanche/avalanche-canada.ts'
import { avalancheSource } from '../../../src/warning/feeds/avalanche/avalanche-org.ts'
import { avalancheCanadaSourceSchema } from '../../../src/warning/feeds/avalanche/canada-settings.ts'
import { avalancheSourceSchema } from '../../../src/warning/feeds/avalanche/settings.ts'
import { bcWildfireSource } from '../../../src/warning/feeds/bc-wildfire/bc-wildfire.ts'
import { bcWildfireSourceSchema } from '../../../src/warning/feeds/bc-wildfire/settings.ts'
import { capSourceSchema } from '../../../src/warning/feeds/cap/settings.ts'
import { capSource } from '../../../src/warning/feeds/cap/source.ts'
import type { SourceSettings } from '../../../src/warning/feeds/common-settings.ts'
import { gdacsSource } from '../../../src/warning/feeds/gdacs/gdacs.ts'
import { gdacsSourceSchema } from '../../../src/warning/feeds/gdacs/settings.ts'
import { jmaSource } from '../../../src/warning/feeds/jma/jma.ts'
import { jmaSourceSchema } from '../../../src/warning/feeds/jma/settings.ts'
import { metAlertsSource } from '../../../src/warning/feeds/met-alerts/met-alerts.ts'
import { metAlertsSourceSchema } from '../../../src/warning/feeds/met-alerts/settings.ts'
import { nhcSource } from '../../../src/warning/feeds/nhc/nhc.ts'
import { nhcSourceSchema } from '../../../src/warning/feeds/nhc/settings.ts'
import type { SourceKind } from '../../../src/warning/feeds/source.ts'
import { swpcSourceSchema } from '../../../src/warning/feeds/swpc/settings.ts'
import { swpcSource } from '../../../src/warning/feeds/swpc/swpc.ts'
import { usgsSourceSchema } from '../../../src/warning/feeds/usgs/settings.ts'
import { usgsSource } from '../../../src/warning/feeds/usgs/source.ts'
import { volcanoSourceSchema } from '../../../src/warning/feeds/volcano/settings.ts'
import { volcanoSource } from '../../../src/warning/feeds/volcano/volcano.ts'
import type { pollTools } from './source-harness.ts'

/** A body of megabytes and the poll that reads it. */
export interface LargeListing {
  body: string
  poll: (tools: ReturnType<typeof pollTools>) => Promise<unknown>
  /** Answers of other addresses, by a part of the address. */
  beside?: Record<string, string>
}

export const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
export const words = 'Highway 26 at Cottonwood bridge: water over the road, seek another way. '.repeat(8)
export const ring = (n: number, corners: number): number[][] => {
  const points = many(corners, (k) => [-116 + n / 500 + Math.cos(k), 44 + Math.sin(k)])
  return [...points, points[0] ?? []]
}
const polygon = (n: number, corners: number) => ({ type: 'Polygon', coordinates: [ring(n, corners)] })
const JUST = '2026-08-01T11:00:00Z'
const IN_JAPAN = '2026-08-01T20:00:00+09:00'

export function listing<S extends SourceSettings>(
  kind: SourceKind<S>,
  settings: S,
  body: string,
  beside: Record<string, string> = {}
): LargeListing {
  return { body, beside, poll: (tools) => kind.poll(settings, tools) }
}

function jma(product: 'quake' | 'tsunami' | 'volcano' | 'weather', body: string): LargeListing {
  const names = JSON.stringify({
    class20s: Object.fromEntries(
      many(8000, (n) => [
        `01${String(n).padStart(5, '0')}`,
        { name: `市${n}`, enName: `Town ${n}`, kana: 'まち', parent: '011000' }
      ])
    )
  })
  const beside = { 'area.json': names, 'volcano_list.json': '[]' }
  return listing(jmaSource, v.parse(jmaSourceSchema, { kind: 'jma', products: [product] }), body, beside)
}

const gdacsItem = (n: number): string =>
  `<item><title>Green flood ${n}</title><description>${words}</description><pubDate>Sat, 01 Aug 2026 11:00:00 GMT</pubDate><guid>FL${n}</guid><geo:Point><geo:lat>44</geo:lat><geo:long>${-100 + n / 100}</geo:long></geo:Point><gdacs:eventtype>FL</gdacs:eventtype><gdacs:alertlevel>Red</gdacs:alertlevel><gdacs:eventid>${n}</gdacs:eventid><gdacs:iscurrent>true</gdacs:iscurrent><gdacs:fromdate>Sat, 01 Aug 2026 11:00:00 GMT</gdacs:fromdate><gdacs:country>Nowhere</gdacs:country></item>`

const usgsItem = (n: number): string =>
  `<item><title>HVO Kilauea ${n} WATCH</title><guid>n${n}</guid><pubDate>Sat, 01 Aug 2026 11:00:00 GMT</pubDate><description>${words}</description><volcano:vnum>${n}</volcano:vnum><volcano:alertlevel>WATCH</volcano:alertlevel><volcano:colorcode>ORANGE</volcano:colorcode><georss:point>19 ${-155 + n / 1e4}</georss:point></item>`

const rss = (items: string[]): string =>
  `<rss version="2.0" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#" xmlns:gdacs="http://www.gdacs.org" xmlns:georss="http://www.georss.org/georss" xmlns:volcano="http://volcano.example"><channel><title>All</title><pubDate>Sat, 01 Aug 2026 11:00:00 GMT</pubDate>${items.join('')}</channel></rss>`

/** Listings longer than any that these providers publish, with all that is in them worth telling. */
export const LARGE_LISTINGS: Record<string, LargeListing> = {
  'jma quakes': jma(
    'quake',
    JSON.stringify(
      many(6000, (n) => ({
        ...{
          eid: `2026080120${n}`,
          rdt: IN_JAPAN,
          at: IN_JAPAN,
          ift: '発表',
          ttl: '震源・震度情報',
          anm: `茨城県沖 ${n}`
        },
        ...{
          en_anm: `Off the coast ${n}`,
          cod: '+36.3+141.0-30000/',
          mag: '6.1',
          maxi: '5-',
          json: `${n}_VXSE53.json`
        },
        int: many(4, (k) => ({ code: `0${k + 1}`, maxi: '5-', city: [{ code: '0820100', maxi: '5-' }] }))
      }))
    )
  ),
  'jma tsunamis': jma(
    'tsunami',
    JSON.stringify(
      many(16_000, (n) => ({
        eid: `2026080120${n}`,
        rdt: '2026-07-01T00:00:00+09:00',
        ift: '発表',
        ttl: '津波警報・注意報・予報',
        json: `2026080120${n}_VTSE41_0.json`
      }))
    )
  ),
  'jma volcanoes': jma(
    'volcano',
    JSON.stringify(
      many(900, (n) => ({
        reportDatetime: IN_JAPAN,
        note: words.repeat(3),
        volcanoInfos: [
          {
            type: '噴火警報・予報（対象火山）',
            items: [
              {
                code: '13',
                name: 'レベル３（入山規制）',
                areas: [{ name: '桜島', code: String(n + 1).padStart(3, '0') }]
              }
            ]
          }
        ]
      }))
    )
  ),
  'jma weather': jma(
    'weather',
    JSON.stringify(
      many(400, (n) => ({
        reportDatetime: IN_JAPAN,
        publishingOffice: `気象台${n}`,
        infoType: '発表',
        dataTypeCode: 'VPWW55',
        warning: {
          class20Items: many(60, (k) => ({
            areaCode: `${String((n % 47) + 1).padStart(2, '0')}${String((n * 60 + k) % 100_000).padStart(5, '0')}`,
            kinds: [
              { code: '03', status: '発表' },
              { code: '04', status: '継続' }
            ]
          }))
        }
      }))
    )
  ),
  met_alerts: listing(
    metAlertsSource,
    v.parse(metAlertsSourceSchema, { kind: 'met_alerts', provider: 'met_norway' }),
    JSON.stringify({
      type: 'FeatureCollection',
      lang: 'en',
      lastChange: JUST,
      features: many(900, (n) => ({
        type: 'Feature',
        geometry: polygon(n, 60),
        when: { interval: [JUST, '2026-08-02T11:00:00Z'] },
        properties: {
          id: `2.49.0.1.578.0.${n}`,
          area: `Valley ${n}`,
          event: 'rain',
          eventAwarenessName: 'Heavy rain',
          ...{
            awareness_level: '3; orange; Severe',
            awareness_type: '10; Rain',
            severity: 'Severe',
            type: n % 2 ? 'Update' : 'Alert'
          },
          ...{
            certainty: 'Likely',
            title: `Heavy rain, valley ${n}`,
            description: words,
            instruction: words,
            consequences: words
          }
        }
      }))
    })
  ),
  bc_wildfire: listing(
    bcWildfireSource,
    v.parse(bcWildfireSourceSchema, { kind: 'bc_wildfire' }),
    JSON.stringify({
      totalPageCount: 1,
      collection: many(6000, (n) => ({
        incidentGuid: `guid-${n}`,
        incidentNumberLabel: `K${n}`,
        incidentName: `Fire ${n}`,
        fireYear: 2026,
        incidentLocation: words.slice(0, 200),
        stageOfControlCode: 'OUT_CNTRL',
        incidentSizeEstimatedHa: n,
        latitude: '50.1',
        longitude: '-120.2',
        lastUpdatedTimestamp: Date.parse(JUST),
        fireOfNoteInd: false
      }))
    })
  ),
  gdacs: listing(gdacsSource, v.parse(gdacsSourceSchema, { kind: 'gdacs' }), rss(many(2500, gdacsItem))),
  'volcano rss': listing(
    volcanoSource,
    v.parse(volcanoSourceSchema, { kind: 'volcano', url: 'https://v.example/rss' }),
    rss(many(2500, usgsItem))
  ),
  'volcano json': listing(
    volcanoSource,
    v.parse(volcanoSourceSchema, { kind: 'volcano', url: 'https://v.example/list.json' }),
    JSON.stringify(
      many(4000, (n) => ({
        ...{
          volcano_name: `Mount ${n}`,
          vnum: String(n),
          alert_level: 'WATCH',
          color_code: 'ORANGE',
          obs_fullname: 'Alaska Volcano Observatory'
        },
        ...{
          sent_unixtime: Date.parse(JUST) / 1000,
          notice_identifier: `N${n}`,
          latitude: 60,
          longitude: -150,
          synopsis: words
        }
      }))
    )
  ),
  vona: listing(
    volcanoSource,
    v.parse(volcanoSourceSchema, { kind: 'volcano', url: 'https://v.example/vona.txt' }),
    many(
      480,
      (n) =>
        `(1) VOLCANO OBSERVATORY NOTICE FOR AVIATION\n(2) Issued: 20260801/1100Z\n(3) Volcano: Peak ${n} ${String(300_000 + n)}\n(4) Current Aviation Colour Code: ORANGE\n(5) Previous Aviation Colour Code: YELLOW\n(6) Source: AVO\n(7) Notice Number: 2026/${n}\n(8) Volcano Location: N 60 29 W 152 45\n(9) Area: Alaska\n(10) Summit Elevation: 10197 FT\n(11) Volcanic Activity Summary: ${words.repeat(6)}\n(12) Volcanic cloud height: UNKNOWN\n(13) Other volcanic cloud information: NIL\n`
    ).join('\n')
  ),
  avalanche: listing(
    avalancheSource,
    v.parse(avalancheSourceSchema, { kind: 'avalanche' }),
    JSON.stringify({
      type: 'FeatureCollection',
      features: many(700, (n) => ({
        type: 'Feature',
        id: n,
        geometry: polygon(n, 80),
        properties: {
          name: `Zone ${n}`,
          center_id: 'SNFAC',
          danger_level: 4,
          danger: 'high',
          travel_advice: words,
          start_date: '2026-08-01T07:00:00',
          end_date: '2026-08-02T07:00:00'
        }
      }))
    })
  ),
  'avalanche outlines and forecasts': listing(
    avalancheCanadaSource,
    v.parse(avalancheCanadaSourceSchema, {
      kind: 'avalanche_canada',
      url: 'https://c.example/products',
      areas_url: 'https://c.example/areas'
    }),
    JSON.stringify(
      many(1200, (n) => ({
        id: `p${n}`,
        slug: `slug${n}`,
        type: 'avalancheforecast',
        area: { id: `a${n}`, name: `Area ${n}` },
        report: {
          ...{
            title: `Area ${n}`,
            dateIssued: JUST,
            validUntil: '2026-08-02T11:00:00Z',
            highlights: `<p>${words}</p>`
          },
          terrainAndTravelAdvice: [words],
          problems: [],
          dangerRatings: many(3, (day) => ({
            date: { value: `2026-08-0${day + 1}T00:00:00Z` },
            ratings: {
              alp: { rating: { value: 'high' } },
              tln: { rating: { value: 'high' } },
              btl: { rating: { value: 'low' } }
            }
          }))
        }
      }))
    ),
    {
      'c.example/areas': JSON.stringify({
        type: 'FeatureCollection',
        features: many(450, (n) => ({
          type: 'Feature',
          id: `a${n}`,
          properties: { name: `Area ${n}` },
          geometry: polygon(n, 200)
        }))
      })
    }
  ),
  nhc: listing(
    nhcSource,
    v.parse(nhcSourceSchema, { kind: 'nhc' }),
    JSON.stringify({
      activeStorms: many(5000, (n) => ({
        ...{
          id: `al${String(n).padStart(2, '0').slice(-2)}${String(2000 + Math.floor(n / 100))}`,
          name: `Storm ${n}`,
          classification: 'HU'
        },
        ...{
          intensity: '100',
          pressure: '950',
          latitudeNumeric: 25,
          longitudeNumeric: -80 - n / 1000,
          movementDir: 300
        },
        movementSpeed: 10,
        lastUpdate: JUST,
        publicAdvisory: { advNum: '012', text: words.slice(0, 200) }
      }))
    })
  ),
  usgs: listing(
    usgsSource,
    v.parse(usgsSourceSchema, { kind: 'usgs', feed: 'all_month' }),
    JSON.stringify({
      type: 'FeatureCollection',
      metadata: { generated: Date.parse(JUST), title: 'All' },
      features: many(6000, (n) => ({
        type: 'Feature',
        id: `us${n}`,
        geometry: { type: 'Point', coordinates: [-114 - n / 1e4, 44, 10] },
        properties: {
          ...{
            mag: 3 + (n % 30) / 10,
            place: `${n} km N of Stanley, Idaho`,
            time: Date.parse(JUST) - n,
            updated: Date.parse(JUST)
          },
          ...{
            url: `https://e.example/${n}`,
            detail: `https://e.example/${n}.geojson`,
            status: 'reviewed',
            tsunami: 0,
            net: 'us'
          },
          ...{
            code: String(n),
            ids: `,us${n},`,
            types: ',origin,phase-data,',
            magType: 'ml',
            type: 'earthquake',
            title: `M ${n}`
          }
        }
      }))
    })
  ),
  'cap index': listing(
    capSource,
    v.parse(capSourceSchema, { kind: 'cap', url: 'https://a.example/index.xml', details: 'never' }),
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:cap="urn:oasis:names:tc:emergency:cap:1.2"><title>All</title><updated>${JUST}</updated>${many(
      4000,
      (n) =>
        `<entry><id>urn:A${n}</id><title>Flood Warning ${n}</title><updated>${JUST}</updated><summary>${words.slice(0, 200)}</summary><cap:event>Flood Warning</cap:event><cap:status>Actual</cap:status><cap:msgType>Alert</cap:msgType><cap:urgency>Immediate</cap:urgency><cap:severity>Severe</cap:severity><cap:certainty>Observed</cap:certainty><cap:expires>2026-08-01T18:00:00Z</cap:expires><cap:areaDesc>Valley ${n}</cap:areaDesc><cap:geocode><valueName>EMMA_ID</valueName><value>AT${n}</value></cap:geocode></entry>`
    ).join('')}</feed>`
  ),
  swpc: listing(
    swpcSource,
    v.parse(swpcSourceSchema, { kind: 'swpc' }),
    JSON.stringify(
      many(4000, (n) => ({
        product_id: 'K05W',
        issue_datetime: '2026-08-01 10:00:00.000',
        message: `Space Weather Message Code: WARK05\r\nSerial Number: ${n}\r\nIssue Time: 2026 Aug 01 1000 UTC\r\n\r\nWARNING: Geomagnetic K-index of 6 expected\r\nValid From: 2026 Aug 01 1000 UTC\r\nValid To: 2026 Aug 01 1800 UTC\r\nWarning Condition: Onset\r\nNOAA Scale: G2 - Moderate\r\n\r\nPotential Impacts: ${words}`
      }))
    )
  )
}
