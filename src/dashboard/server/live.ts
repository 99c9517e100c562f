import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDemo } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Observers } from '../../platform/observers.ts'
import { deliveryView } from '../../warning/outbox/delivery.ts'
import type { LiveTopics, RadioStatus } from './context.ts'
import { type Asker, publicUrls } from './guest.ts'
import { shownDelivery } from './guest-view.ts'
import type { Takeover } from './reply.ts'
import { said, saidSource } from './said-status.ts'

const HEARTBEAT_MS = 15_000
/** An event of its own: a browser shows comments to no script, and a phone out of reach hears no end of the connection. */
const BEAT = ': still here\nevent: beat\ndata: {}\n\n'
const REMEMBERED = 500
const MAX_CLIENTS = 64
/** Kept for this machine and whoever stands behind a proxy. */
const KEPT_CLIENTS = 8
/** Of one address: a stream for every page that somebody has open. */
const MOST_OF_ADDRESS = 8
/** A client that leaves this much unread is dropped: it may come back and take up where it was. Bytes. */
const MAX_UNREAD = 256 * 1024

interface Client extends Asker {
  /** The address it is counted under. */
  from: string | null
}

/** Written out at the first client that needs it: most stations have none most of the time. */
interface Message {
  number: number
  event: string
  data: unknown
  /** Set where what is shown has sentences: the data for whoever asks. */
  say: ((asker: Asker) => unknown) | null
  /** By kind of asker; one for all where it has no sentences. */
  texts: Partial<Record<string, string>>
}

/**
 * The live stream (`GET /api/stream`, server-sent events): `decided`, `delivery`, `radio`, `source`, `config`,
 * `knowledge`, each with an id.
 * A client that comes back with `Last-Event-ID` gets what it missed, or `reset` when that is not remembered any more.
 */
export class Live {
  readonly #clock: Clock
  readonly #clients = new Map<ServerResponse, Client>()
  readonly #unsubscribe: (() => void)[]
  /** Ids of another run of this program mean nothing here. */
  readonly #run = randomUUID().slice(0, 8)
  readonly #messages: Message[] = []
  /** Messages that clients have not been sent yet: of all that happens in one step they get one piece. */
  #unsent: Message[] = []
  #number = 0
  /** Before the first client nobody can come back for what was missed. */
  #everHeard = false
  #cancelHeartbeat: () => void = () => undefined
  #closed = false

