import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node'
import { because, type Reason } from '../../../model/reason.ts'
import { settledWithin } from '../../../platform/clock/within.ts'
import { errorText } from '../../../platform/errors.ts'
import { backoff } from '../../../platform/net/backoff.ts'
import { exportsOf } from '../../../platform/process/exports-of.ts'
import type { Connection, Ending } from '../brokers/keep-connected.ts'
import { takeMessage } from '../brokers/take.ts'
import type { PushTools } from '../source.ts'
import { unwantedReason } from './allowed.ts'
import { connectOptions } from './connect-options.ts'
import { apiCode, ensureConsumer, makeStream, ResumePlace, STREAM_NOT_FOUND } from './consumer.ts'
import { endingOf } from './reasons.ts'
import type { NatsSettings } from './settings.ts'
import { subjectFits } from './subjects.ts'

/** So many messages are fetched ahead: at most 10 MiB where the hub allows the usual 1 MiB. */
const AHEAD = 10
const EXPIRES_MS = 30_000
/** A message at hand gets so long to be stored when the source is closed. */
const FINISH_MS = 800
/** Waits before a message that could not be stored comes again. Milliseconds. */
const AGAIN = { min: 1000, max: 60_000 }

/** One connection to a hub: a durable pull consumer whose messages are acknowledged once they are stored. */
export class NatsHubConnection implements Connection {
  readonly #settings: NatsSettings
  readonly #tools: PushTools
  readonly #where: string
  readonly #place: ResumePlace
  #connection: NatsConnection | null = null
  #messages: ConsumerMessages | null = null
  #working: Promise<unknown> = Promise.resolve()
  #ending = false
  #denied: Error | null = null

  constructor(settings: NatsSettings, tools: PushTools) {
    this.#settings = settings
    this.#tools = tools
    this.#where = settings.servers.map((server) => new URL(server).host).join(', ')
    this.#place = new ResumePlace(settings, tools.memory)
  }

  async run(ready: (complaint: Reason | null) => void): Promise<Ending> {
    try {
      const { connect } = exportsOf(await import('@nats-io/transport-node'))
      const options: ConnectionOptions = await connectOptions(this.#settings, this.#tools)
      const connection = await connect(options)
      this.#connection = connection
      if (this.#ending) return { reason: because('link_is_closed') }
      void this.#watch(connection)
      const consumer = await this.#consumer(connection)
      this.#messages = await consumer.consume({
        max_messages: AHEAD,
        expires: EXPIRES_MS,
        abort_on_missing_resource: true
      })
      ready(null)
      await this.#listen(this.#messages)
      return await this.#lost(connection)
    } catch (error) {
      return endingOf(this.#denied ?? error, this.#settings, this.#where)
    } finally {
      this.#messages?.stop()
      await this.#connection?.close()
    }
  }

  async end(): Promise<void> {
    this.#ending = true
    await settledWithin(this.#working, FINISH_MS, this.#tools.clock)
    // The client would wait for the message at hand before it stops its timers, and that one may never be done.
    this.#messages?.stop()
    const connection = this.#connection
    if (connection === null || connection.isClosed()) return
    // An acknowledgement on its way gets there; one that does not only brings a message twice.
    await settledWithin(connection.flush(), 200, this.#tools.clock)
    await connection.close()
  }

  async #consumer(connection: NatsConnection): Promise<Consumer> {
    const { jetstreamManager } = exportsOf(await import('@nats-io/jetstream'))
    const { stream, durable, create_stream: mayMake } = this.#settings
    const manager = await jetstreamManager(connection, { checkAPI: false })
    const parts = { tools: this.#tools, serverVersion: connection.info?.version ?? '' }
    try {
      await ensureConsumer(manager, this.#settings, parts)
    } catch (error) {
      if (!mayMake || apiCode(error) !== STREAM_NOT_FOUND) throw error
      await makeStream(manager, this.#settings)
      await ensureConsumer(manager, this.#settings, parts)
    }
    return manager.jetstream().consumers.get(stream, durable)
  }

  /** The server announces refusals beside the point: a pull that is denied would wait for ever. */
  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type !== 'error' || status.error.name !== 'PermissionViolationError') continue
      this.#denied = status.error
      await connection.close()
    }
  }

  async #listen(messages: ConsumerMessages): Promise<void> {
    for await (const message of messages) {
      if (this.#ending) return
      const work = this.#take(message)
      this.#working = work
      await work
    }
  }

  async #lost(connection: NatsConnection): Promise<Ending> {
    if (this.#ending) return { reason: because('link_is_closed') }
    const error = this.#denied ?? (await connection.closed())
    if (error instanceof Error) return endingOf(error, this.#settings, this.#where)
    return { reason: because('broker_closed', { where: this.#where }) }
  }

  async #take(message: JsMsg): Promise<void> {
    const { allow, mapping, keep_source: keepSource, subjects } = this.#settings
    // Not ours: servers before 2.10 send what lies between several subjects too.
    if (!subjects.some((subject) => subjectFits(subject, message.subject))) return message.ack()
    const publishedAt = message.time.getTime()
    const rules = { mapping, keepSource, unwanted: unwantedReason.bind(null, allow) }
    try {
      const stored = await takeMessage({ payload: message.data, publishedAt }, rules, this.#tools)
      if (stored) message.ack()
      else message.term()
      this.#place.note(publishedAt)
    } catch (error) {
      if (!this.#tools.signal.aborted) this.#again(message, error)
    }
  }

  /** It could not be stored: the hub sends it again later, up to `max_deliver` times; others go on meanwhile. */
  #again(message: JsMsg, error: unknown): void {
    const { log, counted, random } = this.#tools
    const tries = message.info.deliveryCount
    log.error({ err: error, tries }, 'a message could not be stored')
    if (tries >= this.#settings.max_deliver) {
      counted({
        bytes: message.data.byteLength,
        refused: because('could_not_be_stored_said', { said: errorText(error) })
      })
    }
    message.nak(backoff(tries - 1, { ...AGAIN, random: () => random() }))
  }
}
