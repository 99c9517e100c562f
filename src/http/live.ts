import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { Observers } from '../lib/observers.ts'
import { deliveryView } from '../outbox/delivery.ts'
import type { LiveTopics } from './context.ts'
import type { Takeover } from './reply.ts'

const HEARTBEAT_MS = 15_000
const REMEMBERED = 500
const MAX_CLIENTS = 64
/** A client that leaves this much unread is dropped: it may come back and take up where it was. Bytes. */
const MAX_UNREAD = 256 * 1024

interface Message {
  number: number
  text: string
}

/**
 * The live stream (`GET /api/stream`, server-sent events): `decided`, `delivery`, `radio`, `source`, `config`, each with an id.
 * A client that comes back with `Last-Event-ID` gets what it missed, or `reset` when that is not remembered any more.
 */
export class Live {
  readonly #clock: Clock
  readonly #clients = new Set<ServerResponse>()
  readonly #unsubscribe: (() => void)[]
  /** Ids of another run of this program mean nothing here. */
  readonly #run = randomUUID().slice(0, 8)
  #messages: Message[] = []
  #number = 0
  #cancelHeartbeat: () => void = () => undefined
  #closed = false

  constructor({ observers, clock }: { observers: Observers<LiveTopics>; clock: Clock }) {
    this.#clock = clock
    this.#unsubscribe = [
      observers.on('decided', (accepted) => {
        if (!accepted.duplicate) this.#tell('decided', decidedView(accepted))
      }),
      observers.on('delivery', (delivery) => this.#tell('delivery', deliveryView(delivery))),
      observers.on('radio', (status) => this.#tell('radio', status)),
      observers.on('source', (status) => this.#tell('source', status)),
      observers.on('config', (status) => this.#tell('config', status))
    ]
    this.#beat()
  }

  get clients(): number {
    return this.#clients.size
  }

  /** Throws AppError `unavailable` when 64 clients listen already. */
  open(lastEventId: string | undefined): Takeover {
    if (this.#closed || this.#clients.size >= MAX_CLIENTS)
      throw new AppError('unavailable', `${MAX_CLIENTS} clients listen already: close one, or try again later.`)
    return { takeOver: (req, res) => this.#attach(req, res, lastEventId) }
  }

  /** Ends every stream. */
  close(): void {
    this.#closed = true
    this.#cancelHeartbeat()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    for (const client of this.#clients) client.end()
    this.#clients.clear()
  }

  #attach(req: IncomingMessage, res: ServerResponse, lastEventId: string | undefined): void {
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no'
    })
    if (req.method === 'HEAD') {
      res.end()
      return
    }
    this.#clients.add(res)
    res.on('close', () => this.#clients.delete(res))
    res.on('error', () => this.#clients.delete(res))
    res.write('retry: 3000\n: connected\n\n')
    for (const text of this.#missed(lastEventId)) this.#write(res, text)
  }

  #missed(lastEventId: string | undefined): string[] {
    if (lastEventId === undefined || lastEventId === '') return []
    const [run, number = ''] = lastEventId.split('-')
    const last = /^\d{1,15}$/.test(number) ? Number(number) : Number.NaN
    const oldest = this.#messages[0]?.number ?? this.#number + 1
    const known = run === this.#run && last <= this.#number && last >= oldest - 1
    if (!known) return [`id: ${this.#run}-${this.#number}\nevent: reset\ndata: {}\n\n`]
    return this.#messages.filter((message) => message.number > last).map(({ text }) => text)
  }

  #tell(event: string, data: unknown): void {
    this.#number++
    const text = `id: ${this.#run}-${this.#number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    this.#messages.push({ number: this.#number, text })
    if (this.#messages.length > REMEMBERED) this.#messages = this.#messages.slice(-REMEMBERED)
    for (const client of this.#clients) this.#write(client, text)
  }

  #write(client: ServerResponse, text: string): void {
    client.write(text)
    if (client.writableLength <= MAX_UNREAD) return
    this.#clients.delete(client)
    client.destroy()
  }

  /** Keeps proxies from closing a quiet stream, and finds clients that are gone. */
  #beat(): void {
    this.#cancelHeartbeat = this.#clock.after(HEARTBEAT_MS, () => {
      for (const client of this.#clients) this.#write(client, ': still here\n\n')
      this.#beat()
    })
  }
}

function decidedView({ seq, event, decision }: LiveTopics['decided']): Record<string, unknown> {
  const { id, source, revision, thread_id, title, family, category, severity, lifecycle, regions } = event
  const { kind, reason } = decision ?? { kind: 'recorded', reason: '' }
  return {
    ...{ seq, id, source, revision, thread_id, title, family, category, severity, lifecycle, regions },
    decision: kind,
    reason
  }
}
