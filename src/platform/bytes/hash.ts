import { createHash } from 'node:crypto'

/** SHA-256 (FIPS 180-4) as 64 lower-case hex digits; text is hashed as UTF-8. */
export function sha256Hex(input: string | Uint8Array): string {
  return createHash('sha256').update(input).digest('hex')
}
