import { classifyAlert } from './classify.ts'
import { closureLevel } from './closure.ts'
import type { LookoutEvent } from './event.ts'
import { defaultSeverity, findCategory } from './families.ts'
import { quakeLevel } from './levels.ts'
import { isAtLeast, type Severity } from './severity.ts'

type Said = Pick<LookoutEvent, 'category' | 'family' | 'title' | 'summary' | 'body' | 'data'>

/**
 * `Evacuation drill: …`, `This is a test`, and the marks of our own drills in every language of the air; `Test Range fire` and `oil drill`
 * are none.
 */
const EXERCISE =
  /^\W*(?:this is (?:only )?an? )?(?:(?:required|weekly|monthly|annual|system|siren|community|emergency|civil|amber|evacuation|fire|earthquake|tsunami|shelter|in|place) )*(?:test|exercise|drill|training|übung|probealarm|exercice|essai d'alerte|simulacro|ejercicio|esercitazione|prova di allarme|simulado|exercício|oefening|proefalarm|ćwiczenia|próbny alarm|訓練)(?:\s*[-:.!,、–—]|\s+(?:message|only|alert|of)\b|\s*$)/i
/** `Evacuation order lifted for Croy Creek`, `All clear: …`, `ID-75 reopened`. */
const OVER =
  /^\W*(?:all[- ]clear|entwarnung|cancel+(?:ed|ation)|lifted|ended)\b|\b(?:lifted|rescinded|re-?opened|open again|restored|aufgehoben|has ended|is over|no longer in effect)\s*[.!]?(?:\s+(?:for|in|at|near|around|on)\b[^.;:!]*)?$/i
/** Beside an end there may be an order that goes on. */
const STILL = /\bnow\b(?! (?:lifted|re-?opened|open|over|restored))|\b(?:immediately|at once|evacuate|sofort)\b/i

/** A gauge that says how high it stands, as those of the sources do. */
const BY_STAGE: ReadonlyMap<unknown, Severity> = new Map<unknown, Severity>([
  ['action', 'routine'],
  ['minor', 'priority'],
  ['moderate', 'critical'],
  ['major', 'immediate']
])

/**
 * The level of an event whose sender states none: that of its category, or what its facts say. An emergency without a known
 * category is what its title calls it, else a civil emergency; exercises are routine, and an end wakes nobody (docs/severity.md).
 */
export function unstatedSeverity(event: Said): Severity {
  const { title } = event
  if (EXERCISE.test(title)) return 'routine'
  const level = levelOf(event)
  const isOver = OVER.test(title.trim()) && !STILL.test(title)
  return isOver && isAtLeast(level, 'critical') ? 'priority' : level
}

function levelOf(event: Said): Severity {
  const { category, family, title, data } = event
  if (category === 'road_closure') return closureLevel([title, event.summary, event.body, data.detail].join('\n'))
  if (category === 'earthquake_event') return quakeLevel({ magnitude: data.magnitude ?? null, alert: null })
  const stage = category === 'stream_flood_warning' ? BY_STAGE.get(data['stage']) : undefined
  if (stage !== undefined) return stage
  if (findCategory(category) !== null || family !== 'emergency') return defaultSeverity(category)
  // A title is a guess: it may wake, and never spends the reserve.
  const named = classifyAlert(title)
  const usual = defaultSeverity(named.family === 'emergency' ? named.category : 'emergency_civil')
  return usual === 'immediate' ? 'critical' : usual
}
