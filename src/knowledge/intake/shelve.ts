import { because } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError, errorText } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document, Domain, Metadata } from '../catalogue/document.ts'
import type { FileMoves } from './file-moves.ts'
import { SHELF, shelfFolder, shelfName } from './shelf-path.ts'

/** Digits of the hash that tell two documents of one name apart: as few as will do. */
const SUFFIX_DIGITS = [0, 6, 12, 64]
/** Endings of what may stand on the shelf; the files of one document differ in nothing else. */
const ENDINGS = ['.pdf', '.txt', '.epub', '.mobi', '.doc', '.docx', '.vtt', '.srt', '.html'] as const

/** A document that is to be filed. */
export interface Shelving {
  hash: string
  domain: string
  metadata: Metadata
  /** The place of its files now, relative to the data folder; the first is the one that citations open. */
  files: readonly { from: string; extension: string }[]
}

interface Parts {
  db: Database
  catalogue: Catalogue
  moves: FileMoves
  log: Pick<Log, 'warn'>
}

/**
 * Files documents under readable names: `library/<Domain>/<Title — Author (Year)>.<ext>`, the uploaded original beside the PDF
 * that was made of it. A name is one document's, whatever its case and ending; the hash tells namesakes apart.
 */
export class Shelver {
  readonly #db: Database
  readonly #catalogue: Catalogue
  readonly #moves: FileMoves
  readonly #log: Pick<Log, 'warn'>

  constructor({ db, catalogue, moves, log }: Parts) {
    this.#db = db
    this.#catalogue = catalogue
    this.#moves = moves
    this.#log = log
  }

  /**
   * Moves the files of a document that has no row yet. They are taken back by `undo` unless `moves.done` is stored with the
   * row. Answers the path of the first file.
   */
  async shelve(shelving: Shelving): Promise<string> {
    const path = await this.#plan(shelving, () => undefined)
    await this.#moves.carryOut(shelving.hash)
    return path
  }

