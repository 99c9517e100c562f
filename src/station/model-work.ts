import * as v from 'valibot'
import type { WorkContext } from '../cli/verb.ts'
import { inspectModel, type ModelFacts } from '../knowledge/enrich/embed/inspect-model.ts'
import { TABLE, TOKENIZER } from '../knowledge/enrich/embed/model-files.ts'
import type { ModelPlaces } from '../knowledge/enrich/embed/opened-model.ts'
import { because } from '../model/reason.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { parseWith } from '../platform/config/issues.ts'
import { AppError, reasonOf } from '../platform/errors.ts'
import type { Log } from '../platform/log/log.ts'
import { SideProcess } from '../platform/process/side-process.ts'
import { serveSide } from '../platform/process/side-service.ts'

const IDLE_MS = 5000
/** The largest vocabulary takes the smallest board a quarter of a minute. */
const LONGEST_MS = 120_000

const placeSchema = v.object({ path: v.string(), said: v.string() })
const placesSchema = v.object({ [TABLE]: placeSchema, [TOKENIZER]: placeSchema })

/** Role `model`: opens a model of meaning where neither its size nor what it holds is felt by anybody. */
export async function runModelInspector(_: WorkContext): Promise<number> {
  const side = serveSide({
    handlers: { inspect: (asked) => inspectModel(parseWith(placesSchema, asked, 'the files')) },
    idleMs: IDLE_MS
  })
  return side.ended
}

/**
 * Lets another process open it, with no more memory than the one that searches has. @throws AppError `invalid` for files that are no
 * model, or more than this board can open; `unavailable` when the station stops
 */
export async function inspectBeside(
  { clock, log, heapMib }: { clock: Clock; log: Log; heapMib: number },
  places: ModelPlaces
): Promise<ModelFacts> {
  const side = new SideProcess({ name: 'model', args: ['work', 'model'], heapMib, clock, log })
  try {
    return await side.request<ModelFacts>('inspect', places, { timeoutMs: LONGEST_MS })
  } catch (error) {
    const crashed = side.status().crashes > 0 || (error instanceof AppError && error.code === 'timeout')
    if (crashed) throw new AppError('invalid', because('model_too_heavy', { said: reasonOf(error) }), { cause: error })
    throw error
  } finally {
    await side.stop()
  }
}
