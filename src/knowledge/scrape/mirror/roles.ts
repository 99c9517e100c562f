import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { because, shortened } from '../../../model/reason.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import type { FetchGuard } from '../../../platform/net/fetch.ts'
import { ADDRESS_LENGTH, type Capped, MOST_FINDINGS } from '../findings.ts'
import type { Frontier } from './frontier.ts'
import { type MirrorLine, type MirrorOptions, mirrorOptionsSchema } from './options.ts'

/** Waits until the line is out. */
function print(line: MirrorLine): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()))
}

/** Copies one site into `folder/site`; tells how far it is, then how it ended. Never rejects. */
export async function mirror(options: MirrorOptions, guard: FetchGuard): Promise<void> {
  try {
    const { crawlSite } = await import('./crawl.ts')
    const { writeSite } = await import('./write-site.ts')
    const { frontier, first, capped, ...end } = await crawlSite(options, {
      guard,
      onProgress: (numbers) => void print({ kind: 'progress', ...numbers }),
      onResumed: (pages) => void print({ kind: 'resumed', pages })
    })
    await writeSite(options.folder, frontier)
    await tellFindings(frontier, capped)
    frontier.close()
    await print({ kind: 'end', ...end, welcome: first.file })
  } catch (error) {
    await print({
      kind: 'error',
      code: error instanceof AppError ? error.code : 'unavailable',
      reason: reasonOf(error)
    })
  }
}

/** Of each as many as are kept with a job. */
async function tellFindings(frontier: Frontier, capped: readonly Capped[]): Promise<void> {
  const missed = [...frontier.missed()].slice(0, MOST_FINDINGS)
  for (const { entry, why } of missed)
    await print({ kind: 'missed', address: entry.url.slice(0, ADDRESS_LENGTH), reason: shortened(why) })
  for (const { pattern, ...numbers } of capped.slice(0, MOST_FINDINGS))
    await print({ kind: 'capped', pattern: pattern.slice(0, ADDRESS_LENGTH), ...numbers })
  for (const { url, file } of frontier.documents()) await print({ kind: 'document', address: url, file })
}

/** `work scrape:mirror OPTIONS`: OPTIONS is a JSON file (`mirrorOptionsSchema`). */
async function mirrorRole([file]: string[]): Promise<void> {
  if (file === undefined) throw new AppError('usage', because('work_mirror_needs'))
  const { rulesFor, siteGuard } = await import('../../../platform/net/site-guard.ts')
  const options = v.parse(mirrorOptionsSchema, JSON.parse(await readFile(file, 'utf8')))
  await mirror(options, siteGuard(rulesFor(options.url, options.allowedHosts)))
}

/**
 * The work of `lookout work scrape:…` in a bounded process of its own: the archiver that needs no container. NDJSON on
 * standard output (`mirrorLineSchema`).
 */
export const scrapeRoles: Record<string, () => Promise<(args: string[]) => Promise<void>>> = {
  'scrape:mirror': async () => mirrorRole
}
