import type { Spoken } from '../model/air-languages.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { isClockSet } from '../platform/clock/clock-set.ts'
import type { StorageFault } from '../platform/database/storage-fault.ts'
import { budgetFor, byteLength } from '../warning/messages/budget.ts'
import type { Replies } from '../warning/messages/catalogue/replies/sentences.ts'
import { REPLIES } from '../warning/messages/catalogue/replies.ts'
import { put } from '../warning/messages/catalogue/words.ts'
import { foldText } from '../warning/messages/fold.ts'
import { lasting, told, withinBytes } from '../warning/messages/replying.ts'
import { spokenOn } from '../warning/messages/spoken-on.ts'
import { momentText } from '../warning/messages/wording.ts'
import type { NewText } from '../warning/outbox/delivery.ts'
import type { Ledger } from '../warning/outbox/ledger.ts'
import { openCell } from '../warning/routing/network-switches.ts'
import type { WarningConfig } from '../warning/settings.ts'

/** News that is over by then wakes nobody. */
const TELL_MS = 60_000
/** A loose plug does not fill the channel, also where the station is started again and again. */
const AGAIN_MS = 6 * 3_600_000
/** Its row among the facts of the ledger; in memory while the disk fails, on it once it works. */
const TOLD_FACT = 'storage_news_at'
const WORTH_MS = 3_600_000
/** MeshCore puts its node's name before the text. */
const LONGEST_NAME = 'x'.repeat(31)

/** The sentences of one piece of news, the most important first: one that finds no room is left out. */
type News = (words: Replies['notice'], language: Spoken['language']) => readonly string[]

interface Options {
  config: () => WarningConfig
  clock: Clock
  send: (text: NewText) => void
  facts: () => Pick<Ledger, 'fact' | 'setFact'>
}

/** Tells the operator's channels, or where none is named one of the warnings', once that nothing can be stored, and once that it works again (contract §6). */
export class StorageNews {
  readonly #o: Options
  #fault: StorageFault | null = null
  #since = 0
  #told = false
  #cancel: () => void = () => undefined

  constructor(options: Options) {
    this.#o = options
  }

  failed(fault: StorageFault): void {
    const { clock } = this.#o
    const is = this.#fault !== null
    this.#fault = fault
    if (is) return
    this.#since = clock.now()
    this.#told = false
    this.#cancel = clock.after(TELL_MS, () => this.#tell())
  }

  returned(): void {
    this.#cancel()
    const lasted = this.#o.clock.now() - this.#since
    if (this.#told) this.#say(({ storesAgain }, language) => [put(storesAgain, lasting(language, lasted))])
    else if (this.#fault === 'damaged') this.#say(({ madeAnew }) => [madeAnew])
    this.#fault = null
  }

  stop(): void {
    this.#cancel()
  }

  #tell(): void {
    const { clock, facts } = this.#o
    const now = clock.now()
    const before = facts().fact(TOLD_FACT)
    // Of a clock that was set since, nobody knows how long ago it was: what is far ahead was long ago.
    const fault = this.#fault
    if (fault === null || (before !== null && Math.abs(now - Number(before)) < AGAIN_MS)) return
    this.#told = true
    this.#say(({ faults, nothingStored, goesOut }) => [put(nothingStored, faults[fault]), goesOut])
    facts().setFact(TOLD_FACT, String(now))
  }

  /** Behind every warning: it is no hazard. */
  #say(news: News): void {
    const { config, clock, send } = this.#o
    const { notifications, messages } = config()
    if (!notifications.enabled) return
    const now = clock.now()
    for (const [transport, channel] of channelsOf(config())) {
      const spoken = spokenOn(config(), { transport, channel, direct: false })
      const limit = budgetFor(transport, messages, transport === 'mc' ? LONGEST_NAME : '')
      const text = newsText(news, { config: config(), spoken, now, limit })
      send({
        kind: 'notice',
        transport,
        channel,
        direct: false,
        text,
        key: `storage:${now}:${transport}`,
        expiresAt: now + WORTH_MS
      })
    }
  }
}

/** `LOOKOUT disk full: nothing stored. … (6:45p)`, in the language of its channel. */
function newsText(
  news: News,
  { config, spoken, now, limit }: { config: WarningConfig; spoken: Spoken; now: number; limit: number }
): string {
  const { language, ascii } = spoken
  const { notice } = REPLIES[language]
  const written = (text: string): string => (ascii ? foldText(text, language) : text)
  const moment = momentText({ ...spoken, station: config.station, nowMs: now }, now)
  const when = written(` (${isClockSet(now) ? moment : notice.timeUnknown})`)
  const text = written(`LOOKOUT ${told(language, news(notice, language))}`)
  return withinBytes(text, limit - byteLength(when)) + when
}

/** The operator's channel of each network; where it names none, that of the first cell that sends there, unless it is to be nowhere. */
function channelsOf({ notifications }: WarningConfig): ['mt' | 'mc', string | number][] {
  const { operator_channel: own, region_routes: matrix } = notifications
  const rows = own.fallback === 'nowhere' || !matrix.enabled ? [] : Object.values(matrix.cells)
  const cells = rows
    .flatMap((row) => Object.values(row))
    .filter(({ enabled }) => enabled)
    .map((cell) => openCell(cell, matrix))
  return (['mt', 'mc'] as const).flatMap((network): ['mt' | 'mc', string | number][] => {
    const channel = own[network] ?? cells.map((cell) => cell[network]).find((one) => one !== null) ?? null
    return channel === null ? [] : [[network, channel]]
  })
}
