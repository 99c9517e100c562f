import type { SendOutcome } from '../radio.ts'

export type Refusal = Extract<SendOutcome, { kind: 'refused' }>

/** An explicit refusal: nothing went on the air. */
export function refused(code: string, retry: boolean, reason: string): Refusal {
  return { kind: 'refused', retry, code, reason }
}

type Row = readonly [code: string, retry: boolean, meaning: string]

/** Errors of a routing packet from our own node that mean: refused, nothing was sent. */
const ROUTING: ReadonlyMap<number, Row> = new Map([
  [1, ['NO_ROUTE', true, 'the radio knows no way to the addressee']],
  [4, ['NO_INTERFACE', true, 'the radio has no working LoRa chip']],
  [6, ['NO_CHANNEL', false, 'the channel is not enabled on this radio']],
  [7, ['TOO_LARGE', false, 'the text is longer than a packet']],
  [9, ['DUTY_CYCLE_LIMIT', true, 'the airtime the region allows in an hour is used up']],
  [32, ['BAD_REQUEST', false, 'the radio does not understand the packet']],
  [33, ['NOT_AUTHORIZED', false, 'the radio does not allow it']],
  [34, ['PKI_FAILED', false, 'the text cannot be encrypted for the addressee']],
  [35, ['PKI_UNKNOWN_PUBKEY', false, "the addressee does not know this radio's key"]],
  [36, ['ADMIN_BAD_SESSION_KEY', false, 'the radio does not allow it']],
  [37, ['ADMIN_PUBLIC_KEY_UNAUTHORIZED', false, 'the radio does not allow it']],
  [38, ['RATE_LIMIT_EXCEEDED', true, 'a radio takes one text every 2 s']],
  [39, ['PKI_SEND_FAIL_PUBLIC_KEY', false, "the radio does not know the addressee's key"]]
])

/** Errors that come after the packet was on the air: it may have been heard, nobody said so. */
const AFTER_AIR: ReadonlyMap<number, string> = new Map([
  [2, 'GOT_NAK: the addressee refused it'],
  [3, 'TIMEOUT: no answer in time'],
  [5, 'MAX_RETRANSMIT: nobody repeated or acknowledged it'],
  [8, 'NO_RESPONSE: the addressee did not answer']
])

/** What the queue says beside the routing errors: numbers of the firmware's own, that mean something else there. */
const QUEUE: ReadonlyMap<number, Row> = new Map([
  [32, ['QUEUE_FULL', true, "the radio's transmit queue is full"]],
  [33, ['NO_INTERFACE', true, 'the radio has no working LoRa chip']],
  [34, ['TX_DISABLED', true, 'the radio does not transmit now']]
])

/** What a queue status other than 0 means. */
export function queueRefusal(result: number): Refusal {
  const row = QUEUE.get(result) ?? ROUTING.get(result)
  return row === undefined
    ? refused(`RESULT_${result}`, true, `the radio did not take it: result ${result}`)
    : refused(row[0], row[1], `${row[2]} (result ${result})`)
}

/**
 * What a routing error (not 0) of our own node means. `unclear`: an error this version does not know, so that nobody can say whether the
 * packet was on the air.
 */
export type RoutingMeaning =
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'after-air'; reason: string }
  | { kind: 'unclear'; reason: string }

export function routingMeaning(error: number): RoutingMeaning {
  const late = AFTER_AIR.get(error)
  if (late !== undefined) return { kind: 'after-air', reason: `${late} (error ${error})` }
  const row = ROUTING.get(error)
  if (row === undefined) return { kind: 'unclear', reason: `the radio reports error ${error}, unknown to this version` }
  return { kind: 'refused', refusal: refused(row[0], row[1], `${row[2]} (error ${error})`) }
}

/** Whether this routing error, whoever reports it, comes again at every try: no channel, no permission, no key. */
export function isRefusalForGood(error: number): boolean {
  return ROUTING.get(error)?.[1] === false
}
