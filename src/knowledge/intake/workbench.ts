import { dirname } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { syncFolder } from '../../platform/files/atomic-file.ts'
import type { Upload } from '../catalogue/document.ts'
import { intakeFolderOf } from './arrival.ts'
import { type FileMoves, type IntakeFileSystem, intakeFileSystem, moveWhole } from './file-moves.ts'
import { REJECTED } from './rejected.ts'
import { TRANSCRIPT_TYPES, UPLOAD_TYPES } from './upload-type.ts'

/** The folder of a file while it is worked on, relative to the data folder. */
export const workFolder = (hash: string): string => `processing/${hash}`
/** The folder in which a refused file is kept. */
export const rejectedFolder = (hash: string): string => `${REJECTED}/${hash}`
export const SIDECAR = 'sidecar.meta.json'
export const CONVERTED = 'converted.pdf'

/**
 * The folders of one file on its way: `acquired/…` → `processing/<hash>/` → the shelf or `rejected/<hash>/`. Every step may be
 * repeated after a crash; the bytes are checked against their hash, and none are removed while no other copy is known good.
 */
export class Workbench {
  readonly #moves: FileMoves
  readonly #fs: IntakeFileSystem

  constructor({ moves, fs = intakeFileSystem }: { moves: FileMoves; fs?: IntakeFileSystem }) {
    this.#moves = moves
    this.#fs = fs
  }

  absolute(path: string): string {
    return this.#moves.absolute(path)
  }

  /**
   * Brings the file to `processing/<hash>/source.<ext>`, its sidecar first, and answers that path. @throws AppError
   * `not-found` when it is nowhere, `bad-input` when its bytes are not those that arrived.
   */
  async bringIn(upload: Upload): Promise<string> {
    const { hash, extension } = upload
    const work = workFolder(hash)
    const source = `${work}/source${extension}`
    const arrived = arrivalPath(upload)
    await this.#moves.makeFolder(this.absolute(work))
    await this.#take(`${dirname(arrived)}/${hash}.meta.json`, `${work}/${SIDECAR}`)
    const isGood = await this.#isIntact(source, hash)
    if (isGood) await this.#remove(arrived)
    else if (!(await this.#take(arrived, source)))
      await this.#take(`${rejectedFolder(hash)}/source${extension}`, source)
    if (!(await this.#moves.exists(source))) throw new AppError('not-found', because('intake_file_gone'))
    if (!isGood && !(await this.#isIntact(source, hash)))
      throw new AppError('bad-input', because('intake_bytes_changed'))
    return source
  }

  /** Room for what is made on the way; what an earlier run left there is removed. */
  async freshFolder(hash: string): Promise<string> {
    const path = `${workFolder(hash)}/work`
    await this.#fs.rm(this.absolute(path), { recursive: true, force: true })
    await this.#fs.rm(this.absolute(`${workFolder(hash)}/${CONVERTED}`), { force: true })
    await this.#moves.makeFolder(this.absolute(path))
    return path
  }

  /** Moves what a converter has made to its place. */
  async takePdf(made: string, path: string): Promise<void> {
    await this.#fs.rename(made, this.absolute(path))
    await syncFolder(dirname(this.absolute(path)), this.#fs)
  }

  /** The whole work folder goes to `rejected/<hash>/`, in place of what lies there: it is the same file. */
  async putAside(hash: string): Promise<void> {
    const [from, to] = [workFolder(hash), rejectedFolder(hash)]
    if (!(await this.#moves.exists(from))) return
    await this.#fs.rm(this.absolute(`${from}/work`), { recursive: true, force: true })
    await this.#fs.rm(this.absolute(to), { recursive: true, force: true })
    await this.#moves.makeFolder(dirname(this.absolute(to)))
    await this.#fs.rename(this.absolute(from), this.absolute(to))
    await syncFolder(dirname(this.absolute(to)), this.#fs)
  }

  /** Removes what is left of a file whose bytes stand on the shelf. */
  async clear(hash: string): Promise<void> {
    await this.#fs.rm(this.absolute(workFolder(hash)), { recursive: true, force: true })
    await this.#fs.rm(this.absolute(rejectedFolder(hash)), { recursive: true, force: true })
  }

  /** Removes what was made on the way to a document that stays in its work folder. */
  async clearWork(hash: string): Promise<void> {
    await this.#fs.rm(this.absolute(`${workFolder(hash)}/work`), { recursive: true, force: true })
  }

  /** A second copy of a file that is in the catalogue: dropped when the first one is there, else kept aside. */
  async dropArrival(upload: Upload, isKept: boolean): Promise<void> {
    const arrived = arrivalPath(upload)
    const sidecar = `${dirname(arrived)}/${upload.hash}.meta.json`
    const aside = rejectedFolder(upload.hash)
    if (isKept) {
      await this.#remove(arrived)
      await this.#remove(sidecar)
      return
    }
    await this.#moves.makeFolder(this.absolute(aside))
    await this.#take(sidecar, `${aside}/${SIDECAR}`)
    await this.#take(arrived, `${aside}/source${upload.extension}`)
  }

  exists(path: string): Promise<boolean> {
    return this.#moves.exists(path)
  }

  async sizeOf(path: string): Promise<number> {
    return (await this.#fs.stat(this.absolute(path))).size
  }

  hashOf(path: string): Promise<string> {
    return this.#fs.hashFile(this.absolute(path))
  }

  async #isIntact(path: string, hash: string): Promise<boolean> {
    return (await this.#moves.exists(path)) && (await this.hashOf(path)) === hash
  }

  async #take(from: string, to: string): Promise<boolean> {
    if (!(await this.#moves.exists(from))) return false
    const target = this.absolute(to)
    await moveWhole(this.#fs, this.absolute(from), target, `${target}.part`)
    await syncFolder(dirname(target), this.#fs)
    return true
  }

  async #remove(path: string): Promise<void> {
    await this.#fs.rm(this.absolute(path), { force: true })
  }
}

/** The path of a file that has just arrived. */
function arrivalPath({ hash, extension }: Upload): string {
  const type = [...UPLOAD_TYPES, ...TRANSCRIPT_TYPES].find((known) => known === extension)
  if (type === undefined) throw new AppError('unsupported', because('type_not_taken', { extension }))
  return `acquired/${intakeFolderOf(type)}/${hash}${extension}`
}
