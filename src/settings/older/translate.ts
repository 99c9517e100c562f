import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { deliveriesOf } from './deliveries.ts'
import { matrixOf } from './matrix.ts'
import { type Bag, entriesOf, isBag, type TranslateOptions, Translation } from './notes.ts'

const WHOLE: ReadonlySet<string> = new Set([
  'notifications',
  'coverage',
  'connection',
  'bot',
  'timezone',
  'mesh_sources'
])
/** Entries that name their section by themselves. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  notifications: ['toggles', 'rules', 'destinations', 'region_routes'],
  coverage: ['areas', 'bbox', 'region_tagging', 'excluded_adapters']
}

/**
 * The configuration of the earlier system, read from its files, as one of ours, with a note for every entry: taken, changed, or without a counterpart. Its file
 * of notifications has no key around it, nor that of coverage: they are known by what stands in them, and so is an entry beside a section.
 * @throws AppError `bad-input` where one entry stands twice and says two things: one of them would be lost
 */
export function translateOlder(files: readonly unknown[], options: TranslateOptions): Translation {
  const translation = new Translation()
  const older: Bag = {}
  for (const { section, key, value } of files.flatMap(piecesOf)) join(older, { section, key, value })
  for (const [key, value] of Object.entries(older)) {
    if (key === 'coverage') coverageOf(translation, value)
    else if (key === 'notifications') notificationsOf(translation, value, options)
    else if (key === 'connection') radiosOf(translation, value)
    else if (key === 'bot') stationOf(translation, value)
    else if (key === 'timezone' && typeof value === 'string')
      translation.put(['station', 'timezone'], value, [key], 'other_name')
    else translation.note('no_counterpart', [key])
  }
  tagByName(translation)
  return translation
}

interface Piece {
  /** Null for what stands at the top and is no section. */
  section: string | null
  key: string
  value: unknown
}

/** The entries of a file, each in its section. */
function piecesOf(file: unknown): Piece[] {
  const read = asBag(file)
  const keys = Object.keys(read)
  const homes = new Set(keys.map(homeOf).filter((home) => home !== null))
  const [only] = homes
  // A file without sections is one section as a whole, where all that is known of it belongs to that one.
  const around = homes.size === 1 && !keys.some((key) => WHOLE.has(key)) ? (only ?? null) : null
  return keys.flatMap((key): Piece[] => {
    const value = read[key]
    const section = homeOf(key) ?? around
    if (section !== null || !WHOLE.has(key) || !isBag(value)) return [{ section, key, value }]
    return Object.entries(value).map(([inner, own]) => ({ section: key, key: inner, value: own }))
  })
}

const homeOf = (key: string): string | null =>
  Object.keys(HOMES).find((section) => HOMES[section]?.includes(key) === true) ?? null

function join(older: Bag, { section, key, value }: Piece): void {
  const within = section === null ? older : asBag(older[section])
  const before = within[key] ?? null
  // An entry that was left empty says nothing against one that is not.
  if (before !== null && (value ?? null) === null) return
  if (before !== null && JSON.stringify(before) !== JSON.stringify(value)) {
    const entry = section === null ? key : `${section}.${key}`
    throw new AppError('bad-input', because('import_entry_twice', { entry }))
  }
  within[key] = value
  if (section !== null) older[section] = within
}

function stationOf(translation: Translation, bot: unknown): void {
  for (const [key, value] of entriesOf(bot)) {
    if (key === 'name' && typeof value === 'string')
      translation.put(['station', 'name'], value, ['bot', key], 'other_name')
    else if (key === 'contact_email' && typeof value === 'string')
      translation.put(['station', 'contact'], value, ['bot', key], 'other_name')
    else translation.note('no_counterpart', ['bot', key])
  }
}

function coverageOf(translation: Translation, coverage: unknown): void {
  const areas: Bag[] = []
  for (const [key, value] of entriesOf(coverage)) {
    const path = ['coverage', key]
    if (key === 'enabled' || key === 'region_tagging') translation.put(path, value, path)
    else if (key === 'excluded_adapters') translation.put(['coverage', 'excluded_sources'], value, path, 'other_name')
    else if (key === 'areas' && Array.isArray(value)) areas.push(...boxes(translation, value, path))
    else if (key === 'bbox') wholeBox(translation, value, areas)
    else translation.note('no_counterpart', path)
  }
  if (areas.length > 0) translation.config['coverage'] = { ...asBag(translation.config['coverage']), areas }
}

