import type { EventData, LookoutEvent } from '../../../model/event.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import type { Units } from '../../../model/units.ts'
import { revisionOf } from '../../../platform/bytes/canonical-json.ts'
import type { SkippedItem } from '../feed.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { clip, sentences } from '../reading/prose.ts'
import type { ReadTools } from '../source.ts'
import { type Ash, ashText } from './ash.ts'

/** As the alert levels of the USGS grade a volcano: what people on the ground have to expect. */
export type VolcanoLevel = 'normal' | 'advisory' | 'watch' | 'warning'
const LEVELS = ['normal', 'advisory', 'watch', 'warning'] as const
/** Aviation colour codes (ICAO Annex 3), in the same order. */
const COLOURS = ['GREEN', 'YELLOW', 'ORANGE', 'RED']
const RANKS = new Map([...LEVELS, ...COLOURS].map((word, at) => [word.toLowerCase(), at % LEVELS.length]))

/** The notice of an observatory about one volcano. */
export interface Notice {
  /** Number in the catalogue of the Smithsonian, else the name. */
  id: string
  name: string
  level: VolcanoLevel
  /** '' where the observatory gives none. */
  colour: string
  /** As the product is called: `Volcano Watch`, `Volcano Code RED`. */
  product: string
  area: string
  lat: number | null
  lon: number | null
  /** Epoch milliseconds; null where the listing has no times. */
  time: number | null
  /** The number that tells this notice from an earlier one of the same level. */
  number: string
  /** Null without ash. */
  ash: Ash | null
  summary: string
  attribution: string
}

/** Notices as read. `complete`: the listing holds every volcano that is above normal. */
export interface Notices {
  notices: Notice[]
  skipped: SkippedItem[]
  complete: boolean
}

/** The graver of alert level and colour code, or null when neither is one. */
export function levelOf(alert: string, colour: string): VolcanoLevel | null {
  const rank = Math.max(...[alert, colour].map((word) => RANKS.get(word.trim().toLowerCase()) ?? -1))
  return LEVELS[rank] ?? null
}

/** The colour in capitals, '' for UNASSIGNED and whatever is none. */
export function colourOf(text: string): string {
  return COLOURS.find((colour) => colour === text.trim().toUpperCase()) ?? ''
}

const CLASSES: Record<VolcanoLevel, { category: string; severity: Severity; gravity: number }> = {
  normal: { category: 'volcano_advisory', severity: 'routine', gravity: 0 },
  advisory: { category: 'volcano_advisory', severity: 'routine', gravity: 1 },
  watch: { category: 'volcano_watch', severity: 'priority', gravity: 2 },
  warning: { category: 'volcano_warning', severity: 'critical', gravity: 3 }
}

const MAX_DETAIL = 200

/** The event of a volcano above normal. */
export function toEvent(
  notice: Notice,
  radius_km: number,
  tools: Pick<ReadTools, 'source' | 'receivedAt' | 'station'>
): LookoutEvent {
  const { id, name, level, lat, lon, time, number, colour, summary } = notice
  const { category, severity, gravity } = CLASSES[level]
  const isPlaced = lat !== null && lon !== null
  return feedEvent(
    {
      id,
      revision: revisionOf([number, level, colour, notice.ash === null ? '' : ashText(notice.ash), summary]),
      category,
      severity,
      title: clip(isLevel(notice.product) ? `${notice.product}: ${name}` : `${notice.product} ${name}`, 500),
      body: summary,
      ...(isPlaced ? { lat, lon } : {}),
      circle: isPlaced && radius_km > 0 ? { lat, lon, radius_km } : null,
      sent_at: formatTime(time === null ? tools.receivedAt : Math.min(time, tools.receivedAt)),
      thread_id: `volcano:${id}`,
      data: { ...factsOf(notice, tools.station.units), gravity }
    },
    tools
  )
}

function factsOf(notice: Notice, units: Units): EventData {
  const { name, product, area, ash, summary, colour, level, attribution } = notice
  // A message writes `VOLCANO WATCH` and the places; any other product stands in its title, with the name.
  const places = [isLevel(product) ? name : '', area].filter((place) => place !== '')
  const isSaid = product.toUpperCase().includes(colour)
  const parts = [
    ash === null ? '' : ashText(ash, units),
    firstSentences(summary),
    colour === '' || isSaid ? '' : `Aviation code ${colour}`
  ]
  return {
    event_name: product,
    ...(places.length === 0 ? {} : { places }),
    detail: parts.filter((part) => part !== '').join('. '),
    attribution,
    material: [level, colour, ash === null ? '' : 'ash'].join('|'),
    volcano: { level, colour }
  }
}

/** Products that messages know how to shorten. */
function isLevel(product: string): boolean {
  return /(?:Warning|Watch|Advisory)$/.test(product)
}

function firstSentences(text: string): string {
  let told = ''
  for (const sentence of sentences(text)) {
    const longer = told === '' ? sentence : `${told} ${sentence}`
    if (longer.length > MAX_DETAIL) break
    told = longer
  }
  return (told || clip(sentences(text)[0] ?? '', MAX_DETAIL)).replace(/\.$/, '')
}
