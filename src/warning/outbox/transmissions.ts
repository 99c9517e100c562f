import type { ReasonCode } from '../../model/reason.ts'

/** One step of a message as it is stored (`delivery_steps`). `at`: epoch milliseconds. */
export interface StoredStep {
  /** Its number among all steps: what came later has a higher one. */
  n: number
  at: number
  code: string
  params: unknown
}

/** One time that a text left the radio. */
export interface Transmission {
  /** Number of the step that tells of it. */
  n: number
  /** Epoch milliseconds. */
  at: number
  /** `heard`: the radio never answered, and somebody was heard repeating it, which proves that it was on the air. */
  known: 'left' | 'heard'
  /** Which packet of a text that needs several. */
  part: { part: number; count: number } | null
  /** It was on the air before: the same words once more. */
  again: boolean
}

const LEFT = ['left_radio', 'left_simulated'] as const satisfies readonly ReasonCode[]
const PART = 'part_left' satisfies ReasonCode
const HANDED = ['handed_over', 'handed_over_again'] as const satisfies readonly ReasonCode[]
const REFUSED = ['refused', 'refused_for_now'] as const satisfies readonly ReasonCode[]
const HEARD = ['heard', 'heard_by', 'acknowledged'] as const satisfies readonly ReasonCode[]

/** Codes of the steps that may tell of a transmission: those of the index `delivery_steps_air`, which no others use. */
export const AIR_CODES = [...LEFT, PART, ...HEARD] as const
/** Codes of all steps that decide about one. */
const DECIDING = [...AIR_CODES, ...HANDED, ...REFUSED] as const

const quoted = (codes: readonly string[]): string => codes.map((code) => `'${code}'`).join(', ')
export const MAY_BE_ON_AIR = `code IN (${quoted(AIR_CODES)})`
export const DECIDES_ON_AIR = `code IN (${quoted(DECIDING)})`

const isOf = (codes: readonly string[], code: string): boolean => codes.includes(code)

/**
 * Every time the text of one message was on the air, in their order, by all its steps. What a radio refused after it had said that the
 * text left was not (docs/interface.md §6); what nobody answered was, once somebody is heard repeating it.
 */
export function transmissionsOf(steps: readonly StoredStep[]): Transmission[] {
  const found: Transmission[] = []
  let flying: Transmission | null = null
  for (const step of steps) {
    if (isOf(HANDED, step.code)) flying = null
    if (isOf(REFUSED, step.code)) {
      if (flying !== null) found.pop()
      flying = null
    }
    const one = toldBy(step, found.length > 0)
    if (one === null) continue
    found.push(one)
    if (one.known === 'left') flying = one
  }
  return found.map((one, index) => ({ ...one, again: found.slice(0, index).some((before) => isSame(before, one)) }))
}

function toldBy({ n, at, code, params }: StoredStep, isKnown: boolean): Transmission | null {
  if (code === PART || isOf(LEFT, code))
    return { n, at, known: 'left', part: code === PART ? partOf(params) : null, again: false }
  return isOf(HEARD, code) && !isKnown ? { n, at, known: 'heard', part: null, again: false } : null
}

/** The same packet of the text, or the whole of it. */
function isSame({ part: before }: Transmission, { part }: Transmission): boolean {
  return before?.part === part?.part
}

function partOf(params: unknown): Transmission['part'] {
  if (typeof params !== 'object' || params === null || !('part' in params) || !('count' in params)) return null
  return { part: Number(params.part), count: Number(params.count) }
}