/** The older list wins over the older single box, which has no name and therefore no column of the matrix. */
function wholeBox(translation: Translation, box: unknown, areas: Bag[]): void {
  const from = ['coverage', 'bbox']
  const isBox = Array.isArray(box) && box.length === 4
  if (isBox && areas.length === 0) {
    areas.push({ bbox: box.map(Number) })
    translation.note('whole_box', from, '/coverage/areas/0')
  } else translation.note(isBox || isEmpty(box) ? 'no_counterpart' : 'not_readable', from)
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

function boxes(translation: Translation, list: readonly unknown[], path: readonly string[]): Bag[] {
  const areas: Bag[] = []
  for (const [at, area] of list.entries()) {
    const { name, west, south, east, north } = asBag(area)
    const box = [west, south, east, north].map(Number)
    const from = [...path, String(at)]
    if (!isBag(area) || [west, south, east, north].includes(undefined) || !box.every(Number.isFinite)) {
      translation.note('not_readable', from)
      continue
    }
    translation.note('box', from, `/coverage/areas/${areas.length}`)
    areas.push({ ...(typeof name === 'string' && name !== '' ? { name } : {}), bbox: box })
  }
  return areas
}

/** A later version of the older system tagged without being asked: named areas that nothing is tagged with would leave the matrix mute. */
function tagByName(translation: Translation): void {
  const coverage = asBag(translation.config['coverage'])
  const isNamed =
    Array.isArray(coverage['areas']) && coverage['areas'].some((area) => isBag(area) && area['name'] !== undefined)
  if (!isNamed || coverage['region_tagging'] !== undefined) return
  coverage['region_tagging'] = true
  translation.note('tagging_on', ['coverage', 'region_tagging'], '/coverage/region_tagging')
}

function notificationsOf(translation: Translation, notifications: unknown, options: TranslateOptions): void {
  for (const [key, value] of entriesOf(notifications)) {
    const path = ['notifications', key]
    if (key === 'enabled' || key === 'cold_start_grace_seconds') translation.put(path, value, path)
    else if (key === 'region_routes') matrixOf(translation, value, options)
    else if (key === 'toggles' || key === 'rules' || key === 'destinations') deliveriesOf(translation, key, value)
    else translation.note('no_counterpart', path)
  }
}

function radiosOf(translation: Translation, connection: unknown): void {
  const older = asBag(connection)
  const radios = [meshtastic(older), meshcore(older)].filter((radio) => radio !== null)
  const used = new Set(radios.flatMap(({ keys }) => keys))
  for (const { radio, keys } of radios) {
    const list = [...asList(translation.config['radios']), radio]
    translation.config['radios'] = list
    for (const key of keys) translation.note('radio', ['connection', key], `/radios/${list.length - 1}`)
  }
  for (const key of Object.keys(older)) if (!used.has(key)) translation.note('no_counterpart', ['connection', key])
}

interface OlderRadio {
  radio: Bag
  /** The entries it was made of. */
  keys: string[]
}

function meshtastic(older: Bag): OlderRadio | null {
  if (older['type'] === 'tcp' && typeof older['tcp_host'] === 'string')
    return {
      radio: linkOf('mt', older['tcp_host'], older['tcp_port']),
      keys: ['type', 'tcp_host', 'tcp_port'].filter((key) => key in older)
    }
  if (typeof older['serial_port'] !== 'string' || older['type'] === 'tcp') return null
  const keys = ['type', 'serial_port'].filter((key) => key in older)
  return { radio: { id: 'mt', network: 'mt', link: 'serial', path: older['serial_port'] }, keys }
}

function meshcore(older: Bag): OlderRadio | null {
  const type = older['meshcore_conn_type'] ?? 'tcp'
  if (type === 'tcp' && typeof older['meshcore_host'] === 'string' && older['meshcore_host'] !== '') {
    const keys = ['meshcore_conn_type', 'meshcore_host', 'meshcore_port'].filter((key) => key in older)
    return { radio: linkOf('mc', older['meshcore_host'], older['meshcore_port']), keys }
  }
  const path = older['meshcore_serial_port']
  if (type !== 'serial' || typeof path !== 'string' || path === '') return null
  return {
    radio: { id: 'mc', network: 'mc', link: 'serial', path },
    keys: ['meshcore_conn_type', 'meshcore_serial_port']
  }
}

const linkOf = (network: 'mt' | 'mc', host: string, port: unknown): Bag => ({
  id: network,
  network,
  link: 'tcp',
  host,
  ...(typeof port === 'number' ? { port } : {})
})

const asBag = (value: unknown): Bag => (isBag(value) ? value : {})
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
