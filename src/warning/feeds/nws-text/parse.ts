import type { LookoutEvent } from '../../../model/event.ts'
import { because, type Reason } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { type ParsedFeed, type ParseOptions, type SkippedItem, TEST_REASON } from '../feed.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { clip } from '../reading/prose.ts'
import { formatVtec, parseVtec, type Vtec } from '../reading/vtec.ts'
import { withUpgrades } from '../upgrade.ts'
import { productName, toEvent } from './event.ts'
import { isTestProduct, namingOfProduct, namingOfVtec } from './names.ts'
import { usualName } from './places.ts'
import { type Product, type Segment, splitProducts } from './product.ts'
import { polygonOf } from './shape.ts'
import { endsWithName, type TsunamiMessage, tsunamiMessage, watchVtec } from './special.ts'
import { floodBegin, NO_YEARS, type Years } from './years.ts'

export interface NwsTextOptions extends ParseOptions {
  /** `source` of the events, default `nws_text`. */
  source?: string
  /** The known first issues of VTEC events. */
  years?: Years
}

const IS_TEST =
  /\bTHIS (?:MESSAGE )?IS (?:ONLY )?(?:A TEST|FOR TEST PURPOSES)|^[ \t]*\.*TEST\.\.\.(?:[A-Z ]+\.\.\.)+TEST/im

/**
 * NWS text products, one or several: an event for every VTEC event of every segment. A segment that is cut off, before its
 * `$$`, says nothing; neither do tests, forecasts and reports. Throws AppError `bad-input` for what is no text product.
 */
export function parseNwsText(text: string, options: NwsTextOptions): ParsedFeed {
  const products = splitProducts(text, options.receivedAt)
  const events = new Map<string, LookoutEvent>()
  const skipped: SkippedItem[] = []
  for (const product of products) {
    const read = readProduct(product, options)
    for (const event of read.events) events.set(event.id, event)
    skipped.push(...read.skipped)
  }
  const newest = Math.max(...products.map(({ sent }) => sent))
  return { kind: 'nws_text', events: [...events.values()], skipped, updated: formatTime(newest) }
}

type Reading = Pick<ParsedFeed, 'events' | 'skipped'>

function readProduct(product: Product, options: NwsTextOptions): Reading {
  const reason = unfit(product)
  if (reason !== null) return skip(product, 0, reason)
  const tsunami = product.segments.every(({ ugc }) => ugc === null) ? tsunamiMessage(product) : null
  if (tsunami !== null) {
    if (!product.isWhole) return skip(product, 1, CUT_OFF)
    return { events: [tsunamiEvent(tsunami, product, options)], skipped: [] }
  }
  const readings = product.segments.map((segment, at) => readSegment(product, segment, at + 1, options))
  const events = withUpgrades(readings.flatMap((read) => read.events))
  return { events, skipped: readings.flatMap(({ skipped }) => skipped) }
}

const CUT_OFF = because('product_cut_off')

/** Characters; the longest products of the NWS have a third of it. */
const MAX_PRODUCT = 200_000

function unfit({ awips, lines }: Product): Reason | null {
  const text = lines.join('\n')
  if (text.length > MAX_PRODUCT) return because('longer_than_product')
  return isTestProduct(awips) || IS_TEST.test(text) ? TEST_REASON : null
}

function skip(product: Product, number: number, reason: Reason): Reading {
  return { events: [], skipped: [{ id: productName(product, number, null), reason }] }
}

function readSegment(product: Product, segment: Segment, number: number, options: NwsTextOptions): Reading {
  const watch = watchVtec(product, segment)
  const isClosed = segment.isClosed || (watch !== null && (watch.action === 'CAN' || endsWithName(segment.lines)))
  if (!isClosed) return skip(product, number, CUT_OFF)
  const text = segment.lines.join('\n')
  const isPlaced = (segment.ugc?.codes.length ?? 0) > 0 || polygonOf(text, product.office) !== null
  if (!isPlaced) return skip(product, number, because('no_line_of_codes'))
  const unread = unreadCodes(product, segment, number)
  const all = watch === null ? uniqueVtec(text) : [watch]
  if (all.length === 0) return noted(readPlain(product, segment, number, options), unread)
  const real = all.filter(({ product: kind }) => kind !== 'T')
  if (real.length === 0) return skip(product, number, TEST_REASON)
  const told = real.slice(0, MOST_CODES)
  const events = told.map((vtec) => readVtec({ product, segment, number, vtec: corrected(vtec, product) }, options))
  if (told.length === real.length) return { events, skipped: unread }
  return noted({ events, skipped: unread }, [
    { id: productName(product, number, null), reason: because('segment_many_codes', { most: MOST_CODES }) }
  ])
}

