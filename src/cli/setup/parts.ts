import type { FirstRunBody } from '../../dashboard/editing/first-run-body.ts'
import { applyFirstRun } from '../../dashboard/editing/first-run-change.ts'
import { because, type Reason } from '../../model/reason.ts'
import { type JsonObject, type JsonValue, memberOf, objectAt } from '../../platform/config/json.ts'
import { AppError } from '../../platform/errors.ts'
import type { SetupKey, SetupLine } from '../../settings/first-boot/setup-lines.ts'
import type { SetupRadio, SetupValues } from '../../settings/first-boot/setup-values.ts'
import type { Config } from '../../settings/schema.ts'
import type { Gazetteer } from '../../warning/atlas/gazetteer.ts'
import type { PlaceIndex } from '../../warning/atlas/place-index.ts'
import type { SerialDevice } from '../../warning/radios/link/devices.ts'
import { areasOf, type MadeArea, placeOf, type StationPlace } from './places.ts'

/** A part of the configuration that the file asks for. */
export interface SetupPart {
  key: string
  /** As it was asked: the same again changes nothing. */
  asked: string
  /** As the report says it. */
  said: string
  /** The value that is set; undefined while nobody has set it. */
  now: (raw: JsonObject) => JsonValue | undefined
  put: (raw: JsonObject, config: Config) => JsonObject
}

export interface SetupTools {
  towns: Pick<Gazetteer, 'find' | 'near'>
  index: Pick<PlaceIndex, 'search' | 'nameOf'>
  serialDevices: () => Promise<SerialDevice[]>
}

interface Asked {
  values: SetupValues
  lines: readonly SetupLine[]
  /** The country that is set, for a file that names none. */
  country: string
}

/** The parts that the values ask for, and a reason for each that cannot be had. */
export async function setupParts(asked: Asked, tools: SetupTools): Promise<{ parts: SetupPart[]; notes: Reason[] }> {
  const { values } = asked
  const place = await placeAsked(asked, tools)
  const found = place === null || 'code' in place ? null : place
  const areas = await areasAsked(asked, found, tools)
  const radios = await radiosAsked(asked, tools)
  return {
    parts: [
      ...(values.name === undefined ? [] : [station('name', values.name)]),
      ...countryParts(asked, found),
      ...(found === null ? [] : [anchor(found)]),
      ...(areas.made.length === 0 ? [] : [areasPart(areas.made)]),
      ...radios.parts
    ],
    notes: [
      ...(place !== null && 'code' in place ? [because('setup_not_used', { key: 'place', why: place })] : []),
      ...areas.notes,
      ...radios.notes
    ]
  }
}

/** A position says its country and its zone, where nobody says another. */
function countryParts({ values, country: before }: Asked, place: StationPlace | null): SetupPart[] {
  const country = values.country ?? (before === '' ? (place?.country ?? '') : '')
  const timezone = place?.timezone ?? ''
  return [
    ...(country === '' ? [] : [station('country', country)]),
    ...(timezone === '' ? [] : [station('timezone', timezone)])
  ]
}

async function radiosAsked(asked: Asked, tools: SetupTools): Promise<{ parts: SetupPart[]; notes: Reason[] }> {
  const parts: SetupPart[] = []
  const notes: Reason[] = []
  for (const key of ['meshtastic', 'meshcore'] as const) {
    const wanted = asked.values[key]
    if (wanted === undefined) continue
    const radio = await radioAsked(wanted, asked, tools)
    if ('code' in radio) notes.push(because('setup_not_used', { key, why: radio }))
    else parts.push(radioPart(key, radio))
  }
  return { parts, notes }
}

function station(key: 'name' | 'country' | 'timezone', value: string): SetupPart {
  return {
    key,
    asked: value,
    said: value,
    now: (raw) => memberOf(raw['station'], key),
    put: (raw, config) => applyFirstRun(raw, { station: { [key]: value } }, config)
  }
}

/** A gazetteer that is missing keeps the place away, and nothing else. */
async function placeAsked({ values, country }: Asked, { towns }: SetupTools): Promise<StationPlace | Reason | null> {
  if (values.place === undefined) return null
  try {
    return await placeOf(values.place, values.country ?? country, towns)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.reason
  }
}

function anchor({ name, lat, lon, said }: StationPlace): SetupPart {
  const place = { name, lat, lon }
  return {
    key: 'place',
    asked: JSON.stringify(place),
    said,
    now: (raw) => itemsAt(memberOf(raw['station'], 'anchors'))[0],
    put: (raw, config) => applyFirstRun(raw, { place }, config)
  }
}

const USUAL_RADIUS_KM = 50

/** The named areas; without any, a circle round the place. */
async function areasAsked(
  { values }: Asked,
  place: StationPlace | null,
  { index }: SetupTools
): Promise<{ made: MadeArea[]; notes: Reason[] }> {
  if (values.areas !== undefined) {
    const { made, notes } = await areasOf(values.areas, index)
    return { made, notes: notes.map((why) => because('setup_not_used', { key: 'areas', why })) }
  }
  if (place === null) return { made: [], notes: [] }
  const circle = { lat: place.lat, lon: place.lon, radius_km: values['radius km'] ?? USUAL_RADIUS_KM }
  return { made: [{ name: place.name, circle }], notes: [] }
}

function areasPart(made: readonly MadeArea[]): SetupPart {
  const said = made.map(({ name, codes, circle }) =>
    circle === undefined ? `${name} (${codes?.join(' ')})` : `${name} (${circle.radius_km} km)`
  )
  return {
    key: 'areas',
    asked: JSON.stringify(made),
    said: said.join('; '),
    now: (raw) => {
      const areas = itemsAt(memberOf(raw['coverage'], 'areas'))
      return areas.length === 0 ? undefined : areas
    },
    put: (raw, config) => {
      objectAt(raw, 'coverage')['areas'] = []
      return made.reduce((draft, area) => applyFirstRun(draft, { area: { ...area } }, config), raw)
    }
  }
}

type RadioChoice = NonNullable<NonNullable<FirstRunBody['radios']>['mt']>

async function radioAsked(
  wanted: SetupRadio,
  { lines }: Asked,
  { serialDevices }: SetupTools
): Promise<RadioChoice | Reason> {
  if (wanted.link !== 'usb') return wanted
  const named = new Set(lines.map(({ value }) => value))
  const free = (await serialDevices()).filter(({ path }) => !named.has(path))
  const [only, other] = free
  if (only === undefined) return because('setup_usb_none')
  const both = lines.filter(({ key, value }) => isRadio(key) && /^usb$/i.test(value)).length > 1
  if (other !== undefined || both) return because('setup_usb_several', { ports: free.map(({ path }) => path) })
  return { link: 'serial', path: only.path }
}

const isRadio = (key: SetupKey): boolean => key === 'meshtastic' || key === 'meshcore'

function radioPart(key: 'meshtastic' | 'meshcore', choice: RadioChoice): SetupPart {
  const network = key === 'meshtastic' ? 'mt' : 'mc'
  return {
    key,
    asked: JSON.stringify(choice),
    said: 'path' in choice ? choice.path : 'host' in choice ? choice.host : choice.link,
    now: (raw) => itemsAt(raw['radios']).find((radio) => memberOf(radio, 'network') === network),
    put: (raw, config) => applyFirstRun(raw, { radios: { [network]: { ...choice } } }, config)
  }
}

function itemsAt(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}
