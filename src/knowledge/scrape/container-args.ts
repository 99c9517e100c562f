import { because, type Reason } from '../../model/reason.ts'
import { PROGRESS_FILE, STATS_FILE } from './crawl-stats.ts'
import type { ScrapeJob } from './job.ts'
import type { Pinned } from './target.ts'

const GIB = 1024 ** 3
/** The memory that the browser shares between its processes. */
const SHARED_MEMORY = '512m'
const PROCESSES = 1024
const DESCRIPTION_LENGTH = 80
const TITLE_LENGTH = 30
/** The soft limit ends the crawl with an archive of what there is; the hard one is for a crawl that goes on all the same. */
const HARD = 1.25

/** The options that the crawler of this image has: versions differ. */
export interface CrawlerOptions {
  /** Its option for a pause after each page, or null. */
  delay: '--pageExtraDelay' | '--delay' | null
  softLimits: boolean
}

/** The options of an image, read from what it says about itself. */
export function crawlerOptions(help: string): CrawlerOptions {
  const has = (option: string): boolean => new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(help)
  return {
    delay: has('--pageExtraDelay') ? '--pageExtraDelay' : has('--delay') ? '--delay' : null,
    softLimits: has('--sizeSoftLimit') && has('--timeSoftLimit')
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

/** The arguments of zimit (its options as of version 3). */
function zimitArgs({ job, options, contact }: ContainerPlan): string[] {
  const { limits } = job
  const host = new URL(job.url).hostname
  const seconds = limits.maxMinutes * 60
  const limit = (name: string, value: number): string[] =>
    options.softLimits
      ? [`--${name}SoftLimit`, String(value), `--${name}HardLimit`, String(Math.round(value * HARD))]
      : [`--${name}HardLimit`, String(value)]
  const delay = pageDelay(job, options)
  return [
    ...['--seeds', job.url, '--name', host.replace(/[^a-z0-9.-]/gi, '_'), '--output', '/output'],
    ...['--zim-lang', job.language, '--title', clipped(job.title, TITLE_LENGTH)],
    ...['--description', clipped(`A copy of ${host}, made by Lookout`, DESCRIPTION_LENGTH)],
    ...['--workers', '1', '--scopeType', limits.scope, '--pageLimit', String(limits.maxPages)],
    ...limit('size', limits.maxBytes),
    ...limit('time', seconds),
    ...['--zimit-progress-file', PROGRESS_FILE, '--statsFilename', STATS_FILE],
    ...(delay === null ? [] : delay),
    ...(contact === '' ? [] : ['--adminEmail', contact])
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
