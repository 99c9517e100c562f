import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import type { Bulk, BulkEntry } from '../../../../src/knowledge/intake/bulk/bulk.ts'
import { type BulkParts, bulkJob } from '../../../../src/knowledge/intake/bulk/job.ts'
import { addressLines } from '../../../../src/knowledge/intake/bulk/list.ts'
import { BULK_KIND, BulkStore } from '../../../../src/knowledge/intake/bulk/store.ts'
import { ownProgram } from '../../../../src/platform/process/own-program.ts'
import { type Intake, intake } from '../../../helpers/knowledge.ts'
import { guard } from '../../../helpers/public-site.ts'
import { runnable } from '../../../helpers/runnable.ts'

const { flags: execArgv, file: entry } = runnable('test/helpers/work-entry.ts')
const DISK = '/media/stick\tABCD-1234'

export interface BulkSetup extends Intake {
  store: BulkStore
  parts: BulkParts
  /** The disk that is plugged in now; null: none. */
  plug: (disk: string | null) => void
  /** A folder of files, by their paths. */
  stick: (files: Record<string, string | Buffer>) => string
  begin: (from: { folder?: string; list?: string; category?: string }) => Bulk
  /** Runs the durable job until it has ended or is held, as the runner would; answers how it ended. */
  run: (bulk: Bulk, signal?: AbortSignal) => Promise<string>
  /** The state of each entry, by its path or address. */
  outcomes: (bulk: Bulk) => Record<string, BulkEntry['state']>
  entry: (bulk: Bulk, what: string) => BulkEntry
}

/** Lists and folders over a real data folder and a real database, on a clock that stands still; the Internet is 127.0.0.2. */
export async function bulkSetup(
  t: Test,
  patch: Partial<BulkParts> = {},
  options: { free?: () => number } = {}
): Promise<BulkSetup> {
  const made = await intake(t, options)
  const now = () => made.clock.now()
  const store = new BulkStore({ db: made.db, jobs: made.jobs, now })
  let disk: string | null = DISK
  const parts: BulkParts = {
    store,
    uploads: made.uploads,
    receiver: made.receiver,
    dataFolder: made.folder,
    web: () => ({
      userAgent: 'Lookout/1',
      languages: ['en'],
      videoPlatform: 'video',
      guard: guard().guard,
      program: (args) => ownProgram(args, { entry, execArgv })
    }),
    clock: made.clock,
    log: { info: () => undefined, warn: () => undefined },
    disk: async () => disk,
    times: { pauseMs: 0 },
    ...patch
  }
  const kind = bulkJob(parts)
  const entriesOf = (bulk: Bulk) => store.entries(bulk.id, { after: 0, limit: 100_000 })
  return {
    ...made,
    store,
    parts,
    plug: (next) => {
      disk = next
    },
    stick: (files) => {
      const folder = mkdtempSync(join(tmpdir(), 'lookout-stick-'))
      t.teardown(() => rmSync(folder, { recursive: true, force: true }))
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), content)
      }
      return folder
    },
    begin: ({ folder, list = '', category = '' }) =>
      store.create({
        kind: folder === undefined ? 'addresses' : 'folder',
        place: folder ?? '',
        disk: folder === undefined ? null : disk,
        category,
        list: folder === undefined ? addressLines(list).join('\n') : ''
      }),
    run: async (bulk, signal = new AbortController().signal) => {
      for (let rounds = 0; rounds < 1000; rounds++) {
        const job = made.jobs.claim([BULK_KIND], { owner: 'test', leaseMs: 60_000 })
        if (job === null) return store.byId(bulk.id)?.state ?? 'gone'
        const result = await kind.run(job, { signal, progress: () => undefined })
        if (result.end === 'held') {
          made.jobs.hold(job.id, 'test', result)
          return 'held'
        }
        made.jobs.finish(job.id, 'test', result.commit)
      }
      throw new Error('it does not end')
    },
    outcomes: (bulk) => Object.fromEntries(entriesOf(bulk).map(({ what, state }) => [what, state])),
    entry: (bulk, what) => {
      const found = entriesOf(bulk).find((one) => one.what === what)
      if (found === undefined) throw new Error(`no entry ${what}`)
      return found
    }
  }
}
