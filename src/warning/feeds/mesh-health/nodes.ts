import type { MeshNode, Network, RadioDetails, RadioHealth } from '../../radios/radio.ts'
import type { WatchedNode } from './settings.ts'

/** One of the station's radios, as it is now. */
export interface RadioReading {
  id: string
  network: Network
  /** The name that people call it by. */
  name: string
  health: RadioHealth
  /** Null for a radio that tells nothing of itself. */
  details: RadioDetails | null
}

/** The knowledge of one radio about one node. */
export interface Sighting {
  radio: RadioReading
  node: MeshNode
}

/** A radio's clock and ours agree this well. */
const SKEW_MS = 600_000

/** Every radio's knowledge of the node an entry names, the one that heard it last first. */
export function sightingsOf({ node }: WatchedNode, radios: readonly RadioReading[], now: number): Sighting[] {
  const wanted = node.trim().toLowerCase()
  const all = radios.flatMap((radio) =>
    (radio.details?.nodes ?? []).filter((one) => isMeant(wanted, one)).map((one) => ({ radio, node: one }))
  )
  return all.sort((a, b) => believed(b.node, now) - believed(a.node, now))
}

/** An id, a whole MC public key, which begins with the id its radio knows, or a name. */
function isMeant(wanted: string, { id, name }: MeshNode): boolean {
  const known = id.toLowerCase()
  if (wanted === known || wanted === name.trim().toLowerCase()) return true
  return /^[0-9a-f]{64}$/.test(wanted) && /^[0-9a-f]{12,}$/.test(known) && wanted.startsWith(known)
}

/** A time in the future is another clock's, and says the least. */
function believed({ lastHeardAt }: MeshNode, now: number): number {
  return lastHeardAt === null || lastHeardAt > now + SKEW_MS ? 0 : lastHeardAt
}

/**
 * True when a radio that can hear the node is ready: one that lists it, or the one that heard it last. When that one is
 * no longer configured, any radio of its network.
 */
export function isListening(
  sightings: readonly Sighting[],
  last: { radio: string; network: string },
  radios: readonly RadioReading[]
): boolean {
  const ready = radios.filter(({ health }) => health.state === 'ready')
  if (ready.some(({ id }) => id === last.radio || sightings.some(({ radio }) => radio.id === id))) return true
  return !radios.some(({ id }) => id === last.radio) && ready.some(({ network }) => network === last.network)
}

/** The battery of a node as the radio that heard it last knows it, else as another does. Per cent. */
export function batteryOf(sightings: readonly Sighting[]): number | null {
  const readings = sightings.map(({ node }) => percentOrNull(node.batteryPercent))
  return readings.find((percent) => percent !== null) ?? null
}

/** The battery of the station's own radio; 100 on external power, where no percentage is told. */
export function ownBattery(details: RadioDetails): number | null {
  if ('externalPower' in details && details.externalPower === true) return 100
  return percentOrNull(details.batteryPercent)
}

/** The use of the radio's channel, per cent. */
export function channelUse({ channelUtilization }: RadioDetails): number | null {
  return channelUtilization === null ? null : percentOrNull(Math.round(channelUtilization * 1000) / 10)
}

function percentOrNull(value: number | null): number | null {
  return value !== null && value >= 0 && value <= 100 ? value : null
}
