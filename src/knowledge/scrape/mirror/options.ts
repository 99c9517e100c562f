import * as v from 'valibot'
import { isReason, type Reason } from '../../../model/reason.ts'

const whole = v.pipe(v.number(), v.integer(), v.minValue(1))

/** The options of the archiver's process, as JSON. */
export const mirrorOptionsSchema = v.object({
  url: v.string(),
  /** The folder in which the copy is made; may hold what an earlier run left. */
  folder: v.string(),
  userAgent: v.string(),
  scope: v.picklist(['host', 'prefix', 'domain']),
  /** Seconds between two pages of a host. */
  delay: v.pipe(v.number(), v.minValue(0)),
  maxPages: whole,
  maxBytes: whole,
  maxMinutes: whole,
  include: v.array(v.string()),
  exclude: v.array(v.string()),
  patternPercent: whole,
  /** Linked PDFs and EPUBs are fetched too. */
  documents: v.boolean(),
  maxDocuments: whole,
  maxDocumentBytes: whole,
  /** Of the operator's own network: see `rulesFor`. */
  allowedHosts: v.array(v.string())
})
export type MirrorOptions = v.InferOutput<typeof mirrorOptionsSchema>

/** The lines it prints, one JSON object each. */
export const mirrorLineSchema = v.variant('kind', [
  v.object({ kind: v.literal('progress'), done: v.number(), total: v.number() }),
  v.object({
    kind: v.literal('end'),
    pages: v.number(),
    parts: v.number(),
    bytes: v.number(),
    /** The first page's file, in the folder `site`. */
    welcome: v.string(),
    /** The limit that ended it. */
    limit: v.nullable(v.picklist(['pages', 'bytes', 'time'])),
    /** The limit of documents that left some out. */
    documentLimit: v.optional(v.nullable(v.picklist(['count', 'bytes'])), null),
    /** Pages that `robots.txt` keeps robots from. */
    forbidden: v.number(),
    /** Pages and documents that could not be fetched. */
    missed: v.number()
  }),
  /** It goes on with what an earlier run has left. */
  v.object({ kind: v.literal('resumed'), pages: v.number() }),
  /** Said before the end, one of each, at most `MOST_FINDINGS`. */
  v.object({ kind: v.literal('missed'), address: v.string(), reason: v.custom<Reason>(isReason) }),
  v.object({ kind: v.literal('capped'), pattern: v.string(), kept: v.number(), pages: v.number() }),
  v.object({ kind: v.literal('document'), address: v.string(), file: v.string() }),
  v.object({ kind: v.literal('error'), code: v.string(), reason: v.custom<Reason>(isReason) })
])
export type MirrorLine = v.InferOutput<typeof mirrorLineSchema>
export type MirrorEnd = Extract<MirrorLine, { kind: 'end' }>

/** More than this the archiver of a small board does not keep in mind; a larger site wants the container. */
export const MOST_PAGES = 50_000
/** Pages and their parts. */
export const MOST_ENTRIES = 250_000
