import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { AddressIndex } from '../../../src/knowledge/addresses/address-index.ts'
import { findAddresses } from '../../../src/knowledge/addresses/find.ts'
import { inspectAddresses } from '../../../src/knowledge/addresses/inspect.ts'
import { suggestAddresses } from '../../../src/knowledge/addresses/suggest.ts'
import type { AddressTable } from '../../../src/knowledge/addresses/table.ts'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
import { openReadOnlyDatabase } from '../../../src/platform/database/database-read-only.ts'
import { asides } from '../../../src/platform/database/put-aside.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import { inWords } from '../../helpers/in-words.ts'
import { foreignFile, SAMPLE, sampleFile } from './sample.ts'

const log = createLog({ level: 'silent' })

async function opened(t: { teardown: (work: () => void) => void }, path: string) {
  const db = await openReadOnlyDatabase(path)
  t.teardown(() => db.close())
  return { db, ...taken(db, path) }
}

function taken(db: Database, path: string) {
  const found = inspectAddresses(db, path)
  if ('code' in found) throw new AppError('bad-input', found)
  return found
}

const find = (table: AddressTable, text: string, limit = 10) => findAddresses(table, { text, country: null, limit })
const line = ({ number, street, street2, city }: { number: string; street: string; street2: string; city: string }) =>
  [number, street, street2, city].filter((part) => part !== '').join(' ')

