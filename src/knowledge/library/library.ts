import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { settledWithin } from '../../platform/clock/within.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { JobStore } from '../jobs/store.ts'
import type { Arrived } from './arrival.ts'
import { archiveName, articleUrl, publicRoot, wikiBase } from './citation.ts'
import type { Registration } from './registration.ts'
import { REMOVE } from './remove-job.ts'
import type { LibraryServer, ServerState } from './server.ts'
import type { LibrarySource } from './source.ts'
import { INGEST, type LibrarySources } from './sources.ts'
import { type SourceView, sourceView } from './status.ts'
import { archiveParts } from './zim-file.ts'

/** The time for which an asker waits for the end of what it asked for; what is left then goes on, and is named. */
const PATIENCE_MS = 20_000
const LOOK_MS = 150

/** The places in which a source leaves traces. */
const TRACES = ['documents', 'vectors', 'file', 'registration', 'jobs'] as const
export type TraceName = (typeof TRACES)[number]
type Traces = { documents: number; vectors: number; file: boolean; registration: boolean; jobs: number }

/** The answer of a removal (contract §9). */
export interface RemovalReport {
  ok: true
  removed: Traces
  /** Not gone yet; goes on in the background, also after a restart. */
  pending: TraceName[]
}

/** The library server, for whoever asked under a host name. */
export interface ServerView extends ServerState {
  /** Books of an external server that are none of ours. */
  foreign: { title: string; language: string; browse_url: string | null }[]
  /** The disagreement between the rows and the server; null when all is as it should be. */
  problem: Reason | null
}

/** The state of an archive that has just arrived. */
export interface Settled {
  source: LibrarySource | null
  pending: ('detection' | 'registration')[]
}

interface Options {
  db: Database
  jobs: JobStore
  catalogue: Catalogue
  sources: LibrarySources
  server: Pick<LibraryServer, 'state' | 'place' | 'kind'>
  registration: Pick<Registration, 'sync' | 'view'>
  /** The folder of the archives. */
  folder: string
  /** `library.wiki_url`. */
  wikiUrl: () => string
  clock: Clock
  /** There is work. */
  wake: () => void
  patienceMs?: number
}

/** The library as people see it: sources with what is derived, and the three things that can be done with one. */
export class Library {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  list(requestHost: string | undefined): SourceView[] {
    const all = this.#options.sources.list()
    return all.map((source) => this.#view(source, requestHost, all))
  }

  /** @throws AppError `not-found`. */
  one(id: number, requestHost: string | undefined): SourceView {
    return this.#view(this.#must(id), requestHost)
  }

  server(requestHost: string | undefined): ServerView {
    const { server, registration, wikiUrl } = this.#options
    const state = server.state()
    const place = server.place()
    const { comparison, problem } = registration.view()
    const base = this.wikiBase(requestHost)
    const root = place === null ? null : publicRoot(place, requestHost)
    return {
      ...state,
      url: root === null || wikiUrl() === '' ? root : wikiUrl(),
      foreign: (comparison?.foreign ?? []).slice(0, 100).map(({ title, language, name }) => ({
        title,
        language,
        browse_url: base === null ? null : articleUrl(base, `${name}.zim`, '')
      })),
      problem: state.reason === null ? problem : null
    }
  }

