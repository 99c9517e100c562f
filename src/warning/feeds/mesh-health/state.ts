import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { type Condition, notSo, type Presence, type Quiet, type Traffic } from './watch.ts'

/** The known state of one of the station's radios. */
export interface RadioState {
  readonly presence: Presence
  readonly traffic: Traffic
  readonly lost: Condition
  readonly battery: Condition
  readonly busy: Condition
}

/** The known state of one watched node. */
export interface NodeState {
  readonly quiet: Quiet
  /** The radio that heard it last. */
  readonly radio: string
  readonly network: string
  readonly name: string
  readonly silent: Condition
  readonly battery: Condition
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const condition = looseObject({ episode: count, level: count, since: v.nullable(v.number()), told: count })
const storedRadio = looseObject({ lost: condition, battery: condition, busy: condition, busyMs: v.number() })
const storedNode = looseObject({
  quiet: looseObject({ heardAt: v.nullable(v.number()), quietMs: v.number(), hearings: count }),
  radio: v.string(),
  network: v.string(),
  name: v.string(),
  silent: condition,
  battery: condition
})

/** A radio as it is at the start of a process: what was told of it is remembered, how long it has been down is not. */
export function radioState(stored: unknown, now: number): RadioState {
  const { success, output } = v.safeParse(storedRadio, stored)
  const told = success ? output : { lost: notSo(now), battery: notSo(now), busy: notSo(now), busyMs: 0 }
  const { lost, battery, busy, busyMs } = told
  return { presence: { downMs: 0, upMs: 0 }, traffic: { samples: [], busyMs }, lost, battery, busy }
}

export function nodeState(stored: unknown, now: number): NodeState {
  const { success, output } = v.safeParse(storedNode, stored)
  if (success) return output
  const quiet = { heardAt: null, quietMs: 0, hearings: 0 }
  return { quiet, radio: '', network: '', name: '', silent: notSo(now), battery: notSo(now) }
}

/** The part of a radio's state that is kept. */
export function keptOf({
  lost,
  battery,
  busy,
  traffic
}: RadioState): Pick<RadioState, 'lost' | 'battery' | 'busy'> & { busyMs: number } {
  return { lost, battery, busy, busyMs: traffic.busyMs }
}

/** Cards wear: what only passes with time is written this often. */
const COARSE_MS = 600_000

/** True when a restart would do something else without the newer state. */
export function radioDiffers(before: RadioState, after: RadioState): boolean {
  if (before.lost !== after.lost || before.battery !== after.battery || before.busy !== after.busy) return true
  return step(before.traffic.busyMs) !== step(after.traffic.busyMs)
}

export function nodeDiffers(before: NodeState, after: NodeState): boolean {
  if (before.silent !== after.silent || before.battery !== after.battery) return true
  if (before.radio !== after.radio || before.name !== after.name) return true
  if (before.quiet.hearings !== after.quiet.hearings) return true
  const { heardAt: old, quietMs } = before.quiet
  const { heardAt } = after.quiet
  if ((old === null) !== (heardAt === null)) return true
  return step(old ?? 0) !== step(heardAt ?? 0) || step(quietMs) !== step(after.quiet.quietMs)
}

const step = (ms: number): number => Math.floor(ms / COARSE_MS)
