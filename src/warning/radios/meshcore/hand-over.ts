import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SendOutcome } from '../radio.ts'
import { getCoreStats } from './commands.ts'
import type { Command, Refusal } from './exchange.ts'
import type { CoreStats, Message } from './messages.ts'
import { isRefusal, type Session } from './session.ts'

/** Packets that wait in the node before ours have left by then, or something is wrong with it. */
const DRAIN_LIMIT_MS = 60_000
const DRAIN_POLL_MS = 500
/** Without statistics: the wait of the firmware for a free channel, and a packet before ours. Contract §6. */
const BLIND_AIRTIMES = 3
const BLIND_MS = 2000

type Refused = Extract<SendOutcome, { kind: 'refused' }>

/** The result of handing a text to the node: its answer, or the outcome that is certain already. */
export type HandOver<T> = { taken: T } | { outcome: SendOutcome }

/** Gives the node one text. Never rejects for a radio reason. */
export async function handOver<T>(
  session: Session,
  command: Command<T>,
  refusal: (refused: Refusal) => Refused
): Promise<HandOver<T>> {
  let written = false
  const onWritten = (): void => {
    written = true
  }
  try {
    const answer = await session.ask({ ...command, onWritten })
    return isRefusal(answer) ? { outcome: refusal(answer) } : { taken: answer }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (!written) return { outcome: refused('NOT_CONNECTED', true, because('not_handed_over', { why: error.reason })) }
    return { outcome: { kind: 'unknown', reason: error.reason } }
  }
}

export interface LeavingOptions {
  airtimeMs: number
  now: () => number
  /** True once something proves that the text was on the air. */
  proven: () => boolean
}

/**
 * Waits until an accepted text has left the node: until the node's queue is empty and its time-on-air is over, and without
 * statistics three times its time-on-air and 2 s. Never rejects for a radio reason.
 */
export async function leaving(session: Session, options: LeavingOptions): Promise<SendOutcome> {
  try {
    const left = session.tellsStats ? await drained(session, options) : await blind(session, options)
    if (left) return { kind: 'sent', at: options.now() }
    const reason = because('queue_not_emptied', { seconds: DRAIN_LIMIT_MS / 1000 })
    return { kind: 'unknown', reason }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return options.proven() ? { kind: 'sent', at: options.now() } : { kind: 'unknown', reason: error.reason }
  }
}

async function blind(session: Session, { airtimeMs }: LeavingOptions): Promise<boolean> {
  await session.pause(BLIND_AIRTIMES * airtimeMs + BLIND_MS)
  return true
}

async function drained(session: Session, options: LeavingOptions): Promise<boolean> {
  const { airtimeMs, now, proven } = options
  const deadline = now() + DRAIN_LIMIT_MS
  while (!proven()) {
    const stats = await coreStatsOrLate(session)
    if (stats === null || !session.tellsStats) return await blind(session, options)
    if (stats?.waiting === 0) {
      // The firmware takes a packet out of its queue when it starts to transmit it.
      await session.pause(airtimeMs)
      return true
    }
    if (now() >= deadline) return false
    await session.pause(DRAIN_POLL_MS)
  }
  return true
}

/** Null when this firmware has no statistics after all, undefined when the answer is overdue. */
async function coreStatsOrLate(session: Session): Promise<CoreStats | null | undefined> {
  try {
    return await readCoreStats(session)
  } catch (error) {
    if (error instanceof AppError && error.code === 'timeout') return undefined
    throw error
  }
}

/** Null when the firmware has no statistics. Rejects as `Session.ask` does. */
export async function readCoreStats(session: Session): Promise<CoreStats | null> {
  const answer = (m: Message): Extract<Message, { kind: 'core-stats' }> | undefined =>
    m.kind === 'core-stats' ? m : undefined
  try {
    const stats = await session.ask({ name: 'GET_STATS', payload: getCoreStats(), answer })
    session.statsAnswered(true)
    return isRefusal(stats) ? null : stats
  } catch (error) {
    session.statsAnswered(false)
    throw error
  }
}

/** An explicit refusal: nothing went on the air. */
export function refused(code: string, retry: boolean, reason: Reason): Refused {
  return { kind: 'refused', retry, code, reason }
}

const ERRORS = new Map<number, readonly [code: string, retry: boolean, meaning: Reason]>([
  [1, ['UNSUPPORTED', false, because('mc_unknown_command')]],
  [2, ['NOT_FOUND', false, because('mc_not_found')]],
  [3, ['TABLE_FULL', true, because('mc_table_full')]],
  [4, ['BAD_STATE', true, because('mc_busy')]],
  [5, ['FILE_ERROR', true, because('mc_storage_failed')]],
  [6, ['ILLEGAL_ARGUMENT', false, because('mc_argument')]]
])

/** The meaning of the node's error codes where nothing more is known. */
export function refusedBy(refusal: Refusal): Refused {
  if (refusal.kind === 'disabled') return refused('DISABLED', false, because('firmware_without'))
  const [code, retry, meaning] = ERRORS.get(refusal.code) ?? ['REFUSED', false, because('mc_reason_unknown')]
  return refused(code, retry, because('mc_error', { error: refusal.code, meaning }))
}
