import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../platform/database/database.ts'
import type { Document } from '../catalogue/document.ts'
import { articleUrl } from './citation.ts'

/**
 * For the search: where the article of a document opens, given the base of the links; null when its archive is not served,
 * then it opens in the dashboard. Of two files of one archive the server has the older source, and none in parts (see
 * `manifestOf`). `folder`: where archives lie.
 */
export function wikiLinks(
  db: Database,
  folder: string
): (document: Pick<Document, 'sourceId' | 'url'>, wikiUrl: string) => string | null {
  return ({ sourceId, url }, wikiUrl) => {
    if (sourceId === null || url === null) return null
    const row = db
      .sql(
        `SELECT filename FROM library_sources
         WHERE uuid = (SELECT uuid FROM library_sources WHERE id = ? AND state = 'present') AND state = 'present'
         ORDER BY id LIMIT 1`
      )
      .get(sourceId)
    const filename = String(row?.['filename'] ?? '')
    return filename === '' || !existsSync(join(folder, filename)) ? null : articleUrl(wikiUrl, filename, url)
  }
}
