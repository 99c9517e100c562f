import { because } from '../../../model/reason.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import { messageSteps } from '../reading/mapping.ts'
import { inTurns } from '../reading/steps.ts'
import type { ReadTools, SourceKind, SourceReading } from '../source.ts'
import type { RestSettings } from './settings.ts'

/** Any JSON or GeoJSON address, mapped by configuration. What vanishes from its list ends by its own `expires` only. */
export const restSource: SourceKind<RestSettings> = {
  mode: 'poll',
  kind: 'rest',
  about: 'Events from any JSON or GeoJSON address, mapped by your configuration.',
  defaultIntervalSeconds: 300,
  minIntervalSeconds: 60,
  needsContact: false,
  poll: async (settings, tools) => {
    const answer = await tools.fetch({ url: settings.url, headers: headersOf(settings) })
    return answer.state === 'unchanged' ? 'unchanged' : inTurns(restSteps(answer.body, settings, tools), tools.signal)
  },
  read: (body, settings, tools) => drain(restSteps(body, settings, tools))
}

function headersOf({ headers, token, token_header: name }: RestSettings): Record<string, string> {
  const accept = { accept: 'application/json, application/geo+json;q=0.9, */*;q=0.1', ...headers }
  if (token === '') return accept
  return { ...accept, [name]: name.toLowerCase() === 'authorization' ? bearer(token) : token }
}

/** A token that names its scheme itself (`Basic …`) is left as it is. */
function bearer(token: string): string {
  return token.includes(' ') ? token : `Bearer ${token}`
}

/** @throws AppError `bad-input` also when not one of its items fits the mapping: the service has changed then. */
function* restSteps(body: Uint8Array, { mapping }: RestSettings, tools: ReadTools): Generator<void, SourceReading> {
  const { source, receivedAt } = tools
  const families = tools.families?.()
  const reading = yield* messageSteps(body, mapping, {
    source,
    receivedAt,
    ...(families === undefined ? {} : { families })
  })
  const [first] = reading.skipped
  if (reading.events.length === 0 && first !== undefined) {
    const count = reading.skipped.length
    throw new AppError('bad-input', because('no_items_fit', { count, id: first.id, why: first.reason }))
  }
  return { ...reading, kind: 'rest' }
}
