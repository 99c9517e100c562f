import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { Clusters } from './zim-cluster.ts'
import type { Directory, EntryBytes } from './zim-entry.ts'
import { type ArchiveFile, ReadAhead } from './zim-file.ts'
import type { ZimHeader } from './zim-header.ts'

/** Nothing lies before the end of the shortest header; the shortest entry and cluster have these lengths (libzim). */
const FIRST_BYTE = 80
const LEAST_ENTRY = 11
const LEAST_CLUSTER = 1
/** Neighbours of a sample that are looked at together: order shows between neighbours only. */
const RUN = 1000
const TITLE_BYTES = 4

/** How much is looked at, at the most; beyond that samples, spread evenly. All pointers are looked at in any case. */
export interface CheckBounds {
  /** Entries whose place in the order and media type are looked at. */
  entries: number
  titles: number
  clusters: number
  /** Clusters that are unpacked for it. */
  unpacked: number
}

/** A minute or two on the slowest board, whatever the size of the archive. */
export const CHECK_BOUNDS: CheckBounds = { entries: 1_000_000, titles: 100_000, clusters: 20_000, unpacked: 24 }

interface Archive {
  file: ArchiveFile
  header: ZimHeader
  directory: Directory
  clusters: Clusters
  mimeTypes: readonly string[]
}

/**
 * Refuses what the library of the format (libzim) refuses when it opens an archive or checks its structure: pointers outside,
 * entries or titles out of order, media types there are none of, clusters whose offsets make no sense. The contents and the
 * checksum over the whole file are not looked at. @throws AppError `bad-input`.
 */
export async function checkArchive(archive: Archive, bounds: CheckBounds = CHECK_BOUNDS): Promise<void> {
  checkPointers(archive)
  checkEntries(archive, bounds.entries)
  for (const list of titleLists(archive)) checkTitles(archive, list, bounds.titles)
  await checkClusters(archive, bounds)
}

function checkPointers({ directory, clusters, header: { contentEnd } }: Archive): void {
  const check = (what: Reason, count: number, least: number, offset: (index: number) => number): void => {
    for (let number = 0; number < count; number++) {
      const at = offset(number)
      if (at < FIRST_BYTE || at + least > contentEnd)
        throw new AppError('bad-input', because('zim_pointer_wrong', { what, number }))
    }
  }
  check(because('zim_list_paths'), directory.count, LEAST_ENTRY, (index) => directory.offset(index))
  check(because('zim_list_clusters'), clusters.count, LEAST_CLUSTER, (index) => clusters.offset(index))
}

function checkEntries({ directory, mimeTypes }: Archive, most: number): void {
  let before: EntryBytes | null = null
  for (const entry of sampled(directory.count, most)) {
    const found = directory.bytes(entry)
    const { kind, mime: type } = found.head
    if (kind === 'item' && type >= mimeTypes.length)
      throw new AppError('bad-input', because('zim_type_unknown', { entry, type }))
    if (before !== null && order(before, found, 'path') >= 0)
      throw new AppError('bad-input', because('zim_paths_unsorted', { entry }))
    before = found
  }
}

interface TitleList {
  at: number
  count: number
}

/** The list of the header, and the one newer archives have as an entry. */
function titleLists({ header, directory, clusters }: Archive): TitleList[] {
  const lists: TitleList[] = []
  if (header.titleListAt !== null) lists.push({ at: header.titleListAt, count: directory.count })
  const found = directory.find('X', 'listing/titleOrdered/v1')
  const place = found?.kind === 'item' ? clusters.place(found.cluster, found.blob) : null
  if (place !== null) lists.push({ at: place.at, count: Math.floor(place.length / TITLE_BYTES) })
  return lists
}

function checkTitles({ file, directory }: Archive, { at, count }: TitleList, most: number): void {
  const what = because('zim_list_titles')
  if (at + count * TITLE_BYTES > file.size) throw new AppError('bad-input', because('zim_lies_outside', { what }))
  const numbers = new ReadAhead(file, what)
  const entryOf = (place: number): number => numbers.at(at + place * TITLE_BYTES, TITLE_BYTES).readUInt32LE(0)
  for (let place = 0; place < count; place++)
    if (entryOf(place) >= directory.count) throw new AppError('bad-input', because('zim_title_unknown', { place }))
  let before: EntryBytes | null = null
  for (const place of sampled(count, most)) {
    const found = directory.bytes(entryOf(place))
    if (before !== null && order(before, found, 'title') > 0)
      throw new AppError('bad-input', because('zim_titles_unsorted', { place }))
    before = found
  }
}

/** By namespace, then by bytes. An entry without a title has its path for one. */
function order(a: EntryBytes, b: EntryBytes, by: 'path' | 'title'): number {
  const name = ({ path, title }: EntryBytes): Buffer => (by === 'path' || title.length === 0 ? path : title)
  const [left, right] = [a.head.namespace.charCodeAt(0), b.head.namespace.charCodeAt(0)]
  return left - right || Buffer.compare(name(a), name(b))
}

async function checkClusters({ clusters }: Archive, bounds: CheckBounds): Promise<void> {
  const unpacked = new Set(spread(clusters.count, bounds.unpacked))
  for (const index of spread(clusters.count, bounds.clusters)) {
    try {
      await clusters.check(index, { unpack: unpacked.has(index) })
    } catch (error) {
      // A packing nobody has ever used is a byte that is not as it was written.
      if (error instanceof AppError && error.code === 'unsupported')
        throw new AppError('bad-input', because('zim_damaged', { said: error.reason }), { cause: error })
      throw error
    }
  }
}

/** So many of the numbers below `count`, evenly; all of them when there are no more. */
function* spread(count: number, most: number): Generator<number> {
  const taken = Math.min(count, most)
  for (let nth = 0; nth < taken; nth++) yield Math.floor((nth * count) / taken)
}

/** The same in runs of neighbours. */
function* sampled(count: number, most: number): Generator<number> {
  const length = Math.min(RUN, most)
  if (count <= most) yield* spread(count, count)
  else
    for (const run of spread(Math.floor(count / length), Math.floor(most / length)))
      for (let nth = 0; nth < length; nth++) yield run * length + nth
}
