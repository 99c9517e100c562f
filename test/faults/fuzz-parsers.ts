import { feedParsers } from './fuzz-feeds.ts'
import type { Parser } from './fuzz-parser.ts'
import { RADIO_PARSERS } from './fuzz-radios.ts'

/** Every parser of outside bytes, room by room. */
export async function everyParser(): Promise<readonly Parser[]> {
  return [...RADIO_PARSERS, ...(await feedParsers())]
}
