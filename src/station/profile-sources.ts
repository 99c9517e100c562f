import * as v from 'valibot'
import type { Profile } from '../settings/profile.ts'
import type { Config } from '../settings/schema.ts'
import { sourceName, sourceSchema } from '../warning/feeds/settings.ts'

/**
 * The configuration with the sources the profile switches on by itself: those whose kind it does not name (contract §12:
 * the configuration comes before the profile). The same object as long as the configuration is the same.
 */
export function withProfileSources(config: () => Config, { sources }: Pick<Profile, 'sources'>): () => Config {
  let known: { from: Config; made: Config } | null = null
  return () => {
    const from = config()
    if (known?.from !== from) known = { from, made: completed(from, sources) }
    return known.made
  }
}

function completed(config: Config, kinds: readonly string[]): Config {
  const missing = kinds.filter((kind) => config.sources.every((source) => source.kind !== kind))
  if (missing.length === 0) return config
  const names = new Set(config.sources.map(sourceName))
  // A source of another kind may have taken the name already: it keeps it.
  const added = missing.map((kind) =>
    v.parse(sourceSchema, { kind, ...(names.has(kind) ? { name: `own_${kind}` } : {}) })
  )
  return { ...config, sources: [...config.sources, ...added] }
}
