import { UnreadableRow } from './storage-fault.ts'

/** A value this program has written as JSON. @throws UnreadableRow when it is none: bits have turned where SQLite keeps no checksum. */
export function storedJson(value: unknown): unknown {
  try {
    return JSON.parse(String(value))
  } catch (error) {
    throw new UnreadableRow(error)
  }
}
