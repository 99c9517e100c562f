import { because } from '../../model/reason.ts'
import { readersTurn, Slices } from '../../platform/clock/slices.ts'
import { AppError } from '../../platform/errors.ts'
import {
  COMMANDS_KEPT_MS,
  type CommsLog,
  type Listed,
  type Mark,
  type NotSent,
  type Received,
  type Sent
} from '../../warning/outbox/comms-log.ts'
import type { HttpContext } from './context.ts'
import { type Asker, authorFor } from './guest.ts'
import type { Period } from './period.ts'

/** Rows read in one go: a few milliseconds on a slow card. */
const AT_ONCE = 32
const DAY_MS = 86_400_000

/** One line of the log. `at`: epoch milliseconds. */
export type LogEntry =
  | ({ kind: 'sent'; at: number } & Sent)
  | ({ kind: 'not_sent' } & NotSent)
  | ({ kind: 'received' } & Received)

/** Reasons why a log may not be all there was. */
export const LOG_GAPS = ['not_over', 'messages_pruned', 'commands_pruned', 'in_memory'] as const
export type LogGap = (typeof LOG_GAPS)[number]

type Span = Pick<Period, 'from' | 'until'>

export interface ReadLog {
  /** In the order of time. */
  entries: LogEntry[]
  /** The moment from which the rest is to be asked for; null when this is all. Epoch milliseconds. */
  next: number | null
}

/**
 * The radio traffic of a span, in slices: what left, what did not, and what came. No moment is cut in two: where more than `limit` things happened
 * in one millisecond, all of them are there.
 * @throws AppError `unavailable` once nobody waits for it any more.
 */
export async function readCommsLog(
  comms: Pick<CommsLog, 'sent' | 'notSent' | 'received'>,
  { from, until }: Span,
  { limit, left }: { limit: number; left: () => boolean }
): Promise<ReadLog> {
  const reading = { from, until, most: limit + 1, slices: new Slices(readersTurn), left }
  const sent = await readAll<Sent, number>(reading, 0, (portion) => comms.sent(portion))
  const lost = await readAll<NotSent, number>(reading, 0, (portion) => comms.notSent(portion))
  const came = await readAll<Received, string>(reading, '', (portion) => comms.received(portion))
  const entries: LogEntry[] = [
    ...sent.map((entry) => ({ ...entry, kind: 'sent' as const, at: entry.transmission.at })),
    ...lost.map((entry) => ({ ...entry, kind: 'not_sent' as const })),
    ...came.map((entry) => ({ ...entry, kind: 'received' as const }))
  ].sort((a, b) => a.at - b.at)
  const cut = entries[limit]
  if (cut === undefined) return { entries, next: null }
  const whole = entries.filter(({ at }) => at < cut.at)
  if (whole.length > 0) return { entries: whole, next: cut.at }
  const next = cut.at + 1
  const moment = await readCommsLog(comms, { from, until: next }, { limit: Number.POSITIVE_INFINITY, left })
  return { ...moment, next: next < until ? next : null }
}

interface Reading extends Span {
  most: number
  slices: Slices
  left: () => boolean
}

async function readAll<Entry, N extends number | string>(
  { from, until, most, slices, left }: Reading,
  first: N,
  read: (portion: { after: Mark<N>; until: number; limit: number }) => Listed<Entry, N>
): Promise<Entry[]> {
  const entries: Entry[] = []
  let after: Mark<N> | null = { at: from, n: first }
  while (after !== null && entries.length < most) {
    const { entries: some, next }: Listed<Entry, N> = read({ after, until, limit: AT_ONCE })
    entries.push(...some)
    after = next
    await slices.pause()
    if (left()) throw new AppError('unavailable', because('client_has_left'))
  }
  return entries
}

type Known = Pick<HttpContext, 'now' | 'profile' | 'storageFault'>

/** Why this span may hold less than there was; none when everything is known. */
export function gapsOf({ now, profile, storageFault }: Known, { from, until }: Span): LogGap[] {
  const gaps: Readonly<Record<LogGap, boolean>> = {
    not_over: until > now(),
    messages_pruned: from < now() - profile.retention.deliveries_days * DAY_MS,
    commands_pruned: from < now() - COMMANDS_KEPT_MS,
    in_memory: storageFault() !== null
  }
  return LOG_GAPS.filter((gap) => gaps[gap])
}

/** Who sent a command, as whoever asks may see it: which node it was is the operator's to know; a channel is known to all who are on it. */
export function senderOf(
  { sender }: Pick<Received, 'sender'>,
  asker: Pick<Asker, 'isGuest'>
): { network: 'mt' | 'mc'; who: string; isProven: boolean } {
  const [, network, who = '', unproven = ''] = /^(mt|mc) (.*?)( unproven)?$/s.exec(sender) ?? []
  const shown = who.startsWith('#') ? who : authorFor(who, asker)
  // A channel names nobody.
  return { network: network === 'mc' ? 'mc' : 'mt', who: shown, isProven: unproven === '' && !who.startsWith('#') }
}
