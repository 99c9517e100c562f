import { formatTime, parseTime } from '../../../model/time.ts'
import { textOf } from '../reading/json.ts'
import type { ReadTools, SourceKind, SourceReading } from '../source.ts'
import type { IpawsSettings } from './ipaws-settings.ts'
import { pollCap, readCap } from './poll.ts'
import type { CapProfile } from './reading.ts'

const MINUTE_MS = 60_000
/** Alerts may show up later than they were sent. */
const OVERLAP_MS = 30 * MINUTE_MS

/** The public feeds of IPAWS: `/rest/{feed}/recent/{time}`, all alerts since then in one `<alerts>`. FEMA asks for two minutes. */
export const ipawsSource: SourceKind<IpawsSettings> = {
  mode: 'poll',
  kind: 'ipaws',
  about: 'Alerts of the authorities of the United States, from the feed of FEMA.',
  defaultIntervalSeconds: 120,
  minIntervalSeconds: 120,
  warns: true,
  needsContact: false,
  async poll(settings, tools) {
    const url = `${settings.base_url.replace(/\/+$/, '')}/${settings.feed}/recent/${sinceOf(settings, tools)}`
    const reading = await pollCap(url, profileOf(settings), tools)
    if (reading !== 'unchanged') remember(reading, tools)
    return reading
  },
  read: (body, settings, tools) => readCap(body, profileOf(settings), tools)
}

/** Half an hour before the newest alert seen; in ten-minute steps, so that the address, and what is known of it, stays. */
function sinceOf({ lookback_hours }: IpawsSettings, { memory, receivedAt }: ReadTools): string {
  const earliest = receivedAt - lookback_hours * 60 * MINUTE_MS
  const newest = parseTime(textOf(memory.get('newest'))) ?? earliest
  const from = Math.max(earliest, Math.min(newest, receivedAt) - OVERLAP_MS)
  return formatTime(Math.floor(from / (10 * MINUTE_MS)) * 10 * MINUTE_MS).replace('.000Z', 'Z')
}

function remember({ events }: SourceReading, { memory }: ReadTools): void {
  const newest = events.at(-1)?.sent_at ?? ''
  if (newest > textOf(memory.get('newest'))) memory.set('newest', newest)
}

function profileOf(settings: IpawsSettings): CapProfile {
  return {
    kind: 'ipaws',
    format: 'auto',
    wanted: settings,
    details: 'never',
    maxDetails: 1,
    read: { language: settings.language, defaultExpiresHours: settings.default_expires_hours }
  }
}
