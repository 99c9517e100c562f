import { Agent as HttpAgent, type IncomingMessage, type RequestOptions } from 'node:http'
import { because } from '../../model/reason.ts'
import { collectBody } from './fetch-body.ts'
import { asFetchError, FetchError } from './fetch-error.ts'
import { openResponse, StaleConnection } from './http-open.ts'
import { inTime } from './in-time.ts'
import { lazyHttpsAgent } from './lazy-https.ts'

const MAX_BYTES = 8 * 1024 * 1024
/** Of an answer that is a refusal no more is read. */
const MAX_REFUSAL_BYTES = 64 * 1024

export interface SendRequest {
  url: string
  /** Default: POST with `json`, else GET. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  userAgent: string
  /** May hold keys: nothing of it stands in any error. */
  headers?: Readonly<Record<string, string>>
  /** The body: sent as JSON. */
  json?: unknown
  /** Most bytes of the answer, before and after unzipping. */
  maxBytes?: number
  connectMs?: number
  /** From the first byte of the request to the last of the answer. */
  totalMs?: number
  signal?: AbortSignal
}

export interface SendAnswer {
  /** Any but a redirect. */
  status: number
  /** Unzipped. Of a refusal that is longer than 64 KiB: empty. */
  body: Uint8Array
  contentType: string
  /** As it stands: seconds, or a date (RFC 9110 §10.2.3). */
  retryAfter: string | null
}

// Questions to one server come over one connection; idle ones do not keep the process alive.
const agents = {
  http: new HttpAgent({ keepAlive: true, maxSockets: 4 }),
  https: lazyHttpsAgent({ keepAlive: true, maxSockets: 4, maxCachedSessions: 20 })
}

/**
 * One request to a server that is told secrets: no redirect is followed, whatever it says, no proxy is used, and errors
 * name the host alone. Bounded in time and size. Resolves for every status; the body of a refusal says why.
 * @throws FetchError for everything that is no complete answer of an HTTP server.
 */
export async function httpSend(request: SendRequest): Promise<SendAnswer> {
  const url = parseUrl(request.url)
  return inTime(request, async (stop) => {
    try {
      return await read(await open(url, request, stop), url, request, stop)
    } catch (error) {
      throw asFetchError(url.host, stop.aborted ? stop.reason : error)
    }
  })
}

function parseUrl(text: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  }
  throw new FetchError('answer', because('not_http'))
}

/** A kept connection that the server closed meanwhile is replaced once: then it has seen nothing of the request. */
async function open(url: URL, request: SendRequest, signal: AbortSignal): Promise<IncomingMessage> {
  try {
    return await openOnce(url, request, { signal, fresh: false })
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error
    return openOnce(url, request, { signal, fresh: true })
  }
}

function openOnce(
  url: URL,
  request: SendRequest,
  { signal, fresh }: { signal: AbortSignal; fresh: boolean }
): Promise<IncomingMessage> {
  const https = url.protocol === 'https:'
  const body = request.json === undefined ? undefined : Buffer.from(JSON.stringify(request.json))
  const options: RequestOptions = {
    agent: fresh ? false : https ? agents.https() : agents.http,
    method: request.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: headersOf(request, body),
    signal
  }
  return openResponse(url, options, { connectMs: request.connectMs, body })
}

function headersOf({ userAgent, headers = {} }: SendRequest, body: Buffer | undefined): Record<string, string> {
  return {
    Accept: 'application/json',
    ...headers,
    'User-Agent': userAgent,
    'Accept-Encoding': 'gzip, deflate, br',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(body.length) })
  }
}

async function read(
  response: IncomingMessage,
  url: URL,
  { maxBytes = MAX_BYTES }: SendRequest,
  signal: AbortSignal
): Promise<SendAnswer> {
  const { statusCode: status = 0, headers } = response
  if (status >= 300 && status < 400) {
    response.destroy()
    throw new FetchError('answer', because('sends_elsewhere', { host: url.host, status }))
  }
  const good = status >= 200 && status < 300
  const limit = good ? maxBytes : Math.min(maxBytes, MAX_REFUSAL_BYTES)
  const body = await collectBody(response, url, { maxBytes: limit, signal }).then(
    (collected) => collected.body,
    (error: unknown) => {
      // The body of a refusal is of use, not more: its status has come.
      if (good || signal.aborted) throw error
      return new Uint8Array()
    }
  )
  return {
    status,
    body,
    contentType: headers['content-type'] ?? '',
    retryAfter: headers['retry-after']?.trim().slice(0, 100) ?? null
  }
}

const MAX_WAIT_MS = 86_400_000

/** Retry-After (RFC 9110 §10.2.3), seconds or a date, as milliseconds from now; null when it says nothing. At most a day. */
export function retryAfterMs(value: string | null, now: number): number | null {
  if (value === null) return null
  const ms = /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Math.ceil(Number(value) * 1000) : Date.parse(value) - now
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, MAX_WAIT_MS)
}
