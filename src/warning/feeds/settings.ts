import * as v from 'valibot'
import type { FirstSteps, NamedSettings } from './definition.ts'
import * as registry from './registry.ts'

/** Every kind of source, by the names of the registry in their order. */
export const FEEDS = Object.values(registry)

/** A kind as it can be told without loading its reader. */
export interface KnownKind {
  kind: string
  mode: 'poll' | 'push'
  title: string
  /** One sentence. */
  about: string
}

export const KNOWN_KINDS: readonly KnownKind[] = FEEDS.map(({ schema }) => ({
  kind: schema.entries.kind.literal,
  mode: 'interval_seconds' in schema.entries ? 'poll' : 'push',
  title: v.getTitle(schema) ?? schema.entries.kind.literal,
  about: v.getDescription(schema) ?? v.getTitle(schema) ?? ''
}))

const KINDS_TEXT = KNOWN_KINDS.map(({ kind }) => kind).join(', ')

export const sourceSchema = v.variant(
  'kind',
  FEEDS.map(({ schema }) => schema),
  `a source names its kind: one of ${KINDS_TEXT}`
)

export const sourcesSchema = v.pipe(
  v.optional(
    v.pipe(
      v.array(sourceSchema),
      v.check(
        (sources) => new Set(sources.map(sourceName)).size === sources.length,
        'names of sources must differ: give all but one of a kind a name'
      )
    ),
    []
  ),
  v.description('What is listened to. All off until named here.')
)

export type SourceConfig = v.InferOutput<typeof sourceSchema>

/** The `source` of its events: its name, else its kind. */
export function sourceName({ name, kind }: { name?: string; kind: string }): string {
  return name ?? kind
}

export type { NamedSettings }

/** A kind as the first steps offer it. */
export interface OfferedKind extends FirstSteps {
  kind: string
}

/** Kinds that the first steps offer: those of some countries first, in the order of the registry, then the worldwide ones. */
export const OFFERED_KINDS: readonly OfferedKind[] = FEEDS.flatMap(({ firstSteps, schema }): OfferedKind[] =>
  firstSteps === undefined ? [] : [{ kind: schema.entries.kind.literal, ...firstSteps }]
).sort((a, b) => rankOf(a) - rankOf(b))

/** All sources of a kind that has several in a country, of every country; none of another kind. */
export function namedIn({ services = {} }: FirstSteps): NamedSettings[] {
  return Object.values(services).flat()
}

function rankOf({ national, countries }: FirstSteps): number {
  if (national) return 0
  return countries === undefined ? 2 : 1
}

const CODED_KINDS = new Set<string>(FEEDS.flatMap(({ coded, schema }) => (coded ? [schema.entries.kind.literal] : [])))

/** True when events of this kind name places by the codes of the US weather service. */
export function namesCodes(kind: string): boolean {
  return CODED_KINDS.has(kind)
}
