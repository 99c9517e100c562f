import { createHash } from 'node:crypto'
import type { Lifecycle } from '../../../model/event.ts'
import { messageName, type Reference, vtecThread } from '../../../model/thread.ts'
import { formatTime, parseTime } from '../../../model/time.ts'
import { leadingVtec, type Vtec, vtecKey, vtecLifecycle, vtecYear } from './vtec.ts'

/** Common fields of a CAP message and an entry of the NWS listing. */
export interface Bulletin {
  sender: string
  identifier: string
  /** Epoch milliseconds. */
  sent: number
  messageType: string
  event: string
  references: readonly Reference[]
  vtec: readonly Vtec[]
  zones: readonly string[]
}

/** The place of a message in the life of its event. */
export interface Standing {
  lifecycle: Lifecycle
  /** Its thread as long as nothing earlier is known. */
  own: string
  vtec: { key: string; action: string } | null
  /** End of the VTEC event; null until further notice; undefined without VTEC. */
  vtecEnd: string | null | undefined
}

const BY_MESSAGE_TYPE: Record<string, Lifecycle> = { Update: 'update', Cancel: 'cancel' }

/** Without VTEC the CAP message type decides; with it VTEC does, for the type says nothing about expiry. */
export function standingOf(bulletin: Bulletin): Standing {
  const vtec = leadingVtec(bulletin.vtec)
  if (vtec === null) {
    return {
      lifecycle: BY_MESSAGE_TYPE[bulletin.messageType] ?? 'new',
      own: ownThread(bulletin),
      vtec: null,
      vtecEnd: undefined
    }
  }
  const earlier = bulletin.references.flatMap(({ sent }) => parseTime(sent) ?? [])
  const key = vtecKey(vtec, vtecYear(vtec, bulletin.sent, earlier))
  return {
    lifecycle: vtecLifecycle(vtec.action),
    own: vtecThread(key),
    vtec: { key, action: vtec.action },
    vtecEnd: vtec.end === null ? null : formatTime(vtec.end)
  }
}

/** NWS offices repeat statements without references: sender, event and zones join them. Other senders use references. */
function ownThread({ sender, identifier, event, zones }: Bulletin): string {
  if (!isNws(sender)) return messageName(sender, identifier)
  const parts = JSON.stringify([sender, event, [...zones].sort()])
  return `nws:${createHash('sha256').update(parts).digest('hex').slice(0, 16)}`
}

/** True for the one address all NWS alerts come from, in JSON and in CAP. */
export function isNws(sender: string): boolean {
  return sender.toLowerCase().endsWith('@noaa.gov')
}

/**
 * The facts a listener acts on: level, end and grade, or how it ended. An end until further notice stays `open` over
 * all repeats.
 */
export function materialOf(parts: {
  standing: Standing
  severity: string
  expires: string | null
  /** Raised above others of its kind (`gradeOf`); '' for a usual one. */
  grade?: string
}): string {
  const { standing, severity, expires, grade = '' } = parts
  if (standing.lifecycle === 'cancel' || standing.lifecycle === 'expire')
    return standing.vtec?.action ?? standing.lifecycle
  const end = standing.vtecEnd === undefined ? expires : standing.vtecEnd
  return `${severity}|${end ?? 'open'}${grade === '' ? '' : `|${grade}`}`
}

/** CAP 1.2 §3.2.1: blank-separated `sender,identifier,sent`. A malformed triple is left out. */
export function parseReferences(text: string): Reference[] {
  return text.split(/\s+/).flatMap((triple) => {
    const [first, last] = [triple.indexOf(','), triple.lastIndexOf(',')]
    if (first < 1 || last <= first + 1) return []
    return [reference(triple.slice(0, first), triple.slice(first + 1, last), triple.slice(last + 1))]
  })
}

/** A reference with its time in UTC, '' when the time is unreadable. */
export function reference(sender: string, identifier: string, sent: string): Reference {
  const ms = parseTime(sent)
  return { sender, identifier, sent: ms === null ? '' : formatTime(ms) }
}

/** Three-letter offices whose four-letter VTEC name does not end in them. */
const OFFICES = new Map([
  ['JSJ', 'SJU'],
  ['STU', 'PPG']
])

/** `NWS BOI`: by VTEC, else by the WMO heading (`WWUS81 KAKQ 281938`), else as the sender writes it. */
export function nwsAttribution(parts: {
  vtec: readonly Vtec[]
  wmo: string
  awips: string
  senderName: string
}): string {
  const cccc = leadingVtec(parts.vtec)?.office ?? /^[A-Z]{4}\d{2} ([A-Z]{4}) /.exec(parts.wmo)?.[1]
  const office = cccc?.slice(1) ?? /^[A-Z]{3}([A-Z]{3})$/.exec(parts.awips)?.[1]
  if (office === 'AAQ') return 'NTWC'
  if (office !== undefined) return `NWS ${OFFICES.get(office) ?? office}`
  return parts.senderName || 'NWS'
}
