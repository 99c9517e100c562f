import { because, type Reason } from '../../model/reason.ts'
import { httpSend, type SendRequest } from '../../platform/net/post.ts'
import type { KnowledgeConfig } from '../settings.ts'
import { failureOf, refusalOf } from './answer-status.ts'
import type { Key } from './env-file.ts'
import type { KeyStore } from './key-store.ts'
import { addressOf, keyHeaders } from './providers.ts'

/** The result of a test. `valid` null: the provider gave no clear answer. */
export interface TestResult {
  index: number
  id: string
  valid: boolean | null
  message: Reason
}

export interface TesterOptions {
  keys: KeyStore
  config: () => Pick<KnowledgeConfig, 'llm' | 'embedding'>
  now: () => number
  userAgent: () => string
}

const TEST_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024

/** Asks the provider of a key for its list of models, with that key: it costs nothing. The result is kept with the key. */
export class KeyTester {
  readonly #o: TesterOptions

  constructor(options: TesterOptions) {
    this.#o = options
  }

  /** @throws AppError `not-found`. */
  async test(ref: string): Promise<TestResult> {
    const { keys } = this.#o
    const { index, ...key } = await keys.find(ref)
    const { valid, message } = await this.#ask(key)
    keys.tested(key.id, valid, message)
    return { index, id: key.id, valid, message }
  }

  /** One after the other: a provider that is asked with all keys at once may take that for an attack. */
  async testAll(): Promise<TestResult[]> {
    const results: TestResult[] = []
    for (const { id } of await this.#o.keys.list()) results.push(await this.test(id))
    return results
  }

  async #ask(key: Key): Promise<{ valid: boolean | null; message: Reason }> {
    const settings = this.#o.config()
    const address = addressOf(key.provider, settings)
    if (address === null) return { valid: null, message: because('key_no_embedding_server') }
    const host = URL.canParse(address) ? new URL(address).host : address
    try {
      const answer = await httpSend({
        ...question(key, address, settings.embedding.provider),
        userAgent: this.#o.userAgent(),
        maxBytes: MAX_BYTES,
        totalMs: TEST_MS
      })
      if (answer.status >= 200 && answer.status < 300)
        return { valid: true, message: because('key_accepted', { host }) }
      const refusal = refusalOf(answer, { host, key: key.value, now: this.#o.now() })
      if (refusal.kind === 'refused') return { valid: false, message: refusal.reason }
      // The provider knows whose limit it is: so it knows the key.
      if (refusal.kind === 'limited')
        return { valid: true, message: because('key_over_limit', { said: refusal.reason }) }
      return { valid: null, message: refusal.reason }
    } catch (error) {
      return { valid: null, message: failureOf(error).reason }
    }
  }
}

function question(
  { provider, value }: Pick<Key, 'provider' | 'value'>,
  address: string,
  embedding: KnowledgeConfig['embedding']['provider']
): Pick<SendRequest, 'url' | 'headers'> {
  if (provider === 'gemini') return { url: `${address}/v1beta/models?pageSize=1`, headers: keyHeaders(provider, value) }
  const path = provider === 'openai' || embedding === 'openai' ? '/models' : embedding === 'tei' ? '/info' : '/api/tags'
  return { url: `${address}${path}`, headers: keyHeaders(provider, value) }
}
