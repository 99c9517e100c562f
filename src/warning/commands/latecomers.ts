import type { LookoutEvent } from '../../model/event.ts'
import { severityRank } from '../../model/severity.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { budgetFor } from '../messages/budget.ts'
import { spokenOn } from '../messages/spoken-on.ts'
import type { NewText } from '../outbox/delivery.ts'
import type { StoredEvent } from '../outbox/stored-event.ts'
import type { InboundText, MeshNode, Radio } from '../radios/radio.ts'
import { MOST_IN_FORCE } from '../readiness/all-clear.ts'
import { isSentBy, regionsOnChannel } from '../routing/on-channel.ts'
import type { WarningConfig } from '../settings.ts'
import type { CommandContext } from './ask.ts'
import { catchupTexts } from './catchup.ts'

const LOOK_MS = 60_000
const HOUR_MS = 3_600_000
/** After a start a radio lists the nodes it knows: nobody has come back then. */
const SETTLE_MS = 10 * 60_000
/** A node that was heard longer ago than this may be gone again. */
const FRESH_MS = 5 * 60_000
/** Nodes that are told in an hour; a mesh that comes back whole asks for what it misses. */
const MOST_AN_HOUR = 4
const WORTH_MS = 5 * 60_000
/** Nodes whose channel is remembered: those that wrote last. */
const MOST_WRITERS = 250

export interface LatecomersOptions {
  config: () => WarningConfig
  clock: Clock
  radios: readonly Radio[]
  context: Pick<CommandContext, 'ledger' | 'insideOf'>
  /** See `RemindersOptions`. */
  hasRoom: (network: 'mt' | 'mc') => boolean
  reply: (text: NewText) => void
  transaction: (work: () => void) => void
  wake: () => void
  onError: (error: unknown) => void
}

/**
 * A catch-up that nobody asked for (docs/commands.md): a node that is heard again after hours, or for the first time, is told what is in
 * force where it is, by direct texts from the budget of answers, while nothing else waits. On MeshCore a node is heard by its advert, and
 * must be a contact of ours for a direct text to reach it.
 */
export class Latecomers {
  readonly #o: LatecomersOptions
  readonly #heard = new Map<string, number>()
  readonly #told: number[] = []
  /** The channel that a Meshtastic node wrote on last; a name on MeshCore is nobody's. */
  readonly #wroteOn = new Map<string, string>()
  #startedAt = 0
  #cancel: () => void = () => undefined

  constructor(options: LatecomersOptions) {
    this.#o = options
  }

  start(): void {
    this.#startedAt = this.#o.clock.now()
    this.#again()
  }

  stop(): void {
    this.#cancel()
  }

  /** A node wrote on a channel: that is where it listens. */
  wrote(network: 'mt' | 'mc', { from, channel }: Pick<InboundText, 'from' | 'channel'>): void {
    if (network !== 'mt' || from === '' || channel === null) return
    this.#wroteOn.delete(from)
    this.#wroteOn.set(from, String(channel))
    const [oldest] = this.#wroteOn.keys()
    if (this.#wroteOn.size > MOST_WRITERS && oldest !== undefined) this.#wroteOn.delete(oldest)
  }

  #again(): void {
    this.#cancel = this.#o.clock.after(LOOK_MS, () => {
      try {
        this.#look()
      } catch (error) {
        this.#o.onError(error)
      }
      this.#again()
    })
  }

  #look(): void {
    const { config, clock, radios } = this.#o
    const hours = config().commands.catchup_unasked_hours
    const now = clock.now()
    for (const { radio, node } of heardLast(radios)) {
      if (hours > 0 && this.#isBack(node, hours, now) && !this.#tell(radio, node, now)) continue
      if (node.lastHeardAt !== null) this.#heard.set(node.id, node.lastHeardAt)
    }
  }

  #isBack({ id, lastHeardAt }: MeshNode, hours: number, now: number): boolean {
    // An advert has the time of its sender, who may be ahead.
    if (lastHeardAt === null || now - this.#startedAt < SETTLE_MS || Math.abs(now - lastHeardAt) > FRESH_MS)
      return false
    const before = this.#heard.get(id)
    return before === undefined || lastHeardAt - before >= hours * HOUR_MS
  }

  /** Answers false while it has to wait: it is asked again within the minute, as long as the node was heard just now. */
  #tell(radio: Radio, node: MeshNode, now: number): boolean {
    const { config, context, hasRoom, reply, transaction, wake } = this.#o
    while ((this.#told[0] ?? now) < now - HOUR_MS) this.#told.shift()
    const { network, nodeName } = radio.description
    const found = this.#concerning(node, network, now)
    if (found.length === 0) return true
    if (this.#told.length >= MOST_AN_HOUR || !hasRoom(network)) return false
    // No name of ours stands before a direct text of MeshCore.
    const { messages } = config()
    const limitBytes = network === 'mc' ? messages.mc_bytes : budgetFor(network, messages, nodeName)
    const spoken = spokenOn(config(), { transport: network, channel: node.id, direct: true })
    const texts = catchupTexts(found, { now, config: config(), limitBytes, spoken }, context)
    this.#told.push(now)
    transaction(() => {
      for (const [index, text] of texts.entries()) {
        const key = `latecomer ${node.id} ${now}/${index + 1}`
        reply({
          kind: 'reply',
          transport: network,
          channel: node.id,
          direct: true,
          text,
          key,
          expiresAt: now + WORTH_MS
        })
      }
    })
    wake()
    return true
  }

  /**
   * Alerts in force at its place, where it told one and the alert has an area; else those that the matrix sends to the channel it wrote on,
   * else to any channel of its network.
   */
  #concerning({ id, position = null }: MeshNode, network: 'mt' | 'mc', now: number): StoredEvent[] {
    const { ledger, insideOf } = this.#o.context
    const isSentTo = position === null ? this.#isSentTo(id, network) : null
    return ledger.active(now, MOST_IN_FORCE).filter(({ event }) => {
      if (severityRank(event.severity) < severityRank('priority') || event.regions.length === 0) return false
      if (position === null) return isSentTo === null || isSentTo(event)
      return insideOf(event)?.covers(position.lat, position.lon) ?? true
    })
  }

  /** Null while the matrix is off or has no channel of this network: nobody knows what is whose then. */
  #isSentTo(id: string, network: 'mt' | 'mc'): ((event: LookoutEvent) => boolean) | null {
    const { region_routes: routes } = this.#o.config().notifications
    const channel = this.#wroteOn.get(id)
    const own = channel === undefined ? null : regionsOnChannel({ transport: network, channel }, routes)
    return own === null ? isSentBy(network, routes) : (event) => own(event).length > 0
  }
}

interface Heard {
  radio: Radio
  node: MeshNode
}

/** Each node once, by the radio that heard it last: another may not have heard it for hours, though nobody was away. On MeshCore people alone. */
function heardLast(radios: readonly Radio[]): Iterable<Heard> {
  const byId = new Map<string, Heard>()
  for (const radio of radios) {
    const isMc = radio.description.network === 'mc'
    for (const node of radio.details?.().nodes ?? []) {
      if (isMc && node.isPerson !== true) continue
      const known = byId.get(node.id)
      if (known === undefined || (known.node.lastHeardAt ?? 0) < (node.lastHeardAt ?? 0))
        byId.set(node.id, { radio, node })
    }
  }
  return byId.values()
}
