import type { Services } from './api/services.ts'
import * as areas from './areas.ts'
import type { Area, Route } from './server/route.ts'

const AREAS: readonly Area<Services>[] = Object.values(areas)

/**
 * Every method and path there is; whatever is not here has no handler (contract §11). By path, and a fixed segment stands before
 * a parameter, because the first row that fits is taken.
 */
export function routes(services: Services): Route[] {
  const table: Route[] = AREAS.flatMap((area) => area(services, () => table))
  return table.sort((a, b) => compare(placeOf(a), placeOf(b)))
}

const placeOf = ({ path }: Route): string => path.replace(/:\w+/g, '\u{10ffff}')
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
