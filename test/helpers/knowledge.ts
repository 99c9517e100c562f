import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Test } from 'tap'
import { Catalogue } from '../../src/knowledge/catalogue/catalogue.ts'
import type { NewDocument } from '../../src/knowledge/catalogue/rows.ts'
import { knowledgeMigrations } from '../../src/knowledge/catalogue/schema.ts'
import { UploadStore } from '../../src/knowledge/catalogue/uploads.ts'
import { IntakeFolders } from '../../src/knowledge/intake/folders.ts'
import { PartialUploads } from '../../src/knowledge/intake/partial-uploads.ts'
import { Receiver, type ReceiverSettings } from '../../src/knowledge/intake/receive.ts'
import { JobStore } from '../../src/knowledge/jobs/store.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'

export interface KnowledgeSetup {
  db: Database
  clock: VirtualClock
  jobs: JobStore
  catalogue: Catalogue
  uploads: UploadStore
}

/** An empty knowledge.db in memory (or the file `path`), with everything that reads and writes it, on a clock that stands still. */
export async function knowledgeSetup(
  t: Test,
  { path = ':memory:', clock = new VirtualClock(Date.parse('2026-07-01T12:00:00Z')) } = {}
): Promise<KnowledgeSetup> {
  const db = await openDatabase({ path, migrations: knowledgeMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  const now = () => clock.now()
  const jobs = new JobStore({ db, now })
  return { db, clock, jobs, catalogue: new Catalogue({ db, jobs, now }), uploads: new UploadStore({ db, jobs, now }) }
}

/** A filed PDF, waiting to be read. `hash` is 64 times the digit `n`. */
export function newDocument(n: number | string, patch: Partial<NewDocument> = {}): NewDocument {
  return {
    hash: String(n).repeat(64).slice(0, 64),
    kind: 'pdf',
    filename: `book ${n}.pdf`,
    title: `Book ${n}`,
    author: 'A. Writer',
    edition: '',
    year: '',
    source: 'dashboard_upload',
    category: 'Manuals',
    sizeBytes: 1000,
    status: 'queued',
    ...patch
  }
}

export interface Intake extends KnowledgeSetup {
  /** The data folder. */
  folder: string
  receiver: Receiver
  partials: PartialUploads
  folders: IntakeFolders
  /** Both may be changed by a test. */
  settings: ReceiverSettings
  /** The number of arrivals. */
  arrivals: () => number
  /** Every file below the data folder. */
  names: () => string[]
  /** The same, and what is in each. */
  files: () => Record<string, string>
}

/** A setup with a real data folder that files come in by. Its clock runs from the real time: files have real times. */
export async function intake(t: Test, options: { free?: () => number } = {}): Promise<Intake> {
  const setup = await knowledgeSetup(t, { clock: new VirtualClock(Date.now()) })
  const folder = mkdtempSync(join(tmpdir(), 'lookout-intake-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'processing'))
  const settings = { maxBytes: 20_000_000, minFreeBytes: 1000 }
  let arrivals = 0
  const now = (): number => setup.clock.now()
  const receiver = new Receiver({
    folder,
    catalogue: setup.catalogue,
    uploads: setup.uploads,
    now,
    settings: () => settings,
    onArrival: () => {
      arrivals++
    },
    free: async () => options.free?.() ?? 1e12
  })
  const log = { info: () => undefined, warn: () => undefined }
  const folders = new IntakeFolders({ ...setup, folder, receiver, now, log })
  await folders.prepare()
  return {
    ...setup,
    folder,
    receiver,
    folders,
    settings,
    partials: new PartialUploads({ receiver, now }),
    arrivals: () => arrivals,
    names: () => namesBelow(folder),
    files: () =>
      Object.fromEntries(namesBelow(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
  }
}

function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort()
}

/** The smallest thing that is a PDF by its first bytes. */
export const pdf = (text: string): Buffer => Buffer.from(`%PDF-1.4\n% ${text}\n%%EOF\n`)
