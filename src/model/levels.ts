import { defaultSeverity } from './families.ts'
import { floorOf } from './floors.ts'
import { floodLevel, type Impact, impactFloor } from './impact.ts'
import { highestSeverity, isAtLeast, type Severity } from './severity.ts'
import { weatherCategory } from './weather-hazards.ts'

/**
 * Facts that the level of a warning is read from. Values are those of CAP 1.2 §3.2.2; anything else counts as unknown.
 */
export interface AlertFacts {
  /** The event name: `Tornado Warning`. */
  event: string
  severity: string
  urgency: string
  /** The message says that something ended: the level is taken as sent, never raised by name. */
  ended: boolean
  /** The category whose default weight counts where severity is unknown. */
  category?: string
  /** Event codes of SAME and CAP-CP. */
  codes?: readonly string[]
}

/** No level falls below what code and name mean, nor, where its sender does not say how severe it is, below its category. */
function leastOf(facts: AlertFacts): Severity {
  if (facts.ended) return 'routine'
  const { severity, urgency } = spelled(facts)
  const isUnstated = !STATED.has(severity) && urgency !== 'Past'
  const usual = isUnstated ? defaultSeverity(facts.category ?? '') : 'routine'
  return highestSeverity([floorOf(facts.event, facts.codes), usual])
}

const STATED = new Set(['Extreme', 'Severe', 'Moderate', 'Minor'])

/** In the spelling of CAP: some senders write capitals, and a warning must not be taken for a note because of it. */
function spelled({ severity, urgency }: AlertFacts): { severity: string; urgency: string } {
  const proper = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).toLowerCase()}`
  return { severity: proper(severity.trim()), urgency: proper(urgency.trim()) }
}

/**
 * Facts that the level of an NWS alert is read from. `kind` is phenomenon and significance of its VTEC, `FF.W`; ''
 * without.
 */
export interface NwsFacts extends AlertFacts, Impact {
  kind: string
}

/**
 * Level of an NWS alert: by name, severity and urgency, raised by tags and words (`impact.ts`). The warning of a river goes
 * by its stage: CAP calls minor and major floods alike. A Tornado Watch is Extreme but Future: critical, not a wake-up.
 */
export function nwsLevel(facts: NwsFacts): Severity {
  const stated = highestSeverity([leastOf(facts), unlessOfADay(facts, statedLevel(facts))])
  if (facts.ended) return stated
  const isFlood = /^flood warning$/i.test(facts.event.trim()) || facts.kind === 'FL.W'
  const isImmediate = spelled(facts).urgency === 'Immediate'
  const byStage = isFlood && facts.flood !== null ? floodLevel(facts.flood, isImmediate) : stated
  return highestSeverity([byStage, impactFloor(facts, facts)])
}

const OF_A_DAY = /^weather_(?:winter|cold|heat|fog|marine)_/
const OF_MINUTES = /\b(?:snow squall|special marine)\b/i

/**
 * Winter storms, cold, heat and gales last a day, and CAP calls a lake-effect snow Extreme and every Storm Warning at sea
 * Immediate: nobody is woken for them, unless tags or words raise them.
 */
function unlessOfADay({ event }: AlertFacts, level: Severity): Severity {
  const isLong = OF_A_DAY.test(weatherCategory(event)) && !OF_MINUTES.test(event)
  return isLong && isAtLeast(level, 'critical') ? 'priority' : level
}

function statedLevel(facts: AlertFacts): Severity {
  const { severity, urgency } = spelled(facts)
  if (severity === 'Extreme') return urgency === 'Immediate' ? 'immediate' : 'critical'
  if (severity === 'Severe') return urgency === 'Immediate' ? 'critical' : 'priority'
  return severity === 'Moderate' && /\bwarning$/i.test(facts.event.trim()) ? 'priority' : 'routine'
}

/** Level of a CAP alert of any sender. An all-clear is routine. */
export function capLevel(facts: AlertFacts & { allClear: boolean }): Severity {
  return facts.allClear ? 'routine' : highestSeverity([leastOf(facts), levelByWords(facts)])
}

function levelByWords(facts: AlertFacts): Severity {
  const { severity, urgency } = spelled(facts)
  const now = urgency === 'Immediate'
  if (severity === 'Extreme') return now ? 'immediate' : 'critical'
  if (severity === 'Severe') return now ? 'critical' : 'priority'
  return severity === 'Moderate' && now ? 'priority' : 'routine'
}

/** Facts that the level of an earthquake is read from: magnitude, PAGER colour, and whether a region was hit. */
export interface QuakeFacts {
  magnitude: number | null
  alert: string | null
  insideRegion?: boolean
}

/**
 * Level of an earthquake. Inside a region M 3.5 is enough for `priority`, elsewhere it takes M 4.5. The `tsunami` flag of
 * the USGS only says that a tsunami centre has a page for it; a warning comes from that centre, as an alert of its own.
 */
export function quakeLevel({ magnitude, alert, insideRegion = false }: QuakeFacts): Severity {
  const size = magnitude ?? Number.NEGATIVE_INFINITY
  return highestSeverity([levelOfSize(size, insideRegion ? 3.5 : 4.5), levelOfColour(alert)])
}

function levelOfSize(magnitude: number, priorityFrom: number): Severity {
  if (magnitude >= 7) return 'immediate'
  if (magnitude >= 6) return 'critical'
  return magnitude >= priorityFrom ? 'priority' : 'routine'
}

function levelOfColour(alert: string | null): Severity {
  if (alert === 'red') return 'immediate'
  if (alert === 'orange') return 'critical'
  return alert === 'yellow' ? 'priority' : 'routine'
}
