import type { Clock } from '../platform/clock/clock.ts'
import { isClockSet } from '../platform/clock/clock-set.ts'
import { durationText } from '../platform/clock/duration.ts'
import type { StorageFault } from '../platform/database/storage-fault.ts'
import { budgetFor, cutToBytes } from '../warning/messages/budget.ts'
import { instantText } from '../warning/messages/times.ts'
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

const WORDS: Readonly<Record<StorageFault, string>> = {
  full: 'disk full',
  io: 'disk errors',
  read_only: 'disk read-only',
  gone: 'data folder gone',
  damaged: 'database damaged'
}

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
    if (this.#told) {
      this.#say(`stores again after ${durationText(this.#o.clock.now() - this.#since)}.`)
    } else if (this.#fault === 'damaged') this.#say('had a damaged database and has made it anew. Doubt the disk.')
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
    if (this.#fault === null || (before !== null && Math.abs(now - Number(before)) < AGAIN_MS)) return
    this.#told = true
    this.#say(`${WORDS[this.#fault]}: nothing stored. Critical and above goes out, perhaps twice after a restart.`)
    facts().setFact(TOLD_FACT, String(now))
  }

  /** Behind every warning: it is no hazard. */
  #say(what: string): void {
    const { config, clock, send } = this.#o
    const { notifications, messages, station } = config()
    if (!notifications.enabled) return
    const now = clock.now()
    const when = isClockSet(now) ? instantText(now, station, now) : 'time unknown'
    const words = `LOOKOUT ${what} (${when})`
    for (const [transport, channel] of channelsOf(config())) {
      const text = cutToBytes(words, budgetFor(transport, messages, transport === 'mc' ? LONGEST_NAME : ''))
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
