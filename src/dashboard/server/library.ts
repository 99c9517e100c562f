import type { PartialUploads } from '../../knowledge/intake/partial-uploads.ts'
import type { ArchiveReceiver } from '../../knowledge/library/arrival.ts'
import type { Library } from '../../knowledge/library/library.ts'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'

/** The offline library, as the web sees it (contract §9). */
export interface LibraryService
  extends Pick<Library, 'list' | 'one' | 'server' | 'wikiBase' | 'setIngest' | 'retry' | 'remove' | 'settled'> {
  /** Takes archives in. */
  receiver: Pick<ArchiveReceiver, 'nameFor' | 'checkSpace' | 'store' | 'drop' | 'accept'>
  /** Uploads of archives that go on after a break. */
  partials: PartialUploads
  /** Somebody looks at the list: files that were put into the folder by hand are noticed sooner. */
  look: () => void
}

interface Part {
  /** Null when the profile has it off. */
  library: LibraryService | null
}

/** The library of this station. @throws AppError `not-found` when the profile has it off. */
export function libraryOf({ library }: Part): LibraryService {
  if (library !== null) return library
  throw new AppError('not-found', because('profile_no_library'))
}

/** The same, for routes that write. @throws AppError `unavailable` in preview. */
export function writableLibrary({ library, mode }: Part & { mode: 'run' | 'preview' }): LibraryService {
  const found = libraryOf({ library })
  if (mode === 'preview') throw new AppError('unavailable', because('preview_keeps_nothing'))
  return found
}

/** For search: the base of links into the library; nothing when articles are opened in the dashboard. */
export function wikiUrlFor({ library }: Part, host: string | undefined): { wikiUrl?: string } {
  const base = library?.wikiBase(host) ?? null
  return base === null ? {} : { wikiUrl: base }
}
