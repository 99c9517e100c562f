import type { CoreSetup } from '../cli/verb.ts'
import type { StorageFault } from '../platform/database/storage-fault.ts'
import type { NewText } from '../warning/outbox/delivery.ts'
import type { Ledger } from '../warning/outbox/ledger.ts'
import { LedgerStorage, type ToldFromMemory } from '../warning/outbox/storage.ts'
import type { StorageFact } from '../warning/readiness/facts.ts'
import { StorageNews } from './storage-news.ts'

/** The fault of the disk, as readiness names it (contract §13). */
const CODES: Readonly<Record<StorageFault, StorageFact['code']>> = {
  full: 'disk_full',
  io: 'io_error',
  read_only: 'read_only',
  gone: 'folder_gone',
  damaged: 'damaged'
}

interface Station {
  storedAgain: (told: readonly ToldFromMemory[]) => void
  addText: (text: NewText) => void
  readonly ledger: Pick<Ledger, 'fact' | 'setFact'>
}

/** The ledger's storage, which tells readiness and the operator when it fails and when it works again. */
export function openStorage(setup: CoreSetup, station: () => Station): Promise<LedgerStorage> {
  const { databasePath, clock, log, report, config, transmit, salvage, reserve, probe, mayStore } = setup
  const news = new StorageNews({
    config,
    clock,
    send: (text) => station().addText(text),
    facts: () => station().ledger
  })
  return LedgerStorage.open({
    path: databasePath,
    clock,
    log,
    onFailed: (fault) => {
      report?.storageFailed(CODES[fault], { at: clock.now() })
      if (transmit) news.failed(fault)
    },
    onReturned: (told) => {
      report?.written(clock.now())
      station().storedAgain(told)
      setup.onDiskBack?.()
      if (transmit) news.returned()
    },
    onClosed: () => news.stop(),
    ...(reserve === undefined ? {} : { reserve }),
    ...(probe === undefined ? {} : { probe }),
    ...(salvage === undefined ? {} : { salvage }),
    ...(mayStore === undefined ? {} : { mayStore })
  })
}
