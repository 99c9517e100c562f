import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { DEFAULT_TOLERANCE, importPack } from '../warning/atlas/import-pack.ts'
import { findCountyAtlas, openZoneFiles, PACK, readPack } from '../warning/atlas/zone-files.ts'
import { importCommand, ZONE_SOURCES, type ZoneSource, zoneSource } from '../warning/atlas/zone-sources.ts'
import { canonicalCode } from '../warning/coverage/codes.ts'
import { verbFolder } from './data-folder.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout zones sources [COUNTRY]
       lookout zones import FILE [--source SOURCE] [--name NAME] [--system NAME] [--code PROPERTY] [--member NAME] [--full] [--data DIR]
       lookout zones fetch SOURCE [--from ADDRESS] [--full] [--data DIR]
       lookout zones list [--data DIR]
       lookout zones find CODE… [--data DIR]
       lookout zones remove NAME [--data DIR]

Outlines of forecast zones, marine zones and counties, for alerts that name codes and draw nothing.
  sources which file of which authority has the outlines of a country (AT, JP), and the command for it
  fetch   downloads that file, prints its SHA-256 and imports it; without a network it says what to do by hand
  FILE    a zipped shapefile (weather.gov/gis), GeoJSON or TopoJSON whose features carry a code; .gz is read too
  --source SOURCE
          the file is that of a source: its system, property and shapefile need not be named
  --full  keep every vertex (default: thinned by at most 150 m)
  --system NAME
          the system all codes of the file belong to, as alerts write it (EMMA_ID, NUTS3, WARNCELLID). MeteoAlarm's list of
          geocodes and Eurostat's NUTS files are known without it
  --code PROPERTY
          the property of each feature that is its code
  --member NAME
          the shapefile that is meant, of several in one ZIP
  --from ADDRESS
          where the file is by now: names with a date in them change with each edition

