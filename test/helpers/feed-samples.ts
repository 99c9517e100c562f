import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const FEEDS = join(import.meta.dirname, '../../src/warning/feeds')

const sampleSchema = v.strictObject({
  kind: v.string(),
  /** Besides the defaults. */
  settings: v.record(v.string(), v.unknown()),
  /** The time of its arrival, RFC 3339. */
  now: v.string(),
  /** The body that is served: JSON, or a text. */
  body: v.unknown(),
  /** Fields of each event that is read from it. */
  events: v.array(v.record(v.string(), v.unknown()))
})

export interface FeedSample extends v.InferOutput<typeof sampleSchema> {
  folder: string
}

/** The samples that lie in the folders of feeds. */
export function samples(): FeedSample[] {
  return readdirSync(FEEDS).flatMap((folder) => {
    const file = join(FEEDS, folder, 'sample.json')
    return existsSync(file) ? [{ folder, ...v.parse(sampleSchema, JSON.parse(readFileSync(file, 'utf8'))) }] : []
  })
}
