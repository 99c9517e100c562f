import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzip, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Less is not worth the work: it fits one packet. Bytes. */
const LEAST_BYTES = 1024
/** Beyond this the work is done beside the main thread: live streams and radios wait for nobody's page. Bytes. */
const MOST_AT_ONCE = 48 * 1024
/** Fast ones: on a small board an answer is not worth more than the time on the air of the hotspot it saves. */
const GZIP_LEVEL = 5
export const GZIP_LEVEL_LARGE = 3
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 16,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT
  }
}

/**
 * True when `Accept-Encoding` (RFC 9110 §12.5.3) takes an encoding; `*` stands for those not named, weight 0 refuses.
 */
export function accepts(accepted: string | string[] | undefined, encoding: Encoding): boolean {
  const wanted = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .slice(0, 20)
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      return { name, refused: parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) }
    })
  const named = wanted.find(({ name }) => name === encoding) ?? wanted.find(({ name }) => name === '*')
  return named !== undefined && !named.refused
}

const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?(?:json|x-ndjson|xml))/

export function isCompressible(type: string | undefined, bytes: number): boolean {
  return bytes > LEAST_BYTES && COMPRESSIBLE.test(type ?? '')
}

/** In which encoding a body is sent; null for as it is. Browsers offer `br` on HTTPS and to localhost only. */
export function encodingFor(
  accepted: string | string[] | undefined,
  type: string | undefined,
  bytes: number
): Encoding | null {
  if (!isCompressible(type, bytes)) return null
  if (bytes <= MOST_AT_ONCE && accepts(accepted, 'br')) return 'br'
  return accepts(accepted, 'gzip') ? 'gzip' : null
}

/** Calls back with the body in its encoding: at once when it is small, else when a thread beside has done it. */
export function encode(body: Buffer, encoding: Encoding, done: (error: Error | null, encoded: Buffer) => void): void {
  if (encoding === 'br') done(null, brotliCompressSync(body, BROTLI))
  else if (body.length <= MOST_AT_ONCE) done(null, gzipSync(body, { level: GZIP_LEVEL }))
  else gzip(body, { level: GZIP_LEVEL_LARGE }, done)
}

/** The body again, of what `encode` has made. */
export function decode(encoded: Buffer, encoding: Encoding): Buffer {
  return encoding === 'br' ? brotliDecompressSync(encoded) : gunzipSync(encoded)
}
