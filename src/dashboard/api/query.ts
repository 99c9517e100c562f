import * as v from 'valibot'
import { BADGES } from '../../knowledge/catalogue/document.ts'
import { DOCUMENT_STATES } from '../../knowledge/catalogue/states.ts'
import { ENTRY_STATES } from '../../knowledge/intake/bulk/bulk.ts'
import { severitySchema } from '../../model/channel-schema.ts'
import { DELIVERY_STATES } from '../../model/delivery.ts'
import { parseTime } from '../../model/time.ts'
import { DECISIONS } from '../../warning/routing/decision.ts'

/** Query parameters that several routes share. A parameter that is there but empty counts as absent. */

const orAbsent = <Schema extends v.GenericSchema<string, unknown>>(schema: Schema) =>
  v.optional(
    v.union([
      v.pipe(
        v.literal(''),
        v.transform(() => undefined)
      ),
      schema
    ])
  )

const time = v.pipe(
  v.string(),
  v.check((text) => parseTime(text) !== null, 'a time is RFC 3339, such as 2026-07-01T12:00:00Z'),
  v.transform((text) => parseTime(text) ?? 0)
)

const whole = (message: string, min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message)
  )

/** Newest first, page by page: `next` of one answer is the `cursor` of the next question. */
const paging = {
  since: v.pipe(orAbsent(time), v.description('Only what is newer: RFC 3339.')),
  limit: v.pipe(
    v.optional(whole('a limit is a whole number from 1 to 500', 1, 500), '100'),
    v.description('1 to 500.')
  ),
  cursor: v.pipe(
    orAbsent(whole('a cursor is the "next" of the answer before', 0, Number.MAX_SAFE_INTEGER)),
    v.description('The "next" of the answer before.')
  )
}

export const eventsQuery = v.object({
  ...paging,
  family: orAbsent(v.string()),
  severity: orAbsent(severitySchema),
  decision: orAbsent(v.picklist(DECISIONS, `a decision is one of ${DECISIONS.join(', ')}`)),
  q: v.pipe(
    orAbsent(v.pipe(v.string(), v.maxLength(200, 'at most 200 characters'))),
    v.description('Words in titles, places, regions, names and codes. A page may then be short, or empty, and go on.')
  )
})

export const eventQuery = v.object({
  source: v.pipe(orAbsent(v.string()), v.description('Which source, when several use the same id.'))
})

export const deliveriesQuery = v.object({
  ...paging,
  state: orAbsent(v.picklist(DELIVERY_STATES, `a state is one of ${DELIVERY_STATES.join(', ')}`)),
  transport: orAbsent(
    v.picklist(['mt', 'mc', 'email', 'webhook', 'ntfy'], 'a transport is one of mt, mc, email, webhook, ntfy')
  ),
  thread: orAbsent(v.string()),
  channel: v.pipe(
    orAbsent(v.pipe(v.string(), v.maxLength(200, 'at most 200 characters'))),
    v.description('A part of the channel, as in mt:3 or mc:north.')
  ),
  format: v.optional(v.picklist(['json', 'csv', 'jsonl'], 'a format is one of json, csv, jsonl'), 'json')
})

const spanPart = (about: string) =>
  v.pipe(v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40, 'at most 40 characters')), ''), v.description(about))

const short256 = v.pipe(v.string(), v.maxLength(256, 'at most 256 characters'))

/** A day or a span of a log, as `periodOf` reads it. */
const period = {
  day: spanPart('A day of the station: 2027-07-01. Without any of the three, today.'),
  from: spanPart('In place of day: a day, a time of the station (2027-07-01T07:00) or RFC 3339.'),
  to: spanPart('The same; a day counts to its end. At most 7 days after from.')
}

const onPaper = (about: string) =>
  v.pipe(v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'at most 200 characters')), ''), v.description(about))

export const commsLogQuery = v.object({
  ...period,
  incident: onPaper('Name and number of the incident, for the first box of the PDF.'),
  operator: onPaper('The radio operator, for the fourth box of the PDF.'),
  format: v.optional(v.picklist(['json', 'csv', 'pdf'], 'a format is one of json, csv, pdf'), 'json')
})

export const exerciseReportQuery = v.object({
  day: period.day,
  event: v.pipe(orAbsent(short256), v.description('The id of an event: the report of all that was told of it.')),
  source: v.pipe(orAbsent(short256), v.description('Which source, when several use the same id.')),
  format: commsLogQuery.entries.format
})

/** One of the names, in letters of any case; a parameter that is there but empty counts as absent. */
export const oneOf = <const Names extends readonly string[]>(names: Names, what: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => {
        const wanted = text.trim().toLowerCase()
        return wanted === '' ? undefined : (names.find((name) => name.toLowerCase() === wanted) ?? text)
      }),
      v.optional(v.picklist(names, `${what} is one of ${names.join(', ')}`))
    )
  )

const short = v.pipe(v.string(), v.maxLength(200, 'at most 200 characters'))

export const documentsQuery = v.object({
  limit: paging.limit,
  cursor: paging.cursor,
  status: orAbsent(v.picklist(DOCUMENT_STATES, `a status is one of ${DOCUMENT_STATES.join(', ')}`)),
  badge: oneOf(BADGES, 'a badge'),
  domain: v.pipe(orAbsent(short), v.description('One of the domains of knowledge, or Unsorted.')),
  category: v.pipe(orAbsent(short), v.description('The category given with the upload.')),
  source: v.pipe(
    orAbsent(whole('a source is the number of a library source', 0, Number.MAX_SAFE_INTEGER)),
    v.description('Number of a library source.')
  ),
  review: v.pipe(
    orAbsent(v.picklist(['true'], 'review is true, or left out')),
    v.description('true: only what somebody must decide about.')
  ),
  q: v.pipe(orAbsent(short), v.description('Words in titles, authors and file names.'))
})

export const rawUploadQuery = v.object({
  filename: v.pipe(orAbsent(v.string()), v.description('Name of the file, when the body is the file itself.')),
  category: v.pipe(orAbsent(v.string()), v.description('A hint where it belongs, when the body is the file itself.')),
  title: v.pipe(orAbsent(v.string()), v.description('Its title, when the body is the file itself.')),
  sha256: v.pipe(
    orAbsent(v.string()),
    v.description('SHA-256 of the body, 64 hex digits: what is here already is told before a byte is read.')
  )
})

/** `GET /api/ingest/bulk/:id/entries`. */
export const bulkEntriesQuery = v.object({
  state: v.pipe(orAbsent(v.picklist(ENTRY_STATES)), v.description('Those in this state alone.')),
  limit: paging.limit,
  cursor: paging.cursor
})

/** `GET /api/audit`. */
export const auditQuery = v.object({ limit: paging.limit, cursor: paging.cursor })
