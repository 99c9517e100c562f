import { ADDRESSES_CODES } from './reasons/addresses.ts'
import { ANSWERS_CODES } from './reasons/answers.ts'
import { ARCHIVER_CODES } from './reasons/archiver.ts'
import { AUDIT_CODES } from './reasons/audit.ts'
import { BODIES_CODES } from './reasons/bodies.ts'
import { BULK_CODES } from './reasons/bulk.ts'
import { DECISION_CODES, FOLLOWING_CODES } from './reasons/decision.ts'
import { DELIVERY_CODES } from './reasons/delivery.ts'
import { DOCUMENTS_CODES } from './reasons/documents.ts'
import { FILES_CODES } from './reasons/files.ts'
import { HOTSPOT_CODES } from './reasons/hotspot.ts'
import { ITEMS_CODES } from './reasons/items.ts'
import { JOBS_CODES } from './reasons/jobs.ts'
import { KEYS_CODES } from './reasons/keys.ts'
import type { Kind } from './reasons/kinds.ts'
import { LIBRARY_CODES } from './reasons/library.ts'
import { OBSTACLE_CODES } from './reasons/obstacles.ts'
import { ODDITY_CODES } from './reasons/oddities.ts'
import { PERIODS_CODES } from './reasons/periods.ts'
import { PLATFORM_CODES } from './reasons/platform.ts'
import { PROBE_CODES } from './reasons/probe.ts'
import { RADIO_CODES } from './reasons/radio.ts'
import { SEARCH_CODES } from './reasons/search.ts'
import { SENDERS_CODES } from './reasons/senders.ts'
import { SETUP_CODES } from './reasons/setup.ts'
import { SOURCES_CODES } from './reasons/sources.ts'
import { STRAIN_CODES } from './reasons/strain.ts'
import { TERMINAL_CODES } from './reasons/terminal.ts'
import { UPDATE_CODES } from './reasons/update.ts'
import { VERB_CODES } from './reasons/verbs.ts'
import { ZONE_CODES } from './reasons/zones.ts'

/**
 * The reason why something is as it is, as state holds it: a code and its values. Rows store it, decisions compare it;
 * the sentence is made at the edge, in the language of whoever reads (`words/sentences.ts`).
 */

/** Every code with its values, by what they are (`reasons/kinds.ts`). */
export const REASON_PARAMS = {
  /** A sentence that has no code: of an older version. */
  note: { text: 'text' },
  ...DELIVERY_CODES,
  ...DECISION_CODES,
  ...FOLLOWING_CODES,
  ...OBSTACLE_CODES,
  ...RADIO_CODES,
  ...PLATFORM_CODES,
  ...SEARCH_CODES,
  ...ARCHIVER_CODES,
  ...LIBRARY_CODES,
  ...KEYS_CODES,
  ...JOBS_CODES,
  ...FILES_CODES,
  ...BULK_CODES,
  ...DOCUMENTS_CODES,
  ...ADDRESSES_CODES,
  ...SOURCES_CODES,
  ...BODIES_CODES,
  ...ITEMS_CODES,
  ...SENDERS_CODES,
  ...ANSWERS_CODES,
  ...PERIODS_CODES,
  ...TERMINAL_CODES,
  ...ZONE_CODES,
  ...VERB_CODES,
  ...AUDIT_CODES,
  ...PROBE_CODES,
  ...HOTSPOT_CODES,
  ...SETUP_CODES,
  ...UPDATE_CODES,
  ...STRAIN_CODES,
  ...ODDITY_CODES
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
  channel: string
  channels: readonly string[]
  anyChannel: readonly string[]
  allChannels: readonly string[]
  reason: Reason
  begun: Reason
  reasons: readonly Reason[]
  causes: readonly Reason[]
  sentences: readonly Reason[]
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

export type ReasonValue = string | number | readonly (string | Reason)[] | Reason

/** The only way to make one: the types know which values its code has. */
export function because<Code extends ReasonCode>(
  code: Code,
  ...[params]: keyof Kinds<Code> extends never ? [] : [ReasonParams<Code>]
): Reason {
  return { code, params: params ?? {} }
}

/**
 * Reads a reason from a row or a file, which an older version or a turned bit may have left. A code that is none is
 * told as it stands.
 */
export function reasonFrom(code: unknown, params: unknown): Reason {
  const read = { code, params }
  return isReason(read) ? read : because('note', { text: String(code) })
}

/** Of what came as JSON, from a row or another process: a code of ours, with values. */
export function isReason(value: unknown): value is Reason {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('params' in value)) return false
  const { code, params } = value
  if (typeof code !== 'string' || !Object.hasOwn(REASON_PARAMS, code)) return false
  return typeof params === 'object' && params !== null && Object.values(params).every(isValue)
}

/** JSON has no number for what is none or without end, and writes null for it. */
function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((part) => typeof part === 'string' || isReason(part))
  return typeof value === 'string' || typeof value === 'number' || isReason(value)
}

/** True when both say the same, or both nothing. */
export function isSame(one: Reason | null, other: Reason | null): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

const LONGEST = 500

/** The words of others in it are cut: a program may say any length. */
export function shortened(reason: Reason, most = LONGEST): Reason {
  return withTexts(reason, (text) => text.slice(0, most))
}

/** The same reason, each text among its values changed. */
export function withTexts({ code, params }: Reason, change: (text: string) => string): Reason {
  const changed = <T extends string | Reason>(value: T): string | Reason =>
    typeof value === 'string' ? change(value) : withTexts(value, change)
  const values = Object.entries(params).map(([name, value]): [string, ReasonValue] => {
    if (typeof value === 'number') return [name, value]
    if (typeof value === 'string') return [name, change(value)]
    return [name, 'code' in value ? changed(value) : value.map(changed)]
  })
  return { code, params: Object.fromEntries(values) }
}
