import { familyKeys } from '../../../model/families.ts'
import { because } from '../../../model/reason.ts'
import { jsonOr } from '../../../platform/bytes/json-or.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import { asBag, type Bag, textOf } from '../reading/json.ts'
import type { ReadTools, SourceReading } from '../source.ts'
import { type MessageRules, readEvents } from './message.ts'

/**
 * One recorded message; or a list of them, each an object with the topic it came by as `_topic`. `rulesFor` gets that
 * topic, or null where none is recorded, and answers null for topics that are not listened to.
 * Throws AppError `bad-input` or `too-large` when the one message cannot be read.
 */
export function readRecorded(
  body: Uint8Array,
  tools: ReadTools,
  kind: string,
  rulesFor: (topic: string | null) => MessageRules | null
): SourceReading {
  const recorded = recordedList(body)
  if (recorded === null) {
    const rules = rulesFor(null)
    if (rules === null) throw new AppError('bad-input', because('nothing_listened_to'))
    return { kind, updated: null, items: 1, ...readEvents(body, rules, origin(tools)) }
  }
  const reading: SourceReading = { kind, updated: null, items: recorded.length, events: [], skipped: [] }
  for (const [index, { _topic, ...message }] of recorded.entries()) readOne(index, textOf(_topic), message)
  return reading

  function readOne(index: number, topic: string, message: Bag): void {
    const rules = rulesFor(topic)
    const id = `message ${index + 1}`
    try {
      if (rules === null) throw new AppError('bad-input', because('nobody_listens_to', { topic: topic.slice(0, 100) }))
      const { events, skipped } = readEvents(new TextEncoder().encode(JSON.stringify(message)), rules, origin(tools))
      reading.events.push(...events)
      reading.skipped.push(...skipped)
    } catch (error) {
      // A RangeError: JSON nested so deep that it cannot even be written.
      if (!(error instanceof AppError) && !(error instanceof RangeError)) throw error
      reading.skipped.push({ id, reason: reasonOf(error) })
    }
  }
}

function origin({ source, receivedAt, families }: ReadTools) {
  return { source, receivedAt, publishedAt: null, families: families?.() ?? familyKeys() }
}

/** Null for anything but a list of messages with their topics. */
function recordedList(body: Uint8Array): Bag[] | null {
  const value = jsonOr(null, new TextDecoder().decode(body))
  const bags = Array.isArray(value) ? value.map(asBag) : []
  const whole = bags.filter((bag) => bag !== null && textOf(bag['_topic']) !== '')
  return whole.length > 0 && whole.length === bags.length ? whole.filter((bag) => bag !== null) : null
}
