import * as v from 'valibot'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { AddressLookup } from '../server/address-lookup.ts'
import type { HttpContext } from '../server/context.ts'
import { jsonSaid } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { addressesAnswer, addressHealthAnswer, suggestionsAnswer } from './answers/knowledge.ts'
import type { Services } from './services.ts'

const MOST_LETTERS = 200
const LIMIT = 'limit is a whole number from 1 to 50'

/** The question; handlers refuse an empty one: a missing `q` is 400 (contract §10), everything else 422. */
const q = v.optional(
  v.pipe(v.string(), v.trim(), v.maxLength(MOST_LETTERS, `q has at most ${MOST_LETTERS} characters`)),
  ''
)

export const addressQuery = v.object({
  q,
  country: v.optional(v.pipe(v.string(), v.toUpperCase(), v.picklist(['', 'US', 'CA'], 'country is US or CA')), ''),
  limit: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,2}$/, LIMIT), v.transform(Number), v.minValue(1, LIMIT), v.maxValue(50, LIMIT)),
    '10'
  )
})

export const suggestQuery = v.object({ q })

/** `GET /api/address-db/lookup` (contract §10). */
function lookUpAddress({
  context
}: Services): Handler<v.InferOutput<typeof addressQuery>, undefined, Told<typeof addressesAnswer>> {
  return async ({ query: { q: text, country, limit } }) => {
    requireQuestion(text)
    const question = { text, country: country === '' ? null : country, limit }
    const { results, found, differs } = await addressesOf(context).lookup(question)
    return jsonSaid({ results, count: results.length, query: text, found, differs })
  }
}

/** `GET /api/address-db/suggest`: how an unfinished question may go on. */
function suggestAddress({
  context
}: Services): Handler<v.InferOutput<typeof suggestQuery>, undefined, Told<typeof suggestionsAnswer>> {
  return async ({ query: { q: text } }) => {
    requireQuestion(text)
    const suggestions = await addressesOf(context).suggest(text)
    return jsonSaid({ suggestions, count: suggestions.length, query: text })
  }
}

/** `GET /api/address-db/health` (contract §10): 200 in every case, and never a scan. */
function addressHealth({ context }: Services): Handler<unknown, undefined, Told<typeof addressHealthAnswer>> {
  return async () =>
    jsonSaid(context.addresses === null ? { ok: false, reason: off(context) } : await context.addresses.health())
}

function requireQuestion(text: string): void {
  if (text === '') throw new AppError('bad-input', because('q_is_missing'))
}

function addressesOf(context: HttpContext): AddressLookup {
  if (context.addresses === null) throw new AppError('unavailable', off(context))
  return context.addresses
}

function off({ profile }: HttpContext): Reason {
  return because('profile_no_addresses', { profile: profile.name })
}

export const addressesRoutes = (services: Services): Route[] => [
  get('/api/address-db/lookup', {
    summary: 'Postal addresses for a text, best first.',
    about:
      '`{results: [{number, street, street2, city, state, zipcode, plus4, country, lat, lon, source, match}], count, query, found, differs}`, best first. `found` says what the answer is: `house`, the address itself with its units; `nearest_house`, the street without that number, and its nearest houses; `no_house`, the street, and no house within a hundred numbers; `street` and `place`, some addresses of what was asked; `no_street`, no such street in a place that the file has; `no_place`, no such city or postal code; `nothing`; `unfinished`, given up after 2 s of work. `match` says the same of a result: `house`, `near_house`, `street`, `place`, and for what is none: `near_street`, a street written alike, and `elsewhere`, the street in another place. `differs` names what of the question the first result has otherwise: number, unit, street, type, direction, city, state, zip; what was left out is no difference. `lat`, `lon` and `source` are null where the file has none. Without `q` 400, without a file 503.',
    query: addressQuery,
    answer: addressesAnswer,
    handle: lookUpAddress(services)
  }),
  get('/api/address-db/suggest', {
    summary: 'How a text may go on.',
    about:
      '`{suggestions: [{text, kind}], count, query}`: at most ten ways an unfinished question may go on; kind is address, street, city or zip, and `text` a question the lookup answers. Without `q` 400, without a file 503.',
    query: suggestQuery,
    answer: suggestionsAnswer,
    handle: suggestAddress(services)
  }),
  get('/api/address-db/health', {
    summary: 'The address file.',
    about:
      '`{ok: true, row_count, file_size_bytes, indexed_countries}`, or `{ok: false, reason}`; 200 in both cases. The file is never scanned: `row_count` is null when it is not known without counting.',
    answer: addressHealthAnswer,
    handle: addressHealth(services)
  })
]
