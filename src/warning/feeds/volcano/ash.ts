import { METRES_PER_FOOT, type Units } from '../../../model/units.ts'

const METRES = { km: 1000, m: 1, ft: METRES_PER_FOOT } as const
type AshUnit = keyof typeof METRES

/** A cloud of ash as its notice measures it. */
export interface Ash {
  /** Of its top: `14000`. */
  top: string
  unit: AshUnit
  /** Where it goes; '' where nobody says. */
  to: string
}

export function isAshUnit(text: string): text is AshUnit {
  return text in METRES
}

/**
 * `Ash to 14000 ft, moving north`: in the notice's own unit, or with `units` in those of the station, to a hundred metres or feet, which
 * is more than an observer sees.
 */
export function ashText({ top, unit, to }: Ash, units?: Units): string {
  return `Ash to ${reach(top, unit, units)}${to === '' ? '' : `, moving ${to}`}`
}

function reach(top: string, unit: AshUnit, units: Units | undefined): string {
  const isItsOwn = units === undefined || (unit === 'ft') === (units === 'imperial')
  const size = Number(top) * METRES[unit]
  if (isItsOwn || !Number.isFinite(size)) return `${top} ${unit}`
  const value = units === 'imperial' ? size / METRES_PER_FOOT : size
  return `${Math.round(value / 100) * 100} ${units === 'imperial' ? 'ft' : 'm'}`
}
