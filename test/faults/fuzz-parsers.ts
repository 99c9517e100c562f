import { ARCHIVE_PARSERS } from './fuzz-archives.ts'
import { feedParsers } from './fuzz-feeds.ts'
import { HTTP_PARSERS } from './fuzz-http.ts'
import { knowledgeParsers } from './fuzz-knowledge.ts'
import { MODEL_PARSERS } from './fuzz-models.ts'
import type { Parser } from './fuzz-parser.ts'
import { PLATFORM_PARSERS } from './fuzz-platform.ts'
import { RADIO_PARSERS } from './fuzz-radios.ts'
import { storedParsers } from './fuzz-stored.ts'

/** Every parser of outside bytes, room by room. */
export async function everyParser(): Promise<readonly Parser[]> {
  return [
    ...RADIO_PARSERS,
    ...PLATFORM_PARSERS,
    ...HTTP_PARSERS,
    ...storedParsers(),
    ...(await knowledgeParsers()),
    ...ARCHIVE_PARSERS,
    ...MODEL_PARSERS,
    ...(await feedParsers())
  ]
}
