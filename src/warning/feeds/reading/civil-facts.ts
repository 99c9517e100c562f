import type { EventData } from '../../../model/event.ts'
import { gravityOfFlood, type Impact } from '../../../model/impact.ts'
import { airFacts } from './air-quality.ts'
import { missingFacts } from './missing.ts'

/**
 * Facts of an alert that stand in its text alone, for whoever writes the message: who is missing and in which car
 * (`missing`), pollutant, level and action of bad air (`air`), and the stage of a flood as its `gravity`.
 */
export function saidFacts(category: string, text: string, impact: Impact): EventData {
  const isSought = category === 'emergency_amber' || category === 'emergency_missing' || /\bblue alert\b/i.test(text)
  const missing = isSought ? missingFacts(text) : {}
  const air = category.startsWith('weather_air_') ? airFacts(text) : {}
  return {
    ...(Object.keys(missing).length === 0 ? {} : { missing }),
    ...(Object.keys(air).length === 0 ? {} : { air }),
    ...(impact.flood === null ? {} : { gravity: gravityOfFlood(impact.flood) })
  }
}

/** The action that such an alert asks of people, where it has no part of its own for that; else ''. */
export function saidAction(category: string, text: string): string {
  return category.startsWith('weather_air_') ? (airFacts(text).action ?? '') : ''
}
