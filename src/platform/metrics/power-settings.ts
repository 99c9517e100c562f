import * as v from 'valibot'
import { looseObject } from '../config/object.ts'

/** When the board is switched off by itself (docs/operator.md, "Lamp and button"). */
export const powerSchema = looseObject({
  shutdown: v.pipe(
    v.optional(v.boolean(), false),
    v.title('Switch off when power goes'),
    v.description(
      'The board is switched off in order before a battery is empty or a supply breaks down, after one message to the mesh.'
    )
  ),
  battery_percent: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(25)), 5),
    v.title('Battery that is empty'),
    v.description('At this many percent or less of a battery that is being used up.')
  ),
  low_voltage_minutes: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(120)), 0),
    v.title('Minutes of low voltage'),
    v.description('After so long with a voltage that is too low most of the time. 0: never for that.')
  )
})

export type PowerConfig = v.InferOutput<typeof powerSchema>
