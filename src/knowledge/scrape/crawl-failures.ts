import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { jsonOr } from '../../platform/bytes/json-or.ts'
import { type Miss, MOST_FINDINGS } from './findings.ts'

const text = v.optional(v.fallback(v.string(), ''), '')
/** A line of browsertrix-crawler's log: the address stands in `url`, `page` or `seed` of its details. */
const lineSchema = v.object({
  logLevel: v.picklist(['error', 'warn', 'fatal']),
  context: v.picklist(['general', 'worker', 'pageStatus', 'fetch']),
  message: v.pipe(v.string(), v.regex(/page|seed|load|fetch|retr/i)),
  details: v.object({ url: text, page: text, seed: text, msg: text, message: text, status: v.optional(v.unknown()) })
})

/**
 * The pages that the crawler of a container could not load, by what its log says: the last word on each address counts. Lines
 * it has long ago thrown away, or that read otherwise in another version, are missing from the list, never from the number.
 */
export function failuresIn(log: string): Miss[] {
  const found = new Map<string, Miss>()
  for (const text of log.split('\n')) {
    if (!text.startsWith('{')) continue
    const line = v.safeParse(lineSchema, jsonOr(null, text))
    if (!line.success) continue
    const { url, page, seed, msg, message, status } = line.output.details
    const address = [url, page, seed].find((one) => /^https?:/.test(one))
    if (address === undefined) continue
    found.delete(address)
    const said = [msg, message].find((one) => one !== '') ?? line.output.message
    const reason =
      typeof status === 'number' && status >= 400
        ? because('page_answers', { status })
        : because('note', { text: said.slice(0, 200) })
    found.set(address, { address, reason })
  }
  return [...found.values()].slice(-MOST_FINDINGS)
}
