import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { because } from '../../../model/reason.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import type { FetchGuard } from '../../../platform/net/fetch.ts'
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
    const { frontier, first, ...end } = await crawlSite(options, {
      guard,
      onProgress: (numbers) => void print({ kind: 'progress', ...numbers })
    })
    await writeSite(options.folder, frontier)
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

/** `work scrape:mirror OPTIONS`: OPTIONS is a JSON file (`mirrorOptionsSchema`). */
async function mirrorRole([file]: string[]): Promise<void> {
  if (file === undefined) throw new AppError('usage', because('work_mirror_needs'))
  const { targetGuard } = await import('../target.ts')
  await mirror(v.parse(mirrorOptionsSchema, JSON.parse(await readFile(file, 'utf8'))), targetGuard())
}

/**
 * The work of `lookout work scrape:…` in a bounded process of its own: the archiver that needs no container. NDJSON on
 * standard output (`mirrorLineSchema`).
 */
export const scrapeRoles: Record<string, () => Promise<(args: string[]) => Promise<void>>> = {
  'scrape:mirror': async () => mirrorRole
}