/** [question, how it is found, the first answer]. */
const QUESTIONS: readonly (readonly [q: string, match: string, first: string])[] = [
  ['123 N Main St, Boise, ID 83702', 'exact', '123 N MAIN ST BOISE'],
  ['123 north main street boise idaho', 'exact', '123 N MAIN ST BOISE'],
  ['123 N Main St 83702', 'exact', '123 N MAIN ST BOISE'],
  ['123 N Main St Apt 4, Boise', 'exact', '123 N MAIN ST APT 4 BOISE'],
  ['123 N Main St #12, Boise', 'exact', '123 N MAIN ST APT 12 BOISE'],
  // Cities of several words, with and without a state (N13).
  ['123 Main St Twin Falls ID', 'exact', '123 MAIN ST TWIN FALLS'],
  ['123 Main St Twin Falls', 'exact', '123 MAIN ST TWIN FALLS'],
  ['123 Main St Salt Lake City', 'exact', '123 MAIN ST SALT LAKE CITY'],
  ['123 Main St Garden City ID', 'exact', '123 MAIN ST GARDEN CITY'],
  ['109 Falls Ave Twin Falls ID', 'exact', '109 FALLS AVE TWIN FALLS'],
  ['Twin Falls', 'city', '109 FALLS AVE TWIN FALLS'],
  ['Twin Falls, Idaho', 'city', '109 FALLS AVE TWIN FALLS'],
  // A bare postal code (N13), in front too.
  ['83301', 'zip', '109 FALLS AVE TWIN FALLS'],
  ['Twin Falls ID 83301', 'zip', '109 FALLS AVE TWIN FALLS'],
  ['83301 Twin Falls', 'zip', '109 FALLS AVE TWIN FALLS'],
  // Names that look like something else.
  ['10 North St, Boise', 'exact', '10 NORTH ST BOISE'],
  ['10 N St, Boise', 'exact', '10 NORTH ST BOISE'],
  ['10 Park Avenue, New York', 'exact', '10 PARK AVE NEW YORK'],
  ['500 Ave of the Americas, New York NY', 'exact', '500 AVENUE OF THE AMERICAS NEW YORK'],
  ['7 Oak Ct, Boise', 'exact', '7 OAK CT BOISE'],
  ['7 Oak Ct 83705', 'exact', '7 OAK CT BOISE'],
  ['1600 Pennsylvania Avenue Northwest Washington DC', 'exact', '1600 PENNSYLVANIA AVE NW WASHINGTON'],
  ['5 Main St Washington', 'exact', '5 MAIN ST WASHINGTON'],
  // Ordinals both ways.
  ['42 First St, Boise', 'exact', '42 1ST ST BOISE'],
  ['42 1st Ave, Boise', 'exact', '42 1ST AVE BOISE'],
  // Saint, fort, apostrophes.
  ['9 Elm St, Saint Louis MO', 'exact', '9 ELM ST ST LOUIS'],
  ['9 Elm St St Louis MO', 'exact', '9 ELM ST ST LOUIS'],
  ['11 Elm St Ft Collins', 'exact', '11 ELM ST FORT COLLINS'],
  ["13 Pine St Coeur d'Alene", 'exact', '13 PINE ST COEUR D ALENE'],
  ["15 Lake St O'Fallon MO", 'exact', '15 LAKE ST OFALLON'],
  ['PO Box 12, Boise ID 83701', 'exact', '12 PO BOX BOISE'],
  ['8 County Rd 12, Weiser', 'similar', '8 COUNTY ROAD 12 WEISER'],
  // Canada.
  ['350 Albert Street, Ottawa ON K1R 1A4', 'exact', '350 ALBERT ST OTTAWA'],
  ['K1R1A4', 'zip', '350 ALBERT ST OTTAWA'],
  ['k1r 1a4', 'zip', '350 ALBERT ST OTTAWA'],
  ['12 rue Sherbrooke Ouest, Montréal QC', 'similar', '12 RUE SHERBROOKE O MONTREAL'],
  ['12 Sherbrooke St W, Montreal', 'similar', '12 RUE SHERBROOKE O MONTREAL'],
  ['77 boulevard René-Lévesque Est, Québec', 'similar', '77 BOUL RENE-LEVESQUE E QUEBEC'],
  ['77 boul. René-Lévesque Est, Quebec City', 'similar', '77 BOUL RENE-LEVESQUE E QUEBEC'],
  ['1000 rue de la Gauchetiere W, Montreal', 'similar', '1000 RUE DE LA GAUCHETIERE O BUREAU 2400 MONTREAL'],
  [
    '1000 de la Gauchetière Ouest, bureau 2400, Montréal',
    'similar',
    '1000 RUE DE LA GAUCHETIERE O BUREAU 2400 MONTREAL'
  ],
  ['10130 103rd Street, Edmonton', 'similar', '10130 103 ST NW EDMONTON'],
  ['10130 103 St NW Edmonton AB', 'exact', '10130 103 ST NW EDMONTON'],
  ['7 chemin du Lac, Ste-Agathe-des-Monts', 'similar', '7 CH DU LAC SAINTE-AGATHE-DES-MONTS'],
  ['7 ch du lac Sainte Agathe des Monts QC', 'exact', '7 CH DU LAC SAINTE-AGATHE-DES-MONTS'],
  ['5 route du Fleuve Trois Rivières', 'exact', '5 RTE DU FLEUVE TROIS-RIVIERES'],
  ['9 2e rue Est Rimouski', 'similar', '9 2E RUE E RIMOUSKI'],
  // As maps and parcels write them: a county or a borough between, the country in full.
  ['123 N Main St, Boise, Ada County, ID 83702, United States', 'exact', '123 N MAIN ST BOISE'],
  ['10 Park Avenue, New York City, New York, United States of America', 'exact', '10 PARK AVE NEW YORK'],
  ['5 Main St, Washington, Washington County, UT, U.S.A.', 'exact', '5 MAIN ST WASHINGTON'],
  // Another number: the nearest of the street.
  ['181 W Washington St, Boise', 'near', '180 W WASHINGTON ST BOISE'],
  ['999 W Washington St, Boise', 'near', '256 W WASHINGTON ST BOISE'],
  // Without suffix or direction; with typing errors in the street, in the city.
  ['123 Main, Boise', 'similar', '123 N MAIN ST BOISE'],
  ['124 Washington St, Boise', 'similar', '124 W WASHINGTON ST BOISE'],
  ['124 W Wahsington St, Boise', 'similar', '124 W WASHINGTON ST BOISE'],
  ['124 W Washingtno Street 83702', 'similar', '124 W WASHINGTON ST BOISE'],
  ['1600 Pensylvania Ave NW, Washington DC', 'similar', '1600 PENNSYLVANIA AVE NW WASHINGTON'],
  ['500 Aveneu of the Americas New York', 'similar', '500 AVENUE OF THE AMERICAS NEW YORK'],
  ['7 Oak Ct, Bosie', 'exact', '7 OAK CT BOISE'],
  ['10 Park Ave, Nwe York NY', 'exact', '10 PARK AVE NEW YORK'],
  // A street without a number, or without a place.
  ['W Washington St, Boise', 'street', '100 W WASHINGTON ST BOISE'],
  ['North Street Boise ID', 'street', '10 NORTH ST BOISE'],
  ['1600 Pennsylvania Ave NW', 'exact', '1600 PENNSYLVANIA AVE NW WASHINGTON'],
  ['Avenue of the Americas', 'street', '500 AVENUE OF THE AMERICAS NEW YORK'],
  // The street is not there.
  ['9999 Nowhere Blvd, 83714', 'zip', '123 MAIN ST GARDEN CITY'],
  ['9999 Nowhere Blvd, Garden City ID', 'city', '123 MAIN ST GARDEN CITY']
]

