import { because } from '../../model/reason.ts'
import { jsonOr } from '../../platform/bytes/json-or.ts'
import { FetchError } from '../../platform/net/fetch-error.ts'
import { retryAfterMs, type SendAnswer } from '../../platform/net/post.ts'
import type { Attempt } from './keyed-call.ts'

const HOUR_MS = 3_600_000
const MAX_REASON = 200

type Refusal = Exclude<Attempt<never>, { kind: 'ok' }>

/**
 * The meaning of an answer that is no success, for the key and for the request. Google tells a wrong key by 400 and the
 * pause of a 429 in the body (google.rpc.RetryInfo); OpenAI tells an empty account by 429. The key stands in no reason.
 */
export function refusalOf(
  answer: SendAnswer,
  { host, key, now }: { host: string; key: string | null; now: number }
): Refusal {
  const { status } = answer
  const told = toldBy(answer, key)
  const asked = { host, status }
  const reason =
    told.message === ''
      ? because('provider_answers', asked)
      : because('provider_answers_said', { ...asked, said: told.message })
  if (
    status === 401 ||
    status === 403 ||
    told.codes.includes('API_KEY_INVALID') ||
    /api key not valid/i.test(told.message)
  )
    return { kind: 'refused', reason }
  if (status === 402 || told.codes.includes('insufficient_quota'))
    return { kind: 'limited', retryAfterMs: HOUR_MS, reason }
  if (status === 429)
    return { kind: 'limited', retryAfterMs: retryAfterMs(answer.retryAfter, now) ?? told.retryMs, reason }
  return { kind: 'failed', again: status >= 500 || status === 408 || status === 425, reason }
}

/** A request that got no answer. An address that sends elsewhere or answers too much is wrong, not busy. */
export function failureOf(error: unknown): Refusal {
  if (!(error instanceof FetchError)) throw error
  return { kind: 'failed', again: error.kind !== 'answer' && error.kind !== 'too-large', reason: error.reason }
}

interface Told {
  message: string
  codes: string[]
  retryMs: number | null
}

function toldBy(answer: SendAnswer, key: string | null): Told {
  const error = member(jsonOf(answer.body), 'error')
  const details = member(error, 'details')
  const list: unknown[] = Array.isArray(details) ? details : []
  const codes = [error, ...list].flatMap((one) => [member(one, 'code'), member(one, 'reason'), member(one, 'type')])
  const text = typeof error === 'string' ? error : member(error, 'message')
  return {
    message: typeof text === 'string' ? clean(text, key) : '',
    codes: codes.filter((code) => typeof code === 'string'),
    retryMs: list.map((one) => secondsText(member(one, 'retryDelay'))).find((ms) => ms !== null) ?? null
  }
}

/** google.protobuf.Duration as JSON: `37s`, `1.5s`. */
function secondsText(value: unknown): number | null {
  const [, seconds] = typeof value === 'string' ? (/^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(value) ?? []) : []
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000)
}

/** One line, short, and without the key, should the server repeat it. */
function clean(text: string, key: string | null): string {
  const hidden = key === null || key === '' ? text : text.replaceAll(key, '[key]')
  const line = hidden.replace(/\s+/g, ' ').trim()
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)} …` : line
}

/** The body as JSON; undefined for anything else. */
export function jsonOf(body: Uint8Array): unknown {
  return jsonOr(undefined, Buffer.from(body).toString('utf8'))
}

/** A member of what came, whatever came. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
