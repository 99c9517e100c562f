import { because } from '../../../model/reason.ts'
import { httpSend } from '../../../platform/net/post.ts'
import { failureOf, jsonOf, member, refusalOf } from '../../keys/answer-status.ts'
import { type Attempt, type CallerOptions, callWithKeys } from '../../keys/keyed-call.ts'
import { keyHeaders, OPENAI_URL } from '../../keys/providers.ts'
import type { Completion, JsonSchema, LanguageModel } from './model.ts'

export interface ClientOptions extends CallerOptions {
  /** Base address without a slash at its end. */
  url: string
  model: string
  userAgent: () => string
  /** Longest time for one answer; a small board beside this one may take minutes. Milliseconds. */
  answerMs: number
}

/**
 * The wishes of a server in things that are not the same everywhere; found out by its refusals and remembered. Vendors
 * name the limit differently, reasoning models take no temperature, older servers no schema.
 */
interface Dialect {
  format: 'json_schema' | 'json_object' | 'none'
  limit: 'max_tokens' | 'max_completion_tokens' | 'none'
  temperature: boolean
  effort: boolean
}

const STRICTER: Readonly<Record<Dialect['format'], Dialect['format']>> = {
  json_schema: 'json_object',
  json_object: 'none',
  none: 'none'
}
const MAX_CHANGES = 6

/** Chat completions as OpenAI defined them, which Ollama, llama.cpp, vLLM, LM Studio and many others speak too. */
export class OpenAiModel implements LanguageModel {
  readonly name: string
  readonly #o: ClientOptions
  readonly #host: string
  #dialect: Dialect

  constructor(options: ClientOptions) {
    this.#o = options
    this.name = `openai ${options.model}`
    this.#host = new URL(options.url).host
    const own = options.url !== OPENAI_URL
    this.#dialect = {
      format: 'json_schema',
      limit: own ? 'max_tokens' : 'max_completion_tokens',
      temperature: own,
      effort: !own
    }
  }

  complete(request: Completion): Promise<string> {
    const keyless = this.#o.url !== OPENAI_URL
    return callWithKeys(this.#o, { providers: ['openai'], keyless, signal: request.signal }, (key) =>
      this.#attempt(request, key)
    )
  }

  /** Says less with each refusal of something that can be left out; such a refusal is no failure. */
  async #attempt(request: Completion, key: string | null): Promise<Attempt<string>> {
    for (let changes = 0; ; changes++) {
      const used = this.#dialect
      const result = await this.#ask(request, key, used)
      if (!('complaint' in result)) return result
      const next = changes < MAX_CHANGES ? adapted(used, result.complaint, request.schema !== undefined) : null
      if (next === null) return result.attempt
      // Another request may have learned something else meanwhile: what this one found is learned in addition.
      this.#dialect = next
    }
  }

  async #ask(
    request: Completion,
    key: string | null,
    dialect: Dialect
  ): Promise<Attempt<string> | { complaint: string; attempt: Attempt<string> }> {
    const { url, model, userAgent, answerMs, clock } = this.#o
    try {
      const answer = await httpSend({
        url: `${url}/chat/completions`,
        json: bodyOf(request, model, dialect),
        headers: keyHeaders('openai', key),
        userAgent: userAgent(),
        totalMs: answerMs,
        signal: request.signal
      })
      if (answer.status >= 200 && answer.status < 300) return this.#read(answer.body)
      const attempt = refusalOf(answer, { host: this.#host, key, now: clock.now() })
      // One server says 500 for a format it does not know.
      if (attempt.kind !== 'failed' || ![400, 422, 500, 501].includes(answer.status)) return attempt
      return { complaint: Buffer.from(answer.body).toString('utf8'), attempt }
    } catch (error) {
      return failureOf(error)
    }
  }

  #read(body: Uint8Array): Attempt<string> {
    const choices = member(jsonOf(body), 'choices')
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
    const message = member(choice, 'message')
    const text = member(message, 'content')
    const refusal = member(message, 'refusal')
    if (typeof text === 'string' && text.trim() !== '') {
      if (member(choice, 'finish_reason') !== 'length') return { kind: 'ok', value: text }
      return this.#failed('model_answer_too_long')
    }
    if (typeof refusal === 'string' && refusal !== '') return this.#failed('model_refuses')
    if (member(choice, 'finish_reason') === 'length') return this.#failed('model_thought_too_long')
    if (member(choice, 'finish_reason') === 'content_filter') return this.#failed('model_answer_withheld')
    // A body that is no such document at all: cut off, or another server answers for this one.
    return { kind: 'failed', again: true, reason: because('model_no_answer', { host: this.#host }) }
  }

  #failed(
    code: 'model_answer_too_long' | 'model_refuses' | 'model_thought_too_long' | 'model_answer_withheld'
  ): Attempt<string> {
    return { kind: 'failed', again: false, reason: because(code, { host: this.#host }) }
  }
}

function bodyOf({ system, prompt, schema, maxTokens }: Completion, model: string, dialect: Dialect): object {
  const inWords = schema !== undefined && dialect.format !== 'json_schema'
  return {
    model,
    messages: [
      { role: 'system', content: inWords ? `${system}\n\n${schemaInWords(schema)}` : system },
      { role: 'user', content: prompt }
    ],
    stream: false,
    ...(dialect.limit === 'none' ? {} : { [dialect.limit]: maxTokens }),
    ...(dialect.temperature ? { temperature: 0 } : {}),
    // The work is reading, not reasoning, and tokens of thinking count against the limit.
    ...(dialect.effort ? { reasoning_effort: 'none' } : {}),
    ...(schema === undefined ? {} : formatOf(schema, dialect))
  }
}

function formatOf(schema: JsonSchema, { format }: Dialect): object {
  if (format === 'none') return {}
  if (format === 'json_object') return { response_format: { type: 'json_object' } }
  const json_schema = { name: 'answer', schema, strict: isStrict(schema) }
  return { response_format: { type: 'json_schema', json_schema } }
}

export function schemaInWords(schema: JsonSchema): string {
  return `Answer with one JSON document and nothing else, without a code fence. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
}

/** Strict answers need every member required and no others, at every level. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (typeof schema !== 'object' || schema === null) return true
  const properties = member(schema, 'properties')
  if (member(schema, 'type') === 'object') {
    const required = member(schema, 'required')
    const names = Object.keys(properties ?? {})
    if (member(schema, 'additionalProperties') !== false || !Array.isArray(required)) return false
    if (!names.every((name) => required.includes(name))) return false
  }
  return Object.values(schema).every(isStrict)
}

/** The dialect without what a refusal complains of; null when it is about something else. */
function adapted(dialect: Dialect, complaint: string, hasSchema: boolean): Dialect | null {
  if (
    hasSchema &&
    dialect.format !== 'none' &&
    /response_format|json_schema|json_object|structured output|grammar/i.test(complaint)
  )
    return { ...dialect, format: STRICTER[dialect.format] }
  if (dialect.effort && /reasoning_effort|reasoning effort/i.test(complaint)) return { ...dialect, effort: false }
  if (dialect.temperature && /temperature/i.test(complaint)) return { ...dialect, temperature: false }
  if (dialect.limit === 'max_tokens' && /max_tokens/.test(complaint))
    return { ...dialect, limit: 'max_completion_tokens' }
  if (dialect.limit === 'max_completion_tokens' && /max_completion_tokens/.test(complaint))
    return { ...dialect, limit: 'none' }
  return null
}
