import { isAtLeast, SEVERITIES } from '../../model/severity.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import type { Network, Radio } from '../radios/radio.ts'
import { namedChannels } from '../routing/named-channels.ts'
import type { WarningConfig } from '../settings.ts'
import { toldAs } from './again.ts'
import { IS_EVENTS } from './content-sql.ts'
import { type Delivery, deliveryFromRow } from './delivery.ts'
import { type AskedSums, type PeerAnswer, type PeerQuestion, PeerSums, type PeerWord } from './peer-question.ts'
import { channelProblem, heldBecause } from './turn.ts'

/** Whoever stands by asks within minutes; what came longer ago is not looked for. */
const KNOWN_MS = 30 * 60_000
/** Events that are compared with what is asked: a storm costs no more than that. */
const MOST_EVENTS = 300
/** Messages of one thread on one channel that are looked at. */
const MOST_ROWS = 50

/** Reasons for which a message is kept back with no way out that its station knows of. */
const NO_WAY: ReadonlySet<string> = new Set([
  ...['no_radio', 'radio_down', 'no_channel', 'channel_disabled'],
  ...['notifications_off', 'matrix_off', 'network_off']
])

export interface PeerWordsOptions {
  db: Database
  config: () => WarningConfig
  radios: readonly Radio[]
  clock: Pick<Clock, 'now'>
}

interface Channel {
  network: Network
  id: number | string
}

/** The columns of an event by which it is known again. */
interface KnownEvent {
  seq: number
  threadId: string
  isDecided: boolean
}

/** Answers what other stations ask over IP of messages that wait for this one. It stores nothing, and counts for nothing on the air. */
export class PeerWords {
  readonly #o: PeerWordsOptions

  constructor(options: PeerWordsOptions) {
    this.#o = options
  }

  /** Null for a question that nobody with the secret asked this station, and where it stands alone: whoever asks hears nothing. */
  answer(question: PeerQuestion): PeerAnswer | null {
    const { enabled, secret, order } = this.#o.config().notifications.standby
    if (!enabled) return null
    const sums = new PeerSums(secret, order, question.nonce)
    if (!sums.isQuestion(question)) return null
    return sums.answer(question, question.asked.length === 0 ? [] : this.#words(question.asked, sums))
  }

  #words(asked: readonly AskedSums[], sums: PeerSums): PeerWord[] {
    const channels = new Map(this.#channels().map((one) => [sums.channel(`${one.network}:${one.id}`), one]))
    const events = this.#events(sums)
    return asked.map((one) => {
      const channel = channels.get(one.channel)
      return channel === undefined ? 'no_word' : this.#wordOf(one, { channel, event: events.get(one.alert), sums })
    })
  }

  #wordOf(
    { alert, said }: AskedSums,
    { channel, event, sums }: { channel: Channel; event: KnownEvent | undefined; sums: PeerSums }
  ): PeerWord {
    const shut = this.#isShut(channel)
    // Its poll may be a minute later: only what could not be said here, whatever comes, is known to be left out.
    if (event === undefined || !event.isDecided) return shut ? 'not_here' : 'no_word'
    const row = this.#rowOf(event, channel)
    if (row === null) return 'not_here'
    const word = wordOf(row, shut)
    if (word !== 'coming') return word
    const ends = row.content.kind === 'end'
    const asGrave = SEVERITIES.some(
      (severity) => isAtLeast(row.severity, severity) && sums.said(alert, { severity, ends }) === said
    )
    // Said less gravely here it would not close what waits there.
    return asGrave ? 'coming' : 'no_word'
  }

  /** Every channel that a radio has, or that anything is sent to. */
  #channels(): Channel[] {
    const { radios, config } = this.#o
    const named = namedChannels(config().notifications)
    const ofRadios = radios.flatMap((radio) =>
      radio.channels().map(({ id }) => ({ network: radio.description.network, id }))
    )
    return [
      ...ofRadios,
      ...named.mt.map((id) => ({ network: 'mt' as const, id })),
      ...named.mc.map((id) => ({ network: 'mc' as const, id }))
    ]
  }

  /** Nothing can be said on this channel now. */
  #isShut({ network, id }: Channel): boolean {
    const { radios, config } = this.#o
    if (!config().notifications.enabled || heldBecause(radios, network) !== null) return true
    const radio = radios.find(({ description }) => description.network === network)
    return radio === undefined || channelProblem(radio, id) !== null
  }

  /** Newest last, so that of two with one sum the newest is found. */
  #events(sums: PeerSums): Map<string, KnownEvent> {
    const { db, clock } = this.#o
    const rows = db.guarded(() =>
      db
        .sql(
          `SELECT * FROM (
             SELECT seq, thread_id, family, id, revision, decision, received_at FROM events ORDER BY seq DESC LIMIT ${MOST_EVENTS}
           ) WHERE received_at >= ? ORDER BY seq`
        )
        .all(clock.now() - KNOWN_MS)
    )
    return new Map(rows.map((row) => [sums.alert(identityOf(row)), knownFromRow(row)]))
  }

  /** The newest message that speaks of this event on this channel, and was not made part of another. */
  #rowOf({ seq, threadId }: KnownEvent, { network, id }: Channel): Delivery | null {
    const { db } = this.#o
    const row = db
      .guarded(() =>
        db
          .sql(
            `SELECT * FROM deliveries INDEXED BY deliveries_thread WHERE thread_id = ? AND channel_key = ? AND direct = 0
             AND ${IS_EVENTS} ORDER BY id DESC LIMIT ${MOST_ROWS}`
          )
          .all(threadId, `${network}:${id}`)
          .map(deliveryFromRow)
      )
      .find(({ eventSeqs }) => eventSeqs.includes(seq))
    if (row === undefined) return null
    if (row.mergedInto === null) return row
    const into = db.sql('SELECT * FROM deliveries WHERE id = ?').get(row.mergedInto)
    return into === undefined ? row : deliveryFromRow(into)
  }
}

function wordOf(row: Delivery, shut: boolean): PeerWord {
  const { state, reason } = row
  if (state === 'transmitting') return 'coming'
  const silent = toldAs(row) === null
  if (state === 'queued') return !shut ? 'coming' : silent ? 'not_here' : 'no_word'
  // Nobody can have heard it, whatever was tried.
  if (state === 'failed') return 'not_here'
  const kept = (state === 'held' || state === 'suppressed') && NO_WAY.has(reason ?? '')
  return silent && (state === 'expired' || kept) ? 'not_here' : 'no_word'
}

const identityOf = (row: Row): { family: string; id: string; revision: string } => ({
  family: String(row['family']),
  id: String(row['id']),
  revision: String(row['revision'])
})

const knownFromRow = (row: Row): KnownEvent => ({
  seq: Number(row['seq']),
  threadId: String(row['thread_id']),
  isDecided: row['decision'] !== 'pending'
})
