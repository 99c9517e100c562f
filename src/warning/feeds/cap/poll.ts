import { because, type Reason } from '../../../model/reason.ts'
import { severityRank } from '../../../model/severity.ts'
import { parseTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import { TEST_REASON } from '../feed.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { childrenOf, childText, type Element } from '../reading/xml.ts'
import type { PollTools, ReadTools, SourceReading } from '../source.ts'
import { type IndexedAlert, joinEntries } from './index-join.ts'
import { indexSteps, readIndex } from './index-read.ts'
import { readAlertElement } from './parse.ts'
import { type CapProfile, CapReading } from './reading.ts'
import { indexedCodes, isEnough, isWantedArea, isWantedSender } from './select.ts'

/** After this many failures an entry is told from the index, if that says enough, and not asked for again. */
const MAX_FAILURES = 3
/** So many failures in a row: the host is away, and is left alone until the next poll. */
const FAILURES_IN_A_ROW = 3

/**
 * Asks for an index and for the details it takes. What is settled is not fetched again; details above the limit, and those
 * that failed, wait for the next poll. Throws AppError `bad-input` or `unavailable` when the index itself cannot be read.
 */
export async function pollCap(
  url: string,
  profile: CapProfile,
  tools: PollTools
): Promise<SourceReading | 'unchanged'> {
  const reading = new CapReading(profile, tools)
  const fetched = await tools.fetch({ url, conditional: !reading.memory.waiting })
  if (fetched.state === 'unchanged') return 'unchanged'
  const index = await inTurns(indexSteps(fetched.body, { base: fetched.url, format: profile.format }), tools.signal)
  reading.skipped.push(...index.skipped)
  await inTurns(
    eachInTurn(index.alerts, (alert) => reading.take(alert)),
    tools.signal
  )
  const entries = await inTurns(joinEntries(index.entries), tools.signal)
  const wanted: IndexedAlert[] = []
  const sort = (entry: IndexedAlert): void => {
    if (reading.memory.isSettled(entry.key, entry.stamp)) return
    const reason = refusalAtOnce(entry, profile, tools.receivedAt)
    if (reason === null) wanted.push(entry)
    else leaveOut(reading, entry, reason)
  }
  await inTurns(eachInTurn(entries, sort), tools.signal)
  await settleAll(wanted, reading, profile, tools)
  reading.memory.commit()
  await inTurns(reading.memory.tidy(new Set(entries.map(({ key }) => key))), tools.signal)
  const count = index.alerts.length + entries.length + index.skipped.length
  return inTurns(reading.finish(count, index.updated), tools.signal)
}

/** A recorded body, read as a poll would read it that cannot fetch anything. */
export function readCap(body: Uint8Array, profile: CapProfile, tools: ReadTools): SourceReading {
  const reading = new CapReading(profile, tools)
  const index = readIndex(body, { format: profile.format })
  reading.skipped.push(...index.skipped)
  for (const alert of index.alerts) reading.take(alert)
  const entries = drain(joinEntries(index.entries))
  for (const entry of entries) takeFromIndex(reading, entry)
  return drain(reading.finish(index.alerts.length + entries.length + index.skipped.length, index.updated))
}

function leaveOut(reading: CapReading, entry: IndexedAlert, reason: Reason): void {
  reading.skipped.push({ id: entry.key, reason })
  reading.memory.settle(entry.key, entry.stamp)
}

/** The reason to refuse an entry without its detail: a test, over, of others, elsewhere, too small. Or null. */
function refusalAtOnce({ alert }: IndexedAlert, { wanted, read }: CapProfile, now: number): Reason | null {
  const status = childText(alert, 'status')
  if (status !== '' && status !== 'Actual') return TEST_REASON
  const sender = childText(alert, 'sender')
  if (!isWantedSender(sender, wanted.senders) && sender.includes('@')) return because('other_sender')
  // Changes and ends are looked at whatever they say now: they may be of something that was told.
  const type = childText(alert, 'msgType')
  if (type === 'Update' || type === 'Cancel') return null
  const ends = childrenOf(alert, 'info').map((info) => parseTime(childText(info, 'expires')))
  if (ends.length > 0 && ends.every((end) => end !== null && end <= now)) return because('is_over')
  if (!isWantedArea(indexedCodes(alert), wanted.geocodes)) return because('other_area')
  const rank = rankOf(alert, read)
  return rank !== null && rank < severityRank(wanted.min_severity)
    ? because('below_severity', { least: wanted.min_severity })
    : null
}

/** The highest level the index gives, or null when it gives none. */
function rankOf(alert: Element, read: CapProfile['read']): number | null {
  if (!childrenOf(alert, 'info').every((info) => childText(info, 'severity') !== '')) return null
  const { events } = readAlertElement(alert, { ...read, receivedAt: 0 })
  return events.length === 0 ? null : Math.max(...events.map(({ severity }) => severityRank(severity)))
}

async function settleAll(
  wanted: readonly IndexedAlert[],
  reading: CapReading,
  profile: CapProfile,
  tools: PollTools
): Promise<void> {
  const needsDetail = (entry: IndexedAlert): boolean =>
    entry.link !== null &&
    (profile.details === 'always' || (profile.details === 'when_needed' && !isEnough(entry.alert)))
  const said = wanted.filter((one) => !needsDetail(one))
  await inTurns(
    eachInTurn(said, (entry) => tellFromIndex(reading, entry)),
    tools.signal
  )
  const queue = await gravestFirst(wanted.filter(needsDetail), profile, tools.signal)
  let row = 0
  for (const [place, entry] of queue.entries()) {
    if (place >= profile.maxDetails || row >= FAILURES_IN_A_ROW) {
      reading.skipped.push({ id: entry.key, reason: because('detail_waits') })
      continue
    }
    row = (await takeDetail(entry, reading, tools)) ? 0 : row + 1
  }
  reading.memory.waiting = queue.some(({ key, stamp }) => !reading.memory.isSettled(key, stamp))
}

/** Of the same level the newest first. */
async function gravestFirst(
  entries: readonly IndexedAlert[],
  profile: CapProfile,
  signal: AbortSignal
): Promise<IndexedAlert[]> {
  const keyed: { entry: IndexedAlert; rank: number; sent: number }[] = []
  const weigh = (entry: IndexedAlert): void => {
    keyed.push({ entry, rank: rankOf(entry.alert, profile.read) ?? 0, sent: parseTime(entry.stamp) ?? 0 })
  }
  await inTurns(eachInTurn(entries, weigh), signal)
  return keyed.sort((a, b) => b.rank - a.rank || b.sent - a.sent).map(({ entry }) => entry)
}

/** Fetches and reads one detail; false when it could not be had. */
async function takeDetail(entry: IndexedAlert, reading: CapReading, tools: PollTools): Promise<boolean> {
  try {
    const fetched = await tools.fetch({ url: entry.link ?? '', conditional: false })
    if (fetched.state === 'unchanged') throw new AppError('unavailable', because('detail_did_not_come'))
    const { alerts } = await inTurns(indexSteps(fetched.body, { base: fetched.url }), tools.signal)
    if (alerts.length === 0) throw new AppError('bad-input', because('no_alert_behind_entry'))
    for (const alert of alerts) reading.take(alert)
    reading.memory.settle(entry.key, entry.stamp)
    return true
  } catch (error) {
    if (!(error instanceof AppError) || tools.signal.aborted) throw error
    reading.memory.failed(entry.key, entry.stamp)
    if (reading.memory.failures(entry.key, entry.stamp) >= MAX_FAILURES) tellFromIndex(reading, entry)
    else reading.skipped.push({ id: entry.key, reason: because('detail_failed', { why: error.reason }) })
    return false
  }
}

function tellFromIndex(reading: CapReading, entry: IndexedAlert): void {
  takeFromIndex(reading, entry)
  reading.memory.settle(entry.key, entry.stamp)
}

/** An entry that says too little stays out: without `status` nobody knows that it is no test. */
function takeFromIndex(reading: CapReading, entry: IndexedAlert): void {
  const missing = ['status', 'msgType'].find((name) => childText(entry.alert, name) === '')
  if (missing === undefined) reading.take(entry.alert)
  else reading.skipped.push({ id: entry.key, reason: because('index_lacks', { missing }) })
}
