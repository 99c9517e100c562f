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

const ask = (table: AddressTable, text: string, limit = 10) => findAddresses(table, { text, country: null, limit })
const find = (table: AddressTable, text: string, limit = 10) => ask(table, text, limit).results
const line = ({ number, street, street2, city }: { number: string; street: string; street2: string; city: string }) =>
  [number, street, street2, city].filter((part) => part !== '').join(' ')

/** [question, how it is found, the first answer]. */
const QUESTIONS: readonly (readonly [q: string, found: string, first: string])[] = [
  ['123 N Main St, Boise, ID 83702', 'house', '123 N MAIN ST BOISE'],
  ['123 north main street boise idaho', 'house', '123 N MAIN ST BOISE'],
  ['123 N Main St 83702', 'house', '123 N MAIN ST BOISE'],
  ['123 N Main St Apt 4, Boise', 'house', '123 N MAIN ST APT 4 BOISE'],
  ['123 N Main St #12, Boise', 'house', '123 N MAIN ST APT 12 BOISE'],
  // Cities of several words, with and without a state (N13).
  ['123 Main St Twin Falls ID', 'house', '123 MAIN ST TWIN FALLS'],
  ['123 Main St Twin Falls', 'house', '123 MAIN ST TWIN FALLS'],
  ['123 Main St Salt Lake City', 'house', '123 MAIN ST SALT LAKE CITY'],
  ['123 Main St Garden City ID', 'house', '123 MAIN ST GARDEN CITY'],
  ['109 Falls Ave Twin Falls ID', 'house', '109 FALLS AVE TWIN FALLS'],
  ['Twin Falls', 'place', '109 FALLS AVE TWIN FALLS'],
  ['Twin Falls, Idaho', 'place', '109 FALLS AVE TWIN FALLS'],
  // A bare postal code (N13), in front too.
  ['83301', 'place', '109 FALLS AVE TWIN FALLS'],
  ['Twin Falls ID 83301', 'place', '109 FALLS AVE TWIN FALLS'],
  ['83301 Twin Falls', 'place', '109 FALLS AVE TWIN FALLS'],
  // Names that look like something else.
  ['10 North St, Boise', 'house', '10 NORTH ST BOISE'],
  ['10 N St, Boise', 'house', '10 NORTH ST BOISE'],
  ['10 Park Avenue, New York', 'house', '10 PARK AVE NEW YORK'],
  ['500 Ave of the Americas, New York NY', 'house', '500 AVENUE OF THE AMERICAS NEW YORK'],
  ['7 Oak Ct, Boise', 'house', '7 OAK CT BOISE'],
  ['7 Oak Ct 83705', 'house', '7 OAK CT BOISE'],
  ['1600 Pennsylvania Avenue Northwest Washington DC', 'house', '1600 PENNSYLVANIA AVE NW WASHINGTON'],
  ['5 Main St Washington', 'house', '5 MAIN ST WASHINGTON'],
  // Ordinals both ways.
  ['42 First St, Boise', 'house', '42 1ST ST BOISE'],
  ['42 1st Ave, Boise', 'house', '42 1ST AVE BOISE'],
  // Saint, fort, apostrophes.
  ['9 Elm St, Saint Louis MO', 'house', '9 ELM ST ST LOUIS'],
  ['9 Elm St St Louis MO', 'house', '9 ELM ST ST LOUIS'],
  ['11 Elm St Ft Collins', 'house', '11 ELM ST FORT COLLINS'],
  ["13 Pine St Coeur d'Alene", 'house', '13 PINE ST COEUR D ALENE'],
  ["15 Lake St O'Fallon MO", 'house', '15 LAKE ST OFALLON'],
  ['PO Box 12, Boise ID 83701', 'house', '12 PO BOX BOISE'],
  ['8 County Rd 12, Weiser', 'house', '8 COUNTY ROAD 12 WEISER'],
  // Canada.
  ['350 Albert Street, Ottawa ON K1R 1A4', 'house', '350 ALBERT ST OTTAWA'],
  ['K1R1A4', 'place', '350 ALBERT ST OTTAWA'],
  ['k1r 1a4', 'place', '350 ALBERT ST OTTAWA'],
  ['12 rue Sherbrooke Ouest, Montréal QC', 'house', '12 RUE SHERBROOKE O MONTREAL'],
  ['12 Sherbrooke St W, Montreal', 'house', '12 RUE SHERBROOKE O MONTREAL'],
  ['77 boulevard René-Lévesque Est, Québec', 'house', '77 BOUL RENE-LEVESQUE E QUEBEC'],
  ['77 boul. René-Lévesque Est, Quebec City', 'house', '77 BOUL RENE-LEVESQUE E QUEBEC'],
  ['1000 rue de la Gauchetiere W, Montreal', 'house', '1000 RUE DE LA GAUCHETIERE O BUREAU 2400 MONTREAL'],
  ['1000 de la Gauchetière Ouest, bureau 2400, Montréal', 'house', '1000 RUE DE LA GAUCHETIERE O BUREAU 2400 MONTREAL'],
  ['10130 103rd Street, Edmonton', 'house', '10130 103 ST NW EDMONTON'],
  ['10130 103 St NW Edmonton AB', 'house', '10130 103 ST NW EDMONTON'],
  ['7 chemin du Lac, Ste-Agathe-des-Monts', 'house', '7 CH DU LAC SAINTE-AGATHE-DES-MONTS'],
  ['7 ch du lac Sainte Agathe des Monts QC', 'house', '7 CH DU LAC SAINTE-AGATHE-DES-MONTS'],
  ['5 route du Fleuve Trois Rivières', 'house', '5 RTE DU FLEUVE TROIS-RIVIERES'],
  ['9 2e rue Est Rimouski', 'house', '9 2E RUE E RIMOUSKI'],
  // As maps and parcels write them: a county or a borough between, the country in full.
  ['123 N Main St, Boise, Ada County, ID 83702, United States', 'house', '123 N MAIN ST BOISE'],
  ['10 Park Avenue, New York City, New York, United States of America', 'house', '10 PARK AVE NEW YORK'],
  ['5 Main St, Washington, Washington County, UT, U.S.A.', 'house', '5 MAIN ST WASHINGTON'],
  // Another number: the nearest of the street.
  ['181 W Washington St, Boise', 'nearest_house', '180 W WASHINGTON ST BOISE'],
  ['999 W Washington St, Boise', 'no_house', '256 W WASHINGTON ST BOISE'],
  // Without suffix or direction; with typing errors in the street, in the city.
  ['123 Main, Boise', 'house', '123 N MAIN ST BOISE'],
  ['124 Washington St, Boise', 'house', '124 W WASHINGTON ST BOISE'],
  ['124 W Wahsington St, Boise', 'house', '124 W WASHINGTON ST BOISE'],
  ['124 W Washingtno Street 83702', 'house', '124 W WASHINGTON ST BOISE'],
  ['1600 Pensylvania Ave NW, Washington DC', 'house', '1600 PENNSYLVANIA AVE NW WASHINGTON'],
  ['500 Aveneu of the Americas New York', 'house', '500 AVENUE OF THE AMERICAS NEW YORK'],
  ['7 Oak Ct, Bosie', 'house', '7 OAK CT BOISE'],
  ['10 Park Ave, Nwe York NY', 'house', '10 PARK AVE NEW YORK'],
  // A street without a number, or without a place.
  ['W Washington St, Boise', 'street', '100 W WASHINGTON ST BOISE'],
  ['North Street Boise ID', 'street', '10 NORTH ST BOISE'],
  ['1600 Pennsylvania Ave NW', 'house', '1600 PENNSYLVANIA AVE NW WASHINGTON'],
  ['Avenue of the Americas', 'street', '500 AVENUE OF THE AMERICAS NEW YORK'],
  // City first, with and without commas, the code first (the review's own questions among them).
  ['Boise, 123 N Main St', 'house', '123 N MAIN ST BOISE'],
  ['Boise 123 North Main Street', 'house', '123 N MAIN ST BOISE'],
  ['Boise ID 123 N Main', 'house', '123 N MAIN ST BOISE'],
  ['83702, 123 N Main St', 'house', '123 N MAIN ST BOISE'],
  ['83702 Boise, 123 N Main St Apt 4', 'house', '123 N MAIN ST APT 4 BOISE'],
  ['Salt Lake City, 123 Main Street', 'house', '123 MAIN ST SALT LAKE CITY'],
  ['Salt Lake City UT 84101 123 Main Street', 'house', '123 MAIN ST SALT LAKE CITY'],
  ["Coeur d'Alene, 13 Pine St", 'house', '13 PINE ST COEUR D ALENE'],
  ['Saint Louis 9 Elm St', 'house', '9 ELM ST ST LOUIS'],
  ['Twin Falls, Falls Ave', 'street', '9 FALLS AVE TWIN FALLS'],
  // As Europe writes: the number behind the street, the code in front of the city.
  ['N Main St 123, 83702 Boise', 'house', '123 N MAIN ST BOISE'],
  ['Boise, N Main St 123', 'house', '123 N MAIN ST BOISE']
]

