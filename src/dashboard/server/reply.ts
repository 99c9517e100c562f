import type { IncomingMessage, ServerResponse } from 'node:http'
import { isReason, type Reason } from '../../model/reason.ts'
import { encodingFor, isCompressible } from './encoding.ts'
import { type Asker, toldTo } from './guest.ts'
import { Packed } from './packed.ts'

/** A finished answer. */
export interface Reply<Value = unknown> {
  status: number
  headers: Record<string, string>
  body: string
  /** Never there: it carries the type of the JSON value to the row of the route. */
  readonly value?: Value
  /** The same body for somebody else, where it depends on who reads it. */
  said?: (asker: Asker) => string
}

/** An answer that writes to the connection by itself: the live stream, a file. */
export interface Takeover {
  takeOver: (req: IncomingMessage, res: ServerResponse) => void
}

export type Answer<Value = unknown> = Reply<Value> | Takeover

/**
 * Only what this server itself sends may run or be shown, and nobody may frame it. No Cross-Origin-Opener-Policy: over
 * plain HTTP, as phones come, browsers ignore it and say so as an error on every page.
 */
const SECURITY_HEADERS: readonly [string, string][] = [
  [
    'Content-Security-Policy',
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
  ],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'same-origin'],
  ['X-Frame-Options', 'DENY'],
  ['Cross-Origin-Resource-Policy', 'same-origin']
]

export function json<Value>(
  value: Value,
  options: { status?: number; headers?: Record<string, string> } = {}
): Reply<Value> {
  return {
    status: options.status ?? 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...options.headers },
    body: JSON.stringify(value)
  }
}

/** JSON that was written piece by piece. */
export function jsonText(body: string): Reply<never> {
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body }
}

/** The JSON form of values in which the program holds reasons. */
export type Said<Value> = Value extends Reason
  ? string
  : Value extends readonly (infer Entry)[]
    ? Said<Entry>[]
    : Value extends object
      ? { [Name in keyof Value]: Said<Value[Name]> }
      : Value

/** A document with reasons in it: each is said in the language of whoever asked. */
export function jsonSaid<Value>(
  value: Value,
  options: { status?: number; headers?: Record<string, string> } = {}
): Reply<Said<Value>> {
  const said = (asker: Asker): string =>
    JSON.stringify(value, (_key, part: unknown) => (isReason(part) ? toldTo(part, asker) : part))
  const { status, headers } = json(null, options)
  return { status, headers, body: said({ language: 'en', isGuest: true }), said }
}

export function text(type: string, body: string, headers: Record<string, string> = {}): Reply<never> {
  return { status: 200, headers: { 'Content-Type': `${type}; charset=utf-8`, ...headers }, body }
}

/** Bytes that are made for whoever asked, and kept for nobody. */
export function bytes(type: string, body: Buffer, headers: Record<string, string> = {}): Takeover {
  return {
    takeOver: (req, res) => {
      const all = { 'Content-Type': type, 'Cache-Control': 'no-store', 'Content-Length': body.length, ...headers }
      res.writeHead(200, all)
      res.end(req.method === 'HEAD' ? undefined : body)
    }
  }
}

export function redirect(location: string): Reply<never> {
  return { status: 302, headers: { Location: location, 'Content-Type': 'text/plain; charset=utf-8' }, body: location }
}

export function setSecurityHeaders(res: ServerResponse): void {
  for (const [name, value] of SECURITY_HEADERS) res.setHeader(name, value)
}

/**
 * Writes the answer, compressed where that helps and the client can read it. Everything is asked for again each time unless
 * it says otherwise; a known ETag is a 304. The tag names the document, whatever its encoding (contract §1: the revision).
 */
export function send(req: IncomingMessage, res: ServerResponse, reply: Reply | Packed): void {
  res.setHeader('Cache-Control', reply.headers['ETag'] === undefined ? 'no-store' : 'no-cache')
  for (const [name, value] of Object.entries(reply.headers)) res.setHeader(name, value)
  if (isKnown(req, reply)) {
    res.writeHead(304)
    res.end()
    return
  }
  const packed = reply instanceof Packed ? reply : new Packed(reply)
  const type = reply.headers['Content-Type']
  if (isCompressible(type, packed.length)) addVary(res)
  const encoding = encodingFor(req.headers['accept-encoding'], type, packed.length)
  const write = (bytes: Buffer): void => {
    res.writeHead(reply.status, { 'Content-Length': bytes.length })
    res.end(req.method === 'HEAD' ? undefined : bytes)
  }
  if (encoding === null) write(packed.plain())
  else
    packed.encoded(encoding, (error, encoded) => {
      if (error === null) res.setHeader('Content-Encoding', encoding)
      write(error === null ? encoded : packed.plain())
    })
}

/** The copy that a cache keeps of this address depends on what its client can read. */
export function addVary(res: ServerResponse): void {
  const told = res.getHeader('Vary')
  res.setHeader('Vary', told === undefined ? 'Accept-Encoding' : `${String(told)}, Accept-Encoding`)
}

function isKnown(
  { method, headers }: IncomingMessage,
  { status, headers: { ETag: tag } }: Pick<Reply | Packed, 'status' | 'headers'>
): boolean {
  if (status !== 200 || tag === undefined || (method !== 'GET' && method !== 'HEAD')) return false
  const known = headers['if-none-match']?.split(',').map((entry) => entry.trim().replace(/^W\//, '')) ?? []
  return known.includes(tag) || known.includes('*')
}
