/**
 * The life of a message for one channel (docs/interface.md §6): its states, what can happen to it, what follows, and what may be asked
 * of a state. `Outbox.apply` moves rows by this table alone; docs/states.md is drawn from it.
 */

export const DELIVERY_STATES = [
  'queued',
  'transmitting',
  'sent',
  'heard',
  'delivered',
  'unconfirmed',
  'held',
  'suppressed',
  'merged',
  'stood_down',
  'expired',
  'failed',
  'sent_unknown'
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

type Moves = Partial<Record<DeliveryState, DeliveryState>>

/** The states a message can begin in. */
export const FIRST_STATES = ['queued', 'held', 'merged'] as const satisfies readonly DeliveryState[]

/** Whatever was handed to a radio may have word of it, however it ended; `merged` rows never are. */
const HANDED_OVER = [
  'sent',
  'unconfirmed',
  'sent_unknown',
  'heard',
  'queued',
  'held',
  'failed',
  'expired',
  'suppressed',
  'stood_down'
] as const

const all = (states: readonly DeliveryState[], to: DeliveryState): Moves =>
  Object.fromEntries(states.map((state) => [state, to]))

/**
 * Everything that can happen to a message: from which states, and where it leads. What is missing is impossible, and
 * `apply` throws.
 */
export const TRANSITIONS = {
  /** It is its turn, and it waits for pace, airtime or a free channel. */
  wait: { queued: 'queued' },
  /** It cannot leave, or must not yet. */
  hold: { queued: 'held', held: 'held' },
  /** The reason for holding it is over. */
  free: { held: 'queued' },
  /** Stored before the radio or the server hears of it. */
  hand_over: { queued: 'transmitting' },
  /** One part of several left; the next waits. `queued`: the file that said `transmitting` was lost while it flew. */
  part_left: { transmitting: 'queued', queued: 'queued' },
  /** The last part left, or the server took it. Somebody may have been heard repeating it before the radio said so. */
  left: { transmitting: 'sent', queued: 'sent', heard: 'heard', delivered: 'delivered' },
  /** No answer came, or nobody was heard: it is offered again. Only `critical` and above. */
  offer_again: { transmitting: 'queued', unconfirmed: 'queued', queued: 'queued' },
  /** Receivers may have forgotten the packet: it is made a new one, marked as a repeat. */
  renew: { queued: 'queued' },
  /** A server did not answer: tried again. It has nobody who could hear twice. */
  try_again: { transmitting: 'queued' },
  /** The radio said no, so nothing of this try was on the air: it waits for another. */
  refuse: {
    transmitting: 'queued',
    ...all(['queued', 'held', 'sent', 'unconfirmed', 'sent_unknown', 'heard', 'failed'], 'queued')
  },
  /** It cannot be sent, and nobody can have heard it. */
  fail: {
    transmitting: 'failed',
    ...all(['queued', 'held', 'sent', 'unconfirmed', 'sent_unknown', 'failed'], 'failed')
  },
  /** It will not be said again, and may have been heard. */
  lose: { transmitting: 'sent_unknown', ...all(['queued', 'held', 'sent', 'sent_unknown', 'failed'], 'sent_unknown') },
  /** It was on the air, will not be said again, and nobody is known to have heard it. */
  leave_unconfirmed: all(['transmitting', 'queued', 'held', 'sent', 'unconfirmed', 'heard', 'failed'], 'unconfirmed'),
  /** Nobody was heard repeating it in the time there was. */
  unheard: { sent: 'unconfirmed' },
  /** Somebody repeated it. While it flies again its own outcome decides, and an addressee's word counts for more. */
  hear: { ...all(HANDED_OVER, 'heard'), transmitting: 'transmitting', delivered: 'delivered' },
  /** Somebody repeated an earlier part of it. */
  hear_part: { queued: 'queued', transmitting: 'transmitting' },
  /** Its addressee acknowledged it. */
  deliver: all([...HANDED_OVER, 'transmitting', 'delivered'], 'delivered'),
  /** It is not to be said: silenced, over, said already, taken back. */
  suppress: { queued: 'suppressed', held: 'suppressed' },
  /** Another station was heard saying it on this channel (docs/interface.md §6, *Two stations*). */
  stand_down: { queued: 'stood_down', held: 'stood_down' },
  /** It waited longer than it was worth. */
  expire: { queued: 'expired', held: 'expired' },
  /** It is told in another message of its channel. */
  merge: { queued: 'merged', held: 'merged' }
} as const satisfies Record<string, Moves>
export type DeliveryChange = keyof typeof TRANSITIONS
export const DELIVERY_CHANGES = Object.keys(TRANSITIONS) as DeliveryChange[]

/** Changes that only `critical` and above may make: below, nothing that may have been heard is said twice. */
export const GRAVE_ONLY: ReadonlySet<DeliveryChange> = new Set(['offer_again'])

/** Changes that only what was never on the air may suffer: whatever may have been heard stays told. */
export const UNTOLD_ONLY: ReadonlySet<DeliveryChange> = new Set(['suppress', 'expire', 'merge', 'stand_down'])

/** The moves of one change, `[from, to]`. */
export function movesOf(change: DeliveryChange): [DeliveryState, DeliveryState][] {
  return DELIVERY_STATES.flatMap((from) => {
    const to = after(from, change)
    return to === null ? [] : [[from, to]]
  })
}

/** The state after a change; null where it cannot happen. */
export function after(state: DeliveryState, change: DeliveryChange): DeliveryState | null {
  const moves: Moves = TRANSITIONS[change]
  return moves[state] ?? null
}

const OPEN: ReadonlySet<DeliveryState> = new Set(['queued', 'held', 'transmitting'])
const GIVEN_UP: ReadonlySet<DeliveryState> = new Set(['failed', 'expired', 'suppressed'])
const ON_AIR: ReadonlySet<DeliveryState> = new Set(['sent', 'heard', 'delivered', 'unconfirmed'])

/** It waits or flies. */
export function isOpen(state: DeliveryState): boolean {
  return OPEN.has(state)
}

/** It did not and will not go out: its place in the dedup ledger is given back. */
export function isGivenUp(state: DeliveryState): boolean {
  return GIVEN_UP.has(state)
}

/** It has left a radio or was taken by a server. */
export function wasOnAir(state: DeliveryState): boolean {
  return ON_AIR.has(state)
}

/** Further pieces may join it: it waits, and its words are not frozen yet. */
export function mayMerge(state: DeliveryState, hasText: boolean): boolean {
  return OPEN.has(state) && !hasText
}

/**
 * Somebody may have been told of it, so an end must follow and nothing of it is news: on the air, of unknown fate, or said by another
 * station.
 */
export function countsAsTold(state: DeliveryState): boolean {
  return ON_AIR.has(state) || state === 'sent_unknown' || state === 'stood_down'
}

/** The message did not get through: another network takes over where one is asked to. */
export function didNotArrive(state: DeliveryState): boolean {
  return state === 'failed' || state === 'expired' || state === 'unconfirmed' || state === 'sent_unknown'
}

/** Somebody is known to have it. */
export function didArrive(state: DeliveryState): boolean {
  return state === 'heard' || state === 'delivered'
}
