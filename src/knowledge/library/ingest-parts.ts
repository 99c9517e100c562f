import type { Clock } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ArchiveArticles } from './archive-articles.ts'
import type { ArchiveReader } from './archive-reader.ts'
import type { LibrarySources } from './sources.ts'

export interface IngestParts {
  sources: LibrarySources
  catalogue: Catalogue
  articles: ArchiveArticles
  reader: ArchiveReader
  /** Absolute: where the archives lie. */
  folder: string
  /** @throws AppError `no-space` when the disk is fuller than it may be. */
  checkSpace: () => Promise<void>
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}
