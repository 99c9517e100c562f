import { readdir, rm, stat } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { because } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import type { Log } from '../../platform/log/log.ts'
import { type CrawlerOptions, containerMemory, crawlerOptions, runArgs, unfollowed } from './container-args.ts'
import {
  allWords,
  type ContainerState,
  containerName,
  containersOf,
  inspectContainer,
  lastWords,
  removeContainer,
  startContainer
} from './containers.ts'
import { Cancelled, type CrawlEngine, type Crawled, type CrawlTools } from './crawl-engine.ts'
import { failuresIn } from './crawl-failures.ts'
import { type CrawlNumbers, readCrawlNumbers } from './crawl-stats.ts'
import type { Engines } from './engine.ts'
import type { EngineClient } from './engine-client.ts'
import { endFailure, PARTIAL_CODES } from './exit-codes.ts'
import type { ScrapeJob } from './job.ts'
import { pause } from './pause.ts'
import type { Pinned } from './target.ts'

const LOOK_MS = 2000
/** An engine that is being restarted does not answer for a while. */
const SILENT_ENGINE_MS = 5 * 60_000
/** A crawler that fetches nothing and says nothing for so long hangs. */
const STALL_MS = 45 * 60_000
/** Beyond the time of the crawl: the archive is written then. */
const WRITING_MS = 2 * 3_600_000
const HELP_MS = 90_000

export interface ContainerParts {
  engines: Engines
  /** Value of the label; see `stationLabel`. */
  station: string
  image: () => string
  contact: () => string
  /** Every host on the way to the first page, with an address that was checked. @throws AppError. */
  walk: (job: ScrapeJob, signal: AbortSignal) => Promise<readonly Pinned[]>
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  memoryBytes?: number
  /** Tests wait less. */
  times?: { lookMs?: number; stallMs?: number; silentMs?: number; writingMs?: number }
}

/**
 * Archives with zimit in a container of docker or podman. The container is started detached and watched by asking for its
 * state, so that whatever becomes of clients, or of us, it is found again by its name: a run that finds its container goes on
 * with it.
 */
export class ContainerEngine implements CrawlEngine {
  readonly kind = 'container'
  readonly #parts: ContainerParts

  constructor(parts: ContainerParts) {
    this.#parts = parts
  }

  async crawl(job: ScrapeJob, folder: string, tools: CrawlTools): Promise<Crawled> {
    const client = await this.#parts.engines.client()
    if (client === null) throw new AppError('missing', because('no_container_engine'))
    const name = containerName(this.#parts.station, job.id)
    const output = join(folder, 'output')
    try {
      const options = await this.#begin(client, job, { name, folder, output, tools })
      const ended = await this.#watch(client, job, { name, output, tools })
      const crawled = await this.#harvest(client, { name, output, ended })
      return { ...crawled, notes: [...crawled.notes, ...unfollowed(job, options)] }
    } catch (error) {
      // A container that goes on without us is found again; after anything else there is nothing to find.
      if (!tools.signal.aborted || tools.signal.reason instanceof Cancelled) await this.abandon(job.id, folder)
      throw error
    }
  }

  async abandon(jobId: number, folder: string): Promise<void> {
    for (const client of this.#parts.engines.installed()) {
      const mine = await containersOf(client, this.#parts.station).catch(() => [])
      for (const { name } of mine.filter((one) => one.jobId === jobId)) {
        await removeContainer(client, name).catch((error: unknown) => {
          this.#parts.log.warn({ err: error, name }, 'a container of the archiver could not be removed')
        })
      }
    }
    await this.#removeFolder(folder)
  }

  /** Starts the container, unless it is there already. */
  async #begin(
    client: EngineClient,
    job: ScrapeJob,
    { name, folder, output, tools }: { name: string; folder: string; output: string; tools: CrawlTools }
  ): Promise<CrawlerOptions> {
    const { signal } = tools
    const { image, contact, walk, station, log, memoryBytes = totalmem() } = this.#parts
    const options = await this.#options(client)
    const found = await inspectContainer(client, name)
    if (found?.running === true || (found?.begun === true && (await archiveIn(output)) !== null)) {
      log.info({ name }, 'a container of the archiver is gone on with')
      tools.resumed((await readCrawlNumbers(output))?.done ?? 0)
      return options
    }
    if (found !== null) await removeContainer(client, name)
    if (folder.includes(':')) throw new AppError('invalid', because('data_path_colon'))
    const pinned = await walk(job, signal)
    signal.throwIfAborted()
    await this.#removeFolder(folder)
    await makeBelow(dirname(folder), output)
    const plan = { name, station, image: image(), folder: output, pinned, job, options, contact: contact() }
    try {
      await startContainer(client, runArgs({ ...plan, memoryBytes: containerMemory(memoryBytes) }))
    } catch (error) {
      // The client may have died after it had done its work; a short crawl may even be over by now.
      const started = await inspectContainer(client, name)
      if (started === null || !(started.running || started.begun)) throw error
    }
    return options
  }

  /** The abilities of its crawler, by what it says about itself. One that says nothing is told the least. */
  async #options(client: EngineClient): Promise<CrawlerOptions> {
    const args = ['run', '--rm', '--pull', 'never', '--network', 'none', this.#parts.image(), 'zimit', '--help']
    const said = await client.call(args, { timeMs: HELP_MS }).catch(() => null)
    return crawlerOptions(said === null ? '' : `${said.stdout}\n${said.stderr}`)
  }

  /** Until it has ended. */
  async #watch(
    client: EngineClient,
    job: ScrapeJob,
    { name, output, tools }: { name: string; output: string; tools: CrawlTools }
  ): Promise<Extract<ContainerState, { running: false }>> {
    const { clock, times = {} } = this.#parts
    const { lookMs = LOOK_MS, silentMs = SILENT_ENGINE_MS } = times
    const vigil = new Vigil(job, clock.now(), times)
    let answered = clock.now()
    for (;;) {
      tools.signal.throwIfAborted()
      const state = await inspectContainer(client, name).catch((error: unknown) => {
        if (clock.now() - answered > silentMs) throw error
        return undefined
      })
      if (state === null) throw new AppError('unavailable', because('container_removed'))
      if (state !== undefined) answered = clock.now()
      const numbers = await readCrawlNumbers(output)
      if (numbers !== null) tools.progress(numbers)
      if (state?.running === false) return state
      vigil.look(clock.now(), numbers)
      await pause(clock, lookMs, tools.signal)
    }
  }

