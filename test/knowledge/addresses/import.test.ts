import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { findAddresses } from '../../../src/knowledge/addresses/find.ts'
import { type ImportOptions, importAddresses } from '../../../src/knowledge/addresses/import.ts'
import { inspectAddresses } from '../../../src/knowledge/addresses/inspect.ts'
import type { Row } from '../../../src/platform/database/database.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { openReadOnlyDatabase } from '../../../src/platform/database/database-read-only.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { run } from '../../helpers/process.ts'
import { foreignFile, SAMPLE } from './sample.ts'

const NOW = Date.parse('2026-07-01T12:00:00Z')
const NETSYMS = `zipcode,number,street,street2,city,state,plus4,country,latitude,longitude,source
83702,123,N MAIN ST,,BOISE,ID,1234,US,43.615,-116.2023,VRF
83702,123,N MAIN ST,,BOISE,ID,1234,US,43.615,-116.2023,VRF
59601,7,ELM ST,APT 4,HELENA,MT,,US,46.59,-112.02,VRF
K1R1A4,350,ALBERT ST,,OTTAWA,ON,,CA,45.41,-75.70,VRF
`
const OPEN_ADDRESSES = `﻿LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH
-116.2023,43.615,123,North Main Street,,Boise,,ID,83702,1,abc
-116.21,43.616,00125,"Main Street, North",Apartment 2,Boise,,ID,83702-9876,2,abd
-116.22,43.617,9,O'Connor Rd,4,Coeur d'Alene,,,83814,3,abe
,,11,First Avenue,,Saint Louis,,Missouri,,4,abf
`
const NAD = `OID,AddNum_Pre,Add_Number,AddNum_Suf,St_PreMod,St_PreDir,St_PreTyp,St_PreSep,St_Name,St_PosTyp,St_PosDir,St_PosMod,Unit,Inc_Muni,Post_City,State,Zip_Code,Plus_4,Longitude,Latitude,AddAuth
1,,450,,,North,,,Main,Street,,,,Boise,Not stated,ID,83702,,-116.2,43.6,Ada
2,,9000,A,,,State Highway,,55,,,,Unit C,Unincorporated,McCall,ID,83638,,-116.1,44.9,Valley
3,,12,,,,,,Falls,Avenue,West,,,Twin Falls,Twin Falls,ID,83301,,-114.46,42.56,Twin Falls
`

function options(patch: Partial<ImportOptions> & Pick<ImportOptions, 'out'>): ImportOptions {
  return { files: [], from: null, states: [], country: null, now: NOW, onProgress: () => undefined, ...patch }
}

async function rows(path: string): Promise<Row[]> {
  const db = await openReadOnlyDatabase(path)
  const all = db.sql('SELECT * FROM addresses ORDER BY rowid').all()
  db.close()
  return all.map((row) => ({ ...row }))
}

const short = ({ number, street, street2, city, state, zipcode, country }: Row): string =>
  [number, street, street2, city, state, zipcode, country].join('|')