t.test(`questions as people ask them are answered, the best first (${QUESTIONS.length})`, async (t) => {
  const { table } = await opened(t, await sampleFile(t.testdir({})))
  for (const [q, match, first] of QUESTIONS) {
    const [best] = find(table, q)
    t.same(best === undefined ? null : [best.match, line(best)], [match, first], q)
  }
})

t.test('every address of the file is found by its own line, and only with its own street', async (t) => {
  const { table } = await opened(t, await sampleFile(t.testdir({})))
  fc.assert(
    fc.property(
      fc.constantFrom(...SAMPLE),
      fc.boolean(),
      ({ number, street, street2, city, state, zipcode }, small) => {
        const q = `${number} ${street} ${street2}, ${city}, ${state} ${zipcode}`
        const [best] = find(table, small ? q.toLowerCase() : q)
        // The importer writes it so.
        const filed = street.replace('FIRST', '1ST')
        t.same(best && [best.match, line(best)], ['exact', line({ number, street: filed, street2, city })], q)
      }
    )
  )
})

t.test('an answer holds what the file has, and says null where it has nothing', async (t) => {
  const { table } = await opened(t, await sampleFile(t.testdir({})))
  t.same(find(table, '7 Oak Ct, Boise'), [
    {
      number: '7',
      street: 'OAK CT',
      street2: '',
      city: 'BOISE',
      state: 'ID',
      zipcode: '83705',
      plus4: '',
      country: 'US',
      lat: 43.071,
      lon: -116.071,
      source: 'TEST',
      match: 'exact'
    }
  ])
  t.same(find(table, 'zzzz qqqq'), [])
  t.same(find(table, '1 Zzzz St, Qqqq, WY'), [])
  t.same(find(table, ''), [])
})

t.test('limit bounds the answers, country chooses among them, neighbours are ordered by distance', async (t) => {
  const { table } = await opened(t, await sampleFile(t.testdir({})))
  t.equal(find(table, 'Boise ID', 3).length, 3)
  t.equal(find(table, 'Boise ID', 40).length, 40)
  t.same(
    find(table, '181 W Washington St, Boise', 5).map(({ number }) => number),
    ['180', '184', '176', '188', '172']
  )
  t.same(
    find(table, '123 N Main St, Boise').map(({ street2 }) => street2),
    ['', 'APT 4', 'APT 12'],
    'the house, then its units'
  )
  const only = (country: 'US' | 'CA', text: string) => findAddresses(table, { text, country, limit: 10 }).length
  t.equal(only('CA', '83702'), 0)
  t.equal(only('CA', '350 Albert St Ottawa'), 1)
  t.equal(only('US', '350 Albert St Ottawa'), 0)
  t.equal(only('CA', 'Boise'), 0)
})

