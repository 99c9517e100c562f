import { asBag, numberOf } from '../reading/json.ts'
import type { SourceMemory } from '../source.ts'
import { SCALE_LETTERS, type ScaleLetter } from './scales.ts'

/** Older figures say nothing about now. */
const VALID_MS = 6 * 3_600_000

/** The words of whoever listens. */
export interface BandWords {
  /** Begins the text, with the time (epoch milliseconds) as they write it. */
  bands: (heardAt: number) => string
  /** Between the figures and what they mean: a full stop. */
  stop: string
  noStorm: string
  effects: Readonly<Record<ScaleLetter, string>>
}

/** Band conditions as last heard, in one sentence: `BANDS 7:00a: Kp 2.3, R0 S0 G0. No storm`. Null when nothing was heard within six hours. */
export function bandConditions(
  memory: Pick<SourceMemory, 'get'>,
  now: number,
  { bands, stop, noStorm, effects: words }: BandWords
): string | null {
  const heard = numberOf(memory.get('scales_at'))
  if (heard === null || now - heard > VALID_MS) return null
  const levels = SCALE_LETTERS.map((letter) => ({ letter, level: levelOf(memory, letter) }))
  const index = kpOf(memory, now)
  const scales = levels.map(({ letter, level }) => `${letter}${level}`).join(' ')
  const effects = levels.flatMap(({ letter, level }) => (level > 0 ? [words[letter]] : []))
  const facts = [index === null ? '' : `Kp ${index.toFixed(1)}`, scales].filter((part) => part !== '').join(', ')
  return `${bands(heard)}: ${facts}${stop}${effects.length === 0 ? noStorm : effects.join(', ')}`
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
