import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError, errorText, reasonOf } from '../../../platform/errors.ts'
import { backoff } from '../../../platform/net/backoff.ts'
import { asBag, type Bag, numberOf } from '../reading/json.ts'
import { inTurns } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { PushTools, SourceMemory } from '../source.ts'
import { saidItems } from '../status.ts'
import { type ElementList, elementSteps, fromRow, toRow } from './elements.ts'
import type { Elements } from './mean-elements.ts'
import { chooseSatellites } from './names.ts'
import type { SatpassSettings } from './settings.ts'

const ELEMENTS = 'elements'
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const RETRY = { min: 15 * MINUTE_MS, max: 2 * HOUR_MS }
/** Nobody is asked sooner again after a refusal, nor after a body that is of no use: CelesTrak blocks who insists. */
const REFUSED_MS = 2 * HOUR_MS
const FILE_LOOK_MS = 10 * MINUTE_MS
const MAX_BYTES = 16 * 1024 * 1024
/** Enough to let the owner name other satellites of the listing without a new download. */
const MAX_KEPT = 1000

/** The elements of the last good download or file, over restarts too; none when there was none. */
export function savedElements(memory: Pick<SourceMemory, 'get'>): Elements[] {
  const rows = saved(memory)['rows']
  return Array.isArray(rows) ? rows.flatMap((row) => fromRow(row) ?? []) : []
}

function saved(memory: Pick<SourceMemory, 'get'>): Bag {
  return asBag(memory.get(ELEMENTS)) ?? {}
}

/** The origin of the elements, in the order of precedence of the settings. */
function originOf({ url, group }: SatpassSettings): string {
  if (url !== undefined) return url
  return `https://celestrak.org/NORAD/elements/gp.php?GROUP=${encodeURIComponent(group)}&FORMAT=json`
}

/** Keeps orbital elements fresh: asks once in `refresh_hours`, remembers when over restarts, and lives on what it has. */
export class ElementsStore {
  readonly #settings: SatpassSettings
  readonly #tools: PushTools
  readonly #origin: string
  readonly #asked: (outcome: { fresh: boolean }) => void
  #cancel: () => void = () => undefined
  #closed = false
  #fileSeen = ''
  #fileDue = 0
  /** The reason why the last try failed; null when it did not. */
  problem: Reason | null = null

  constructor(settings: SatpassSettings, tools: PushTools, asked: (outcome: { fresh: boolean }) => void) {
    this.#settings = settings
    this.#tools = tools
    this.#asked = asked
    this.#origin = settings.file === undefined ? originOf(settings) : resolve(tools.dataFolder, settings.file)
  }

  start(): void {
    this.#schedule()
  }

  close(): void {
    this.#closed = true
    this.#cancel()
  }

