import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import type { Geometry } from '../model/geojson.ts'
import { because } from '../model/reason.ts'
import { AppError, errorText } from '../platform/errors.ts'
import type { Config } from '../settings/schema.ts'
import { findCountyAtlas, openZoneFiles } from '../warning/atlas/zone-files.ts'
import { buildAreas } from '../warning/coverage/area.ts'
import { buildRegionIndex, type RegionIndex } from '../warning/coverage/region-index.ts'
import { areaSchema } from '../warning/coverage/settings.ts'
import { tagEvent } from '../warning/coverage/tag.ts'
import { combineZoneShapes, type ZoneShapes, zoneShapesFromMap } from '../warning/coverage/zones.ts'
import { taggableEvent } from '../warning/events/feature.ts'
import { checked, readConfigNamed, readJsonNamed } from './files.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout tag --areas FILE [--zones FILE] < events

Stamps events with the names of the areas they touch.
  --areas FILE   a JSON array of coverage areas, or a whole configuration
  --zones FILE   JSON object: code → GeoJSON geometry; used before the county atlas

stdin: one Event or GeoJSON Feature a line (a FeatureCollection is taken apart)
stdout: {"id", "region", "regions"} a line, in the order of the input
exit codes: 0 all tagged · 1 some lines were no events (told on stderr) · 2 usage · 3 areas refused
`

const areasSchema = v.array(areaSchema)
const zonesSchema = v.record(v.string(), v.looseObject({ type: v.string() }))

/** `lookout tag`: contract §12. Always tags, whatever `region_tagging` says. */
export async function tag(args: string[], context: VerbContext): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { areas: { type: 'string' }, zones: { type: 'string' }, help: { type: 'boolean', short: 'h' } }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  if (values.areas === undefined) throw new AppError('usage', because('tag_names_areas'))
  const index = await loadIndex(values.areas, values.zones)
  let bad = 0
  for await (const { name, value } of inputs(context)) {
    if (value instanceof AppError) {
      bad++
      context.err(`lookout tag: ${name}: ${value.message}\n`)
      continue
    }
    context.out(`${JSON.stringify(tagOne(value, index))}\n`)
  }
  return bad === 0 ? 0 : 1
}

function tagOne(value: unknown, index: RegionIndex): { id: unknown; region: string | null; regions: string[] } {
  const event = taggableEvent(value, { now: 0 })
  const { region, regions } = tagEvent(event, index.match(event), { region_tagging: true, areaCount: 1 })
  return { id: event.id, region, regions }
}

async function loadIndex(areasFile: string, zonesFile: string | undefined): Promise<RegionIndex> {
  const areas = await loadAreas(areasFile)
  const atlas = openZoneFiles({ zonesFolder: '', atlasFile: findCountyAtlas(import.meta.url) })
  const shapes = zonesFile === undefined ? atlas : combineZoneShapes(await loadZones(zonesFile), atlas)
  return buildRegionIndex(buildAreas({ areas }), shapes)
}

async function loadAreas(file: string): Promise<Config['coverage']['areas']> {
  const document = await readJsonNamed(file)
  if (Array.isArray(document)) return checked(areasSchema, document, file)
  return (await readConfigNamed(file)).coverage.areas
}

async function loadZones(file: string): Promise<ZoneShapes> {
  return zoneShapesFromMap(checked(zonesSchema, await readJsonNamed(file), file) as Record<string, Geometry>)
}

interface Input {
  name: string
  value: unknown
}

/** Line by line; when the first line is no complete JSON, the whole of stdin is one document. */
async function* inputs({ stdin }: VerbContext): AsyncIterable<Input> {
  const lines = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
  let number = 0
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    number++
    if (next.value.trim() === '') continue
    const value = parse(next.value)
    if (value instanceof AppError && number === 1 && /^\s*[[{]/.test(next.value)) {
      yield* wholeDocument(next.value, lines)
      return
    }
    yield* takenApart({ name: `line ${number}`, value })
  }
}

async function* wholeDocument(first: string, rest: AsyncIterator<string>): AsyncIterable<Input> {
  const lines = [first]
  for (let next = await rest.next(); !next.done; next = await rest.next()) lines.push(next.value)
  const value = parse(lines.join('\n'))
  if (!(value instanceof AppError)) {
    yield* takenApart({ name: 'stdin', value })
    return
  }
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== '') yield* takenApart({ name: `line ${index + 1}`, value: parse(line) })
  }
}

function* takenApart({ name, value }: Input): Iterable<Input> {
  const features = Array.isArray(value) ? value : collectionOf(value)
  if (features === null) yield { name, value }
  else for (const [index, feature] of features.entries()) yield { name: `${name}, item ${index + 1}`, value: feature }
}

function collectionOf(value: unknown): unknown[] | null {
  if (typeof value !== 'object' || value === null || !('features' in value) || !Array.isArray(value.features))
    return null
  return value.features
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : new AppError('bad-input', because('not_a_json_object'))
  } catch (error) {
    return new AppError('bad-input', because('not_json_said', { said: errorText(error) }))
  }
}