A running station reads a new pack by itself, or on SIGHUP. With a pack, areas of counties and products of zones (and the
reverse) are compared by their outlines. Without one, counties stand in for zones: those the alert names itself (SAME), that
earlier alerts named beside the zone, or that the zone is named after. What none of these place is told to all areas in its
state when it is critical or above, and to nobody below; /api/health/ready says so.
exit codes: 0 done · 1 failed, no network, or a code is unknown · 2 usage, or not a pack · 4 the file is missing
`

const REPORTED = 5

/** The options of all actions; `zonesFolder` is that of the data folder. */
interface Given {
  zonesFolder: string
  full: boolean
  name: string | undefined
  source: string | undefined
  system: string | undefined
  code: string | undefined
  member: string | undefined
  from: string | undefined
}

/** `lookout zones`: contract §12 (data folder), zone packs. */
export async function zones(args: string[], context: VerbContext): Promise<number> {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: text,
      source: text,
      system: text,
      code: text,
      member: text,
      from: text,
      full: { type: 'boolean' },
      data: text,
      help: { type: 'boolean', short: 'h' }
    }
  })
  const [action, ...names] = positionals
  if (values.help || action === undefined) {
    context.out(HELP)
    return values.help ? 0 : 2
  }
  if (action === 'sources') return sources(names, context)
  const { name, source, system, code, member, from, full = false } = values
  const zonesFolder = join(verbFolder(values.data, context), 'zones')
  const given: Given = { zonesFolder, full, name, source, system, code, member, from }
  switch (action) {
    case 'import':
      return importOne(names, given, context)
    case 'fetch':
      return fetchOne(names, given, context)
    case 'list':
      return list(zonesFolder, context)
    case 'find':
      return find(names, zonesFolder, context)
    case 'remove':
      return remove(names, zonesFolder, context)
    default:
      throw new AppError('usage', because('zones_action_unknown', { action }))
  }
}

function sources([country]: readonly string[], context: VerbContext): number {
  const asked = country?.toUpperCase()
  const found = ZONE_SOURCES.filter(({ countries }) => asked === undefined || countries.includes(asked))
  if (found.length === 0) throw new AppError('usage', because('zone_source_of_none', { country: country ?? '' }))
  for (const source of found) {
    const { name, countries, authority, file, address, system, code, title, licence, note } = source
    context.out(
      `${name}  ${countries.join(' ') || 'all countries'}: ${authority}, ${file}\n  from     ${address}\n` +
        `  codes    ${system === null ? '' : `${system}:`}… in the property ${code}, the name in ${title}\n  licence  ${licence}\n` +
        (note === undefined ? '' : `  note     ${note}\n`) +
        `  ${source.direct ? `lookout zones fetch ${name}` : importCommand(source)}\n`
    )
  }
  return 0
}

function known(name: string): ZoneSource {
  const source = zoneSource(name)
  if (source === null) throw new AppError('usage', because('no_such_zone_source', { name }))
  return source
}

async function fetchOne([name]: readonly string[], given: Given, context: VerbContext): Promise<number> {
  if (name === undefined) throw new AppError('usage', because('zones_names_source'))
  const source = known(name)
  const { fetchZoneFile } = await import('../warning/atlas/fetch-zone-file.ts')
  const { zonesFolder, from } = given
  const file = await fetchZoneFile(source, {
    zonesFolder,
    userAgent: `Lookout/${context.version}`,
    signal: context.asked,
    ...(from === undefined ? {} : { from })
  })
  try {
    context.out(`${source.file}: ${file.bytes} bytes, SHA-256 ${file.sha256}\n`)
    return await importOne([file.path], { ...given, source: name }, context)
  } finally {
    await file.remove()
  }
}

async function importOne([file]: readonly string[], given: Given, context: VerbContext): Promise<number> {
  if (file === undefined) throw new AppError('usage', because('zones_names_file'))
  let reported = 0
  const onSkipped = (reason: string): void => {
    reported++
    if (reported <= REPORTED) context.err(`left out: ${reason}\n`)
    else if (reported === REPORTED + 1) context.err('left out: more of the kind\n')
  }
  const source = given.source === undefined ? null : known(given.source)
  const system = given.system ?? source?.system ?? undefined
  if (system !== undefined && canonicalCode(`${system}:1`) === null)
    throw new AppError('usage', because('system_is_a_name', { system }))
  const name = given.name ?? source?.name
  const pack = await importPack({
    file,
    zonesFolder: given.zonesFolder,
    tolerance: given.full ? 0 : DEFAULT_TOLERANCE,
    onSkipped,
    system,
    code: given.code ?? source?.code,
    digits: source?.digits,
    first: source?.first,
    member: given.member ?? source?.member,
    ...(name === undefined ? {} : { name })
  })
  const size = `${Math.round(pack.bytes / 1024)} KiB`
  context.out(`${pack.path}: ${pack.codes} codes, ${size}${pack.skipped === 0 ? '' : `, ${pack.skipped} left out`}\n`)
  return 0
}

async function packsIn(zonesFolder: string): Promise<string[]> {
  try {
    return (await readdir(zonesFolder)).filter((name) => PACK.test(name) && !name.startsWith('.')).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

async function list(zonesFolder: string, context: VerbContext): Promise<number> {
  const packs = await packsIn(zonesFolder)
  if (packs.length === 0)
    context.err(`no zone pack in ${zonesFolder}: counties stand in for forecast zones, as far as they are known\n`)
  for (const name of packs) {
    const path = join(zonesFolder, name)
    const { size } = await stat(path)
    try {
      const codes = readPack(path, () => undefined).codes.length
      context.out(`${name}  ${codes} codes  ${Math.round(size / 1024)} KiB\n`)
    } catch (error) {
      context.out(`${name}  cannot be used: ${errorText(error)}\n`)
    }
  }
  return 0
}

async function find(codes: readonly string[], zonesFolder: string, context: VerbContext): Promise<number> {
  if (codes.length === 0) throw new AppError('usage', because('zones_names_codes'))
  const atlasFile = findCountyAtlas(import.meta.url)
  const onProblem = (file: string, message: string): void => context.err(`${file}: ${message}\n`)
  const shapes = openZoneFiles({ zonesFolder, atlasFile, onProblem })
  let unknown = 0
  for (const code of codes) {
    const canonical = canonicalCode(code)
    const known = canonical !== null && shapes.shape(canonical) !== null
    if (!known) unknown++
    context.out(`${code}  ${known ? canonical : 'unknown'}\n`)
  }
  return unknown === 0 ? 0 : 1
}

async function remove([name]: readonly string[], zonesFolder: string, context: VerbContext): Promise<number> {
  if (name === undefined) throw new AppError('usage', because('zones_names_pack'))
  const packs = await packsIn(zonesFolder)
  const found = packs.find((pack) => pack === name || pack.startsWith(`${name}.`))
  if (found === undefined) throw new AppError('bad-input', because('no_such_pack', { name }))
  await rm(join(zonesFolder, found))
  context.out(`${found} is removed\n`)
  return 0
}
