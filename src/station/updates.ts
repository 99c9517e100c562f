import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { StartOptions } from '../cli/verb.ts'
import type { FoundBundle, StagedBundle, UpdateOutcome, UpdatePort, UpdateState } from '../dashboard/server/update.ts'
import { PartialUploads } from '../knowledge/intake/partial-uploads.ts'
import { checkSpace, hashFile } from '../knowledge/intake/parts.ts'
import { because, type Reason } from '../model/reason.ts'
import type { AuditLog } from '../platform/audit/audit-log.ts'
import { type Clock, systemClock } from '../platform/clock/clock.ts'
import type { Stopper } from '../platform/clock/stopper.ts'
import { AppError, reasonOf } from '../platform/errors.ts'
import { placeFile, writeFileAtomic } from '../platform/files/atomic-file.ts'
import { makeBelow } from '../platform/files/make-below.ts'
import type { Log } from '../platform/log/log.ts'
import { versionOrder } from '../platform/release/version-order.ts'
import { checkBundle, type Verdict } from './bundle-check.ts'
import { findBundles, STICKS } from './bundle-search.ts'
import { UnansweredWish } from './unanswered-wish.ts'
import {
  IMAGE_MARK,
  numberIn,
  type RootState,
  readStaged,
  readUpdateState,
  stagedText,
  UPDATE_STATE
} from './update-files.ts'

/** A bundle is at most 75 MB (docs/operator.md); deploy/systemd/lookout-update takes no more than this. Bytes. */
const MOST_BYTES = 200 * 2 ** 20
const MIN_FREE_BYTES = 64 * 2 ** 20
const LOOK_MS = 5000
const STATION = 'station'

export interface UpdatesOptions {
  dataFolder: string
  version: string
  log: Log
  audit: Pick<AuditLog, 'add'> | null
  clock?: Clock
  /** The file in which root tells of it. */
  updateState?: string
  /** The file that an image has. */
  imageMark?: string
  /** Folders below which sticks are mounted. */
  sticks?: readonly string[]
  check?: (file: string) => Promise<Verdict>
}

/**
 * Brings the program to another release as far as a service without rights can: it takes a bundle in and looks at it; root installs
 * it (docs/decisions/0042) and tells how that went. Everything lies in `update/` of the data folder.
 */
export class Updates implements UpdatePort {
  readonly uploads: PartialUploads
  readonly #o: Required<UpdatesOptions>
  readonly #folder: string
  readonly #unanswered: UnansweredWish
  #staged: StagedBundle | null = null
  #root: RootState | null = null
  #busy: 'copying' | 'checking' | null = null
  #asked = 0
  readonly #isImage: boolean
  #cancel: () => void = () => undefined

