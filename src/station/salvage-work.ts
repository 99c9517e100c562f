import type { WorkContext } from '../cli/verb.ts'
import { because } from '../model/reason.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log/log.ts'
import { SideProcess } from '../platform/process/side-process.ts'
import { serveSide } from '../platform/process/side-service.ts'
import { type Salvaged, salvageHere } from '../warning/outbox/salvage.ts'

const HEAP_MIB = 96
const IDLE_MS = 5000
/** A large file on a dying card; it is begun anew after that. */
const LONGEST_MS = 3_600_000

/** Role `salvage`: reads a damaged database where nobody waits for it. */
export async function runSalvage(_: WorkContext): Promise<number> {
  const side = serveSide({
    handlers: {
      salvage: (asked) => {
        const { path, renewed } = asked as Record<string, unknown>
        if (typeof path !== 'string' || typeof renewed !== 'string')
          throw new AppError('bad-input', because('no_file_named'))
        return salvageHere(path, renewed)
      }
    },
    idleMs: IDLE_MS
  })
  return side.ended
}

/** Lets another process do it: neither a slow card nor a large file holds up the radios. */
export async function salvageBeside(
  { clock, log, asked }: { clock: Clock; log: Log; asked: AbortSignal },
  path: string,
  renewed: string
): Promise<Salvaged> {
  const side = new SideProcess({ name: 'salvage', args: ['work', 'salvage'], heapMib: HEAP_MIB, clock, log })
  try {
    return await side.request<Salvaged>('salvage', { path, renewed }, { timeoutMs: LONGEST_MS, signal: asked })
  } finally {
    await side.stop()
  }
}
