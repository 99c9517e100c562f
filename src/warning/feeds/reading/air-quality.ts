import { oneLine, sentences } from './prose.ts'

/** Facts of an air quality alert that somebody can act on, as far as it has them. */
export interface AirFacts {
  /** `ozone`, `fine particles`, `smoke` … */
  pollutant?: string
  /** `code orange`, `unhealthy for sensitive groups` … */
  level?: string
  /** The advice to people. */
  action?: string
}

const POLLUTANTS: readonly (readonly [RegExp, string])[] = [
  [/\bozone\b/i, 'ozone'],
  [/\bPM ?2\.5\b|\bfine particul|\bfine particle|\bparticle pollution\b/i, 'fine particles'],
  [/\bsmoke\b/i, 'smoke'],
  [/\bPM ?10\b|\bblowing dust\b|\bdust\b/i, 'dust'],
  [/\bparticulate|\bparticulates\b/i, 'particles'],
  [/\bnitrogen dioxide\b/i, 'nitrogen dioxide'],
  [/\bsulfur dioxide\b/i, 'sulfur dioxide']
]
/** Gravest first: a text that explains the scale names lesser ones beside its own. */
const CODE = /\bcode (maroon|purple|red|orange|yellow)\b/i
const LEVELS: readonly (readonly [RegExp, string])[] = [
  [/\bhazardous\b/i, 'hazardous'],
  [/\bvery unhealthy\b/i, 'very unhealthy'],
  [/\b(?:unhealthy|unhealthful) for sensitive (?:groups|people)\b/i, 'unhealthy for sensitive groups'],
  [/\bunhealth(?:y|ful)\b/i, 'unhealthy'],
  [/\bmoderate\b/i, 'moderate']
]
const ACTION =
  /\b(?:should|are (?:urged|advised|encouraged|asked) to|limit|avoid|reduce|stay (?:indoors|inside)|minimi[sz]e|refrain)\b/i
/** Of those, what is asked of the health of people, not of their cars and mowers. */
const HEALTH =
  /\b(?:outdoor|outside|indoors|inside|exertion|exercise|activit|children|older adults|elderly|asthma|breath)/i

export function airFacts(text: string): AirFacts {
  const line = oneLine(text)
  const code = CODE.exec(line)?.[1]?.toLowerCase()
  const level = code === undefined ? LEVELS.find(([pattern]) => pattern.test(line))?.[1] : `code ${code}`
  const pollutant = POLLUTANTS.find(([pattern]) => pattern.test(line))?.[1]
  const asked = sentences(text).filter((sentence) => ACTION.test(sentence))
  const action = asked.find((sentence) => HEALTH.test(sentence)) ?? asked[0]
  return {
    ...(pollutant === undefined ? {} : { pollutant }),
    ...(level === undefined ? {} : { level }),
    ...(action === undefined ? {} : { action: imperativeOf(action) })
  }
}

/** `It is recommended that, when possible, you avoid …` asks to avoid it. */
function imperativeOf(sentence: string): string {
  const rest = sentence.replace(/^It is recommended that,?(?: when possible,?)? (?:you|people|everyone) (?=[a-z])/i, '')
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

const BAN = /\b((?:mandatory |voluntary )?(?:wood[- ]?burning|open burning|outdoor burning|burn) ban)\b/i

/** Pollutant and level as one sentence, or the ban of fires it is about; '' when the text names none. */
export function airSentence(text: string): string {
  const ban = BAN.exec(oneLine(text))?.[1]
  if (ban !== undefined && CODE.exec(text) === null)
    return `${ban.charAt(0).toUpperCase()}${ban.slice(1).toLowerCase()}.`
  const { pollutant, level } = airFacts(text)
  const parts = [level ?? '', pollutant ?? ''].filter((part) => part !== '')
  const sentence = parts.join(', ')
  return sentence === '' ? '' : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}