  private constructor(options: Required<UpdatesOptions>) {
    this.#o = options
    this.#folder = join(options.dataFolder, 'update')
    this.#unanswered = new UnansweredWish(this.#file('request'), options.clock)
    this.#isImage = existsSync(options.imageMark)
    this.uploads = new PartialUploads({
      now: () => options.clock.now(),
      receiver: {
        partsFolder: join(this.#folder, '.parts'),
        settings: { maxBytes: MOST_BYTES },
        checkSpace: (wanted) => this.#checkSpace(wanted),
        refuseHead: refuseNoXz,
        accept: async ({ path, size, hash }, { filename }) => {
          this.#refuseWhileBusy()
          await this.#stage(path, { name: basename(filename), size, sha256: hash })
        }
      }
    })
  }

  static async open(options: UpdatesOptions): Promise<Updates> {
    const updates = new Updates({
      clock: systemClock,
      updateState: UPDATE_STATE,
      imageMark: IMAGE_MARK,
      sticks: STICKS,
      check: checkBundle,
      ...options
    })
    await updates.#look()
    return updates
  }

  state(): UpdateState {
    const root = this.#root
    const isInstalling = root !== null && (root.state === 'running' || this.#asked > root.asked)
    return {
      way: this.#isImage ? 'image' : (root?.way ?? 'by_hand'),
      version: this.#o.version,
      platform: `linux-${process.arch}`,
      busy: isInstalling ? 'installing' : this.#busy,
      bundle: this.#staged === null ? null : besideRunning(this.#staged, this.#o.version),
      last: root?.outcome ?? null
    }
  }

  find(): Promise<FoundBundle[]> {
    return findBundles(this.#o.sticks)
  }

  async take(path: string): Promise<void> {
    this.#refuseWhileBusy()
    const found = (await this.find()).find((one) => one.path === path)
    if (found === undefined) throw new AppError('not-found', because('bundle_not_found', { path }))
    await this.#checkSpace(found.size)
    this.#busy = 'copying'
    const part = join(this.#folder, '.parts', 'copy')
    // Nobody waits for a slow stick: the page asks how far it is.
    void this.#copy(found, part).catch((error: unknown) => this.#notTaken(found, error))
  }

  async discard(): Promise<void> {
    this.#refuseWhileBusy()
    await this.#remove()
  }

  async install({ older, by }: { older: boolean; by: string }): Promise<void> {
    await this.#readRoot()
    const { way } = this.state()
    if (way !== 'page') throw new AppError('unavailable', because(NOT_FROM_HERE[way]))
    this.#refuseWhileBusy()
    const { facts, sha256 } = this.state().bundle ?? { facts: null, sha256: '' }
    if (facts === null) throw new AppError('conflict', because('bundle_none_here'))
    if (!facts.fits) throw new AppError('conflict', because('bundle_other_machine'))
    if (facts.order === 'older' && !older) throw new AppError('conflict', because('bundle_older'))
    const asked = Math.max(this.#asked, this.#root?.asked ?? 0) + 1
    this.#o.audit?.add({ by, what: because('audit_update_asked', { version: facts.version }) })
    const lines = `sha256=${sha256}\nolder=${older ? 'yes' : 'no'}\nasked=${asked}\n`
    await writeFileAtomic(this.#file('request'), lines, { mode: 0o600 })
    this.#asked = asked
    this.#later()
  }

  close(): void {
    this.#cancel()
  }

  async #look(): Promise<void> {
    await this.#readRoot()
    this.#asked = Math.max(this.#asked, await numberIn(this.#file('request'), /^asked=(\d{1,15})$/m))
    this.#staged = await readStaged(this.#file('bundle.json'))
    await this.#tellOutcome()
    if (this.state().busy === 'installing') this.#later()
    else if (this.#staged !== null && this.#staged.facts === null && this.#staged.refused === null) this.#checkSoon()
  }

  /** Root says nothing to us: while it works we look. */
  #later(): void {
    this.#cancel()
    this.#cancel = this.#o.clock.after(LOOK_MS, () => {
      this.#readRoot()
        .then(() => this.#unanswered.look(this.#isUnanswered()))
        .then(() => this.#tellOutcome())
        .then(
          () => (this.state().busy === 'installing' ? this.#later() : undefined),
          (error: unknown) => this.#o.log.warn({ err: error }, 'the end of an installation could not be told')
        )
    })
  }

  #isUnanswered(): boolean {
    return this.#root !== null && this.#root.state !== 'running' && this.#asked > this.#root.asked
  }

  async #readRoot(): Promise<void> {
    this.#root = await readUpdateState(this.#o.updateState)
  }

  /** Once for each installation, also when the program that asked for it is another one. */
  async #tellOutcome(): Promise<void> {
    const root = this.#root
    if (root === null || root.outcome === null || root.state === 'running') return
    if (root.asked <= (await numberIn(this.#file('told'), /^(\d{1,15})$/m))) return
    const what = told(root.outcome)
    this.#o.audit?.add({ by: STATION, what })
    this.#o.log[root.outcome.outcome === 'updated' ? 'info' : 'warn'](what)
    if (root.outcome.outcome === 'updated') await this.#remove()
    await makeBelow(this.#o.dataFolder, this.#folder)
    await writeFileAtomic(this.#file('told'), `${root.asked}\n`, { mode: 0o600 })
  }

  async #copy({ path, size }: FoundBundle, part: string): Promise<void> {
    await pipeline(createReadStream(path), createWriteStream(part, { mode: 0o600 }))
    if ((await stat(part)).size !== size) throw new AppError('conflict', because('bundle_not_found', { path }))
    const sha256 = await hashFile(part)
    await this.#stage(part, { name: basename(path), size, sha256 })
  }

  #notTaken({ path, size }: FoundBundle, error: unknown): void {
    this.#busy = null
    this.#o.log.warn({ err: error }, 'a bundle could not be copied')
    const refused = because('bundle_not_copied', { why: reasonOf(error) })
    this.#staged = { name: basename(path), size, sha256: '', facts: null, refused }
  }

  async #stage(part: string, facts: Pick<StagedBundle, 'name' | 'size' | 'sha256'>): Promise<void> {
    await this.#remove()
    await placeFile(part, this.#file('bundle'))
    await this.#keep({ ...facts, facts: null, refused: null })
    this.#checkSoon()
  }

  async #keep(staged: StagedBundle): Promise<void> {
    this.#staged = staged
    await writeFileAtomic(this.#file('bundle.json'), stagedText(staged), { mode: 0o600 })
  }

  #checkSoon(): void {
    this.#busy = 'checking'
    this.#check().then(
      () => (this.#busy = null),
      (error: unknown) => {
        this.#busy = null
        this.#o.log.error({ err: error }, 'what was found out about a bundle could not be stored')
      }
    )
  }

  async #check(): Promise<void> {
    const staged = this.#staged
    if (staged === null) return
    const verdict = await this.#o.check(this.#file('bundle'))
    await this.#keep({ ...staged, ...verdict })
    this.#o.log.info({ bundle: staged.name, version: verdict.facts?.version ?? '' }, 'a bundle was looked at')
  }

  async #remove(): Promise<void> {
    this.#staged = null
    for (const name of ['bundle', 'bundle.json']) await rm(this.#file(name), { force: true })
  }

  async #checkSpace(wanted: number): Promise<void> {
    await makeBelow(this.#o.dataFolder, join(this.#folder, '.parts'))
    await checkSpace(this.#folder, wanted, MIN_FREE_BYTES)
  }

  /** @throws AppError `conflict` */
  #refuseWhileBusy(): void {
    if (this.state().busy !== null) throw new AppError('conflict', because('update_running'))
  }

  #file(name: string): string {
    return join(this.#folder, name)
  }
}

/** The program that runs may be another one than when it was looked at. */
function besideRunning(staged: StagedBundle, running: string): StagedBundle {
  const { facts } = staged
  return facts === null ? staged : { ...staged, facts: { ...facts, order: versionOrder(facts.version, running) } }
}

function told({ outcome, from, to, reason }: UpdateOutcome): Reason {
  const why = reason ?? because('update_interrupted')
  if (outcome === 'updated') return because('audit_update_done', { from, version: to })
  if (outcome === 'rolled_back') return because('audit_update_rolled_back', { from, version: to, why })
  return because('audit_update_refused', { version: to, why })
}

const NOT_FROM_HERE = {
  package: 'update_package',
  image: 'update_image',
  by_hand: 'update_not_here'
} as const satisfies Record<Exclude<UpdateState['way'], 'page'>, string>

/** xz-file-format-1.2.1 §2.1.1.1. */
const XZ = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])

function refuseNoXz(head: Buffer): void {
  if (!head.subarray(0, XZ.length).equals(XZ)) throw new AppError('unsupported', because('bundle_no_archive'))
}

/** Null in a preview, which changes nothing. */
export async function openUpdates(
  options: UpdatesOptions & { mode: StartOptions['mode'] },
  stopper: Stopper
): Promise<Updates | null> {
  if (options.mode === 'preview') return null
  const updates = await Updates.open(options)
  stopper.add('updates', () => updates.close())
  return updates
}
