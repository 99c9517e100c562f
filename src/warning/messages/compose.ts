import { byteLength, cutToBytes } from './budget.ts'
import type { Draft } from './draft.ts'
import { type Fitted, fitDraft } from './fit.ts'
import { foldDraft, foldText } from './fold.ts'
import { MOST_STOPS, withJapaneseStops } from './japanese-stops.ts'
import { numberParts, PART_SUFFIX_BYTES, splitText } from './parts.ts'
import type { Composed, ComposeRequest } from './request.ts'
import { draftMessage } from './templates.ts'
import { markText, wordsOf } from './wording.ts'

export type { Composed, ComposeRequest }

const MOST_PARTS = 3
/** More than any text has: how much of it is too much is measured. */
const MOST_PIECES = 100

/**
 * The text of a message for one channel: WHAT + LEVEL, WHERE, UNTIL, DETAIL, DO, SOURCE, on one line, never longer than
 * `limitBytes`, the same for the same request. It names only what the event says and carries the event's own time (contract §6).
 */
export function composeMessage(request: ComposeRequest): Composed {
  const head = headMarks(request)
  const tail = request.code === undefined ? '' : ` #${request.code}`
  const stops = request.language === 'ja' ? MOST_STOPS : 0
  const around = byteLength(head) + byteLength(tail) + stops
  const limit = Math.max(0, Math.floor(request.limitBytes) - around)
  const target = Math.min(limit, Math.max(0, Math.floor(request.targetBytes) - around))
  const drafted = draftMessage(request)
  const draft = request.ascii === true ? foldDraft(drafted, request.language ?? 'en') : drafted
  const stretch = Math.min(limit, Math.max(target, Math.floor(request.stretchBytes ?? 0) - around))
  const single = fitSingle(draft, { target, stretch, limit })
  const maxParts = Math.min(MOST_PARTS, Math.max(1, Math.floor(request.maxParts ?? 1)))
  const long = maxParts > 1 && losesContent(draft, single) ? composeLong(draft, limit, maxParts) : null
  const { fitted, parts } = long ?? { fitted: single, parts: [single.text] }
  const texts = parts.map(
    (part) =>
      cutToBytes(head + withJapaneseStops(withoutCommand(part), stops), request.limitBytes - byteLength(tail)) + tail
  )
  return { parts: texts, bytes: texts.map(byteLength), dropped: fitted.dropped, truncated: fitted.truncated }
}

/** The marks before a text, in the language of its channel: `DEMO RPT `. */
export function headMarks({
  simulatedMark = false,
  mark,
  ascii = false,
  ...request
}: Pick<ComposeRequest, 'simulatedMark' | 'mark' | 'ascii' | 'language'>): string {
  const words = wordsOf(request)
  const marks = (simulatedMark ? `${words.marks.DEMO} ` : '') + (mark === undefined ? '' : `${markText(words, mark)} `)
  return ascii ? foldText(marks, request.language ?? 'en') : marks
}

/** The text within `target`, or within `stretch` where that says more of what happens and what to do. */
function fitSingle(
  draft: Draft,
  { target, stretch, limit }: { target: number; stretch: number; limit: number }
): Fitted {
  const short = fitDraft(draft, target, limit)
  if (stretch <= target || !losesContent(draft, short)) return short
  const long = fitDraft(draft, stretch, limit, stretch, target)
  return long.said > short.said ? long : short
}

/** Bots on the mesh react to these; what stands first may be a place when the head is empty. */
function withoutCommand(part: string): string {
  return part.replace(/^[/!@\s]+(?=\S)/u, '')
}

/** A second packet is worth its airtime for DETAIL and DO, not for a name of the source. */
function losesContent(draft: Draft, { text, dropped }: Fitted): boolean {
  if (dropped.some((role) => role !== 'source')) return true
  return !text.includes(draft.detail) || !text.includes(draft.guidance.join('. '))
}

interface Parts {
  fitted: Fitted
  parts: string[]
}

/**
 * The long form: one whole packet, else as few parts as say everything but a source's name, else what `maxParts` parts hold. A packet
 * costs its preamble, so all are written to the limit, whatever a single text is written for. Null when WHAT, WHERE and UNTIL would
 * not stand in the first part.
 */
function composeLong(draft: Draft, limit: number, maxParts: number): Parts | null {
  let best: Parts | null = null
  for (let count = 1; count <= maxParts; count++) {
    for (const source of new Set([draft.source, ''])) {
      const parts = composeParts({ ...draft, source }, limit, count)
      if (parts !== null && !losesContent(draft, parts.fitted)) return parts
      best = source === draft.source ? (parts ?? best) : best
    }
  }
  return best
}

/** The room that a further part has to say what it is about, where the first one was missed. */
const MOST_TOPIC_BYTES = 24

function composeParts(draft: Draft, limit: number, count: number): Parts | null {
  if (count === 1) return onePart(draft, limit)
  const timeFirst: Draft = { ...draft, time: { ...draft.time, last: false } }
  const times = timeFirst.time.variants
  const topic = byteLength(draft.what) <= Math.min(MOST_TOPIC_BYTES, limit / 4) ? `${draft.what}: ` : ''
  const first = limit - PART_SUFFIX_BYTES
  const further = first - byteLength(topic)
  let room = first + further * (count - 1)
  while (room > first) {
    const fitted = fitDraft(timeFirst, first, first, room)
    const pieces = splitText(fitted.text, first, MOST_PIECES, further)
    if (pieces === null || pieces.length < 2) return null
    // Whole sentences waste some bytes of each part, so the whole is made smaller until it fits.
    const over = byteLength(pieces.slice(count).join(' '))
    room -= Math.max(PART_SUFFIX_BYTES, Math.floor(over / 2))
    if (over > 0) continue
    const standsAlone = times.length === 0 || times.some((time) => pieces[0]?.includes(time))
    if (standsAlone)
      return { fitted, parts: numberParts(pieces.map((piece, at) => (at === 0 ? piece : topic + piece))) }
  }
  return null
}

function onePart(draft: Draft, limit: number): Parts {
  const fitted = fitDraft(draft, limit, limit)
  return { fitted, parts: [fitted.text] }
}
