import { because } from '../../../model/reason.ts'
import { decodeText } from '../reading/xml.ts'
import type { PushKind, ReadTools, SourceReading } from '../source.ts'
import { Announcer } from './announcer.ts'
import { parseElements } from './elements.ts'
import { ElementsStore } from './elements-store.ts'
import { chooseSatellites } from './names.ts'
import { passEvent } from './pass-event.ts'
import { highestOfNear, predict } from './predict.ts'
import type { SatpassSettings } from './settings.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/**
 * Satellite passes: elements are downloaded once or twice a day, passes worked out here and told shortly before they
 * begin. Without the internet it goes on with the elements it has, until they are too old.
 */
export const satpassSource: PushKind<SatpassSettings> = {
  mode: 'push',
  kind: 'satpass',
  about: 'Rise, culmination and set of satellites over your observers, worked out here from orbital elements.',
  missing: ({ observers }) => (observers.length === 0 ? because('needs_observer') : null),
  open: async (settings, tools) => {
    const announcer = new Announcer(settings, tools)
    const elements = new ElementsStore(settings, tools, (outcome) => announcer.refreshed(outcome))
    tools.report('connecting', null)
    announcer.start(() => elements.problem)
    elements.start()
    return {
      close: async () => {
        elements.close()
        await announcer.close()
      }
    }
  },
  read: readElements
}

/** The passes of the next 24 hours from a recorded body of elements, as they would be announced. */
function readElements(body: Uint8Array, settings: SatpassSettings, tools: ReadTools): SourceReading {
  const { elements, skipped } = parseElements(decodeText(body))
  const { chosen, unknown } = chooseSatellites(elements, settings.satellites)
  const { passes, unusable } = predict({
    elements: chosen,
    observers: settings.observers,
    from: tools.receivedAt,
    to: tools.receivedAt + DAY_MS,
    minElevation: settings.min_elevation,
    maxAgeDays: settings.max_age_days
  })
  const told = highestOfNear(passes, settings.spacing_minutes * MINUTE_MS)
  return {
    kind: 'satpass',
    items: elements.length + skipped.length,
    events: told.map((pass) => passEvent(pass, { source: tools.source, now: tools.receivedAt })),
    skipped: [...skipped, ...unusable, ...unknown.map((id) => ({ id, reason: because('no_such_satellite') }))],
    updated: null
  }
}
