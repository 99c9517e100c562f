import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import type { Log } from '../../platform/log/log.ts'
import { archiveName } from './citation.ts'
import type { FeedEntry } from './feed.ts'
import { type ArchiveForm, type Manifest, manifestOf, writeManifest } from './manifest.ts'
import type { LibraryServer } from './server.ts'
import type { LibrarySource } from './source.ts'

/** A reload shows in the feed after a third of a second; a board under load takes longer. */
const CONFIRM_MS = 15_000
const LOOK_AGAIN_MS = { least: 200, most: 2000 }
/** A signal that was lost is sent again. */
const TELL_AGAIN_MS = 4000
/** A server that is being started. */
const START_MS = 20_000
/** Ours runs and does not answer: after so many checks in a row it is started again. */
const MOST_SILENT = 3

export interface RegistrationOptions {
  /** `library.xml`; the archives lie beside it. */
  file: string
  sources: () => readonly LibrarySource[]
  server: Pick<LibraryServer, 'state' | 'want' | 'reload' | 'feed' | 'restart' | 'kind'>
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  confirmMs?: number
}

/** The list of the server compared with what it is to list. */
export interface Comparison {
  /** Sources it does not list, or under another name. */
  missing: readonly LibrarySource[]
  /** Entries that it should not list any more. */
  dangling: readonly FeedEntry[]
  /** Books that somebody else has given to an external server. */
  foreign: readonly FeedEntry[]
}

/** The state of the registration. */
export interface RegistrationView {
  /** Null: there is no server to be asked, or it does not answer. */
  listed: readonly FeedEntry[] | null
  comparison: Comparison | null
  leftOut: Manifest['leftOut']
  /** The fault of the registration, for people; null when there is none. */
  problem: Reason | null
}

/**
 * Keeps the library server at what the rows say: `library.xml` from the rows, a reload, and the feed as the proof. Every step
 * can be repeated: whatever a crash left is put right by the next run.
 */
export class Registration {
  readonly #options: RegistrationOptions
  #view: RegistrationView = { listed: null, comparison: null, leftOut: [], problem: null }
  #running: Promise<RegistrationView> | null = null
  #next: Promise<RegistrationView> | null = null
  #silent = 0
  /** The entries that were ours since the start. */
  readonly #formerly = new Set<string>()
  #text: string | null = null
  readonly #abort = new AbortController()

  constructor(options: RegistrationOptions) {
    this.#options = options
  }

  view(): RegistrationView {
    return this.#view
  }

  /** True when the rows ask for another `library.xml` than the last one. */
  get isDue(): boolean {
    return this.#text !== this.#manifest().text
  }

