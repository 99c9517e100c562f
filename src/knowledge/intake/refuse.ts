import type { Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document } from '../catalogue/document.ts'
import type { UploadStore } from '../catalogue/uploads.ts'
import type { FileMoves } from './file-moves.ts'
import type { Shelver } from './shelve.ts'
import { rejectedFolder, type Workbench, workFolder } from './workbench.ts'

export interface RefusalParts {
  catalogue: Catalogue
  uploads: UploadStore
  moves: FileMoves
  shelver: Shelver
  bench: Workbench
  log: Pick<Log, 'warn'>
}

/**
 * Refuses a document whose file turned out to hold nothing, after it was filed: its file goes to `rejected/` and its record says why, as if
 * it had been refused at the door; the same file may come again. The files go first, the answer removes the rows. Null: it came without a
 * record, or has something that is searched. Repeatable with `takeBack`.
 */
function refusal(parts: RefusalParts): (doc: Document, reason: Reason) => Promise<(() => void) | null> {
  return async ({ id, hash, filename, path }, reason) => {
    const { catalogue, uploads, moves, shelver, bench, log } = parts
    const upload = uploads.get(hash)
    if (upload === null || path === null || catalogue.countItems(id) > 0) return null
    await shelver.unplace(id, upload.extension)
    await bench.putAside(hash)
    return () => {
      catalogue.removeRows(id)
      moves.forget(hash)
      uploads.put({ ...upload, state: 'rejected', reason })
      log.warn({ hash, filename, reason: sentenceOf(reason) }, 'a file cannot be taken in')
    }
  }
}

/** Both ends of it, for the job that reads files: `place` is that of the shelver. */
export function refusals(parts: RefusalParts): {
  place: (documentId: number) => Promise<void>
  refuse: ReturnType<typeof refusal>
} {
  const place = async (id: number): Promise<void> => {
    await takeBack(id, parts)
    await parts.shelver.place(id)
  }
  return { place, refuse: refusal(parts) }
}

/** Before another look at a document whose refusal a crash broke off: its files stand where its row says. */
async function takeBack(id: number, { catalogue, moves }: Pick<RefusalParts, 'catalogue' | 'moves'>): Promise<void> {
  const found = catalogue.byId(id)
  if (found === null || found.path?.startsWith(`${workFolder(found.hash)}/`) !== true) return
  if (!(await moves.exists(found.path))) await moves.bringFolder(rejectedFolder(found.hash), workFolder(found.hash))
}
