import type { Clock } from '../../platform/clock/clock.ts'
import type { StorageFault } from '../../platform/database/storage-fault.ts'
import type { Log } from '../../platform/log/log.ts'
import type { ToldFromMemory } from './memory-copy.ts'
import type { LedgerReserve } from './reserve-upkeep.ts'
import type { Salvage } from './salvage.ts'

/** The storage of the ledger is made with these. */
export interface StorageOptions {
  /** A file path, or `:memory:`, which cannot fail. */
  path: string
  clock: Clock
  log: Pick<Log, 'error' | 'warn'>
  /** Nothing durable can be written from now on. */
  onFailed: (fault: StorageFault) => void
  /** Storing works again, and what was told meanwhile is written down. */
  onReturned: (told: readonly ToldFromMemory[]) => void
  onClosed?: () => void
  /** Another process where there are radios to be kept waiting; by default here, in slices. */
  salvage?: Salvage
  /** Room that is given back when the disk is full. */
  reserve?: LedgerReserve
  /** True when the disk works again; asked by something small and beside the radios. */
  probe?: () => Promise<boolean>
  /** True when this process, and no other, may write in the folder; asked before the file is used again. */
  mayStore?: () => boolean
}
