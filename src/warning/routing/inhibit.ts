import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import { isAtLeast, severityRank } from '../../model/severity.ts'
import { categoryNames } from '../../model/weather-hazards.ts'
import { canonicalCodes } from '../coverage/codes.ts'
import { locate } from '../coverage/locate.ts'
import { coveredShare } from '../coverage/share.ts'
import type { Carried, Extent, InForce, Target, TraceStep } from './decision.ts'
import type { InhibitionConfig, InhibitionMatcher } from './inhibition-settings.ts'
import { channelKey } from './keys.ts'
import { hasChanged, toldBy } from './told.ts'

/** Watches that have another name than the warning that follows them (NWS Directive 10-401). */
const STEM_OF_WARNING = new Map([['red flag', 'fire weather']])
/** Outlines are drawn with a pen: a little may stand out. */
const WHOLE_SHARE = 0.98
const SKETCH_VERTICES = 400

type Facts = Pick<InForce, 'family' | 'category' | 'severity' | 'eventName'>

interface InhibitionRule {
  /** As the configuration calls it; null for the rule that a warning mutes its watch. */
  name: string | null
  /** The same words for the same people: only where the graver message went is the lesser one not told. */
  onItsChannel: boolean
  mutes: (event: LookoutEvent, other: InForce) => boolean
}

export interface InhibitionContext {
  config: InhibitionConfig
  /** Called only for an event that could be muted. */
  inForce: () => readonly InForce[]
  carried: () => readonly Carried[]
  /** The regions a code reaches; null when nobody can tell. */
  regionsOf: (code: string) => readonly string[] | null
}

interface RoutedTo {
  target: Target
  regions: string[]
}

/** The silent part: the regions of a target, and until when (epoch milliseconds). */
interface Muted<Routed> {
  routed: Routed
  until: number
}

/**
 * Takes from the targets the regions in which a graver message says the same: a warning mutes its watch and its advisory, and
 * rules of the configuration say what else mutes what. Only where it holds, only as long as it holds, and nothing of what a
 * channel was told before (docs/interface.md §4 rule 10). `immediate` is never muted, nor anything by a lesser one; an end
 * is not asked here.
 */
export function applyInhibition<Routed extends RoutedTo>(
  event: LookoutEvent,
  targets: readonly Routed[],
  context: InhibitionContext
): { targets: Routed[]; muted: Muted<Routed>[]; trace: TraceStep[] } {
  const gravers = graverThan(event, context)
  if (gravers.length === 0) return { targets: [...targets], muted: [], trace: [] }
  const trace: TraceStep[] = []
  const free: Routed[] = []
  const muted: Muted<Routed>[] = []
  for (const routed of targets) {
    const silent = new Map<string, Covering>()
    for (const region of routed.regions) {
      const covering = coveringOf(event, { routed, region, gravers, context })
      if (covering !== null) silent.set(region, covering)
    }
    const channel = channelKey(routed.target)
    for (const [region, covering] of silent) {
      const why = whatInhibits(covering, region)
      trace.push({ stage: 'inhibit', outcome: 'skip', reason: 'inhibited', ...why, region, channel })
    }
    const rest = routed.regions.filter((region) => !silent.has(region))
    if (rest.length > 0 || silent.size === 0) free.push({ ...routed, regions: rest })
    if (silent.size > 0)
      muted.push({
        routed: { ...routed, regions: [...silent.keys()] },
        until: Math.min(...[...silent.values()].map(({ until }) => until))
      })
  }
  return { targets: free, muted, trace }
}

function whatInhibits({ name: by, rule }: Covering, region: string): Reason {
  return rule === null ? because('inhibited_by_warning', { by, region }) : because('inhibited', { by, region, rule })
}

type Graver = InForce & { rule: InhibitionRule }

function graverThan(event: LookoutEvent, { config, inForce }: InhibitionContext): Graver[] {
  const rules = rulesAbout(event, config)
  if (rules.length === 0 || event.severity === 'immediate') return []
  return inForce().flatMap((other) => {
    if (other.threadId === event.thread_id || severityRank(other.severity) < severityRank(event.severity)) return []
    const rule = rules.find(({ mutes }) => mutes(event, other))
    return rule === undefined ? [] : [{ ...other, rule }]
  })
}

interface Covering {
  name: string
  rule: string | null
  until: number
}

/** The message that says all of it in this region, to whom the target speaks; null: it is to be told there. */
function coveringOf(
  event: LookoutEvent,
  {
    routed,
    region,
    gravers,
    context
  }: { routed: RoutedTo; region: string; gravers: readonly Graver[]; context: InhibitionContext }
): Covering | null {
  const key = channelKey(routed.target)
  const here = gravers.filter(
    ({ regions, channelKey: carrier, rule }) => regions.includes(region) && (!rule.onItsChannel || carrier === key)
  )
  const [first] = here
  if (first === undefined || isFollowed(event, key, { region, carried: context.carried() })) return null
  const extents = covers(
    event,
    here.flatMap(({ extents: all }) => all()),
    codesIn(event, region, context)
  )
  if (extents === null) return null
  const until = Math.min(...extents.map(endOf))
  return { name: first.eventName || first.category, rule: first.rule.name, until }
}

