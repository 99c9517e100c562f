import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt'
import { because, type Reason } from '../../../model/reason.ts'
import { settledWithin } from '../../../platform/clock/within.ts'
import { errorText } from '../../../platform/errors.ts'
import { exportsOf } from '../../../platform/process/exports-of.ts'
import type { Connection, Ending } from '../brokers/keep-connected.ts'
import { readSettingFile } from '../brokers/read-file.ts'
import { networkReason } from '../brokers/reasons.ts'
import { textsOf } from '../reading/json.ts'
import type { PushTools } from '../source.ts'
import type { MqttInbox } from './inbox.ts'
import { refusedReason, refusesVersion } from './reasons.ts'
import type { MqttSettings } from './settings.ts'

/** The state that outlasts a connection. */
export interface MqttState {
  /** 4 is MQTT 3.1.1, for brokers that do not know 5. */
  version: 4 | 5
}

const KEEPALIVE_SECONDS = 30
const CONNECT_MS = 20_000
/** A message at hand gets so long to be stored when the source is closed. */
const FINISH_MS = 800
/** The broker sends so many messages before it waits for an acknowledgement. */
const IN_FLIGHT = 20
/** Longer packets do not even come (MQTT 5): what is refused for its length is shorter. Bytes. */
const MAX_PACKET = 1024 * 1024
const DENIED_WAIT_MS = 60_000
const FILTERS_KEY = 'mqtt:filters'

/** One connection to an MQTT broker. A message is acknowledged once it is stored; one that is not comes again. */
export class MqttConnection implements Connection {
  readonly #settings: MqttSettings
  readonly #tools: PushTools
  readonly #inbox: MqttInbox
  readonly #state: MqttState
  readonly #where: string
  #client: MqttClient | null = null
  #socket: Socket | null = null
  #working: Promise<unknown> = Promise.resolve()
  #ending = false
  #ended: Ending | null = null

  constructor(settings: MqttSettings, tools: PushTools, parts: { inbox: MqttInbox; state: MqttState }) {
    this.#settings = settings
    this.#tools = tools
    this.#inbox = parts.inbox
    this.#state = parts.state
    this.#where = new URL(settings.url).host
  }

