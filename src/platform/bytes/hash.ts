import { createHash, hash } from 'node:crypto'

/** SHA-256 (FIPS 180-4) as 64 lower-case hex digits; text is hashed as UTF-8. */
export function sha256Hex(input: string | Uint8Array): string {
  return hash('sha256', input)
}

/** Hashed in one go, bytes: a few milliseconds on a board without instructions for it. */
const AT_ONCE = 256 * 1024

/** `sha256Hex`, a little at a time. */
export function* sha256Steps(input: Uint8Array): Generator<void, string> {
  const hash = createHash('sha256')
  for (let at = 0; at < input.length; at += AT_ONCE) {
    if (at > 0) yield
    hash.update(input.subarray(at, at + AT_ONCE))
  }
  return hash.digest('hex')
}
