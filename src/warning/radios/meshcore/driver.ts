import { because } from '../../../model/reason.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { Listeners } from '../../../platform/listeners.ts'
import type { Link, LinkSource } from '../link/link.ts'
import type {
  InboundText,
  OtherAirtime,
  Radio,
  RadioChannel,
  RadioDescription,
  RadioDetails,
  RadioHealth,
  RadioMessage,
  RadioTime,
  Receipt,
  SendOutcome
} from '../radio.ts'
import { type Session as Conversation, type RadioLog, RadioSupervisor } from '../supervisor.ts'
import { mcChannelAirtimeMs, mcDirectAirtimeMs } from '../time-on-air.ts'
import { Adverts } from './adverts.ts'
import { ChannelTable, isStill, type NamedSlot, readChannelTable } from './channel-table.ts'
import { ChannelTexts } from './channel-texts.ts'
import { floodScopeKey, setFloodScope } from './commands.ts'
import { ContactStore } from './contacts.ts'
import { DirectTexts } from './direct-texts.ts'
import { refused } from './hand-over.ts'
import { Inbox } from './inbox.ts'
import type { Contact, Message } from './messages.ts'
import { ASSUMED_MODEM, modemOf } from './node-settings.ts'
import { Session } from './session.ts'
import { Timers } from './timers.ts'
import { Vitals } from './vitals.ts'

/** A push about a waiting text may be lost: WiFi companions hold four frames. */
const TEXTS_EVERY_MS = 30_000
/** A channel added by a phone app while we are connected. */
const CHANNELS_EVERY_MS = 10 * 60_000

const MAX_TEXT_BYTES = 160
/** Firmware before 1.16 (protocol 13) delivers no more of a direct text to its app. */
const MAX_OLD_DIRECT_BYTES = 156
const LONG_DIRECT_PROTOCOL = 13
const FLOOD_SCOPE_PROTOCOL = 8
/** Two transport codes of two bytes. */
const SCOPE_BYTES = 4

export interface MeshCoreOptions {
  id: string
  source: LinkSource
  clock: Clock
  /** Name of the region floods stay in; without it the node's own setting holds. */
  floodScope?: string
  /** Spreads the waiting times: 0…1. */
  random?: () => number
  log?: RadioLog
}

/**
 * A MeshCore companion radio. Channels are found by their exact name at every connection; an OK means accepted and is waited on until
 * the node's queue is empty. The node's name and modem settings are read from it, into the same `description`.
 */
export class MeshCoreRadio implements Radio {
  readonly description: RadioDescription
  readonly #clock: Clock
  readonly #log: RadioLog | undefined
  readonly #supervisor: RadioSupervisor
  readonly #timers: Timers
  readonly #channelTexts: ChannelTexts
  readonly #directTexts: DirectTexts
  readonly #adverts: Adverts
  readonly #inbox: Inbox
  readonly #contacts = new ContactStore()
  readonly #vitals: Vitals
  readonly #receiptListeners = new Listeners<[Receipt]>()
  readonly #textListeners = new Listeners<[InboundText]>()
  readonly #airtimeListeners = new Listeners<[OtherAirtime]>()
  #session: Session | null = null
  #table = new ChannelTable()
  /** Told of every answer while a text is handed over. */
  #working: () => void = () => undefined
  #channelsAt = Number.NEGATIVE_INFINITY

  readonly #floodScope: string | null

