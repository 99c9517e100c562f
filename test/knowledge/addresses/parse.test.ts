import fc from 'fast-check'
import t from 'tap'
import { cityVariants, zipVariants } from '../../../src/knowledge/addresses/city-names.ts'
import { allowedErrors, distance } from '../../../src/knowledge/addresses/distance.ts'
import { parseAddress } from '../../../src/knowledge/addresses/parse.ts'
import { streetDistance } from '../../../src/knowledge/addresses/street-distance.ts'
import { mayBecome, streetKey } from '../../../src/knowledge/addresses/street-key.ts'
import { streetVariants } from '../../../src/knowledge/addresses/street-variants.ts'
import { anyText } from '../../helpers/any-text.ts'

type Line = [typed: string, number: string, street: string, city: string, state: string, zip?: string, unit?: string]

/** One of the readings must be this. Expected as the post writes it (USPS Publication 28; Canada Post). */
const ADDRESSES: Line[] = [
  // Commas, or none; capitals, or none.
  ['123 Main St, Boise, ID 83702', '123', 'MAIN ST', 'BOISE', 'ID', '83702'],
  ['123 MAIN ST BOISE ID 83702', '123', 'MAIN ST', 'BOISE', 'ID', '83702'],
  ['123 main street boise idaho', '123', 'MAIN ST', 'BOISE', 'ID'],
  ['123 Main St Boise', '123', 'MAIN ST', 'BOISE', ''],
  ['123 Main St', '123', 'MAIN ST', '', ''],
  ['123 Main St.', '123', 'MAIN ST', '', ''],
  ['  123   Main   St ,,  Boise ', '123', 'MAIN ST', 'BOISE', ''],
  ['123 Main St, Boise, Idaho, USA', '123', 'MAIN ST', 'BOISE', 'ID'],
  ['123 Main St, 83702', '123', 'MAIN ST', '', '', '83702'],
  ['123 Main St 83702-1234', '123', 'MAIN ST', '', '', '83702'],
  // A bare postal code, city, state.
  ['83702', '', '', '', '', '83702'],
  ['83702-1234', '', '', '', '', '83702'],
  ['Boise', '', '', 'BOISE', ''],
  ['Boise ID', '', '', 'BOISE', 'ID'],
  ['Boise, Idaho 83702', '', '', 'BOISE', 'ID', '83702'],
  ['Boise 83702', '', '', 'BOISE', '', '83702'],
  // Cities of several words.
  ['Twin Falls', '', '', 'TWIN FALLS', ''],
  ['Twin Falls ID', '', '', 'TWIN FALLS', 'ID'],
  ['450 Falls Ave, Twin Falls, ID 83301', '450', 'FALLS AVE', 'TWIN FALLS', 'ID', '83301'],
  ['450 Falls Ave Twin Falls ID', '450', 'FALLS AVE', 'TWIN FALLS', 'ID'],
  ['100 S Temple Salt Lake City UT', '100', 'S TEMPLE', 'SALT LAKE CITY', 'UT'],
  ['1 Canyon Rd Truth or Consequences NM', '1', 'CANYON RD', 'TRUTH OR CONSEQUENCES', 'NM'],
  ['7 Elm St North Las Vegas Nevada', '7', 'ELM ST', 'NORTH LAS VEGAS', 'NV'],
  ['12 Pine St Coeur d’Alene ID', '12', 'PINE ST', 'COEUR D ALENE', 'ID'],
  ["12 Pine St Coeur d'Alene ID", '12', 'PINE ST', 'COEUR DALENE', 'ID'],
  ["8 Lake St O'Fallon MO", '8', 'LAKE ST', 'OFALLON', 'MO'],
  ['100 Main St St Louis MO', '100', 'MAIN ST', 'ST LOUIS', 'MO'],
  ['100 Main St Saint Paul MN', '100', 'MAIN ST', 'SAINT PAUL', 'MN'],
  ['9 Oak St Winston-Salem NC', '9', 'OAK ST', 'WINSTON-SALEM', 'NC'],
  // States in full, of several words, or that are cities and streets too.
  ['10 Park Ave, New York, New York', '10', 'PARK AVE', 'NEW YORK', 'NY'],
  ['10 Park Ave New York NY 10016', '10', 'PARK AVE', 'NEW YORK', 'NY', '10016'],
  ['New York', '', '', 'NEW YORK', ''],
  ['New York NY', '', '', 'NEW YORK', 'NY'],
  ['20 Elm St Charleston West Virginia', '20', 'ELM ST', 'CHARLESTON', 'WV'],
  ['1600 Pennsylvania Ave NW, Washington DC 20500', '1600', 'PENNSYLVANIA AVE NW', 'WASHINGTON', 'DC', '20500'],
  ['5 Main St Washington', '5', 'MAIN ST', 'WASHINGTON', ''],
  ['Kansas City Kansas', '', '', 'KANSAS CITY', 'KS'],
  ['Delaware', '', '', 'DELAWARE', ''],
  // Two letters that are a state and an end of a street.
  ['123 Oak Ct', '123', 'OAK CT', '', ''],
  ['123 Oak Ct 83702', '123', 'OAK CT', '', '', '83702'],
  ['123 Oak CT', '123', 'OAK', '', 'CT'],
  ['400 Main St NE', '400', 'MAIN ST NE', '', ''],
  ['3 Bald Mt, Stowe VT', '3', 'BALD MT', 'STOWE', 'VT'],
  // Directions and suffixes, in full or short, in front and behind.
  ['123 North Main Street, Boise', '123', 'N MAIN ST', 'BOISE', ''],
  ['123 N. Main St., Boise', '123', 'N MAIN ST', 'BOISE', ''],
  ['77 Main Street North, Boise', '77', 'MAIN ST N', 'BOISE', ''],
  ['77 Southwest Broadway Drive, Portland', '77', 'SW BROADWAY DR', 'PORTLAND', ''],
  ['1200 Northwest 5th Avenue', '1200', 'NW 5TH AVE', '', ''],
  ['6 Meadow Lane', '6', 'MEADOW LN', '', ''],
  ['6 Eagle Crossing', '6', 'EAGLE XING', '', ''],
  ['6 Sunset Boulevard', '6', 'SUNSET BLVD', '', ''],
  ['6 Old Turnpike', '6', 'OLD TPKE', '', ''],
  ['6 Bear Parkway East', '6', 'BEAR PKWY E', '', ''],
  // The name itself looks like a direction or a suffix.
  ['5 North St', '5', 'NORTH ST', '', ''],
  ['5 North Street, Boise ID', '5', 'NORTH ST', 'BOISE', 'ID'],
  ['5 West Ave', '5', 'WEST AVE', '', ''],
  ['5 Park Ave', '5', 'PARK AVE', '', ''],
  ['5 Park Avenue, Boise', '5', 'PARK AVE', 'BOISE', ''],
  ['5 Court St', '5', 'COURT ST', '', ''],
  ['5 Avenue B', '5', 'AVENUE B', '', ''],
  ['500 Avenue of the Americas, New York, NY', '500', 'AVENUE OF THE AMERICAS', 'NEW YORK', 'NY'],
  ['5 Broadway', '5', 'BROADWAY', '', ''],
  ['5 Lake Shore Drive', '5', 'LAKE SHORE DR', '', ''],
  ['5 Martin Luther King Jr Blvd', '5', 'MARTIN LUTHER KING JR BLVD', '', ''],
  // Ordinals.
  ['42 First St', '42', '1ST ST', '', ''],
  ['42 1st Street', '42', '1ST ST', '', ''],
  ['42 East Twelfth Avenue', '42', 'E 12TH AVE', '', ''],
  // Highways and county roads.
  ['9000 Highway 55', '9000', 'HIGHWAY 55', '', ''],
  ['9000 US Highway 20, Ashton ID', '9000', 'US HIGHWAY 20', 'ASHTON', 'ID'],
  ['9000 County Road 12', '9000', 'COUNTY ROAD 12', '', ''],
  // House numbers of every kind.
  ['12A Elm St', '12A', 'ELM ST', '', ''],
  ['12 1/2 Elm St', '12 1/2', 'ELM ST', '', ''],
  ['37-10 Northern Blvd', '37-10', 'NORTHERN BLVD', '', ''],
  ['N6W23001 Bluemound Rd', 'N6W23001', 'BLUEMOUND RD', '', ''],
  ['12345 Main St', '12345', 'MAIN ST', '', ''],
  // Units, in front, behind, and anywhere between.
  ['123 Main St Apt 4, Boise', '123', 'MAIN ST', 'BOISE', '', '', 'APT 4'],
  ['123 Main St, Apartment 4B, Boise, ID', '123', 'MAIN ST', 'BOISE', 'ID', '', 'APT 4B'],
  ['123 Main St #4, Boise', '123', 'MAIN ST', 'BOISE', '', '', '# 4'],
  ['123 Main St Suite 200 Boise ID 83702', '123', 'MAIN ST', 'BOISE', 'ID', '83702', 'STE 200'],
  ['123 Main St Unit C', '123', 'MAIN ST', '', '', '', 'UNIT C'],
  ['Apt 4, 123 Main St, Boise', '123', 'MAIN ST', 'BOISE', '', '', 'APT 4'],
  ['123 Main St Rear, Boise', '123', 'MAIN ST', 'BOISE', '', '', 'REAR'],
  ['99 Front St', '99', 'FRONT ST', '', ''],
  ['4 Lot Rd', '4', 'LOT RD', '', ''],
  // Boxes.
  ['PO Box 12, Boise ID 83701', '12', 'PO BOX', 'BOISE', 'ID', '83701'],
  ['P.O. Box 12, Boise ID', '', 'PO BOX 12', 'BOISE', 'ID'],
  ['RR 2 Box 15 Weiser ID', '', 'RR 2 BOX 15', 'WEISER', 'ID'],
  ['Rural Route 2 Box 15, Weiser ID', '15', 'RR 2', 'WEISER', 'ID'],
  ['HC 1 Box 9, Challis ID', '', 'HC 1 BOX 9', 'CHALLIS', 'ID'],
  // Canada.
  ['V5K 0A1', '', '', '', '', 'V5K 0A1'],
  ['v5k0a1', '', '', '', '', 'V5K 0A1'],
  ['350 Albert St, Ottawa, ON K1R 1A4', '350', 'ALBERT ST', 'OTTAWA', 'ON', 'K1R 1A4'],
  ['350 Albert Street Ottawa Ontario K1R1A4 Canada', '350', 'ALBERT ST', 'OTTAWA', 'ON', 'K1R 1A4'],
  ['4-123 Main St, Toronto ON', '123', 'MAIN ST', 'TORONTO', 'ON', '', 'UNIT 4'],
  ['12 rue Sherbrooke Ouest, Montréal QC', '12', 'RUE SHERBROOKE OUEST', 'MONTREAL', 'QC'],
  ['12 boul. René-Lévesque, Québec, QC', '12', 'BOUL RENE-LEVESQUE', 'QUEBEC', 'QC'],
  ['1 Water St St Johns Newfoundland and Labrador', '1', 'WATER ST', 'ST JOHNS', 'NL']
]

