import type { LookoutEvent } from '../model/event.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { LearntZones } from '../warning/coverage/learnt-zones.ts'
import type { ZoneShapes } from '../warning/coverage/zones.ts'
import type { SourceStore } from '../warning/outbox/source-store.ts'

/** Kept where sources keep what they know, under a name no source can have. */
export const LESSONS = '(zones)'

/** Outlines, with what alerts taught about the counties of zones: learnt from every event, kept with the ledger. */
export function zoneLessons(
  store: SourceStore,
  { zones, clock }: { zones: ZoneShapes; clock: Clock }
): { zones: ZoneShapes; learn: (event: LookoutEvent) => LookoutEvent } {
  const learnt = new LearntZones({
    all: () => store.recallAll(LESSONS, '').map(([zone, counties]) => [zone, textsIn(counties)]),
    keep: (zone, counties) => store.save(LESSONS, { memory: new Map([[zone, counties]]) }, clock.now())
  })
  return {
    learn: (event) => {
      learnt.learn(event)
      return event
    },
    zones: {
      shape: (code) => zones.shape(code),
      // A name that says it all is exact; what alerts had in common may hold a neighbour more.
      counties: (zone, names) => {
        const named = zones.counties?.(zone, names) ?? null
        return named?.whole === true ? named : (learnt.counties(zone) ?? named)
      }
    }
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}
