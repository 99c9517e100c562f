import { asBag, numberOf } from '../reading/json.ts'
import type { SourceMemory } from '../source.ts'
import { SCALE_LETTERS, type ScaleLetter } from './scales.ts'

/** Older figures say nothing about now. */
const VALID_MS = 6 * 3_600_000

const EFFECTS: Record<ScaleLetter, string> = {
  R: 'HF fades on the day side',
  S: 'polar HF poor',
  G: 'HF unsettled, aurora'
}

/**
 * Band conditions as last heard, in one sentence: `BANDS 7:00a: Kp 2.3, R0 S0 G0. No storm`. Null when nothing was
 * heard within six hours. Times are epoch milliseconds; `clockText` writes one as the station does.
 */
export function bandConditions(
  memory: Pick<SourceMemory, 'get'>,
  now: number,
  clockText: (ms: number) => string
): string | null {
  const heard = numberOf(memory.get('scales_at'))
  if (heard === null || now - heard > VALID_MS) return null
  const levels = SCALE_LETTERS.map((letter) => ({ letter, level: levelOf(memory, letter) }))
  const index = kpOf(memory, now)
  const scales = levels.map(({ letter, level }) => `${letter}${level}`).join(' ')
  const effects = levels.flatMap(({ letter, level }) => (level > 0 ? [EFFECTS[letter]] : []))
  const facts = [index === null ? '' : `Kp ${index.toFixed(1)}`, scales].filter((part) => part !== '').join(', ')
  return `BANDS ${clockText(heard)}: ${facts}. ${effects.length === 0 ? 'No storm' : effects.join(', ')}`
}

/** Of a storm that has weakened, how strong it is now at most. */
function levelOf(memory: Pick<SourceMemory, 'get'>, letter: ScaleLetter): number {
  const storm = asBag(memory.get(`storm:${letter}`))
  const weaker = numberOf(asBag(storm?.['weaker'])?.['peak'])
  return weaker ?? numberOf(storm?.['level']) ?? 0
}

function kpOf(memory: Pick<SourceMemory, 'get'>, now: number): number | null {
  const bag = asBag(memory.get('kp'))
  const [time, kp] = [numberOf(bag?.['time']), numberOf(bag?.['kp'])]
  return time === null || kp === null || now - time > VALID_MS ? null : kp
}