t.test(`addresses as people type them are read (${ADDRESSES.length})`, async (t) => {
  for (const [typed, number, street, city, state, zip = '', unit = ''] of ADDRESSES) {
    const parsed = parseAddress(typed)
    t.equal(parsed.zip, zip, `${typed}: postal code`)
    const wanted = { number, street, city, state, unit }
    const found = parsed.readings.some((reading) =>
      Object.entries(wanted).every(([key, value]) => reading[key as keyof typeof wanted] === value)
    )
    if (!found) t.fail(typed, { wanted, readings: parsed.readings })
  }
})

t.test('a comma, or the last suffix, says first where the street ends', async (t) => {
  for (const [typed, street, city] of [
    ['123 Main St, St Louis, MO', 'MAIN ST', 'ST LOUIS'],
    ['10 Park Ave New York NY', 'PARK AVE', 'NEW YORK'],
    ['77 Main Street North Boise ID', 'MAIN ST N', 'BOISE']
  ] as const)
    t.match(parseAddress(typed).readings[0], { street, city }, typed)
})

t.test(
  'the country follows from the postal code, its own name or the state, unless the state is in doubt',
  async (t) => {
    for (const [typed, country] of [
      ['83702', 'US'],
      ['V5K0A1', 'CA'],
      ['Main St, Toronto, Canada', 'CA'],
      ['Boise ID', 'US'],
      ['Toronto ON', 'CA'],
      ['123 Oak Ct', null],
      ['Boise', null]
    ] as const)
      t.equal(parseAddress(typed).country, country, typed)
  }
)

