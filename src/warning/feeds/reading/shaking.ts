import type { Circle } from '../../../model/geojson.ts'

/**
 * The circle of strong shaking: about 10^(0.43 M - 0.85) km around it, 12 km at M 4.5, 54 km at M 6, 145 km at M 7.
 * Null below `from` (null: always), where it is a point.
 */
export function shakingCircle(
  { magnitude, lat, lon }: { magnitude: number | null; lat: number; lon: number },
  from: number | null = 4.5
): Circle | null {
  if (from === null || magnitude === null || magnitude < from || magnitude > 10) return null
  return { lat, lon, radius_km: Math.round(10 ** (0.43 * magnitude - 0.85) * 10) / 10 }
}