t.test(`questions as people ask them are answered, the best first (${QUESTIONS.length})`, async (t) => {
  const { table } = await opened(t, await sampleFile(t.testdir({})))
  for (const [q, found, first] of QUESTIONS) {
    const answer = ask(table, q)
    const [best] = answer.results
    t.same(best === undefined ? null : [answer.found, line(best)], [found, first], q)
  }
})

/** [question, what the answer is, what of the first result is otherwise]. */
const DIFFERENT: readonly (readonly [q: string, found: string, differs: readonly string[]])[] = [
  ['123 N Main St, Boise, ID 83702', 'house', []],
  ['123 Main, Boise', 'house', []],
  ['123 N Main Ave, Boise', 'house', ['type']],
  ['123 S Main St, Boise', 'house', ['direction']],
  ['123 N Mian St, Boise', 'house', ['street']],
  ['7 Oak Ct, Bosie', 'house', ['city']],
  ['123 N Main St Apt 99, Boise', 'house', ['unit']],
  ['123 N Main St, Boise 83705', 'house', ['zip']],
  ['181 W Washington St, Boise', 'nearest_house', ['number']],
  ['999 W Washington St, Boise', 'no_house', ['number']]
]

t.test('an answer says what of the question it has otherwise; what was left out is no difference', async (t) => {
  const { table } = await opened(t, await sampleFile(t.testdir({})))
  for (const [q, found, differs] of DIFFERENT) {
    const answer = ask(table, q)
    t.same([answer.found, answer.differs], [found, differs], q)
  }
})