  /** Begins every link to an article, for `articleUrl`; null while nothing opens them. */
  wikiBase(requestHost: string | undefined): string | null {
    const place = this.#options.server.place()
    return place === null ? null : wikiBase({ wikiUrl: this.#options.wikiUrl(), server: place, requestHost })
  }

  /** @throws AppError `not-found`, `conflict` while it is being removed. */
  setIngest(id: number, enabled: boolean, requestHost: string | undefined): SourceView {
    const found = this.#options.sources.setIngest(id, enabled)
    if (enabled) this.#options.wake()
    return this.#view(found, requestHost)
  }

  /** Tries again what failed: articles, documents, the reading itself. Answers how many documents. @throws `not-found`. */
  retry(id: number): number {
    const { db, sources, catalogue, wake } = this.#options
    const retried = db.transaction(() => {
      sources.retry(id)
      const failed = db.sql("SELECT id FROM documents WHERE source_id = ? AND status = 'failed' ORDER BY id").all(id)
      return failed.filter((row) => catalogue.retry(Number(row['id']))).length
    })
    wake()
    return retried
  }

  /**
   * Full cleanup (contract §9): marks the source, so that a crash cannot bring it back, and waits a while for its end. What
   * the answer says is gone was looked for and not found, in the rows, on the disk and in the server's feed. @throws AppError
   * `not-found`.
   */
  async remove(id: number): Promise<RemovalReport> {
    const { db, jobs, sources, wake, registration, clock, patienceMs = PATIENCE_MS } = this.#options
    const source = this.#must(id)
    const before = this.#traces(source, true)
    db.transaction(() => {
      sources.beginRemoval(id)
      jobs.add(REMOVE, String(id))
    })
    wake()
    let confirmed = false
    const registered = registration.sync().then(() => {
      confirmed = true
    })
    const until = clock.now() + patienceMs
    await this.#until(() => sources.byId(id) === null, until)
    await settledWithin(registered, Math.max(0, until - clock.now()), clock)
    const after = this.#traces(source, !confirmed)
    return {
      ok: true,
      removed: {
        documents: before.documents - after.documents,
        vectors: before.vectors - after.vectors,
        file: before.file && !after.file,
        registration: before.registration && !after.registration,
        jobs: before.jobs - after.jobs
      },
      pending: TRACES.filter((name) => Boolean(after[name]))
    }
  }

  /** Waits until an archive that has arrived is a source, and the server shows it; not for ever. */
  async settled({ filename, uuid }: Arrived): Promise<Settled> {
    const { sources, registration, server, clock, patienceMs = PATIENCE_MS } = this.#options
    const until = clock.now() + patienceMs
    const find = (): LibrarySource | null => {
      const found = sources.byFilename(filename)
      return found?.uuid === uuid && found.state === 'present' ? found : null
    }
    const isDamaged = (): boolean => sources.byFilename(filename)?.state === 'damaged'
    await this.#until(() => find() !== null || isDamaged(), until)
    const source = find()
    if (source === null && isDamaged()) return { source: sources.byFilename(filename), pending: [] }
    if (source === null) return { source, pending: ['detection', 'registration'] }
    await settledWithin(registration.sync(), Math.max(0, until - clock.now()), clock)
    const isServed = server.state().url === null || this.#isListed(source)
    return { source, pending: isServed ? [] : ['registration'] }
  }

  #view(
    source: LibrarySource,
    requestHost: string | undefined,
    all: readonly LibrarySource[] = this.#options.sources.list()
  ): SourceView {
    const { sources, jobs, clock, registration } = this.#options
    const { listed, leftOut } = registration.view()
    const base = this.wikiBase(requestHost)
    const entry = listed?.find(({ uuid }) => uuid === source.uuid)
    const browseUrl = base === null || entry === undefined ? null : articleUrl(base, `${entry.name}.zim`, '')
    const job = jobs.get(INGEST, String(source.id))
    const uuid = source.uuid === '' ? source.claimedUuid : source.uuid
    const good =
      source.state === 'damaged' ? all.find((other) => other.state === 'present' && other.uuid === uuid) : null
    const view = sourceView(source, sources.counts(source.id), {
      job,
      now: clock.now(),
      browseUrl,
      goodCopy: good?.filename ?? null
    })
    const why = leftOut.find((left) => left.source.id === source.id)?.reason ?? null
    return { ...view, reason: view.reason ?? why }
  }

  #must(id: number): LibrarySource {
    const found = this.#options.sources.byId(id)
    if (found === null) throw new AppError('not-found', because('no_such_source'))
    return found
  }

  /** The traces of a source. `assumed`: it is taken for registered as long as nobody has looked. */
  #traces({ id, uuid, filename }: LibrarySource, assumed: boolean): Traces {
    const { db, folder } = this.#options
    const rows = db
      .sql('SELECT count(*) AS documents, coalesce(sum(vector_count), 0) AS vectors FROM documents WHERE source_id = ?')
      .get(id)
    const jobs = db.sql('SELECT count(*) AS jobs FROM scrape_jobs WHERE source_id = ?').get(id)
    return {
      documents: Number(rows?.['documents'] ?? 0),
      vectors: Number(rows?.['vectors'] ?? 0),
      file: archiveParts(join(folder, filename), existsSync).length > 0,
      registration: assumed || this.#isListed({ uuid, filename }),
      jobs: Number(jobs?.['jobs'] ?? 0)
    }
  }

  /** As the server told last. Another file of the same archive may be served in its place. */
  #isListed({ uuid, filename }: Pick<LibrarySource, 'uuid' | 'filename'>): boolean {
    const { server, registration, sources } = this.#options
    const entry = registration.view().listed?.find((listed) => listed.uuid === uuid)
    if (entry === undefined) return false
    if (server.kind === 'supervised') return entry.name === archiveName(filename)
    return !sources
      .list()
      .some((other) => other.uuid === uuid && other.filename !== filename && other.state === 'present')
  }

  async #until(reached: () => boolean, end: number): Promise<void> {
    const { clock } = this.#options
    while (!reached() && clock.now() < end) await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve))
  }
}
