import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request is sent within this. Milliseconds. */
const BODY_MS = 30_000
/** Uploads may take any time, as long as something comes now and then. */
const STALL_MS = 60_000
/** A client that was refused sees the answer while it still sends; so much is read and thrown away. */
const MOST_IGNORED = { bytes: 64 * 1024 * 1024, ms: 10_000 }

const limits = new WeakMap<IncomingMessage, () => void>()

/** Ends a request whose body is not sent in time: 408 where nothing was answered yet. Node's own limit has no exceptions. */
export function limitBody(req: IncomingMessage, res: ServerResponse, ms = BODY_MS): void {
  if (req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0) return
  const timer = setTimeout(() => {
    if (req.complete) return
    if (res.headersSent) req.destroy()
    else res.writeHead(408, { Connection: 'close' }).end()
  }, ms)
  timer.unref()
  const lift = (): void => clearTimeout(timer)
  limits.set(req, lift)
  req.once('close', lift)
}

/** This body takes as long as it takes; a client from which nothing comes for a minute is cut off. */
export function allowSlowBody(req: IncomingMessage, stallMs = STALL_MS): void {
  limits.get(req)?.()
  req.setTimeout(stallMs)
  // All has come: what is done with it, such as bringing 2 GB to a slow card, is not the client's silence.
  req.once('end', () => req.setTimeout(0))
}

/**
 * An answer is about to be sent, and the client may still be sending. Closing at once would throw the answer away with what
 * was not read (RFC 9112 §9.6), so the rest is read for a while; a client that goes on longer is cut off.
 */
export function windDown(req: IncomingMessage, most = MOST_IGNORED): void {
  if (req.complete || req.destroyed) return
  req.unpipe()
  let left = most.bytes
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) req.destroy()
  })
  req.on('error', () => undefined)
  req.resume()
  const timer = setTimeout(() => req.destroy(), most.ms)
  timer.unref()
  req.once('close', () => clearTimeout(timer))
}
