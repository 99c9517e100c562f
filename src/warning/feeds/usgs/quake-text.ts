import type { EventData } from '../../../model/event.ts'

const MAGNITUDE =
  /(?:\bmagnitud[eo]?(?:\s?\([A-Za-z]{1,4}\))?|\bmag\b|マグニチュード|規模|\bM(?=\s?\d\.\d))[:\s]*M?\s*(\d{1,2}(?:\.\d{1,4})?)/i

/** Seismologists name the scale, and the number follows: `Mw 6.9 GREECE`, `mb 5.0`. */
const SCALED = /^(?:Mw|Mww|Mwr|Mwc|Mwb|Ml|mb|Ms|Md|mb_lg)\s+(\d{1,2}\.\d{1,2})\b/i

/** Magnitude and depth where a sender has no place for them but the text: `(Magnitude 5M, Depth:596.851km)`. */
export function quakeIn(text: string): EventData {
  const magnitude = MAGNITUDE.exec(text)?.[1] ?? SCALED.exec(text.trim())?.[1]
  const depth = /\bdepth:?\s*(\d{1,4}(?:\.\d{1,4})?)\s*km\b/i.exec(text)?.[1]
  return {
    ...(magnitude === undefined ? {} : { magnitude: Number(magnitude) }),
    ...(depth === undefined ? {} : { depth_km: Number(depth) })
  }
}
