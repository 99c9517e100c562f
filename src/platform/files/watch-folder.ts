import { watch } from 'node:fs'
import type { Clock } from '../clock/clock.ts'

export interface FolderWatch {
  clock: Clock
  /** So long after the last change. */
  debounceMs: number
  /** At the latest so long after the first change, however many follow. */
  mostMs?: number
  /** Says of a name whether it counts; null where the system tells none. */
  counts: (name: string | null) => boolean
  onTouched: () => void
  /** The file system cannot be watched, now or any more. */
  onBlind: (error: unknown) => void
}

/** Calls `onTouched` shortly after something in the folder has changed. Answers how to end it. */
export function watchFolder(
  folder: string,
  { clock, debounceMs, mostMs = Number.POSITIVE_INFINITY, counts, onTouched, onBlind }: FolderWatch
): () => void {
  let cancel = (): void => undefined
  let since: number | null = null
  const touched = (): void => {
    since = null
    onTouched()
  }
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (!counts(name)) return
      since ??= clock.now()
      cancel()
      cancel = clock.after(Math.max(0, Math.min(debounceMs, since + mostMs - clock.now())), touched)
    })
    watcher.on('error', onBlind)
    return () => {
      cancel()
      watcher.close()
    }
  } catch (error) {
    onBlind(error)
    return cancel
  }
}
