import type { IncomingHttpHeaders } from 'node:http'
import { languageOf } from '../words/language.ts'
import type { Asker } from './guest.ts'
import { canWrite, type Identity } from './identity.ts'

export function askerOf(
  { config }: { config: { current: () => { http: Parameters<typeof canWrite>[1] } } },
  { headers, identity }: { headers: IncomingHttpHeaders; identity: Identity }
): Asker {
  return { language: languageOf(headers), isGuest: !canWrite(identity, config.current().http) }
}
