import { batteryOf, channelUse, isListening, ownBattery, type RadioReading, sightingsOf } from './nodes.ts'
import type { MeshHealthSettings, WatchedNode } from './settings.ts'
import type { NodeState, RadioState } from './state.ts'
import { batteryText, nodeText, radioBatteryText, radioText, type Told, trafficText } from './texts.ts'
import { batteryLevel, type Change, lostLevel, moved, presenceAfter, silenceAfter, trafficAfter } from './watch.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** One look at all radios. */
export interface Batch {
  now: number
  elapsedMs: number
  settings: MeshHealthSettings
  radios: readonly RadioReading[]
}

/** Name of the condition, what is said of it, and how it changed. */
export type Telling = readonly [what: 'lost' | 'battery' | 'busy' | 'silent', text: Told, change: Change]

/** The state of one of the station's radios after a reading. Only a radio that is ready can tell about itself. */
export function judgeRadio(
  radio: RadioReading,
  state: RadioState,
  batch: Batch
): { state: RadioState; told: Telling[] } {
  const presence = presenceAfter(state.presence, radio.health, batch)
  const next = { ...state, presence }
  const told: Telling[] = []
  const details = radio.health.state === 'ready' ? radio.details : null
  judgePresence(radio, next, { batch, told })
  judgeTraffic(radio, next, { batch, told, percent: details === null ? null : channelUse(details) })
  const percent = details === null ? null : ownBattery(details)
  if (percent !== null) {
    const { condition, change } = moved(next.battery, levelOf(next.battery.level, percent, batch.settings), batch)
    next.battery = condition
    if (change !== null) told.push(['battery', radioBatteryText(radio, change, percent), change])
  }
  return { state: next, told }
}

type Draft<State> = { -readonly [Key in keyof State]: State[Key] }
interface Work {
  batch: Batch
  told: Telling[]
}

function judgePresence(radio: RadioReading, next: Draft<RadioState>, { batch, told }: Work): void {
  const { now, settings, radios } = batch
  const level = lostLevel(next.lost.level, next.presence, settings.radio_lost_minutes * MINUTE_MS)
  const { condition, change } = moved(next.lost, level, { now, since: now - next.presence.downMs })
  next.lost = condition
  if (change === null) return
  const alone = !radios.some(({ network, health }) => network === radio.network && health.state === 'ready')
  // A radio is told as back a while after it came back.
  const until = change.kind === 'end' ? now - next.presence.upMs : now
  told.push(['lost', radioText(radio, change, { until, alone }), change])
}

function judgeTraffic(
  radio: RadioReading,
  next: Draft<RadioState>,
  { batch, told, percent }: Work & { percent: number | null }
): void {
  const { now, elapsedMs, settings } = batch
  const windowMs = settings.utilization_minutes * MINUTE_MS
  const limits = {
    window: Math.ceil(settings.utilization_minutes),
    windowMs,
    highPercent: settings.utilization_percent,
    clearPercent: settings.utilization_clear_percent,
    sustainedMs: settings.utilization_sustained_hours * HOUR_MS
  }
  const { traffic, level, mean } = trafficAfter(next.traffic, next.busy.level, { percent, elapsedMs, limits })
  next.traffic = traffic
  if (mean === null) return
  const { condition, change } = moved(next.busy, level, { now, since: now - windowMs })
  next.busy = condition
  if (change === null) return
  told.push(['busy', trafficText(radio, change, { mean, limit: settings.utilization_percent, now }), change])
}

/** The state of one watched node after the readings. `seen`: a radio spoke of it. */
export function judgeNode(
  entry: WatchedNode,
  state: NodeState,
  batch: Batch & { first: boolean }
): { state: NodeState; told: Telling[]; seen: boolean } {
  const { now, settings, radios } = batch
  const sightings = sightingsOf(entry, radios, now)
  const [latest] = sightings
  const heardAt = latest?.node.lastHeardAt ?? null
  const who = {
    radio: latest?.radio.id ?? state.radio,
    network: latest?.radio.network ?? state.network,
    name: latest?.node.name.trim() || state.name
  }
  const listening = isListening(sightings, who, radios)
  const silence = silenceAfter(state.quiet, state.silent.level, {
    ...batch,
    heardAt,
    listening,
    limitMs: silentMinutes(entry, who.network, settings) * MINUTE_MS
  })
  const silent = moved(state.silent, silence.level, { now, since: now - silence.quiet.quietMs })
  const percent = batteryOf(sightings)
  const level = percent === null ? state.battery.level : levelOf(state.battery.level, percent, settings)
  const battery = moved(state.battery, level, { now })
  const next = { ...who, quiet: silence.quiet, silent: silent.condition, battery: battery.condition }
  const about = { name: next.name || entry.node, id: latest?.node.id ?? entry.node, critical: entry.critical }
  const told: Telling[] = []
  if (silent.change !== null) told.push(['silent', nodeText(about, silent.change, now), silent.change])
  if (battery.change !== null && percent !== null) {
    const text = batteryText({ name: about.name, facts: { node: about.id } }, battery.change, percent)
    told.push(['battery', text, battery.change])
  }
  return { state: next, told, seen: heardAt !== null }
}

function silentMinutes(entry: WatchedNode, network: string, settings: MeshHealthSettings): number {
  return entry.silent_minutes ?? (network === 'mc' ? settings.meshcore_silent_minutes : settings.node_silent_minutes)
}

function levelOf(level: number, percent: number, settings: MeshHealthSettings): number {
  const thresholds = [
    settings.battery_warning_percent,
    settings.battery_critical_percent,
    settings.battery_emergency_percent
  ]
  return batteryLevel(level, percent, { thresholds, hysteresis: settings.battery_hysteresis_percent })
}
