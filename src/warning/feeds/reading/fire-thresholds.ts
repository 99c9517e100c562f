import * as v from 'valibot'

type Unit = 'acres' | 'hectares'
interface Defaults {
  floor: number
  growth: number
  priority: number
  critical: number
}

function size(value: number) {
  return v.optional(v.pipe(v.number(), v.minValue(0, 'a size is not negative'), v.finite()), value)
}

/** The sizes at which sources of wildfires tell something, in the unit their provider surveys in. */
export function fireThresholds(unit: Unit, defaults: Defaults) {
  return {
    growth_floor: v.pipe(
      size(defaults.floor),
      v.description(`A fire that doubles is told as growing from this size on, ${unit}: spot fires double every hour.`)
    ),
    growth_step: v.pipe(size(defaults.growth), v.description(`So much more is told without doubling too, ${unit}.`)),
    priority_from: v.pipe(size(defaults.priority), v.description(`From this size on a fire is priority, ${unit}.`)),
    critical_from: v.pipe(
      size(defaults.critical),
      v.description(`Inside a named region a fire is critical from this size on, ${unit}.`)
    )
  }
}
