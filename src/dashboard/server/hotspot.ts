import type { HotspotWish } from '../../settings/hotspot-wish.ts'

/** How the hotspot is, as whoever switches it told. */
export interface HotspotState {
  state: 'on' | 'off' | 'failed'
  /** The last wish is not fulfilled yet. */
  changing: boolean
  /** The word for a failure: deploy/hotspot/lookout-hotspot. */
  reason: string | null
  ssid: string
  /** The Wi-Fi that it is on; empty while it is off. */
  device: string
  /** Of the station there. */
  address: string
}

/** The hotspot as pages see it. */
export interface HotspotPort {
  /** Null where nothing on this machine switches a hotspot. */
  state: () => HotspotState | null
  wish: () => HotspotWish | null
  /** Rejects as the disk does. */
  ask: (wish: Omit<HotspotWish, 'asked'>) => Promise<void>
}
