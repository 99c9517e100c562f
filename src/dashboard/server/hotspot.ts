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

/** How it should be. */
export interface HotspotWish {
  on: boolean
  ssid: string
  passphrase: string
  /** Two capitals; empty: as the machine has it. */
  country: string
  channel: number
  /** Its number. */
  asked: number
}

/** The hotspot as pages see it. */
export interface HotspotPort {
  /** Null where nothing on this machine switches a hotspot. */
  state: () => HotspotState | null
  wish: () => HotspotWish | null
  /** Rejects as the disk does. */
  ask: (wish: Omit<HotspotWish, 'asked'>) => Promise<void>
}
