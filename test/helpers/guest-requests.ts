import type { Route } from '../../src/dashboard/server/route.ts'
import { MOST_ASKED } from '../../src/warning/outbox/peer-question.ts'
import { tableOfRoutes } from './answer-check.ts'
import type { GuestWorld } from './guest-world.ts'
import { config } from './storm.ts'

/** Heavy work (docs/interface.md §6): it takes as long as it takes, in slices, at most two at once. */
const HEAVY = new Set([
  ...['GET /api/satpasses', 'POST /api/ask', 'POST /api/coverage/preview'],
  ...['POST /api/notifications/region-routing/backtest', 'POST /api/notifications/region-routing/explain']
])

export const isHeavy = ({ row, path }: GuestRequest): boolean =>
  HEAVY.has(row) || path.includes('format=pdf') || (row === 'GET /api/events' && path.includes('limit=500'))

/** One question of a guest. */
export interface GuestRequest {
  /** The row of the table that answers it. */
  row: string
  method: 'GET' | 'POST' | 'OPTIONS'
  path: string
  /** JSON, or the text of a form. */
  body?: unknown
}

type Asked = string | { path: string; body: unknown }

const WORDS = 'water boil filter chlorine wound fire shelter radio battery antenna storm flood'
const words = (letters: number): string => encodeURIComponent(WORDS.repeat(30).slice(0, letters))

function ring(corners: number, reach: number, lon = -115): number[][] {
  const open = Array.from({ length: corners }, (_, n) => {
    const angle = (n / corners) * 2 * Math.PI
    const wobble = reach * (1 + 0.1 * Math.sin(n))
    return [lon + wobble * Math.cos(angle), 44 + wobble * Math.sin(angle)]
  })
  return [...open, open[0] ?? []]
}

function shaped(corners: number): object {
  return {
    ...{ id: 'x', source: 'test', family: 'fire', severity: 'critical', title: 'Fire' },
    ...{ sent_at: new Date().toISOString(), expires: new Date(Date.now() + 7_200_000).toISOString() },
    geometry: { type: 'Polygon', coordinates: [ring(corners, 2)] }
  }
}

const MATRIX = config.notifications.region_routes
/** Of two hours: a week of this world takes minutes, in slices. */
const lately = (): string => new Date(Date.now() - 7_200_000).toISOString()
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const parts = (corners: number, count: number): object => ({
  areas: Array.from({ length: count }, (_, n) => ({
    name: `A${n}`,
    geometry: { type: 'Polygon', coordinates: [ring(corners, 1, -117 + n / 8)] }
  }))
})
/** As many lists as one may send, as many as fit, and the like of names. */
const BODIES = [
  { coverage: { areas: Array.from({ length: 29_990 }, () => [1]) } },
  { coverage: { areas: Array.from({ length: 250_000 }, () => [1]) } },
  { coverage: { areas: [Object.fromEntries(Array.from({ length: 14_990 }, (_, n) => [`k${n}`, 1]))] } },
  { coverage: { areas: [Object.fromEntries(Array.from({ length: 80_000 }, (_, n) => [`k${n}`, 1]))] } }
]
const CODES = Array.from({ length: 50 }, (_, n) => `IDC${String(2 * n + 1).padStart(3, '0')}`).join(',')

const SUM = 'a'.repeat(32)
/** As long as a question may be, of somebody who has no secret. */
const QUESTION = {
  nonce: SUM,
  asked: Array.from({ length: MOST_ASKED }, () => ({ channel: SUM, alert: SUM, said: SUM })),
  proof: SUM
}

