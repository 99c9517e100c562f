import type { Clock } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { MemoryCopy } from './memory-copy.ts'

/** Work between two looks at the radios, and the pause. */
const SLICE_MS = 5
export const PAUSE_MS = 2

interface Beside {
  clock: Clock
  log: Pick<Log, 'error'>
  isWanted: () => boolean
  /** All of it is read, or it is not wanted any more. */
  onOver: () => void
}

/** Brings what a warning does not wait for into memory, beside the radios. */
export function readBeside(memory: MemoryCopy, { clock, log, isWanted, onOver }: Beside): void {
  const rest = memory.rest()
  const goOn = (): void => {
    if (isWanted() && isMore(rest, log)) {
      clock.after(PAUSE_MS, goOn)
      return
    }
    rest.return()
    onOver()
  }
  // The warning that met the failure leaves first.
  clock.after(PAUSE_MS, goOn)
}

function isMore(rest: ReturnType<MemoryCopy['rest']>, log: Pick<Log, 'error'>): boolean {
  const until = performance.now() + SLICE_MS
  try {
    while (performance.now() < until) if (rest.next().done === true) return false
    return true
  } catch (error) {
    log.error({ err: error }, 'not all of what was sent before could be read')
    return false
  }
}
