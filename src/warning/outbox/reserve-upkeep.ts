import type { Log } from '../../platform/log/log.ts'

/** Room that is given back when the disk is full. */
export interface LedgerReserve {
  keep: () => Promise<void>
  release: () => boolean
}

/** It is looked after at every so many looks at the file, and soon after the start. */
const EVERY = 24
const FIRST = 2

/** Keeps the reserve of the ledger, and says when it is used. */
export class ReserveUpkeep {
  readonly #reserve: LedgerReserve | undefined
  readonly #log: Pick<Log, 'error'>
  #looks = EVERY - FIRST

  constructor(reserve: LedgerReserve | undefined, log: Pick<Log, 'error'>) {
    this.#reserve = reserve
    this.#log = log
  }

  /** Nobody waits for it: it takes what the others leave. */
  look(): void {
    if (this.#reserve === undefined || ++this.#looks % EVERY !== 0) return
    this.#reserve
      .keep()
      .catch((error: unknown) => this.#log.error({ err: error }, 'the reserve of the disk could not be made'))
  }

  /** True: there is room again. */
  release(): boolean {
    if (this.#reserve?.release() !== true) return false
    this.#log.error('the disk of the data folder is full: its reserve is given to the ledger. Free some space soon')
    return true
  }
}