t.test('whatever is typed: nothing is thrown, few readings are made, and no digit of an address is lost', async (t) => {
  const anything = fc.oneof(fc.string({ maxLength: 600 }), anyText({ maxLength: 200 }))
  fc.assert(
    fc.property(anything, (text) => {
      const { readings } = parseAddress(text)
      t.ok(readings.length > 0 && readings.length <= 150)
    })
  )
  const word = fc.constantFrom(
    'MAIN',
    'n',
    'Street',
    'ave',
    'Twin',
    'FALLS',
    'ID',
    'Apt',
    '#',
    ',',
    'st',
    'Box',
    'RR',
    'rue'
  )
  const number = fc.integer({ min: 1, max: 99_999 }).map(String)
  fc.assert(
    fc.property(fc.array(fc.oneof(word, number), { minLength: 1, maxLength: 14 }), (words) => {
      const { readings, zip, plus4 } = parseAddress(words.join(' '))
      const digits = (text: string): string => text.replace(/\D/g, '').split('').sort().join('')
      // Ordinals are written in digits: only words without them are made here.
      const kept = readings.map(({ number, typed, unit, city }) => digits(number + typed + unit + city + zip + plus4))
      t.ok(kept.includes(digits(words.join(''))), words.join(' '))
    })
  )
})

