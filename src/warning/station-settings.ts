import * as v from 'valibot'
import { AIR_LANGUAGES } from '../model/air-languages.ts'
import { forEverybody } from '../platform/config/for-everybody.ts'
import { looseObject } from '../platform/config/object.ts'

const anchorSchema = looseObject({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('an anchor has a name'),
    v.description('As it stands in messages.'),
    forEverybody()
  ),
  lat: v.pipe(
    v.number(),
    v.minValue(-90, 'latitude must be between -90 and 90'),
    v.maxValue(90, 'latitude must be between -90 and 90'),
    v.description('Degrees north.')
  ),
  lon: v.pipe(v.number(), v.finite(), v.description('Degrees east.'))
})

/** Making a formatter takes longer than reading the rest of a configuration. */
const knownZones = new Set<string>()

function isTimeZone(zone: string): boolean {
  if (knownZones.has(zone)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    knownZones.add(zone)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export const stationSchema = looseObject({
  name: v.pipe(
    v.optional(v.string(), 'Lookout'),
    v.title('Station name'),
    v.description('Heads the pages of the dashboard.'),
    forEverybody()
  ),
  contact: v.pipe(
    v.optional(v.string(), ''),
    v.title('Contact'),
    v.description('E-mail or web address named to the feeds (User-Agent). Some feeds refuse to answer without one.')
  ),
  country: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^(?:[A-Z]{2})?$/, 'a country is two letters, such as US or DE')), ''),
    v.title('Country'),
    v.description('Two letters (ISO 3166). The first steps propose sources by it, and set time format and units.'),
    forEverybody()
  ),
  timezone: v.pipe(
    v.optional(v.pipe(v.string(), v.check(isTimeZone, 'not an IANA time zone, such as America/Boise')), 'UTC'),
    v.title('Time zone'),
    v.description('Times in messages are local to this IANA zone.'),
    forEverybody()
  ),
  time_format: v.pipe(
    v.optional(v.picklist(['12h', '24h']), '12h'),
    v.title('Time format'),
    v.description('How messages and pages write times: 6:21p or 18:21.')
  ),
  language: v.pipe(
    v.optional(v.picklist(AIR_LANGUAGES, `a language is one of ${AIR_LANGUAGES.join(', ')}`), 'en'),
    v.title('Language on the air'),
    v.description(
      'The language of the texts on the air, unless a channel has its own (messages.channels): the words of Lookout itself, and of sources what can be said in it. Pages have the language of whoever opens them.'
    )
  ),
  units: v.pipe(
    v.optional(v.picklist(['metric', 'imperial']), 'metric'),
    v.title('Units'),
    v.description(
      'What figures are told in, on the air and on the pages: km, m and ha, or mi, ft and acres. Prose of a source keeps its own.'
    )
  ),
  anchors: v.pipe(
    v.optional(v.array(anchorSchema), []),
    v.title('Anchors'),
    v.description('Named places of yours: positions are told as bearing and distance from the nearest one.')
  )
})

export type StationConfig = v.InferOutput<typeof stationSchema>
