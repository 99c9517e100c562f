import type { Spoken } from '../../model/air-languages.ts'
import { because } from '../../model/reason.ts'
import { type Clock, systemClock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { budgetFor } from '../messages/budget.ts'
import { REPLIES } from '../messages/catalogue/replies.ts'
import { putAll } from '../messages/catalogue/words.ts'
import { foldText } from '../messages/fold.ts'
import { withinBytes } from '../messages/replying.ts'
import { sanitise } from '../messages/sanitise.ts'
import { spokenOn } from '../messages/spoken-on.ts'
import type { CommandOutcome } from '../outbox/comms-log.ts'
import type { NewText } from '../outbox/delivery.ts'
import type { PinnedKeys } from '../outbox/pinned-keys.ts'
import type { InboundText, RadioDescription } from '../radios/radio.ts'
import type { WarningConfig } from '../settings.ts'
import { ack } from './ack.ts'
import { alerts } from './alerts.ts'
import { type Answer, type Ask, type CommandContext, type Sender, timeText } from './ask.ts'
import { catchup } from './catchup.ts'
import { claim } from './claim.ts'
import { help } from './help.ts'
import { hotspot } from './hotspot.ts'
import type { CommandJournal } from './journal.ts'
import { type Command, type CommandName, parseCommand } from './parse.ts'
import { question } from './question.ts'
import { senderOf } from './sender.ts'
import { silence } from './silence.ts'
import { status } from './status.ts'
import { who } from './who.ts'
import { why } from './why.ts'

const ANSWERS: Readonly<Record<CommandName, Answer>> = {
  help,
  alerts,
  catchup,
  status,
  ack,
  silence,
  why,
  ask: question,
  hotspot,
  who,
  claim
}

const WINDOW_MS = 10 * 60_000
/** Commands answered in 10 minutes: of one node (or one channel without identities), and of all together. */
const LIMIT_EACH = 6
const LIMIT_ALL = 30
/** Of those, each kind that costs several texts; a question perhaps a language model's time too. */
const COSTLY: ReadonlySet<CommandName> = new Set(['ask', 'catchup'])
const COSTLY_EACH = 3
const COSTLY_ALL = 10
/** Commands that a proven admin may give as often as it takes. */
const UNLIMITED: ReadonlySet<CommandName> = new Set(['silence', 'ack', 'status', 'hotspot', 'who'])
/** An answer that comes later than this answers nothing any more. */
const REPLY_MS = 5 * 60_000
/** The library has this long to answer. */
const LIBRARY_MS = 90_000

export interface CommandHandlerOptions {
  config: () => WarningConfig
  now: () => number
  journal: CommandJournal
  keys: PinnedKeys
  context: CommandContext
  reply: (reply: NewText) => void
  /** Runs `work` in one durable transaction. */
  transaction: (work: () => void) => void
  /** A reply was added after `receive` had returned. */
  wake?: () => void
  /** A late answer could not be given; whoever asked has been told so, where that was possible. */
  onError?: (error: unknown) => void
  after?: Clock['after']
}

/** Answers what people ask over the radio. Rights come from node ids and keys alone; a name proves nothing. */
export class CommandHandler {
  readonly #o: CommandHandlerOptions
  /** Ends the answers that are still being looked for. */
  readonly #stop = new AbortController()

  constructor(options: CommandHandlerOptions) {
    this.#o = options
  }

  /** Takes one text from the mesh and answers whether it was a command of ours; anything else is none of our business. */
  receive(radio: Asked, text: InboundText): boolean {
    const { commands, radios } = this.#o.config()
    const command = parseCommand(text.text)
    if (command === null || !commands.enabled || (!text.direct && !commands.allow_channels)) return false
    // Our own texts come back by repeaters; nothing is ever sent because of them.
    if (text.from === '' && text.fromName === radio.nodeName) return false
    const keyRequired = radios.find(({ id }) => id === radio.id)?.admin_key_required ?? true
    const sender = senderOf(text, { network: radio.network, admins: commands.admins, keys: this.#o.keys, keyRequired })
    if (sender === null || this.#o.journal.has(text.key)) return false
    this.#o.transaction(() => this.#take(command, { radio, text, sender }))
    return true
  }

  /** Gives up what is being looked for. */
  stop(): void {
    this.#stop.abort()
  }

  #take(command: Command, from: From): void {
    const { journal, now, keys } = this.#o
    const { proven, publicKey } = from.text
    if (from.sender.listed && proven && publicKey !== null) keys.learn(from.text.from.toLowerCase(), publicKey, now())
    const outcome = from.text.late ? 'late' : this.#judge(command, from.sender)
    journal.add({ key: from.text.key, sender: from.sender.id, command: command.name, outcome, at: now() })
    if (outcome === 'answered') this.#answer(command, from)
    if (outcome === 'notice') this.#reply(from, [this.#tooMany(command.name, from)])
  }

  /**
   * Whoever is proven shares the thirty with others who are: a forger with a new id for every text cannot use them up.
   * An admin's direct message is answered while it stays within the admin's own limit: others cannot use it up. What an admin does in
   * an emergency is never limited.
   */
  #judge({ name }: Command, { id, admin, direct, proven }: Sender): CommandOutcome {
    const { journal, now } = this.#o
    if (admin && direct && UNLIMITED.has(name)) return 'answered'
    // Nothing of the future: it would lock people out for as long as the clock was set back.
    const span = { since: now() - WINDOW_MS, until: now() }
    const costly = (whose: { sender: string } | { proven: boolean }): number =>
      COSTLY.has(name) ? journal.count('answered', span, { ...whose, command: name }) : 0
    const own = { sender: id }
    const all = { proven }
    const overEach = journal.count('answered', span, own) >= LIMIT_EACH || costly(own) >= COSTLY_EACH
    const overAll = journal.count('answered', span, all) >= LIMIT_ALL || costly(all) >= COSTLY_ALL
    if (!overEach && (!overAll || (admin && direct))) return 'answered'
    const noticed = journal.count('notice', span, overEach ? own : all) > 0
    return noticed ? 'ignored' : 'notice'
  }

  #answer({ name, words }: Command, from: From): void {
    const { config, now, context } = this.#o
    const limitBytes = this.#limitBytes(from)
    const at = { words, sender: from.sender, channel: channelOf(from), limitBytes, now: now(), config: config() }
    const ask = { ...at, spoken: this.#spoken(from) }
    const answer = ANSWERS[name](ask, context)
    if (typeof answer === 'function') void this.#answerLater(answer, from)
    else this.#reply(from, typeof answer === 'string' ? [answer] : answer)
  }

  /** The library is asked outside of any transaction; a restart meanwhile leaves the question without an answer. */
  async #answerLater(find: (signal: AbortSignal) => Promise<readonly string[]>, from: From): Promise<void> {
    const { transaction, wake, onError, after = systemClock.after } = this.#o
    const late = new AbortController()
    const signal = AbortSignal.any([late.signal, this.#stop.signal])
    let cancel = (): void => undefined
    const tooLate = new Promise<never>((_resolve, reject) => {
      cancel = after(LIBRARY_MS, () => late.abort())
      signal.addEventListener('abort', () => reject(new AppError('timeout', because('library_too_slow'))))
    })
    try {
      const texts = await Promise.race([find(signal), tooLate]).catch((error: unknown) => {
        if (!this.#stop.signal.aborted) onError?.(error)
        return [REPLIES[this.#spoken(from).language].library.busy]
      })
      if (this.#stop.signal.aborted) return
      transaction(() => this.#reply(from, texts.slice(0, 2)))
      wake?.()
    } catch (error) {
      onError?.(error)
    } finally {
      cancel()
    }
  }

  #tooMany(name: CommandName, from: From): string {
    const spoken = this.#spoken(from)
    const { tooManyCommands, tooManyQuestions } = REPLIES[spoken.language]
    const again = timeText(this.#o.now() + WINDOW_MS, { config: this.#o.config(), spoken })
    const each = COSTLY.has(name) ? COSTLY_EACH : LIMIT_EACH
    return putAll(name === 'ask' ? tooManyQuestions : tooManyCommands, [String(each), again])
  }

  /** Whoever asks on a channel speaks its language, wherever the answer goes; of a direct message nobody knows more than that it was written here. */
  #spoken({ radio, text }: From): Spoken {
    const { channel, direct } = text
    return spokenOn(this.#o.config(), { transport: radio.network, channel: channel ?? '', direct })
  }

  #limitBytes({ radio, sender }: From): number {
    const { messages } = this.#o.config()
    // The firmware puts the node name before texts on a channel, not before direct ones.
    return sender.known && radio.network === 'mc'
      ? messages.mc_bytes
      : budgetFor(radio.network, messages, radio.nodeName)
  }

  #reply(from: From, texts: readonly string[]): void {
    const { radio, text, sender } = from
    const limitBytes = this.#limitBytes(from)
    const { language, ascii } = this.#spoken(from)
    for (const [index, one] of texts.entries())
      this.#o.reply({
        kind: 'reply',
        transport: radio.network,
        channel: sender.known ? text.from : (text.channel ?? ''),
        direct: sender.known,
        text: withinBytes(sanitise(ascii ? foldText(one, language) : one), limitBytes).trimEnd(),
        key: index === 0 ? text.key : `${text.key}/${index + 1}`,
        expiresAt: this.#o.now() + REPLY_MS
      })
  }
}

function channelOf({ radio, text: { channel, direct } }: From): Ask['channel'] {
  return direct || channel === null ? null : { transport: radio.network, channel: String(channel) }
}

type Asked = Pick<RadioDescription, 'id' | 'network' | 'nodeName'>

interface From {
  radio: Asked
  text: InboundText
  sender: Sender
}
