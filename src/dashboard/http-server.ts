import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import polka from 'polka'
import sirv from 'sirv'
import { because } from '../model/reason.ts'
import { type Clock, systemClock } from '../platform/clock/clock.ts'
import { StorageError } from '../platform/database/storage-fault.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { lazyHttps } from '../platform/net/lazy-https.ts'
import { verifyToken } from '../platform/sessions/tokens.ts'
import { noSuchPage, opensPage } from './pages/frame/no-such-page.ts'
import { routes } from './routes.ts'
import { encodingsOf, findPageFolder, findWebFolder, listAssets } from './server/assets.ts'
import type { Bundles } from './server/bundles.ts'
import type { HttpContext } from './server/context.ts'
import { Counters } from './server/counters.ts'
import { fail } from './server/fail.ts'
import { HeavyWork } from './server/heavy-work.ts'
import type { HttpsPort, MakeServer } from './server/https-port.ts'
import { Live } from './server/live.ts'
import { readTarget } from './server/path.ts'
import { Portal } from './server/portal.ts'
import { HttpError, notFound } from './server/problem.ts'
import { RadioLog } from './server/radio-log.ts'
import { RateLimit } from './server/rate-limit.ts'
import { send, setSecurityHeaders } from './server/reply.ts'
import { type Gate, get, METHODS, type Route, serve } from './server/route.ts'
import { SharedAnswers } from './server/shared-answers.ts'
import { MOST_CONNECTIONS, Shares, type SharesOptions } from './server/shares.ts'
import { limitBody } from './server/slow-body.ts'
import { UrgentNews } from './server/urgent-news.ts'

/** The time that requests under way may take to end once closing began. Milliseconds. */
const CLOSE_MS = 2000

/** The web as it runs. */
export interface HttpService {
  /** For people and the ready line: `http://127.0.0.1:8080`. */
  url: string
  port: number
  /** Stops accepting, ends live streams, lets requests under way finish for 2 s. */
  close(): Promise<void>
}

export interface HttpOptions {
  host: string
  /** 0 = any free one. */
  port: number
  clock?: Clock
  /** The folder with style sheets and scripts that pages share; found by itself. */
  webFolder?: string
  /** The folder of the pages with the files of each; found by itself. */
  pageFolder?: string
  /** A second port, by TLS; null where none is wanted. */
  https?: HttpsPort | null
  /** Another one than the address of the connection: tests have a hotspot without one. */
  addressOf?: (socket: Socket) => string
  /** The station's address on the hotspot, where it is another one than that of deploy/hotspot: tests have none. */
  hotspotAddress?: string
}

/**
 * Starts the web: polka for routing, sirv for files, both used here and nowhere else.
 * Throws AppError `unavailable` when the address is taken or not ours.
 */
