import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseTimeLine, sentTime } from './times.ts'
import { findUgc, type UgcLine } from './ugc.ts'

/** A product between its heading and its end, as far as it came. */
export interface Product {
  /** `TTAAii CCCC DDHHMM`, and `BBB` where there is one. */
  heading: string
  office: string
  /** `CCA` and the like, or ''. */
  amendment: string
  /** AWIPS identifier: `TORJAN`, `SEL9`; '' without one. */
  awips: string
  /** Epoch milliseconds. */
  sent: number
  /** Epoch milliseconds of the heading, for the name of the product. */
  headed: number
  segments: Segment[]
  /** All of it, line by line. */
  lines: string[]
  /** Nothing behind it is missing: a mark says that it ends. */
  isWhole: boolean
}

/** One place and its text, up to `$$`. */
export interface Segment {
  ugc: UgcLine | null
  lines: string[]
  /** `$$` stands behind it. What is cut off says nothing. */
  isClosed: boolean
}

const FEED = 'NWS text'
const HEADING = /^([A-Z]{4}\d{2}) ([A-Z]{4}) (\d{6})(?: ([A-Z]{3}))?$/
const MAX_SEGMENTS = 300
const SEGMENT_END = '$$'
/** The end mark of teletype; ETX is read as one. */
const PRODUCT_END = 'NNNN'
/** A day of a busy office; more is no text product. Characters. */
const MAX_TEXT = 8 * 1024 * 1024

/**
 * The products of a text, one after the other, each from its WMO heading on. Throws AppError `bad-input` for a text
 * without any.
 */
export function splitProducts(text: string, receivedAt: number): Product[] {
  if (text.length > MAX_TEXT) throw new AppError('bad-input', because('body_too_long', { feed: FEED }))
  const lines = text
    .replaceAll('\u0003', `\n${PRODUCT_END}\n`)
    .split('\n')
    .map((line) => line.replace(/[^\t\x20-\x7E\u00A0-\uFFFF]/g, '').trimEnd())
  const starts = lines.flatMap((line, at) => (HEADING.test(line) ? [at] : []))
  if (starts.length === 0) {
    const isPage = /^\s*</.test(text)
    throw new AppError('bad-input', because(isPage ? 'web_page_for_product' : 'no_product_heading', { feed: FEED }))
  }
  return starts.map((start, number) => readProduct(lines.slice(start, starts[number + 1]), receivedAt))
}

function readProduct(all: readonly string[], receivedAt: number): Product {
  const end = all.findIndex((line) => line.trim() === PRODUCT_END)
  const lines = end < 0 ? [...all] : all.slice(0, end)
  const [heading = '', next = ''] = lines
  const [, , office = '', day = '', amendment = ''] = HEADING.exec(heading) ?? []
  const awips = /^([A-Z0-9]{3,6})$/.exec(next.trim())?.[1] ?? ''
  const times = lines.slice(0, 200).map(parseTimeLine)
  const timeLine = times.find((time) => time !== null) ?? null
  const sent = sentTime({ heading: day, timeLine, receivedAt })
  return {
    heading,
    office,
    amendment,
    awips,
    sent,
    headed: sentTime({ heading: day, timeLine: null, receivedAt: sent }),
    segments: readSegments(lines.slice(1), end >= 0),
    lines,
    isWhole: end >= 0 || lines.some((line) => line.trim() === SEGMENT_END)
  }
}

function readSegments(lines: readonly string[], ended: boolean): Segment[] {
  const segments: Segment[] = []
  let held: string[] = []
  for (const line of lines) {
    if (line.trim() !== SEGMENT_END) held.push(line)
    else {
      segments.push({ ugc: findUgc(held), lines: held, isClosed: true })
      held = []
    }
    if (segments.length >= MAX_SEGMENTS) return segments
  }
  const rest = { ugc: findUgc(held), lines: held, isClosed: ended }
  return rest.ugc === null && segments.length > 0 ? segments : [...segments, rest]
}