  #schedule(): void {
    const wait = Math.max(0, this.#dueAt() - this.#tools.clock.now())
    // No longer than an hour: a clock that was wrong at the start is set right some time.
    this.#cancel = this.#tools.clock.after(Math.min(wait, HOUR_MS), () => {
      if (this.#dueAt() > this.#tools.clock.now()) this.#schedule()
      else void this.#refresh()
    })
  }

  /** Epoch milliseconds; from the memory, so that a restart is no reason to ask. */
  #dueAt(): number {
    if (this.#settings.file !== undefined) return this.#fileDue
    const asked = this.#lastAsked()
    if (asked === null) return 0
    if (asked.at <= this.#tools.clock.now()) return asked.at + asked.wait
    // The clock was set back: the wait begins again, lest a wrong clock make a download loop of a restart loop.
    this.#remember(asked.wait, asked.failures)
    return this.#tools.clock.now() + asked.wait
  }

  #lastAsked(): { at: number; wait: number; failures: number } | null {
    const asked = asBag(this.#tools.memory.get(`asked:${this.#origin}`))
    const [at, wait, failures] = ['at', 'wait', 'failures'].map((key) => numberOf(asked?.[key]))
    return at == null || wait == null || failures == null ? null : { at, wait, failures }
  }

  #remember(wait: number, failures: number): void {
    this.#tools.memory.set(`asked:${this.#origin}`, { at: this.#tools.clock.now(), wait, failures })
  }

  async #refresh(): Promise<void> {
    const failures = this.#lastAsked()?.failures ?? 0
    let fresh = false
    try {
      fresh = this.#settings.file === undefined ? await this.#download(failures) : await this.#readFile()
      this.problem = null
    } catch (error) {
      if (!this.#closed) this.#failed(error, failures)
    }
    if (this.#closed) return
    this.#asked({ fresh })
    this.#schedule()
  }

  async #download(failures: number): Promise<boolean> {
    // Written down before asking: a program that dies of the answer does not ask again at once.
    this.#remember(RETRY.max, failures)
    // After a body of no use the whole is asked for: an answer "unchanged" would mean that body.
    const conditional = this.#hasElements() && this.problem === null
    const answer = await this.#tools.fetch({ url: this.#origin, maxBytes: MAX_BYTES, conditional })
    if (this.#closed) return false
    if (answer.state === 'new') {
      this.#tools.counted({ bytes: answer.body.length })
      this.#keep(await this.#parse(answer.body))
    }
    this.#remember(Math.round(this.#settings.refresh_hours * HOUR_MS * (1 + this.#tools.random() / 10)), 0)
    return answer.state === 'new'
  }

  async #readFile(): Promise<boolean> {
    this.#fileDue = this.#tools.clock.now() + FILE_LOOK_MS
    const found = await stat(this.#origin)
    const seen = `${found.size} ${found.mtimeMs}`
    if (seen === this.#fileSeen) return false
    if (!found.isFile() || found.size > MAX_BYTES) {
      throw new AppError('bad-input', because('no_plain_file'))
    }
    const list = await this.#parse(await readFile(this.#origin))
    if (this.#closed) return false
    this.#fileSeen = seen
    this.#tools.counted({ bytes: found.size })
    this.#keep(list)
    return true
  }

  async #parse(body: Uint8Array): Promise<ElementList> {
    const { signal } = this.#tools
    return inTurns(elementSteps(await inTurns(decodeSteps(body), signal)), signal)
  }

  #keep({ elements, skipped }: ElementList): void {
    if (skipped.length > 0) this.#tools.log.info({ skipped: saidItems(skipped) }, 'some orbital elements left out')
    // The wanted ones first, whatever their place in the listing.
    const { chosen } = chooseSatellites(elements, this.#settings.satellites)
    const kept = [...new Set([...chosen, ...elements])].slice(0, MAX_KEPT)
    this.#tools.memory.set(ELEMENTS, { origin: this.#origin, rows: kept.map(toRow) })
  }

  /** Elements of this very address; those of another are only better than none. */
  #hasElements(): boolean {
    return saved(this.#tools.memory)['origin'] === this.#origin
  }

  #failed(error: unknown, failures: number): void {
    const text = errorText(error)
    if (this.#hasElements() && /has not (?:been )?updated since/i.test(text)) {
      // CelesTrak's way to say 304.
      this.problem = null
      this.#remember(this.#settings.refresh_hours * HOUR_MS, 0)
      return
    }
    const { file } = this.#settings
    const why = reasonOf(error)
    this.problem =
      file === undefined ? because('elements_download_failed', { why }) : because('elements_file_failed', { file, why })
    this.#tools.log.warn({ err: error }, 'no new orbital elements')
    const isBad = error instanceof AppError && error.code === 'bad-input'
    if (isBad) this.#tools.counted({ bytes: 0, refused: why })
    if (file !== undefined) return
    const wait = backoff(failures, { ...RETRY, random: () => this.#tools.random() })
    this.#remember(isBad || /\b403\b|has not (?:been )?updated/.test(text) ? REFUSED_MS : wait, failures + 1)
  }
}
