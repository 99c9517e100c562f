import type { Severity } from '../../../model/severity.ts'

/** The NOAA space weather scales: R radio blackouts, S solar radiation storms, G geomagnetic storms. */
export const SCALE_LETTERS = ['R', 'S', 'G'] as const
export type ScaleLetter = (typeof SCALE_LETTERS)[number]

/** A level of one of the scales; 1 minor … 5 extreme. */
export interface ScaleLevel {
  letter: ScaleLetter
  level: number
}

const NAMES: Record<ScaleLetter, string> = {
  R: 'Radio Blackout',
  S: 'Solar Radiation Storm',
  G: 'Geomagnetic Storm'
}

const ADJECTIVES = ['', 'minor', 'moderate', 'strong', 'severe', 'extreme']

/** Effects that a radio operator notices, from NOAA's description of each level. */
const EFFECTS: Record<ScaleLetter, readonly string[]> = {
  R: [
    '',
    'HF weak on the sunlit side',
    'HF out for tens of minutes on the sunlit side',
    'HF out for about an hour on the sunlit side',
    'HF out for 1-2 hours on the sunlit side',
    'No HF on the sunlit side for hours'
  ],
  S: [
    '',
    'Polar HF slightly weaker',
    'Polar HF fades',
    'Polar HF degraded, GPS errors',
    'Polar HF blacked out, GPS errors for days',
    'No polar HF, GPS errors for days'
  ],
  G: [
    '',
    'Aurora at high latitudes',
    'HF fades at high latitudes, aurora',
    'HF/GPS degraded, aurora',
    'HF sporadic, GPS degraded for hours, aurora',
    'HF and GPS out for days, aurora far south'
  ]
}

/** The name of the scale's storms, as NOAA writes it. */
export function scaleName({ letter }: ScaleLevel): string {
  return NAMES[letter]
}

/** `G3`. */
export function scaleText({ letter, level }: ScaleLevel): string {
  return `${letter}${level}`
}

/** `strong`. */
export function scaleAdjective({ level }: ScaleLevel): string {
  return ADJECTIVES[level] ?? ''
}

/** One sentence about what it does to radio, without its stop. */
export function scaleEffect({ letter, level }: ScaleLevel): string {
  return EFFECTS[letter][level] ?? ''
}

/** Category of an event of this level. A blackout from R3 on takes HF away; below it is a fade. */
export function scaleCategory({ letter, level }: ScaleLevel): string {
  if (letter === 'G') return 'geomagnetic_storm'
  if (letter === 'S') return 'solar_radiation_storm'
  return level >= 3 ? 'hf_blackout' : 'rf_propagation_alert'
}

/** Levels 4 and 5 are critical (5 immediate if wished), 3 is priority, 1 and 2 are routine. */
export function scaleSeverity({ level }: ScaleLevel, extremeIsImmediate: boolean): Severity {
  if (level >= 5 && extremeIsImmediate) return 'immediate'
  if (level >= 4) return 'critical'
  return level === 3 ? 'priority' : 'routine'
}

/** The G level of a planetary K index: 5- (4.67) is G1, 9- (8.67) still G4, only 9 is G5; 0 below a storm. */
export function stormOfKp(kp: number): number {
  if (kp >= 9) return 5
  return Math.max(0, Math.min(8, Math.round(kp)) - 4)
}
