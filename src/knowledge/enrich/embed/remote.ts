import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { httpSend } from '../../../platform/net/post.ts'
import { failureOf, jsonOf, member, refusalOf } from '../../keys/answer-status.ts'
import { type Attempt, type CallerOptions, callWithKeys } from '../../keys/keyed-call.ts'
import { ProviderError } from '../../keys/provider-error.ts'
import type { Provider } from '../../keys/providers.ts'
import type { Embedder } from './embedder.ts'
import { normalised } from './hash.ts'

/** The protocol of one kind of server. */
export interface EmbeddingProtocol {
  provider: 'openai' | 'ollama' | 'tei'
  /** Behind the base address. */
  path: string
  body: (texts: readonly string[], model: string) => unknown
  /** The vectors in the order of the texts, or undefined when the document is none of this protocol. */
  vectors: (document: unknown) => unknown[] | undefined
  /** The place where a server that serves one model names it: path, and the member with the name. */
  model?: { path: string; member: string }
}

export interface RemoteOptions extends CallerOptions {
  /** Base address without a slash at its end. */
  url: string
  /** Empty: the server names it. */
  model: string
  userAgent: () => string
  /** The providers whose keys it is shown, in this order. */
  providers: readonly Provider[]
  /** It can be asked without a key. */
  keyless: boolean
  /** Longest time for one answer, milliseconds. */
  answerMs: number
}

/** text-embeddings-inference takes at most 32 by default; small boards take long for each. */
const BATCH = 16
/** No text model has more; a number beyond it is no answer of one. */
const MAX_DIMS = 8192
/** 16 vectors of 8192 numbers as text. */
const MAX_BYTES = 8 * 1024 * 1024

/** An embedding server over HTTP. How many dimensions its vectors have is learned from its first answer. */
export class RemoteEmbedder implements Embedder {
  readonly provider: string
  readonly #protocol: EmbeddingProtocol
  readonly #o: RemoteOptions
  #model: string
  #dims: number | null = null

  constructor(protocol: EmbeddingProtocol, options: RemoteOptions) {
    this.provider = protocol.provider
    this.#protocol = protocol
    this.#o = options
    this.#model = options.model
  }

  get model(): string {
    return this.#model
  }

  get dims(): number | null {
    return this.#dims
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const found: Float32Array[] = []
    try {
      // The server may have been started anew with another model: asked before every call, not once.
      if (this.#protocol.model !== undefined && texts.length > 0) this.#model = await this.#askModel(signal)
      for (let from = 0; from < texts.length; from += BATCH)
        found.push(...(await this.#batch(texts.slice(from, from + BATCH), signal)))
    } catch (error) {
      // A wrong address or model is for the owner to put right; the document that waits for its vectors is not at fault.
      if (error instanceof ProviderError && error.kind === 'permanent')
        throw new AppError(
          'unavailable',
          because('embedding_failed', { provider: this.provider, said: error.reason }),
          { cause: error }
        )
      throw error
    }
    const dims = found[0]?.length ?? this.#dims
    if (found.some((vector) => vector.length !== dims))
      throw new AppError('unavailable', because('embedding_lengths_differ', { provider: this.provider }))
    this.#dims = dims
    return found
  }

  #batch(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { path, body } = this.#protocol
    return this.#ask(path, body(texts, this.#model), signal, (document) => this.#read(document, texts.length))
  }

  #askModel(signal: AbortSignal): Promise<string> {
    const { path = '', member: name = '' } = this.#protocol.model ?? {}
    return this.#ask(path, undefined, signal, (document) => {
      const model = member(document, name)
      return typeof model === 'string' && model !== '' ? model.slice(0, 200) : undefined
    })
  }

  #ask<T>(path: string, json: unknown, signal: AbortSignal, read: (document: unknown) => T | undefined): Promise<T> {
    const { url, providers, keyless, userAgent, answerMs, clock } = this.#o
    const { host } = new URL(url)
    return callWithKeys(this.#o, { providers, keyless, signal }, async (key): Promise<Attempt<T>> => {
      const headers: Record<string, string> = key === null ? {} : { Authorization: `Bearer ${key}` }
      const request = { url: `${url}${path}`, headers, userAgent: userAgent(), maxBytes: MAX_BYTES }
      try {
        const answer = await httpSend({ ...request, json, totalMs: answerMs, signal })
        if (answer.status < 200 || answer.status >= 300) return refusalOf(answer, { host, key, now: clock.now() })
        const value = read(jsonOf(answer.body))
        if (value !== undefined) return { kind: 'ok', value }
        return { kind: 'failed', again: false, reason: because('embedding_none', { host, path }) }
      } catch (error) {
        return failureOf(error)
      }
    })
  }

  #read(document: unknown, expected: number): Float32Array[] | undefined {
    const rows = this.#protocol.vectors(document)
    if (rows?.length !== expected) return undefined
    const vectors = rows.map(vectorOf)
    return vectors.every((vector) => vector !== undefined) ? vectors : undefined
  }
}

/** Finite numbers as a vector of length 1; undefined for anything else. */
function vectorOf(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DIMS) return undefined
  if (!value.every((entry) => typeof entry === 'number' && Number.isFinite(Math.fround(entry)))) return undefined
  return normalised(Float32Array.from(value))
}
