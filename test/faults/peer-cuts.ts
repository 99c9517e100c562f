import type { Network } from '../../src/warning/radios/radio.ts'

/** The fault of the radio's answer, and for how long after the text came the row stays "transmitting". */
export interface Cut {
  name: string
  fault: readonly object[]
  windowMs: number
  /** No handshake either: only for a life that is connected already. */
  deaf?: true
}

const MT_MEND = [{ mend: true }, { change: { airtimeMs: 200 } }]
/** The faults that one radio can add to a text and its answer. */
export const CUTS: Record<Network, readonly Cut[]> = {
  mt: [
    { name: 'on the air for 4 s', fault: [{ change: { airtimeMs: 4000 } }], windowMs: 3500 },
    { name: 'no queue report, no ack', fault: [{ fault: { loseQueueStatus: 2, loseAck: 1 } }], windowMs: 2500 },
    { name: 'swallowed', fault: [{ fault: { swallow: 1 } }], windowMs: 2500 },
    { name: 'deaf', fault: [{ fault: { silent: true } }], windowMs: 2500, deaf: true }
  ],
  mc: [
    { name: 'OK 3 s late', fault: [{ do: 'fault', kind: 'slow', command: 3, ms: 3000 }], windowMs: 2500 },
    { name: 'OK lost', fault: [{ do: 'fault', kind: 'lost-answer', command: 3 }], windowMs: 2500 },
    { name: 'not read', fault: [{ do: 'fault', kind: 'discard', command: 3 }], windowMs: 2500 },
    { name: 'stopped', fault: [{ do: 'fault', kind: 'stop', command: 3 }], windowMs: 2500 }
  ]
}
/** Undoes every cut. */
export const MEND: Record<Network, readonly object[]> = { mt: MT_MEND, mc: [{ do: 'mend' }] }
/** The arguments of the peers. */
export const PEER_ARGS: Record<Network, string[]> = {
  mt: ['--port', '0', '--airtime', '200', '--ack', '300'],
  mc: ['--port', '0', '--channels', 'north', '--air-scale', '0.5']
}
