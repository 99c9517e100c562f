import * as v from 'valibot'
import { BADGES, DOMAINS, UNSORTED } from '../../knowledge/catalogue/document.ts'
import { knowledgeOf } from '../server/knowledge.ts'
import { wikiUrlFor } from '../server/library.ts'
import { jsonSaid } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { searchAnswer } from './answers/knowledge.ts'
import { oneOf } from './query.ts'
import type { Services } from './services.ts'

const whole = (message: string, min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message)
  )

export const searchLibraryQuery = v.object({
  q: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'say what to look for: ?q=words'),
    v.maxLength(1000, 'a question has at most 1000 characters'),
    v.description('Words; what stands in "quotation marks" must be there as it is.')
  ),
  badge: v.pipe(oneOf(BADGES, 'a badge'), v.description(`Only documents of this kind: ${BADGES.join(', ')}.`)),
  domain: v.pipe(oneOf([...DOMAINS, UNSORTED], 'a domain'), v.description('Only documents of this domain.')),
  source: v.pipe(
    v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'at most 100 characters'))),
    v.description(
      'Only what came from there: dashboard_upload, folder, web, transcript, library, or the id of a library source.'
    )
  ),
  document: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'the hash of a document'))),
    v.description('The hash of a document: its passages alone, each a result.')
  ),
  limit: v.pipe(
    v.optional(whole('a limit is a whole number from 1 to 100', 1, 100), '20'),
    v.description('1 to 100 documents.')
  ),
  offset: v.pipe(
    v.optional(whole('an offset is a whole number from 0', 0, 999_999_999), '0'),
    v.description('How many of the best are left out.')
  )
})

/** `GET /api/search`: documents for a question, best first, each by its best passage, with a citation that opens (contract §8). */
function searchLibrary({
  context
}: Services): Handler<v.InferOutput<typeof searchLibraryQuery>, undefined, Told<typeof searchAnswer>> {
  return async ({ query: { badge, domain, source, document, ...rest }, headers }) =>
    jsonSaid(
      await knowledgeOf(context).search.query({
        ...rest,
        ...wikiUrlFor(context, headers.host),
        ...(badge === undefined ? {} : { badge }),
        ...(domain === undefined ? {} : { domain }),
        ...(document === undefined ? {} : { document }),
        ...(source === undefined || source === '' ? {} : { source })
      })
    )
}

export const searchRoutes = (services: Services): Route[] => [
  get('/api/search', {
    summary: 'Documents for a question, with citations.',
    about:
      '`{query, mode: "hybrid" | "lexical", reason?, corrected?, count, results: [{hash, title, snippet, matches, score, badge, domain, language, page, item_id, citation: {text, url}, passages: [{snippet, matches, score, page, item_id, citation}], more}]}`: documents, best first, each by its best passage and with its best three in `passages`; `more` says that it has further ones. With `document` every passage of it is a result. `matches` are places in `snippet`, in UTF-16 units. `score`: 0 to 1, the share of the weight of a question that stands in the passage, its heading or its title; 0 was found by likeness alone.',
    query: searchLibraryQuery,
    answer: searchAnswer,
    handle: searchLibrary(services)
  })
]
