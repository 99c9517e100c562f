import type { CallerOptions } from '../../keys/keyed-call.ts'
import { embeddingProviders, OPENAI_URL, withoutSlash } from '../../keys/providers.ts'
import type { KnowledgeConfig } from '../../settings.ts'
import type { Embedder } from './embedder.ts'
import { hashEmbedder } from './hash.ts'
import { ollamaEmbeddings } from './ollama.ts'
import { openAiEmbeddings } from './openai.ts'
import { type EmbeddingProtocol, RemoteEmbedder } from './remote.ts'
import { StaticEmbedder } from './static.ts'
import { teiEmbeddings } from './tei.ts'

/** Small models; `knowledge.embedding.model` names another one. Addresses are those the servers have when nothing is set. */
const REMOTE: Readonly<
  Record<'openai' | 'ollama' | 'tei', { protocol: EmbeddingProtocol; url: string; model: string }>
> = {
  openai: { protocol: openAiEmbeddings, url: OPENAI_URL, model: 'text-embedding-3-small' },
  ollama: { protocol: ollamaEmbeddings, url: 'http://127.0.0.1:11434', model: 'nomic-embed-text' },
  tei: { protocol: teiEmbeddings, url: 'http://127.0.0.1:8080', model: '' }
}
const ANSWER_MS = 120_000
/** In the data folder: the owner's models, each a folder of its own. */
export const MODEL_FOLDER = 'models'

export interface EmbedderOptions extends CallerOptions {
  config: () => Pick<KnowledgeConfig, 'llm' | 'embedding'>
  userAgent: () => string
  /** The folder of models of the owner, each a folder of its own. */
  models: string
  /** Longest time for one answer, milliseconds; default 2 minutes. */
  answerMs?: number
}

/**
 * The embedder of the configuration of now: ask for it at each use. The same object comes back until the settings change,
 * so that what was learned of its server is kept.
 */
export function embedderSupply(options: EmbedderOptions): () => Embedder {
  let made: { settings: string; embedder: Embedder } | null = null
  return () => {
    const config = options.config()
    const settings = JSON.stringify([config.embedding, config.llm.url, config.llm.provider])
    if (made?.settings !== settings) made = { settings, embedder: createEmbedder(config, options) }
    return made.embedder
  }
}

function createEmbedder(config: ReturnType<EmbedderOptions['config']>, options: EmbedderOptions): Embedder {
  const { provider, url: configured, model } = config.embedding
  if (provider === 'hash') return hashEmbedder
  if (provider === 'static') return new StaticEmbedder(options.models, model)
  const defaults = REMOTE[provider]
  const url = withoutSlash(configured) || defaults.url
  const { keys, clock, random, userAgent, answerMs = ANSWER_MS } = options
  return new RemoteEmbedder(defaults.protocol, {
    keys,
    clock,
    random,
    userAgent,
    answerMs,
    url,
    model: provider === 'tei' ? '' : model.trim() || defaults.model,
    providers: embeddingProviders(config),
    keyless: url !== OPENAI_URL
  })
}
