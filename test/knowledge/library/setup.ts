import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { JobKind, JobResult } from '../../../src/knowledge/jobs/job.ts'
import { ArchiveArticles } from '../../../src/knowledge/library/archive-articles.ts'
import type { ArchiveReader } from '../../../src/knowledge/library/archive-reader.ts'
import { type Detection, type DetectParts, detectJob } from '../../../src/knowledge/library/detect-job.ts'
import type { IngestParts } from '../../../src/knowledge/library/ingest-parts.ts'
import { removeSourceDocuments } from '../../../src/knowledge/library/remove-source.ts'
import type { LibrarySource } from '../../../src/knowledge/library/source.ts'
import { LibrarySources } from '../../../src/knowledge/library/sources.ts'
import { ZimReader } from '../../../src/knowledge/library/zim.ts'
import { archiveFacts, readArticles } from '../../../src/knowledge/library/zim-read.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { AppError, reasonOf } from '../../../src/platform/errors.ts'
import { note } from '../../helpers/in-words.ts'
import { type KnowledgeSetup, knowledgeSetup } from '../../helpers/knowledge.ts'

/** Reads archives in this process: many cases in little time. */
export const quickReader: ArchiveReader = {
  facts: async (path) => {
    const zim = ZimReader.open(path)
    try {
      return await archiveFacts(zim)
    } finally {
      zim.close()
    }
  },
  articles: async function* ({ path, from, announce, signal }) {
    const zim = ZimReader.open(path)
    try {
      for await (const line of readArticles(zim, { from, announce })) {
        // As lines from a process come: one turn later.
        await new Promise((resolve) => setImmediate(resolve))
        signal.throwIfAborted()
        yield line
      }
    } finally {
      zim.close()
    }
  }
}

export interface LibrarySetup extends KnowledgeSetup {
  /** Of archives. */
  folder: string
  sources: LibrarySources
  detections: Detection[]
  detect: DetectParts
  ingest: IngestParts
  /** Ids of documents whose words and vectors are in the index: `remove` takes them out. */
  indexed: Set<number>
  /** Puts an archive there, or takes it away; older than 10 s, unless said otherwise. */
  put: (name: string, bytes: Buffer | null, age?: number) => void
  /** Runs what is due of this kind as the runner does; answers how it ended. */
  run: (kind: JobKind, signal?: AbortSignal) => Promise<JobResult['end'] | 'dead' | 'later' | 'none' | 'lost'>
  look: () => Promise<Detection | undefined>
  named: (filename: string) => LibrarySource
  removeDocuments: (id: number) => Promise<{ documents: number; vectors: number; busy: number }>
}

/** A library on a real folder, an in-memory database and a clock that stands still. */
export async function librarySetup(t: Test, reader: ArchiveReader = quickReader): Promise<LibrarySetup> {
  const folder = join(t.testdir({}), 'zim')
  mkdirSync(folder)
  const setup = await knowledgeSetup(t, { clock: new VirtualClock(Date.now()) })
  const { db, jobs, catalogue, clock } = setup
  const now = (): number => clock.now()
  const sources = new LibrarySources({ db, jobs, now })
  const log = { info: () => undefined, warn: () => undefined }
  const indexed = new Set<number>()
  const detections: Detection[] = []
  const removeDocuments = (id: number) =>
    removeSourceDocuments(id, {
      db,
      catalogue,
      jobs,
      signal: new AbortController().signal,
      lexical: { remove: () => 1 },
      vectors: { remove: async (document) => (indexed.delete(document) ? 3 : 0) }
    })
  const detect: DetectParts = {
    sources,
    jobs,
    reader,
    folder,
    removeDocuments,
    now,
    log,
    onChange: (detection) => detections.push(detection)
  }
  const articles = new ArchiveArticles({ db, catalogue, sources, domainOf: () => 'Water Systems', now })
  const ingest: IngestParts = {
    sources,
    catalogue,
    articles,
    reader,
    folder,
    clock,
    log,
    checkSpace: async () => undefined
  }
  const run: LibrarySetup['run'] = async (
    { kind, run: work, maxAttempts, onDead },
    signal = new AbortController().signal
  ) => {
    const owner = 'a process'
    const job = jobs.claim([kind], { owner, leaseMs: 60_000 })
    if (job === null) return 'none'
    try {
      const result = await work(job, { signal, progress: () => undefined })
      const kept = result.end === 'done' ? jobs.finish(job.id, owner, result.commit) : jobs.hold(job.id, owner, result)
      return kept ? result.end : 'lost'
    } catch (error) {
      const permanent =
        error instanceof AppError && ['bad-input', 'invalid', 'unsupported', 'too-large'].includes(error.code)
      const reason = reasonOf(error)
      if (permanent || job.attempts >= maxAttempts) {
        jobs.die(job.id, owner, reason, () => onDead(job, reason))
        return 'dead'
      }
      jobs.retryLater(job.id, owner, { reason, dueAt: clock.now() })
      return 'later'
    }
  }
  return {
    ...setup,
    folder,
    sources,
    detections,
    detect,
    ingest,
    indexed,
    run,
    removeDocuments,
    put: (name, bytes, age = 60_000) => {
      const path = join(folder, name)
      if (bytes === null) return rmSync(path)
      writeFileSync(path, bytes)
      utimesSync(path, new Date(clock.now() - age), new Date(clock.now() - age))
      // The time of change of an inode cannot be set: the clock goes on instead.
      if (age >= 60_000) void clock.runTo(Date.now() + 20_000)
    },
    look: async () => {
      const before = detections.length
      await clock.runTo(Math.max(clock.now(), Date.now() + 20_000, jobs.get('detect-archives', 'folder')?.dueAt ?? 0))
      jobs.add('detect-archives', 'folder')
      await run(detectJob(detect))
      return detections[before]
    },
    named: (filename) => {
      const found = sources.byFilename(filename)
      if (found === null) throw new Error(`no source ${filename}`)
      return found
    }
  }
}

/** As the enricher and the embedder leave a document. */
export function finish(setup: LibrarySetup, documentId: number, status: 'complete' | 'skipped' | 'failed'): void {
  const { catalogue, jobs, indexed } = setup
  jobs.remove('enrich', String(documentId))
  if (status === 'complete') indexed.add(documentId)
  if (status === 'skipped') catalogue.skip(documentId, note('another language'))
  else if (status === 'failed') catalogue.fail(documentId, 'enrich', note('broken'))
  else catalogue.update(documentId, { status })
}