t.test('the three kinds of lists are read, and written as the post writes addresses', async (t) => {
  const cwd = t.testdir({ 'netsyms.csv': NETSYMS, 'oa.csv': OPEN_ADDRESSES, 'nad.csv': NAD })
  const out = join(cwd, 'data', 'addresses.sqlite')
  const files = ['netsyms.csv', 'oa.csv', 'nad.csv'].map((name) => join(cwd, name))
  const steps: string[] = []
  const done = await importAddresses(options({ files, out, onProgress: ({ step }) => steps.push(step) }))
  t.match(done, { rows: 9, duplicates: 2 })
  t.same([...done.leftOut], [])
  t.same((await rows(out)).map(short), [
    '123|N MAIN ST||BOISE|ID|83702|US',
    '7|ELM ST|APT 4|HELENA|MT|59601|US',
    '350|ALBERT ST||OTTAWA|ON|K1R1A4|CA',
    '125|MAIN ST N|APT 2|BOISE|ID|83702|US',
    '9|OCONNOR RD|# 4|COEUR D ALENE||83814|US',
    '11|1ST AVE||SAINT LOUIS|MO||US',
    '450|N MAIN ST||BOISE|ID|83702|US',
    '9000A|STATE HIGHWAY 55|UNIT C|MCCALL|ID|83638|US',
    '12|FALLS AVE W||TWIN FALLS|ID|83301|US'
  ])
  t.same((await rows(out))[0], {
    zipcode: '83702',
    number: '123',
    street: 'N MAIN ST',
    street2: '',
    city: 'BOISE',
    state: 'ID',
    plus4: '1234',
    country: 'US',
    latitude: 43.615,
    longitude: -116.2023,
    source: 'VRF'
  })
  t.ok(steps.includes('index 1 of 3'))
  t.same(readdirSync(join(cwd, 'data')), ['addresses.sqlite'], 'nothing is left beside it')
  const db = await openReadOnlyDatabase(out)
  const found = inspectAddresses(db, out)
  if ('code' in found) throw new AppError('bad-input', found)
  t.match(found.file, { edition: 'full', rowCount: 9, countries: ['US', 'CA'], advice: [] })
  t.match(findAddresses(found.table, { text: '9000A State Hwy 55, McCall', country: null, limit: 5 }).results, [
    { city: 'MCCALL' }
  ])
  db.close()
})

t.test('states and country choose; rows that name no state get the only one', async (t) => {
  const cwd = t.testdir({ 'netsyms.csv': NETSYMS, 'oa.csv': OPEN_ADDRESSES })
  const files = ['netsyms.csv', 'oa.csv'].map((name) => join(cwd, name))
  const out = join(cwd, 'addresses.sqlite')
  const idaho = await importAddresses(options({ files, out, states: ['ID'] }))
  t.same((await rows(out)).map(short), [
    '123|N MAIN ST||BOISE|ID|83702|US',
    '125|MAIN ST N|APT 2|BOISE|ID|83702|US',
    '9|OCONNOR RD|# 4|COEUR D ALENE|ID|83814|US'
  ])
  t.same([...idaho.leftOut], [['another state', 3]])
  await importAddresses(options({ files, out, country: 'CA' }))
  t.same((await rows(out)).map(short), ['350|ALBERT ST||OTTAWA|ON|K1R1A4|CA'])
  const none = importAddresses(options({ files, out, states: ['WY'] }))
  // Rows of OpenAddresses without a state would be in the only one asked for.
  t.equal((await none).rows, 1)
})

/** As OpenAddresses writes Bavaria and Vienna: no column names the country. */
const ABROAD = `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH
11.5755,48.1374,12,Hauptstraße,,München,,Bayern,80331,,a1
11.5756,48.1375,14a,Hauptstraße,,München,,Bayern,80331,,a2
16.3738,48.2082,3,Kärntner Straße,,Wien,,,1010,,a3
11.58,48.14,7,Lindenstr.,,München,,Bayern,80331,,a4
11.58,48.15,5,Straße des 17. Juni,,München,,Bayern,80331,,a5
`

