import { because, type Reason } from '../../../model/reason.ts'
import { isObject } from '../../../platform/config/json.ts'
import { httpSend } from '../../../platform/net/post.ts'
import { failureOf, jsonOf, member, refusalOf } from '../../keys/answer-status.ts'
import { type Attempt, callWithKeys } from '../../keys/keyed-call.ts'
import { keyHeaders } from '../../keys/providers.ts'
import type { Completion, JsonSchema, LanguageModel } from './model.ts'
import { type ClientOptions, schemaInWords } from './openai.ts'

/** Of JSON Schema, what `responseSchema` knows (an OpenAPI 3.0 subset); anything else there is a 400. */
const KNOWN = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'items', 'properties', 'required'],
  ...['minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'propertyOrdering', 'anyOf']
])

/** Google's generateContent, with the key in a header. */
export class GeminiModel implements LanguageModel {
  readonly name: string
  readonly #o: ClientOptions
  readonly #host: string
  /** A model that refuses the schema gets it in words. */
  #takesSchema = true

  constructor(options: ClientOptions) {
    this.#o = options
    this.name = `gemini ${options.model}`
    this.#host = new URL(options.url).host
  }

  complete(request: Completion): Promise<string> {
    return callWithKeys(this.#o, { providers: ['gemini'], keyless: false, signal: request.signal }, (key) =>
      this.#attempt(request, key)
    )
  }

  async #attempt(request: Completion, key: string | null): Promise<Attempt<string>> {
    const withSchema = this.#takesSchema
    const { url, model, userAgent, answerMs, clock } = this.#o
    try {
      const answer = await httpSend({
        url: `${url}/v1beta/models/${encodeURIComponent(model.replace(/^models\//, ''))}:generateContent`,
        json: bodyOf(request, withSchema),
        headers: keyHeaders('gemini', key),
        userAgent: userAgent(),
        totalMs: answerMs,
        signal: request.signal
      })
      if (answer.status >= 200 && answer.status < 300) return this.#read(answer.body)
      const refusal = refusalOf(answer, { host: this.#host, key, now: clock.now() })
      const aboutSchema =
        answer.status === 400 && /response_?schema|generation_?config\.response/i.test(textOf(answer.body))
      if (refusal.kind !== 'failed' || !aboutSchema || !withSchema || request.schema === undefined) return refusal
      this.#takesSchema = false
      return this.#attempt(request, key)
    } catch (error) {
      return failureOf(error)
    }
  }

  #read(body: Uint8Array): Attempt<string> {
    const answer = jsonOf(body)
    const blocked = member(member(answer, 'promptFeedback'), 'blockReason')
    if (typeof blocked === 'string')
      return this.#failed(because('model_request_withheld', { host: this.#host, why: blocked.slice(0, 40) }))
    const candidates = member(answer, 'candidates')
    const candidate: unknown = Array.isArray(candidates) ? candidates[0] : undefined
    const reason = member(candidate, 'finishReason')
    const parts = member(member(candidate, 'content'), 'parts')
    const text = (Array.isArray(parts) ? parts : []).map(spoken).join('')
    if (reason === 'MAX_TOKENS') return this.#failed(because('model_answer_too_long', { host: this.#host }))
    if (typeof reason === 'string' && reason !== 'STOP')
      return this.#failed(because('model_answer_withheld_why', { host: this.#host, why: reason.slice(0, 40) }))
    if (text.trim() !== '') return { kind: 'ok', value: text }
    return { kind: 'failed', again: true, reason: because('model_no_answer', { host: this.#host }) }
  }

  #failed(reason: Reason): Attempt<string> {
    return { kind: 'failed', again: false, reason }
  }
}

/** The words of the model, without what it thought on the way. */
function spoken(part: unknown): string {
  const text = member(part, 'text')
  return typeof text === 'string' && member(part, 'thought') !== true ? text : ''
}

function bodyOf({ system, prompt, schema, maxTokens }: Completion, withSchema: boolean): object {
  const inWords = schema !== undefined && !withSchema
  const instruction = inWords ? `${system}\n\n${schemaInWords(schema)}` : system
  return {
    systemInstruction: { parts: [{ text: instruction }] },
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    generationConfig: {
      maxOutputTokens: maxTokens,
      ...(schema === undefined ? {} : { responseMimeType: 'application/json' }),
      ...(schema === undefined || !withSchema ? {} : { responseSchema: subset(schema) })
    }
  }
}

/** The schema as `responseSchema` takes it: unknown words left out, types in capitals. */
function subset(schema: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
      if (!KNOWN.has(name)) return []
      if (name === 'type') return typeOf(value)
      if (name === 'properties' && isObject(value))
        return [
          [
            name,
            Object.fromEntries(Object.entries(value).map(([key, one]) => [key, isObject(one) ? subset(one) : one]))
          ]
        ]
      if (name === 'anyOf' && Array.isArray(value)) return [[name, value.filter(isObject).map(subset)]]
      return [[name, name === 'items' && isObject(value) ? subset(value) : value]]
    })
  )
}

/** `["string", "null"]` is a nullable string there. */
function typeOf(value: unknown): [string, unknown][] {
  const names = (Array.isArray(value) ? value : [value]).map((name) => String(name).toUpperCase())
  const type: [string, unknown] = ['type', names.find((name) => name !== 'NULL') ?? 'STRING']
  return names.includes('NULL') ? [type, ['nullable', true]] : [type]
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8')
}
