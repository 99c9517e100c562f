import { because, isReason, type Reason } from '../../../model/reason.ts'
import { AppError, type ErrorCode, errorText } from '../../../platform/errors.ts'
import type { PushTools } from '../source.ts'
import { type MessageRules, type ReadEvents, readEvents } from './message.ts'

/** Refusals the message is to blame for: it will be refused every time. */
const ITS_OWN_FAULT: readonly ErrorCode[] = ['bad-input', 'invalid', 'too-large', 'unsupported']

interface Arrival {
  payload: Uint8Array
  /** Epoch milliseconds, or null where the broker does not say. */
  publishedAt: number | null
  /** Recorded, not broadcast. */
  known?: boolean
}

/**
 * Stores the events of one message. Resolves once they are stored, true; or false when the message is refused, counted with
 * its reason. Rejects when it could not be stored now: it must not be acknowledged then, so that it comes again.
 */
export async function takeMessage(
  { payload, publishedAt, known = false }: Arrival,
  rules: MessageRules,
  tools: PushTools
): Promise<boolean> {
  const bytes = payload.byteLength
  const read = tryToRead(payload, rules, publishedAt, tools)
  if (isReason(read)) {
    tools.counted({ bytes, refused: read })
    return false
  }
  try {
    if (read.events.length > 0) await tools.accept(read.events, { known })
  } catch (error) {
    if (!(error instanceof AppError) || !ITS_OWN_FAULT.includes(error.code)) throw error
    tools.counted({ bytes, refused: error.reason })
    return false
  }
  count(bytes, read, tools)
  return true
}

/** The events, or why there are none. What is thrown unforeseen is refused too: it would be thrown every time. */
function tryToRead(
  payload: Uint8Array,
  rules: MessageRules,
  publishedAt: number | null,
  { source, clock, log, families }: PushTools
): ReadEvents | Reason {
  try {
    return readEvents(payload, rules, { source, publishedAt, receivedAt: clock.now(), families: families() })
  } catch (error) {
    if (error instanceof AppError) return error.reason
    log.error({ err: error }, 'a message could not be read')
    return because('message_unreadable', { said: errorText(error) })
  }
}

function count(bytes: number, { events, skipped }: ReadEvents, tools: PushTools): void {
  const [first, ...rest] = skipped
  if (events.length > 0 || first === undefined) tools.counted({ bytes })
  else tools.counted({ bytes, refused: first.reason })
  for (const { reason } of events.length > 0 ? skipped : rest) tools.counted({ bytes: 0, refused: reason })
}
