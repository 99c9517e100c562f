import { formatTime } from '../../../model/time.ts'
import { asBag, textOf } from '../reading/json.ts'
import { looseNumber, remember } from '../reading/loose.ts'
import { eachInTurn, eachRemembered } from '../reading/steps.ts'
import type { ReadTools } from '../source.ts'
import type { MetAlert } from './alert.ts'

/** The thread of each message, remembered because these listings name no earlier messages, or only some of them. */

interface Known {
  id: string
  key: string
  thread: string
  /** The end of the alert, epoch milliseconds. */
  until: number
}

const KEEP_MS = 24 * 3_600_000
/** The time for which an alert without an end is taken to hold. */
const DEFAULT_VALIDITY_MS = 24 * 3_600_000

/**
 * Threads by message id: the one the message had before or refers to; for an update or a cancel the one of a message about
 * the same thing that is not listed any more; else its own.
 */
export function* threadsOf(alerts: readonly MetAlert[], tools: ReadTools): Generator<void, Map<string, string>> {
  const known = new Map((yield* remembered(tools)).map((entry) => [entry.id, entry]))
  const listed = new Set(alerts.map(({ id }) => id))
  const unlisted = new Map<string, Known[]>()
  for (const entry of known.values())
    if (!listed.has(entry.id)) unlisted.set(entry.key, [...(unlisted.get(entry.key) ?? []), entry])
  const threads = new Map<string, string>()
  const claimed = new Set<string>()
  yield* eachInTurn(alerts, (alert) => {
    const earlier = [alert.id, ...alert.references].map((id) => known.get(id)).find((entry) => isStill(entry, alert))
    const before = earlier ?? superseded(alert, unlisted.get(alert.key) ?? [], claimed)
    if (before !== undefined) claimed.add(before.id)
    const thread = before?.thread ?? ownThread(alert, tools)
    threads.set(alert.id, thread)
    known.set(alert.id, { id: alert.id, key: alert.key, thread, until: untilOf(alert, tools.receivedAt) })
  })
  yield* keep([...known.values()], listed, tools)
  return threads
}

/** A provider that uses an id again uses it for the next occasion too. */
function isStill(entry: Known | undefined, { sent }: MetAlert): boolean {
  return entry !== undefined && (sent === null || sent <= entry.until)
}

function superseded(alert: MetAlert, unlisted: readonly Known[], claimed: ReadonlySet<string>): Known | undefined {
  if (alert.type === 'Alert') return undefined
  return unlisted.find((entry) => !claimed.has(entry.id) && isStill(entry, alert))
}

function ownThread({ id, sent }: MetAlert, { source }: ReadTools): string {
  return `${source}:${id}${sent === null ? '' : `@${formatTime(sent)}`}`
}

function untilOf({ end, sent }: MetAlert, now: number): number {
  return end ?? (sent ?? now) + DEFAULT_VALIDITY_MS
}

function keep(entries: readonly Known[], listed: ReadonlySet<string>, tools: ReadTools): Generator<void, void> {
  return eachInTurn(entries, ({ id, ...rest }) => {
    const isOld = !listed.has(id) && rest.until + KEEP_MS < tools.receivedAt
    if (isOld) tools.memory.delete(`alert:${id}`)
    else if (listed.has(id)) remember(tools.memory, `alert:${id}`, rest)
  })
}

function* remembered(tools: ReadTools): Generator<void, Known[]> {
  const known: Known[] = []
  yield* eachRemembered(tools.memory, 'alert:', (name, value) => {
    const bag = asBag(value)
    const thread = textOf(bag?.['thread'])
    const until = looseNumber(bag?.['until'])
    if (thread !== '' && until !== null)
      known.push({ id: name.slice('alert:'.length), key: textOf(bag?.['key']), thread, until })
  })
  return known
}
