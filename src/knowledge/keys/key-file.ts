import { chmod, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../../platform/errors.ts'
import { errorCode, writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { type Key, keysIn } from './env-file.ts'

const FILE = 'keys.env'
const MODE = 0o600
const OTHERS = 0o077
const MAX_BYTES = 256 * 1024

interface Snapshot {
  /** Changes whenever the file does. */
  stamp: string
  text: string
  keys: readonly Key[]
}

const NOTHING: Snapshot = { stamp: '', text: '', keys: [] }

/**
 * `keys.env` of the data folder, readable by its owner only. Whoever edits it, the next question sees the change: it is
 * looked at each time, and read when it is another one.
 */
export class KeyFile {
  readonly path: string
  #seen: Snapshot = NOTHING
  #writing: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.path = join(folder, FILE)
  }

  /** The keys of now, in the order of the file. @throws AppError `unavailable` when it cannot be read. */
  async keys(): Promise<readonly Key[]> {
    return (await this.#refresh()).keys
  }

  /** Changes the text in one step; changes of this process wait for each other. @throws AppError `no-space`, `unavailable`. */
  change(edit: (text: string, keys: readonly Key[]) => string): Promise<readonly Key[]> {
    const done = this.#writing.then(async () => {
      const { text, keys } = await this.#refresh()
      const next = edit(text, keys)
      if (next !== text) await writeFileAtomic(this.path, next, { mode: MODE })
      return this.keys()
    })
    this.#writing = done.catch(() => undefined)
    return done
  }

  async #refresh(): Promise<Snapshot> {
    try {
      const stamp = await this.#stamp()
      if (stamp !== this.#seen.stamp) this.#seen = await this.#read(stamp)
      return this.#seen
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw unusable(error)
      this.#seen = NOTHING
      return NOTHING
    }
  }

  async #stamp(): Promise<string> {
    const { ino, ctimeNs, mtimeNs, size } = await stat(this.path, { bigint: true })
    if (size > MAX_BYTES) throw new AppError('unavailable', because('has_more_bytes', { limit: MAX_BYTES }))
    return [ino, ctimeNs, mtimeNs, size].join(' ')
  }

  /** Whoever wrote the file by hand may have left it open to all: it is closed, where we may do that. */
  async #read(stamp: string): Promise<Snapshot> {
    const text = await readFile(this.path, 'utf8')
    const { mode, uid } = await stat(this.path)
    const own = process.getuid?.() === uid
    if (own && (mode & OTHERS) !== 0) {
      await chmod(this.path, mode & ~OTHERS & 0o777)
      return { stamp: await this.#stamp(), text, keys: keysIn(text) }
    }
    return { stamp, text, keys: keysIn(text) }
  }
}

/** Without the folder: where the data lies is nobody's business on the network. */
function unusable(error: unknown): AppError {
  const said = errorText(error).replace(/'[^']*'/g, `'${basename(FILE)}'`)
  return new AppError(
    'unavailable',
    because('keys_file_unreadable', {
      file: FILE,
      why: error instanceof AppError ? error.reason : because('note', { text: said })
    }),
    { cause: error }
  )
}
