import * as v from 'valibot'
import { looseObject } from '../../platform/config/object.ts'
import { knowledgeOf } from '../server/knowledge.ts'
import { wikiUrlFor } from '../server/library.ts'
import { json } from '../server/reply.ts'
import type { Handler } from '../server/route.ts'
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
export function askLibrary({ context, asking }: Services): Handler<unknown, v.InferOutput<typeof askBody>> {
  return async (call) => {
    const { question, limit } = call.body
    const { search } = knowledgeOf(context)
    const asked = { question, limit, ...wikiUrlFor(context, call.headers.host) }
    return json(await asking.run(call, () => search.ask(asked)))
  }
}
