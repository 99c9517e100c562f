import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { FEEDS } from './settings.ts'
import type { PushKind, SourceKind } from './source.ts'

/** Called when a source of a kind is configured, never otherwise. */
const LOADERS = new Map<string, () => Promise<SourceKind | PushKind>>(
  FEEDS.flatMap(({ schema, load }) => (load === undefined ? [] : [[schema.entries.kind.literal, load]]))
)

/** The reader of a kind. @throws AppError `bad-input` naming the known kinds. */
export async function kindOf(kind: string): Promise<SourceKind | PushKind> {
  const load = LOADERS.get(kind)
  if (load === undefined)
    throw new AppError('bad-input', because('no_kind_of_source', { kind, known: [...LOADERS.keys()] }))
  return load()
}
