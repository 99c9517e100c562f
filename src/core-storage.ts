import type { CoreSetup } from './cli/verb.ts'
import type { StorageFault } from './lib/storage-fault.ts'
import { LedgerStorage, type ToldFromMemory } from './outbox/storage.ts'
import type { StorageFact } from './readiness/facts.ts'

/** What the disk suffers from, as readiness names it (contract §13). */
const CODES: Readonly<Record<StorageFault, StorageFact['code']>> = {
  full: 'disk_full',
  io: 'io_error',
  read_only: 'read_only',
  gone: 'folder_gone',
  damaged: 'damaged'
}

/** The ledger's storage, which tells readiness when it fails and when it works again. */
export function openStorage(
  { databasePath, clock, log, report }: CoreSetup,
  onReturned: (told: readonly ToldFromMemory[]) => void
): Promise<LedgerStorage> {
  return LedgerStorage.open({
    path: databasePath,
    clock,
    log,
    onFailed: (fault) => report?.storageFailed(CODES[fault], { at: clock.now() }),
    onReturned: (told) => {
      report?.written(clock.now())
      onReturned(told)
    }
  })
}
