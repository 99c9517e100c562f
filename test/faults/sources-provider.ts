import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Chronicle } from './chronicle.ts'
import { BROKEN, dribble } from './sources-answers.ts'

/** All providers of the world on one loopback server: they follow the rules of caching, and break in every way. */

export const FAULTS = [
  'too-many',
  'unavailable',
  'error-500',
  'error-502',
  'forbidden',
  'gone',
  'reset',
  'redirect',
  'redirect-loop',
  'slow',
  'stalled',
  'cut-off',
  'cut-short',
  'page',
  'empty',
  'error-200',
  'noise',
  'bad-gzip',
  'bomb'
] as const
/** Must not be shown to a host that was only redirected to. */
export const SECRET = 'very-secret'
export type Fault = (typeof FAULTS)[number]

/** Of these the whole body comes in the end. */
const HARMLESS: ReadonlySet<string> = new Set(['whole', 'same', 'redirect', 'slow'])
const MOST_WEIGHT: Partial<Record<Fault, number>> = {
  'too-many': 2,
  redirect: 3,
  slow: 3,
  stalled: 0.2,
  bomb: 0.5,
  forbidden: 0.3,
  gone: 0.3
}

/** One request as the provider saw it. */
export interface Served {
  at: number
  host: string
  /** Host, path and query. */
  address: string
  what: Fault | 'whole' | 'same' | 'unknown'
  /** True: the whole body, or that it has not changed. */
  good: boolean
  retryAfterMs: number | null
  /** It was told what is known here already. */
  conditional: boolean
  /** There was something to remember it by. */
  validators: boolean
  agent: string
}

interface Document {
  /** The way it knows itself: by entity tag, by date, by both or not at all. */
  style: number
  version: number
  body: Buffer
  zipped: Buffer | null
  modified: number
}

export interface ProviderOptions {
  bodyOf: (address: string) => string | null
  now: () => number
  random: () => number
  /** Of all requests, how many go wrong. */
  faultShare: number
  /** Of the others, how many bring something new. */
  changeShare: number
}

export class Provider {
  readonly served = new Chronicle<Served>()
  /** Headers that came to another host after a redirect. */
  readonly redirected = { requests: 0, withSecrets: 0 }
  /** The most requests of one host at once. */
  readonly mostAtOnce = new Map<string, number>()
  readonly #o: ProviderOptions
  readonly #documents = new Map<string, Document>()
  readonly #open = new Map<string, number>()
  readonly #servers: Server[]
  readonly #agents = new Map<string, string>()
  #port = 0
  #otherPort = 0

  constructor(options: ProviderOptions) {
    this.#o = options
    this.#servers = [
      createServer((req, res) => this.#answer(req, res)),
      createServer((req, res) => this.#elsewhere(req, res))
    ]
  }

  async listen(): Promise<void> {
    const [main, other] = this.#servers as [Server, Server]
    await new Promise<void>((resolve) => main.listen(0, '127.0.0.1', resolve))
    // Another name of the same machine is another origin.
    await new Promise<void>((resolve) => other.listen(0, 'localhost', resolve))
    this.#port = (main.address() as AddressInfo).port
    this.#otherPort = (other.address() as AddressInfo).port
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections()
      server.close()
    }
  }

  /** The address of a provider here. */
  local(url: string): string {
    const { host, pathname, search } = new URL(url)
    return `http://127.0.0.1:${this.#port}/${host}${pathname}${search}`
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    const address = (req.url ?? '/').slice(1)
    const host = address.split('/')[0] ?? ''
    this.#count(host, res)
    const document = this.#document(address)
    const served: Served = {
      at: this.#o.now(),
      host,
      address,
      what: 'unknown',
      good: false,
      retryAfterMs: null,
      conditional: isConditional(req),
      validators: document !== null && Object.keys(validatorsOf(document)).length > 0,
      agent: this.#agentOf(req)
    }
    this.served.add(served)
    if (document === null) {
      res.writeHead(404).end()
      return
    }
    if (this.#o.random() < this.#o.faultShare) served.what = this.#fault()
    else if (this.#o.random() < this.#o.changeShare) this.#change(document)
    if (served.what === 'unknown') served.what = isKnown(req, document) ? 'same' : 'whole'
    served.good = HARMLESS.has(served.what)
    this.#serve(served, document, { req, res })
  }

  /** One copy of each, for the list of requests is long. */
  #agentOf({ headers }: IncomingMessage): string {
    const agent = String(headers['user-agent'])
    const known = this.#agents.get(agent) ?? agent
    this.#agents.set(agent, known)
    return known
  }

  #count(host: string, res: ServerResponse): void {
    const open = (this.#open.get(host) ?? 0) + 1
    this.#open.set(host, open)
    this.mostAtOnce.set(host, Math.max(open, this.mostAtOnce.get(host) ?? 0))
    res.once('close', () => this.#open.set(host, (this.#open.get(host) ?? 1) - 1))
  }

  #document(address: string): Document | null {
    const known = this.#documents.get(address)
    if (known !== undefined) return known
    const text = this.#o.bodyOf(address)
    if (text === null) return null
    const document = {
      style: this.#documents.size % 5,
      version: 1,
      body: Buffer.from(text),
      zipped: null,
      modified: this.#o.now() - 3_600_000
    }
    this.#documents.set(address, document)
    return document
  }

  /** Other bytes that say the same: an empty line more at the end. */
  #change(document: Document): void {
    document.version++
    document.body = Buffer.concat([document.body, Buffer.from('\n')])
    document.zipped = null
    document.modified = this.#o.now()
  }

