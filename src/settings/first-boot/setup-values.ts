import * as v from 'valibot'
import { because, type Reason } from '../../model/reason.ts'
import { codesSchema } from '../../warning/coverage/settings.ts'
import { SSID, WIFI_PASSPHRASE } from '../hotspot-wish.ts'
import type { SetupKey, SetupLine } from './setup-lines.ts'

/** Profiles that a board may be given: profiles/. */
export const PROFILE_NAMES = ['minimal_pi', 'regional_pi', 'home'] as const
/** The station chooses name and pass phrase itself. */
export const OWN_CHOICE = 'auto'
const MOST_AREAS = 100

const degrees = (most: number) => v.pipe(v.number(), v.minValue(-most), v.maxValue(most))
const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.minValue(1), v.maxValue(65535))

const radio = v.pipe(
  v.string(),
  v.transform((text) => {
    if (/^usb$/i.test(text)) return { link: 'usb' as const }
    if (text.startsWith('/')) return { link: 'serial' as const, path: text }
    const [host, named] = /^(.*[^:]):(\d+)$/.exec(text)?.slice(1) ?? [text]
    return { link: 'tcp' as const, host, ...(named === undefined ? {} : { port: named }) }
  }),
  v.variant('link', [
    v.object({ link: v.literal('usb') }),
    v.object({ link: v.literal('serial'), path: v.pipe(v.string(), v.regex(/^\/dev\/\S+$/)) }),
    v.object({
      link: v.literal('tcp'),
      host: v.pipe(v.string(), v.regex(/^[A-Za-z0-9[][A-Za-z0-9.:_\]-]{0,254}$/), v.regex(/[.:]|^localhost$/)),
      port: v.exactOptional(port)
    })
  ])
)

/** `Ada, Idaho`, `IDC001` or `Ada (IDC001, IDC027)`. */
const area = v.pipe(
  v.string(),
  v.transform((text) => {
    const [, name, codes] = /^(.*?)\s*\(([^()]*)\)$/.exec(text) ?? []
    if (codes === undefined) return { named: text }
    return { name, codes: codes.split(/[\s,]+/).filter((code) => code !== '') }
  }),
  v.union([
    v.object({ named: v.pipe(v.string(), v.nonEmpty(), v.maxLength(80)) }),
    v.object({ name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(80)), codes: codesSchema })
  ])
)

/** One schema for each key: types, checks and what is made of the text. */
const SCHEMAS = {
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(80)),
  country: v.pipe(v.string(), v.transform(countryOf), v.nonEmpty()),
  language: v.pipe(
    v.string(),
    v.transform((text) => text.slice(0, 2).toLowerCase()),
    v.picklist(['en', 'de'])
  ),
  place: v.pipe(
    v.string(),
    v.transform((text) => {
      const [, lat, lon] = /^([+-]?\d+(?:\.\d+)?)°?\s*[,;\s]\s*([+-]?\d+(?:\.\d+)?)°?$/.exec(text) ?? []
      return lat === undefined || lon === undefined ? { town: text } : { lat: Number(lat), lon: Number(lon) }
    }),
    v.union([
      v.object({ lat: degrees(90), lon: degrees(180) }),
      v.object({ town: v.pipe(v.string(), v.regex(/\p{L}/u), v.maxLength(80)) })
    ])
  ),
  'radius km': v.pipe(
    v.string(),
    v.transform((text) => Number(text.replace(/\s*km$/i, '').replace(',', '.'))),
    v.number(),
    v.minValue(1),
    v.maxValue(2000)
  ),
  areas: v.pipe(
    v.string(),
    v.transform((text) =>
      text
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    ),
    v.array(area),
    v.minLength(1),
    v.maxLength(MOST_AREAS)
  ),
  'wifi name': v.pipe(
    v.string(),
    v.transform((text) => (/^auto(?:matic)?$/i.test(text) ? OWN_CHOICE : text)),
    v.regex(SSID)
  ),
  'wifi passphrase': v.pipe(v.string(), v.regex(WIFI_PASSPHRASE)),
  meshtastic: radio,
  meshcore: radio,
  profile: v.pipe(
    v.string(),
    v.transform((text) => text.toLowerCase().replace(/[\s-]+/g, '_')),
    v.picklist(PROFILE_NAMES)
  )
} satisfies { [Key in SetupKey]: v.GenericSchema<string, unknown> }

/** Said of a value that is none: how it has to be written. */
const WANTED: Readonly<Record<SetupKey, Reason>> = {
  name: because('setup_name_form'),
  country: because('setup_country_form'),
  language: because('setup_language_form'),
  place: because('setup_place_form'),
  'radius km': because('setup_radius_form'),
  areas: because('setup_areas_form'),
  'wifi name': because('hotspot_name_form'),
  'wifi passphrase': because('hotspot_passphrase_form'),
  meshtastic: because('setup_radio_form'),
  meshcore: because('setup_radio_form'),
  profile: because('setup_profile_form', { names: [...PROFILE_NAMES] })
}

export type SetupValues = { -readonly [Key in SetupKey]?: v.InferOutput<(typeof SCHEMAS)[Key]> }
export type SetupRadio = NonNullable<SetupValues['meshtastic']>
export type SetupArea = NonNullable<SetupValues['areas']>[number]

/** The values that the lines ask for, and a reason for each that asks for something that is not to be had. A pass phrase stands in none. */
export function readSetupValues(lines: readonly SetupLine[]): { values: SetupValues; notes: Reason[] } {
  const values: Record<string, unknown> = {}
  const notes: Reason[] = []
  for (const { key, value, line } of lines) {
    const read = v.safeParse(SCHEMAS[key], value)
    if (read.success) values[key] = read.output
    else notes.push(because('setup_bad_value', { line, key, why: WANTED[key] }))
  }
  // Each was made by the schema of its key.
  return { values: values as SetupValues, notes }
}

/** The two letters of a country that is written as such or by its English or German name; empty for none. */
function countryOf(text: string): string {
  const typed = text.trim().toUpperCase()
  const wanted = typed.toLowerCase()
  for (const code of countryCodes()) {
    if (code === typed) return presentCode(code)
    if (NAMES.some((names) => names.of(code)?.toLowerCase() === wanted)) return presentCode(code)
  }
  return ''
}

const NAMES = ['en', 'de'].map((language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }))
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** `UK` is GB, and `DD` DE. */
function presentCode(code: string): string {
  return new Intl.Locale(Intl.getCanonicalLocales(`und-${code}`)[0] ?? 'und').region ?? ''
}

/** All that have a name, but what stands for no country (QO, ZZ). */
function countryCodes(): string[] {
  const all = LETTERS.flatMap((first) => LETTERS.map((second) => `${first}${second}`))
  return all.filter((code) => NAMES[0]?.of(code) !== undefined && !/^(?:EU|EZ|QO|UN|XA|XB|ZZ)$/.test(code))
}