t.test(
  'a street that the place has not is said to be none, and nothing stands there as if it were the street',
  async (t) => {
    const { table } = await opened(t, await sampleFile(t.testdir({})))
    for (const q of ['9999 Nowhere Blvd, 83714', '9999 Nowhere Blvd, Garden City ID', 'Garden City, 9999 Nowhere Blvd'])
      t.same(ask(table, q), { found: 'no_street', differs: [], results: [] }, q)
    const elsewhere = ask(table, '9 Elm St, Boise, ID')
    t.match(elsewhere, { found: 'no_street', results: [] }, 'the state was said: no Elm St in Idaho')
    t.match(ask(table, '9 Elm St, Boise'), {
      found: 'no_street',
      results: [{ match: 'elsewhere', street: 'ELM ST', city: 'ST LOUIS' }]
    })
    t.match(ask(table, '124 W Wachinktons St, Boise'), {
      found: 'no_street',
      differs: ['street'],
      results: [{ match: 'near_street', street: 'W WASHINGTON ST' }]
    })
  }
)

t.test('a place that the file has not is said to be none; the street in another place is marked so', async (t) => {
  const { table } = await opened(t, await sampleFile(t.testdir({})))
  t.match(ask(table, '7 Oak Ct, Gotham'), { found: 'no_place', differs: ['city'], results: [{ match: 'elsewhere' }] })
  t.match(ask(table, '7 Oak Ct 99950'), { found: 'no_place', differs: ['zip'], results: [{ match: 'elsewhere' }] })
  t.match(ask(table, 'Gotham, 7 Oak Ct'), { found: 'no_place', results: [{ match: 'elsewhere' }] })
  t.match(ask(table, '1 Zzzz St, Qqqq, WY'), { found: 'no_place', results: [] })
  for (const q of ['99950', 'Gotham, ID', '7 Qqqq, Gotham'])
    t.match(ask(table, q), { found: 'no_place', results: [] }, q)
  for (const q of ['zzzz qqqq', '7 Qqqq Gotham', 'Gotham', '', '123'])
    t.match(ask(table, q), { found: 'nothing', results: [] }, q)
})

