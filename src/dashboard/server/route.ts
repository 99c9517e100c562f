import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import * as v from 'valibot'
import { because, type Reason } from '../../model/reason.ts'
import { readersTurn } from '../../platform/clock/slices.ts'
import { parseWith } from '../../platform/config/issues.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { HttpConfig } from '../settings.ts'
import { languageOf } from '../words/language.ts'
import { readFormBody, readJsonBody } from './body.ts'
import { fail } from './fail.ts'
import type { Asker } from './guest.ts'
import { checkHost } from './hosts.ts'
import {
  type Access,
  authorise,
  type Credentials,
  canWrite,
  checkOrigin,
  type Identity,
  identify,
  isBehindTrustedProxy,
  peerName
} from './identity.ts'
import { isEncrypted } from './in-clear.ts'
import type { Packed } from './packed.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Answer, send } from './reply.ts'
import { type SharedAnswers, sharedKey, wantsNew } from './shared-answers.ts'
import type { Shares } from './shares.ts'
import { allowSlowBody, windDown } from './slow-body.ts'
import { admitStranger, isStranger } from './stranger.ts'

/** One request as a handler sees it: checked, decoded, with whoever asks. */
export interface Call<Query, Body> {
  params: Readonly<Record<string, string>>
  query: Query
  body: Body
  headers: IncomingHttpHeaders
  identity: Identity
  /** It may only read. */
  isGuest: boolean
  /** The name that a rate limit counts. */
  peer: string
  /** The name under which the address is counted; null for this machine and trusted proxies, who may be many. */
  from: string | null
  /** A trusted proxy handed it on: nobody signs in here, the proxy says who it is. */
  trustedProxy: boolean
  /** It came by TLS, to our own certificate. */
  encrypted: boolean
  /** True when whoever asked has gone: nobody reads the answer. */
  left: () => boolean
}

/** `Value` is what a JSON answer holds: the schema of its row says so, and the compiler holds the handler to it. */
export type Handler<Query, Body, Value = unknown> = (call: Call<Query, Body>) => Answer<Value> | Promise<Answer<Value>>

export interface Connection {
  req: IncomingMessage
  res: ServerResponse
}

/** Reads the body by itself, as it comes: everything else was checked before its first byte. */
export type StreamHandler<Query, Value = unknown> = (
  call: Call<Query, undefined>,
  connection: Connection
) => Answer<Value> | Promise<Answer<Value>>

/** Methods a row may have; `GET` answers `HEAD` too. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** One row of the table: what routing, 405, the API documentation and the tests of answers are made from. */
export interface Route {
  method: (typeof METHODS)[number]
  /** Segments in plain letters; `:name` is a parameter. */
  path: string
  access: Access
  /** The cost against the rate limit; `trial` routes only. */
  cost: number
  /** One sentence for the API documentation; empty for pages and files. */
  summary: string
  /** The input and the answer in words, with Markdown; of a page, its content. */
  about: string
  query: v.GenericSchema
  /** As documented; null when no body is read. */
  body: v.GenericSchema | null
  /** The status of what it was asked for, with words. */
  done: Done
  /** The schema of a JSON answer; null when it answers no JSON. */
  answer: v.GenericSchema | null
  /** Media types of its other answers. */
  media: readonly string[]
  /** Refusals besides those that follow from access, body and path. */
  refuses: Refusals
  /** The body is a form a browser sent by itself, not JSON. */
  isForm?: true
  /** Its changes are kept in `lookout.db`, for which memory stands in (contract §6), or nowhere. */
  withoutFolder?: true
  /** The handler reads the body as it comes. */
  stream?: StreamDocs
  /**
   * Made once for all who ask at the same moment: its answer depends on address, language, colours and who asks alone. `copies`: guests
   * are given what is up to a second old.
   */
  shared?: { make: (call: Call<unknown, unknown>) => Answer | Promise<Answer>; copies: boolean }
  run: (call: Call<unknown, unknown>, connection: Connection) => Answer | Promise<Answer>
}

export type Done = readonly [status: 200 | 201 | 202 | 204, words: string]

/** Words by status; one whose body is no problem document says what it holds. */
export type Refusals = Readonly<Record<number, string | { words: string; answer: v.GenericSchema }>>

/** The rows of one file; `table` is all of them, once they are made. */
export type Area<Services> = (services: Services, table: () => readonly Route[]) => Route | readonly Route[]

/** The row of the API documentation for a body that is a stream. */
export interface StreamDocs {
  /** Media type of the body; null when there is none. */
  media: string | null
  /** Statuses with words, the good one first. */
  statuses: readonly (readonly [status: string, words: string])[]
}

/** The parts of a row of any kind. Without a summary it is a page or a file. */
interface Row<Answered extends v.GenericSchema> {
  summary?: string
  about?: string
  answer?: Answered
  media?: readonly string[]
  done?: Done
  refuses?: Refusals
  withoutFolder?: true
  /** `exactly`: no copy of a second ago is given to anybody. */
  shared?: true | 'exactly'
}

/** A value as a schema describes it, read only: what a handler answers. */
export type Told<Schema extends v.GenericSchema> = ReadonlyDeep<v.InferOutput<Schema>>
type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T

