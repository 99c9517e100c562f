import { because } from '../../../model/reason.ts'
import type { Severity } from '../../../model/severity.ts'
import { childText, type Element } from '../reading/xml.ts'
import type { SourceKind } from '../source.ts'
import { colourOf } from './event.ts'
import type { MeteoalarmSettings } from './meteoalarm-settings.ts'
import { pollCap, readCap } from './poll.ts'
import type { CapProfile } from './reading.ts'

const HOST = 'https://feeds.meteoalarm.org'

/** MeteoAlarm by country: the Atom index with the alerts behind it, or all alerts as JSON. */
export const meteoalarmSource: SourceKind<MeteoalarmSettings> = {
  mode: 'poll',
  kind: 'meteoalarm',
  about: 'Weather warnings of the European weather services, by country.',
  defaultIntervalSeconds: 300,
  minIntervalSeconds: 300,
  warns: true,
  needsContact: false,
  missing: ({ country, url }) => (country === '' && url === '' ? because('needs_country') : null),
  poll: (settings, tools) => pollCap(addressOf(settings), profileOf(settings), tools),
  read: (body, settings, tools) => readCap(body, profileOf(settings), tools)
}

function addressOf({ url, country, format }: MeteoalarmSettings): string {
  if (url !== '') return url
  return format === 'json'
    ? `${HOST}/api/v1/warnings/feeds-${country}`
    : `${HOST}/feeds/meteoalarm-legacy-atom-${country}`
}

function profileOf(settings: MeteoalarmSettings): CapProfile {
  return {
    kind: 'meteoalarm',
    format: 'auto',
    wanted: settings,
    details: settings.details,
    maxDetails: settings.max_details,
    read: {
      language: settings.language,
      defaultExpiresHours: settings.default_expires_hours,
      category: 'Met',
      level: awarenessLevel
    }
  }
}

const COLOURS = new Map<string, Severity | null>([
  ['green', null],
  ['yellow', 'routine'],
  ['orange', 'priority'],
  ['red', 'critical']
])

/**
 * The level by `awareness_level`, "2; yellow; Moderate"; in the index, which has none, by the colour that heads its title.
 * Severity does not tell: some services call yellow Minor, others Moderate. Null for green.
 */
export function awarenessLevel(info: Element, byCap: Severity): Severity | null {
  const colour = colourOf(info)
  const level = colour === null ? byCap : (COLOURS.get(colour) ?? null)
  return level === 'critical' && childText(info, 'urgency') === 'Immediate' ? 'immediate' : level
}