  #fault(): Fault {
    const weights = FAULTS.map((fault) => MOST_WEIGHT[fault] ?? 1)
    let left = this.#o.random() * weights.reduce((sum, weight) => sum + weight, 0)
    const at = weights.findIndex((weight) => {
      left -= weight
      return left < 0
    })
    return FAULTS[at] ?? 'error-500'
  }

  #serve(served: Served, document: Document, { req, res }: { req: IncomingMessage; res: ServerResponse }): void {
    switch (served.what) {
      case 'same':
        res.writeHead(304, validatorsOf(document)).end()
        return
      case 'too-many':
        served.retryAfterMs = 1000 * Math.round(30 + this.#o.random() * 900)
        res.writeHead(429, { 'Retry-After': served.retryAfterMs / 1000 }).end('slow down')
        return
      case 'unavailable':
        served.retryAfterMs = 1000 * Math.round(60 + this.#o.random() * 600)
        // A date has whole seconds.
        served.retryAfterMs -= this.#o.now() % 1000
        res.writeHead(503, { 'Retry-After': new Date(this.#o.now() + served.retryAfterMs).toUTCString() }).end()
        return
      case 'redirect':
        res.writeHead(302, { Location: `http://localhost:${this.#otherPort}/${served.address}` }).end()
        return
      case 'redirect-loop':
        res.writeHead(301, { Location: req.url ?? '/' }).end()
        return
      default:
        BROKEN[served.what]?.(res, document)
        if (served.what === 'whole' || served.what === 'slow')
          this.#whole(document, { req, res }, served.what === 'slow')
    }
  }

  #whole(document: Document, { req, res }: { req: IncomingMessage; res: ServerResponse }, slow: boolean): void {
    const zip = String(req.headers['accept-encoding'] ?? '').includes('gzip') && this.#o.random() < 0.7
    document.zipped ??= zip ? gzipSync(document.body) : null
    const body = zip && document.zipped !== null ? document.zipped : document.body
    const encoding = zip ? { 'Content-Encoding': 'gzip' } : {}
    res.writeHead(200, {
      ...validatorsOf(document),
      ...encoding,
      'Content-Type': typeOf(document),
      'Cache-Control': 'max-age=30'
    })
    if (!slow) res.end(body)
    else dribble(res, body)
  }

  #elsewhere(req: IncomingMessage, res: ServerResponse): void {
    this.redirected.requests++
    if (JSON.stringify(req.headers).includes(SECRET)) this.redirected.withSecrets++
    const document = this.#document((req.url ?? '/').slice(1))
    if (document === null) res.writeHead(404).end()
    else this.#whole(document, { req, res }, false)
  }
}

function validatorsOf({ version, modified, style }: Document): Record<string, string> {
  return {
    ...(style < 3 ? { ETag: `W/"${version}"` } : {}),
    ...(style === 2 || style === 3 ? { 'Last-Modified': new Date(modified).toUTCString() } : {})
  }
}

function isConditional({ headers }: IncomingMessage): boolean {
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined
}

function isKnown({ headers }: IncomingMessage, document: Document): boolean {
  const now = validatorsOf(document)
  const tag = headers['if-none-match']
  if (tag !== undefined) return tag === now['ETag']
  const since = headers['if-modified-since']
  return since !== undefined && since === now['Last-Modified']
}

function typeOf({ body }: Document): string {
  const first = String.fromCharCode(body[0] ?? 0)
  return first === '<' ? 'application/xml' : first === '{' || first === '[' ? 'application/json' : 'text/plain'
}
