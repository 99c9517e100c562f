import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { because } from '../../model/reason.ts'
import { asFetchError, FetchError } from './fetch-error.ts'

interface Limits {
  maxBytes: number
  signal: AbortSignal
}

/**
 * The body of an answer, unzipped: gzip, br, and deflate in both its forms. At most `maxBytes`, before and after unzipping:
 * a small body may unzip to any size. @throws FetchError `too-large`, or `network` when it is cut off.
 */
export async function collectBody(
  response: IncomingMessage,
  url: URL,
  limits: Limits
): Promise<{ body: Uint8Array; bytes: number }> {
  const chunks: Buffer[] = []
  const { size, bytes } = await passBody(response, url, limits, async (source) => {
    for await (const chunk of source) chunks.push(chunk)
  })
  return { body: Buffer.concat(chunks, size), bytes }
}

/**
 * The same, given to `take` piece by piece as it comes: `size` bytes of it, `bytes` over the network. A failure of `take` itself is
 * thrown as it is. @throws FetchError as `collectBody`.
 */
export async function passBody(
  response: IncomingMessage,
  url: URL,
  { maxBytes, signal }: Limits,
  take: (source: AsyncIterable<Buffer>) => Promise<void>
): Promise<{ size: number; bytes: number }> {
  const limit = because('body_too_large', { host: url.host, limit: maxBytes })
  let bytes = 0
  let size = 0
  let refused: { error: unknown } | null = null
  const counted = async function* (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new FetchError('too-large', limit)
      yield chunk
    }
  }
  const bounded = async function* (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    try {
      for await (const chunk of source) {
        size += chunk.length
        if (size > maxBytes) throw new FetchError('too-large', limit)
        yield chunk
      }
    } catch (error) {
      // Whoever takes the pieces hears of the host too, and may wrap it as their own.
      throw asFetchError(url.host, error)
    }
  }
  const taken = async (source: AsyncIterable<Buffer>): Promise<void> => {
    try {
      await take(bounded(source))
    } catch (error) {
      refused = { error }
      throw error
    }
  }
  try {
    const unzip = await unzipperFor(response, url)
    if (unzip === null) await pipeline(response, counted, taken, { signal })
    else await pipeline(response, counted, unzip, taken, { signal })
  } catch (error) {
    response.destroy()
    throw ownOf(refused) ?? asFetchError(url.host, error)
  }
  return { size, bytes }
}

/** The error that the taker itself has thrown; null where the body failed. */
const ownOf = (refused: { error: unknown } | null): unknown => refused?.error ?? null

async function unzipperFor(response: IncomingMessage, url: URL): Promise<Transform | null> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  switch (encoding) {
    case 'identity':
    case '':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'deflate':
      return (await startsWithZlib(response)) ? createInflate() : createInflateRaw()
    default:
      throw new FetchError('answer', because('body_packed', { host: url.host, encoding }))
  }
}

/** `deflate` means zlib (RFC 9110 §8.4.1.2), but some servers send the bare stream: the first byte tells. */
async function startsWithZlib(response: IncomingMessage): Promise<boolean> {
  for (;;) {
    const chunk: Buffer | null = response.read()
    if (chunk !== null) {
      response.unshift(chunk)
      return ((chunk[0] ?? 0) & 0x0f) === 8
    }
    if (response.readableEnded || response.destroyed) return true
    await new Promise<void>((resolve) => {
      const go = (): void => {
        for (const name of ['readable', 'end', 'close', 'error']) response.removeListener(name, go)
        resolve()
      }
      for (const name of ['readable', 'end', 'close', 'error']) response.once(name, go)
    })
  }
}
