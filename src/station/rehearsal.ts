import { familyKeys } from '../model/families.ts'
import { paced, readersTurn } from '../platform/clock/slices.ts'
import type { Log } from '../platform/log/log.ts'
import { parseEventInput } from '../warning/events/input.ts'
import { instructionSentences, shortCall } from '../warning/messages/guidance.ts'
import { leadSentences } from '../warning/messages/sentences.ts'
import { spokenOn } from '../warning/messages/spoken-on.ts'
import { terse } from '../warning/messages/terse.ts'
import { instantText } from '../warning/messages/times.ts'
import { composeFor, type Setting, type Wordless } from '../warning/outbox/text.ts'

const SUMMARY =
  'Moves east with winds of 30 mph. Crews are on their way; see https://example.org. Stay away from the area.'
const INSTRUCTION = 'Move to higher ground now. If you are outdoors, seek shelter. Do not drive through water.'

/** One event for each way in which the templates write, the plainest first: each brings little that those before it did not. */
const SAMPLES: readonly { kind?: Wordless['kind']; event: Readonly<Record<string, unknown>> }[] = [
  { event: { family: 'mesh_health', title: 'Sample' } },
  { event: { family: 'fire', title: 'Sample fire', lat: 44, lon: -115, data: { acres: 120, contained_percent: 10 } } },
  { event: { family: 'weather', title: 'Sample', summary: SUMMARY, data: { event_name: 'Flood Warning' } } },
  { event: { family: 'weather', title: 'Sample', data: { event_name: 'Flood Warning', instruction: INSTRUCTION } } },
  { event: { family: 'weather', title: 'Probe', summary: 'Es treten Böen auf.', data: { language: 'de' } } },
  { event: { family: 'seismic', title: 'Sample', lat: 44, lon: -115, data: { magnitude: 5.1, depth_km: 10 } } },
  { event: { family: 'roads', title: 'Sample', summary: SUMMARY, data: { road: 'US 95' } } },
  { event: { family: 'avalanche', title: 'Sample', data: { danger_level: 4 } } },
  { event: { family: 'rf_propagation', title: 'Sample', data: { scale: 'G3', kp: 7 } } },
  { kind: 'update', event: { family: 'weather', title: 'Sample', data: { event_name: 'Flood Warning' } } },
  { kind: 'cancel', event: { family: 'weather', title: 'Sample', data: { event_name: 'Flood Warning' } } }
]

/**
 * Writes texts that nobody is sent, in small steps: expressions and formats are made at their first use, 20 to 40 ms of them in one
 * go if the first event after a start had to do it (contract §6, *Warnings before work*). Nothing is stored.
 */
export function* rehearsal(given: Omit<Setting, 'spoken'>): Generator<void> {
  const { config, nowMs } = given
  const setting = { ...given, spoken: spokenOn(config, USUAL) }
  instantText(nowMs, config.station, nowMs)
  yield
  terse(SUMMARY)
  yield
  leadSentences(SUMMARY, 100)
  for (const call of instructionSentences(INSTRUCTION)) shortCall(call)
  for (const { kind = 'new', event: sample } of SAMPLES) {
    yield
    const input = { id: 'sample', source: 'rehearsal', sent_at: new Date(nowMs).toISOString(), ...sample }
    const event = parseEventInput(input, { now: nowMs, families: familyKeys() })
    composeFor(event, { ...WORDLESS, kind, events: [event] }, setting)
  }
}

const USUAL = { transport: 'mt', channel: 0, direct: false } as const

const WORDLESS: Omit<Wordless, 'kind' | 'events'> = {
  regions: ['Sample'],
  newPlacesOnly: false,
  mark: null,
  code: null,
  origin: null
}

/** The rehearsal in the background: whatever comes meanwhile goes first. Never rejects. */
export async function rehearse(setting: Omit<Setting, 'spoken'>, log: Pick<Log, 'debug' | 'error'>): Promise<void> {
  try {
    await paced(rehearsal(setting), readersTurn)
    log.debug('texts are rehearsed')
  } catch (error) {
    log.error({ err: error }, 'texts could not be rehearsed')
  }
}
