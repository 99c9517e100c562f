import type { DeliveryState } from '../../model/delivery.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { isDigest, isEnd } from './content-sql.ts'

/**
 * The result of the messages of an event (contract §13): `sent` only of what was on the air. `partly`: on some of its
 * channels. `unknown`: handed over, and no answer came. `elsewhere`: another station was heard saying it. `none`: no message was made of it.
 */
export interface Result {
  state: 'sent' | 'partly' | 'waiting' | 'held' | 'failed' | 'unknown' | 'withdrawn' | 'elsewhere' | 'none'
  /** The reason why it waits, is held or failed; of `partly`, why the rest did. */
  reason: string | null
  /** Channels it was on the air on; while `simulated`, those of simulated radios. */
  channels: string[]
  /** The number of messages there are. */
  of: number
  /** True when simulated radios alone took it: nothing was on the air, whatever `state` says of them. */
  simulated: boolean
}

/** The fate of an alert on one channel. */
export interface ChannelResult {
  channel: string
  state: Exclude<Result['state'], 'partly' | 'none'>
  reason: string | null
  /** The nodes of which it is known that they heard it. */
  heardBy: number
  /** Nobody was heard repeating it within its time. */
  unheard: boolean
  simulated: boolean
}

type Fate = Exclude<Result['state'], 'partly' | 'none'>

const FATES: Readonly<Record<Exclude<DeliveryState, 'merged'>, Fate>> = {
  queued: 'waiting',
  transmitting: 'waiting',
  held: 'held',
  sent: 'sent',
  heard: 'sent',
  delivered: 'sent',
  unconfirmed: 'sent',
  sent_unknown: 'unknown',
  failed: 'failed',
  expired: 'failed',
  suppressed: 'withdrawn',
  stood_down: 'elsewhere'
}
/** Fates in the order in which a person has to know them. */
const GRAVEST: readonly Fate[] = ['failed', 'unknown', 'held', 'waiting', 'withdrawn', 'elsewhere']

const NOTHING: Result = { state: 'none', reason: null, channels: [], of: 0, simulated: false }
const MOST_ROWS = 5000

interface Found {
  threadId: string
  seqs: readonly number[]
  channel: string
  fate: Fate
  reason: string | null
  isEnd: boolean
  heardBy: number
  unheard: boolean
  simulated: boolean
}

/** Reads what became of messages, for many events or threads with one question. */
export class Results {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** By `seq`, of each of these events. */
  ofEvents(events: readonly { seq: number; event: { thread_id: string } }[]): Map<number, Result> {
    const found = this.#read(events.map(({ event }) => event.thread_id))
    const bySeq = new Map<number, Found[]>(events.map(({ seq }) => [seq, []]))
    for (const one of found) for (const seq of one.seqs) bySeq.get(seq)?.push(one)
    return new Map([...bySeq].map(([seq, own]) => [seq, summed(own)]))
  }

  /** By thread: whether people have been told of it, by whichever of its messages; its ends are not counted. */
  ofThreads(threadIds: readonly string[]): Map<string, Result> {
    const found = this.#read(threadIds).filter(({ isEnd }) => !isEnd)
    const byThread = new Map<string, Found[]>()
    for (const one of found) {
      const others = byThread.get(one.threadId)
      if (others === undefined) byThread.set(one.threadId, [one])
      else others.push(one)
    }
    return new Map(threadIds.map((threadId) => [threadId, summed(newestOfEach(byThread.get(threadId) ?? []))]))
  }

  /** By thread: the same, channel by channel, in the order in which they were planned. */
  channelsOf(threadIds: readonly string[]): Map<string, ChannelResult[]> {
    const told = this.#read(threadIds).filter(({ isEnd }) => !isEnd)
    return new Map(
      threadIds.map((threadId) => [
        threadId,
        newestOfEach(told.filter((one) => one.threadId === threadId)).map(channelResult)
      ])
    )
  }

  /** The same of one event alone, its end too. */
  channelsOfEvent({ seq, event }: { seq: number; event: { thread_id: string } }): ChannelResult[] {
    return newestOfEach(this.#read([event.thread_id]).filter(({ seqs }) => seqs.includes(seq))).map(channelResult)
  }

  /** A digest speaks for its members: they have its state. */
  #read(threadIds: readonly string[]): Found[] {
    const rows = this.#db
      .sql(
        `SELECT d.thread_id, d.event_seqs, d.channel_key, ${isEnd('d.')} AS is_end, coalesce(m.state, d.state) AS state, coalesce(m.reason, d.reason) AS reason,
           coalesce(m.heard_by, d.heard_by) AS heard_by, coalesce(m.simulated, d.simulated) AS simulated
         FROM deliveries AS d LEFT JOIN deliveries AS m ON m.id = d.merged_into AND ${isDigest('m.')}
         WHERE d.thread_id IN (SELECT value FROM json_each(?)) AND (d.state <> 'merged' OR m.id IS NOT NULL)
         ORDER BY d.id LIMIT ${MOST_ROWS}`
      )
      .all(JSON.stringify([...new Set(threadIds)]))
    return rows.flatMap(foundIn)
  }
}

function channelResult({ channel, fate, reason, heardBy, unheard, simulated }: Found): ChannelResult {
  return { channel, state: fate, reason, heardBy, unheard, simulated }
}

function foundIn(row: Row): Found[] {
  const state = String(row['state']) as DeliveryState
  if (state === 'merged') return []
  const reason = row['reason'] === null ? null : String(row['reason'])
  return [
    {
      threadId: String(row['thread_id']),
      seqs: storedJson(row['event_seqs']) as number[],
      channel: String(row['channel_key']),
      fate: FATES[state],
      reason: state === 'expired' ? (reason ?? 'expired') : reason,
      isEnd: row['is_end'] === 1,
      heardBy: Number(row['heard_by']),
      unheard: state === 'unconfirmed',
      simulated: row['simulated'] === 1
    }
  ]
}

/** A channel that was told once, on the air, has been told, whatever became of a later message; else its newest counts. */
function newestOfEach(found: readonly Found[]): Found[] {
  const byChannel = new Map<string, Found>()
  for (const one of found) {
    const known = byChannel.get(one.channel)
    const isFirstOnAir = known?.simulated && one.fate === 'sent' && !one.simulated
    if (known?.fate !== 'sent' || isFirstOnAir) byChannel.set(one.channel, one)
  }
  return [...byChannel.values()]
}

function summed(found: readonly Found[]): Result {
  if (found.length === 0) return NOTHING
  const sent = found.filter(({ fate }) => fate === 'sent')
  const simulated = sent.length > 0 && sent.every((one) => one.simulated)
  // Beside a radio that sent, what a simulated one took was on no air.
  const told = simulated ? sent : sent.filter((one) => !one.simulated)
  const channels = [...new Set(told.map(({ channel }) => channel))]
  const gravest = GRAVEST.find((fate) => found.some((one) => one.fate === fate))
  const reason = found.find(({ fate }) => fate === gravest)?.reason ?? null
  const of = found.length
  // Whatever is not ours to say was said.
  if (gravest === undefined || (gravest === 'elsewhere' && channels.length > 0))
    return { state: 'sent', reason: null, channels, of, simulated }
  return { state: channels.length > 0 ? 'partly' : gravest, reason, channels, of, simulated }
}
