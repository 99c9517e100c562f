import * as v from 'valibot'
import { looseObject } from '../../platform/config/object.ts'
import { knowledgeOf } from '../server/knowledge.ts'
import { wikiUrlFor } from '../server/library.ts'
import { jsonSaid } from '../server/reply.ts'
import { type Handler, post, type Route, type Told } from '../server/route.ts'
import { askAnswer } from './answers/knowledge.ts'
import type { Services } from './services.ts'

export const askBody = looseObject({
  question: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(2, 'ask a question'),
    v.maxLength(1000, 'a question has at most 1000 characters'),
    v.description('In whole sentences.')
  ),
  limit: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10)), 5),
    v.description('Passages at most.')
  )
})

/** `POST /api/ask`: what the library says to a question. Stores nothing. */
function askLibrary({
  context,
  asking
}: Services): Handler<unknown, v.InferOutput<typeof askBody>, Told<typeof askAnswer>> {
  return async (call) => {
    const { question, limit } = call.body
    const { search } = knowledgeOf(context)
    const asked = { question, limit, ...wikiUrlFor(context, call.headers.host) }
    return jsonSaid(await asking.run(call, () => search.ask(asked)))
  }
}

export const askRoutes = (services: Services): Route[] => [
  // Each may cost a language model's time: two at once, then one in three seconds.
  post('/api/ask', {
    summary: 'Answers a question from the library.',
    about:
      'Body: `{question, limit?}`. Answers `{question, answer, reason?, confidence, excerpt?: {n, text, heading?, to_read?}, nearest?: {n, text, heading?}, model?, citations: [{n, text, url}], passages: [{n, hash, title, heading, text, snippet, score, badge, page, item_id, citation: {text, url}}]}`. `answer` is null without a language model, and when it does not rest on the passages: `reason` says which. `confidence` is `found`: what is said holds the rarest word of the question and at least half of its weight, and a number only beside what it is the amount of; `perhaps`: more than half of its weight, and no number, or with `to_read` a place of up to 600 characters that more likely than not has the answer beside other things; or `not_found`. `excerpt` is what passage `n` says to it, in whole sentences; `heading` is there when it tells what they are about. Without one `reason` names the nearest page, and `nearest` has what stands there around most of the question, a paragraph a line: no answer, to be read in its place. Passages: at most three of one document as long as others have something, neighbours joined. `score`: 0 to 1, the share of the weight of a question that stands in the passage, its heading or its title. Stores nothing.',
    access: 'trial',
    cost: 30,
    body: askBody,
    answer: askAnswer,
    handle: askLibrary(services)
  })
]
