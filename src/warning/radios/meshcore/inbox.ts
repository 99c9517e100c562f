import { AppError } from '../../../platform/errors.ts'
import type { InboundText } from '../radio.ts'
import type { ChannelTable } from './channel-table.ts'
import { nextText } from './commands.ts'
import type { ContactStore } from './contacts.ts'
import type { Message, WaitingText } from './messages.ts'
import type { Session } from './session.ts'

const PLAIN = 0
const SIGNED = 2
/** Repeats come within minutes; the firmware itself remembers 160 packets. */
const REMEMBERED = 512

export interface InboxOptions {
  table: () => ChannelTable
  contacts: ContactStore
  now: () => number
  deliver: (text: InboundText) => void
}

/** Fetches the texts that wait in the node, drops repeats and what belongs to no channel of ours, and hands the rest on. */
export class Inbox {
  readonly #o: InboxOptions
  readonly #seen = new Set<string>()
  #fetching: Promise<void> | null = null
  #again = false

  constructor(options: InboxOptions) {
    this.#o = options
  }

  /** A text of our own: should it come back, it is not news. `text` begins with our name, as it is on the air. */
  expectOwn(channel: string, timestamp: number, text: string): void {
    this.#remember(channelKey(channel, timestamp, text))
  }

  /** Fetches until nothing waits any more. Rejects as `Session.ask` does. `late`: they waited while nobody was connected. */
  fetch(session: Session, late = false): Promise<void> {
    this.#again = true
    this.#fetching ??= this.#fetchAll(session, late).finally(() => {
      this.#fetching = null
    })
    return this.#fetching
  }

  async #fetchAll(session: Session, late: boolean): Promise<void> {
    while (this.#again) {
      this.#again = false
      for (;;) {
        const answer = await session.ask({ name: 'SYNC_NEXT_MESSAGE', payload: nextText(), answer: waitingText })
        if (answer.kind !== 'text') break
        await this.#take(answer, session, late)
      }
    }
  }

  async #take(waiting: WaitingText, session: Session, late: boolean): Promise<void> {
    if (waiting.type !== PLAIN && waiting.type !== SIGNED) return
    const text =
      waiting.keyPrefix === null ? this.#fromChannel(waiting) : await this.#direct(waiting, waiting.keyPrefix, session)
    if (text === null || this.#seen.has(text.key)) return
    this.#remember(text.key)
    this.#o.deliver({ ...text, late, at: this.#o.now() })
  }

  /** The node also shows texts of a channel without a name: an unused slot, whose key everybody knows. */
  #fromChannel({ slot, timestamp, text }: WaitingText): Omit<InboundText, 'late' | 'at'> | null {
    const channel = slot === null ? null : this.#o.table().nameOf(slot)
    if (channel === null) return null
    const [, fromName = '', body = text] = /^([^:]{1,32}): ([\s\S]*)$/.exec(text) ?? []
    return {
      from: '',
      fromName,
      direct: false,
      proven: false,
      publicKey: null,
      channel,
      text: body,
      key: channelKey(channel, timestamp, text)
    }
  }

  async #direct(
    { timestamp, text }: WaitingText,
    from: string,
    session: Session
  ): Promise<Omit<InboundText, 'late' | 'at'>> {
    const key = `mc|${JSON.stringify(['direct', from, timestamp, text])}`
    const fromName = this.#seen.has(key) ? '' : await this.#nameOf(from, session)
    return { from, fromName, direct: true, proven: true, publicKey: null, channel: null, text, key }
  }

  /** A text is handed on also when the name of its sender cannot be read now. */
  async #nameOf(keyPrefix: string, session: Session): Promise<string> {
    try {
      return (await this.#o.contacts.withPrefix(keyPrefix, session))?.name ?? ''
    } catch (error) {
      if (error instanceof AppError) return ''
      throw error
    }
  }

  #remember(key: string): void {
    this.#seen.add(key)
    if (this.#seen.size <= REMEMBERED) return
    const oldest = this.#seen.values().next()
    if (!oldest.done) this.#seen.delete(oldest.value)
  }
}

function waitingText(message: Message): Extract<Message, { kind: 'text' | 'no-more-texts' }> | undefined {
  return message.kind === 'text' || message.kind === 'no-more-texts' ? message : undefined
}

function channelKey(channel: string, timestamp: number, text: string): string {
  return `mc|${JSON.stringify(['channel', channel, timestamp, text])}`
}
