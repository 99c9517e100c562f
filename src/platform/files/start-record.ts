import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { writeFileAtomic } from './atomic-file.ts'

/** In the data folder. */
export const START_RECORD = 'starts.json'
/** A start that lived this long has not failed at once. Seconds. */
export const WELL_SECONDS = 60
/** So many failures may be chance; from then on each start waits, twice as long as the one before. */
const WAIT_FROM = 3
const LONGEST_WAIT_S = 30

/** Seconds that a start waits after so many that failed at once: a crash loop must not wear out the card, and never gives up. */
export function startWait(failed: number): number {
  return failed < WAIT_FROM ? 0 : Math.min(LONGEST_WAIT_S, 2 ** (failed - WAIT_FROM))
}

/** Remembers over restarts how many starts in a row failed at once. */
export class StartRecord {
  readonly #file: string
  readonly #clock: Clock
  readonly #bootFile: string
  /** Of this run of the machine; '' where nobody knows. */
  #boot = ''
  #cancel: () => void = () => undefined

  constructor(folder: string, clock: Clock, bootFile = '/proc/sys/kernel/random/boot_id') {
    this.#file = join(folder, START_RECORD)
    this.#bootFile = bootFile
    this.#clock = clock
  }

  /** How many starts of this run of the machine failed at once, the last ones in a row; one that is under way counts. Writes nothing. */
  async failed(): Promise<number> {
    return failedOf(await readFile(this.#file, 'utf8').catch(() => ''), await this.#runOfMachine())
  }

  #runOfMachine(): Promise<string> {
    return readFile(this.#bootFile, 'utf8').then(
      (text) => text.trim().slice(0, 64),
      () => ''
    )
  }

  /** Counts this start as one that failed until it is `well`; answers how many before it did. @throws when the disk fails. */
  async begin(): Promise<number> {
    this.#boot = await this.#runOfMachine()
    const failed = failedOf(await readFile(this.#file, 'utf8').catch(() => ''), this.#boot)
    await this.#write(failed + 1)
    return failed
  }

  /** It is up: after a minute it counts as well. `onError`: that could not be written. */
  up(onError: (error: unknown) => void): void {
    this.#cancel = this.#clock.after(WELL_SECONDS * 1000, () => {
      this.#write(0).catch(onError)
    })
  }

  /** It ends because it was told to: no failure. */
  async end(): Promise<void> {
    this.#cancel()
    await this.#write(0)
  }

  /** Not synced: a power cut that loses it loses a count. */
  #write(failed: number): Promise<void> {
    return writeFileAtomic(this.#file, `${JSON.stringify({ failed, boot: this.#boot })}\n`)
  }
}

/** A start that the machine itself cut short, with its power or by a restart, did not fail. */
export function failedOf(content: string, boot: string): number {
  const found = /^\{"failed":(\d{1,4}),"boot":"([\w-]*)"\}$/m.exec(content)
  return found === null || found[2] !== boot ? 0 : Number(found[1])
}
