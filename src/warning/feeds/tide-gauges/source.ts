import type { LookoutEvent } from '../../../model/event.ts'
import { defaultSeverity } from '../../../model/families.ts'
import { formatTime } from '../../../model/time.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SourceSettings } from '../common-settings.ts'
import type { SkippedItem } from '../feed.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { type Bag, numberOf, parseJsonBody, textOf } from '../reading/json.ts'
import { bagsOf, looseTime } from '../reading/loose.ts'
import { decodeText } from '../reading/xml.ts'
import type { ReadTools, SourceKind, SourceReading } from '../source.ts'

const KIND = 'tide_gauges'
const CATEGORY = 'weather_warning'

interface TideGaugesSettings extends SourceSettings {
  url: string
}

/** Say here who publishes it, and where the format is described. */
export const tideGaugesSource: SourceKind<TideGaugesSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Warnings of Tide gauges.',
  defaultIntervalSeconds: 300,
  minIntervalSeconds: 60,
  needsContact: false,
  poll: async (settings, tools) => {
    const answer = await tools.fetch({ url: settings.url })
    return answer.state === 'unchanged' ? 'unchanged' : read(answer.body, settings, tools)
  },
  read
}

/** @throws AppError `bad-input` for a body that is not the listing: nothing changes then. */
function read(body: Uint8Array, _settings: TideGaugesSettings, tools: ReadTools): SourceReading {
  const listing = parseJsonBody(decodeText(body), KIND)
  if (!Array.isArray(listing[KIND])) throw new AppError('bad-input', `${KIND}: the body has no list "${KIND}".`)
  const items = bagsOf(listing[KIND])
  const events: LookoutEvent[] = []
  const skipped: SkippedItem[] = []
  for (const item of items) {
    const event = eventOf(item, tools)
    if ('reason' in event) skipped.push(event)
    else events.push(event)
  }
  return { kind: KIND, events, skipped, updated: null, items: items.length }
}

function eventOf(item: Bag, tools: ReadTools): LookoutEvent | SkippedItem {
  const id = textOf(item['id'])
  const title = textOf(item['title'])
  const time = looseTime(item['at'])
  if (id === '' || title === '' || time === null) return { id, reason: 'no id, title or time' }
  const stated = { id, title, category: CATEGORY, severity: defaultSeverity(CATEGORY), sent_at: formatTime(time) }
  const place = { lat: numberOf(item['lat']), lon: numberOf(item['lon']) }
  return feedEvent({ ...stated, ...place, thread_id: `${KIND}:${id}`, data: {} }, tools)
}