  /** Somebody has decided where a document belongs: the row at once, then its files. Nothing happens to one that is gone. */
  async decideDomain(id: number, domain: Domain): Promise<void> {
    const found = this.#catalogue.byId(id)
    if (found === null) return
    const isFiled = found.path?.startsWith(`${SHELF}/`) === true
    if (isFiled && !found.path?.startsWith(`${shelfFolder(domain)}/`)) {
      await this.#refile(found, domain, (path) => {
        this.#catalogue.decideDomain(id, domain)
        this.#catalogue.update(id, { path })
      })
    } else this.#catalogue.decideDomain(id, domain)
  }

  /** A document that was kept back as a probable copy and stays: it goes to the shelf. Any other is left alone. */
  async place(id: number): Promise<void> {
    const found = this.#catalogue.byId(id)
    if (found === null) return
    await this.finish(found.hash)
    if (found.path?.startsWith('processing/') !== true) return
    await this.#refile(found, found.domain, (path) => this.#catalogue.update(id, { path }))
    await this.#moves.removeFolder(`processing/${found.hash}`)
  }

  /** The reverse of `place`: the files of a document that is to be refused stand in its work folder again, the uploaded one as `source`. */
  async unplace(id: number, extension: string): Promise<void> {
    const found = this.#catalogue.byId(id)
    if (found === null) return
    await this.finish(found.hash)
    if (found.path?.startsWith(`${SHELF}/`) !== true) return
    const work = `processing/${found.hash}`
    const to = (file: { extension: string }): string =>
      file.extension === extension ? `${work}/source${extension}` : `${work}/converted${file.extension}`
    const files = await this.filesOf(found)
    this.#db.transaction(() => {
      this.#moves.plan(
        found.hash,
        files.map((file) => ({ from: file.path, to: to(file) }))
      )
      this.#catalogue.update(id, { path: to({ extension: extensionOf(found.path ?? '') }) })
    })
    await this.finish(found.hash)
  }

  /** Moves of a filed document that a crash left open. */
  async finish(hash: string): Promise<void> {
    if (this.#moves.planned(hash).length === 0) return
    await this.#moves.carryOut(hash)
    this.#moves.done(hash)
  }

  /** At start: moves of documents that have a row are finished, others taken back. One that fails does not stop the rest. */
  async recover(): Promise<void> {
    for (const hash of new Set(this.#moves.planned().map((move) => move.hash))) {
      try {
        if (this.#catalogue.byHash(hash) === null) await this.#moves.undo(hash)
        else await this.finish(hash)
      } catch (error) {
        this.#log.warn({ err: error, hash }, `a file could not be put in its place: ${errorText(error)}`)
      }
    }
  }

  /** Every file of a document that has a path, relative to the data folder; those that are not there are left out. */
  async filesOf({ hash, path }: Pick<Document, 'hash' | 'path'>): Promise<{ path: string; extension: string }[]> {
    if (path === null) return []
    const isFiled = path.startsWith(`${SHELF}/`)
    const names = isFiled ? [stemOf(path)] : [`processing/${hash}/source`, `processing/${hash}/converted`]
    const found: { path: string; extension: string }[] = []
    for (const name of names) {
      for (const extension of ENDINGS) {
        if (await this.#moves.exists(`${name}${extension}`)) found.push({ path: `${name}${extension}`, extension })
      }
    }
    return found.sort((a, b) => Number(b.path === path) - Number(a.path === path))
  }

  async #refile(found: Document, domain: string, store: (path: string) => void): Promise<void> {
    const files = await this.filesOf(found)
    const [first] = files
    if (first === undefined || first.path !== found.path)
      throw new AppError('not-found', because('file_gone_from', { filename: found.filename, path: found.path ?? '' }))
    const { hash, title, author, edition, year } = found
    const metadata = { title, author, edition, year }
    await this.#plan(
      { hash, domain, metadata, files: files.map(({ path: from, extension }) => ({ from, extension })) },
      store
    )
    await this.finish(hash)
  }

  async #plan(shelving: Shelving, store: (path: string) => void): Promise<string> {
    const { hash, files } = shelving
    const first = files[0]?.extension ?? ''
    for (const digits of SUFFIX_DIGITS) {
      const stem = this.#stem(shelving, digits)
      if (await this.#isOnDisk(stem)) continue
      const planned = this.#db.transaction(() => {
        if (this.#isTaken(stem, hash)) return false
        this.#moves.plan(
          hash,
          files.map(({ from, extension }) => ({ from, to: `${stem}${extension}` }))
        )
        store(`${stem}${first}`)
        return true
      })
      if (planned) return `${stem}${first}`
    }
    throw new AppError('conflict', because('no_free_name', { hash }))
  }

  #stem({ hash, domain, metadata }: Shelving, digits: number): string {
    const suffix = digits === 0 ? '' : ` [${hash.slice(0, digits)}]`
    return `${shelfFolder(domain)}/${shelfName({ ...metadata, hash }, suffix)}`
  }

  async #isOnDisk(stem: string): Promise<boolean> {
    for (const extension of ENDINGS) if (await this.#moves.exists(`${stem}${extension}`)) return true
    return false
  }

  /** Another document has this name, or is about to get it; capital letters make no difference, as on many disks. */
  #isTaken(stem: string, hash: string): boolean {
    const start = `${stem}.`
    const filed = this.#db
      .sql('SELECT 1 FROM documents WHERE hash <> ?1 AND lower(substr(path, 1, length(?2))) = lower(?2) LIMIT 1')
      .get(hash, start)
    const planned = this.#db
      .sql(
        `SELECT 1 FROM file_moves WHERE state = 'planned' AND hash <> ?1 AND lower(substr(to_path, 1, length(?2))) = lower(?2) LIMIT 1`
      )
      .get(hash, start)
    return filed !== undefined || planned !== undefined
  }
}

function extensionOf(path: string): string {
  return /\.[a-z0-9]+$/i.exec(path)?.[0] ?? ''
}

function stemOf(path: string): string {
  return path.replace(/\.[a-z0-9]+$/i, '')
}
