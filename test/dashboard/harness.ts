import { readFileSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type HttpService, startHttp } from '../../src/dashboard/http-server.ts'
import { UNBUNDLED } from '../../src/dashboard/server/bundles.ts'
import type { HttpContext, LiveTopics, RadioStatus } from '../../src/dashboard/server/context.ts'
import type { HttpsPort } from '../../src/dashboard/server/https-port.ts'
import { LocalOperator } from '../../src/dashboard/server/local-operator.ts'
import type { LookoutEvent } from '../../src/model/event.ts'
import { because } from '../../src/model/reason.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { AppError } from '../../src/platform/errors.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { Observers } from '../../src/platform/observers.ts'
import { SessionStore } from '../../src/platform/sessions/session-store.ts'
import { TokenStore } from '../../src/platform/sessions/tokens.ts'
import { ConfigStore } from '../../src/settings/store.ts'
import { Gazetteer } from '../../src/warning/atlas/gazetteer.ts'
import { AckStore } from '../../src/warning/outbox/ack-store.ts'
import { DeliveryList } from '../../src/warning/outbox/delivery-list.ts'
import { Ledger } from '../../src/warning/outbox/ledger.ts'
import { Outbox } from '../../src/warning/outbox/outbox.ts'
import { PinnedKeys } from '../../src/warning/outbox/pinned-keys.ts'
import { ledgerMigrations } from '../../src/warning/outbox/schema.ts'
import type { Accepted } from '../../src/warning/routing/accepted.ts'
import { faultOf, rowFor } from '../helpers/answer-check.ts'
import { note } from '../helpers/in-words.ts'
import { printApart } from '../helpers/paper.ts'

export const NOW = Date.parse('2026-07-01T12:00:00Z')

/** As a phone on the hotspot is to us: it calls the station by its address there. */
export const FROM_AFAR = { host: '10.42.0.1' }

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any
}

export interface Question {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  body?: unknown
  /** Sent as it is. */
  raw?: string | Buffer
}

export interface Station {
  folder: string
  service: HttpService
  context: HttpContext
  clock: VirtualClock
  observers: Observers<LiveTopics>
  db: Database
  outbox: Outbox
  logged: string[]
  ask: (question: Question | string) => Promise<Answer>
  /** The content of config.json. */
  file: () => string
  edit: (text: string) => void
}

