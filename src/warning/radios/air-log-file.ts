import { appendFileSync } from 'node:fs'
import type { Radio } from './radio.ts'
import { SimulatedRadio } from './simulated.ts'

/**
 * Development aid: appends one JSON line `{at, radio, channel, text, identity}` for every text a simulated radio takes for
 * the air. Written before the radio goes on, so that the file knows what a killed process had sent.
 */
export function keepAirLog(radios: readonly Radio[], file: string): void {
  for (const radio of radios) {
    if (!(radio instanceof SimulatedRadio)) continue
    const { id } = radio.description
    radio.onTaken((entry, at) => appendFileSync(file, `${JSON.stringify({ at, radio: id, ...entry })}\n`))
  }
}
