/** The data of the stations of `npm run screenshots`: areas, a matrix, radios, events and documents. Nothing here is by chance. */

/** Noon in Idaho on a day in summer: every picture is of this moment. */
export const NOW = Date.parse('2027-07-01T18:00:00Z')
/** The moment at which the pictures are taken: some minutes after the events came in, however long that took. */
export const THEN = NOW + 200_000
/** Moments of the day before it at which something happened. */
export const EARLIER = [NOW - 20 * 3_600_000, NOW - 7 * 3_600_000]

/** Two nodes that told a place: one inside of the fire, one in the valley beside it. */
export const PLACES = [
  { from: 0xa1b2c3d4, lat: 43.52, lon: -114.58 },
  { from: 0xa1b2c3d5, lat: 43.41, lon: -114.82 }
] as const

const FAMILIES = ['weather', 'fire', 'roads', 'avalanche', 'seismic', 'emergency', 'tracking', 'satpass'] as const
/** With `mesh_health` and `rf_propagation`: ten rows. */
const ROWS = [...FAMILIES, 'mesh_health', 'rf_propagation']
const SEVERITIES = ['routine', 'priority', 'routine', 'priority', 'critical', 'routine', 'priority', 'immediate']
const NAMES = ['Camas Prairie', 'Croy Creek', 'Hailey', 'Ketchum', 'Bellevue', 'Galena', 'Stanley', 'Sawtooth City']
const COLUMNS = 8

/** Forty regions in a grid of eight by five; every fifth has a long name. */
const REGIONS = Array.from({ length: 40 }, (_, n) => {
  const name = NAMES[n % NAMES.length] ?? ''
  const nth = Math.floor(n / NAMES.length)
  return `${name}${nth === 0 ? '' : ` ${['', 'North', 'South', 'and surroundings', 'Upper Valley'][nth]}`}`
})
const WEST = -117
const SOUTH = 42.4
const WIDTH = 0.6

const areaOf = (n: number): [number, number, number, number] => {
  const west = WEST + (n % COLUMNS) * WIDTH
  const south = SOUTH + Math.floor(n / COLUMNS) * WIDTH
  return [west, south, west + WIDTH, south + WIDTH]
}
const middle = ([west, south, east, north]: [number, number, number, number]): { lat: number; lon: number } => ({
  lat: (south + north) / 2,
  lon: (west + east) / 2
})

const station = {
  name: 'Camas Prairie',
  timezone: 'America/Boise',
  anchors: [
    { name: 'Hailey', lat: 43.52, lon: -114.31 },
    { name: 'Fairfield', lat: 43.347, lon: -114.792 }
  ]
}
/** Of the radio on the roof, which answers like a real one; channel 5 is off. */
export const PEER_CHANNELS = ['ShortFast', 'alerts', 'valley', 'ops', 'roads', '', 'test'].map((name, index) => ({
  index,
  name,
  role: index === 0 ? 1 : name === '' ? 0 : 2
}))

const radios = (port: number): object[] => [
  { id: 'roof', network: 'mt', link: 'tcp', host: '127.0.0.1', port },
  { id: 'mast', network: 'mc', link: 'simulated', channels: ['north-fire', 'hailey', 'ketchum', 'ops'] }
]

interface Cell {
  mt: number | null
  mc: string | null
  min_severity: string
}

/** One cell in seven is empty, one in eleven names a channel that the radio does not have. */
function cell(row: number, column: number): [string, Cell] | null {
  const n = row * 40 + column
  if (n % 7 === 3) return null
  const mc = n % 11 === 5 ? 'middle-fork' : n % 3 === 0 ? ['hailey', 'ketchum', 'ops'][n % 3] : null
  const floor = ['routine', 'priority', 'critical'][(row + column) % 3] ?? 'routine'
  return [REGIONS[column] ?? '', { mt: (row + column) % 7, mc: mc ?? null, min_severity: floor }]
}

export function fullConfig(port: number): object {
  const rows = ROWS.map((family, row) => [
    family,
    Object.fromEntries(REGIONS.map((_, column) => cell(row, column)).filter((one) => one !== null))
  ])
  return {
    station,
    radios: radios(port),
    coverage: { region_tagging: true, areas: REGIONS.map((name, n) => ({ name, bbox: areaOf(n) })) },
    sources: [{ kind: 'usgs', name: 'quakes', enabled: false }],
    notifications: { coalesce_seconds: 0, region_routes: { enabled: true, cells: Object.fromEntries(rows) } }
  }
}

const SMALL = [
  { name: 'Valley', bbox: [-114.9, 43.3, -114.4, 43.7] },
  { name: 'North', bbox: [-114.9, 43.75, -114.1, 44.1] },
  { name: 'Snake River', bbox: [-114.9, 42.6, -113.9, 43.2] }
]

export function smallConfig(port: number): object {
  const row = (mt: number, mc: string | null): object =>
    Object.fromEntries(SMALL.map(({ name }) => [name, { mt, mc, min_severity: 'routine' }]))
  return {
    station,
    radios: radios(port),
    messages: { channels: { 'mt:4': { language: 'es' }, 'mc:ops': { language: 'fr', ascii: true } } },
    coverage: { region_tagging: true, areas: SMALL },
    notifications: {
      coalesce_seconds: 0,
      region_routes: {
        enabled: true,
        cells: { fire: row(0, 'north-fire'), weather: row(1, null), emergency: row(0, 'middle-fork') }
      }
    }
  }
}

