import type { NewUpload, UploadStore } from '../../catalogue/uploads.ts'
import { DuplicateError, type Existing, type Receiver } from '../receive.ts'
import type { Intake } from '../take-page.ts'
import type { Bulk, BulkEntry } from './bulk.ts'
import type { BulkStore } from './store.ts'

interface Parts {
  receiver: Receiver
  store: BulkStore
  uploads: UploadStore
}

/**
 * The receiver as one entry of a list uses it. The hash stands in the entry before the file is placed, and the entry in the sidecar of the file:
 * so after a kill anywhere what was taken is known as taken, and neither taken again nor called a copy of itself. The same bytes twice in
 * one list are one try, also when they were rejected meanwhile.
 */
export function markedReceiver(
  bulk: Pick<Bulk, 'id'>,
  entry: Pick<BulkEntry, 'id'>,
  { receiver, store, uploads }: Parts
): Intake & Pick<Receiver, 'find'> {
  const find = async (hash: string): Promise<Existing | null> => {
    const existing = await receiver.find(hash)
    if (existing !== null || store.sameBytes(bulk.id, entry.id, hash) === null) return existing
    const upload = uploads.get(hash)
    const status = upload === null || upload.state === 'filed' ? 'duplicate' : upload.state
    return { hash, filename: upload?.filename ?? '', status, retryable: false }
  }
  return {
    get partsFolder() {
      return receiver.partsFolder
    },
    get settings() {
      return receiver.settings
    },
    store: (content, options) => receiver.store(content, options),
    drop: (part) => receiver.drop(part),
    find,
    async accept(part, facts, types): Promise<NewUpload> {
      const existing = await find(part.hash)
      if (existing !== null) throw new DuplicateError(existing)
      store.noteHash(entry.id, part.hash)
      return receiver.accept(part, { ...facts, more: { ...facts.more, bulk: bulk.id, bulk_entry: entry.id } }, types)
    }
  }
}

/** True when this entry has been taken in before the process ended. */
export function wasTaken(bulk: Pick<Bulk, 'id'>, entry: BulkEntry, uploads: UploadStore): boolean {
  const sidecar = entry.hash === null ? undefined : uploads.get(entry.hash)?.sidecar
  return sidecar !== undefined && sidecar['bulk'] === bulk.id && sidecar['bulk_entry'] === entry.id
}
