/** An event at `critical` or above that ended without a message. Times are epoch milliseconds. */
export interface Untold {
  id: string
  source: string
  title: string
  severity: string
  /** A word of the trace, or of the delivery that did not go out. */
  reason: string
  at: number
}

/** A warning whose zones nothing here can place. `told`: it went to every area in its state; else to nobody. */
export interface Unplaced {
  id: string
  source: string
  title: string
  told: boolean
}
