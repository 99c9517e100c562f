import { byteLength, cutToBytes } from './budget.ts'

/** The signature takes no more of a packet than this. */
const MOST_BYTES = 15

/** Services under the names people know them by. Keys are in lower case. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/^environment (?:and climate change )?canada|^environnement(?: et changement climatique)? canada/i, 'ECCC'],
  [/^deutscher wetterdienst/i, 'DWD'],
  [/^bundesamt f[üu]r bev[öo]lkerungsschutz/i, 'BBK'],
  [/^bureau of meteorology/i, 'BoM'],
  [/^environment agency/i, 'Env Agency'],
  [/^met office/i, 'Met Office'],
  [/^met [ée]ireann/i, 'Met Éireann'],
  [/^macao meteorological/i, 'SMG Macao'],
  [/^hong kong observatory/i, 'HKO'],
  [/^(?:nsw|new south wales) rural fire/i, 'NSW RFS'],
  [/^global disaster alert/i, 'GDACS'],
  [/^avalanche canada/i, 'AvCan'],
  [/^nws wns$/i, 'NWS SPC'],
  [/^(?:national weather service|noaa'?s? national weather)/i, 'NWS'],
  [/^u\.?s\.? geological survey/i, 'USGS'],
  [/^national emergency management agency/i, 'NEMA'],
  [/^meteoalarm/i, 'MeteoAlarm']
]

/** Words that say nothing of who it is. */
const GENERAL =
  /\b(?:the|of|for|and|und|der|die|das|des|f[üu]r|national|service|services|department|office|agency|administration|authority|gmbh|e\.v|inc)\b\.?/gi

/**
 * A source's name in at most 15 bytes: its usual short name, else its first words; `Leitfunkstelle Kassel Feuerwehr,
 * Rettungsdienst, …` becomes `Leitst. Kassel`.
 */
export function shortSource(name: string): string {
  const known = KNOWN.find(([pattern]) => pattern.test(name))?.[1]
  if (known !== undefined) return known
  if (byteLength(name) <= MOST_BYTES) return name
  const domain = /^(?:[a-z0-9-]+\.)*([a-z0-9-]+\.[a-z]{2,})$/i.exec(name)?.[1]
  if (domain !== undefined) return cutToBytes(domain, MOST_BYTES)
  const acronym = /\(([A-Z][A-Z0-9.-]{1,9})\)|^([A-Z]{2,8})\b/.exec(name)
  if (acronym !== null) return acronym[1] ?? acronym[2] ?? ''
  const words = shortWords(name).split(/\s+/)
  let text = ''
  for (const word of words) {
    const longer = text === '' ? word : `${text} ${word}`
    if (byteLength(longer) > MOST_BYTES) break
    text = longer
  }
  return (text || cutToBytes(words[0] ?? '', MOST_BYTES)).replace(
    /(?:[ ,;:/&-]+(?:de|du|des|di|da|del|of|la|le|el|und|and|e|y))*[ ,;:/&-]*$/i,
    ''
  )
}

function shortWords(name: string): string {
  return name
    .replace(/[,;].*$/, '')
    .replace(/\bLeit(?:funk)?stelle\b/g, 'Leitst.')
    .replace(/\bRegionalleitstelle\b/g, 'Leitst.')
    .replace(/\bLandkreis(?:es)?\b/g, 'LK')
    .replace(/\b(?:Ministerium|Ministry)\b/g, 'Min.')
    .replace(/\bMeteorological\b/g, 'Met.')
    .replace(/\bDepartment\b/g, 'Dept')
    .replace(/\bCounty\b/g, 'Co')
    .replace(/\bState Police\b/g, 'SP')
    .replace(/\bPolice Dep(?:artment|t\.?)/g, 'PD')
    .replace(/\bSheriff'?s? (?:Office|Dep(?:artment|t\.?))/g, 'SO')
    .replace(/\bHighway Patrol\b/g, 'HP')
    .replace(/\bFire Dep(?:artment|t\.?)/g, 'FD')
    .replace(/\bOffice of Emergency Management\b/g, 'OEM')
    .replace(/\bEmergency Management\b/g, 'EM')
    .replace(GENERAL, ' ')
    .trim()
}
