import { existsSync, rmSync } from 'node:fs'
import { open, stat, statfs, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { storageFaultOf } from '../database/storage-fault.ts'
import { errorCode } from './atomic-file.ts'

/** Its name in the data folder. */
export const RESERVE = 'reserve.bin'

const MIB = 1024 * 1024
/** The file grows by this many bytes at a time. */
const STEP_BYTES = MIB / 16
/** Some thousand events with their messages. Bytes. */
const MOST_BYTES = 16 * MIB
/** Of what is free the reserve takes no more than this part: a small disk keeps a small one. */
const SHARE = 1 / 16

/**
 * A file that holds nothing but room (contract §6): given back the moment the disk is full, so that whoever fills it stops the ledger
 * last. Made again when there is room.
 */
export class Reserve {
  readonly #path: string
  #keeping = false
  #released = false

  constructor(path: string) {
    this.#path = path
  }

  /** Makes it where it is missing, beside everything else. A disk that does not take it has none. */
  async keep(): Promise<void> {
    if (this.#keeping) return
    this.#keeping = true
    this.#released = false
    try {
      if (!(await this.#isThere())) await this.#fill(await this.#bytes())
    } catch (error) {
      if (storageFaultOf(error) === null) throw error
      this.release()
    } finally {
      this.#keeping = false
    }
  }

  /** Its room is free now. False: there was none. */
  release(): boolean {
    this.#released = true
    if (!existsSync(this.#path)) return false
    try {
      rmSync(this.#path)
      return true
    } catch (error) {
      if (storageFaultOf(error) === null) throw error
      return false
    }
  }

  async #isThere(): Promise<boolean> {
    try {
      return (await stat(this.#path)).size > 0
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
  }

  async #bytes(): Promise<number> {
    const { bavail, bsize } = await statfs(dirname(this.#path))
    return Math.min(MOST_BYTES, Math.floor((bavail * bsize * SHARE) / MIB) * MIB)
  }

  async #fill(bytes: number): Promise<void> {
    if (bytes === 0) return
    const file = await open(this.#path, 'w', 0o600)
    // One for all: a new one each time stays until the next large collection, 16 MB of them.
    const nothing = Buffer.alloc(STEP_BYTES)
    try {
      for (let at = 0; at < bytes && !this.#released; at += STEP_BYTES) await file.appendFile(nothing)
      await file.sync()
    } finally {
      await file.close()
      if (this.#released && existsSync(this.#path)) await unlink(this.#path)
    }
  }
}
