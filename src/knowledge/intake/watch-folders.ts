import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../platform/clock/clock.ts'
import { INTAKE_FOLDERS } from '../catalogue/status.ts'
import { STILL_MS } from './drops.ts'

/** Network folders and some others tell nothing of changes. */
const LOOK_MS = 30_000
/** A file that cannot be taken, such as one nobody may read, must not wake the worker for ever. */
const MOST_MS = 15 * 60_000

interface Options {
  /** `acquired/` of the data folder, with its intake folders. */
  acquired: string
  clock: Clock
  /** Resolves with true when there is something to take in. Cheap. */
  hasNews: () => Promise<boolean>
  /** There is. */
  onNews: () => void
  /** `hasNews` failed: the disk cannot be read now. */
  onError: (error: unknown) => void
}

/** Tells when somebody has put a file into an intake folder: once it is still, or half a minute later. Answers its stop. */
export function watchFolders({ acquired, clock, hasNews, onNews, onError }: Options): () => void {
  let stopped = false
  let cancel = (): void => undefined
  /** The number of times in a row there was something, and nothing in the folders has changed. */
  let again = 0
  const look = (): void => {
    hasNews()
      .then((news) => {
        again = news ? again + 1 : 0
        if (news && !stopped) onNews()
      })
      .catch(onError)
      .finally(() => plan(Math.min(MOST_MS, LOOK_MS * 2 ** Math.max(0, again - 2))))
  }
  const plan = (ms: number): void => {
    cancel()
    if (!stopped) cancel = clock.after(ms, look)
  }
  const watchers = INTAKE_FOLDERS.flatMap((name) => {
    const onChange = (): void => {
      again = 0
      plan(STILL_MS + 500)
    }
    return watchFolder(join(acquired, name), onChange)
  })
  plan(LOOK_MS)
  return () => {
    stopped = true
    cancel()
    for (const watcher of watchers) watcher.close()
  }
}

/** None where the system cannot: the regular look finds everything as well. */
function watchFolder(folder: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, onChange)
    watcher.on('error', () => watcher.close())
    return [watcher]
  } catch {
    return []
  }
}
