import type { DeliveryView } from '../../src/warning/outbox/delivery.ts'
import type { Network } from '../../src/warning/radios/radio.ts'
import { tokenOf } from './saturated-events.ts'
import type { OnAir } from './saturated-world.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Contract §6: what we plan of the legal share, and what of it is for `immediate` alone. */
const PLANNED = 0.7
const RESERVED = 0.2
/** The ledger's formula and the peer's may differ by rounding. */
const SLACK = 1.01

/** One immediate message put among the waiting ones. */
export interface Injection {
  token: string
  at: number
  /** Routine messages that waited for each radio then. */
  waiting: Record<Network, number>
}

export interface RadioRun {
  network: Network
  label: string
  /** Legal share of an hour, 0…1. */
  dutyCycle: number
  /** LongFast or faster, and MC at SF8 or faster: 5 s; else 3 s and one time-on-air. */
  fast: boolean
  /** A neighbour passes every text on: what is urgent may have to wait for one of its transmissions too. */
  shared: boolean
  onAir: readonly OnAir[]
}

export interface Saturated {
  radios: readonly RadioRun[]
  injections: readonly Injection[]
  deliveries: readonly DeliveryView[]
  refused: readonly string[]
  logged: readonly string[]
  /** The number of messages that are to wait at least. */
  queue: number
}

export const RULES = [
  'the radios refuse nothing: neither for its rate nor for the hour nor for a full queue',
  'an immediate message is on the air in time',
  'every immediate message is on the air once on each network',
  'as many routine messages wait as were promised, whenever one is put among them',
  'the airtime of any hour stays within the budget, and its reserve is for immediate alone',
  'what was on the air is what the deliveries say: text, channel, once each',
  'nothing is refused, failed or of unknown fate, and the log has no error'
] as const

/** The figures of one radio. Milliseconds, but for the airtime. */
interface Figures {
  label: string
  sent: number
  immediates: number
  p50: number
  max: number
  bound: number
  /** Immediate ones for which even the reserve of the hour was spent: they wait, and are not in the latencies. */
  overBudget: number
  longestAirMs: number
  busiestHourSeconds: number
  budgetSeconds: number
}

interface Verdict {
  figures: Figures[]
  problems: { rule: string; what: string }[]
}

/** Judges one run by what the peers put on the air. */
export function judgeSaturated(run: Saturated): Verdict {
  const problems: Verdict['problems'] = []
  const problem = (rule: number, what: string): void => void problems.push({ rule: RULES[rule] ?? '', what })
  for (const what of run.refused) problem(0, what)
  for (const what of run.logged) problem(6, what)
  for (const { token, waiting } of run.injections) {
    for (const [network, count] of Object.entries(waiting))
      if (count < run.queue) problem(3, `${token}: ${count} for ${network}`)
  }
  const figures = run.radios.map((radio) => {
    const inBudget = run.injections.filter(({ at }) => hasRoom(radio, at))
    const latencies = latenciesOf(radio, inBudget, problem)
    const longestAirMs = longestOf(radio)
    const bound = (radio.fast ? 5000 : 3000 + longestAirMs) + (radio.shared ? longestAirMs : 0)
    for (const { token, ms } of latencies)
      if (ms > bound)
        problem(1, `${radio.label}: ${token} after ${Math.round(ms)} ms, and ${Math.round(bound)} are allowed`)
    judgeDeliveries(radio, run.deliveries, problem)
    const sorted = latencies.map(({ ms }) => ms).sort((a, b) => a - b)
    return {
      label: radio.label,
      sent: radio.onAir.length,
      immediates: sorted.length,
      p50: sorted[Math.floor(sorted.length / 2)] ?? 0,
      max: sorted.at(-1) ?? 0,
      bound,
      overBudget: run.injections.length - inBudget.length,
      longestAirMs,
      ...judgeAirtime(radio, problem)
    }
  })
  return { figures, problems }
}

/**
 * True when the hour before `at` leaves room for one more text, whatever its length. The ledger counts whole minutes.
 */
function hasRoom(radio: RadioRun, at: number): boolean {
  const used = radio.onAir
    .filter((one) => one.at <= at && one.at > at - HOUR_MS - MINUTE_MS)
    .reduce((sum, { airMs }) => sum + airMs, 0)
  return used * SLACK + longestOf(radio) <= radio.dutyCycle * HOUR_MS * PLANNED
}

function longestOf({ onAir }: RadioRun): number {
  return onAir.reduce((longest, { airMs }) => Math.max(longest, airMs), 0)
}

type Problem = (rule: number, what: string) => void

function latenciesOf({ label, onAir }: RadioRun, injections: readonly Injection[], problem: Problem) {
  const byToken = groupBy(onAir, ({ text }) => tokenOf(text))
  return injections.flatMap(({ token, at }) => {
    const heard = firsts(byToken.get(token) ?? [])
    if (heard.length !== 1) problem(2, `${label}: ${token} was on the air ${heard.length} times`)
    return heard.slice(0, 1).map((entry) => ({ token, ms: entry.at - at }))
  })
}

/** Each packet's first time on the air. */
function firsts(onAir: readonly OnAir[]): OnAir[] {
  const known = new Set<string>()
  return onAir.filter(({ channel, text, identity }) => {
    const packet = `${identity} ${channel} ${text}`
    return !known.has(packet) && known.add(packet)
  })
}

function judgeAirtime({ label, onAir, dutyCycle }: RadioRun, problem: Problem) {
  const planned = dutyCycle * HOUR_MS * PLANNED
  let used = 0
  let first = 0
  let busiest = 0
  for (const { at, airMs, text } of onAir) {
    used += airMs
    for (let old = onAir[first]; old !== undefined && old.at <= at - HOUR_MS; old = onAir[++first]) used -= old.airMs
    busiest = Math.max(busiest, used)
    const budget = tokenOf(text)?.startsWith('I') ? planned : planned * (1 - RESERVED)
    if (used > budget * SLACK) problem(4, `${label}: ${Math.round(used / 1000)} s in the hour before ${at}: ${text}`)
  }
  return { busiestHourSeconds: busiest / 1000, budgetSeconds: planned / 1000 }
}

const SENT = new Set(['sent', 'heard', 'unconfirmed'])
const CLOSED_UNSENT = new Set(['queued', 'expired'])

function judgeDeliveries({ network, label, onAir }: RadioRun, all: readonly DeliveryView[], problem: Problem): void {
  const said = new Map<string, number>()
  for (const { channel, text } of firsts(onAir)) {
    const key = `${channel} ${network === 'mc' ? text.slice(text.indexOf(': ') + 2) : text}`
    said.set(key, (said.get(key) ?? 0) + 1)
  }
  for (const { id, transport, state, reason, channel, text, attempts, severity } of all) {
    if (transport !== network) continue
    const key = `${channel} ${text}`
    if (SENT.has(state) || state === 'transmitting') {
      if (said.get(key) !== 1 && state !== 'transmitting')
        problem(5, `${label}: delivery ${id} is ${state}, and was on the air ${said.get(key) ?? 0} times: ${key}`)
      said.delete(key)
      if (attempts !== 1 && severity === 'routine') problem(6, `${label}: delivery ${id} took ${attempts} attempts`)
    } else if (!CLOSED_UNSENT.has(state)) problem(6, `${label}: delivery ${id} is ${state} (${reason})`)
  }
  for (const key of said.keys()) problem(5, `${label}: no delivery says ${key}`)
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
