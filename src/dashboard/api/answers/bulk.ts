import * as v from 'valibot'
import { BULK_KINDS, BULK_STATES, ENTRY_STATES } from '../../../knowledge/intake/bulk/bulk.ts'
import { next, number, numberOrNull, text, textOrNull, texts, time, timeOrNull } from './common.ts'

/** Answers of the routes about lists and folders that are taken in. */

export const bulkView = v.object({
  id: number,
  kind: v.picklist(BULK_KINDS),
  folder: textOrNull,
  category: text,
  state: v.picklist(BULK_STATES),
  reason: textOrNull,
  current: textOrNull,
  listed: v.boolean(),
  found: number,
  taken: number,
  duplicate: number,
  refused: number,
  failed: number,
  left: number,
  repeated: number,
  left_out: number,
  actions: texts,
  created_at: time,
  ended_at: timeOrNull,
  url: text,
  entries_url: text
})
export const bulksAnswer = v.object({ bulk: v.array(bulkView) })
export const bulkAnswer = v.object({ ok: v.literal(true), bulk: bulkView })
export const bulkEntriesAnswer = v.object({
  entries: v.array(
    v.object({
      what: text,
      state: v.picklist(ENTRY_STATES),
      hash: textOrNull,
      duplicate_of: textOrNull,
      status_url: textOrNull,
      reason: textOrNull
    })
  ),
  next
})
export const placesAnswer = v.object({
  places: v.array(
    v.object({
      path: textOrNull,
      label: text,
      removable: v.boolean(),
      size_bytes: numberOrNull,
      free_bytes: numberOrNull,
      readable: v.boolean(),
      reason: textOrNull
    })
  )
})