  /** The archive it left. The container stays until the archive has its place (`abandon`): until then it proves how it ended. */
  async #harvest(
    client: EngineClient,
    { name, output, ended }: { name: string; output: string; ended: Extract<ContainerState, { running: false }> }
  ): Promise<Crawled> {
    const file = await archiveIn(output)
    const usable = ended.exitCode === 0 || PARTIAL_CODES.has(ended.exitCode)
    if (file === null || !usable || ended.outOfMemory) {
      const said = await lastWords(client, name).catch(() => '')
      if (ended.exitCode === 0 && !ended.outOfMemory)
        throw new AppError(
          'invalid',
          said === '' ? because('crawler_left_nothing') : because('crawler_left_nothing_said', { said })
        )
      throw endFailure(ended, said)
    }
    const numbers = await readCrawlNumbers(output)
    const partial = ended.exitCode !== 0 || numbers?.partial === true || numbers?.limitHit === true
    const missed = failuresIn(await allWords(client, name).catch(() => ''))
    const missedCount = Math.max(missed.length, numbers?.failed ?? 0)
    const notes = [
      ...(partial ? [because('a_limit_was_reached')] : []),
      ...(missedCount > 0 ? [because('pages_not_fetched', { count: missedCount })] : [])
    ]
    return { file, notes, findings: { missed, missedCount, capped: [] }, documents: [] }
  }

  /** The crawler writes as root where the engine does; what we may not remove the engine removes. */
  async #removeFolder(folder: string): Promise<void> {
    try {
      await rm(folder, { recursive: true, force: true })
      return
    } catch (error) {
      if (!['EACCES', 'EPERM'].includes(errorCode(error))) this.#parts.log.warn({ err: error, folder }, COULD_NOT)
    }
    const client = await this.#parts.engines.client()
    const volume = `${dirname(folder)}:/work`
    const args = ['run', '--rm', '--pull', 'never', '--network', 'none', '--volume', volume, '--entrypoint', 'rm']
    await client?.call([...args, this.#parts.image(), '-rf', `/work/${basename(folder)}`]).catch(() => null)
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      this.#parts.log.warn({ err: error, folder }, COULD_NOT)
    )
  }
}

const COULD_NOT = 'a folder of the archiver could not be removed'

/** The archive a crawl left: the largest, when there are several; null without one. */
async function archiveIn(folder: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => [])
  let best: { path: string; size: number } | null = null
  for (const name of names.filter((one) => one.endsWith('.zim'))) {
    const { size } = await stat(join(folder, name))
    if (size > (best?.size ?? 0)) best = { path: join(folder, name), size }
  }
  return best?.path ?? null
}

/** Notices a crawl that stands still, and one that outlives its own limits. */
class Vigil {
  readonly #deadline: number
  readonly #stallMs: number
  #seen = ''
  #changed: number

  constructor(
    job: ScrapeJob,
    now: number,
    { stallMs = STALL_MS, writingMs = WRITING_MS }: NonNullable<ContainerParts['times']>
  ) {
    this.#deadline = now + job.limits.maxMinutes * 1.25 * 60_000 + writingMs
    this.#stallMs = stallMs
    this.#changed = now
  }

  /** @throws AppError `timeout`. */
  look(now: number, numbers: CrawlNumbers | null): void {
    const seen = JSON.stringify(numbers)
    if (seen !== this.#seen) {
      this.#seen = seen
      this.#changed = now
    }
    if (now > this.#deadline) throw new AppError('timeout', because('crawl_too_long'))
    if (now - this.#changed > this.#stallMs)
      throw new AppError('timeout', because('crawl_stood_still', { minutes: Math.round(this.#stallMs / 60_000) }))
  }
}