export async function station(
  t: Test,
  options: {
    config?: unknown
    text?: string
    context?: Partial<HttpContext>
    radios?: RadioStatus[]
    /** Another one than the folder `web` of the tree. */
    webFolder?: string
    /** Another one than the folder of the pages in the tree. */
    pageFolder?: string
    /** Another one than the address of the connection. */
    addressOf?: () => string
    /** The address under which a request came over the hotspot. */
    hotspotAddress?: string
    /** A second port, by TLS. */
    https?: HttpsPort
  } = {}
): Promise<Station> {
  const folder = t.testdir({ 'config.json': options.text ?? JSON.stringify(options.config ?? {}, null, 2) })
  const clock = new VirtualClock(NOW)
  const logged: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line: string) => void logged.push(line) } })
  const config = await ConfigStore.open({ folder, clock })
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  const observers = new Observers<LiveTopics>((error) => log.error({ err: error }, 'observer'))
  const ledger = new Ledger(db)
  const deliveries = new DeliveryList(db, () => clock.now())
  const acks = new AckStore(db)
  const outbox = new Outbox({
    db,
    now: () => clock.now(),
    coalesceSeconds: () => 20,
    heldBecause: () => null,
    onChange: (delivery) => observers.tell('delivery', delivery)
  })
  const context: HttpContext = {
    version: '0.1.0',
    mode: 'run',
    startedAt: NOW - 90_000,
    now: () => clock.now(),
    log,
    profile: profile(),
    overrides: { 'http.host': '0.0.0.0' },
    bundles: UNBUNDLED,
    config,
    tokens: new TokenStore({ folder }),
    sessions: new SessionStore({ folder, now: () => clock.now(), log, cost: { n: 2 ** 14, r: 8, p: 1 } }),
    local: new LocalOperator({ on: () => config.current().http.local_operator ?? true }),
    https: () => options.https?.state ?? { state: 'off' },
    observers,
    ledger,
    hotspot: null,
    exercises: null,
    updates: null,
    backups: null,
    storageFault: () => null,
    acceptEvents: async (events) => events.map((event) => accept(event, ledger, observers)),
    deliveries: {
      list: (query) => deliveries.list(query),
      steps: (id) => deliveries.steps(id),
      ofEvent: (seq) => deliveries.ofEvent(seq),
      counts: () => ({ queued: 2, sent: 1 }),
      rang: () => deliveries.rang(),
      heardTags: (count) => deliveries.heardTags(count),
      airtimeMs: (network, bytes) => (network === 'mt' ? 100 : 10) * bytes
    },
    byIp: { answer: () => null, states: () => [], tryAll: async () => [] },
    reactions: {
      silences: outbox.guards.silenceStore,
      acks,
      keys: new PinnedKeys(db),
      acknowledge: (threadId, by) => {
        const ack = { ...by, at: clock.now() }
        acks.add(threadId, ack)
        return { ack, stopped: false }
      },
      followUp: () => null,
      inside: () => null,
      placed: () => []
    },
    radios: () => options.radios ?? [],
    sources: { list: () => [], kinds: () => [], poll: () => ({ asked: true }) },
    addText: (text) => outbox.addText(text),
    airtimeAhead: async () => [],
    broadcasts: async () => [],
    passes: async () => {
      throw new AppError('not-found', note('no source of kind satpass is configured'))
    },
    serialDevices: async () => [
      { path: '/dev/serial/by-id/usb-Maker_Radio_1-if00', name: 'Maker Radio 1' },
      { path: '/dev/ttyUSB0', name: '' }
    ],
    gazetteer: new Gazetteer({ folder: null }),
    probe: {
      ask: async () => {
        throw new AppError('unavailable', because('no_radio_answers', { link: 'nowhere' }))
      },
      stop: () => undefined
    },
    places: {
      search: async () => [],
      nameOf: async () => '',
      zones: { shape: () => null },
      outline: () => null,
      ground: null
    },
    mapsFolder: join(folder, 'maps'),
    *explain(event, matrix) {
      yield
      return {
        event: {
          id: event.id,
          source: event.source,
          family: event.family,
          severity: event.severity,
          thread_id: event.thread_id,
          region: event.region,
          regions: event.regions
        },
        outcome: 'send',
        reason: matrix === undefined ? 'stored matrix' : 'unsaved matrix',
        messages: [],
        cells: [],
        trace: []
      }
    },
    backtest: async (_matrix, since, until) => ({
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
      events: 0,
      messages: 0,
      channels: [],
      networks: [],
      silent: {}
    }),
    readiness: () => ({ ready: true, problems: [] }),
    loop: () => ({ worst_stall_ms: 0, stalled_ms: 0, during: [] }),
    history: null,
    audit: null,
    addresses: null,
    library: null,
    scraper: null,
    demo: () => null,
    shownConfig: () => config.current(),
    knowledgeClosed: () => false,
    shedFor: () => null,
    print: printApart,
    restart: { by: null, ask: () => undefined },
    claimOnCard: async () => false,
    isBundle: false,
    knowledge: null,
    keys: null,
    ...options.context
  }
  const { webFolder, pageFolder, addressOf, hotspotAddress, https } = options
  const service = await startHttp(context, {
    host: '127.0.0.1',
    port: 0,
    clock,
    ...(webFolder === undefined ? {} : { webFolder }),
    ...(pageFolder === undefined ? {} : { pageFolder }),
    ...(addressOf === undefined ? {} : { addressOf }),
    ...(hotspotAddress === undefined ? {} : { hotspotAddress }),
    ...(https === undefined ? {} : { https })
  })
  t.teardown(async () => {
    await service.close()
    config.close()
    db.close()
  })
  const path = join(folder, 'config.json')
  return {
    folder,
    service,
    context,
    clock,
    observers,
    db,
    outbox,
    logged,
    ask: async (asked) => {
      const question = typeof asked === 'string' ? { path: asked } : asked
      const answer = await ask(service.port, question)
      // Under a name that is not ours a guest of the hotspot is led to the board, whatever row the path would be.
      const led =
        answer.status === 302 && question.headers?.['host'] !== undefined && options.hotspotAddress !== undefined
      const row = led ? undefined : rowFor(methodOf(question), question.path)
      const fault =
        row === undefined
          ? null
          : faultOf(row, answer, row.method === 'GET' && question.method === 'HEAD' ? 'HEAD' : row.method)
      if (fault !== null) t.fail(fault)
      // A reason that nobody made a sentence of.
      if (answer.text.includes('[object Object]')) t.fail(`${question.path} says [object Object]`)
      return answer
    },
    file: () => readFileSync(path, 'utf8'),
    edit: (text) => writeFileSync(path, text)
  }
}

