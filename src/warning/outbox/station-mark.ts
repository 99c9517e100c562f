import { createHmac } from 'node:crypto'
import type { LookoutEvent } from '../../model/event.ts'
import { isAtLeast, SEVERITIES, type Severity } from '../../model/severity.ts'

/**
 * The mark by which stations of one secret know each other's alerts (docs/interface.md §6, *Two stations*): `#K7QF.4T9WC`. Behind the code
 * of the thread stand four letters of the alert, as grave as it was said, and one of its revision. Both are made from what the source
 * says, so that stations that word an alert differently, or joined its thread in another order, make the same.
 */

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ALERT_LETTERS = 4
const TAG = /#([0-9A-HJKMNP-TV-Z]{4})\.([0-9A-HJKMNP-TV-Z]{4})([0-9A-HJKMNP-TV-Z])$/

type Identified = Pick<LookoutEvent, 'family' | 'id' | 'revision'>

/** The facts of a text beside its words. */
export interface SaidAs {
  severity: Severity
  /** It tells the end. */
  ends: boolean
}

/** A tag as it was heard at the end of a text. */
export interface HeardTag {
  /** Of the thread, by which people know it. */
  code: string
  alert: string
  revision: string
}

/** Four letters of an alert: which it is, how grave it was said, and whether it ended. */
export function alertLetters(secret: string, { family, id }: Identified, { severity, ends }: SaidAs): string {
  return letters(secret, ['alert', family, id, severity, ends], ALERT_LETTERS)
}

/** One letter of a revision of it. */
export function revisionLetter(secret: string, { family, id, revision }: Identified): string {
  return letters(secret, ['revision', family, id, revision], 1)
}

/** The tail of a code in a text: `4T9WC`. */
export function markOf(secret: string, event: Identified, said: SaidAs): string {
  return alertLetters(secret, event, said) + revisionLetter(secret, event)
}

/** The tag that a text ends in; null when it ends in none. */
export function tagIn(text: string): HeardTag | null {
  const [, code, alert, revision] = TAG.exec(text) ?? []
  return code === undefined || alert === undefined || revision === undefined ? null : { code, alert, revision }
}

/** True when the tag is one of this alert, said at least as gravely. */
export function isTagOf(secret: string, tag: Pick<HeardTag, 'alert'>, event: Identified, said: SaidAs): boolean {
  return SEVERITIES.some(
    (severity) => isAtLeast(severity, said.severity) && alertLetters(secret, event, { ...said, severity }) === tag.alert
  )
}

function letters(secret: string, of: readonly unknown[], count: number): string {
  const digest = createHmac('sha256', secret).update(JSON.stringify(of)).digest()
  return Array.from({ length: count }, (_, at) => LETTERS[(digest[at] ?? 0) & 31]).join('')
}
