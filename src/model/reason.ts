import { DECISION_CODES, FOLLOWING_CODES } from './reasons/decision.ts'
import { DELIVERY_CODES } from './reasons/delivery.ts'
import type { Kind } from './reasons/kinds.ts'
import { OBSTACLE_CODES } from './reasons/obstacles.ts'
import { RADIO_CODES } from './reasons/radio.ts'

/**
 * Why something is as it is, as state holds it: a code and its values. Rows store it, decisions compare it; the sentence is made at
 * the edge, in the language of whoever reads (`words/sentences.ts`).
 */

/** Every code with its values, by what they are (`reasons/kinds.ts`). */
export const REASON_PARAMS = {
  /** A sentence that has no code: of an older version. */
  note: { text: 'text' },
  ...DELIVERY_CODES,
  ...DECISION_CODES,
  ...FOLLOWING_CODES,
  ...OBSTACLE_CODES,
  ...RADIO_CODES
} as const

export type ReasonCode = keyof typeof REASON_PARAMS

interface ValueOf extends Record<Kind, ReasonValue> {
  number: number
  time: number
  text: string
  word: string
  list: readonly string[]
  any: readonly string[]
  all: readonly string[]
  within: readonly string[]
  reason: Reason
}

type Kinds<Code extends ReasonCode> = (typeof REASON_PARAMS)[Code]
export type ReasonParams<Code extends ReasonCode> = {
  -readonly [Name in keyof Kinds<Code>]: Kinds<Code>[Name] extends Kind ? ValueOf[Kinds<Code>[Name]] : never
}

/** As rows hold it. */
export interface Reason {
  code: ReasonCode
  params: Readonly<Record<string, ReasonValue>>
}

export type ReasonValue = string | number | readonly string[] | Reason

/** The only way to make one: the types know which values its code has. */
export function because<Code extends ReasonCode>(
  code: Code,
  ...[params]: keyof Kinds<Code> extends never ? [] : [ReasonParams<Code>]
): Reason {
  return { code, params: params ?? {} }
}

/** What a row or a file says, which an older version or a turned bit may have left. A code that is none is told as it stands. */
export function reasonFrom(code: unknown, params: unknown): Reason {
  const isKnown = typeof code === 'string' && Object.hasOwn(REASON_PARAMS, code)
  if (!isKnown || typeof params !== 'object' || params === null) return because('note', { text: String(code) })
  return { code: code as ReasonCode, params: params as Reason['params'] }
}

/** Of what came as JSON, from a row or another process: a code of ours, with values. */
export function isReason(value: unknown): value is Reason {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('params' in value)) return false
  const { code, params } = value
  return typeof code === 'string' && Object.hasOwn(REASON_PARAMS, code) && typeof params === 'object' && params !== null
}

/** Whether both say the same, or both nothing. */
export function isSame(one: Reason | null, other: Reason | null): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
