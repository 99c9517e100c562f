import type { LookoutEvent } from '../../model/event.ts'
import { isAtLeast } from '../../model/severity.ts'
import { budgetFor, cutToBytes } from '../messages/budget.ts'
import { composeDigest } from '../messages/digest.ts'
import { sanitise } from '../messages/sanitise.ts'
import { instantText } from '../messages/times.ts'
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
  bandConditions: () => Promise<string | null>
  /** The best passes of the next day over an observer in at most `bytes`; null when none is known. */
  passes: (observer: string, bytes: number) => Promise<string | null>
}

/** The words of a scheduled broadcast for one network, within its budget; null when there is nothing to tell. */
export async function broadcastText(
  broadcast: Broadcast,
  network: 'mt' | 'mc',
  options: BroadcastTextsOptions
): Promise<string | null> {
  const { station, messages } = options.config()
  const limit = budgetFor(network, messages, options.nodeName(network))
  const stamp = instantText(options.now(), station, options.now())
  const body = await bodyOf(broadcast, limit, options)
  if (body !== null) return cutToBytes(sanitise(body), limit)
  if (!broadcast.say_when_empty) return null
  const { what } = broadcast
  const text = what === 'digest' ? noAlerts(broadcast, stamp, options) : `${NOTHING[what]} (${stamp})`
  return cutToBytes(sanitise(text), limit)
}

/** Contract §13: a broadcast gives no all-clear that nobody can give. */
function noAlerts({ region }: Broadcast, stamp: string, { active, now, problems }: BroadcastTextsOptions): string {
  const where = `${region === '' ? '' : ` for ${region}`} (${stamp})`
  const nothing = { clear: 'No alerts in force', known: 'No alerts known', where, seen: active(now()).length }
  return nothingFound({ ...nothing, scope: region === '' ? 'anywhere' : 'region' }, problems())
}

const NOTHING: Record<Exclude<Broadcast['what'], 'digest'>, string> = {
  band_conditions: 'Band conditions: nothing heard',
  passes: 'No satellite passes known',
  text: ''
}

async function bodyOf(broadcast: Broadcast, limit: number, options: BroadcastTextsOptions): Promise<string | null> {
  switch (broadcast.what) {
    case 'text':
      return broadcast.text
    case 'band_conditions':
      return options.bandConditions()
    case 'passes':
      return options.passes(broadcast.region, limit)
    case 'digest':
      return digestOf(broadcast, limit, options)
  }
}

function digestOf(broadcast: Broadcast, limitBytes: number, options: BroadcastTextsOptions): string | null {
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
  const stamp = instantText(nowMs, station, nowMs)
  return composeDigest({ title: `NOW ${region} ${stamp}`.replace('  ', ' '), entries, station, limitBytes, nowMs }).text
}
