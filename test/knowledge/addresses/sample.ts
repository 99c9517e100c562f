import { join } from 'node:path'
import { cleanAddress, FIELDS, type RawAddress } from '../../../src/knowledge/addresses/raw-address.ts'
import { AddressWriter } from '../../../src/knowledge/addresses/writer.ts'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'

/** number, street, street2, city, state, zipcode: a small world with everything that is hard to read. */
const LINES: readonly string[] = [
  '123|N MAIN ST||BOISE|ID|83702',
  '123|N MAIN ST|APT 4|BOISE|ID|83702',
  '123|N MAIN ST|APT 12|BOISE|ID|83702',
  '123|MAIN ST||TWIN FALLS|ID|83301',
  '123|MAIN ST||SALT LAKE CITY|UT|84101',
  '123|MAIN ST||GARDEN CITY|ID|83714',
  ...Array.from({ length: 40 }, (_, at) => `${100 + at * 4}|W WASHINGTON ST||BOISE|ID|83702`),
  ...Array.from({ length: 20 }, (_, at) => `${9 + at * 10}|FALLS AVE||TWIN FALLS|ID|83301`),
  '10|NORTH ST||BOISE|ID|83702',
  '10|PARK AVE||NEW YORK|NY|10016',
  '500|AVENUE OF THE AMERICAS||NEW YORK|NY|10011',
  '42|1ST ST||BOISE|ID|83702',
  '42|FIRST AVE||BOISE|ID|83705',
  '7|OAK CT||BOISE|ID|83705',
  '9|ELM ST||ST LOUIS|MO|63101',
  '11|ELM ST||FORT COLLINS|CO|80521',
  '13|PINE ST||COEUR D ALENE|ID|83814',
  '15|LAKE ST||OFALLON|MO|63366',
  '1600|PENNSYLVANIA AVE NW||WASHINGTON|DC|20500',
  '5|MAIN ST||WASHINGTON|UT|84780',
  '12|PO BOX||BOISE|ID|83701',
  '8|COUNTY ROAD 12||WEISER|ID|83672',
  '350|ALBERT ST||OTTAWA|ON|K1R1A4',
  '12|RUE SHERBROOKE O||MONTREAL|QC|H2X1X4',
  '77|BOUL RENE-LEVESQUE E||QUEBEC|QC|G1R2B5',
  '1000|RUE DE LA GAUCHETIERE O|BUREAU 2400|MONTREAL|QC|H3B1A7',
  '10130|103 ST NW||EDMONTON|AB|T5J2R7',
  '9803|102A AVE NW||EDMONTON|AB|T5J2R7',
  '7|CH DU LAC||SAINTE-AGATHE-DES-MONTS|QC|J0T1J0',
  '5|RTE DU FLEUVE||TROIS-RIVIERES|QC|G9A1A1',
  '9|2E RUE E||RIMOUSKI|QC|G5L1A1',
  '8|3E RUE E||RIMOUSKI|QC|G5L1A1'
]

export const SAMPLE: readonly RawAddress[] = LINES.map((line, at) => {
  const [number = '', street = '', street2 = '', city = '', state = '', zipcode = ''] = line.split('|')
  const empty = Object.fromEntries(FIELDS.map((field) => [field, ''])) as RawAddress
  const place = { latitude: String(43 + at / 1000), longitude: String(-116 - at / 1000) }
  return { ...empty, number, street, street2, city, state, zipcode, ...place, source: 'TEST' }
})

/** The sample as the importer writes it. */
export async function sampleFile(folder: string, name = 'addresses.sqlite'): Promise<string> {
  const path = join(folder, name)
  const writer = await AddressWriter.create(path)
  for (const raw of SAMPLE) {
    const row = cleanAddress(raw, { states: [], country: null })
    if (typeof row === 'string') throw new Error(`${row}: ${JSON.stringify(raw)}`)
    writer.add(row)
  }
  writer.finish('2026-07-01T12:00:00Z')
  writer.close()
  return path
}

/** The sample as somebody else's file: these columns, these indexes. */
export async function foreignFile(
  path: string,
  { lite = false, indexes = [], unique = false }: { lite?: boolean; indexes?: readonly string[]; unique?: boolean }
): Promise<Database> {
  const db = await openDatabase({ path, migrations: [], synchronous: 'NORMAL' })
  const more = lite ? '' : ', latitude DECIMAL(8,6) NOT NULL, longitude DECIMAL(9,6) NOT NULL, source VARCHAR(40)'
  const key = unique ? ', UNIQUE (zipcode, number, street, street2, country)' : ''
  db.exec(`PRAGMA journal_mode = DELETE; CREATE TABLE addresses (zipcode VARCHAR(6) NOT NULL, number VARCHAR(30) NOT NULL,
    street VARCHAR(200) NOT NULL, street2 VARCHAR(20), city VARCHAR(50) NOT NULL, state CHAR(2) NOT NULL, plus4 CHAR(4),
    country CHAR(2) NOT NULL DEFAULT 'US'${more}${key})`)
  const fields = FIELDS.slice(0, lite ? 8 : 11)
  const sql = `INSERT INTO addresses (${fields.join(', ')}) VALUES (${fields.map(() => '?').join(', ')})`
  db.transaction(() => {
    for (const raw of SAMPLE) {
      const country = /^\d/.test(raw.zipcode) ? 'US' : 'CA'
      db.sql(sql).run(...fields.map((field) => (field === 'country' ? country : raw[field])))
    }
  })
  for (const [at, columns] of indexes.entries()) db.exec(`CREATE INDEX own_${at} ON addresses (${columns})`)
  return db
}
