import type { StartOptions } from '../cli/verb.ts'
import { because } from '../model/reason.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { systemClock } from '../platform/clock/clock.ts'
import { StartRecord, startWait } from '../platform/files/start-record.ts'
import { unlessDiskFails } from './without-disk.ts'

type Starting = Pick<StartOptions, 'mode' | 'dataFolder' | 'log' | 'asked'>

export interface CountedStart {
  /** Starts before this one that failed at once, in a row. */
  failed: number
  /** The port answers. */
  up: () => void
  /** It ends: no failure when it was asked to. */
  ended: () => Promise<void>
}

/** A preview counts nothing: it changes no file of a station. */
const UNCOUNTED: CountedStart = { failed: 0, up: () => undefined, ended: async () => undefined }

/** Counts this start, and waits where those before it failed at once: contract §12. Who started us may know no pause. */
export async function countStart({ mode, dataFolder, log, asked }: Starting): Promise<CountedStart> {
  if (mode === 'preview') return UNCOUNTED
  const record = new StartRecord(dataFolder, systemClock)
  const before = (await unlessDiskFails('record of starts', log, () => record.begin())) ?? 0
  // Somebody who starts it by hand knows what happened, and wants all of it.
  const failed = isServed() ? before : 0
  const seconds = startWait(failed)
  if (seconds > 0) {
    log.error({ failed, wait_s: seconds }, sentenceOf(because('start_waits', { count: failed, seconds })))
    await waited(seconds * 1000, asked)
  }
  return {
    failed,
    up: () => record.up((error) => log.warn({ err: error }, 'the record of starts could not be written')),
    ended: async () => {
      if (asked.aborted) await unlessDiskFails('record of starts', log, () => record.end())
    }
  }
}

/** systemd started us, or we are the first process of a container: whoever did so does it again at once. */
function isServed(): boolean {
  return process.env['INVOCATION_ID'] !== undefined || process.pid === 1
}

/** A signal ends the wait. The process has nothing else to live for. */
function waited(ms: number, asked: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (asked.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    asked.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
