/** A JSON Schema (draft 2020-12), as far as servers understand it: type, properties, required, items, enum, limits. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Completion {
  /** The role that the model is to play and what it must keep to. */
  system: string
  prompt: string
  /** The answer is to be JSON of this shape. A server that cannot be told so gets it in words: check what comes. */
  schema?: JsonSchema
  /** Most tokens of the answer. */
  maxTokens: number
  signal: AbortSignal
}

/** Somebody who writes text: a port, whoever answers. */
export interface LanguageModel {
  /** `gemini gemini-3.5-flash-lite`: stored beside what it wrote. */
  readonly name: string
  /**
   * The text of the answer, never empty. The same request moves on to the next healthy key by itself.
   * @throws ProviderError (keys/provider-error.ts), always.
   */
  complete(request: Completion): Promise<string>
}
