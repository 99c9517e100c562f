import type { KnowledgeConfig } from '../settings.ts'

/** The providers whose keys are kept: `GEMINI_KEY_1=…`, `OPENAI_KEY_1=…`, `EMBEDDING_KEY_1=…`. */
export const PROVIDERS = ['gemini', 'openai', 'embedding'] as const
export type Provider = (typeof PROVIDERS)[number]

export const PROVIDER_NAMES: Readonly<Record<Provider, string>> = {
  gemini: 'Gemini',
  openai: 'OpenAI or compatible',
  embedding: 'Embedding server'
}

export const OPENAI_URL = 'https://api.openai.com/v1'
export const GEMINI_URL = 'https://generativelanguage.googleapis.com'

type Settings = Pick<KnowledgeConfig, 'llm' | 'embedding'>

/**
 * The address that the keys of a provider are sent to: base address without a slash at its end, or null when nothing is
 * configured that uses them.
 */
export function addressOf(provider: Provider, { llm, embedding }: Settings): string | null {
  if (provider === 'embedding') {
    if (embedding.provider === 'hash') return null
    return withoutSlash(embedding.url) || (embedding.provider === 'openai' ? OPENAI_URL : null)
  }
  // The version is part of Gemini's paths, not of the base.
  const own = llm.provider === provider ? withoutSlash(llm.url).replace(/\/v1beta$/, '') : ''
  return own || (provider === 'gemini' ? GEMINI_URL : OPENAI_URL)
}

/**
 * The providers whose keys the embedding server is shown, in this order: its own; those of OpenAI only where it is the
 * very server they are for. A key never goes to a server its owner did not name for it.
 */
export function embeddingProviders(settings: Settings): Provider[] {
  const address = addressOf('embedding', settings)
  if (address === null || settings.embedding.provider !== 'openai') return ['embedding']
  const sameServer = originOf(address) === originOf(addressOf('openai', settings))
  return sameServer ? ['embedding', 'openai'] : ['embedding']
}

/** The headers that show a provider a key: never the address, which proxies and servers write down. */
export function keyHeaders(provider: Provider, key: string | null): Record<string, string> {
  if (key === null) return {}
  return provider === 'gemini' ? { 'x-goog-api-key': key } : { Authorization: `Bearer ${key}` }
}

/** A base address as paths are put behind it. */
export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

function originOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).origin : null
}
