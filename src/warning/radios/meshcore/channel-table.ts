import type { RadioChannel } from '../radio.ts'
import { getChannel } from './commands.ts'
import type { Refusal } from './exchange.ts'
import type { ChannelSlot, Message } from './messages.ts'
import type { Session } from './session.ts'

/** Boards have 40, 8 or 1; asked until the node says there are no more where it does not say how many. */
const MOST_SLOTS = 255
const NOT_FOUND = 2

/** A channel in use, and the slot of this node it stands in today. The secret never leaves the driver. */
export type NamedSlot = ChannelSlot

/** The channels of one node by their exact name. The slots differ from node to node and may change while we are away. */
export class ChannelTable {
  readonly #slots: readonly NamedSlot[]

  constructor(slots: readonly NamedSlot[] = []) {
    this.#slots = slots.filter(({ name }) => name !== '')
  }

  /** Null when no slot has this name, or slots with different keys do: then it is not known which one is meant. */
  find(name: number | string): NamedSlot | null {
    const [first, ...others] = this.#slots.filter((slot) => slot.name === name)
    if (first === undefined) return null
    return others.every(({ secret }) => Buffer.compare(secret, first.secret) === 0) ? first : null
  }

  nameOf(index: number): string | null {
    return this.#slots.find((slot) => slot.index === index)?.name ?? null
  }

  rows(): RadioChannel[] {
    const names = [...new Set(this.#slots.map(({ name }) => name))]
    return names.map((name) => ({ id: name, name, enabled: this.find(name) !== null }))
  }
}

/**
 * True when this slot holds the same channel as when it was read: the node sends on whatever is in it, also on nothing.
 * Rejects as `Session.ask` does.
 */
export async function isStill(slot: NamedSlot, session: Session): Promise<boolean> {
  const now = await readSlot(slot.index, session)
  return now.kind === 'channel' && now.name === slot.name && Buffer.compare(now.secret, slot.secret) === 0
}

function readSlot(index: number, session: Session): Promise<Extract<Message, { kind: 'channel' }> | Refusal> {
  return session.ask({
    name: 'GET_CHANNEL',
    payload: getChannel(index),
    answer: (message: Message) => (message.kind === 'channel' && message.index === index ? message : undefined)
  })
}

/** Reads every slot. Rejects as `Session.ask` does. */
export async function readChannelTable(session: Session): Promise<ChannelTable> {
  const slots: NamedSlot[] = []
  const count = session.node.maxChannels ?? MOST_SLOTS
  for (let index = 0; index < count; index++) {
    const answer = await readSlot(index, session)
    if (answer.kind === 'channel') slots.push(answer)
    else if (answer.kind === 'disabled' || answer.code === NOT_FOUND) break
  }
  return new ChannelTable(slots)
}