  constructor({ id, source, clock, floodScope, random = Math.random, log }: MeshCoreOptions) {
    this.#floodScope = floodScope ?? null
    const kind = source.kind === 'serial' ? 'serial' : 'tcp'
    this.description = { id, network: 'mc', link: kind, simulated: false, nodeName: '', modem: ASSUMED_MODEM }
    this.#clock = clock
    this.#log = log
    this.#timers = new Timers(clock)
    const now = (): number => clock.now()
    const shared = { timers: this.#timers, now, report: (receipt: Omit<Receipt, 'at'>) => this.#report(receipt) }
    this.#channelTexts = new ChannelTexts(shared)
    this.#directTexts = new DirectTexts({ ...shared, attempted: (ms) => this.#spent('attempt', ms) })
    this.#vitals = new Vitals(now)
    const advertised = (ms: number): void => this.#spent('advert', ms)
    this.#adverts = new Adverts({ now, description: this.description, spent: advertised })
    const deliver = (text: InboundText): void => {
      this.#textListeners.tell(text)
    }
    this.#inbox = new Inbox({ table: () => this.#table, contacts: this.#contacts, now, deliver })
    const session = (link: Link): Conversation => this.#conversation(link)
    this.#supervisor = new RadioSupervisor({
      id,
      source,
      clock,
      random,
      session,
      ...(log === undefined ? {} : { log })
    })
  }

  connect(): Promise<void> {
    return this.#supervisor.open()
  }

  health(): RadioHealth {
    return this.#supervisor.health
  }

  session(): string {
    return this.#supervisor.conversation
  }

  channels(): readonly RadioChannel[] {
    return this.#table.rows()
  }

  /** Companions take the time from those they are paired with alone, never from the mesh. */
  time(): RadioTime | null {
    const said = this.#session?.timeTold ?? null
    return said === null ? null : { ...said, proven: true }
  }

  details(): RadioDetails {
    return this.#vitals.details(this.#session?.node.firmware ?? null, this.#contacts.all)
  }

  async send(message: RadioMessage, working: () => void = () => undefined): Promise<SendOutcome> {
    const timestamp = timestampOf(message)
    this.#working = working
    const session = this.#session
    if (session === null) {
      const { state } = this.health()
      return refused('NOT_CONNECTED', true, because('not_connected', { radio: this.description.id, state }))
    }
    try {
      if (message.to !== undefined) return await this.#sendDirect(session, message, { to: message.to, timestamp })
      return await this.#sendToChannel(session, message, timestamp)
    } catch (error) {
      // Reading the tables failed: the text itself is handed over by code that does not throw.
      if (!(error instanceof AppError)) throw error
      return refused('NOT_CONNECTED', true, because('not_handed_over', { why: error.reason }))
    }
  }

  onReceipt(listener: (receipt: Receipt) => void): () => void {
    return this.#receiptListeners.add(listener)
  }

  onChange(listener: () => void): () => void {
    return this.#supervisor.onChange(listener)
  }

  onText(listener: (text: InboundText) => void): () => void {
    return this.#textListeners.add(listener)
  }

  async readChannels(): Promise<void> {
    const session = this.#session
    if (session === null) return
    try {
      await this.#readChannels(session)
    } catch (error) {
      // The table stays what it was; a lost link is told by the health.
      if (!(error instanceof AppError)) throw error
    }
  }

  onOtherAirtime(listener: (spent: OtherAirtime) => void): () => void {
    return this.#airtimeListeners.add(listener)
  }

  recall({ advertAt }: { advertAt: number | null }): void {
    this.#adverts.recall(advertAt)
  }

  async close(): Promise<void> {
    this.#timers.close()
    await this.#supervisor.close()
    this.#airtimeListeners.clear()
    this.#receiptListeners.clear()
    this.#textListeners.clear()
  }

  async #sendToChannel(session: Session, message: RadioMessage, timestamp: number): Promise<SendOutcome> {
    const { nodeName, modem } = this.description
    const known = this.#table.find(message.channel)
    const slot =
      known !== null && (await isStill(known, session)) ? known : await this.#slotReadAgain(message.channel, session)
    if (slot === null) {
      return refused('NO_CHANNEL', false, because('no_mc_channel', { channel: String(message.channel) }))
    }
    const onAir = `${nodeName}: ${message.text}`
    const bytes = Buffer.byteLength(onAir)
    if (bytes > MAX_TEXT_BYTES) {
      return refused('TOO_LARGE', false, because('too_large_with_name', { bytes, limit: MAX_TEXT_BYTES }))
    }
    this.#inbox.expectOwn(slot.name, timestamp, onAir)
    const airtimeMs = mcChannelAirtimeMs(bytes, modem)
    return await this.#channelTexts.send(session, { slot, timestamp, message, onAir, airtimeMs })
  }

  /** A name the table lacks may have been set up meanwhile, or has moved: the table is read again. */
  async #slotReadAgain(name: number | string, session: Session): Promise<NamedSlot | null> {
    if (typeof name !== 'string' || name === '') return null
    await this.#readChannels(session)
    return this.#table.find(name)
  }

  async #sendDirect(
    session: Session,
    message: RadioMessage,
    { to, timestamp }: { to: string; timestamp: number }
  ): Promise<SendOutcome> {
    const limit = session.node.version >= LONG_DIRECT_PROTOCOL ? MAX_TEXT_BYTES : MAX_OLD_DIRECT_BYTES
    const bytes = Buffer.byteLength(message.text)
    if (bytes > limit) return refused('TOO_LARGE', false, because('direct_too_large', { bytes, limit }))
    const [contact, second]: readonly Contact[] = await this.#contacts.addressed(to, session)
    if (contact === undefined) return refused('UNKNOWN_CONTACT', false, because('no_contact', { contact: to }))
    if (second !== undefined) {
      return refused('AMBIGUOUS_CONTACT', false, because('several_contacts', { contact: to }))
    }
    const airtimeMs = mcDirectAirtimeMs(bytes, this.description.modem)
    return await this.#directTexts.send(session, { contact, timestamp, message, airtimeMs })
  }

  /** One connection as the supervisor sees it. */
  #conversation(link: Link): Conversation {
    const session: Session = new Session(link, {
      clock: this.#clock,
      framesOnly: this.description.link === 'tcp',
      onPush: (push) => this.#pushed(session, push),
      onAnswer: () => this.#working(),
      onDead: (reason) => this.#supervisor.fail(reason)
    })
    return {
      start: async () => {
        await this.#start(session)
        return null
      },
      probe: () => this.#probe(session),
      end: (reason) => {
        if (this.#session === session) this.#session = null
        session.end(reason)
      }
    }
  }

  async #start(session: Session): Promise<void> {
    await session.handshake()
    const { self } = session.node
    Object.assign(this.description, { nodeName: self.name, modem: modemOf(self) })
    await this.#readChannels(session)
    await this.#scopeFloods(session)
    await session.unlessOverdue(() => this.#adverts.whenDue(session))
    if (session.ended) return
    // From here on a text that is pushed can be told its channel's name.
    this.#session = session
    await session.unlessOverdue(() => this.#inbox.fetch(session, true))
    await session.unlessOverdue(() => this.#vitals.read(session))
    await session.unlessOverdue(() => this.#contacts.read(session))
    void this.#keepHouse(session)
  }

  /** A node forgets the scope when it restarts: it is set at every connection, before anything is sent. */
  async #scopeFloods(session: Session): Promise<void> {
    if (this.#floodScope === null) return
    const { id } = this.description
    if (session.node.version < FLOOD_SCOPE_PROTOCOL) {
      this.#log?.warn(
        { radio: id, scope: this.#floodScope },
        'the firmware is too old for a flood scope: floods go everywhere'
      )
      return
    }
    const answer = (m: Message): true | undefined => (m.kind === 'ok' ? true : undefined)
    await session.ask({ name: 'SET_FLOOD_SCOPE', payload: setFloodScope(floodScopeKey(this.#floodScope)), answer })
    Object.assign(this.description, { modem: { ...this.description.modem, extraBytes: SCOPE_BYTES } })
  }

  /** One overdue answer is no death: the exchange counts them, and readings are not all there is to answer. */
  async #probe(session: Session): Promise<void> {
    for (;;) {
      try {
        return await session.unlessOverdue(() => this.#vitals.read(session))
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'timeout') throw error
      }
    }
  }

  /** Does what is due from time to time, until the session ends. */
  async #keepHouse(session: Session): Promise<void> {
    while (!session.ended) {
      try {
        await session.pause(TEXTS_EVERY_MS)
        await this.#inbox.fetch(session)
        if (this.#clock.now() - this.#channelsAt >= CHANNELS_EVERY_MS) await this.#readChannels(session)
        await this.#adverts.whenDue(session)
      } catch (error) {
        // An overdue answer is tried again in the next round, and a lost link ends the loop. The rest is a listener's fault.
        if (!(error instanceof AppError)) this.#complain(error)
      }
    }
  }

  async #readChannels(session: Session): Promise<void> {
    const before = JSON.stringify(this.#table.rows())
    this.#table = await readChannelTable(session)
    this.#channelsAt = this.#clock.now()
    if (JSON.stringify(this.#table.rows()) !== before) this.#supervisor.changed()
  }

  #pushed(session: Session, push: Message): void {
    if (push.kind === 'confirmed') this.#directTexts.confirmed(push.ackTag)
    else if (push.kind === 'heard') this.#channelTexts.heard(push.packet)
    else if (push.kind === 'advert') this.#vitals.advert(push.key)
    else if (push.kind === 'text-waiting' && this.#session === session) {
      this.#inbox.fetch(session).catch((error: unknown) => {
        // The next round fetches what an overdue answer leaves behind.
        if (!(error instanceof AppError)) this.#complain(error)
      })
    }
  }

  #spent(kind: OtherAirtime['kind'], ms: number): void {
    this.#airtimeListeners.tell({ kind, ms, at: this.#clock.now() })
  }

  #complain(error: unknown): void {
    this.#log?.warn({ err: error, radio: this.description.id }, 'a text from the mesh could not be handled')
  }

  #report(receipt: Omit<Receipt, 'at'>): void {
    const told: Receipt = { ...receipt, at: this.#clock.now() }
    this.#receiptListeners.tell(told)
  }
}

function timestampOf({ identity: { senderTimestamp } }: RadioMessage): number {
  if (senderTimestamp === undefined || !Number.isInteger(senderTimestamp)) {
    throw new TypeError(`an MC sender timestamp is whole epoch seconds, not ${senderTimestamp}`)
  }
  if (senderTimestamp <= 0 || senderTimestamp > 0xffff_ffff) {
    throw new TypeError(`an MC sender timestamp is whole epoch seconds in 32 bits, not ${senderTimestamp}`)
  }
  return senderTimestamp
}