t.test('whatever is asked: no error, never more than asked for, and no plan that scans the table', async (t) => {
  const folder = t.testdir({})
  const files = [
    await sampleFile(folder),
    ...['zipcode', 'state, city', 'number, street', 'street', 'city', 'country', 'latitude'].map((columns, at) => ({
      columns,
      at
    }))
  ]
  const tables: AddressTable[] = []
  for (const file of files) {
    if (typeof file === 'string') tables.push((await opened(t, file)).table)
    else {
      const path = join(folder, `foreign-${file.at}.sqlite`)
      ;(await foreignFile(path, { indexes: [file.columns] })).close()
      tables.push((await opened(t, path)).table)
    }
  }
  const bare = join(folder, 'bare.sqlite')
  ;(await foreignFile(bare, {})).close()
  tables.push((await opened(t, bare)).table)
  const asked = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom(...QUESTIONS.map(([q]) => q)),
    fc
      .array(
        fc.constantFrom('123', 'main', 'st', 'boise', 'ID', '83702', ',', 'twin', 'n', "'", '%', '_', '\u0000', '"'),
        { maxLength: 8 }
      )
      .map((words) => words.join(' '))
  )
  fc.assert(
    fc.property(fc.constantFrom(...tables), asked, fc.integer({ min: 1, max: 50 }), (table, text, limit) => {
      t.ok(find(table, text, limit).length <= limit)
      t.ok(suggestAddresses(table, text).length <= 10)
    })
  )
  let plans = 0
  for (const table of tables) {
    for (const { sql, steps } of table.plans()) {
      plans++
      if (steps.some((step) => /SCAN (?:TABLE )?addresses/.test(step))) t.fail(sql, { steps })
      if (!steps.some((step) => /SEARCH addresses/.test(step))) t.fail(`searches nothing: ${sql}`, { steps })
    }
  }
  t.ok(plans > 20, `${plans} plans looked at`)
  t.same(tables.at(-1)?.plans(), [], 'without an index nothing is asked at all')
})

t.test('the published file with its own indexes answers the same questions but those on typing errors', async (t) => {
  const path = join(t.testdir({}), 'netsyms.sqlite')
  const indexes = ['latitude, longitude', 'number, street', 'state, city', 'zipcode, number', 'zipcode, country']
  ;(await foreignFile(path, { indexes, unique: true })).close()
  const { table, file } = await opened(t, path)
  t.match(file, { edition: 'full', rowCount: SAMPLE.length, countries: ['US', 'CA'] })
  t.same(
    file.advice.map(({ sql }) => sql),
    ['CREATE INDEX addresses_by_city ON addresses (state, city, street, number)']
  )
  for (const [q, match, first] of QUESTIONS.filter(([, how]) => how === 'exact')) {
    const [best] = find(table, q)
    // This file says `FIRST`, the importer's `1ST`.
    t.same(best === undefined ? null : [best.match, line(best).replace('FIRST', '1ST')], [match, first], q)
  }
  t.match(find(table, '83301')[0], { match: 'zip', city: 'TWIN FALLS' })
  t.match(find(table, 'Twin Falls')[0], { match: 'city', city: 'TWIN FALLS' })
  t.match(find(table, '124 W Wahsington St 83702')[0], { match: 'similar', street: 'W WASHINGTON ST' })
})

t.test('the lite edition has no coordinates; a file without indexes names those it lacks', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'lite.sqlite')
  ;(await foreignFile(path, { lite: true, indexes: ['zipcode, number, street'] })).close()
  const { table, file } = await opened(t, path)
  t.match(file, { edition: 'lite', countries: ['US', 'CA'] })
  t.match(find(table, '7 Oak Ct 83705'), [{ lat: null, lon: null, source: null, street: 'OAK CT' }])
  t.same(find(table, '7 Oak Ct, Boise'), [], 'no index tells where Boise is')
  t.equal(file.advice.length, 2)
  const bare = join(folder, 'bare.sqlite')
  ;(await foreignFile(bare, {})).close()
  const none = await opened(t, bare)
  t.same(
    none.file.advice.map(({ sql }) => /\((.*)\)/.exec(sql)?.[1]),
    ['zipcode, street, number, street2', 'state, city, street, number', 'street, number']
  )
  t.same(none.file.countries, [], 'not known without scanning')
  t.same(find(none.table, '7 Oak Ct, Boise 83705'), [])
})