t.test(
  'rows of another country are filed as of that country, and found in the order that people write in there',
  async (t) => {
    const cwd = t.testdir({ 'abroad.csv': ABROAD })
    const out = join(cwd, 'addresses.sqlite')
    const done = await importAddresses(options({ files: [join(cwd, 'abroad.csv')], out, country: 'DE' }))
    t.match(done, { rows: 5 })
    t.same((await rows(out)).map(short)[0], '12|HAUPTSTRASSE||MUNCHEN||80331|DE')
    const db = await openReadOnlyDatabase(out)
    t.teardown(() => db.close())
    const found = inspectAddresses(db, out)
    if ('code' in found) throw new AppError('bad-input', found)
    for (const [q, said, number, street] of [
      ['Hauptstraße 12, 80331 München', 'house', '12', 'HAUPTSTRASSE'],
      ['Hauptstr. 12, München', 'house', '12', 'HAUPTSTRASSE'],
      ['Hauptstrasse 14a, 80331 Muenchen', 'house', '14A', 'HAUPTSTRASSE'],
      ['München, Hauptstraße 12', 'house', '12', 'HAUPTSTRASSE'],
      ['80331 München, Hauptstr. 12', 'house', '12', 'HAUPTSTRASSE'],
      ['Haupstraße 12, München', 'house', '12', 'HAUPTSTRASSE'],
      ['Hauptstraße 15, München', 'nearest_house', '14A', 'HAUPTSTRASSE'],
      ['Kärntner Str. 3, 1010 Wien', 'house', '3', 'KARNTNER STRASSE'],
      ['Lindenstraße 7, 80331 München', 'house', '7', 'LINDENSTR'],
      ['Straße des 17. Juni 5, München', 'house', '5', 'STRASSE DES 17 JUNI'],
      ['Hauptstraße, München', 'street', '12', 'HAUPTSTRASSE']
    ] as const)
      t.match(
        findAddresses(found.table, { text: q, country: null, limit: 5 }),
        { found: said, results: [{ number, street, country: 'DE' }] },
        q
      )
    t.match(findAddresses(found.table, { text: 'Gartenweg 3, 80331 München', country: null, limit: 5 }), {
      found: 'no_street'
    })
  }
)

t.test('rows that cannot be used are counted by reason; the others are taken', async (t) => {
  const cwd = t.testdir({
    'bad.csv': `number,street,city,state,zip,lat,lon
1,Good St,Boise,ID,83702,43.6,-116.2
,No Number St,Boise,ID,83702,43.6,-116.2
2,,Boise,ID,83702,43.6,-116.2
3,Nowhere St,,ID,,43.6,-116.2
4,Foreign St,Berlin,Brandenburg,10115,52.5,13.4
5,No Place St,Boise,ID,83702,0,0
6,Far St,Boise,ID,83702,943.6,-116.2
7,Old St,Boston,MA,2134,42.3,-71.1
8,Short line St
9,"Quote in "the" middle St",Boise,ID,83702,43.6,-116.2
`
  })
  const out = join(cwd, 'addresses.sqlite')
  const { leftOut } = await importAddresses(options({ files: [join(cwd, 'bad.csv')], out }))
  t.same(Object.fromEntries(leftOut), {
    'no house number': 1,
    'no street': 1,
    'neither city nor postal code': 2,
    'an unknown state': 1
  })
  const taken = await rows(out)
  t.same(
    taken.map(({ number, zipcode, latitude, longitude }) => [number, zipcode, latitude, longitude]),
    [
      ['1', '83702', 43.6, -116.2],
      ['5', '83702', null, null],
      ['6', '83702', null, null],
      ['7', '02134', 42.3, -71.1],
      ['9', '83702', 43.6, -116.2]
    ]
  )
})

t.test('a part of another address file is copied, with or without its own indexes', async (t) => {
  const cwd = t.testdir({})
  for (const indexes of [[], ['state, city']]) {
    const from = join(cwd, `from-${indexes.length}.sqlite`)
    ;(await foreignFile(from, { indexes })).close()
    const out = join(cwd, 'addresses.sqlite')
    const wanted = SAMPLE.filter(({ state }) => state === 'UT' || state === 'ON').length
    t.equal((await importAddresses(options({ from, out, states: ['UT', 'ON'] }))).rows, wanted)
    t.equal((await importAddresses(options({ from, out }))).rows, SAMPLE.length)
  }
})

