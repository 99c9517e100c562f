import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { sha256Hex } from '../bytes/hash.ts'
import { parseWith } from '../config/issues.ts'
import { readJson } from '../config/locate.ts'
import { looseObject } from '../config/object.ts'
import { fileSignature } from '../config/signature.ts'
import { AppError, errorText } from '../errors.ts'
import { errorCode, writeFileAtomic } from '../files/atomic-file.ts'

export const TOKENS_FILE = 'tokens.json'
export const TOKEN_SCOPES = ['events', 'operator'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

const TOKEN_BYTES = 32
const ID_BYTES = 4
/** Longer than any token of ours: whatever is longer is not even hashed. */
const LONGEST = 128
const MODE = 0o600

const recordSchema = looseObject({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  scope: v.picklist(TOKEN_SCOPES),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a hash is 64 hex digits')),
  created_at: v.string()
})
const fileSchema = looseObject({ tokens: v.array(recordSchema) })

export type TokenRecord = v.InferOutput<typeof recordSchema>
/** The part of a token that is shown: never its hash. */
export type TokenView = Pick<TokenRecord, 'id' | 'name' | 'scope' | 'created_at'>
export interface VerifiedToken {
  name: string
  scope: TokenScope
}

export interface TokenStoreOptions {
  /** The data folder. */
  folder: string
  now?: () => number
  random?: (bytes: number) => Buffer
}

/** API tokens in `tokens.json`, mode 0600: only hashes are kept, so a copy of the file opens nothing. */
export class TokenStore {
  readonly #path: string
  readonly #now: () => number
  readonly #random: (bytes: number) => Buffer
  #signature: string | null = null
  #records: TokenRecord[] = []
  #queue: Promise<unknown> = Promise.resolve()

  constructor({ folder, now = Date.now, random = randomBytes }: TokenStoreOptions) {
    this.#path = join(folder, TOKENS_FILE)
    this.#now = now
    this.#random = random
  }

  /** Makes a token of 256 random bits. Its text is in the answer and nowhere else, ever again. */
  create({ scope, name = '' }: { scope: TokenScope; name?: string }): Promise<TokenView & { token: string }> {
    return this.#change((records) => {
      const token = `lookout_${this.#random(TOKEN_BYTES).toString('base64url')}`
      const view = {
        id: this.#random(ID_BYTES).toString('hex'),
        name,
        scope,
        created_at: new Date(this.#now()).toISOString()
      }
      return { records: [...records, { ...view, hash: sha256Hex(token) }], answer: { ...view, token } }
    })
  }

  /** Oldest first. */
  async list(): Promise<TokenView[]> {
    const records = await this.records()
    return records.map(({ id, name, scope, created_at }) => ({ id, name, scope, created_at }))
  }

  /** Takes a token back at once; false when there is none of this id. */
  revoke(id: string): Promise<boolean> {
    return this.#change((records) => {
      const left = records.filter((record) => record.id !== id)
      return { records: left.length === records.length ? null : left, answer: left.length < records.length }
    })
  }

  /** The stored records; read again when the file changed. @throws AppError `unavailable` when it cannot be understood. */
  async records(): Promise<readonly TokenRecord[]> {
    const signature = await fileSignature(this.#path, Date.now())
    if (signature === null || signature !== this.#signature) {
      this.#records = await this.#read()
      this.#signature = signature
    }
    return this.#records
  }

  async #read(): Promise<TokenRecord[]> {
    let text: string
    try {
      text = await readFile(this.#path, 'utf8')
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return []
      throw unusable(this.#path, errorText(error))
    }
    const json = readJson(text)
    if (!json.ok) throw unusable(this.#path, `line ${json.place.line}: ${json.message}`)
    try {
      return parseWith(fileSchema, json.value, 'the list of tokens').tokens
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw unusable(this.#path, error.message)
    }
  }

  #change<T>(make: (records: readonly TokenRecord[]) => { records: TokenRecord[] | null; answer: T }): Promise<T> {
    const result = this.#queue.then(async () => {
      const { records, answer } = make(await this.#read())
      if (records !== null) {
        await writeFileAtomic(this.#path, `${JSON.stringify({ tokens: records }, null, 2)}\n`, { mode: MODE })
        this.#signature = null
      }
      return answer
    })
    this.#queue = result.catch(() => undefined)
    return result
  }
}

/**
 * The record of whoever presents this token, or null. Every stored hash is compared, in constant time, so that the
 * answer's timing tells nothing. @throws AppError `unavailable` while the file cannot be understood: then no token is
 * believed.
 */
export async function verifyToken(
  store: Pick<TokenStore, 'records'>,
  presented: string
): Promise<VerifiedToken | null> {
  const records = await store.records()
  if (presented.length > LONGEST) return null
  const hash = Buffer.from(sha256Hex(presented), 'hex')
  let found: VerifiedToken | null = null
  for (const record of records) {
    if (timingSafeEqual(Buffer.from(record.hash, 'hex'), hash)) found = { name: record.name, scope: record.scope }
  }
  return found
}

function unusable(path: string, why: string): AppError {
  return new AppError('unavailable', because('tokens_unusable', { path, said: why }))
}