t.test('rows are counted by the note of the importer, by ANALYZE, or by the largest id', async (t) => {
  const folder = t.testdir({})
  const noted = await opened(t, await sampleFile(folder))
  t.equal(noted.file.rowCount, SAMPLE.length)
  const path = join(folder, 'analyzed.sqlite')
  const db = await foreignFile(path, { indexes: ['zipcode'] })
  db.exec('DELETE FROM addresses WHERE rowid = 1; ANALYZE')
  db.close()
  t.equal((await opened(t, path)).file.rowCount, SAMPLE.length - 1)
  const plain = join(folder, 'plain.sqlite')
  ;(await foreignFile(plain, {})).close()
  t.equal((await opened(t, plain)).file.rowCount, SAMPLE.length)
})

t.test('what is no address file is refused with what is wrong', async (t) => {
  const folder = t.testdir({ 'text.sqlite': 'no database at all, but long enough to have a header of some kind' })
  await t.rejects(openReadOnlyDatabase(join(folder, 'text.sqlite')), { code: 'unavailable' })
  await t.rejects(openReadOnlyDatabase(join(folder, 'absent.sqlite')), { code: 'unavailable' })
  for (const [sql, reason] of [
    ['CREATE TABLE other (a)', /no table "addresses"/],
    ['CREATE TABLE addresses (zipcode, number)', /lacks street, street2, city/],
    [
      'CREATE TABLE a (zipcode, number, street, street2, city, state, plus4, country); CREATE VIEW addresses AS SELECT * FROM a',
      /no plain table/
    ]
  ] as const) {
    const db = await openDatabase({ path: ':memory:', migrations: [], synchronous: 'NORMAL' })
    db.exec(sql)
    t.match(inWords(inspectAddresses(db, folder)), reason)
    db.close()
  }
})

t.test('reading writes nothing: not into the file, not beside it, whatever its journal', async (t) => {
  const folder = t.testdir({ wal: {} })
  const path = join(folder, 'wal', 'addresses.sqlite')
  const made = await foreignFile(path, { indexes: ['zipcode'] })
  made.exec('PRAGMA journal_mode = WAL')
  made.close()
  t.same(readdirSync(join(folder, 'wal')), ['addresses.sqlite'])
  chmodSync(join(folder, 'wal'), 0o555)
  const { db, table } = await opened(t, path)
  t.equal(find(table, '83705').length, 2)
  t.same(readdirSync(join(folder, 'wal')), ['addresses.sqlite'])
  t.throws(() => db.exec('DELETE FROM addresses'), /readonly|read-only|query_only/i)
  chmodSync(join(folder, 'wal'), 0o755)
})

t.test('the book opens the file when it comes, and again when another takes its place', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'addresses.sqlite')
  const book = new AddressIndex({ file: path, log })
  t.teardown(() => book.close())
  t.match(inWords(await book.health()), { ok: false, reason: /no address file/ })
  await t.rejects(book.lookup({ text: '83702', country: null, limit: 1 }), { code: 'unavailable' })
  mkdirSync(join(folder, 'new'))
  renameSync(await sampleFile(join(folder, 'new')), path)
  const health = await book.health()
  t.match(health, { ok: true, row_count: SAMPLE.length, indexed_countries: ['US', 'CA'] })
  const [one, two] = await Promise.all([
    book.lookup({ text: '7 Oak Ct, Boise', country: null, limit: 5 }),
    book.suggest('7 oak')
  ])
  t.equal(one.length, 1)
  t.match(two[0], { text: '7 OAK CT, BOISE, ID 83705' })
  const other = join(folder, 'new', 'other.sqlite')
  ;(await foreignFile(other, { lite: true, indexes: ['zipcode'] })).close()
  renameSync(other, path)
  t.match(await book.lookup({ text: '83705', country: null, limit: 1 }), [{ lat: null }])
  writeFileSync(path, 'broken')
  t.match(inWords(await book.health()), { ok: false, reason: /cannot be read/ })
  t.notMatch(JSON.stringify(await book.health()), folder, 'no path is told')
})

