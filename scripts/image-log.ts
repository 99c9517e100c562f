/** The log of what QEMU wrote onto a card, and the parts of the card: docs/decisions/0053-cut-power-after-the-event.md. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'

export const SECTOR = 512
/** Of dm-log-writes and QEMU's blklogwrites: https://docs.kernel.org/admin-guide/device-mapper/log-writes.html */
const MAGIC = 0x6a736677736872n
const FLUSH = 1n
const FUA = 2n
const DISCARD = 4n
/** Where ordinary users do not look. */
export const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`

export interface Write {
  /** Byte of the log behind its data. */
  end: number
  /** Byte of the log where its data begin; null when it has none. */
  data: number | null
  /** Byte of the card. */
  to: number
  bytes: number
  /** All before it are on the card when it is. */
  flushes: boolean
}

export interface Part {
  name: 'boot' | 'root' | 'data'
  at: number
  size: number
}

/** The writes of a log, in the order in which they were made. @throws Error when it is no such log */
export function readLog(file: string): Write[] {
  const log = openSync(file, 'r')
  const { size } = fstatSync(log)
  const header = Buffer.alloc(40)
  readSync(log, header, 0, 40, 0)
  // A killed QEMU has not written how many there are: they are walked to the end of the file.
  if (size > 0 && header.readBigUInt64LE(0) !== MAGIC && header.readBigUInt64LE(0) !== 0n)
    throw new Error(`${file} is no log of writes`)
  const writes: Write[] = []
  for (let at = SECTOR; at + SECTOR <= size; ) {
    readSync(log, header, 0, 32, at)
    const [sector, count, flags] = [header.readBigUInt64LE(0), header.readBigUInt64LE(8), header.readBigUInt64LE(16)]
    const bytes = Number(count) * SECTOR
    const hasData = (flags & DISCARD) === 0n && bytes > 0
    const data = hasData ? at + SECTOR : null
    const end = at + SECTOR + (hasData ? bytes : 0)
    if (end > size) break
    writes.push({ end, data, to: Number(sector) * SECTOR, bytes, flushes: (flags & (FLUSH | FUA)) !== 0n })
    at = end
  }
  closeSync(log)
  return writes
}

/** Moments at which the power is cut, in order: so many writes had been handed over. `from`: at least so many bytes of the log. */
export function momentsOf(
  writes: readonly Write[],
  { cuts, random, from = 0 }: { cuts: number; random: () => number; from?: number }
): number[] {
  const before = writes.findIndex(({ end }) => end >= from)
  if (before < 0) throw new Error(`the log has no write from byte ${from} on`)
  const moments = Array.from({ length: cuts }, () => before + 1 + Math.floor(random() * (writes.length - before)))
  return moments.sort((a, b) => a - b)
}

/** The partitions of an MBR, by their order on the card; the last one reaches to its end, as lookout-grow makes it. */
export function partsOf(card: string): Part[] {
  const file = openSync(card, 'r')
  const table = Buffer.alloc(SECTOR)
  readSync(file, table, 0, SECTOR, 0)
  const { size } = fstatSync(file)
  closeSync(file)
  const names = ['boot', 'root', 'data'] as const
  return names.map((name, nth) => {
    const at = table.readUInt32LE(446 + 16 * nth + 8) * SECTOR
    const length = table.readUInt32LE(446 + 16 * nth + 12) * SECTOR
    return { name, at, size: name === 'data' ? size - at : length }
  })
}

/** Bytes that were written to each partition; `table`: before the first one. */
export function writtenTo(writes: readonly Write[], parts: readonly Part[]): Record<Part['name'] | 'table', number> {
  const bytes = { boot: 0, root: 0, data: 0, table: 0 }
  for (const one of writes) {
    const part = parts.find(({ at, size }) => one.to >= at && one.to < at + size)
    bytes[part?.name ?? 'table'] += one.data === null ? 0 : one.bytes
  }
  return bytes
}

/** Writes a part of the log onto a file of which byte 0 is byte `from` of the card. `most`: bytes of it that were written, of a write that was torn. */
export function put(write: Write, log: number, file: string, { from = 0, most = write.bytes } = {}): void {
  if (write.data === null) return
  const bytes = Buffer.alloc(most)
  readSync(log, bytes, 0, most, write.data)
  const to = openSync(file, 'r+')
  writeSync(to, bytes, 0, most, write.to - from)
  closeSync(to)
}