/** A change of something told always passes; what still waits there, and says nothing new, waits on. */
function isFollowed(
  event: LookoutEvent,
  key: string,
  { region, carried }: { region: string; carried: readonly Carried[] }
): boolean {
  const history = carried.filter((row) => row.channelKey === key)
  const waiting = history.findLast(({ state, kind }) => state === 'waiting' && kind !== 'cancel')
  const told = toldBy(history.filter((row) => row !== waiting))
  if (told.last === null) return false
  if (waiting === undefined || !waiting.regions.includes(region) || told.regions.has(region)) return true
  return hasChanged(event, toldBy(history), () => [])
}

/** The codes of the event that lie in this region, or that nobody can place. */
function codesIn(event: LookoutEvent, region: string, { regionsOf }: InhibitionContext): readonly string[] {
  const { zones, same, data } = event
  const [own = []] = [zones, same, data.geocodes ?? []].map(canonicalCodes).filter((codes) => codes.length > 0)
  const inside = own.filter((code) => regionsOf(code)?.includes(region) ?? true)
  return inside.length > 0 ? inside : own
}

/**
 * The parts of what is in force that together hold wherever this event does, and as long; null when some of it is left over.
 * What says nothing of its place holds in its whole region.
 */
function covers(event: LookoutEvent, all: readonly Extent[], codes: readonly string[]): readonly Extent[] | null {
  const until = event.expires === null ? Number.POSITIVE_INFINITY : Date.parse(event.expires)
  const extents = all.filter((extent) => endOf(extent) >= until)
  const place = locate(event, SKETCH_VERTICES)
  if (place === null && codes.length === 0) return extents.length === 0 ? null : extents
  const parts = extents.map((extent) => ({
    extent,
    place: locate(extent.event, SKETCH_VERTICES),
    codes: new Set(canonicalCodes(extent.zones))
  }))
  const whole = parts.find(
    (part) =>
      (part.place === null && part.codes.size === 0) ||
      (part.place !== null && place !== null && coveredShare(place, part.place) >= WHOLE_SHARE)
  )
  if (whole !== undefined) return [whole.extent]
  // A drawn part holds where it is drawn; the counties it touches are more than that.
  const coded = parts.filter((part) => part.place === null)
  const found = codes.map((code) => coded.find((part) => part.codes.has(code) || part.codes.has(code.slice(0, 2))))
  const needed = found.filter((part) => part !== undefined)
  return codes.length > 0 && needed.length === codes.length ? needed.map(({ extent }) => extent) : null
}

function endOf({ event }: Extent): number {
  return event.expires === null ? Number.NEGATIVE_INFINITY : Date.parse(event.expires)
}

function rulesAbout(event: LookoutEvent, config: InhibitionConfig): InhibitionRule[] {
  const own = config.rules
    .filter(({ enabled, target }) => enabled && matches(target, factsOf(event)))
    .map(({ name, source }) => ({
      name,
      onItsChannel: false,
      mutes: (_: LookoutEvent, other: InForce) => matches(source, other)
    }))
  if (!config.warning_mutes_watch || stemOf(factsOf(event).eventName, /^(.+) (?:watch|advisory)$/) === null) return own
  return [{ name: null, onItsChannel: true, mutes: isItsWarning }, ...own]
}

function isItsWarning(event: LookoutEvent, other: InForce): boolean {
  const stem = stemOf(event.data.event_name ?? '', /^(.+) (?:watch|advisory)$/)
  const warned = stemOf(other.eventName, /^(.+) warning$/)
  if (stem === null || warned === null || other.family !== event.family) return false
  return warned === stem || STEM_OF_WARNING.get(warned) === stem
}

function stemOf(name: string, pattern: RegExp): string | null {
  return pattern.exec(name.trim().toLowerCase())?.[1] ?? null
}

function factsOf({ family, category, severity, data }: LookoutEvent): Facts {
  return { family, category, severity, eventName: data.event_name ?? '' }
}

function matches(matcher: InhibitionMatcher, facts: Facts): boolean {
  const { families, categories, events, min_severity } = matcher
  if (families.length > 0 && !families.includes(facts.family)) return false
  if (categories.length > 0 && !categoryNames(facts.category).some((name) => categories.includes(name))) return false
  const name = facts.eventName.trim().toLowerCase()
  if (events.length > 0 && !events.some((wanted) => wanted.trim().toLowerCase() === name)) return false
  return isAtLeast(facts.severity, min_severity)
}
