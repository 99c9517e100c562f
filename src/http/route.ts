import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import { parseWith } from '../config/issues.ts'
import type { HttpConfig } from '../config/schema.ts'
import type { Log } from '../lib/log.ts'
import { readFormBody, readJsonBody } from './body.ts'
import { checkHost } from './hosts.ts'
import {
  type Access,
  authorise,
  type Credentials,
  checkOrigin,
  type Identity,
  identify,
  isBehindTrustedProxy,
  peerName
} from './identity.ts'
import { problemOf } from './problem.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Answer, send, setSecurityHeaders } from './reply.ts'

/** One request as a handler sees it: checked, decoded, with whoever asks. */
export interface Call<Query, Body> {
  params: Readonly<Record<string, string>>
  query: Query
  body: Body
  headers: IncomingHttpHeaders
  identity: Identity
  /** Whom a rate limit counts. */
  peer: string
  /** A trusted proxy handed it on: nobody signs in here, the proxy says who it is. */
  trustedProxy: boolean
}

export type Handler<Query, Body> = (call: Call<Query, Body>) => Answer | Promise<Answer>

/** One row of the table in `routes.ts`: what routing, 405 and the API documentation are made from. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** Segments in plain letters; `:name` is a parameter. */
  path: string
  access: Access
  /** What it costs of the rate limit; `trial` routes only. */
  cost: number
  /** One sentence for the API documentation; empty for pages and files. */
  summary: string
  query: v.GenericSchema
  /** As documented; null when no body is read. */
  body: v.GenericSchema | null
  /** The body is a form a browser sent by itself, not JSON. */
  isForm?: true
  run: (call: Call<unknown, unknown>) => Answer | Promise<Answer>
}

/** A row that reads. */
export function get<Query extends v.GenericSchema>(
  path: string,
  summary: string,
  query: Query,
  handle: Handler<v.InferOutput<Query>, undefined>
): Route {
  const run: Route['run'] = (call) =>
    handle({ ...call, query: parseWith(query, call.query, 'the query'), body: undefined })
  return { method: 'GET', path, access: 'read', cost: 0, summary, query, body: null, run }
}

/**
 * A row that takes a JSON body. `documented` is what the API documentation shows when the handler checks more than
 * `body` says.
 */
export function post<Body extends v.GenericSchema>(
  path: string,
  summary: string,
  options: { access: Exclude<Access, 'read' | 'form'>; cost?: number; body: Body; documented?: v.GenericSchema },
  handle: Handler<unknown, v.InferOutput<Body>>
): Route {
  const { access, cost = 1, body, documented = body } = options
  const run: Route['run'] = (call) => handle({ ...call, body: parseWith(body, call.body, 'the body') })
  return { method: 'POST', path, access, cost, summary, query: noQuery, body: documented, run }
}

/** A row that takes a form of a page: works without a script. The handler answers pages, its own refusals too. */
export function form<Body extends v.GenericSchema>(
  path: string,
  body: Body,
  handle: Handler<unknown, v.InferOutput<Body>>
): Route {
  const run: Route['run'] = (call) => handle({ ...call, body: parseWith(body, call.body, 'the form') })
  return { method: 'POST', path, access: 'form', cost: 0, summary: '', query: noQuery, body, isForm: true, run }
}

/** A row that does something to what its path names; it reads no body. */
export function order(path: string, summary: string, handle: Handler<unknown, undefined>): Route {
  const run: Route['run'] = (call) => handle({ ...call, body: undefined })
  return { method: 'POST', path, access: 'operator', cost: 0, summary, query: noQuery, body: null, run }
}

/** A row that removes something; it reads no body. */
export function del(path: string, summary: string, handle: Handler<unknown, undefined>): Route {
  const run: Route['run'] = (call) => handle({ ...call, body: undefined })
  return { method: 'DELETE', path, access: 'operator', cost: 0, summary, query: noQuery, body: null, run }
}

/** For routes without query parameters; unknown ones are ignored everywhere. */
export const noQuery = v.object({})

export interface Gate {
  settings: () => HttpConfig
  credentials: Credentials
  limit: RateLimit
  log: Pick<Log, 'error'>
}

/**
 * The one wrapper around every handler: host, identity, origin, rights, rate, body, in this order; then the handler;
 * then its answer, or the problem document for whatever was thrown. Never rejects.
 */
export async function serve(
  route: Route,
  request: { params: Record<string, string>; query: URLSearchParams },
  { req, res, gate }: { req: IncomingMessage; res: ServerResponse; gate: Gate }
): Promise<void> {
  try {
    const answer = await run(route, request, { req, res, gate })
    if ('takeOver' in answer) answer.takeOver(req, res)
    else send(req, res, answer)
  } catch (error) {
    fail(error, { req, res, log: gate.log })
  }
}

async function run(
  route: Route,
  { params, query }: { params: Record<string, string>; query: URLSearchParams },
  { req, res, gate }: { req: IncomingMessage; res: ServerResponse; gate: Gate }
): Promise<Answer> {
  const settings = gate.settings()
  checkHost(req.headers.host, settings.allowed_hosts)
  const identity = await identify(req, settings, gate.credentials)
  if (route.access !== 'read' && route.access !== 'trial') checkOrigin(req, settings)
  authorise(route.access, identity, settings)
  const peer = peerName(req, identity)
  if (route.access === 'trial') gate.limit.take(peer, route.cost)
  const body = route.body === null ? undefined : await (route.isForm ? readFormBody : readJsonBody)(req, res)
  const trustedProxy = isBehindTrustedProxy(req, settings)
  return route.run({
    params,
    query: Object.fromEntries(query),
    body,
    headers: req.headers,
    identity,
    peer,
    trustedProxy
  })
}

/** Answers with the problem document. What is no AppError is a bug: logged, its text never shown. */
export function fail(
  error: unknown,
  { req, res, log }: { req: IncomingMessage; res: ServerResponse; log: Pick<Log, 'error'> }
): void {
  const { problem, headers } = problemOf(error)
  if (problem.status === 500) log.error({ err: error, method: req.method, url: req.url }, 'a request failed')
  if (res.headersSent) {
    res.destroy()
    return
  }
  setSecurityHeaders(res)
  const type = { 'Content-Type': 'application/problem+json; charset=utf-8' }
  send(req, res, { status: problem.status, headers: { ...headers, ...type }, body: JSON.stringify(problem) })
}
