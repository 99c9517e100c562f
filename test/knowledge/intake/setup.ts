import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import type { PdfFacts } from '../../../src/knowledge/enrich/pdf-facts.ts'
import { type DispatchParts, dispatchJob } from '../../../src/knowledge/intake/dispatcher.ts'
import { FileMoves, type IntakeFileSystem, intakeFileSystem } from '../../../src/knowledge/intake/file-moves.ts'
import type { SourceReaders } from '../../../src/knowledge/intake/read-source.ts'
import { reconcile } from '../../../src/knowledge/intake/reconcile.ts'
import { Shelver } from '../../../src/knowledge/intake/shelve.ts'
import { Workbench } from '../../../src/knowledge/intake/workbench.ts'
import type { JobKind } from '../../../src/knowledge/jobs/job.ts'
import { sha256Hex } from '../../../src/platform/bytes/hash.ts'
import { AppError, reasonOf } from '../../../src/platform/errors.ts'
import { note } from '../../helpers/in-words.ts'
import { type KnowledgeSetup, knowledgeSetup } from '../../helpers/knowledge.ts'

export class Killed extends Error {}

/** Cuts the work off at its n-th step, before or after the step took effect; from then on nothing works any more. */
export class Killer {
  steps = 0
  killed = false
  readonly #at: number
  readonly #after: boolean

  constructor(at = Number.POSITIVE_INFINITY, after = false) {
    this.#at = at
    this.#after = after
  }

