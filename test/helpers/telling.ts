import * as v from 'valibot'
import { type AirLanguage, ENGLISH } from '../../src/model/air-languages.ts'
import type { LookoutEvent } from '../../src/model/event.ts'
import { type Config, configSchema } from '../../src/settings/schema.ts'
import { composeFor } from '../../src/warning/outbox/text.ts'
import type { StationConfig } from '../../src/warning/station-settings.ts'

interface Telling {
  station: StationConfig
  network?: 'mt' | 'mc'
  regions?: string[]
  /** Of the channel; default English. */
  language?: AirLanguage
  /** Further pieces of the same warning. */
  pieces?: readonly LookoutEvent[]
}

/** The first text of an event, as the station composes it a minute after the source spoke; '' for an end by time, which is not told. */
export function tellEvent(
  event: LookoutEvent,
  { station, network = 'mt', regions = [], language = 'en', pieces = [] }: Telling
): string {
  const { lifecycle } = event
  if (lifecycle === 'expire') return ''
  const config: Config = { ...v.parse(configSchema, {}), station }
  const message = {
    kind: lifecycle,
    regions,
    newPlacesOnly: false,
    mark: null,
    code: null,
    origin: null,
    events: [...pieces, event]
  }
  const spoken = { ...ENGLISH, language }
  const setting = {
    config,
    spoken,
    description: { network, nodeName: 'Ridge' },
    nowMs: Date.parse(event.sent_at) + 60_000
  }
  return composeFor(event, message, setting)[0] ?? ''
}
