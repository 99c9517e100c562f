import type { Spoken } from '../../model/air-languages.ts'
import type { LookoutEvent } from '../../model/event.ts'
import { isAtLeast } from '../../model/severity.ts'
import { budgetFor, cutToBytes } from '../messages/budget.ts'
import { ANSWERS } from '../messages/catalogue/answers.ts'
import { put, putAll } from '../messages/catalogue/words.ts'
import { composeDigest } from '../messages/digest.ts'
import { foldText } from '../messages/fold.ts'
import { sanitise } from '../messages/sanitise.ts'
import { spokenOn } from '../messages/spoken-on.ts'
import { momentText, wordsOf } from '../messages/wording.ts'
import { nothingFound } from '../readiness/all-clear.ts'
import type { Problem } from '../readiness/problem.ts'
import type { WarningConfig } from '../settings.ts'
import type { Broadcast } from './settings.ts'

export interface BroadcastTextsOptions {
  config: () => WarningConfig
  now: () => number
  /** The events in force, the gravest first; `MOST_IN_FORCE` at most. */
  active: (now: number) => readonly LookoutEvent[]
  /** The problems of the station (contract §13): some of them hide alerts. */
  problems: () => readonly Problem[]
  /** Name of this network's node: MC firmware puts it before the text. */
  nodeName: (network: 'mt' | 'mc') => string
  /** Band conditions as last heard, in one sentence; null when no source tells them. */
  bandConditions: (spoken: Spoken) => Promise<string | null>
  /** The best passes of the next day over an observer in at most `bytes`; null when none is known. */
  passes: (observer: string, asked: { bytes: number; spoken: Spoken }) => Promise<string | null>
}

/** The words of a scheduled broadcast for one network, within its budget; null when there is nothing to tell. */
export async function broadcastText(
  broadcast: Broadcast,
  network: 'mt' | 'mc',
  options: BroadcastTextsOptions
): Promise<string | null> {
  const { station, messages } = options.config()
  const spoken = spokenOn(options.config(), { transport: network, channel: broadcast[network] ?? '', direct: false })
  const written = (text: string): string =>
    cutToBytes(sanitise(spoken.ascii ? foldText(text, spoken.language) : text), limit)
  const limit = budgetFor(network, messages, options.nodeName(network))
  const now = options.now()
  const stamp = momentText({ ...spoken, station, nowMs: now }, now)
  const body = await bodyOf(broadcast, { limit, stamp, spoken }, options)
  if (body !== null) return written(body)
  if (!broadcast.say_when_empty) return null
  const { what } = broadcast
  if (what === 'digest') return written(noAlerts(broadcast, { stamp, spoken }, options))
  const { noBands, noPasses } = ANSWERS[spoken.language]
  return written(`${{ band_conditions: noBands, passes: noPasses, text: '' }[what]} (${stamp})`)
}

/** Contract §13: a broadcast gives no all-clear that nobody can give. */
function noAlerts(
  { region }: Broadcast,
  { stamp, spoken: { language } }: Pick<Said, 'stamp' | 'spoken'>,
  { active, now, problems }: BroadcastTextsOptions
): string {
  const { noneInForce, noAlertsKnown, forRegion } = ANSWERS[language]
  const placed = (said: string): string => `${region === '' ? said : putAll(forRegion, [said, region])} (${stamp})`
  const nothing = { clear: placed(noneInForce), known: placed(noAlertsKnown), seen: active(now()).length, language }
  return nothingFound({ ...nothing, scope: region === '' ? 'anywhere' : 'region' }, problems())
}

/** How a text of one channel is written, and the time it says. */
interface Said {
  limit: number
  stamp: string
  spoken: Spoken
}

async function bodyOf(broadcast: Broadcast, said: Said, options: BroadcastTextsOptions): Promise<string | null> {
  switch (broadcast.what) {
    case 'text':
      return broadcast.text
    case 'band_conditions':
      return options.bandConditions(said.spoken)
    case 'passes':
      return options.passes(broadcast.region, { bytes: said.limit, spoken: said.spoken })
    case 'digest':
      return digestOf(broadcast, said, options)
  }
}

function digestOf(
  broadcast: Broadcast,
  { limit: limitBytes, stamp, spoken }: Said,
  options: BroadcastTextsOptions
): string | null {
  const { region, families, min_severity } = broadcast
  const nowMs = options.now()
  const { station } = options.config()
  const events = options
    .active(nowMs)
    .filter((event) => region === '' || event.regions.includes(region))
    .filter(({ family }) => families.length === 0 || families.includes(family))
    .filter(({ severity }) => isAtLeast(severity, min_severity))
  if (events.length === 0) return null
  const entries = events.map((event) => ({ event, kind: 'new' as const, regions: region === '' ? event.regions : [] }))
  const title = put(wordsOf(spoken).nowInForce, `${region} ${stamp}`.trim())
  return composeDigest({ title, entries, station, limitBytes, nowMs, ...spoken }).text
}