  async step<T>(work: () => Promise<T>): Promise<T> {
    if (this.killed) throw new Killed()
    this.steps += 1
    const isNow = this.steps === this.#at
    if (isNow) this.killed = true
    if (isNow && !this.#after) throw new Killed()
    const result = await work()
    if (isNow) throw new Killed()
    return result
  }

  wrap<Calls extends object>(calls: Calls): Calls {
    const wrapped = Object.entries(calls).map(([name, call]) => [
      name,
      (...args: unknown[]) =>
        this.step(() => Reflect.apply(call as (...args: unknown[]) => Promise<unknown>, null, args))
    ])
    return Object.fromEntries(wrapped) as Calls
  }
}

/** A file of the pretended formats: facts in the head, then the text. */
export function book(facts: Partial<PdfFacts> & { text?: string; fault?: string } = {}): string {
  const { text = 'Some text.', ...head } = facts
  return `${JSON.stringify(head)}\n${text}`
}

function readBook(content: string): { head: Record<string, unknown>; text: string } {
  const [line = '{}', ...rest] = content.split('\n')
  return { head: line.startsWith('{') ? JSON.parse(line) : {}, text: rest.join('\n') }
}

/** Reads the pretended formats; `fault` of a book names the error code it is met with. */
export function pretendedReaders(): SourceReaders {
  const opened = async (path: string) => {
    const found = readBook(await readFile(path, 'utf8'))
    const fault = found.head['fault']
    if (typeof fault === 'string') throw new AppError(fault as 'timeout', note(`pretended: ${fault}`))
    return found
  }
  return {
    convert: async ({ source, workFolder }) => {
      await opened(source)
      const pdf = join(workFolder, 'converted.pdf')
      await writeFile(pdf, await readFile(source))
      return { pdf, warnings: [note('Converted by pretending.')] }
    },
    facts: async (path) => {
      const { head } = await opened(path)
      const none = {
        title: '',
        author: '',
        subject: '',
        created: '',
        modified: '',
        pages: 1,
        form: 'none',
        encrypted: false
      }
      return { ...none, ...head }
    },
    firstText: async (path) => (await opened(path)).text
  }
}

interface Facts {
  category?: string
  title?: string
  sidecar?: object
}

export interface IntakeSetup extends KnowledgeSetup {
  folder: string
  parts: DispatchParts
  moves: FileMoves
  shelver: Shelver
  bench: Workbench
  warnings: { reason?: unknown; msg: string }[]
  fs: IntakeFileSystem
  /** A file arrives as the receiver would put it there; answers its hash. */
  arrive: (filename: string, content: string, facts?: Facts) => Promise<string>
  arriveBytes: (filename: string, content: Buffer) => Promise<string>
  /** Works off everything that is due, of these kinds. Answers how many runs there were. */
  work: (...kinds: JobKind[]) => Promise<number>
  tree: (below?: string) => Promise<string[]>
  read: (path: string) => Promise<string>
  put: (path: string, content: string) => Promise<void>
}

/** The intake on a real folder and an in-memory database, with pretended formats. `killer` stands between it and the disk. */
export async function intakeSetup(
  t: Test,
  {
    killer = new Killer(),
    readers = pretendedReaders(),
    from
  }: { killer?: Killer; readers?: SourceReaders; from?: IntakeSetup } = {}
): Promise<IntakeSetup> {
  const folder = from?.folder ?? t.testdir({})
  const knowledge = from ?? (await knowledgeSetup(t))
  const { db, jobs, uploads, catalogue, clock } = knowledge
  const now = (): number => clock.now()
  const fs = killer.wrap(intakeFileSystem)
  const warnings: IntakeSetup['warnings'] = []
  const warn = (fields: object, msg: string): void => void warnings.push({ ...fields, msg })
  const log = { warn, info: () => undefined } as never
  const moves = new FileMoves({ db, folder, now, fs })
  const bench = new Workbench({ moves, fs })
  const shelver = new Shelver({ db, catalogue, moves, log })
  const parts: DispatchParts = {
    catalogue,
    uploads,
    moves,
    shelver,
    bench,
    readers: killer.wrap(readers),
    model: () => null,
    videoPlatform: () => 'video',
    now,
    log
  }
  const take = async (filename: string, content: Buffer, facts: Facts): Promise<string> => {
    const { category = '', title = '', sidecar = {} } = facts
    const hash = sha256Hex(content)
    const extension = /\.[a-z]+$/.exec(filename)?.[0] ?? ''
    const place = extension === '.txt' ? 'text' : extension === '.vtt' ? 'transcript' : 'pdf'
    const from = { source: 'dashboard_upload', source_type: place }
    const said = { original_filename: filename, category, title, ...from, ...sidecar }
    await put(`acquired/${place}/${hash}.meta.json`, JSON.stringify(said))
    await put(`acquired/${place}/${hash}${extension}`, content)
    uploads.add({ ...from, hash, filename, extension, size: content.length, category, title, sidecar: said })
    return hash
  }
  const put = async (path: string, content: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return {
    db,
    jobs,
    uploads,
    catalogue,
    clock,
    folder,
    parts,
    moves,
    shelver,
    bench,
    warnings,
    fs,
    put,
    arriveBytes: (filename, content) => take(filename, content, {}),
    arrive: (filename, content, facts = {}) => take(filename, Buffer.from(content), facts),
    async work(...kinds) {
      let runs = 0
      for (; await workOne(knowledge, kinds.length > 0 ? kinds : [dispatchJob(parts)], killer); runs++) {
        if (runs > 1000) throw new Error('endless')
      }
      return runs
    },
    async tree(below = '') {
      const entries = await readdir(join(folder, below), { recursive: true, withFileTypes: true }).catch(() => [])
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
        .sort()
    },
    read: (path) => readFile(join(folder, path), 'utf8')
  }
}

/** One run, as the runner does it. A killed run leaves its lease behind, as a process that is gone does. */
async function workOne({ jobs, clock }: KnowledgeSetup, kinds: readonly JobKind[], killer: Killer): Promise<boolean> {
  const owner = 'a process'
  const job = killer.killed
    ? null
    : jobs.claim(
        kinds.map(({ kind }) => kind),
        { owner, leaseMs: 60_000 }
      )
  const kind = kinds.find((one) => one.kind === job?.kind)
  if (job === null || kind === undefined) return false
  try {
    const tools = { signal: new AbortController().signal, progress: () => undefined }
    const result = await kind.run(job, tools)
    if (killer.killed) return false
    if (result.end === 'done') jobs.finish(job.id, owner, result.commit)
    else jobs.hold(job.id, owner, result)
  } catch (error) {
    if (killer.killed) return false
    const permanent =
      error instanceof AppError && ['bad-input', 'invalid', 'unsupported', 'too-large'].includes(error.code)
    const reason = reasonOf(error)
    if (permanent || job.attempts >= kind.maxAttempts) jobs.die(job.id, owner, reason, () => kind.onDead(job, reason))
    else jobs.retryLater(job.id, owner, { reason, dueAt: clock.now() })
  }
  return true
}

/** The program starts again on the same folder and database, as after a kill. */
export async function restart(t: Test, from: IntakeSetup, killer = new Killer()): Promise<IntakeSetup> {
  const setup = await intakeSetup(t, { killer, from })
  from.jobs.releaseOwner('a process')
  // A job of a process that died is given back with a delay once it has died often.
  from.db.exec("UPDATE jobs SET due_at = 0 WHERE state = 'waiting'")
  const { catalogue, uploads, jobs, shelver, bench, fs } = setup
  const log = setup.parts.log as never
  await reconcile({ catalogue, uploads, jobs, shelver, bench, log, fs }).catch((error: unknown) => {
    if (!killer.killed) throw error
  })
  return setup
}