  constructor({ observers, clock }: { observers: Observers<LiveTopics>; clock: Clock }) {
    this.#clock = clock
    this.#unsubscribe = [
      observers.on('decided', (accepted) => {
        if (!accepted.duplicate) this.#tell('decided', () => decidedView(accepted))
      }),
      observers.on('delivery', (delivery) => {
        if (!delivery.direct) return this.#tell('delivery', () => deliveryView(delivery))
        const view = deliveryView(delivery)
        this.#tell(
          'delivery',
          () => null,
          (asker) => shownDelivery(view, asker)
        )
      }),
      observers.on('radio', (status) => {
        const shown = withoutNodes(status)
        this.#tell(
          'radio',
          () => null,
          (asker) => said(shown, asker)
        )
      }),
      observers.on('source', (status) =>
        this.#tell(
          'source',
          () => null,
          (asker) => saidSource(status, asker)
        )
      ),
      observers.on('config', (status) => this.#tell('config', () => status)),
      observers.on('knowledge', (news) => this.#tell('knowledge', () => news))
    ]
    this.#beat()
  }

  get clients(): number {
    return this.#clients.size
  }

  /** The number of messages there were, heard or not: while it stands still nothing has happened. */
  get told(): number {
    return this.#number
  }

  /**
   * `from` names the address that asks; null is held to no share. Throws AppError `unavailable` when 64 clients listen already,
   * or 8 of this address.
   */
  open(
    lastEventId: string | undefined,
    { language = 'en', isGuest = true, from = null }: Partial<Client> = {}
  ): Takeover {
    const most = from === null ? MAX_CLIENTS : MAX_CLIENTS - KEPT_CLIENTS
    if (this.#closed || this.#clients.size >= most)
      throw new AppError('unavailable', because('clients_listen_already', { most }))
    const own = [...this.#clients.values()].filter((client) => client.from === from).length
    if (from !== null && own >= MOST_OF_ADDRESS)
      throw new AppError('unavailable', because('address_listens_already', { most: MOST_OF_ADDRESS }))
    return { takeOver: (req, res) => this.#attach(req, res, { lastEventId, language, isGuest, from }) }
  }

  /** Ends every stream. */
  close(): void {
    this.#closed = true
    this.#cancelHeartbeat()
    this.#sendOn()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    for (const client of this.#clients.keys()) client.end()
    this.#clients.clear()
  }

  #attach(
    req: IncomingMessage,
    res: ServerResponse,
    { lastEventId, ...client }: Client & { lastEventId: string | undefined }
  ): void {
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no'
    })
    if (req.method === 'HEAD') {
      res.end()
      return
    }
    this.#everHeard = true
    // The news that those before it are still to be sent are among what it missed.
    this.#sendOn()
    this.#clients.set(res, client)
    res.on('close', () => this.#clients.delete(res))
    res.on('error', () => this.#clients.delete(res))
    res.write(`retry: 3000\n: connected\n\n${BEAT}`)
    for (const text of this.#missed(lastEventId, client)) this.#write(res, text)
  }

  #missed(lastEventId: string | undefined, asker: Asker): string[] {
    if (lastEventId === undefined || lastEventId === '') return []
    const [run, number = ''] = lastEventId.split('-')
    const last = /^\d{1,15}$/.test(number) ? Number(number) : Number.NaN
    const oldest = this.#messages[0]?.number ?? this.#number + 1
    const known = run === this.#run && last <= this.#number && last >= oldest - 1
    if (!known) return [`id: ${this.#run}-${this.#number}\nevent: reset\ndata: {}\n\n`]
    return this.#messages.filter((message) => message.number > last).map((message) => this.#textOf(message, asker))
  }

  /** `view` takes out at once what is shown, so that no large event is kept for its few words. */
  #tell(event: string, view: () => unknown, say: Message['say'] = null): void {
    this.#number++
    if (!this.#everHeard) return
    const message: Message = { number: this.#number, event, data: view(), say, texts: {} }
    this.#messages.push(message)
    if (this.#messages.length > REMEMBERED) this.#messages.shift()
    if (this.#clients.size === 0) return
    if (this.#unsent.push(message) === 1) setImmediate(() => this.#sendOn())
  }

  /** A storm tells a hundred things at once to dozens of phones: one write for each of them, not a hundred. */
  #sendOn(): void {
    if (this.#unsent.length === 0) return
    const messages = this.#unsent
    this.#unsent = []
    const pieces = new Map<string, string>()
    for (const [client, asker] of this.#clients) {
      const kind = kindOf(asker)
      const piece = pieces.get(kind) ?? messages.map((message) => this.#textOf(message, asker)).join('')
      pieces.set(kind, piece)
      this.#write(client, piece)
    }
  }

  #textOf(message: Message, asker: Asker): string {
    const { say, texts } = message
    const kind = say === null ? 'all' : kindOf(asker)
    const known = texts[kind] ?? this.#written(message, asker)
    texts[kind] = known
    return asker.isGuest ? publicUrls(known) : known
  }

  #written(message: Message, asker: Asker): string {
    const { say, number, event } = message
    const data = JSON.stringify(say === null ? message.data : say(asker))
    message.data = null
    return `id: ${this.#run}-${number}\nevent: ${event}\ndata: ${data}\n\n`
  }

  #write(client: ServerResponse, text: string): void {
    client.write(text)
    if (client.writableLength <= MAX_UNREAD) return
    this.#clients.delete(client)
    client.destroy()
  }

  /** Keeps proxies from closing a quiet stream, finds clients that are gone, and tells the others that we are there. */
  #beat(): void {
    this.#cancelHeartbeat = this.#clock.after(HEARTBEAT_MS, () => {
      for (const client of this.#clients.keys()) this.#write(client, BEAT)
      this.#beat()
    })
  }
}

const kindOf = ({ language, isGuest }: Asker): string => `${language}${isGuest ? ' guest' : ''}`

function decidedView({ seq, event, decision }: LiveTopics['decided']): Record<string, unknown> {
  const { id, source, revision, thread_id, title, family, category, severity, lifecycle, regions } = event
  const { kind, reason } = decision ?? { kind: 'recorded', reason: '' }
  return {
    seq,
    id,
    source,
    revision,
    thread_id,
    title,
    family,
    category,
    severity,
    lifecycle,
    regions,
    decision: kind,
    reason,
    demo: isDemo(event)
  }
}

/** The list of nodes is long and changes little: `GET /api/radios` has it. */
function withoutNodes(status: RadioStatus): RadioStatus {
  return status.details === null ? status : { ...status, details: { ...status.details, nodes: [] } }
}
