import { because } from '../../../model/reason.ts'
import type { Reference } from '../../../model/thread.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import { listenTcp } from '../polling/tcp-stream.ts'
import { parseReferences } from '../reading/bulletin.ts'
import { inTurns } from '../reading/steps.ts'
import { childText, type Element } from '../reading/xml.ts'
import type { PushKind, PushTools } from '../source.ts'
import { readIndex } from './index-read.ts'
import { CapMemory } from './memory.ts'
import { readCap } from './poll.ts'
import { type CapProfile, CapReading } from './reading.ts'
import type { CapStreamSettings } from './stream-settings.ts'
import { AlertSplitter } from './stream-splitter.ts'

/** CAP alerts over TCP, as the Canadian NAADS sends them: whole documents, and a heartbeat that names the last ten. */
export const capStreamSource: PushKind<CapStreamSettings> = {
  mode: 'push',
  kind: 'cap_stream',
  about: 'CAP alerts that a server sends one after the other over TCP.',
  missing: ({ host }) => (host === '' ? because('needs_server_host') : null),
  async open(settings, tools) {
    const inbox = new Inbox(settings, tools)
    return listenTcp(
      {
        host: settings.host,
        port: settings.port,
        silenceSeconds: settings.silence_seconds,
        splitter: () => new AlertSplitter(),
        take: (message) => inbox.take(message)
      },
      tools
    )
  },
  read: (body, settings, tools) => readCap(body, profileOf(settings), tools)
}

function profileOf(settings: CapStreamSettings): CapProfile {
  return {
    kind: 'cap_stream',
    format: 'auto',
    wanted: settings,
    details: 'never',
    maxDetails: 1,
    read: { language: settings.language, defaultExpiresHours: settings.default_expires_hours }
  }
}

const MAX_ASKED = 500
const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

class Inbox {
  readonly #settings: CapStreamSettings
  readonly #tools: PushTools
  /** Identifiers that came, or were asked for once. */
  readonly #known = new Set<string>()
  /** The time of the last tidying of what is remembered, epoch milliseconds. */
  #tidied = 0

  constructor(settings: CapStreamSettings, tools: PushTools) {
    this.#settings = settings
    this.#tools = tools
  }

  /** Takes one document; what cannot be read is counted with its reason. */
  async take(message: Uint8Array): Promise<void> {
    const tools = this.#tools
    try {
      const { alerts } = readIndex(message, { format: 'alert' })
      for (const alert of alerts) {
        if (isHeartbeat(alert)) await this.#catchUp(alert)
        else await this.#accept(alert)
      }
      tools.counted({ bytes: message.byteLength })
    } catch (error) {
      const reason = error instanceof AppError ? error.reason : because('could_not_be_stored')
      if (!(error instanceof AppError)) tools.log.error({ err: error }, 'an alert of the stream was not taken')
      tools.counted({ bytes: message.byteLength, refused: reason })
    }
  }

  async #accept(alert: Element): Promise<void> {
    const { source, memory, clock } = this.#tools
    const reading = new CapReading(profileOf(this.#settings), { source, memory, receivedAt: clock.now() })
    reading.take(alert)
    const { events } = drain(reading.finish(1, null))
    reading.memory.commit()
    await this.#tidy(reading.memory)
    if (events.length > 0) await this.#tools.accept(events)
    this.#note(childText(alert, 'identifier'))
  }

  /** Fetches what a heartbeat names and nobody sent us: alerts of the time we were not connected. Each is asked for once. */
  async #catchUp(heartbeat: Element): Promise<void> {
    const { archive_url } = this.#settings
    const capMemory = new CapMemory(this.#tools.memory, this.#tools.clock.now())
    for (const reference of parseReferences(childText(heartbeat, 'references'))) {
      const { identifier, sent } = reference
      const age = this.#tools.clock.now() - Date.parse(sent)
      if (archive_url === '' || this.#known.has(identifier) || capMemory.toldAs(identifier) !== null) continue
      this.#note(identifier)
      if (age <= DAY_MS) await this.#fetch(archiveAddress(archive_url, reference, heartbeat))
    }
  }

  async #fetch(url: string): Promise<void> {
    try {
      const fetched = await this.#tools.fetch({ url, conditional: false })
      if (fetched.state === 'unchanged') return
      for (const alert of readIndex(fetched.body, { format: 'alert' }).alerts) await this.#accept(alert)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.#tools.counted({ bytes: 0, refused: because('not_in_archive', { why: error.reason }) })
    }
  }

  /** The list of told alerts is read through once an hour, not with every alert. */
  async #tidy(capMemory: CapMemory): Promise<void> {
    const now = this.#tools.clock.now()
    if (Math.abs(now - this.#tidied) < HOUR_MS) return
    this.#tidied = now
    await inTurns(capMemory.tidy(new Set()), this.#tools.signal)
  }

  #note(identifier: string): void {
    this.#known.add(identifier)
    for (const oldest of this.#known) {
      if (this.#known.size <= MAX_ASKED) break
      this.#known.delete(oldest)
    }
  }
}

/** `status` System: NAADS writes no heartbeat otherwise. */
function isHeartbeat(alert: Element): boolean {
  return childText(alert, 'status') === 'System' && /heartbeat/i.test(childText(alert, 'sender'))
}

/**
 * NAADS Last Mile Distributor guide: `/<day>/<sent>I<identifier>.xml`, with `_` for `-` and `:` and `p` for `+`, the time
 * as the heartbeat writes it.
 */
function archiveAddress(base: string, { identifier }: Reference, heartbeat: Element): string {
  const triple = childText(heartbeat, 'references')
    .split(/\s+/)
    .find((text) => text.includes(`,${identifier},`))
  const sent = triple?.slice(triple.lastIndexOf(',') + 1) ?? ''
  const name = `${sent}I${identifier}`.replaceAll(/[-:]/g, '_').replaceAll('+', 'p')
  return `${base.replace(/\/+$/, '')}/${sent.slice(0, 10)}/${encodeURIComponent(name)}.xml`
}
