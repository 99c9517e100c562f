import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { isPage } from './mime.ts'
import { type CheckBounds, checkArchive } from './zim-check.ts'
import { Clusters } from './zim-cluster.ts'
import { Directory, type EntryHead, type ZimEntry } from './zim-entry.ts'
import { ArchiveFile, ReadAhead } from './zim-file.ts'
import { readHeader, readMimeTypes, type ZimHeader } from './zim-header.ts'

/** Redirects that lead to one another this often lead nowhere. */
const MAX_REDIRECTS = 16
const MAX_METADATA_BYTES = 64 * 1024

/**
 * Reads a ZIM archive (openZIM: ZIM file format, versions 5 and 6) piece by piece, never as a whole. Every number in the file
 * is a stranger's: what does not fit is AppError `bad-input`.
 */
export class ZimReader {
  readonly #file: ArchiveFile
  readonly #clusters: Clusters
  readonly #pageTypes: ReadonlySet<number>
  readonly header: ZimHeader
  readonly mimeTypes: readonly string[]
  readonly directory: Directory

  private constructor(file: ArchiveFile, keep: number) {
    this.#file = file
    this.header = readHeader(file)
    const { pathListAt, entryCount, clusterListAt, clusterCount } = this.header
    this.directory = new Directory({
      pathListAt,
      entryCount,
      pointers: new ReadAhead(file, because('zim_list_paths')),
      entries: new ReadAhead(file, because('zim_an_entry'))
    })
    this.#clusters = new Clusters({ file, listAt: clusterListAt, count: clusterCount, keep })
    this.mimeTypes = readMimeTypes(file, this.header.mimeListAt, this.#endOfTypes())
    this.#pageTypes = new Set(this.mimeTypes.flatMap((type, index) => (isPage(type) ? [index] : [])))
  }

  /** `keep`: unpacked clusters held in memory. @throws AppError `not-found`, `unavailable`, `bad-input`, `unsupported`. */
  static open(path: string, { keep = 1 } = {}): ZimReader {
    const file = ArchiveFile.open(path)
    try {
      return new ZimReader(file, keep)
    } catch (error) {
      file.close()
      throw error
    }
  }

  close(): void {
    this.#file.close()
  }

  get clusterCount(): number {
    return this.#clusters.count
  }

  /** The namespace of articles. */
  get articleNamespace(): string {
    return this.header.isNewScheme ? 'C' : 'A'
  }

  /** A page of text that people read; redirects are none. */
  isArticle(head: EntryHead): boolean {
    return head.kind === 'item' && head.namespace === this.articleNamespace && this.#pageTypes.has(head.mime)
  }

  mimeOf({ mime }: EntryHead): string {
    return this.mimeTypes[mime] ?? ''
  }

  /** As the library server wants it: older archives have the namespace in front. */
  pathOf({ namespace, path }: Pick<ZimEntry, 'namespace' | 'path'>): string {
    return this.header.isNewScheme ? path : `${namespace}/${path}`
  }

  /** An entry by its path as `pathOf` gives it; null when there is none. */
  find(path: string): ZimEntry | null {
    if (this.header.isNewScheme) return this.directory.find('C', path)
    return path[1] === '/' ? this.directory.find(path[0] ?? '', path.slice(2)) : this.directory.find('A', path)
  }

  /** Follows redirects to their end. @throws AppError `bad-input` when they go in a circle or lead to nothing. */
  resolve(entry: ZimEntry): ZimEntry {
    let found = entry
    for (let steps = 0; found.kind === 'redirect'; steps++) {
      if (steps === MAX_REDIRECTS)
        throw new AppError('bad-input', because('zim_redirects_endless', { path: this.pathOf(entry) }))
      found = this.directory.entry(found.target)
    }
    return found
  }

  /** @throws AppError `bad-input`; `too-large` beyond `limit` bytes; `unsupported`. */
  async content(entry: ZimEntry, limit: number): Promise<Buffer> {
    const { kind, cluster, blob } = this.resolve(entry)
    if (kind !== 'item') throw new AppError('bad-input', because('zim_no_content', { path: this.pathOf(entry) }))
    return this.#clusters.blob(cluster, blob, limit)
  }

  /** A fact the archive tells about itself; empty when it does not. */
  async metadata(name: string): Promise<string> {
    const entry = this.directory.find('M', name)
    if (entry === null) return ''
    return (await this.content(entry, MAX_METADATA_BYTES)).toString('utf8').trim()
  }

  /** The path to begin with; null when the archive names none. */
  mainPath(): string | null {
    const { mainEntry } = this.header
    if (mainEntry === null || mainEntry >= this.directory.count) return null
    const entry = this.resolve(this.directory.entry(mainEntry))
    return entry.kind === 'item' ? this.pathOf(entry) : null
  }

  /** Refuses what the library of the format refuses, see `checkArchive`. @throws AppError `bad-input`. */
  check(bounds?: CheckBounds): Promise<void> {
    const { header, directory, mimeTypes } = this
    return checkArchive({ header, directory, mimeTypes, file: this.#file, clusters: this.#clusters }, bounds)
  }

  /** The list of types has no length: whatever comes first after it ends it (libzim: getMimeListEndUpperLimit). */
  #endOfTypes(): number {
    const { pathListAt, titleListAt, clusterListAt, entryCount } = this.header
    const ends = [pathListAt, titleListAt ?? Number.POSITIVE_INFINITY, clusterListAt]
    if (entryCount > 0) ends.push(this.directory.offset(0), this.#clusters.offset(0))
    return Math.min(...ends, this.#file.size)
  }
}
