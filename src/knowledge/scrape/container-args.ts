import { because, type Reason } from '../../model/reason.ts'
import { PROGRESS_FILE, STATS_FILE } from './crawl-stats.ts'
import type { ScrapeJob } from './job.ts'
import { excludeExpression, includeExpression } from './path-patterns.ts'
import type { Pinned } from './target.ts'

const GIB = 1024 ** 3
/** The memory that the browser shares between its processes. */
const SHARED_MEMORY = '512m'
const PROCESSES = 1024
const DESCRIPTION_LENGTH = 80
const TITLE_LENGTH = 30

/** The options that the crawler of this image has: versions differ. */
export interface CrawlerOptions {
  /** Its option for a pause after each page, or null. */
  delay: '--pageExtraDelay' | '--delay' | null
  /** At these it makes an archive of what it has. It takes a soft limit or a hard one, never both. */
  softLimits: boolean
  /** Its options for regular expressions of addresses, or null. */
  patterns: { include: string; exclude: string } | null
}

/** The options of an image, read from what it says about itself. */
export function crawlerOptions(help: string): CrawlerOptions {
  const has = (option: string): boolean => new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(help)
  return {
    delay: has('--pageExtraDelay') ? '--pageExtraDelay' : has('--delay') ? '--delay' : null,
    softLimits: has('--sizeSoftLimit') && has('--timeSoftLimit'),
    patterns: has('--scopeExcludeRx')
      ? { include: '--scopeIncludeRx', exclude: '--scopeExcludeRx' }
      : has('--exclude')
        ? { include: '--include', exclude: '--exclude' }
        : null
  }
}

export interface ContainerPlan {
  name: string
  /** The station it belongs to: value of the label `lookout`. */
  station: string
  image: string
  /** On this machine; becomes `/output`. */
  folder: string
  memoryBytes: number
  /** Hosts whose addresses were checked: the container is told them, and asks nobody. */
  pinned: readonly Pinned[]
  job: ScrapeJob
  options: CrawlerOptions
  /** The address a site may write to; empty when nobody said. */
  contact: string
}

/** `run …`: detached, so that the container does not hang on the process that started it; nothing is ever downloaded. */
export function runArgs(plan: ContainerPlan): string[] {
  const { name, station, image, folder, memoryBytes, pinned, job } = plan
  return [
    ...['run', '--detach', '--pull', 'never', '--name', name, '--label', `lookout=${station}`],
    ...['--label', `lookout.job=${job.id}`, '--memory', String(memoryBytes), '--shm-size', SHARED_MEMORY],
    ...['--pids-limit', String(PROCESSES), '--log-driver', 'json-file', '--log-opt', 'max-size=10m'],
    ...pinned.flatMap(({ host, address }) => (host === address ? [] : ['--add-host', `${host}:${address}`])),
    ...['--volume', `${folder}:/output`, image, 'zimit', ...zimitArgs(plan)]
  ]
}

/** The arguments of zimit (its options as of version 3: docs/decisions/0076). */
function zimitArgs({ job, options, contact }: ContainerPlan): string[] {
  const { limits } = job
  const host = new URL(job.url).hostname
  const seconds = limits.maxMinutes * 60
  const limit = (name: string, value: number): string[] => [
    `--${name}${options.softLimits ? 'Soft' : 'Hard'}Limit`,
    String(value)
  ]
  const delay = pageDelay(job, options)
  return [
    ...['--seeds', seedOf(job.url), '--name', host.replace(/[^a-z0-9.-]/gi, '_'), '--output', '/output'],
    ...['--zim-lang', job.language, '--title', titleOf(job)],
    ...['--description', clipped(`A copy of ${host}, made by Lookout`, DESCRIPTION_LENGTH)],
    ...['--workers', '1', ...scopeArgs(job, options), '--pageLimit', String(limits.maxPages)],
    ...limit('size', limits.maxBytes),
    ...limit('time', seconds),
    ...['--zimit-progress-file', PROGRESS_FILE, '--statsFilename', STATS_FILE],
    ...(delay === null ? [] : delay),
    ...(contact === '' ? [] : ['--adminEmail', contact])
  ]
}

/** Several seeds are separated by commas: one in an address is written otherwise. */
function seedOf(url: string): string {
  return url.replaceAll(',', '%2C')
}

/** A value that begins with a dash is taken for an option. */
function titleOf({ title, url }: ScrapeJob): string {
  const plain = title.replace(/^[-\s]+/, '')
  return clipped(plain === '' ? new URL(url).hostname : plain, TITLE_LENGTH)
}

/** A scope it knows by name adds to the addresses that are included: with patterns the scope is told as a part of them. */
function scopeArgs({ url, limits }: ScrapeJob, { patterns }: CrawlerOptions): string[] {
  const { scope, include, exclude } = limits
  const included = includeExpression(include, { first: new URL(url), scope })
  const excluded = excludeExpression(exclude)
  return [
    ...(patterns === null || included === ''
      ? ['--scopeType', scope]
      : ['--scopeType', 'custom', patterns.include, included]),
    ...(patterns === null || excluded === '' ? [] : [patterns.exclude, excluded])
  ]
}

/** Notes on the wishes of a job that its crawler could not follow. */
export function unfollowed(job: ScrapeJob, options: CrawlerOptions): Reason[] {
  const { include, exclude, documents } = job.limits
  const delay = delayNote(job, options)
  return [
    ...(delay === null ? [] : [delay]),
    ...(options.patterns === null && include.length + exclude.length > 0 ? [because('patterns_not_applied')] : []),
    ...(documents ? [because('documents_want_built_in')] : [])
  ]
}

function pageDelay({ limits: { delay } }: ScrapeJob, { delay: option }: CrawlerOptions): string[] | null {
  // The crawler takes whole seconds: never less than what was asked for.
  return option === null || delay === 0 ? null : [option, String(Math.ceil(delay))]
}

/** The job's note on the pause between pages, or null when it is as configured (contract §9). */
export function delayNote({ limits: { delay } }: ScrapeJob, { delay: option }: CrawlerOptions): Reason | null {
  if (delay === 0) return null
  if (option === null) return because('crawl_pause_ignored', { seconds: delay })
  return Number.isInteger(delay) ? null : because('crawl_pause_rounded', { seconds: Math.ceil(delay) })
}

/** For one container: what is left to the rest of the machine is at least as much as it takes for itself. */
export function containerMemory(totalBytes: number): number {
  return Math.round(Math.min(4 * GIB, Math.max(GIB, totalBytes * 0.6)))
}

function clipped(text: string, length: number): string {
  const letters = [...text]
  return letters.length <= length ? text : `${letters.slice(0, length - 1).join('')}…`
}