/** The costliest way to ask for what has parameters, as far as anybody found out; every such row stands here. */
const COSTLIEST: Record<string, (world: GuestWorld) => readonly Asked[]> = {
  'GET /addresses': () => [`/addresses?q=${words(200)}`],
  'GET /alerts': () => ['/alerts', '/alerts?refresh=1'],
  'GET /api/address-db/lookup': () => [`/api/address-db/lookup?q=${words(200)}&limit=50`],
  'GET /api/address-db/suggest': () => [`/api/address-db/suggest?q=${words(200)}`],
  'POST /api/ask': () => [{ path: '/api/ask', body: { question: WORDS, limit: 10 } }],
  'GET /api/atlas/search': () => ['/api/atlas/search?q=a&limit=50', `/api/atlas/search?q=${words(80)}&limit=50`],
  'GET /api/gazetteer': () => ['/api/gazetteer?country=US&q=a&limit=20', `/api/gazetteer?country=US&q=${words(80)}`],
  'GET /api/gazetteer/countries': () => ['/api/gazetteer/countries?zone=America/Boise'],
  'GET /api/gazetteer/near': () => ['/api/gazetteer/near?lat=48.8&lon=2.3&limit=20'],
  'POST /api/coverage/preview': () => [
    { path: '/api/coverage/preview', body: { coverage: config.coverage, days: 14 } },
    { path: '/api/coverage/preview', body: { coverage: parts(19_900, 1), days: 14 } },
    { path: '/api/coverage/preview', body: { coverage: parts(40, 450), days: 14 } },
    ...BODIES.map((body) => ({ path: '/api/coverage/preview', body }))
  ],
  'GET /api/comms-log': () =>
    ['json', 'csv', 'pdf'].map((format) => `/api/comms-log?format=${format}&from=${dayAgo(5)}&to=${dayAgo(0)}`),
  'GET /api/exercise-report': ({ eventId }) => [
    `/api/exercise-report?event=${eventId}`,
    `/api/exercise-report?event=${eventId}&format=pdf`,
    '/api/exercise-report'
  ],
  'GET /exercise-report': ({ eventId }) => [`/exercise-report?event=${eventId}`, '/exercise-report'],
  'GET /comms-log': () => ['/comms-log', `/comms-log?from=${dayAgo(5)}&to=${dayAgo(0)}`],
  'GET /api/deliveries': () => [
    ...['json', 'csv', 'jsonl'].map((format) => `/api/deliveries?limit=500&format=${format}`),
    '/api/deliveries?limit=500&channel=y-3',
    '/api/deliveries?channel=nowhere&limit=500',
    '/api/deliveries?state=failed&limit=500'
  ],
  'GET /api/documents': () => [`/api/documents?limit=500`, `/api/documents?limit=500&q=${words(200)}`],
  'GET /api/documents/:hash': ({ hash }) => [`/api/documents/${hash}`],
  'GET /api/documents/:hash/original': ({ hash }) => [`/api/documents/${hash}/original`],
  'GET /api/documents/:hash/pages/:n': ({ hash }) => [`/api/documents/${hash}/pages/1`],
  'GET /api/events': () => [
    '/api/events?limit=500',
    '/api/events?q=nothing+like+it&limit=500',
    `/api/events?q=${words(200)}&limit=500`,
    '/api/events?q=a&limit=500',
    '/api/events?family=rf_propagation&limit=500'
  ],
  'GET /api/events/:id': ({ eventId }) => [`/api/events/${eventId}`, '/api/events/none'],
  'GET /api/events/:id/trace': ({ eventId }) => [`/api/events/${eventId}/trace`],
  'GET /api/metrics/history': () => ['feeds', 'system'].map((type) => `/api/metrics/history?type=${type}&hours=168`),
  'GET /api/notifications/region-routing/week': () => ['/api/notifications/region-routing/week'],
  'POST /api/notifications/region-routing/backtest': () => [
    { path: '/api/notifications/region-routing/backtest', body: { matrix: MATRIX, since: lately() } }
  ],
  'POST /api/notifications/region-routing/explain': () =>
    [40, 450, 20_000].map((corners) => ({
      path: '/api/notifications/region-routing/explain',
      body: { event: shaped(corners), matrix: MATRIX }
    })),
  'GET /api/radios/:id/log': () => ['/api/radios/mt/log'],
  'GET /api/satpasses': () => [48, 47, 46].map((hours) => `/api/satpasses?hours=${hours}`),
  'GET /api/scraper/jobs': () => ['/api/scraper/jobs'],
  'GET /api/scraper/jobs/:id': () => ['/api/scraper/jobs/1'],
  'GET /api/search': () => [`/api/search?q=${words(1000)}&limit=100`, '/api/search?q=water&limit=100&offset=900'],
  'GET /api/settings/schema': () => ['/api/settings/schema'],
  'GET /api/upload/:hash/status': ({ hash }) => [`/api/upload/${hash}/status`],
  'GET /api/zones/outlines': () => [`/api/zones/outlines?codes=${CODES}`],
  'GET /api/zones/:code/outline': () => ['/api/zones/IDC001/outline'],
  'GET /audit': () => ['/audit?limit=500'],
  'GET /catalogue': () => ['/catalogue', `/catalogue?text=${words(200)}`],
  'GET /day': () => ['/day', '/day?day=2026-06-01&before=99'],
  'GET /deliveries': () => [
    '/deliveries',
    '/deliveries?channel=nowhere',
    '/deliveries?state=failed',
    '/deliveries?channel=y-3'
  ],
  'POST /documents/:hash': ({ hash }) => [{ path: `/documents/${hash}`, body: 'action=remove' }],
  'GET /documents/:hash': ({ hash }) => [`/documents/${hash}`, `/documents/${hash}?page=1&q=${words(200)}`],
  'GET /events': () => ['/events', '/events?q=nothing+like+it', `/events?q=${words(200)}`],
  'GET /events/:id': ({ eventId }) => [`/events/${eventId}`],
  'GET /field-card': () => ['/field-card'],
  'GET /history': () => ['/history?hours=168', '/history?hours=24'],
  'GET /i18n/:file': () => ['/i18n/de.json'],
  'GET /k/:code': () => ['/k/none'],
  'GET /knowledge': () => ['/knowledge'],
  'GET /knowledge/review': () => ['/knowledge/review'],
  'GET /language': () => ['/language?to=de&back=/'],
  'GET /library': () => ['/library'],
  'GET /knowledge/bulk': () => ['/knowledge/bulk'],
  'GET /knowledge/bulk/:id': () => ['/knowledge/bulk/1'],
  'POST /knowledge/bulk': () => [
    { path: '/knowledge/bulk', body: `text=${'https%3A%2F%2Fa.example%2F%0A'.repeat(400)}` }
  ],
  'POST /knowledge/bulk/:id': () => [{ path: '/knowledge/bulk/1', body: 'do=stop' }],
  'GET /library/scraper': () => ['/library/scraper'],
  'GET /library/scraper/:id': () => ['/library/scraper/1'],
  'OPTIONS /api/knowledge/models/:name/uploads': () => ['/api/knowledge/models/none/uploads'],
  'GET /knowledge/models': () => ['/knowledge/models?done=use'],
  'POST /library/scraper/:id': () => [{ path: '/library/scraper/1', body: 'action=cancel' }],
  'POST /library/:id': () => [{ path: '/library/1', body: 'action=remove' }],
  'GET /maps/:file': () => ['/maps/home.pmtiles'],
  'GET /maps/ground.svg': () =>
    ['-180,-90,180,90', '-125,24,-66,50', '-117,42,-111,49'].map((box) => `/maps/ground.svg?box=${box}`),
  'POST /radios/keys/:node': () => [{ path: '/radios/keys/!a1b2c3d4', body: '' }],
  'GET /search': () => ['/search?q=water&offset=1000', `/search?q=${words(250)}`],
  'GET /settings': () => ['/settings', `/settings?q=${words(80)}`],
  'GET /settings/:section': () => ['/settings/notifications', '/settings/sources', '/settings/coverage'],
  'POST /api/standby/question': () => [{ path: '/api/standby/question', body: QUESTION }],
  'GET /sign-in': () => ['/sign-in?back=/'],
  'GET /theme': () => ['/theme?to=dark&back=/']
}