  /** One at a time. What is asked for while one runs is one more run after it, with the rows as they are then. Never rejects. */
  sync(): Promise<RegistrationView> {
    if (this.#running === null) {
      this.#running = this.#run().finally(() => {
        this.#running = null
      })
      return this.#running
    }
    this.#next ??= this.#running.then(() => {
      this.#next = null
      return this.sync()
    })
    return this.#next
  }

  /** Ends waiting; for good. */
  stop(): void {
    this.#abort.abort(new AppError('unavailable', because('program_stopping')))
  }

  async #run(): Promise<RegistrationView> {
    if (this.#abort.signal.aborted) return this.#view
    try {
      this.#view = await this.#bring()
    } catch (error) {
      this.#view = { ...this.#view, listed: null, comparison: null, problem: reasonOf(error) }
      if (!this.#abort.signal.aborted) this.#options.log.warn({ err: error }, 'the library server could not be told')
    }
    return this.#view
  }

  async #bring(): Promise<RegistrationView> {
    const { file, server } = this.#options
    const manifest = this.#manifest()
    await makeBelow(dirname(dirname(file)), dirname(file))
    const changed = await writeManifest(file, manifest)
    this.#text = manifest.text
    for (const { uuid } of manifest.books) this.#formerly.add(uuid)
    const serve = manifest.books.length > 0
    if (serve) await server.want(true)
    await this.#started()
    const { status, url, reason } = server.state()
    const { leftOut } = manifest
    if (url === null) {
      if (!serve) await server.want(false)
      return { listed: null, comparison: null, leftOut, problem: serve && status !== 'off' ? reason : null }
    }
    const view = await this.#confirm(manifest, changed)
    // Only now: its own feed has shown that the last one is gone.
    if (!serve) await server.want(false)
    return { ...view, leftOut }
  }

  #manifest(): Manifest {
    const { sources, file } = this.#options
    return manifestOf(sources(), (filename) => formOf(join(dirname(file), filename)))
  }

  async #started(): Promise<void> {
    const { server, clock } = this.#options
    for (const end = clock.now() + START_MS; server.state().status === 'starting' && clock.now() < end; )
      await this.#pause(LOOK_AGAIN_MS.least)
  }

  /** Tells the server, and looks until its feed is what the rows say, or time is up. */
  async #confirm(manifest: Manifest, changed: boolean): Promise<Omit<RegistrationView, 'leftOut'>> {
    const { server, clock, confirmMs = CONFIRM_MS } = this.#options
    const end = clock.now() + confirmMs
    let untold = changed ? await server.reload() : null
    let toldAt = changed ? clock.now() : 0
    for (let wait = LOOK_AGAIN_MS.least; ; wait = Math.min(wait * 2, LOOK_AGAIN_MS.most)) {
      const found = await this.#look(manifest)
      if (found.comparison !== null && isRight(found.comparison)) return { ...found, problem: null }
      const { listed, comparison } = found
      if (clock.now() >= end || this.#abort.signal.aborted)
        return { listed, comparison, problem: problemOf(found, untold) }
      if (found.comparison !== null && clock.now() - toldAt >= TELL_AGAIN_MS) {
        untold = await server.reload()
        toldAt = clock.now()
      }
      await this.#pause(wait)
    }
  }

  async #look(manifest: Manifest): Promise<Looked> {
    const { server } = this.#options
    try {
      const listed = await server.feed(this.#abort.signal)
      this.#silent = 0
      const external = server.kind === 'external'
      return { listed, comparison: compare(manifest, listed, { external, formerly: this.#formerly }) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (server.state().status === 'running' && ++this.#silent >= MOST_SILENT) {
        this.#silent = 0
        server.restart(because('server_did_not_answer', { said: reasonOf(error) }))
      }
      return { listed: null, why: error.reason, comparison: null }
    }
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#abort
    return new Promise((resolve) => {
      const done = (): void => {
        cancel()
        signal.removeEventListener('abort', done)
        resolve()
      }
      const cancel = this.#options.clock.after(ms, done)
      signal.addEventListener('abort', done, { once: true })
    })
  }
}

function formOf(path: string): ArchiveForm {
  if (existsSync(path)) return 'whole'
  return existsSync(`${path}aa`) ? 'parts' : 'gone'
}

type Looked = { listed: readonly FeedEntry[]; comparison: Comparison } | { listed: null; comparison: null; why: Reason }

/**
 * By the archive's own id (Z1), both ways. Our own server lists nothing but what we say, under the names of the files; an
 * external one may have books of its own, and names too: of those only what was `formerly` ours is too much.
 */
export function compare(
  { books }: Pick<Manifest, 'books'>,
  listed: readonly FeedEntry[],
  { external, formerly }: { external: boolean; formerly: ReadonlySet<string> }
): Comparison {
  const theirs = new Map(listed.map((entry) => [entry.uuid, entry]))
  const ours = new Set(books.map(({ uuid }) => uuid))
  const isListed = ({ uuid, filename }: LibrarySource): boolean => {
    const entry = theirs.get(uuid)
    return entry !== undefined && (external || entry.name === archiveName(filename))
  }
  const others = listed.filter(({ uuid }) => !ours.has(uuid))
  const isForeign = ({ uuid }: FeedEntry): boolean => external && !formerly.has(uuid)
  return {
    missing: books.filter((book) => !isListed(book)),
    dangling: others.filter((entry) => !isForeign(entry)),
    foreign: others.filter(isForeign)
  }
}

const isRight = ({ missing, dangling }: Comparison): boolean => missing.length === 0 && dangling.length === 0

function problemOf(found: Looked, untold: Reason | null): Reason {
  if (found.comparison === null) return found.why
  const { missing, dangling } = found.comparison
  const absent = namesOf(missing.map(({ filename }) => filename))
  const extra = namesOf(dangling.map(({ title, name }) => title || name))
  const wrong =
    extra === null
      ? because('server_lists_not', { names: absent ?? because('note', { text: '' }) })
      : absent === null
        ? because('server_still_lists', { names: extra })
        : because('server_lists_wrong', { missing: absent, dangling: extra })
  if (untold === null) return wrong
  return because('sentences', { all: [wrong, because('server_not_told', { said: untold })] })
}

function namesOf(names: readonly string[]): Reason | null {
  if (names.length === 0) return null
  const shown = names.slice(0, 3).join(', ')
  if (names.length <= 3) return because('note', { text: shown })
  return because('names_and_more', { names: shown, more: names.length - 3 })
}