t.test('a failure leaves the old file and nothing else; a file made elsewhere is never replaced', async (t) => {
  const cwd = t.testdir({
    'good.csv': NETSYMS,
    'columns.csv': 'a,b,c\n1,2,3\n',
    'empty.csv': '',
    'useless.csv': 'number,street,city\n,,\n'
  })
  writeFileSync(join(cwd, 'cut.csv.gz'), gzipSync(NETSYMS).subarray(0, 60))
  const out = join(cwd, 'out', 'addresses.sqlite')
  await importAddresses(options({ files: [join(cwd, 'good.csv')], out }))
  const before = readFileSync(out)
  for (const [name, code] of [
    ['columns.csv', 'bad-input'],
    ['empty.csv', 'bad-input'],
    ['useless.csv', 'bad-input'],
    ['cut.csv.gz', 'bad-input'],
    ['absent.csv', 'missing'],
    ['absent.csv.gz', 'missing']
  ] as const)
    await t.rejects(importAddresses(options({ files: [join(cwd, name)], out })), { code }, name)
  await t.rejects(importAddresses(options({ from: join(cwd, 'absent.sqlite'), out })), { code: 'missing' })
  await t.rejects(importAddresses(options({ from: join(cwd, 'good.csv'), out })), { code: 'unavailable' })
  const other = join(cwd, 'other.sqlite')
  const db = await openDatabase({ path: other, migrations: ['CREATE TABLE other (id INTEGER);'], synchronous: 'OFF' })
  db.close()
  await t.rejects(importAddresses(options({ from: other, out })), {
    code: 'bad-input',
    message: /no table "addresses"/
  })
  t.ok(readFileSync(out).equals(before))
  t.same(readdirSync(join(cwd, 'out')), ['addresses.sqlite'])
  const foreign = join(cwd, 'foreign.sqlite')
  ;(await foreignFile(foreign, {})).close()
  await t.rejects(importAddresses(options({ files: [join(cwd, 'good.csv')], out: foreign })), { code: 'conflict' })
})

t.test('lookout addresses import and check', async (t) => {
  const cwd = t.testdir({ 'oa.csv': OPEN_ADDRESSES, data: {} })
  writeFileSync(join(cwd, 'netsyms.csv.gz'), gzipSync(NETSYMS))
  const imported = await run(
    t,
    ['addresses', 'import', 'netsyms.csv.gz', 'oa.csv', '--state', 'id,mt', '--data', 'data'],
    { cwd }
  )
  t.equal(imported.code, 0, imported.stderr)
  t.match(imported.stdout, /addresses\.sqlite: 3 addresses, 0\.0\d MiB/)
  t.match(imported.stderr, /left out: 3 × another state/)
  t.match(imported.stderr, /left out: 2 × stands twice/)
  t.match(imported.stderr, /index 3 of 3/)
  const checked = await run(t, ['addresses', 'check', '--data', 'data'], { cwd })
  t.equal(checked.code, 0, checked.stderr)
  t.match(checked.stdout, /edition {4}full\naddresses {2}3\ncountries {2}US\nindex/)
  ;(await foreignFile(join(cwd, 'foreign.sqlite'), { indexes: ['zipcode, number'], lite: true })).close()
  const foreign = await run(t, ['addresses', 'check', 'foreign.sqlite'], { cwd })
  t.match(foreign.stdout, /lite: without coordinates[\s\S]*missing {4}CREATE INDEX addresses_by_zip ON addresses/)
  const json = await run(t, ['addresses', 'check', 'foreign.sqlite', '--json'], { cwd })
  t.match(JSON.parse(json.stdout), { edition: 'lite', rowCount: SAMPLE.length })
  const doctor = await run(t, ['doctor', '--data', 'data'], { cwd })
  t.match(doctor.stdout, /ok {7}address file {3}.*addresses\.sqlite, full edition, 3 addresses/)
  for (const [args, code] of [
    [['addresses'], 2],
    [['addresses', '--help'], 0],
    [['addresses', 'import'], 2],
    [['addresses', 'import', 'oa.csv', '--state', 'XX'], 2],
    [['addresses', 'import', 'oa.csv', '--country', 'Germany'], 2],
    [['addresses', 'import', 'absent.csv', '--data', 'data'], 4],
    [['addresses', 'import', 'oa.csv', '--out', 'foreign.sqlite'], 1],
    [['addresses', 'check', 'absent.sqlite'], 4],
    [['addresses', 'sell'], 2]
  ] as const)
    t.equal((await run(t, [...args], { cwd })).code, code, args.join(' '))
})
