/** A mark on the maps of a Meshtastic channel (port 8). The node that receives it replaces what it had of the same id. */
export interface Waypoint {
  /** 1 … 4294967295; the same for every mark of one thread. */
  id: number
  /** Degrees. */
  lat: number
  lon: number
  /** Epoch seconds at which it goes by itself; 1 takes it from the map. */
  expire: number
  /** At most 30 bytes. */
  name: string
  /** Unicode code point of the sign. */
  icon: number
}

/** `expire` of one that is to go. */
export const WAYPOINT_GONE = 1
export const WAYPOINT_NAME_BYTES = 30
/** A waypoint as it is stored, `Pine Fire 43.6150,-116.2023`, is at most this much shorter than its packet. */
export const WAYPOINT_MORE_BYTES = 24

/** Signs that phones of all kinds draw. */
const ICONS: Readonly<Record<string, number>> = {
  fire: 0x1f525,
  weather: 0x26c8,
  roads: 0x1f6a7,
  avalanche: 0x1f3d4
}
const WARNING_SIGN = 0x26a0

export function iconOf(family: string): number {
  return ICONS[family] ?? WARNING_SIGN
}