/** For routes without query parameters; unknown ones are ignored everywhere. */
export const noQuery = v.object({})
type NoQuery = typeof noQuery

function rowOf(
  method: Route['method'],
  path: string,
  {
    summary = '',
    about = '',
    answer,
    media = [],
    done = [200, 'Done'],
    refuses = {},
    withoutFolder
  }: Row<v.GenericSchema>,
  rest: Pick<Route, 'access' | 'run'> & Partial<Pick<Route, 'cost' | 'query' | 'body' | 'isForm' | 'stream' | 'shared'>>
): Route {
  return {
    method,
    path,
    summary,
    about,
    answer: answer ?? null,
    media,
    done,
    refuses,
    cost: 0,
    query: noQuery,
    body: null,
    ...rest,
    ...(withoutFolder === undefined ? {} : { withoutFolder })
  }
}

/** Without a schema of its own `Query` is `NoQuery`: the compiler cannot see that. */
function queryOf<Query extends v.GenericSchema>({ query }: { query?: Query }): Query {
  return query ?? (noQuery as unknown as Query)
}

/** A row that reads: open to everybody, or the operator's business alone. */
export function get<Query extends v.GenericSchema = NoQuery, Answered extends v.GenericSchema = v.GenericSchema>(
  path: string,
  row: Row<Answered> & {
    access?: 'read' | 'operator'
    query?: Query
    handle: Handler<v.InferOutput<Query>, undefined, Told<Answered>>
  }
): Route {
  const { access = 'read', handle, shared } = row
  const query = queryOf(row)
  const run = (call: Call<unknown, unknown>): Answer | Promise<Answer> =>
    handle({ ...call, query: parseWith(query, call.query, 'the query'), body: undefined })
  return rowOf('GET', path, row, {
    access,
    query,
    run,
    ...(shared === undefined ? {} : { shared: { make: run, copies: shared === true } })
  })
}

interface BodyRow<Body extends v.GenericSchema, Answered extends v.GenericSchema> extends Row<Answered> {
  /** The operator's unless said. */
  access?: Exclude<Access, 'read' | 'form'>
  cost?: number
  body: Body
  /** The schema in the API documentation when the handler checks more than `body` says. */
  documented?: v.GenericSchema
  handle: Handler<unknown, v.InferOutput<Body>, Told<Answered>>
}

/** A row that takes a JSON body. */
export function post<Body extends v.GenericSchema, Answered extends v.GenericSchema = v.GenericSchema>(
  path: string,
  row: BodyRow<Body, Answered>
): Route {
  const { access = 'operator', cost = 1, body, documented = body, handle } = row
  const run: Route['run'] = (call) => handle({ ...call, body: parseWith(body, call.body, 'the body') })
  return rowOf('POST', path, row, { access, cost, body: documented, run })
}

/** A row that puts a JSON body in the place of what its path names. */
export function put<Body extends v.GenericSchema, Answered extends v.GenericSchema = v.GenericSchema>(
  path: string,
  row: BodyRow<Body, Answered>
): Route {
  return { ...post(path, row), method: 'PUT' }
}

/** A row whose handler takes the body as it comes, of any size. Who asks, and from where, was checked before. */
export function upload<Query extends v.GenericSchema = NoQuery, Answered extends v.GenericSchema = v.GenericSchema>(
  method: Route['method'],
  path: string,
  row: Row<Answered> & {
    access: 'read' | 'operator'
    query?: Query
    docs: StreamDocs
    handle: StreamHandler<v.InferOutput<Query>, Told<Answered>>
  }
): Route {
  const { access, docs, handle } = row
  const query = queryOf(row)
  const run: Route['run'] = (call, connection) =>
    handle({ ...call, query: parseWith(query, call.query, 'the query'), body: undefined }, connection)
  return rowOf(method, path, row, { access, query, stream: docs, run })
}

/** A row that takes a form of a page: works without a script. The handler answers pages, its own refusals too. */
export function form<Body extends v.GenericSchema>(
  path: string,
  { body, withoutFolder, handle }: { body: Body; withoutFolder?: true; handle: Handler<unknown, v.InferOutput<Body>> }
): Route {
  const run: Route['run'] = (call) => handle({ ...call, body: parseWith(body, call.body, 'the form') })
  const row = withoutFolder === undefined ? {} : { withoutFolder }
  return rowOf('POST', path, row, { access: 'form', body, isForm: true, run })
}

interface OrderRow<Answered extends v.GenericSchema> extends Row<Answered> {
  handle: Handler<unknown, undefined, Told<Answered>>
}

/** A row that does something to what its path names; it reads no body. */
export function order<Answered extends v.GenericSchema = v.GenericSchema>(
  path: string,
  row: OrderRow<Answered>
): Route {
  const run: Route['run'] = (call) => row.handle({ ...call, body: undefined })
  return rowOf('POST', path, row, { access: 'operator', run })
}

/** A row that removes something; it reads no body. */
export function del<Answered extends v.GenericSchema = v.GenericSchema>(path: string, row: OrderRow<Answered>): Route {
  return { ...order(path, row), method: 'DELETE' }
}

