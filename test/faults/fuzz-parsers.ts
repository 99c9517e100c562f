import { feedParsers } from './fuzz-feeds.ts'
import { HTTP_PARSERS } from './fuzz-http.ts'
import { knowledgeParsers } from './fuzz-knowledge.ts'
import type { Parser } from './fuzz-parser.ts'
import { PLATFORM_PARSERS } from './fuzz-platform.ts'
import { RADIO_PARSERS } from './fuzz-radios.ts'

/** Every parser of outside bytes, room by room. */
export async function everyParser(): Promise<readonly Parser[]> {
  return [
    ...RADIO_PARSERS,
    ...PLATFORM_PARSERS,
    ...HTTP_PARSERS,
    ...(await knowledgeParsers()),
    ...(await feedParsers())
  ]
}
