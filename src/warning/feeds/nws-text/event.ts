import { classifyAlert } from '../../../model/classify.ts'
import type { EventData, LookoutEvent } from '../../../model/event.ts'
import { failingDam, floodOf, gradeOf, type Impact, tagsIn } from '../../../model/impact.ts'
import { nwsLevel } from '../../../model/levels.ts'
import { formatTime } from '../../../model/time.ts'
import { type Bulletin, materialOf, nwsAttribution, type Standing, standingOf } from '../reading/bulletin.ts'
import { saidAction, saidFacts } from '../reading/civil-facts.ts'
import { gradedDetail } from '../reading/grade.ts'
import { impactFacts, kindOf } from '../reading/nws-impact.ts'
import { clip } from '../reading/prose.ts'
import { beginsLater, formatVtec, type Vtec } from '../reading/vtec.ts'
import type { Naming } from './names.ts'
import type { Product, Segment } from './product.ts'
import { wordingOf } from './prose.ts'
import { motionOf, polygonOf } from './shape.ts'
import { nearestDay } from './times.ts'

/** The sender of every NWS alert in CAP and JSON: statements without VTEC join their copies there by it. */
const SENDER = 'w-nws.webmaster@noaa.gov'

/** One hazard of one segment, ready to become an event. */
export interface SegmentParts {
  product: Product
  segment: Segment
  /** Number of the segment in its product, from 1. */
  number: number
  naming: Naming
  /** Null for a product without VTEC. */
  vtec: Vtec | null
  /** Times of earlier messages of this VTEC event, epoch milliseconds. */
  earlier: readonly number[]
  source: string
  receivedAt: number
}

/** The event of one hazard in one segment. Its id is the same whenever and by whatever way the product comes. */
export function toEvent(parts: SegmentParts): LookoutEvent {
  const { product, segment, naming, vtec } = parts
  const zones = segment.ugc?.codes ?? []
  const bulletin = bulletinOf(parts, zones)
  const standing = standingFor(bulletin, product)
  const text = segment.lines.join('\n')
  const impact = impactIn(text, product.sent)
  const ended = standing.lifecycle === 'cancel' || standing.lifecycle === 'expire'
  const codes = vtec === null ? [product.awips.slice(0, 3)] : []
  const kind = classifyAlert(naming.event, codes)
  const severity = nwsLevel({
    event: naming.event,
    codes,
    category: kind.category,
    severity: ended ? 'Minor' : naming.severity,
    urgency: ended ? 'Past' : naming.urgency,
    ended,
    ...impact,
    kind: kindOf(bulletin.vtec)
  })
  const expires = expiresOf(standing, segment, product)
  const whole = wordingOf(segment, naming.event, { begins: beginsLater(vtec, product.sent), labels: [] })
  // An upgraded hazard shares its segment with the one that takes its place, and the text is about that.
  const wording = vtec?.action === 'UPG' ? { ...whole, headline: '', detail: '', instruction: '' } : whole
  const instruction = wording.instruction || saidAction(kind.category, wording.body)
  const raised = ended ? '' : impact.grade
  const detail = gradedDetail(raised, wording.detail)
  return {
    id: bulletin.identifier,
    source: parts.source,
    revision: '',
    ...kind,
    severity,
    title: clip(titleOf(gradedName(naming.event, raised), wording.places), 500),
    summary: wording.headline,
    body: wording.body,
    geometry: polygonOf(text, product.office),
    bbox: null,
    circle: null,
    lat: null,
    lon: null,
    zones,
    same: [],
    onset: vtec?.start == null ? null : formatTime(vtec.start),
    expires,
    sent_at: formatTime(product.sent),
    received_at: formatTime(parts.receivedAt),
    thread_id: standing.own,
    lifecycle: standing.lifecycle,
    region: null,
    regions: [],
    data: {
      event_name: naming.event,
      places: wording.places,
      ...(detail === '' ? {} : { detail }),
      ...(instruction === '' || ended ? {} : { instruction }),
      ...saidFacts(kind.category, wording.body, impact),
      attribution: nwsAttribution({ vtec: bulletin.vtec, wmo: product.heading, awips: product.awips, senderName: '' }),
      ...(standing.vtec === null ? {} : { vtec: standing.vtec }),
      material: materialOf({ standing, severity, expires, grade: impact.grade }),
      ...(expires === null && vtec !== null ? { until_further_notice: true } : {}),
      nws: factsOf(parts, text, impact)
    }
  }
}

function impactIn(text: string, sent: number): Impact {
  const flood = floodOf(text, sent)
  const tags = tagsIn(text)
  return { tags, grade: gradeOf(text, flood, tags), flood, dam: failingDam(text, flood) }
}

function gradedName(event: string, grade: string): string {
  return grade === '' ? event : `${event} (${grade.toLowerCase()})`
}

function bulletinOf({ product, number, naming, vtec, earlier }: SegmentParts, zones: readonly string[]): Bulletin {
  return {
    sender: SENDER,
    identifier: productName(product, number, vtec),
    sent: product.sent,
    messageType: 'Alert',
    event: naming.event,
    references: earlier.map((time) => ({ sender: SENDER, identifier: '', sent: formatTime(time) })),
    vtec: vtec === null ? [] : [vtec],
    zones
  }
}

/** `KLCH.WGUS54.202009231242.FFWLCH.1.FF.W.0026.NEW`: heading with its whole date, segment, VTEC event and action. */
export function productName(
  { heading, office, headed, amendment, awips }: Product,
  number: number,
  vtec: Vtec | null
): string {
  const stamp = formatTime(headed).slice(0, 16).replaceAll(/[-:T]/g, '')
  const event =
    vtec === null
      ? ''
      : `${vtec.office}.${vtec.phenomenon}.${vtec.significance}.${String(vtec.number).padStart(4, '0')}.${vtec.action}`
  return [office, heading.slice(0, 6), stamp, amendment, awips, String(number), event]
    .filter((part) => part !== '')
    .join('.')
}

/** A corrected statement is no new one. */
function standingFor(bulletin: Bulletin, { amendment }: Product): Standing {
  const standing = standingOf(bulletin)
  const isCorrection = standing.lifecycle === 'new' && /^CC[A-Z]$/.test(amendment)
  return isCorrection ? { ...standing, lifecycle: 'update' } : standing
}

/** The end of the VTEC event; null until further notice. Without VTEC the product's own end. */
function expiresOf(standing: Standing, { ugc }: Segment, { sent, awips }: Product): string | null {
  if (standing.vtecEnd !== undefined) return standing.vtecEnd
  // The purge time of a statement that says that nothing comes is no end of anything.
  if (awips.startsWith('TIB')) return null
  const end = ugc === null ? null : nearestDay(ugc.expires, sent)
  return end === null ? null : formatTime(end)
}

function titleOf(event: string, places: readonly string[]): string {
  if (places.length === 0) return event
  const more = places.length > 3 ? ` and ${places.length - 3} more` : ''
  return `${event}: ${places.slice(0, 3).join('; ')}${more}`
}

/** Under the names of the CAP parameters, as NWS alerts have them in JSON. */
function factsOf({ product, naming, vtec }: SegmentParts, text: string, impact: Impact): EventData {
  const motion = motionOf(text, product.office, product.sent)
  return {
    AWIPSidentifier: product.awips,
    WMOidentifier: product.heading,
    severity: naming.severity,
    urgency: naming.urgency,
    ...(vtec === null ? {} : { VTEC: formatVtec(vtec) }),
    ...impact.tags,
    ...impactFacts(impact),
    ...(motion === null ? {} : { motion: { ...motion, time: formatTime(motion.time) } })
  }
}
