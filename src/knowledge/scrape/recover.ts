import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../platform/files/atomic-file.ts'
import type { Log } from '../../platform/log/log.ts'
import { containersOf, removeContainer } from './containers.ts'
import type { EngineClient } from './engine-client.ts'
import type { ScrapeJobs } from './jobs.ts'

export interface RecoverParts {
  store: ScrapeJobs
  zimFolder: string
  /** Value of the label; see `stationLabel`. */
  station: string
  engines: { installed: () => EngineClient[] }
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * Once at the start, before jobs are begun: jobs that lost their place in the queue get it back, containers of this station
 * whose job is over are stopped and removed, folders of such jobs too. A container whose job is not over is left: the job's
 * next run goes on with it. Never rejects.
 */
export async function recoverScrapes({ store, zimFolder, station, engines, log }: RecoverParts): Promise<void> {
  const lost = store.requeueLost()
  let containers = 0
  for (const client of engines.installed()) {
    for (const { name, jobId } of await containersOf(client, station).catch(() => [])) {
      if (store.isActive(jobId)) continue
      await removeContainer(client, name)
        .then(() => containers++)
        .catch((error: unknown) => log.warn({ err: error, name }, 'a container of the archiver could not be removed'))
    }
  }
  let folders = 0
  for (const name of await names(zimFolder)) {
    const id = /^\.scrape-(\d+)$/.exec(name)?.[1]
    if (id === undefined || store.isActive(Number(id))) continue
    await rm(join(zimFolder, name), { recursive: true, force: true })
      .then(() => folders++)
      .catch((error: unknown) => log.warn({ err: error, name }, 'a folder of the archiver could not be removed'))
  }
  if (lost + containers + folders > 0) log.info({ lost, containers, folders }, 'archivings were put in order')
}

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