export async function startHttp(context: HttpContext, options: HttpOptions): Promise<HttpService> {
  const clock = options.clock ?? systemClock
  const live = new Live({ observers: context.observers, clock })
  const counters = new Counters(context.observers)
  const radioLog = new RadioLog(context)
  const shares = sharesOf(context, options)
  const portal = new Portal({
    now: context.now,
    allowedHosts: () => context.config.current().http.allowed_hosts,
    nameOf: (socket) => shares.nameOf(socket),
    address: options.hotspotAddress
  })
  const services = { context, live, counters, radioLog, portal, heavy: new HeavyWork(), asking: new HeavyWork() }
  const assets = [
    ...assetRoutes(options.webFolder ?? findWebFolder(import.meta.dirname), '/static'),
    ...assetRoutes(options.pageFolder ?? findPageFolder(import.meta.dirname), '/static/pages'),
    ...(context.bundles.folder === null ? [] : assetRoutes(context.bundles.folder, '/static/bundles', FOR_EVER))
  ]
  const kept = sharedOf(context, { clock, live })
  const gate = gateOf(context, { shared: kept.shared, shares })
  const server = makeServers([...routes(services), ...assets], { gate, portal, bundles: context.bundles })
  const plain = server.plain()
  const forget = (): void => {
    live.close()
    counters.close()
    radioLog.close()
    kept.close()
  }
  const port = await listen(plain, options).catch((error: unknown) => {
    forget()
    throw error
  })
  const close = async (): Promise<void> => {
    forget()
    const secure = (await options.https?.close()) ?? null
    await Promise.all([plain, ...(secure === null ? [] : [secure])].map((one) => closeServer(one, clock)))
  }
  options.https?.open((pair) => server.secure(pair))
  return { url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`, port, close }
}

/** The checks that every request passes. */
function gateOf(context: HttpContext, { shared, shares }: Pick<Gate, 'shared' | 'shares'>): Gate {
  return {
    settings: () => context.config.current().http,
    credentials: {
      verifyToken: (token) => verifyToken(context.tokens, token),
      verifySession: (token) => context.sessions.verify(token),
      local: context.local
    },
    shares,
    shared,
    shedFor: () => context.shedFor(),
    limit: new RateLimit({ now: context.now, capacity: 60, perSecond: 10 }),
    refresh: () => context.config.refresh(),
    demandFolder: () => {
      if (context.storageFault() === 'gone') throw new StorageError('gone')
    },
    log: context.log
  }
}

/** Answers that many are given, and the news that end them. */
function sharedOf(
  context: HttpContext,
  { clock, live }: { clock: Clock; live: Live }
): { shared: SharedAnswers; close: () => void } {
  const news = new UrgentNews(context.observers, () => shared.newsCame())
  const withConfig = (count: number): string => {
    const { revision, stale } = context.config.status()
    return `${count} ${revision} ${stale}`
  }
  const shared = new SharedAnswers({
    now: context.now,
    after: (ms, go) => clock.after(ms, go),
    revision: () => withConfig(live.told),
    urgent: () => withConfig(news.count)
  })
  const close = (): void => {
    news.close()
    shared.close()
  }
  return { shared, close }
}

function sharesOf({ now, config }: HttpContext, { addressOf }: HttpOptions): Shares {
  const limits: SharesOptions['limits'] = () => {
    const { connections_per_address: connections, trusted_proxies } = config.current().http
    return { connections, trusted_proxies }
  }
  return new Shares({ now, limits, ...(addressOf === undefined ? {} : { addressOf }) })
}

/** Of files whose names change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Each file has a route of its own: sirv by itself would answer every method and look for index pages. */
function assetRoutes(folder: string, address: string, keep?: string): Route[] {
  // `dev`: looks at the file each time, so that an update in place is neither cut off nor stale.
  const files = sirv(folder, { dev: true, etag: true, brotli: true, gzip: true, extensions: [] })
  return listAssets(folder).map((path) =>
    get(`${address}${path}`, {
      handle: () => ({
        takeOver: (req, res) => {
          req.url = path
          if (keep !== undefined) res.setHeader('Cache-Control', keep)
          Reflect.deleteProperty(req, '_parsedUrl')
          // sirv takes a range for granted and breaks on a wrong one; these files are small.
          delete req.headers.range
          req.headers['accept-encoding'] = encodingsOf(folder, path, req.headers['accept-encoding'])
          files(req, res, () => fail(notFound(), { req, res, log: { error: () => undefined } }))
        }
      })
    })
  )
}

/** Limits of both ports. */
const SERVING = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  // limitBody does it: uploads may take longer.
  requestTimeout: 0,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5000
}
/** Nobody holds a connection for longer without a word of TLS. */
const HANDSHAKE_MS = 10_000

/** Servers that answer alike and share all limits, with and without TLS. */
function makeServers(
  table: readonly Route[],
  { gate, portal, bundles }: { gate: Gate; portal: Portal; bundles: Bundles }
): { plain: () => Server; secure: MakeServer } {
  const router = makeRouter(table, gate, bundles)
  const wired = <Made extends Server>(server: Made, { handshake }: { handshake: boolean }): Made => {
    const front = (req: IncomingMessage, res: ServerResponse): void => {
      setSecurityHeaders(res)
      gate.credentials.local.look(req)
      if (!server.listening) res.setHeader('Connection', 'close')
      const elsewhere = portal.answer(req)
      if (elsewhere !== null) {
        send(req, res, elsewhere)
        return
      }
      limitBody(req, res)
      router(req, res)
    }
    server.on('request', front)
    // Otherwise Node answers these by itself, before it is known whether the path exists.
    server.on('checkContinue', front)
    server.on('checkExpectation', front)
    server.on('connection', (socket: Socket) => gate.shares.admit(socket, { handshake }))
    server.maxConnections = MOST_CONNECTIONS
    return server
  }
  return {
    plain: () => wired(createServer(SERVING), { handshake: false }),
    secure: ({ key, certificate: cert }) =>
      wired(
        lazyHttps().createServer({ ...SERVING, key, cert, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS }),
        {
          handshake: true
        }
      )
  }
}

/** Route look-up comes first: an unknown path is 404 for every method, before anything else is looked at (contract §11). */
function makeRouter(
  table: readonly Route[],
  gate: Gate,
  bundles: Bundles
): (req: IncomingMessage, res: ServerResponse) => void {
  const queries = new WeakMap<IncomingMessage, URLSearchParams>()
  const unknown = (req: IncomingMessage, res: ServerResponse): void => {
    if (opensPage(req)) send(req, res, noSuchPage(bundles, req))
    else fail(notFound(), { req, res, log: gate.log })
  }
  const app = polka({
    onNoMatch: (req: IncomingMessage, res: ServerResponse) => {
      const path = req.url ?? ''
      const allowed = METHODS.filter((method) => app.find(method, path))
      if (allowed.length === 0) return unknown(req, res)
      const reason = because('address_takes', { methods: allowed })
      const error = new HttpError('method-not-allowed', reason, { Allow: allowed.join(', ') })
      fail(error, { req, res, log: gate.log })
    }
  })
  for (const route of table) {
    for (const method of route.method === 'GET' ? (['GET', 'HEAD'] as const) : ([route.method] as const)) {
      app.add(method, route.path, (req, res) => {
        const query = queries.get(req) ?? new URLSearchParams()
        void serve(route, { params: decoded(req.params), query }, { req, res, gate })
      })
    }
  }
  return (req, res) => {
    const target = readTarget(req.url ?? '')
    if (target === null) return unknown(req, res)
    queries.set(req, target.query)
    req.url = target.path
    // polka adds what its type asks for.
    app.handler(req as polka.Request, res)
  }
}

/** polka leaves parameters percent-encoded; `readTarget` made sure that they can be decoded. */
function decoded(params: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(String(value))]))
}

function listen(server: Server, { host, port }: HttpOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new AppError('unavailable', because('cannot_listen', { host, port: String(port), said: errorText(cause) }), {
          cause
        })
      )
    )
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

async function closeServer(server: Server, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cancel = clock.after(CLOSE_MS, () => server.closeAllConnections())
  await closed
  cancel()
}