t.test('a damaged address file of ours is put aside and told; one of somebody else stays where it is', async (t) => {
  for (const own of [true, false]) {
    const folder = t.testdir({})
    const path = join(folder, 'addresses.sqlite')
    writeFileSync(path, 'garbage '.repeat(1000))
    const book = new AddressIndex({ file: path, own, log })
    t.teardown(() => book.close())
    t.match(inWords(await book.health()), { ok: false, reason: own ? /put aside: make one/ : /cannot be read/ })
    t.match(readdirSync(folder), own ? [/^addresses\.sqlite\.bad-\d{8}T\d{6}Z$/] : ['addresses.sqlite'])
    t.equal(asides(folder).length, own ? 1 : 0)
    if (!own) continue
    mkdirSync(join(folder, 'new'))
    renameSync(await sampleFile(join(folder, 'new')), path)
    t.match(await book.health(), { ok: true })
  }
})

t.test('a damaged page of the address file costs what lies on it, with words', async (t) => {
  const path = await sampleFile(t.testdir({}))
  const size = statSync(path).size
  const seen = new Set<string>()
  for (let page = 1; page < size / 4096; page++) {
    const copy = `${path}-${page}`
    copyFileSync(path, copy)
    const file = openSync(copy, 'r+')
    writeSync(file, Buffer.alloc(4096, 0xaa), 0, 4096, page * 4096)
    closeSync(file)
    const book = new AddressIndex({ file: copy, log })
    for (const text of ['7 Oak Ct, Boise', '83301']) {
      const found = await book.lookup({ text, country: null, limit: 1 }).catch((error: unknown) => error)
      seen.add(Array.isArray(found) ? 'found' : String(found instanceof AppError && found.code))
      if (found instanceof AppError)
        t.match(inWords(await book.health()), { ok: false, reason: /damaged|cannot be read/ })
    }
    await book.suggest('7 oak').catch((error: unknown) => t.type(error, AppError))
    book.close()
  }
  t.same([...seen].sort(), ['found', 'unavailable'])
})

t.test('a disk that is slow leaves the city, never nothing', async (t) => {
  const { table } = await opened(t, await sampleFile(t.testdir({})))
  const real = performance.now
  t.teardown(() => {
    performance.now = real
  })
  let at = 0
  performance.now = () => {
    at += 1000
    return at
  }
  t.match(find(table, '7 Nowhere Lane, Twin Falls, ID')[0], { match: 'city', city: 'TWIN FALLS' })
})

t.test('suggestions: postal codes, cities, streets and addresses, as far as they are typed', async (t) => {
  const { table } = await opened(t, await sampleFile(t.testdir({})))
  for (const [typed, kind, text] of [
    ['837', 'zip', 'BOISE, ID 83701'],
    ['k1r', 'zip', 'OTTAWA, ON K1R1A4'],
    ['twi', 'city', 'TWIN FALLS, ID'],
    ['Twin F', 'city', 'TWIN FALLS, ID'],
    ['saint lo', 'city', 'ST LOUIS, MO'],
    ['boise, i', 'city', 'BOISE, ID'],
    ['10 par', 'address', '10 PARK AVE, NEW YORK, NY 10016'],
    ['123 north ma', 'address', '123 N MAIN ST, BOISE, ID 83702'],
    ['123 main st tw', 'address', '123 MAIN ST, TWIN FALLS, ID 83301'],
    ['123 main st, salt la', 'address', '123 MAIN ST, SALT LAKE CITY, UT 84101'],
    ['123 main stre', 'address', '123 MAIN ST, SALT LAKE CITY, UT 84101'],
    ['penns', 'street', 'PENNSYLVANIA AVE NW, WASHINGTON, DC'],
    ['north s', 'street', 'NORTH ST, BOISE, ID']
  ] as const) {
    const found = suggestAddresses(table, typed)
    t.ok(
      found.some((one) => one.kind === kind && one.text === text),
      `${typed}: ${found.map((one) => one.text).join(' | ')}`
    )
    if (kind === 'address') t.match(find(table, text)[0], { match: 'exact' }, `${text} is found`)
  }
  for (const typed of ['', ' ', 'b', '%', '__', '🏔']) t.same(suggestAddresses(table, typed), [], typed)
})
