import type { Clock } from '../clock/clock.ts'
import { watchFolder } from '../files/watch-folder.ts'
import type { Log } from '../log/log.ts'

const DEBOUNCE_MS = 100

/**
 * Calls `onChange` shortly after the file `name` in `folder` was touched. It is the folder that is watched: editors
 * replace a file by renaming, and a watch on the file itself would stay with the old one. A file system that cannot be
 * watched is logged; readers still notice changes when they refresh. Answers how to end it.
 */
export function watchFile(
  folder: string,
  name: string,
  options: { clock: Clock; log?: Pick<Log, 'warn'> | undefined; onChange: () => void }
): () => void {
  const { clock, log, onChange } = options
  return watchFolder(folder, {
    clock,
    debounceMs: DEBOUNCE_MS,
    counts: (changed) => changed === null || changed === name,
    onTouched: onChange,
    onBlind: (error) =>
      log?.warn(
        { err: error, folder },
        'the folder cannot be watched: hand edits are noticed when the configuration is next read'
      )
  })
}
