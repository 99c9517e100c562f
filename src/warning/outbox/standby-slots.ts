import type { RadioDescription } from '../radios/radio.ts'
import { mcChannelAirtimeMs, mcRepeatWaitMs, mtSlotMs, mtTextAirtimeMs } from '../radios/time-on-air.ts'

/**
 * The turns of several stations on the common clock (docs/interface.md §6, *Two stations*): a station that stands by begins to speak only in
 * its own slot, and the first never begins while its text could meet that one on the air. All lengths come from the preset, which the
 * stations share with the channel, so that each of them counts the same without a word.
 */

/** A text that is as long as a packet takes, in bytes; on MeshCore with the name before it. */
const LONGEST = { mt: 200, mc: 160 } as const
/** Nodes that repeat a text on its way, one after the other: the default of Meshtastic. */
const RELAYS = 3
/** An `immediate` text waits for one of them alone. */
const RELAYS_IMMEDIATE = 1
/** The longest wait of a Meshtastic node before it repeats, in its slots (`mtRetransmitMs`). */
const REPEAT_SLOTS = 56
/** From the host to the antenna: the link, and a channel that is free at last. */
const QUEUE_MS = 1000
/** Two clocks may differ by as much. */
export const CLOCKS_DIFFER_MS = 2000
/** No wait of a station that stands by is shorter (`standby.wait_seconds`). */
export const LEAST_WAIT_MS = 30_000
const LEAST_PERIOD_MS = 60_000
/** Between two texts of one slot: the longest of `MIN_GAP_MS`. */
const GAP_MS = 3000

/** Lengths in whole milliseconds. */
export interface SlotTimes {
  /** Each slot comes once in this. */
  periodMs: number
  /** In which a text may be begun: two, if the first is short. */
  slotMs: number
  /** From the beginning of a text until whoever is to hear it has it, clocks that differ included. */
  guardMs: number
  guardImmediateMs: number
}

/** The place in the order, of so many stations, and the text that is to begin. */
export interface Turn {
  order: number
  stations: number
  immediate: boolean
  /** When the source said it; null where it does not tell. Epoch milliseconds. */
  sentAt: number | null
}

export function slotTimes(
  { network, modem }: Pick<RadioDescription, 'network' | 'modem'>,
  stations: number
): SlotTimes {
  // A flood scope is a matter of one station alone.
  const { extraBytes: _, ...shared } = modem
  const onAirMs = network === 'mt' ? mtTextAirtimeMs(LONGEST.mt, shared) : mcChannelAirtimeMs(LONGEST.mc, shared)
  const relayMs = network === 'mt' ? onAirMs + REPEAT_SLOTS * mtSlotMs(shared) : mcRelayMs(onAirMs)
  const guard = (relays: number): number => seconds(QUEUE_MS + onAirMs + relays * relayMs + CLOCKS_DIFFER_MS)
  const slotMs = seconds(GAP_MS + onAirMs)
  const guardMs = guard(RELAYS)
  // The first is free for half of the time at least, and no slot is within the guard of another.
  const periodMs = Math.max(LEAST_PERIOD_MS, 2 * (2 * guardMs + slotMs) * (stations - 1))
  return { periodMs, slotMs, guardMs, guardImmediateMs: guard(RELAYS_IMMEDIATE) }
}

/** Milliseconds until this station may begin the text; 0 when it may now. */
export function untilTurnMs(turn: Turn, times: SlotTimes, now: number): number {
  const { order, stations, immediate, sentAt } = turn
  const { periodMs, slotMs } = times
  if (order > 1) return untilSlotMs(startOf(order, stations, periodMs), times, now)
  const guardMs = immediate ? times.guardImmediateMs : times.guardMs
  // Nobody could have waited long enough for it: the wait of the others began when the source said it at the earliest.
  if (sentAt !== null && sentAt <= now && now - sentAt < LEAST_WAIT_MS - guardMs) return 0
  for (let other = 2; other <= stations; other++) {
    const since = modulo(now - startOf(other, stations, periodMs) + guardMs, periodMs)
    const left = 2 * guardMs + slotMs - since
    if (left > 0) return left
  }
  return 0
}

function untilSlotMs(start: number, { periodMs, slotMs }: SlotTimes, now: number): number {
  const since = modulo(now - start, periodMs)
  return since < slotMs ? 0 : periodMs - since
}

/** Slots are spread evenly: that of the second begins with the period. */
function startOf(order: number, stations: number, periodMs: number): number {
  return Math.round(((order - 2) * periodMs) / (stations - 1))
}

/** A repeater of MeshCore waits up to two and a half times the time on the air, and repeats. */
function mcRelayMs(onAirMs: number): number {
  return mcRepeatWaitMs(onAirMs) - mcRepeatWaitMs(0)
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

const seconds = (ms: number): number => Math.ceil(ms / 1000) * 1000