/** Nothing answers: the radios are not there, the sources refuse, one channel is missing, nobody would be warned. */
export function brokenConfig(): object {
  return {
    station,
    radios: [
      { id: 'roof', network: 'mt', link: 'tcp', host: '127.0.0.1', port: 9 },
      { id: 'mast', network: 'mc', link: 'serial', path: '/dev/serial/by-id/usb-Maker_Radio_1-if00' }
    ],
    sources: [
      { kind: 'rest', name: 'county', url: 'http://127.0.0.1:9/alerts.json' },
      { kind: 'cap', name: 'state', url: 'http://127.0.0.1:9/cap.xml' }
    ],
    coverage: { region_tagging: false, areas: SMALL },
    notifications: { region_routes: { enabled: false, cells: {} } }
  }
}

const TITLES: Record<string, string> = {
  weather: 'Severe Thunderstorm Warning',
  fire: 'Fire Croy Creek, 340 acres',
  roads: 'Highway 75 closed at mile 116',
  avalanche: 'Avalanche danger high',
  seismic: 'M 4.6 earthquake',
  emergency: 'Evacuate North Fork Road now',
  tracking: 'Missing hiker near Galena Summit',
  satpass: 'Pass of NOAA 19'
}

function event(id: string, n: number, more: object): object {
  const family = FAMILIES[n % FAMILIES.length] ?? 'fire'
  return {
    id,
    source: ['county-dispatch', 'nws', 'field'][n % 3],
    family,
    severity: SEVERITIES[n % SEVERITIES.length],
    title: `${TITLES[family]} #${n}`,
    summary: 'Moves east with the wind; crews are on their way, the road may close within the hour.',
    instruction: 'Leave the area and take the northern road.',
    ...more
  }
}

/** A polygon with its corner cut, so that it is no box. */
function shape([west, south, east, north]: [number, number, number, number]): object {
  const ring = [
    [west + 0.1, south],
    [east + 0.2, south + 0.1],
    [east, north + 0.15],
    [west, north - 0.2],
    [west + 0.1, south]
  ]
  return { type: 'Polygon', coordinates: [ring] }
}

const times = (now: number, minutes: number): object => ({
  sent_at: new Date(now - minutes * 60_000).toISOString(),
  expires: new Date(now + (360 - minutes) * 60_000).toISOString()
})

/** The events of a world, or of a moment before it. */
export function eventsOf(kind: 'earlier' | 'small' | 'full' | 'broken', now: number): object[] {
  if (kind === 'earlier')
    return Array.from({ length: 12 }, (_, n) =>
      event(`earlier-${now}-${n}`, n, { ...middle(areaOf(n * 3)), ...times(now, n) })
    )
  const thread = story(now)
  if (kind !== 'full') return thread
  const many = Array.from({ length: 300 }, (_, n) => {
    const area = areaOf(n % 40)
    const place = n % 5 === 0 ? { geometry: shape(area) } : middle(area)
    return event(`many-${n}`, n, { ...place, ...times(now, n % 50) })
  })
  return [...many, ...thread]
}

/** One fire from its first report to its evacuation, a storm beside it, and something that touches nobody. */
function story(now: number): object[] {
  const fire = { source: 'county-dispatch', family: 'fire', thread_id: 'croy-creek' }
  const at = (minutes: number): object => times(now, minutes)
  return [
    {
      ...{ id: 'croy-1', ...fire, severity: 'priority', title: 'Fire Croy Creek, 12 acres', ...at(50) },
      ...{ summary: 'Grass and sage, crews on the way.', lat: 43.5, lon: -114.6 }
    },
    {
      ...{ id: 'croy-2', ...fire, severity: 'critical', title: 'Fire Croy Creek, 340 acres', ...at(20) },
      ...{
        lifecycle: 'update',
        summary: 'Evacuation level 2 in Croy Canyon.',
        geometry: shape([-114.7, 43.4, -114.5, 43.6])
      }
    },
    {
      ...{ id: 'croy-3', ...fire, severity: 'immediate', title: 'Evacuate Croy Creek now', ...at(3) },
      ...{
        lifecycle: 'update',
        summary: 'Level 3, go now. Highway 20 east is open.',
        instruction: 'Leave now by Highway 20 east.'
      },
      geometry: shape([-114.75, 43.35, -114.45, 43.65])
    },
    {
      ...{ id: 'storm-1', source: 'nws', family: 'weather', severity: 'priority', title: 'High Wind Warning' },
      ...{ summary: 'Gusts to 65 mph.', geometry: shape([-114.6, 42.8, -114.1, 43.3]), ...at(40) }
    },
    {
      ...{
        id: 'call-1',
        source: 'county-dispatch',
        family: 'emergency',
        severity: 'critical',
        title: '911 out of service'
      },
      ...{ summary: 'Call the sheriff at 208-555-0100.', lat: 43.9, lon: -114.5, ...at(10) }
    },
    {
      ...{ id: 'far-1', source: 'quakes', family: 'seismic', severity: 'routine', title: 'M 3.1 earthquake' },
      ...{ summary: '12 km W of Challis.', lat: 44.5, lon: -114.4, ...at(30) }
    }
  ]
}

/** Names and texts of what is taken into the knowledge station. */
export const DOCUMENTS: readonly (readonly [string, string])[] = [
  [
    'boiling-water.txt',
    `Boiling water\n\n${'Bring clear water to a rolling boil for one minute; above 2000 m for three minutes. Let it cool by itself and keep it covered. '.repeat(12)}`
  ],
  [
    'first-aid-burns.txt',
    `First aid for burns\n\n${'Cool the burn under clean running water for twenty minutes. Cover it loosely with a clean cloth. Do not use ice or butter. '.repeat(12)}`
  ],
  [
    'shelter-in-a-storm.txt',
    `Shelter in a storm\n\n${'Stay away from windows and go to the lowest floor. Keep a radio with fresh batteries at hand, and water for three days. '.repeat(12)}`
  ]
]
