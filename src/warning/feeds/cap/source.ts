import { because } from '../../../model/reason.ts'
import type { SourceKind } from '../source.ts'
import { pollCap, readCap } from './poll.ts'
import type { CapProfile } from './reading.ts'
import type { CapSettings } from './settings.ts'

/** CAP alerts behind any address: an index with details, or the alerts themselves. CAP 1.1 and 1.2. */
export const capSource: SourceKind<CapSettings> = {
  mode: 'poll',
  kind: 'cap',
  about: 'Alerts of any authority that publishes the Common Alerting Protocol.',
  defaultIntervalSeconds: 300,
  minIntervalSeconds: 60,
  warns: true,
  needsContact: false,
  missing: ({ url }) => (url === '' ? because('needs_cap_address') : null),
  poll: (settings, tools) => pollCap(settings.url, profileOf(settings), tools),
  read: (body, settings, tools) => readCap(body, profileOf(settings), tools)
}

function profileOf(settings: CapSettings): CapProfile {
  return {
    kind: 'cap',
    format: settings.index,
    wanted: settings,
    details: settings.details,
    maxDetails: settings.max_details,
    read: { language: settings.language, defaultExpiresHours: settings.default_expires_hours }
  }
}
