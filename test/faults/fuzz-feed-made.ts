import { capDocument, capInfo, nwsFeature, nwsListing, quakeFeature, quakeListing } from '../warning/feeds/samples.ts'
import { DAY_START } from './sources-bodies.ts'

/** Small valid bodies of the kinds that no other table of the tests holds, with every field their readers look at. */

const at = (hours: number): string => new Date(DAY_START + hours * 3_600_000).toISOString()
const json = (value: unknown): string => JSON.stringify(value)
const polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [-114, 44],
      [-113, 44],
      [-113, 45],
      [-114, 44]
    ]
  ]
}
const point = { type: 'Point', coordinates: [-114.1, 44.2] }
const listing = (properties: object, geometry: object = polygon): string =>
  json({ type: 'FeatureCollection', features: [{ type: 'Feature', id: 7, geometry, properties }] })

const PRODUCT = `WFUS55 KBOI 012151
TORBOI
IDC013-025-012215-
/O.NEW.KBOI.TO.W.0007.260301T2151Z-260301T2215Z/

BULLETIN - EAS ACTIVATION REQUESTED
TORNADO WARNING
NATIONAL WEATHER SERVICE BOISE ID
251 PM MST SUN MAR 1 2026

THE NATIONAL WEATHER SERVICE IN BOISE HAS ISSUED A

* TORNADO WARNING FOR...
  BLAINE COUNTY IN SOUTH CENTRAL IDAHO

* UNTIL 315 PM MST

* AT 250 PM MST...RADAR INDICATED A TORNADO NEAR HAILEY MOVING EAST AT
  25 MPH.

PRECAUTIONARY/PREPAREDNESS ACTIONS...

TAKE COVER NOW.

&&

LAT...LON 4350 11430 4360 11410 4340 11400 4330 11420
TIME...MOT...LOC 2150Z 270DEG 22KT 4345 11425
TORNADO...RADAR INDICATED
HAIL...1.00IN

$$

ABC
`
const FLOOD = PRODUCT.replace(/TOR/g, 'FLW').replace(
  /\/O\.NEW[^\n]*/,
  '/O.CON.KBOI.FL.W.0003.000000T0000Z-260303T0600Z/\n/HSBI1.2.ER.260301T1800Z.260302T0600Z.260302T1800Z.NO/'
)

const TLE = `ISS (ZARYA)
1 25544U 98067A   26060.50000000  .00016000  00000-0  27777-3 0  9990
2 25544  51.6381 147.8590 0003466 150.4670 338.5502 15.51043222452520
`

