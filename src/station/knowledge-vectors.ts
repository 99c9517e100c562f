import type { SearchIndex } from '../knowledge/search/index-store.ts'
import type { VectorStore } from '../knowledge/search/ports.ts'
import { QdrantVectors } from '../knowledge/search/qdrant.ts'
import { AppError } from '../platform/errors.ts'
import type { Config } from '../settings/schema.ts'
import { userAgent } from '../warning/feeds/polling/user-agent.ts'

/** Where vectors are kept, by the configuration. */
export function vectorStoreOf({ knowledge, station }: Config, index: SearchIndex, version: string): VectorStore {
  const { kind, url } = knowledge.vector_store
  if (kind === 'built-in') return index.vectors
  if (url === '')
    throw new AppError('config-refused', 'knowledge.vector_store is qdrant, but knowledge.vector_store.url is not set')
  return new QdrantVectors({ url: url.replace(/\/$/, ''), userAgent: () => userAgent(version, station.contact) })
}