t.test('a search that takes too long is given up, and says so', async (t) => {
  const { table } = await opened(t, await sampleFile(t.testdir({})))
  t.same(findAddresses(table, { text: '9 Nowhere Blvd, Boise', country: null, limit: 10, patienceMs: 0 }), {
    found: 'unfinished',
    differs: [],
    results: []
  })
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
        t.same(best && [best.match, line(best)], ['house', line({ number, street: filed, street2, city })], q)
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
      match: 'house'
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
  const only = (country: 'US' | 'CA', text: string) => findAddresses(table, { text, country, limit: 10 }).results.length
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
  for (const [q, match, first] of QUESTIONS.filter(([, how]) => how === 'house')) {
    const [best] = find(table, q)
    // This file says `FIRST`, the importer's `1ST`.
    t.same(best === undefined ? null : [best.match, line(best).replace('FIRST', '1ST')], [match, first], q)
  }
  t.match(find(table, '83301')[0], { match: 'place', city: 'TWIN FALLS' })
  t.match(find(table, 'Twin Falls')[0], { match: 'place', city: 'TWIN FALLS' })
  t.match(find(table, '124 W Wahsington St 83702')[0], { match: 'house', street: 'W WASHINGTON ST' })
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
  t.equal(one.results.length, 1)
  t.match(two[0], { text: '7 OAK CT, BOISE, ID 83705' })
  const other = join(folder, 'new', 'other.sqlite')
  ;(await foreignFile(other, { lite: true, indexes: ['zipcode'] })).close()
  renameSync(other, path)
  t.match(await book.lookup({ text: '83705', country: null, limit: 1 }), { results: [{ lat: null }] })
  writeFileSync(path, 'broken')
  t.match(inWords(await book.health()), { ok: false, reason: /cannot be read/ })
  t.notMatch(JSON.stringify(await book.health()), folder, 'no path is told')
})

t.test('a lookup that is under way when another file takes the place ends in the old file', async (t) => {
  const folder = t.testdir({})
  const path = await sampleFile(folder)
  const book = new AddressIndex({ file: path, log })
  t.teardown(() => book.close())
  await book.health()
  const asked = book.lookup({ text: '9999 Nowhere Blvd, Boise', country: null, limit: 5 })
  // The first look at the file is over: the lookup has begun.
  await Promise.resolve()
  const other = join(t.testdir({ new: {} }), 'new', 'other.sqlite')
  ;(await foreignFile(other, { lite: true, indexes: ['zipcode'] })).close()
  renameSync(other, path)
  t.match(await book.health(), { ok: true })
  t.match(await asked, { found: 'no_street' })
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
      seen.add(found instanceof Error ? String(found instanceof AppError && found.code) : 'found')
      if (found instanceof AppError)
        t.match(inWords(await book.health()), { ok: false, reason: /damaged|cannot be read/ })
    }
    await book.suggest('7 oak').catch((error: unknown) => t.type(error, AppError))
    book.close()
  }
  t.same([...seen].sort(), ['found', 'unavailable'])
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
    if (kind === 'address') t.match(find(table, text)[0], { match: 'house' }, `${text} is found`)
  }
  for (const typed of ['', ' ', 'b', '%', '__', '🏔']) t.same(suggestAddresses(table, typed), [], typed)
})