export interface Gate {
  settings: () => HttpConfig
  credentials: Credentials
  limit: RateLimit
  /** @throws StorageError `gone` while something else stands where the data folder belongs: nothing is begun there. */
  demandFolder: () => void
  shared: SharedAnswers
  /** The share of one address. */
  shares: Pick<Shares, 'admit' | 'demandTurn' | 'nameOf'>
  /** The reason why guests get no pages at present; null while they do. */
  shedFor: () => Reason | null
  /** Reads the configuration again if its file has changed. */
  refresh: () => Promise<unknown>
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
  const asker: Asker = { language: languageOf(req.headers), isGuest: true }
  try {
    const answer = await run(route, request, { req, res, gate, asker })
    if (route.stream !== undefined) windDown(req)
    if ('takeOver' in answer) answer.takeOver(req, res)
    else send(req, res, answer)
  } catch (error) {
    if (route.stream !== undefined) windDown(req)
    fail(error, { req, res, log: gate.log, asker })
  } finally {
    if (!reads(route)) gate.shared.changed()
  }
}

async function run(
  route: Route,
  { params, query: search }: { params: Record<string, string>; query: URLSearchParams },
  { req, res, gate, asker }: { req: IncomingMessage; res: ServerResponse; gate: Gate; asker: Asker }
): Promise<Answer | Packed> {
  const settings = gate.settings()
  checkHost(req.headers.host, settings.allowed_hosts)
  const identity = await identify(req, settings, gate.credentials)
  // Whoever is not known yet, or is refused, hears of a failure as a guest does.
  asker.isGuest = !canWrite(identity, settings)
  if (route.access !== 'read' && route.access !== 'trial') checkOrigin(req, settings)
  authorise(route.access, identity, settings)
  if (isStranger(identity) && !route.path.startsWith('/static/')) admitStranger(route.path, req, gate)
  const { isGuest } = asker
  const peer = peerName(req, identity)
  if (changesFiles(route)) gate.demandFolder()
  // Guests behind the same address, or the same proxy, leave the operator what is theirs.
  if (route.access === 'trial') gate.limit.take(isGuest ? peer : `operator ${peer}`, route.cost)
  if (route.stream !== undefined) allowSlowBody(req)
  const body = await bodyFor(route, isStranger(identity), { req, res })
  const trustedProxy = isBehindTrustedProxy(req, settings)
  const query = Object.fromEntries(search)
  const { headers } = req
  const left = (): boolean => res.destroyed
  const from = gate.shares.nameOf(req.socket)
  const encrypted = isEncrypted(req.socket)
  const call = { params, query, body, headers, identity, isGuest, peer, from, trustedProxy, encrypted, left }
  if (route.shared !== undefined) return runShared(route.shared, call, { url: req.url ?? '', gate, asker })
  if (takesTurn(route)) await readersTurn()
  if (left()) throw new AppError('unavailable', because('client_has_left'))
  return saidTo(await route.run(call, { req, res }), asker)
}

/** An answer with reasons in it, for whoever asked. */
function saidTo(answer: Answer, asker: Asker): Answer {
  if ('takeOver' in answer || answer.said === undefined) return answer
  const { said, ...rest } = answer
  return { ...rest, body: said(asker) }
}

async function bodyFor(
  { body, isForm }: Route,
  isGuest: boolean,
  { req, res }: Pick<Connection, 'req' | 'res'>
): Promise<unknown> {
  if (body === null) return undefined
  return isForm ? readFormBody(req, res) : readJsonBody(req, res, { isGuest })
}

/** Whoever finds it made already waits for nobody's turn; a guest takes a copy of a moment ago. */
async function runShared(
  { make, copies }: NonNullable<Route['shared']>,
  call: Call<Record<string, string>, unknown>,
  { url, gate, asker }: { url: string; gate: Gate; asker: Asker }
): Promise<Answer | Packed> {
  const { shared, refresh } = gate
  const key = sharedKey(`${url}?${new URLSearchParams(call.query)}`, call)
  // The making outlives its request: it keeps no connection.
  const { left, ...rest } = call
  const takesCopies = copies && isStranger(call.identity) && !wantsNew(call.headers)
  const copy = takesCopies ? shared.find(key, { left, takesCopies }) : undefined
  if (copy !== undefined) return copy
  await refresh()
  const asking = { left, takesCopies: false }
  const known = shared.find(key, asking)
  if (known !== undefined) return known
  await readersTurn()
  if (left()) throw new AppError('unavailable', because('client_has_left'))
  return shared.answer(key, asking, async (all) => saidTo(await make({ ...rest, left: all }), asker))
}

const reads = ({ method }: Route): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

function changesFiles(route: Route): boolean {
  const { access, withoutFolder: needsNone } = route
  return !reads(route) && (access === 'operator' || access === 'form') && needsNone !== true
}

/** Ten phones that open a page at once get one after another: the radios have their turn in between (contract §6). */
function takesTurn({ access, stream, path }: Route): boolean {
  return (access === 'read' || access === 'trial') && stream === undefined && !path.startsWith('/static/')
}