/** Bodies by kind, with the settings that read them. */
export const MADE: readonly [kind: string, settings: object, ...bodies: string[]][] = [
  [
    'nws',
    {},
    nwsListing(
      nwsFeature({ vtec: ['/O.NEW.KBOI.WS.W.0007.260301T0100Z-260302T0000Z/'] }),
      nwsFeature({ id: 'urn:oid:2', references: [{ identifier: 'urn:oid:1', sent: at(-3) }], geometry: polygon })
    )
  ],
  ['usgs', {}, quakeListing(quakeFeature('us1'), quakeFeature('us2', { mag: 6.1, alert: 'orange', tsunami: 1 }))],
  [
    'cap',
    { url: 'https://feed.example/' },
    capDocument(),
    capDocument({
      infos: [
        capInfo({
          more: `<expires>${at(9)}</expires><area><areaDesc>Blaine; Camas</areaDesc><polygon>44,-114 44,-113 45,-113 44,-114</polygon><circle>44,-114 12.5</circle><geocode><valueName>UGC</valueName><value>IDC013</value></geocode></area>`
        })
      ],
      references: 'civil@example.org,A-0,2026-01-15T10:00:00-07:00'
    })
  ],
  [
    'cap',
    { url: 'https://feed.example/index' },
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:cap="urn:oasis:names:tc:emergency:cap:1.2"><id>i</id><title>Alerts</title><updated>${at(-1)}</updated><entry><id>https://feed.example/a.cap</id><title>Flood</title><updated>${at(-1)}</updated><link href="a.cap" type="application/cap+xml"/><cap:event>Flood</cap:event><cap:expires>${at(9)}</cap:expires><cap:areaDesc>Blaine</cap:areaDesc></entry></feed>`
  ],
  [
    'met_alerts',
    {},
    listing({
      area: 'A2',
      awareness_level: '2; yellow; Moderate',
      awareness_type: '1; Wind',
      certainty: 'Likely',
      description: 'Strong gale 20 m/s.',
      event: 'gale',
      eventAwarenessName: 'Gale',
      geographicDomain: 'marine',
      id: '2.49.0.1.578.0.1',
      instruction: 'Stay ashore.',
      severity: 'Moderate',
      status: 'Actual',
      title: `Gale, A2, ${at(0)}`,
      type: 'Update',
      eventEndingTime: at(9)
    })
  ],
  [
    'bc_wildfire',
    {},
    json({
      totalRowCount: 1,
      collection: [
        {
          publishedIncidentDetailGuid: 'g',
          incidentGuid: 'i',
          incidentNumberLabel: 'G90400',
          newsCreatedTimestamp: DAY_START,
          stageOfControlCode: 'OUT_CNTRL',
          discoveryDate: DAY_START - 9e6,
          declaredOutDate: null,
          fireOfNoteInd: true,
          incidentName: 'Hill',
          incidentLocation: 'Hill Lake',
          incidentSizeEstimatedHa: 210.5,
          latitude: 53.1,
          longitude: -122.4
        }
      ]
    })
  ],
  [
    'firms',
    { map_key: 'k'.repeat(32) },
    `latitude,longitude,brightness,scan,track,acq_date,acq_time,satellite,confidence,version,bright_t31,frp,daynight\n44.1,-114.2,324.0,2.4,1.5,2026-03-01,2050,T,64,6.1NRT,300.6,43.8,D\n44.11,-114.21,350.5,2.4,1.5,2026-03-01,2050,T,91,6.1NRT,302.3,130.7,D\n`
  ],
  [
    'swpc',
    {},
    json([
      {
        product_id: 'K06W',
        issue_datetime: '2026-03-01 21:13:52.333',
        message:
          'Space Weather Message Code: WARK06\r\nSerial Number: 576\r\nIssue Time: 2026 Mar 01 2113 UTC\r\n\r\nEXTENDED WARNING: Geomagnetic K-Index of 6 expected\r\nExtension to Serial Number: 575\r\nValid From: 2026 Mar 01 1315 UTC\r\nNow Valid Until: 2026 Mar 02 0600 UTC\r\nWarning Condition: Persistence\r\nNOAA Scale: G2 - Moderate\r\n'
      }
    ])
  ],
  [
    'swpc',
    {},
    json({
      0: {
        DateStamp: '2026-03-01',
        TimeStamp: '21:33:00',
        R: { Scale: '3', Text: 'strong' },
        S: { Scale: '0', Text: 'none' },
        G: { Scale: '4', Text: 'severe' }
      }
    })
  ],
  [
    'nwis',
    { sites: [{ id: '06904500', action: 1.5 }] },
    listing(
      {
        monitoring_location_id: 'USGS-06904500',
        parameter_code: '00065',
        value: '12.4',
        unit_of_measure: 'ft',
        time: at(-1),
        approval_status: 'Provisional'
      },
      point
    )
  ],
  [
    'avalanche',
    {},
    listing({
      name: 'Banner',
      center: 'Sawtooth',
      center_link: 'https://a.example/',
      timezone: 'America/Boise',
      center_id: 'SAC',
      state: 'ID',
      danger: 'high',
      danger_level: 4,
      travel_advice: 'Avoid.',
      start_date: at(-9),
      end_date: at(9),
      warning: { product: null },
      off_season: false
    })
  ],
  [
    'open511',
    {},
    json({
      events: [
        {
          id: 'drivebc.ca/1',
          headline: 'INCIDENT',
          status: 'ACTIVE',
          created: at(-9),
          updated: at(-1),
          description: 'Highway 3, both ways. Landslide at the bridge. Road closed. (DBC-1)',
          schedule: { intervals: [`${at(-9)}/`] },
          event_type: 'INCIDENT',
          event_subtypes: ['HAZARD'],
          severity: 'MAJOR',
          geography: point,
          roads: [{ name: 'Highway 3', from: 'at the bridge', direction: 'BOTH', state: 'CLOSED' }],
          areas: [{ name: 'District', id: 'drivebc.ca/7' }]
        }
      ]
    })
  ],
  [
    'digitraffic',
    {},
    listing({
      situationId: 'G1',
      situationType: 'TRAFFIC_ANNOUNCEMENT',
      trafficAnnouncementType: 'GENERAL',
      version: 1,
      releaseTime: at(-1),
      versionTime: at(-1),
      announcements: [
        {
          language: 'FI',
          title: 'Tie 7. ',
          location: { description: 'Tie 7' },
          features: [{ name: 'Tie suljettu' }],
          comment: 'Onnettomuus',
          timeAndDuration: { startTime: at(-1) },
          sender: 'Helsinki'
        }
      ]
    })
  ],
  [
    'cars',
    { url: 'https://feed.example/' },
    json([
      {
        'event-id': 'C-1',
        'is-draft': false,
        headline: { category: 'CLOSURE', code: 'Road closed' },
        priority: 1,
        'update-time': { time: DAY_START },
        'update-expiry-time': { time: DAY_START + 9e8 },
        details: [
          {
            'element-id': 1,
            'end-time': { time: DAY_START + 9e8 },
            descriptions: [{ 'is-cause': false, kind: { category: 'closure', code: 'road closed' } }],
            locations: [
              {
                'primary-location': { 'geo-location': { latitude: 44.1, longitude: -114.2 } },
                'route-designator': 'Highway 20'
              }
            ]
          }
        ],
        geometry: {
          type: 'LineString',
          coordinates: [
            [-114, 44],
            [-114.1, 44.1]
          ]
        }
      }
    ])
  ],
  [
    'gdacs',
    { green: true, droughts: true },
    `<rss version="2.0" xmlns:gdacs="http://www.gdacs.org" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#" xmlns:georss="http://www.georss.org/georss"><channel><title>GDACS</title><item><title>Orange earthquake</title><description>M 6.9</description><pubDate>Sun, 01 Mar 2026 21:17:00 GMT</pubDate><gdacs:iscurrent>true</gdacs:iscurrent><gdacs:fromdate>Sun, 01 Mar 2026 20:00:00 GMT</gdacs:fromdate><guid isPermaLink="false">EQ1</guid><geo:Point><geo:lat>44.1</geo:lat><geo:long>-114.2</geo:long></geo:Point><gdacs:bbox>-118 -110 40 48</gdacs:bbox><georss:point>44.1 -114.2</georss:point><gdacs:eventtype>EQ</gdacs:eventtype><gdacs:alertlevel>Orange</gdacs:alertlevel><gdacs:eventid>1</gdacs:eventid><gdacs:episodeid>2</gdacs:episodeid><gdacs:severity unit="M" value="6.9">Magnitude 6.9M, Depth:10km</gdacs:severity><gdacs:country>Idaho</gdacs:country></item></channel></rss>`
  ],
  [
    'datex2',
    { url: 'https://feed.example/' },
    `<d2LogicalModel xmlns="http://datex2.eu/schema/2/2_0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><payloadPublication xsi:type="SituationPublication" lang="en"><publicationTime>${at(-1)}</publicationTime><situation id="S1" version="1"><situationRecord xsi:type="VehicleObstruction" id="R1" version="1"><situationRecordCreationTime>${at(-1)}</situationRecordCreationTime><situationRecordVersionTime>${at(-1)}</situationRecordVersionTime><severity>high</severity><validity><validityStatus>active</validityStatus><validityTimeSpecification><overallStartTime>${at(-1)}</overallStartTime></validityTimeSpecification></validity><generalPublicComment><comment><values><value lang="en">Road 7 closed</value></values></comment></generalPublicComment><groupOfLocations><locationForDisplay><latitude>44.1</latitude><longitude>-114.2</longitude></locationForDisplay></groupOfLocations></situationRecord></situation></payloadPublication></d2LogicalModel>`
  ],
  ['nws_text', { folder: 'inbox' }, PRODUCT, FLOOD, `000 \n${PRODUCT}\nNNNN\n${FLOOD}`],
  [
    'satpass',
    { observers: [{ name: 'Boise', lat: 43.6, lon: -116.2 }], satellites: [25544] },
    TLE,
    json([
      {
        OBJECT_NAME: 'ISS (ZARYA)',
        OBJECT_ID: '1998-067A',
        EPOCH: '2026-03-01T08:48:19.938816',
        MEAN_MOTION: 15.51043222,
        ECCENTRICITY: 0.0003466,
        INCLINATION: 51.6381,
        RA_OF_ASC_NODE: 147.859,
        ARG_OF_PERICENTER: 150.467,
        MEAN_ANOMALY: 338.5502,
        NORAD_CAT_ID: 25544,
        BSTAR: 0.00027777,
        MEAN_MOTION_DOT: 0.00016,
        MEAN_MOTION_DDOT: 0
      }
    ])
  ],
  [
    'wfigs',
    {},
    listing({
      poly_IncidentName: 'Two Barrel',
      poly_GISAcres: 1944.1,
      poly_FeatureCategory: 'Wildfire Daily Fire Perimeter',
      poly_DateCurrent: DAY_START,
      poly_PolygonDateTime: DAY_START - 9e6,
      poly_IRWINID: '{0E4350FA-651A-4E0D-97A2-D99D481CE2F6}',
      attr_IncidentSize: 1943,
      attr_PercentContained: 10,
      attr_FireDiscoveryDateTime: DAY_START - 9e7,
      attr_POOState: 'US-ID'
    }),
    listing(
      {
        IncidentName: 'CANAL',
        IncidentSize: 2265,
        IrwinID: '{1}',
        FireDiscoveryDateTime: DAY_START - 9e7,
        ModifiedOnDateTime_dt: DAY_START,
        IncidentTypeCategory: 'WF',
        POOState: 'US-ID'
      },
      point
    )
  ],
  [
    'avalanche_canada',
    { min_danger: 1 },
    json({
      id: 'b',
      region: 'sea-to-sky',
      dateIssued: at(-9),
      validUntil: at(9),
      forecaster: 'j',
      bulletinTitle: 'Forecast',
      highlights: '<p class="p">Solar radiation</p>',
      confidence: 'Moderate',
      dangerRatings: [{ date: at(0), dangerRating: { alp: '4:High', tln: '3:Considerable', btl: '2:Moderate' } }]
    })
  ]
]
