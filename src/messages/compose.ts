import { byteLength, cutToBytes } from './budget.ts'
import type { Draft } from './draft.ts'
import { type Fitted, fitDraft } from './fit.ts'
import { numberParts, PART_SUFFIX_BYTES, splitText } from './parts.ts'
import type { Composed, ComposeRequest } from './request.ts'
import { draftMessage } from './templates.ts'

export type { Composed, ComposeRequest }

const MARK = 'DEMO '
const MOST_PARTS = 3

/**
 * The text of a message for one channel: WHAT + LEVEL, WHERE, UNTIL, DETAIL, DO, SOURCE, on one line, never longer than
 * `limitBytes`, the same for the same request. It names only what the event says and carries the event's own time (contract §6).
 */
export function composeMessage(request: ComposeRequest): Composed {
  const head = (request.simulatedMark === true ? MARK : '') + (request.mark === undefined ? '' : `${request.mark} `)
  const tail = request.code === undefined ? '' : ` #${request.code}`
  const around = byteLength(head) + byteLength(tail)
  const limit = Math.max(0, Math.floor(request.limitBytes) - around)
  const target = Math.min(limit, Math.max(0, Math.floor(request.targetBytes) - around))
  const draft = draftMessage(request)
  const single = fitDraft(draft, target, limit)
  const maxParts = Math.min(MOST_PARTS, Math.max(1, Math.floor(request.maxParts ?? 1)))
  const long = maxParts > 1 && losesContent(draft, single) ? composeParts(draft, target, limit, maxParts) : null
  const { fitted, parts } = long ?? { fitted: single, parts: [single.text] }
  const texts = parts.map(
    (part) => cutToBytes(head + withoutCommand(part), request.limitBytes - byteLength(tail)) + tail
  )
  return { parts: texts, bytes: texts.map(byteLength), dropped: fitted.dropped, truncated: fitted.truncated }
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

/** The long form, or null when it would not stand in `maxParts` parts with WHAT, WHERE and UNTIL in the first. */
function composeParts(draft: Draft, target: number, limit: number, maxParts: number): Parts | null {
  const timeFirst: Draft = { ...draft, time: { ...draft.time, last: false } }
  const times = timeFirst.time.variants
  for (const length of new Set([target, limit])) {
    const partRoom = length - PART_SUFFIX_BYTES
    // Splitting at spaces wastes some bytes of each part, so the whole is made smaller until it fits.
    for (let room = partRoom * maxParts; room > partRoom; room -= PART_SUFFIX_BYTES) {
      const fitted = fitDraft(timeFirst, partRoom, partRoom, room)
      const pieces = splitText(fitted.text, partRoom, maxParts)
      if (pieces === null || pieces.length < 2) continue
      const standsAlone = times.length === 0 || times.some((time) => pieces[0]?.includes(time))
      if (standsAlone) return { fitted, parts: numberParts(pieces) }
    }
  }
  return null
}
