import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { looseObject } from '../config/object.ts'

/** 16 MB and about a tenth of a second of a desktop: the least that counts as strong (OWASP: N=2^14, r=8, p=5). */
export const COST = { n: 2 ** 14, r: 8, p: 5 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32
/** 128 · N · r of the largest cost the schema takes, and as much again for the rest. */
const MAX_MEMORY = 64 * 1024 * 1024

const count = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least, 'a cost out of range'), v.maxValue(most, 'a cost out of range'))
const hex = (bytes: number) =>
  v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`), `${bytes} bytes as hex`))

/**
 * The stored form of a secret that a person types: scrypt (RFC 7914) with a salt of its own and the cost it was made
 * with.
 */
export const secretHashSchema = looseObject({
  salt: hex(SALT_BYTES),
  hash: hex(HASH_BYTES),
  n: v.picklist([2 ** 14, 2 ** 15], 'a cost out of range'),
  r: count(8, 8),
  p: count(1, 16)
})

export type Cost = Pick<v.InferOutput<typeof secretHashSchema>, 'n' | 'r' | 'p'>
export type SecretHash = v.InferOutput<typeof secretHashSchema>

/** Spelled differently by keyboards, the same for people (NIST SP 800-63B §5.1.1.2: NFKC before hashing). */
function bytesOf(secret: string): Buffer {
  return Buffer.from(secret.normalize('NFKC'))
}

function derive(secret: string, { salt, n, r, p }: Pick<SecretHash, 'salt' | 'n' | 'r' | 'p'>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: n, r, p, maxmem: MAX_MEMORY }
    scrypt(bytesOf(secret), Buffer.from(salt, 'hex'), HASH_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error)
    )
  })
}

/** Makes the stored form of a secret. Takes a tenth of a second or more, beside the event loop. */
export async function hashSecret(
  secret: string,
  { random = randomBytes, cost = COST }: { random?: (bytes: number) => Buffer; cost?: Cost } = {}
): Promise<SecretHash> {
  const made = { salt: random(SALT_BYTES).toString('hex'), ...cost }
  return { ...made, hash: (await derive(secret, made)).toString('hex') }
}

/** True when this is the secret that was kept; compared in constant time. */
export async function isSecret(secret: string, kept: SecretHash): Promise<boolean> {
  return timingSafeEqual(await derive(secret, kept), Buffer.from(kept.hash, 'hex'))
}
