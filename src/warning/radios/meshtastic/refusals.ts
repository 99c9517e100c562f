import { because, type Reason } from '../../../model/reason.ts'
import type { SendOutcome } from '../radio.ts'

export type Refusal = Extract<SendOutcome, { kind: 'refused' }>

/** An explicit refusal: nothing went on the air. */
export function refused(code: string, retry: boolean, reason: Reason): Refusal {
  return { kind: 'refused', retry, code, reason }
}

type Row = readonly [code: string, retry: boolean, meaning: Reason]

/** Errors of a routing packet from our own node that mean: refused, nothing was sent. */
const ROUTING: ReadonlyMap<number, Row> = new Map([
  [1, ['NO_ROUTE', true, because('mt_no_route')]],
  [4, ['NO_INTERFACE', true, because('mt_no_chip')]],
  [6, ['NO_CHANNEL', false, because('mt_channel_off')]],
  [7, ['TOO_LARGE', false, because('mt_too_long')]],
  [9, ['DUTY_CYCLE_LIMIT', true, because('mt_airtime_used')]],
  [32, ['BAD_REQUEST', false, because('mt_bad_request')]],
  [33, ['NOT_AUTHORIZED', false, because('mt_not_allowed')]],
  [34, ['PKI_FAILED', false, because('mt_not_encrypted')]],
  [35, ['PKI_UNKNOWN_PUBKEY', false, because('mt_our_key_unknown')]],
  [36, ['ADMIN_BAD_SESSION_KEY', false, because('mt_not_allowed')]],
  [37, ['ADMIN_PUBLIC_KEY_UNAUTHORIZED', false, because('mt_not_allowed')]],
  [38, ['RATE_LIMIT_EXCEEDED', true, because('mt_too_often')]],
  [39, ['PKI_SEND_FAIL_PUBLIC_KEY', false, because('mt_their_key_unknown')]]
])

/** Errors that come after the packet was on the air: it may have been heard, nobody said so. */
const AFTER_AIR: ReadonlyMap<number, Reason> = new Map([
  [2, because('mt_got_nak')],
  [3, because('mt_timeout')],
  [5, because('mt_max_retransmit')],
  [8, because('mt_no_response')]
])

/** Codes of the queue beside the routing errors: numbers of the firmware's own, that mean something else there. */
const QUEUE: ReadonlyMap<number, Row> = new Map([
  [32, ['QUEUE_FULL', true, because('mt_queue_full')]],
  [33, ['NO_INTERFACE', true, because('mt_no_chip')]],
  [34, ['TX_DISABLED', true, because('mt_tx_off')]]
])

/** The meaning of a queue status other than 0. */
export function queueRefusal(result: number): Refusal {
  const row = QUEUE.get(result) ?? ROUTING.get(result)
  return row === undefined
    ? refused(`RESULT_${result}`, true, because('mt_result_unknown', { result }))
    : refused(row[0], row[1], because('mt_result', { meaning: row[2], result }))
}

/**
 * The meaning of a routing error (not 0) of our own node. `unclear`: an error this version does not know, so that
 * nobody can say whether the packet was on the air.
 */
export type RoutingMeaning =
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'after-air'; reason: Reason }
  | { kind: 'unclear'; reason: Reason }

export function routingMeaning(error: number): RoutingMeaning {
  const late = AFTER_AIR.get(error)
  if (late !== undefined) return { kind: 'after-air', reason: because('mt_error', { meaning: late, error }) }
  const row = ROUTING.get(error)
  if (row === undefined) return { kind: 'unclear', reason: because('mt_error_unknown', { error }) }
  return { kind: 'refused', refusal: refused(row[0], row[1], because('mt_error', { meaning: row[2], error })) }
}

/** True when this routing error, whoever reports it, comes again at every try: no channel, no permission, no key. */
export function isRefusalForGood(error: number): boolean {
  return ROUTING.get(error)?.[1] === false
}
