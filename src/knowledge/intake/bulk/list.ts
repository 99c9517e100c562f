import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { refusedByName } from '../sniff.ts'
import { pageAddress } from '../web-page.ts'
import { type Bulk, MOST_ADDRESSES, MOST_ENTRIES } from './bulk.ts'
import { faultReason } from './places.ts'
import type { BulkStore, Found } from './store.ts'
import { walk } from './walk.ts'

const AT_ONCE = 200
const CAPTIONS = /\.(?:vtt|srt)$/i

/**
 * The addresses of a text, one a line; what stands behind a blank is left out, and so are empty lines and those that begin with `#`. @throws
 * AppError `invalid` when there are none, or too many.
 */
export function addressLines(text: string): string[] {
  const lines = text.split(/[\r\n]+/).flatMap((line) => {
    const [first = ''] = line.trim().split(/\s/)
    return first === '' || first.startsWith('#') ? [] : [first]
  })
  if (lines.length === 0) throw new AppError('invalid', because('bulk_no_address'))
  if (lines.length > MOST_ADDRESSES)
    throw new AppError('invalid', because('bulk_too_many_addresses', { limit: MOST_ADDRESSES, count: lines.length }))
  return lines
}

/** Puts the addresses of a list into rows, each once. */
export function listAddresses(bulk: Bulk, store: BulkStore): void {
  const lines = addressLines(store.listOf(bulk.id))
  const found = lines.map((line): Found => {
    try {
      return { what: pageAddress(line).href }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { what: line.slice(0, 2000), end: { state: 'refused', reason: error.reason } }
    }
  })
  const unique = new Set(found.map(({ what }) => what)).size
  for (let at = 0; at < found.length; at += AT_ONCE) store.add(bulk.id, found.slice(at, at + AT_ONCE))
  store.listed(bulk.id, { repeated: lines.length - unique })
}

interface Parts {
  store: BulkStore
  dataFolder: string
  signal: AbortSignal
  /** After each step, with the number of files found. */
  onStep: (found: number) => void
}

/**
 * Puts the files of a folder into rows. Begun anew it finds what it knows already. @throws AppError `too-large` when there are too many; what the disk
 * says.
 */
export async function listFolder(bulk: Bulk, { store, dataFolder, signal, onStep }: Parts): Promise<void> {
  let leftOut = 0
  let found: Found[] = []
  let count = 0
  const put = (): void => {
    store.add(bulk.id, found)
    count += found.length
    found = []
    onStep(count)
  }
  const files = walk({
    root: bulk.place,
    dataFolder,
    signal,
    onUnreadable: (path, error) =>
      found.push({ what: `${path}/`, end: { state: 'failed', reason: faultReason(error) } }),
    onLeftOut: () => leftOut++
  })
  for await (const what of files) {
    found.push(foundFile(what))
    if (count + found.length > MOST_ENTRIES)
      throw new AppError('too-large', because('bulk_too_many_files', { limit: MOST_ENTRIES }))
    if (found.length >= AT_ONCE) put()
  }
  put()
  store.listed(bulk.id, { leftOut })
}

/** The name of a file may say that it need not be opened. */
function foundFile(what: string): Found {
  const looksLike = CAPTIONS.test(what) ? null : refusedByName(what, '.pdf')
  if (looksLike === null) return { what }
  return { what, end: { state: 'refused', reason: because('not_a_format_taken', { looks_like: looksLike }) } }
}
