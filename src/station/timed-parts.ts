import type { HttpContext } from '../dashboard/server/context.ts'
import type { Stopper } from '../platform/clock/stopper.ts'
import type { Broadcasts } from '../warning/schedule/broadcasts.ts'
import { type StationBroadcastsOptions, stationBroadcasts } from './broadcasts.ts'
import { stationExercises } from './exercises.ts'

/** The parts that say something at its time: scheduled broadcasts, and the scripted exercise, which a preview has not. */
export function timedParts({
  transmit,
  stopper,
  ...parts
}: StationBroadcastsOptions & { transmit: boolean; stopper: Pick<Stopper, 'add'> }): {
  broadcasts: Broadcasts
  exercises: HttpContext['exercises']
} {
  const broadcasts = stationBroadcasts(parts)
  if (!transmit) return { broadcasts, exercises: null }
  const exercises = stationExercises(parts)
  stopper.add('exercise', () => exercises.close())
  return { broadcasts, exercises }
}
