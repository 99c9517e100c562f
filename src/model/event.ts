import type { BBox, Circle, Geometry } from './geojson.ts'
import type { Severity } from './severity.ts'

export const LIFECYCLES = ['new', 'update', 'cancel', 'expire'] as const
/** The point in the life of its real-world event at which a message stands. */
export type Lifecycle = (typeof LIFECYCLES)[number]

/**
 * Facts that a text is composed from, beyond title and summary. Feeds fill what they know; every key is optional.
 * Unknown keys of a sender are kept in `data` too.
 */
export interface EventData {
  /** The event name as the source spells it: `Tornado Warning`, `Winter Storm Watch`. */
  event_name?: string
  /** Places the event names, most important first: `Dawson, MT`, `27 km NNW of Susitna, Alaska`. */
  places?: string[]
  /** Codes of areas in systems beside UGC and SAME, with the system: `EMMA_ID:DE356`, `NUTS3:FR101` (CAP geocode). */
  geocodes?: string[]
  /** The colour of the source's scale of levels, where its event names say none: `orange`. */
  awareness?: string
  /** One sentence of detail: what was observed or is expected. */
  detail?: string
  /** One sentence of guidance: what to do. */
  instruction?: string
  /** The office that says so, short: `NWS BYZ`, `USGS`. */
  attribution?: string
  /** A text of at most 90 characters made by the source for phones (CMAMtext). */
  short_text?: string
  /** Facts of an earthquake. Kilometres, epoch milliseconds. */
  magnitude?: number
  depth_km?: number
  origin_time?: string
  /** The level of the same event when it lies inside a named region: nearer is graver (earthquakes). */
  severity_inside_region?: Severity
  /** The gravity by the hazard's own measure: magnitude, stage (0 to 4), acres, category. A rise of it ends no cooldown's turn. */
  gravity?: number
  /** The source says that it goes on until further notice. */
  until_further_notice?: boolean
  /** P-VTEC event key `office.phenomenon.significance.number.year` and action, where there is one. */
  vtec?: { key: string; action: string }
  /** The words of the same message in further languages, by two letters: of a CAP alert its other infos, cut to what a text holds. */
  tongues?: Readonly<Record<string, unknown>>
  /** Facts a listener would act on, beyond severity, end and places; a change of it is worth an update. */
  material?: string
  [key: string]: unknown
}

/** One message about one thing in the world. Contract §2. Times are RFC 3339 UTC strings. */
export interface LookoutEvent {
  id: string
  source: string
  /** Identity is `(source, id, revision)`. */
  revision: string
  category: string
  family: string
  severity: Severity
  title: string
  summary: string
  body: string
  geometry: Geometry | null
  bbox: BBox | null
  circle: Circle | null
  lat: number | null
  lon: number | null
  /** UGC codes: `COZ039`, `COC013`. */
  zones: string[]
  /** FIPS or SAME codes: `08013`, `008013`. */
  same: string[]
  onset: string | null
  /** The end of the hazard, as far as it is known. */
  expires: string | null
  /** The source's own time: the newest of its `sent` and `updated`. */
  sent_at: string
  received_at: string
  /** Joins every message about one real-world event, over its life and over sources. */
  thread_id: string
  lifecycle: Lifecycle
  /** First of `regions`, or null. */
  region: string | null
  /** Names of the coverage areas the event touches, in configuration order. */
  regions: string[]
  data: EventData
}

/** The places of an event that names none. */
export const nowhere = (): Pick<LookoutEvent, 'geometry' | 'bbox' | 'circle' | 'lat' | 'lon' | 'zones' | 'same'> => ({
  geometry: null,
  bbox: null,
  circle: null,
  lat: null,
  lon: null,
  zones: [],
  same: []
})

/**
 * True for what the demo invented: it is told as such everywhere, and goes when the station is set up (contract §13).
 */
export function isDemo({ data }: Partial<Pick<LookoutEvent, 'data'>>): boolean {
  return data?.['demo'] === true
}

/** The category of a drill that the station makes: it must not arm a cooldown that a real event would meet. */
export const DRILL_CATEGORY = 'drill'

/** True for a drill of a scripted exercise, whose own words stand behind the mark. */
export function isExercise({ data }: Partial<Pick<LookoutEvent, 'data'>>): boolean {
  return data?.['drill'] === true && typeof data['exercise'] === 'string'
}

/** True for what an operator made up to prove a way: it says DRILL, or EXERCISE, wherever it stands, and is never in force (contract §13). */
export function isDrill({ data }: Partial<Pick<LookoutEvent, 'data'>>): boolean {
  return data?.['drill'] === true
}
