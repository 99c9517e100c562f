import { randomBytes, timingSafeEqual } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '../bytes/hash.ts'

/** In the data folder while the station runs, mode 0600: whoever may read it is the operator (contract §10). */
export const LOCAL_SECRET_FILE = 'local.token'

const BYTES = 32
const LONGEST = 128

/** The secret of one start: scripts on the machine present it as a bearer token where loopback alone gives no right. */
export class LocalSecret {
  readonly #path: string
  readonly #hash: Buffer
  readonly #text: string

  constructor(folder: string, random: (bytes: number) => Buffer = randomBytes) {
    this.#path = join(folder, LOCAL_SECRET_FILE)
    this.#text = `lookout_local_${random(BYTES).toString('base64url')}`
    this.#hash = digest(this.#text)
  }

  /** Writes the file in place of the one of the start before; it need not outlast a power cut. */
  async publish(): Promise<void> {
    await this.withdraw()
    await writeFile(this.#path, `${this.#text}\n`, { mode: 0o600, flag: 'wx' })
  }

  /** Removes the file, if there is one. */
  async withdraw(): Promise<void> {
    await rm(this.#path, { force: true })
  }

  matches(presented: string): boolean {
    return presented.length <= LONGEST && timingSafeEqual(digest(presented), this.#hash)
  }
}

function digest(text: string): Buffer {
  return Buffer.from(sha256Hex(text), 'hex')
}
