import { because, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { backoff } from '../../platform/net/backoff.ts'
import type { Key } from './env-file.ts'
import type { KeyStore } from './key-store.ts'
import { ProviderError } from './provider-error.ts'
import { PROVIDER_NAMES, type Provider } from './providers.ts'
import type { Outcome, Turn } from './rotation.ts'

/** The result of one try. `failed` says nothing about the key; `again`: trying once more is of use. */
export type Attempt<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'limited'; retryAfterMs: number | null; reason: Reason }
  | { kind: 'refused'; reason: Reason }
  | { kind: 'failed'; again: boolean; reason: Reason }

export interface CallerOptions {
  keys: Pick<KeyStore, 'turn' | 'record'>
  clock: Clock
  random: () => number
}

export interface KeyedCall {
  /** The providers whose keys are used, in order of preference. */
  providers: readonly Provider[]
  /** Servers of one's own need no key: asked without one when there is none. */
  keyless: boolean
  signal: AbortSignal
}

/** Further tries of a request whose failure has nothing to do with its key. */
const RETRIES = 2
const RETRY_MS = { min: 1000, max: 8000 }
const KEYLESS_REST_MS = 30_000

/**
 * Runs `attempt` with one key after the other until one brings an answer: a key over its limit or refused is put aside and
 * the same request moves on to the next healthy one; a server in trouble is asked again after a pause. The key is handed to
 * each attempt by itself: two requests under way never share one by accident.
 * @throws ProviderError
 */
export async function callWithKeys<T>(
  { keys, clock, random }: CallerOptions,
  call: KeyedCall,
  attempt: (key: string | null) => Promise<Attempt<T>>
): Promise<T> {
  const tried = new Set<string>()
  for (let failures = 0; ; ) {
    refuseAborted(call.signal)
    const key = await keyFor(keys, call, tried)
    const result = await attempt(key?.value ?? null)
    if (key !== null && !call.signal.aborted) keys.record(key.id, outcomeOf(result))
    if (result.kind === 'ok') return result.value
    refuseAborted(call.signal)
    if (result.kind !== 'failed') {
      if (key === null) throw withoutKey(result, call, clock.now())
      tried.add(key.id)
      continue
    }
    if (!result.again || failures >= RETRIES) throw failed(result)
    await pause(backoff(failures, { ...RETRY_MS, random }), clock, call.signal)
    failures++
  }
}

function failed({ again, reason }: Extract<Attempt<unknown>, { kind: 'failed' }>): ProviderError {
  return new ProviderError(again ? 'transient' : 'permanent', reason)
}

function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ProviderError('aborted', because('request_given_up'))
}

async function keyFor(keys: Pick<KeyStore, 'turn'>, call: KeyedCall, tried: ReadonlySet<string>): Promise<Key | null> {
  const turn = await keys.turn(call.providers, tried)
  if (turn.key !== null) return turn.key
  if (turn.why === 'none' && call.keyless && tried.size === 0) return null
  throw noTurn(turn, call.providers)
}

function noTurn(turn: Exclude<Turn<Key>, { key: Key }>, providers: readonly Provider[]): ProviderError {
  const provider = providers[0] ?? 'openai'
  const name = provider === 'gemini' ? 'gemini' : PROVIDER_NAMES[provider]
  switch (turn.why) {
    case 'none':
      return new ProviderError('no-key', because('no_key_for', { name }))
    case 'refused':
      return new ProviderError('no-key', because('keys_refused', { name }))
    case 'resting': {
      const at = new Date(turn.readyAt).toISOString().replace(/\.\d+Z$/, 'Z')
      return new ProviderError('resting', because('keys_over_limit', { name, until: at }), {
        retryAt: turn.readyAt
      })
    }
    case 'tried':
      return new ProviderError('transient', because('keys_no_answer', { name }))
  }
}

function withoutKey(
  result: Extract<Attempt<unknown>, { kind: 'limited' | 'refused' }>,
  { providers }: KeyedCall,
  now: number
): ProviderError {
  if (result.kind === 'limited') {
    const retryAt = now + (result.retryAfterMs ?? KEYLESS_REST_MS)
    return new ProviderError('resting', result.reason, { retryAt })
  }
  const name = PROVIDER_NAMES[providers[0] ?? 'openai']
  return new ProviderError('no-key', because('server_wants_key', { said: result.reason, name }))
}

function outcomeOf(result: Attempt<unknown>): Outcome {
  return result.kind === 'failed' ? { kind: 'failed' } : result
}

function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(ms, done)
    signal.addEventListener('abort', done, { once: true })
  })
}
