import type { Config } from '../config/schema.ts'
import { budgetFor, cutToBytes } from '../messages/budget.ts'
import { sanitise } from '../messages/sanitise.ts'
import type { NewReply } from '../outbox/delivery.ts'
import type { InboundText, RadioDescription } from '../radios/radio.ts'
import { ack } from './ack.ts'
import { alerts } from './alerts.ts'
import { type Answer, type Desk, type Sender, timeText } from './ask.ts'
import { help } from './help.ts'
import type { CommandJournal, CommandOutcome } from './journal.ts'
import { type Command, type CommandName, parseCommand } from './parse.ts'
import { senderOf } from './sender.ts'
import { silence } from './silence.ts'
import { status } from './status.ts'
import { why } from './why.ts'

const ANSWERS: Readonly<Record<CommandName, Answer>> = { help, alerts, status, ack, silence, why }

const WINDOW_MS = 10 * 60_000
/** Commands answered in 10 minutes: of one node (or one channel without identities), and of all together. */
const LIMIT_EACH = 6
const LIMIT_ALL = 30
/** An answer that comes later than this answers nothing any more. */
const REPLY_MS = 5 * 60_000

export interface CommandDeskOptions {
  config: () => Config
  now: () => number
  journal: CommandJournal
  desk: Desk
  reply: (reply: NewReply) => void
  /** Runs `work` in one durable transaction. */
  transaction: (work: () => void) => void
}

/** Answers what people ask over the radio. Rights come from node ids and keys alone; a name proves nothing. */
export class CommandDesk {
  readonly #o: CommandDeskOptions

  constructor(options: CommandDeskOptions) {
    this.#o = options
  }

  /** Takes one text from the mesh and answers whether it was a command of ours; anything else is none of our business. */
  receive(radio: Pick<RadioDescription, 'network' | 'nodeName'>, text: InboundText): boolean {
    const { commands } = this.#o.config()
    const command = parseCommand(text.text)
    if (command === null || !commands.enabled || (!text.direct && !commands.allow_channels)) return false
    // Our own texts come back by repeaters; nothing is ever sent because of them.
    if (text.from === '' && text.fromName === radio.nodeName) return false
    const sender = senderOf(radio.network, text, commands.admins)
    if (sender === null || this.#o.journal.has(text.key)) return false
    this.#o.transaction(() => this.#take(command, { radio, text, sender }))
    return true
  }

  #take(command: Command, from: From): void {
    const { journal, now } = this.#o
    const outcome = from.text.late ? 'late' : this.#judge(from.sender)
    journal.add({ key: from.text.key, sender: from.sender.id, command: command.name, outcome, at: now() })
    if (outcome === 'answered') this.#reply(from, (limitBytes) => this.#answer(command, from.sender, limitBytes))
    if (outcome === 'notice') this.#reply(from, () => this.#tooMany())
  }

  /** An admin's direct message is always answered while it stays within the admin's own limit: others cannot use it up. */
  #judge({ id, admin, direct }: Sender): CommandOutcome {
    const { journal, now } = this.#o
    // Nothing of the future: it would lock people out for as long as the clock was set back.
    const span = { since: now() - WINDOW_MS, until: now() }
    const overEach = journal.count('answered', span, id) >= LIMIT_EACH
    const overAll = journal.count('answered', span, null) >= LIMIT_ALL && !(admin && direct)
    if (!overEach && !overAll) return 'answered'
    const noticed = journal.count('notice', span, overEach ? id : null) > 0
    return noticed ? 'ignored' : 'notice'
  }

  #answer({ name, words }: Command, sender: Sender, limitBytes: number): string {
    const { config, now, desk } = this.#o
    return ANSWERS[name]({ words, sender, limitBytes, now: now(), config: config() }, desk)
  }

  #tooMany(): string {
    const again = timeText(this.#o.now() + WINDOW_MS, { config: this.#o.config() })
    return `Too many commands: ${LIMIT_EACH} in 10 minutes. Ask again at ${again}.`
  }

  #reply({ radio, text, sender }: From, write: (limitBytes: number) => string): void {
    const { messages } = this.#o.config()
    const toNode = sender.known
    // The firmware puts the node name before texts on a channel, not before direct ones.
    const limitBytes =
      toNode && radio.network === 'mc' ? messages.mc_bytes : budgetFor(radio.network, messages, radio.nodeName)
    this.#o.reply({
      transport: radio.network,
      channel: toNode ? text.from : (text.channel ?? ''),
      direct: toNode,
      text: cutToBytes(sanitise(write(limitBytes)), limitBytes).trimEnd(),
      key: text.key,
      expiresAt: this.#o.now() + REPLY_MS
    })
  }
}

interface From {
  radio: Pick<RadioDescription, 'network' | 'nodeName'>
  text: InboundText
  sender: Sender
}
