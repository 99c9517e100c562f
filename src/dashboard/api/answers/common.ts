import * as v from 'valibot'
import { SEVERITIES } from '../../../model/vocabulary.ts'

/** Pieces of what routes answer. A schema says all that is there: the tests refuse a member that it does not name. */

export const time = v.pipe(v.string(), v.isoTimestamp())
export const timeOrNull = v.nullable(time)
export const text = v.string()
export const textOrNull = v.nullable(v.string())
export const number = v.number()
export const numberOrNull = v.nullable(v.number())
export const texts = v.array(v.string())
export const counts = v.record(v.string(), v.number())
/** An object that has a schema of its own elsewhere: GeoJSON, settings, what a feed keeps. */
export const anything = v.custom<object>((value) => typeof value === 'object' && value !== null)

export const severity = v.picklist(SEVERITIES)
export const network = v.picklist(['mt', 'mc'])
/** MT channels have an index, MC channels a name. */
export const channel = v.union([v.number(), v.string()])

/** While nothing can be stored: a restart forgets it. */
export const stored = v.exactOptional(v.literal(false))
/** A place of a document, and what is odd about it. */
export const issue = v.object({ path: text, code: text, message: text })
/** A sentence as a program reads it. */
export const reason = { code: text, params: anything }
/** Below what was asked for; its next page. */
export const next = v.pipe(numberOrNull, v.description('The cursor of the next page; null at the end.'))