t.test('a street is tried in every writing a file may use', async (t) => {
  for (const [typed, filed] of [
    ['NORTH MAIN STREET', 'N MAIN ST'],
    ['N MAIN ST', 'NORTH MAIN ST'],
    ['N ST', 'NORTH ST'],
    ['NORTH ST', 'N ST'],
    ['FIRST AVENUE', '1ST AVE'],
    ['1ST AVE', 'FIRST AVE'],
    ['MAIN ST', 'MAIN STREET'],
    ['AVE OF THE AMERICAS', 'AVENUE OF THE AMERICAS'],
    ['AVENUE B', 'AVE B']
  ] as const)
    t.ok(streetVariants(typed).includes(filed), `${typed} → ${filed}: ${streetVariants(typed).join(' | ')}`)
  t.same(streetVariants(''), [])
})

t.test('streets are compared by name; suffix, direction and typing errors count apart', async (t) => {
  const far = (a: string, b: string): number | null => streetDistance(streetKey(a), streetKey(b))
  for (const [typed, filed] of [
    ['N MAIN ST', 'NORTH MAIN STREET'],
    ['1ST ST', 'FIRST STREET'],
    ['RUE SHERBROOKE OUEST', 'RUE SHERBROOKE O'],
    ['BOULEVARD RENE LEVESQUE', 'BOUL RENE-LEVESQUE'],
    ['SHERBROOKE ST W', 'RUE SHERBROOKE O'],
    ['COUNTY ROAD 12', 'COUNTY RD 12'],
    ['103RD ST', '103 ST'],
    ['SECOND AVE', '2 AVE'],
    ['2E RUE EST', '2E RUE E'],
    ['RUE GUY W', 'RUE GUY O'],
    ['8HT ST', '8TH ST'],
    ['MC DONALD LN', 'MCDONALD LN'],
    ['NORTH AVE W', 'NORTH AVE W']
  ] as const)
    t.equal(far(typed, filed), 0, `${typed} = ${filed}`)
  t.ok((far('MAIN', 'MAIN ST') ?? 9) < (far('MAIN AVE', 'MAIN ST') ?? 0))
  t.ok((far('MAIN AVE', 'MAIN ST') ?? 9) < (far('MIAN ST', 'MAIN ST') ?? 0))
  t.equal(far('OKA ST', 'OAK ST'), 2, 'two swapped letters of three')
  for (const [typed, filed] of [
    ['1ST ST', '2ND ST'],
    ['103RD ST', '102 ST'],
    ['102A AVE', '102 AVE'],
    ['2E RUE', '3E RUE'],
    ['HIGHWAY 20', 'HIGHWAY 21'],
    ['AVENUE B', 'AVENUE C'],
    ['OAK ST', 'ELM ST'],
    ['ELM ST', 'ELK ST'],
    ['RIVER RUN', 'RIVER RD'],
    ['1 2ND ST', '12 ST'],
    ['MAPLE ST', 'CHERRY ST']
  ] as const)
    t.equal(far(typed, filed), null, `${typed} is not ${filed}`)
})

