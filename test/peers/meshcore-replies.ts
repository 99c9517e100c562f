import { keyOf } from './meshcore-air.ts'
import type { FullOptions, KnownContact } from './meshcore-options.ts'
import { COMMAND, fixed, u16, u32 } from './meshcore-wire.ts'

/** The answers of a MeshCore node that only tell something. */

export function deviceInfo({ protocol, maxChannels }: FullOptions): number[] {
  const firmware = protocol >= 13 ? 'v1.17.1' : 'v1.10.0'
  const always = [0x0d, protocol, 175, maxChannels, ...u32(123456), ...fixed('14 Aug 2026', 12), ...fixed('Peer', 40)]
  const info = [...always, ...fixed(firmware, 20)]
  if (protocol >= 9) info.push(0)
  if (protocol >= 10) info.push(0)
  return info
}

export function selfInfo({ lora, name }: FullOptions): number[] {
  const settings = [...u32(lora.frequencyKhz), ...u32(lora.bandwidthHz), lora.sf, lora.cr]
  return [0x05, 1, 20, 22, ...keyOf(name), ...u32(0), ...u32(0), 0, 0, 0, 0, ...settings, ...Buffer.from(name)]
}

export function channelAnswer(
  index: number,
  maxChannels: number,
  slots: ReadonlyMap<number, { name: Buffer; secret: Buffer }>
): number[] {
  if (index >= maxChannels) return [1, 2]
  const { name, secret } = slots.get(index) ?? { name: Buffer.alloc(32), secret: Buffer.alloc(16) }
  return [0x12, index, ...name, ...secret]
}

export function contactAnswers(contacts: readonly KnownContact[]): number[][] {
  const rows = contacts.map(({ key, name }) => {
    const times = [...u32(1_767_000_000), ...u32(0), ...u32(0), ...u32(1)]
    return [0x03, ...key, 1, 0, 0xff, ...Array<number>(64).fill(0), ...fixed(name, 32), ...times]
  })
  return [[0x02, ...u32(rows.length)], ...rows, [0x04, ...u32(1)]]
}

interface AirCounts {
  waiting: number
  errors: number
  sent: number
  airSeconds: { tx: number; rx: number }
}

/** Battery, tuning and statistics; error 1 for whatever else. */
export function statsAnswer(
  frame: Buffer,
  { protocol, time, countsAirtime, millivolts }: FullOptions,
  { waiting, errors, sent, airSeconds }: AirCounts
): number[] {
  if (frame[0] === COMMAND.battery) return [0x0c, ...u16(millivolts), ...u32(720), ...u32(1024)]
  if (frame[0] === COMMAND.tuning) return [0x17, ...u32(0), ...u32(1000)]
  if (frame[0] !== COMMAND.stats || protocol < 8) return [1, 1]
  if (frame[1] === 0) {
    const uptime = Math.floor(time.now() / 1000) % 100_000
    return [0x18, 0, ...u16(millivolts), ...u32(uptime), ...u16(errors), Math.min(255, waiting)]
  }
  const { tx, rx } = countsAirtime ? airSeconds : { tx: sent, rx: 3 }
  if (frame[1] === 1) return [0x18, 1, 0x92, 0xff, 0xba, 38, ...u32(tx), ...u32(rx)]
  if (frame[1] === 2) return [0x18, 2, ...u32(1), ...u32(sent), ...Array<number>(20).fill(0)]
  return [1, 6]
}

/** Pushes that may come at any time, an acknowledgement of nobody's and a push of a later firmware among them. */
export const ANY_PUSHES: readonly (readonly number[])[] = [
  [0x80, ...keyOf('somebody')],
  [0x83],
  [0x88, 38, 0xba, 0x15, 0, ...Buffer.from('nobody knows this channel')],
  [0x82, ...u32(0xdeadbeef), ...u32(900)],
  [0x9e, 1, 2, 3]
]