function profile(): HttpContext['profile'] {
  return {
    name: 'home',
    description: 'Everything.',
    features: {
      has_contacts: true,
      has_landclass: true,
      has_hillshade: true,
      has_traffic_overlay: true,
      has_nominatim_details: true
    },
    http: { host: '127.0.0.1', local_operator: true },
    tuning: {
      heap_mb: 512,
      job_memory_mb: 1536,
      workers: { convert: 1, extract: 1, embed: 1 },
      commit_window_ms: 20,
      upload_max_bytes: 2 ** 31
    },
    subsystems: { knowledge: true, library: true, scraper: true, addresses: true, metrics: true },
    retention: { events_days: 14, deliveries_days: 14, trace_days: 14, metrics_days: 7 },
    polling: { interval_factor: 1 },
    sources: [],
    simulated_radios: true
  }
}

function accept(event: LookoutEvent, ledger: Ledger, observers: Observers<LiveTopics>): Accepted {
  const seq = ledger.add(event)
  const decision: Accepted['decision'] =
    seq === null
      ? null
      : {
          kind: 'send',
          reason: 'cell',
          sends: [],
          withdraw: [],
          trace: [
            {
              stage: 'matrix',
              outcome: 'match',
              reason: 'cell',
              ...because('cell_sends', { family: 'fire', region: 'North', channels: ['mt:3'] })
            }
          ]
        }
  if (seq !== null && decision !== null) ledger.decide(seq, decision)
  const accepted = {
    id: event.id,
    threadId: event.thread_id,
    duplicate: seq === null,
    seq,
    event,
    decision,
    stored: true
  }
  observers.tell('decided', accepted)
  return accepted
}

const methodOf = ({ method, body, raw }: Question): string =>
  method ?? (body === undefined && raw === undefined ? 'GET' : 'POST')

/** One request on a connection of its own, exactly as written. */
export function ask(port: number, { method, path, headers = {}, body, raw }: Question): Promise<Answer> {
  const bytes = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const length = bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) }
  return new Promise((resolve, reject) => {
    const req = request(
      {
        port,
        host: '127.0.0.1',
        path,
        method: method ?? (bytes === undefined ? 'GET' : 'POST'),
        agent: false,
        headers: { ...type, ...length, ...headers }
      },
      (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk) => chunks.push(chunk))
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson =
            /json/.test(res.headers['content-type'] ?? '') && !/ndjson/.test(res.headers['content-type'] ?? '')
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            text,
            body: isJson && text !== '' ? JSON.parse(text) : null
          })
        })
      }
    )
    req.on('error', reject)
    req.end(bytes)
  })
}

export function radio(patch: Partial<RadioStatus> = {}): RadioStatus {
  return {
    id: 'a',
    network: 'mt',
    link: 'simulated',
    simulated: true,
    node_name: 'LOOK',
    modem: 'ShortFast',
    state: 'ready',
    reason: null,
    since: new Date(NOW).toISOString(),
    channels: [{ id: 3, name: 'north', enabled: true }],
    missing_channels: [],
    queue: { waiting: 4 },
    airtime: { used_seconds: 1.5, budget_seconds: 36, legal_share: 1 },
    details: null,
    ...patch
  }
}

export const fire = {
  id: 'f1',
  source: 'test',
  family: 'fire',
  severity: 'critical',
  title: 'Fire at <Pine> & "Ridge"',
  regions: ['North'],
  sent_at: '2026-07-01T11:55:00Z',
  expires: '2026-07-01T18:00:00Z'
}

/** Puts one message of the stored event into the outbox; it waits. */
export function queue(
  { outbox, context }: Pick<Station, 'outbox' | 'context'>,
  seq: number,
  patch: { regions?: string[]; path?: 'matrix' | 'toggle'; transport?: 'mt' | 'mc'; channel?: number | string } = {}
): number {
  const stored = context.ledger.get(seq)
  if (stored === null) throw new Error('no such event')
  return outbox.add(stored.event, seq, {
    transport: 'mt',
    channel: 3,
    direct: false,
    kind: 'new',
    regions: ['North', 'South'],
    newPlacesOnly: false,
    path: 'matrix',
    dedup: { source: 'test', key: `${seq}|${patch.transport ?? 'mt'}:${patch.channel ?? 3}` },
    cooldown: [],
    mergeInto: null,
    material: '',
    ...patch
  })
}

/** Puts one message of the stored event on the air. */
export function send(s: Station, seq: number, text = '=HYPERLINK("x"), "quoted"'): void {
  launch(s.outbox, queue(s, seq), text)
}

/** A message that waits goes on the air. */
export function launch(outbox: Station['outbox'], id: number, text = 'text', { simulated = true } = {}): void {
  outbox.apply(id, 'hand_over', { reason: null, step: because('handed_over') })
  const patch = {
    parts: JSON.stringify([text]),
    bytes: text.length,
    sent_at: NOW,
    attempts: 1,
    radio: 'a',
    simulated: simulated ? 1 : 0
  }
  outbox.apply(id, 'left', { reason: null, step: because('left_radio'), patch })
}