  async run(ready: (complaint: Reason | null) => void): Promise<Ending> {
    const ca = await this.#certificates()
    const { MqttClient } = exportsOf(await import('mqtt'))
    if (this.#ending) return { reason: because('link_is_closed') }
    const client = new MqttClient(() => this.#open(ca), this.#options())
    this.#client = client
    let answered = false
    client.handleMessage = (packet, done) => this.#take(packet, done)
    client.on('connect', () => {
      answered = true
      void this.#subscribe(client, ready)
    })
    client.on('error', (error) => {
      if ('code' in error && typeof error.code === 'number') {
        answered = true
        this.#refused(error.code)
      } else this.#ended ??= { reason: this.#reasonOf(error) }
    })
    client.on('disconnect', ({ reasonCode = 0 }) => this.#refused(reasonCode))
    await new Promise<void>((resolve) => client.once('close', resolve))
    this.#socket?.destroy()
    // Some brokers of the old version do not say a word to the new one.
    if (!answered && this.#ended === null) this.#state.version = this.#state.version === 5 ? 4 : 5
    return this.#ended ?? { reason: this.#maybeTwin(client) }
  }

  async end(): Promise<void> {
    this.#ending = true
    await settledWithin(this.#working, FINISH_MS, this.#tools.clock)
    const client = this.#client
    if (client?.connected) {
      // A DISCONNECT tells the broker that nothing is wrong; it keeps the session all the same.
      const sent = new Promise<void>((resolve) => client.end(false, () => resolve()))
      await settledWithin(sent, 200, this.#tools.clock)
    }
    this.#socket?.destroy()
  }

  async #certificates(): Promise<Buffer | undefined> {
    const { ca_file: path } = this.#settings
    return path === undefined ? undefined : Buffer.from(await readSettingFile('ca_file', path, this.#tools.dataFolder))
  }

  #open(ca: Buffer | undefined): Socket {
    const { protocol, hostname, port } = new URL(this.#settings.url)
    const host = hostname.replace(/^\[|\]$/g, '')
    const isTls = protocol === 'mqtts:'
    const address = { host, port: Number(port) || (isTls ? 8883 : 1883) }
    this.#socket = isTls
      ? connectTls({ ...address, ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }), ...(ca && { ca }) })
      : connectTcp(address)
    return this.#socket
  }

  #options(): IClientOptions {
    const { username, password, session_hours: hours } = this.#settings
    const { version } = this.#state
    const properties = {
      sessionExpiryInterval: Math.round(hours * 3600),
      receiveMaximum: IN_FLIGHT,
      maximumPacketSize: MAX_PACKET
    }
    return {
      clientId: clientIdOf(this.#settings, this.#tools),
      clean: false,
      protocolId: 'MQTT',
      protocolVersion: version,
      keepalive: KEEPALIVE_SECONDS,
      connectTimeout: CONNECT_MS,
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
      timerVariant: 'native',
      // It would hold all numbers of 16 bits ready for writing: 16 MB for one acknowledgement a message.
      writeCache: false,
      ...(username === '' ? {} : { username }),
      ...(password === '' ? {} : { password }),
      ...(version === 5 ? { properties } : {})
    }
  }

  /** Messages come one by one; the next waits in the socket until this one is dealt with. */
  #take(packet: IPublishPacket, done: (error?: Error) => void): void {
    if (this.#ending || this.#ended !== null) return
    this.#working = this.#inbox.take(packet).then(
      (taken) => (taken ? done() : done(new Error('left without an acknowledgement'))),
      (error: unknown) => {
        this.#end({ reason: because('asked_to_send_again', { said: errorText(error) }) })
      }
    )
  }

  /** Subscribes to what the settings name, and no more to what they named before. */
  async #subscribe(client: MqttClient, ready: (complaint: Reason | null) => void): Promise<void> {
    const filters = this.#settings.topics.map(({ filter }) => filter)
    const before = this.#tools.memory.get(FILTERS_KEY)
    const stale = textsOf(before).filter((filter) => !filters.includes(filter))
    if (stale.length > 0) client.unsubscribe(stale)
    const answers = await Promise.allSettled(filters.map((filter) => client.subscribeAsync(filter, { qos: 1 })))
    if (!client.connected) return
    this.#tools.memory.set(FILTERS_KEY, filters)
    const denied = filters.filter((_, index) => answers[index]?.status === 'rejected')
    const complaint = because('may_not_read', { where: this.#where, topics: denied })
    if (denied.length === filters.length) this.#end({ reason: complaint, wait: DENIED_WAIT_MS })
    else ready(denied.length === 0 ? null : complaint)
  }

  #refused(code: number): void {
    if (this.#state.version === 5 && refusesVersion(code)) {
      this.#state.version = 4
      this.#ended ??= { reason: because('mqtt_no_version_5', { where: this.#where }), wait: 0 }
    } else this.#ended ??= { reason: refusedReason(this.#where, code) }
  }

  /** Many brokers do not say so when they give a session to another client (code 142). */
  #maybeTwin({ options: { clientId = '' } }: MqttClient): Reason {
    return because('broker_closed_twin', { where: this.#where, client: clientId })
  }

  #reasonOf(error: Error): Reason {
    if (error.message === 'connack timeout') {
      return because('no_mqtt_answer', { where: this.#where })
    }
    return networkReason(this.#where, error)
  }

  #end(ending: Ending): void {
    this.#ended ??= ending
    this.#socket?.destroy()
  }
}

/** As set, else made of the names of station and source. */
export function clientIdOf({ client_id: set }: MqttSettings, { source, station }: PushTools): string {
  if (set !== undefined) return set
  const name = station()
    .name.toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `lookout-${name === '' ? 'station' : name.slice(0, 60)}-${source}`
}
