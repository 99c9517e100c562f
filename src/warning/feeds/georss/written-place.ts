const ANGLE = String.raw`([-+]?\d{1,3}(?:\.\d{1,8})?)(?:\s*[°ºd\s]\s*(\d{1,2}(?:\.\d{1,6})?))?(?:\s*['′m\s]\s*(\d{1,2}(?:\.\d{1,6})?))?`
const LATITUDE = new RegExp(String.raw`\blat(?:itude)?\s*[:=]\s*${ANGLE}\s*['′"″ms]{0,2}\s*([NS])?\b`, 'i')
const LONGITUDE = new RegExp(String.raw`\blon(?:g|gitude)?\s*[:=]\s*${ANGLE}\s*['′"″ms]{0,2}\s*([EW])?\b`, 'i')

/**
 * The place that an item writes into its text, `Latitude: 44° 12 36 Longitude: 115° 13 12`. `isWest`: of a feed that
 * leaves the sign out and knows but one side of the Earth. Null for anything else.
 */
export function writtenPlace(text: string, isWest = false): { lat: number; lon: number } | null {
  const [lat, lon] = [angleOf(LATITUDE.exec(text)), angleOf(LONGITUDE.exec(text))]
  if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180 || (lat === 0 && lon === 0)) return null
  return { lat, lon: isWest && lon > 0 ? -lon : lon }
}

function angleOf(found: RegExpExecArray | null): number | null {
  const [, degrees = '', minutes = '0', seconds = '0', side = ''] = found ?? []
  if (degrees === '' || Number(minutes) >= 60 || Number(seconds) >= 60) return null
  const size = Math.abs(Number(degrees)) + Number(minutes) / 60 + Number(seconds) / 3600
  const isNegative = degrees.startsWith('-') || /[SW]/i.test(side)
  return Math.round((isNegative ? -size : size) * 1e5) / 1e5
}
