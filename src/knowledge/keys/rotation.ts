import type { Reason } from '../../model/reason.ts'
/** The record of a key. Times are epoch milliseconds. */
export interface KeyHealth {
  calls: number
  errors: number
  lastUsed: number | null
  /** The provider's last word on it; null: it has not been asked yet, or gave no clear answer. */
  valid: boolean | null
  lastValidated: number | null
  /** Over its limit until then; 0: it is not. */
  coolUntil: number
  /** The number of times in a row it was over its limit. */
  strikes: number
  /** The reason why it is not used until it has been tested or reloaded; null: it is used. */
  quarantine: Reason | null
}

/** The result of one call with a key. */
export type Outcome =
  | { kind: 'ok' }
  /** 429; how long the provider wants us to wait, if it says so. */
  | { kind: 'limited'; retryAfterMs: number | null }
  /** 401, 403: the key is wrong, blocked, or may not do this. */
  | { kind: 'refused'; reason: Reason }
  /** Anything that says nothing about the key: overload, a broken connection, a bad request. */
  | { kind: 'failed' }

export const NEW_HEALTH: KeyHealth = {
  calls: 0,
  errors: 0,
  lastUsed: null,
  valid: null,
  lastValidated: null,
  coolUntil: 0,
  strikes: 0,
  quarantine: null
}

const FIRST_COOL_MS = 30_000
const MAX_COOL_MS = 15 * 60_000
/** Nobody asks for more; a time further ahead comes from a clock that was wrong. */
const MAX_REST_MS = 86_400_000

export type State = 'healthy' | 'cooling' | 'quarantined'

export function stateOf({ quarantine, coolUntil }: KeyHealth, now: number): State {
  if (quarantine !== null) return 'quarantined'
  return coolUntil > now && coolUntil - now <= MAX_REST_MS ? 'cooling' : 'healthy'
}

/** A key after a call: what it means for its health. Pure; counting included. */
export function after(health: KeyHealth, outcome: Outcome, now: number): KeyHealth {
  const counted = {
    ...health,
    calls: health.calls + 1,
    errors: health.errors + (outcome.kind === 'ok' ? 0 : 1),
    lastUsed: now
  }
  switch (outcome.kind) {
    case 'ok':
      return { ...counted, valid: true, coolUntil: 0, strikes: 0, quarantine: null }
    case 'limited': {
      const strikes = health.strikes + 1
      const own = Math.min(MAX_COOL_MS, FIRST_COOL_MS * 2 ** Math.min(10, strikes - 1))
      return { ...counted, strikes, coolUntil: now + Math.min(MAX_REST_MS, outcome.retryAfterMs ?? own) }
    }
    case 'refused':
      return { ...counted, valid: false, quarantine: outcome.reason }
    case 'failed':
      return counted
  }
}

/** A key after a test. A clear answer is kept; a good one makes it usable at once. */
export function tested(health: KeyHealth, valid: boolean | null, reason: Reason, now: number): KeyHealth {
  if (valid === null) return { ...health, lastValidated: now }
  return valid
    ? { ...health, valid, lastValidated: now, quarantine: null, coolUntil: 0, strikes: 0 }
    : { ...health, valid, lastValidated: now, quarantine: reason }
}

/** A key after a reload: everything it was held back for is forgotten, what was counted stays. */
export function released(health: KeyHealth): KeyHealth {
  return { ...health, coolUntil: 0, strikes: 0, quarantine: null }
}

/** The next key to use, or why there is none. `readyAt`: when the first of those that rest may be used again. */
export type Turn<Key> =
  | { key: Key }
  | { key: null; why: 'none' }
  | { key: null; why: 'tried' }
  | { key: null; why: 'refused' }
  | { key: null; why: 'resting'; readyAt: number }

/**
 * Round robin over the healthy keys: the one after `last` in the order of the file that this request has not tried yet.
 */
export function nextKey<Key extends { id: string }>(
  keys: readonly Key[],
  view: { health: (id: string) => KeyHealth; now: number; last: string | null; tried: ReadonlySet<string> }
): Turn<Key> {
  if (keys.length === 0) return { key: null, why: 'none' }
  const from = keys.findIndex(({ id }) => id === view.last) + 1
  const inTurn = [...keys.slice(from), ...keys.slice(0, from)]
  const healthy = inTurn.filter(({ id }) => stateOf(view.health(id), view.now) === 'healthy')
  const next = healthy.find(({ id }) => !view.tried.has(id))
  if (next !== undefined) return { key: next }
  if (healthy.length > 0) return { key: null, why: 'tried' }
  const resting = keys.flatMap(({ id }) => {
    const health = view.health(id)
    return stateOf(health, view.now) === 'cooling' ? [health.coolUntil] : []
  })
  return resting.length === 0
    ? { key: null, why: 'refused' }
    : { key: null, why: 'resting', readyAt: Math.min(...resting) }
}
