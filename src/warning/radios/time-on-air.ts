import type { ModemSettings } from './radio.ts'

/** The time for which packets occupy the channel. Times are milliseconds, not rounded. */

const LOW_RATE_SYMBOL_MS = 16
const MT_GIVE_UP_CAP_MS = 180_000

function symbolMs({ spreadingFactor, bandwidthHz }: ModemSettings): number {
  return (2 ** spreadingFactor / bandwidthHz) * 1000
}

/** Time-on-air of one LoRa frame with explicit header and CRC, by the Semtech formula (SX1276 data sheet, 4.1.1.7). */
export function timeOnAirMs(payloadBytes: number, modem: ModemSettings): number {
  const { spreadingFactor, codingRate, preambleSymbols } = modem
  const symbol = symbolMs(modem)
  const lowRate = symbol > LOW_RATE_SYMBOL_MS ? 2 : 0
  const blocks = Math.ceil((8 * payloadBytes - 4 * spreadingFactor + 44) / (4 * (spreadingFactor - lowRate)))
  const payloadSymbols = 8 + Math.max(blocks * codingRate, 0)
  return (preambleSymbols + 4.25 + payloadSymbols) * symbol
}

/** One transmission of an MT text: 16 bytes header, 6 of protobuf around the text, one more from 128 bytes on. */
export function mtTextAirtimeMs(textBytes: number, modem: ModemSettings): number {
  return timeOnAirMs(textBytes + (textBytes < 128 ? 22 : 23), modem)
}

/** One transmission of an MC channel text without hops; the bytes include the `name: ` the firmware puts before it. */
export function mcChannelAirtimeMs(nameAndTextBytes: number, modem: ModemSettings): number {
  return timeOnAirMs(5 + (modem.extraBytes ?? 0) + cipherBytes(nameAndTextBytes), modem)
}

/** One transmission of an MC direct text without hops; no name is put before it. */
export function mcDirectAirtimeMs(textBytes: number, modem: ModemSettings): number {
  return timeOnAirMs(6 + (modem.extraBytes ?? 0) + cipherBytes(textBytes), modem)
}

/** One transmission of an MC advert: header and path length, key, time, signature, flags, place and name. */
export function mcAdvertAirtimeMs(nameBytes: number, modem: ModemSettings): number {
  return timeOnAirMs(2 + 32 + 4 + 64 + 1 + 8 + (modem.extraBytes ?? 0) + nameBytes, modem)
}

/** MC encrypts timestamp, flags and text (5 bytes more than the text) in blocks of 16. */
function cipherBytes(textBytes: number): number {
  return 16 * Math.ceil((5 + textBytes) / 16)
}

/** One slot of the MT contention window: channel activity detection plus 7.6 ms of turnaround. */
export function mtSlotMs(modem: ModemSettings): number {
  return 2.5 * symbolMs(modem) + 7.6
}

/**
 * The time for which MT firmware waits on a quiet channel for somebody to repeat or acknowledge before it transmits
 * again.
 */
export function mtRetransmitMs(airtimeMs: number, modem: ModemSettings): number {
  return 2 * airtimeMs + 56 * mtSlotMs(modem) + 4500
}

/**
 * The time after which nobody can be expected to answer an MT text any more: three transmissions and 10 s, at most 3
 * minutes.
 */
export function mtGiveUpMs(airtimeMs: number, modem: ModemSettings): number {
  return Math.min(3 * mtRetransmitMs(airtimeMs, modem) + 10_000, MT_GIVE_UP_CAP_MS)
}

/**
 * The time after which no repeat of an MC channel text can be expected any more: a repeater's delay and busy channel (4
 * s), and 10 s.
 */
export function mcRepeatWaitMs(airtimeMs: number): number {
  return 3.5 * airtimeMs + 4000 + 10_000
}

/** The time in which MC firmware expects the acknowledgement of a direct text that is flooded. */
export function mcDirectTimeoutMs(airtimeMs: number): number {
  return 500 + 16 * airtimeMs
}
