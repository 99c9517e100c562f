import type { CallerOptions } from '../../keys/keyed-call.ts'
import { addressOf } from '../../keys/providers.ts'
import type { KnowledgeConfig } from '../../settings.ts'
import { GeminiModel } from './gemini.ts'
import type { LanguageModel } from './model.ts'
import { OpenAiModel } from './openai.ts'

/** Small and cheap, with structured output; `knowledge.llm.model` names another one. docs/keys.md tells of them. */
const DEFAULT_MODELS = { gemini: 'gemini-3.5-flash-lite', openai: 'gpt-5.6-luna' } as const
const ANSWER_MS = 180_000

export interface ModelOptions extends CallerOptions {
  config: () => Pick<KnowledgeConfig, 'llm' | 'embedding'>
  userAgent: () => string
  /** Longest time for one answer, milliseconds; default 3 minutes. */
  answerMs?: number
}

/**
 * The language model of the configuration of now, or null when there is none: ask for it at each use. The same object
 * comes back until the settings change, so that what was learned of its server is kept.
 */
export function modelSupply(options: ModelOptions): () => LanguageModel | null {
  let made: { settings: string; model: LanguageModel | null } | null = null
  return () => {
    const config = options.config()
    const settings = JSON.stringify(config.llm)
    if (made?.settings !== settings) made = { settings, model: createModel(config, options) }
    return made.model
  }
}

function createModel(config: ReturnType<ModelOptions['config']>, options: ModelOptions): LanguageModel | null {
  const { provider, model } = config.llm
  if (provider === 'none') return null
  const url = addressOf(provider, config)
  if (url === null || !URL.canParse(url)) return null
  const { keys, clock, random, userAgent, answerMs = ANSWER_MS } = options
  const client = { keys, clock, random, userAgent, answerMs, url, model: model.trim() || DEFAULT_MODELS[provider] }
  return provider === 'gemini' ? new GeminiModel(client) : new OpenAiModel(client)
}