/** A stream has no end; what it costs is told by the bench of the phones. */
const ENDLESS = new Set(['GET /api/stream'])
const ANYBODY = new Set<Route['access']>(['read', 'trial', 'form'])

/** Rows of this list that no table has any more. */
export function unknownRows(): string[] {
  const rows = new Set(tableOfRoutes().map(({ method, path }) => `${method} ${path}`))
  return [...Object.keys(COSTLIEST), ...HEAVY, ...ENDLESS].filter((row) => !rows.has(row))
}

/** At least one question for every row that anybody may ask. Throws for a row with parameters that nobody has looked at. */
export function guestRequests(world: GuestWorld): GuestRequest[] {
  return tableOfRoutes().flatMap((route) => {
    const row = `${route.method} ${route.path}`
    const { method } = route
    if (!ANYBODY.has(route.access) || ENDLESS.has(row)) return []
    if (method !== 'GET' && method !== 'POST' && method !== 'OPTIONS') throw new Error(`${row}: a guest writes`)
    const costliest = COSTLIEST[row]
    if (costliest === undefined) {
      if (route.path.includes(':') || hasQuery(route) || route.access === 'trial')
        throw new Error(`${row}: test/helpers/guest-requests.ts does not say how it costs the most`)
      return [{ row, method, path: route.path, ...(method === 'POST' ? { body: 'passphrase=wrong' } : {}) }]
    }
    return costliest(world).map((asked) =>
      typeof asked === 'string' ? { row, method, path: asked } : { row, method, ...asked }
    )
  })
}

const hasQuery = ({ query }: Route): boolean => 'entries' in query && Object.keys(query.entries ?? {}).length > 0
