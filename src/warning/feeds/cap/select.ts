import type { LookoutEvent } from '../../../model/event.ts'
import { because, type Reason } from '../../../model/reason.ts'
import { isAtLeast, type Severity } from '../../../model/severity.ts'
import { asBag, textsOf } from '../reading/json.ts'
import { childrenOf, childText, type Element } from '../reading/xml.ts'
import { placeOf } from './area.ts'

/** The part of its network's alerts that a source wants. Empty lists want everything. */
export interface Wanted {
  min_severity: Severity
  geocodes: readonly string[]
  senders: readonly string[]
}

/**
 * The reason why an event is left out, or null. An end is always told, and so is what `concerns` something told before.
 */
export function refusalOf(event: LookoutEvent, wanted: Wanted, concerns: boolean): Reason | null {
  const sender = textsOf(asBag(event.data['cap'])?.['sender'])[0] ?? ''
  if (!isWantedSender(sender, wanted.senders)) return because('other_sender')
  if (concerns || event.lifecycle === 'cancel' || event.lifecycle === 'expire') return null
  if (!isAtLeast(event.severity, wanted.min_severity)) return because('below_severity', { least: wanted.min_severity })
  const codes = [...event.zones, ...event.same, ...(event.data.geocodes ?? [])]
  return isWantedArea(codes, wanted.geocodes) ? null : because('other_area')
}

/** True when one of the addresses is the sender, or ends it: `@met.example`. */
export function isWantedSender(sender: string, senders: readonly string[]): boolean {
  const name = sender.toLowerCase()
  return senders.length === 0 || senders.some((wanted) => name.endsWith(wanted.trim().toLowerCase()))
}

/**
 * True when one of the codes is wanted: `DE356`, `EMMA_ID:DE356`, or `DE*` for all that begin so. An alert without codes
 * is wanted: its outline decides, in the coverage areas.
 */
export function isWantedArea(codes: readonly string[], geocodes: readonly string[]): boolean {
  if (geocodes.length === 0 || codes.length === 0) return true
  return codes.some((code) => geocodes.some((wanted) => fits(code.toUpperCase(), wanted.trim().toUpperCase())))
}

function fits(code: string, wanted: string): boolean {
  const value = code.slice(code.lastIndexOf(':') + 1)
  if (!wanted.endsWith('*')) return code === wanted || value === wanted
  return code.startsWith(wanted.slice(0, -1)) || value.startsWith(wanted.slice(0, -1))
}

/** True for what an index says of an alert, when an event made of it can be placed and chained: nothing is left to fetch. */
export function isEnough(alert: Element): boolean {
  if (childText(alert, 'msgType') !== 'Alert') return false
  if (['identifier', 'sender', 'sent', 'status'].some((name) => childText(alert, name) === '')) return false
  const infos = childrenOf(alert, 'info')
  return infos.length > 0 && infos.every(isEnoughInfo)
}

function isEnoughInfo(info: Element): boolean {
  if (['event', 'severity', 'urgency', 'expires'].some((name) => childText(info, name) === '')) return false
  const { geometry, circle, zones, same } = placeOf(info)
  return geometry !== null || circle !== null || zones.length + same.length > 0
}

/** All codes an index names for an alert, as `refusalOf` compares them. */
export function indexedCodes(alert: Element): string[] {
  return childrenOf(alert, 'info').flatMap((info) => {
    const { zones, same, otherCodes } = placeOf(info)
    return [...zones, ...same, ...otherCodes]
  })
}