/** Each code reads the whole segment, and no real one has more than six: a thousand of them would cost seconds. */
const MOST_CODES = 20

function uniqueVtec(text: string): Vtec[] {
  return [...new Map(parseVtec(text).map((vtec) => [formatVtec(vtec), vtec])).values()]
}

function noted({ events, skipped }: Reading, unread: readonly SkippedItem[]): Reading {
  return { events, skipped: [...skipped, ...unread] }
}

/** A warning is told where its outline and the codes that can be read say; what cannot be read is named. */
function unreadCodes(product: Product, { ugc }: Segment, number: number): SkippedItem[] {
  if (ugc !== null && ugc.unread.length === 0) return []
  const reason =
    ugc === null ? because('told_without_codes') : because('told_unread_codes', { codes: ugc.unread.slice(0, 8) })
  return [{ id: productName(product, number, null), reason }]
}

/** NEW in a correction repeats what was new before. */
function corrected(vtec: Vtec, { amendment }: Product): Vtec {
  return vtec.action === 'NEW' && /^CC[A-Z]$/.test(amendment) ? { ...vtec, action: 'COR' } : vtec
}

function readVtec(
  parts: { product: Product; segment: Segment; number: number; vtec: Vtec },
  { source = 'nws_text', receivedAt, years = NO_YEARS }: NwsTextOptions
): LookoutEvent {
  const { product, segment, vtec } = parts
  const { sent } = product
  const remembered = years.earlier(vtec, sent)
  const flood = vtec.start === null && vtec.action !== 'NEW' ? floodBegin(segment.lines.join('\n')) : null
  const earlier = remembered.length > 0 || flood === null ? remembered : [flood]
  years.note(vtec, sent, earlier)
  return toEvent({ ...parts, naming: namingOfVtec(vtec, sent), earlier, source, receivedAt })
}

function readPlain(product: Product, segment: Segment, number: number, options: NwsTextOptions): Reading {
  const naming = namingOfProduct(product.awips)
  if (naming === null)
    return skip(
      product,
      number,
      product.awips === '' ? because('product_without_name') : because('product_no_alert', { product: product.awips })
    )
  const { source = 'nws_text', receivedAt } = options
  return {
    events: [toEvent({ product, segment, number, naming, vtec: null, earlier: [], source, receivedAt })],
    skipped: []
  }
}

/** Tsunami messages to other countries name an earthquake and no zones. */
function tsunamiEvent(message: TsunamiMessage, product: Product, options: NwsTextOptions): LookoutEvent {
  const { thread, number, isOver, isThreat, magnitude, lat, lon } = message
  const place = usualName(message.place)
  const severity = isThreat && !isOver ? 'critical' : 'routine'
  const first = number <= 1 ? 'new' : 'update'
  const detail = isOver ? 'There is no longer a tsunami threat from this earthquake.' : ''
  return feedEvent(
    {
      id: productName(product, 1, null),
      category: 'tsunami_watch',
      severity,
      title: clip(['Tsunami Message', place].filter((part) => part !== '').join(': '), 500),
      body: clip(product.lines.slice(2).join('\n').trim(), 20_000),
      lat,
      lon,
      sent_at: formatTime(product.sent),
      thread_id: thread,
      lifecycle: isOver ? 'cancel' : first,
      data: {
        event_name: 'Tsunami Message',
        places: place === '' ? [] : [place],
        ...(detail === '' ? {} : { detail }),
        attribution: product.office === 'PHEB' ? 'PTWC' : `NWS ${product.office.slice(1)}`,
        ...(magnitude === null ? {} : { magnitude }),
        material: isOver ? 'cancel' : `${severity}|${isThreat ? 'threat' : 'information'}`
      }
    },
    { source: options.source ?? 'nws_text', receivedAt: options.receivedAt }
  )
}
