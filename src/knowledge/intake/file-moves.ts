import { copyFile, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { because } from '../../model/reason.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors.ts'
import { errorCode, syncFolder } from '../../platform/files/atomic-file.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import { hashFile } from './parts.ts'

/** The calls that move files; tests pass one that fails at a chosen step. */
export const intakeFileSystem = { copyFile, mkdir, open, readdir, rename, rm, stat, unlink, hashFile }
export type IntakeFileSystem = typeof intakeFileSystem

/** One file of the document `hash`; paths are relative to the data folder. */
export interface FileMove {
  id: number
  hash: string
  from: string
  to: string
}

interface Parts {
  db: Database
  /** The data folder. */
  folder: string
  now: () => number
  fs?: IntakeFileSystem
}

/**
 * Journalled moves (R8): a row says what is about to move, then the file moves, then the row is done. A crash in between is
 * finished or undone from the row; every step may be repeated. Nothing is ever overwritten and nothing leaves the data folder.
 */
export class FileMoves {
  readonly #db: Database
  readonly #folder: string
  readonly #now: () => number
  readonly #fs: IntakeFileSystem

  constructor({ db, folder, now, fs = intakeFileSystem }: Parts) {
    this.#db = db
    this.#folder = folder
    this.#now = now
    this.#fs = fs
  }

  /** Joins the caller's transaction. @throws AppError `bad-input` when a path would leave the data folder. */
  plan(hash: string, moves: readonly { from: string; to: string }[]): void {
    for (const { from, to } of moves) {
      this.absolute(from)
      this.absolute(to)
      this.#db
        .sql("INSERT INTO file_moves (hash, from_path, to_path, state, at) VALUES (?, ?, ?, 'planned', ?)")
        .run(hash, from, to, this.#now())
    }
  }

  planned(hash: string | null = null): FileMove[] {
    return this.#db
      .sql("SELECT * FROM file_moves WHERE state = 'planned' AND (?1 IS NULL OR hash = ?1) ORDER BY id")
      .all(hash)
      .map(moveFromRow)
  }

  /** The planned moves of this document are made; their rows stay planned until `done`. */
  async carryOut(hash: string): Promise<void> {
    for (const { id, from, to } of this.planned(hash)) {
      await this.#move(id, from, to)
      await this.#fs.rm(this.#temporary(id, to), { force: true })
    }
  }

  /** Joins the caller's transaction, which also stores what the moves were for. */
  done(hash: string): void {
    this.#db
      .sql("UPDATE file_moves SET state = 'done', at = ? WHERE hash = ? AND state = 'planned'")
      .run(this.#now(), hash)
  }

  /** Every planned move of this document is taken back: the files are where they were, the rows are gone. */
  async undo(hash: string): Promise<void> {
    for (const { id, from, to } of this.planned(hash).reverse()) {
      if (await this.exists(to)) await this.#moveBack(id, from, to)
      await this.#fs.rm(this.#temporary(id, to), { force: true })
      this.#db.sql('DELETE FROM file_moves WHERE id = ?').run(id)
    }
  }

  /** The journal of a document that is gone. Joins the caller's transaction. */
  forget(hash: string): void {
    this.#db.sql('DELETE FROM file_moves WHERE hash = ?').run(hash)
  }

  /** A whole folder, to a place where there is none or an empty one. Nothing happens when it is not there. */
  async bringFolder(from: string, to: string): Promise<void> {
    if (!(await this.exists(from))) return
    await this.makeFolder(dirname(this.absolute(to)))
    await this.#fs.rename(this.absolute(from), this.absolute(to))
    await syncFolder(dirname(this.absolute(to)), this.#fs)
  }

  /** With all that is in it. */
  async removeFolder(path: string): Promise<void> {
    await this.#fs.rm(this.absolute(path), { recursive: true, force: true })
  }

  async exists(path: string): Promise<boolean> {
    try {
      await this.#fs.stat(this.absolute(path))
      return true
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false
      throw error
    }
  }

  /** An absolute path in the data folder, which itself is never made. */
  makeFolder(path: string): Promise<void> {
    return makeBelow(this.#folder, path, this.#fs)
  }

  /** @throws AppError `bad-input` when the path would leave the data folder. */
  absolute(path: string): string {
    const whole = resolve(this.#folder, path)
    const inner = relative(this.#folder, whole)
    if (inner === '' || inner === '..' || inner.startsWith(`..${sep}`) || resolve(inner) === inner)
      throw new AppError('bad-input', because('path_leaves_folder', { path }))
    return whole
  }

  #temporary(id: number, to: string): string {
    return join(dirname(this.absolute(to)), `.moving-${id}`)
  }

  async #move(id: number, from: string, to: string): Promise<void> {
    const [source, target] = [this.absolute(from), this.absolute(to)]
    const [here, there] = [await this.exists(from), await this.exists(to)]
    if (!here && there) return
    if (!here) throw new AppError('not-found', because('file_gone', { path: from }))
    if (there) {
      // Only a crash between the copy and the removal of the source leaves the same bytes at both places.
      if (!(await this.#areSame(source, target)))
        throw new AppError('conflict', because('other_file_in_place', { path: to }))
      await this.#fs.unlink(source)
      return
    }
    await makeBelow(this.#folder, dirname(target), this.#fs)
    await moveWhole(this.#fs, source, target, this.#temporary(id, to))
    await syncFolder(dirname(target), this.#fs)
    await syncFolder(dirname(source), this.#fs)
  }

  /** The file at the new place goes where both stand, if it is the same. */
  async #moveBack(id: number, from: string, to: string): Promise<void> {
    if (!(await this.exists(from))) await this.#move(id, to, from)
    else if (await this.#areSame(this.absolute(from), this.absolute(to))) await this.#fs.unlink(this.absolute(to))
  }

  async #areSame(a: string, b: string): Promise<boolean> {
    const [one, other] = [await this.#fs.stat(a), await this.#fs.stat(b)]
    return one.size === other.size && (await this.#fs.hashFile(a)) === (await this.#fs.hashFile(b))
  }
}

/** A whole file from one place to another, also on another file system: the copy is on the disk before the source goes. */
export async function moveWhole(
  fs: IntakeFileSystem,
  source: string,
  target: string,
  temporary: string
): Promise<void> {
  try {
    await fs.rename(source, target)
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error
    await fs.copyFile(source, temporary)
    const handle = await fs.open(temporary, 'r+')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    await fs.rename(temporary, target)
    await syncFolder(dirname(target), fs)
    await fs.unlink(source)
  }
}

function moveFromRow(row: Row): FileMove {
  return {
    id: Number(row['id']),
    hash: String(row['hash']),
    from: String(row['from_path']),
    to: String(row['to_path'])
  }
}
