import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { DEFAULT_TOLERANCE, importPack } from '../warning/atlas/import-pack.ts'
import { findCountyAtlas, openZoneFiles, PACK, readPack } from '../warning/atlas/zone-files.ts'
import { canonicalCode } from '../warning/coverage/codes.ts'
import { verbFolder } from './data-folder.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout zones import FILE [--name NAME] [--system NAME] [--full] [--data DIR]
       lookout zones list [--data DIR]
       lookout zones find CODE… [--data DIR]
       lookout zones remove NAME [--data DIR]

Outlines of forecast zones, marine zones and counties, for alerts that name codes and draw nothing.
  FILE    a zipped shapefile (weather.gov/gis), GeoJSON or TopoJSON whose features carry a code; .gz is read too
  --full  keep every vertex (default: thinned by at most 150 m)
  --system NAME
          the system all codes of the file belong to, as alerts write it (EMMA_ID, NUTS3, WARNCELLID). MeteoAlarm's list of
          geocodes and Eurostat's NUTS files are known without it

A running station reads a new pack by itself, or on SIGHUP. With a pack, areas of counties and products of zones (and the
reverse) are compared by their outlines. Without one, counties stand in for zones: those the alert names itself (SAME), that
earlier alerts named beside the zone, or that the zone is named after. What none of these place is told to all areas in its
state when it is critical or above, and to nobody below; /api/health/ready says so.
exit codes: 0 done · 1 failed, or a code is unknown · 2 usage, or not a pack · 4 the file is missing
`

const REPORTED = 5

/** `lookout zones`: contract §12 (data folder), zone packs. */
export async function zones(args: string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      system: { type: 'string' },
      full: { type: 'boolean' },
      data: { type: 'string' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  const [action, ...names] = positionals
  if (values.help || action === undefined) {
    context.out(HELP)
    return values.help ? 0 : 2
  }
  const zonesFolder = join(verbFolder(values.data, context), 'zones')
  switch (action) {
    case 'import':
      return importOne(
        names,
        { zonesFolder, name: values.name, full: values.full === true, system: values.system },
        context
      )
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

async function importOne(
  [file]: readonly string[],
  {
    zonesFolder,
    name,
    full,
    system
  }: Record<'name' | 'system', string | undefined> & {
    zonesFolder: string
    full: boolean
  },
  context: VerbContext
): Promise<number> {
  if (file === undefined) throw new AppError('usage', because('zones_names_file'))
  let reported = 0
  const onSkipped = (reason: string): void => {
    reported++
    if (reported <= REPORTED) context.err(`left out: ${reason}\n`)
    else if (reported === REPORTED + 1) context.err('left out: more of the kind\n')
  }
  const tolerance = full ? 0 : DEFAULT_TOLERANCE
  if (system !== undefined && canonicalCode(`${system}:1`) === null)
    throw new AppError('usage', because('system_is_a_name', { system }))
  const pack = await importPack({
    file,
    zonesFolder,
    tolerance,
    onSkipped,
    ...(name === undefined ? {} : { name }),
    ...(system === undefined ? {} : { system })
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
