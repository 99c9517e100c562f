import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from '../database/storage-fault.ts'

/** The file that a station holds in its data folder for as long as it runs. */
export const LOCK_FILE = 'lookout.lock'

/**
 * The data folder as this part met it: a running station's holds a lock. Where that is gone something else stands at the path, most
 * often the empty folder below a disk that was pulled, and nothing may be begun there.
 */
export class KnownFolder {
  readonly #lock: string
  readonly #held: boolean

  constructor(folder: string) {
    this.#lock = join(folder, LOCK_FILE)
    this.#held = existsSync(this.#lock)
  }

  /** @throws StorageError `gone`. */
  demand(): void {
    if (this.#held && !existsSync(this.#lock)) throw new StorageError('gone')
  }
}