t.test('typing errors are counted as changes, insertions, removals and swaps', async (t) => {
  for (const [a, b, errors] of [
    ['MAIN', 'MAIN', 0],
    ['MIAN', 'MAIN', 1],
    ['MAN', 'MAIN', 1],
    ['MAIIN', 'MAIN', 1],
    ['MAUN', 'MAIN', 1],
    ['WASHINGTNO', 'WASHINGTON', 1],
    ['WASINGTAN', 'WASHINGTON', 2],
    ['OAK', 'MAPLE', 3]
  ] as const)
    t.equal(distance(a, b, 2), errors, `${a} ${b}`)
  t.same([3, 4, 7, 8].map(allowedErrors), [0, 1, 1, 2])
  const text = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(
      text,
      text,
      (a, b) => distance(a, b, 3) === distance(b, a, 3) && (distance(a, b, 3) === 0) === (a === b)
    )
  )
})

t.test('cities and postal codes are tried as files write them', async (t) => {
  for (const [typed, filed] of [
    ['SAINT LOUIS', 'ST LOUIS'],
    ['ST LOUIS', 'SAINT LOUIS'],
    ['FT COLLINS', 'FORT COLLINS'],
    ['MOUNT VERNON', 'MT VERNON'],
    ['NORTH LAS VEGAS', 'N LAS VEGAS'],
    ['SILVER SPGS', 'SILVER SPRINGS'],
    ['QUEBEC CITY', 'QUEBEC'],
    ['STE AGATHE DES MONTS', 'SAINTE-AGATHE-DES-MONTS'],
    ['STE-AGATHE-DES-MONTS', 'SAINTE-AGATHE-DES-MONTS'],
    ['ST-JEROME', 'SAINT-JEROME'],
    ['TROIS RIVIERES', 'TROIS-RIVIERES'],
    ['WINSTON-SALEM', 'WINSTON SALEM']
  ] as const)
    t.ok(cityVariants(typed).includes(filed), `${typed} → ${filed}`)
  t.same(zipVariants('V5K 0A1'), ['V5K 0A1', 'V5K0A1'])
  t.same(zipVariants('83702'), ['83702'])
  t.ok(mayBecome('STRE', 'ST') && mayBecome('NOR', 'N') && mayBecome('MA', 'MAIN'))
  t.notOk(mayBecome('AVE', 'ST'))
})
