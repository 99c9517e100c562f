import { because, type Reason } from '../../model/reason.ts'
import { AppError, issueOf } from '../../platform/errors.ts'
import { type Key, keyId, maskKey, withKey, withoutKey, withReplaced } from './env-file.ts'
import type { HealthStore } from './health-store.ts'
import { KeyFile } from './key-file.ts'
import type { Provider } from './providers.ts'
import { type KeyHealth, NEW_HEALTH, nextKey, type Outcome, released, stateOf, type Turn, tested } from './rotation.ts'

/** One row of `GET /api/keys` (contract §10). Times are RFC 3339. */
export interface KeyRow {
  /** Place in the list, from 0. */
  index: number
  id: string
  provider: Provider
  masked: string
  length: number
  calls: number
  errors: number
  last_used: string | null
  /** The provider's last word on it; null: nothing yet. */
  valid: boolean | null
  last_validated: string | null
  /** `cooling`: over its limit, not used until `ready_at`. `quarantined`: not used, see `reason`. */
  state: 'healthy' | 'cooling' | 'quarantined'
  reason: Reason | null
  ready_at: string | null
}

/** The keys of all providers: the file says which there are, the table how they fare. No key is ever logged or shown. */
export class KeyStore {
  readonly #file: KeyFile
  readonly #health: HealthStore
  readonly #now: () => number
  /** The key used last, by providers. */
  readonly #last = new Map<string, string>()

  constructor({ folder, health, now }: { folder: string; health: HealthStore; now: () => number }) {
    this.#file = new KeyFile(folder)
    this.#health = health
    this.#now = now
  }

  async list(): Promise<KeyRow[]> {
    return this.#rows(await this.#file.keys())
  }

  /** @throws AppError `invalid` for what cannot be a key, `conflict` for one that is there. */
  async add(provider: Provider, value: string): Promise<KeyRow> {
    const clean = checkKey(value)
    const keys = await this.#file.change((text, known) => {
      refuseTwice(known, clean)
      return withKey(text, provider, clean)
    })
    return this.#row(keys, keyId(clean))
  }

  /** Puts another key in the place of one. @throws AppError `not-found`, `invalid`, `conflict`. */
  async replace(ref: string, value: string): Promise<KeyRow> {
    const clean = checkKey(value)
    const keys = await this.#file.change((text, known) => {
      const { id } = resolved(known, ref)
      refuseTwice(
        known.filter((one) => one.id !== id),
        clean
      )
      return withReplaced(text, id, clean)
    })
    this.#health.keepOnly(keys.map(({ id }) => id))
    return this.#row(keys, keyId(clean))
  }

  /** @throws AppError `not-found`. */
  async remove(ref: string): Promise<{ masked: string; count: number }> {
    let masked = ''
    const keys = await this.#file.change((text, known) => {
      const { id, value } = resolved(known, ref)
      masked = maskKey(value)
      return withoutKey(text, id)
    })
    this.#health.keepOnly(keys.map(({ id }) => id))
    return { masked, count: keys.length }
  }

  /** Reads the file again and gives every key another chance. Answers how many there are. */
  async reload(): Promise<number> {
    const keys = await this.#file.keys()
    this.#health.keepOnly(keys.map(({ id }) => id))
    const all = this.#health.all()
    for (const { id } of keys) this.#health.set(id, released(all.get(id) ?? NEW_HEALTH))
    return keys.length
  }

  /** @throws AppError `not-found`. */
  async find(ref: string): Promise<Key & { index: number }> {
    const keys = await this.#file.keys()
    const key = resolved(keys, ref)
    return { ...key, index: keys.indexOf(key) }
  }

  /** Keeps what a test has shown. `valid` null: no clear answer. */
  tested(id: string, valid: boolean | null, message: Reason): void {
    const health = this.#health.all().get(id) ?? NEW_HEALTH
    this.#health.set(id, tested(health, valid, message, this.#now()))
  }

  /**
   * The next healthy key of the first of these providers that has any: in turn, and none that `tried` names. Sees every
   * change of the file and what other processes have found out about keys.
   */
  async turn(providers: readonly Provider[], tried: ReadonlySet<string>): Promise<Turn<Key>> {
    const all = await this.#file.keys()
    const provider = providers.find((one) => all.some((key) => key.provider === one))
    if (provider === undefined) return { key: null, why: 'none' }
    const known = this.#health.all()
    const turn = nextKey(
      all.filter((key) => key.provider === provider),
      {
        health: (id) => known.get(id) ?? NEW_HEALTH,
        now: this.#now(),
        last: this.#last.get(provider) ?? null,
        tried
      }
    )
    if (turn.key !== null) this.#last.set(provider, turn.key.id)
    return turn
  }

  /** Counts one call with a key. Never throws. */
  record(id: string, outcome: Outcome): void {
    this.#health.record(id, outcome)
  }

  /** Writes down what was gathered; for the end of the process. */
  close(): void {
    this.#health.flush()
  }

  #row(keys: readonly Key[], id: string): KeyRow {
    const row = this.#rows(keys).find((one) => one.id === id)
    if (row === undefined) throw new AppError('conflict', because('keys_changed_meanwhile'))
    return row
  }

  #rows(keys: readonly Key[]): KeyRow[] {
    const known = this.#health.all()
    return keys.map((key, index) => rowOf(key, index, known.get(key.id) ?? NEW_HEALTH, this.#now()))
  }
}

function rowOf({ id, provider, value }: Key, index: number, health: KeyHealth, now: number): KeyRow {
  const state = stateOf(health, now)
  return {
    index,
    id,
    provider,
    masked: maskKey(value),
    length: value.length,
    calls: health.calls,
    errors: health.errors,
    last_used: timeText(health.lastUsed),
    valid: health.valid,
    last_validated: timeText(health.lastValidated),
    state,
    reason: state === 'quarantined' ? health.quarantine : null,
    ready_at: state === 'cooling' ? timeText(health.coolUntil) : null
  }
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

const INDEX = /^\d{1,6}$/

/** An id is 8 hex digits, an index has fewer: so the two cannot be mistaken for each other. */
function resolved(keys: readonly Key[], ref: string): Key {
  const wanted = ref.toLowerCase()
  const key = INDEX.test(wanted) ? keys[Number(wanted)] : keys.find(({ id }) => id === wanted)
  if (key === undefined) throw new AppError('not-found', because('no_such_key', { ref: ref.slice(0, 20) }))
  return key
}

/** @throws AppError `invalid`. The key itself stands in no message. */
function checkKey(value: string): string {
  const clean = value.trim()
  const problem = /^(?:export\s+)?[A-Z][A-Z0-9_]*\s*=/.test(clean)
    ? because('key_give_alone')
    : /^(?!.*["'`\\])[\x21-\x7e]{1,512}$/.test(clean)
      ? null
      : because('key_letters')
  if (problem === null) return clean
  const issues = [issueOf('/key', 'format', problem)]
  throw new AppError('invalid', because('key_not_valid', { why: problem }), { issues })
}

function refuseTwice(keys: readonly Key[], value: string): void {
  const id = keyId(value)
  const known = keys.find((key) => key.id === id)
  if (known !== undefined)
    throw new AppError('conflict', because('key_there_already', { key: maskKey(value), provider: known.provider }))
}
