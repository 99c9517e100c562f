import type { LookoutEvent } from '../../../model/event.ts'
import { because, isReason, type Reason } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, numberOf, textOf } from '../reading/json.ts'
import { eachInTurn, eachRemembered } from '../reading/steps.ts'
import type { ReadTools, SourceMemory } from '../source.ts'
import { readBulletin, type SpaceBulletin } from './bulletin.ts'
import type { ListedMessage } from './documents.ts'
import { spaceEvent } from './event.ts'
import { scaleAdjective, scaleCategory, scaleEffect, scaleName, scaleSeverity, scaleText } from './scales.ts'
import type { SwpcSettings } from './settings.ts'

/** The list reaches back a month; what a message of it may refer to is kept for twice as long. */
const KEPT_MS = 62 * 86_400_000

/**
 * The warnings and watches of `products/alerts.json`, oldest first. Identity is code and serial number; an extension belongs to the
 * thread of the serial it extends, a cancel ends it. Alerts and summaries of what a scale shows are left to the scales.
 */
export function* forecastEvents(
  messages: readonly ListedMessage[],
  settings: SwpcSettings,
  tools: ReadTools
): Generator<void, { events: LookoutEvent[]; skipped: SkippedItem[] }> {
  const skipped: SkippedItem[] = []
  const told: SpaceBulletin[] = []
  yield* eachInTurn(messages, (message) => {
    const bulletin = readBulletin(message)
    if (isReason(bulletin)) skipped.push({ id: message.productId, reason: bulletin })
    else {
      const reason = untold(bulletin, settings)
      if (reason === null) told.push(bulletin)
      else skipped.push({ id: idOf(bulletin.code, bulletin.serial), reason })
    }
  })
  told.sort((a, b) => a.issued - b.issued)
  const threads = new Threads(tools.memory)
  const events: LookoutEvent[] = []
  yield* eachInTurn(told, (bulletin) => {
    events.push(toEvent(bulletin, threads.of(bulletin), settings, tools))
  })
  yield* threads.forget((told.at(-1)?.issued ?? 0) - KEPT_MS)
  return { events, skipped }
}

const idOf = (code: string, serial: number): string => `${code}-${serial}`

function untold({ code, k, scale, type }: SpaceBulletin, settings: SwpcSettings): Reason | null {
  if (k !== null && k < 5) return because('k_below_storm')
  if (scale === null) return settings.minor_products ? null : because('no_noaa_scale', { product: code })
  if (type === 'ALERT' || type === 'SUMMARY') return because('told_from_scales')
  if (!settings.forecasts) return because('forecasts_off')
  return scale.level < settings.min_scale ? because('below_min_scale_at', { scale: scaleText(scale) }) : null
}

/** Remembers from poll to poll the thread of each serial: the list loses the beginning of a long chain. */
class Threads {
  readonly #memory: SourceMemory
  #watch: { thread: string; until: number } | null = null

  constructor(memory: SourceMemory) {
    this.#memory = memory
  }

  of(bulletin: SpaceBulletin): string {
    const { code, serial, refersTo, issued, until } = bulletin
    const own = `swpc:${idOf(code, serial)}`
    const thread = this.#known(code, serial) ?? this.#referred(code, refersTo) ?? this.#superseded(bulletin) ?? own
    this.#memory.set(`chain:${idOf(code, serial)}`, { thread, at: issued })
    // A watch takes the place of every watch before it.
    if (bulletin.type === 'WATCH') this.#watch = { thread, until: until ?? issued }
    return thread
  }

  forget(before: number): Generator<void, void> {
    return eachRemembered(this.#memory, 'chain:', (key, value) => {
      if ((numberOf(asBag(value)?.['at']) ?? 0) < before) this.#memory.delete(key)
    })
  }

  #known(code: string, serial: number): string | null {
    return textOf(asBag(this.#memory.get(`chain:${idOf(code, serial)}`))?.['thread']) || null
  }

  #referred(code: string, refersTo: number | null): string | null {
    if (refersTo === null) return null
    return this.#known(code, refersTo) ?? `swpc:${idOf(code, refersTo)}`
  }

  #superseded({ type, issued }: SpaceBulletin): string | null {
    return type === 'WATCH' && this.#watch !== null && issued < this.#watch.until ? this.#watch.thread : null
  }
}

function toEvent(bulletin: SpaceBulletin, threadId: string, settings: SwpcSettings, tools: ReadTools): LookoutEvent {
  const { code, serial, cancels, issued, refersTo, scale, from, until } = bulletin
  const own = threadId === `swpc:${idOf(code, serial)}`
  const lifecycle = own ? 'new' : 'update'
  return spaceEvent({
    id: idOf(code, serial),
    source: tools.source,
    // A corrected message comes again under its serial.
    revision: formatTime(issued),
    category: scale === null ? 'rf_propagation_alert' : scaleCategory(scale),
    severity: scale === null ? 'routine' : scaleSeverity(scale, settings.extreme_is_immediate),
    title: titleOf(bulletin),
    body: bulletin.headline,
    onset: from,
    expires: cancels ? null : until,
    sentAt: issued,
    receivedAt: tools.receivedAt,
    threadId,
    lifecycle: cancels ? 'cancel' : lifecycle,
    data: {
      event_name: nameOf(bulletin),
      ...(scale === null ? {} : { scale: scaleText(scale) }),
      ...(bulletin.k === null ? {} : { kp: bulletin.k }),
      ...(cancels ? {} : detailOf(bulletin)),
      ...(refersTo === null ? {} : { references: [idOf(code, refersTo)] }),
      material: materialOf(bulletin)
    }
  })
}

function nameOf({ scale, type, headline }: SpaceBulletin): string {
  if (scale === null) return headline
  return `${scaleName(scale)} ${type === 'WATCH' ? 'Watch' : 'Warning'}`
}

function titleOf(bulletin: SpaceBulletin): string {
  const { scale, cancels, headline } = bulletin
  const title =
    scale === null ? headline : `${scaleText(scale)} (${scaleAdjective(scale)}) ${nameOf(bulletin).toLowerCase()}`
  return cancels ? `Cancelled: ${title}` : title
}

function detailOf({ scale, days }: SpaceBulletin): { detail?: string } {
  if (days.length > 0) return { detail: days.map(({ label }) => label).join(', ') }
  const effect = scale === null ? '' : scaleEffect(scale)
  return effect === '' ? {} : { detail: `Possible: ${effect}` }
}

function materialOf({ cancels, scale, until, days, headline }: SpaceBulletin): string {
  if (cancels) return 'cancelled'
  const end = until === null ? '' : formatTime(until)
  return [scale === null ? headline : scaleText(scale), ...days.map(({ label }) => label), end].join('|')
}
