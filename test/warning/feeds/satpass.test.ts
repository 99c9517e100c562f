import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { json2satrec, sgp4, twoline2satrec } from 'satellite.js'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { AppError } from '../../../src/platform/errors.ts'
import { fromRow, parseElements, tooOld, toRow } from '../../../src/warning/feeds/satpass/elements.ts'
import { savedElements } from '../../../src/warning/feeds/satpass/elements-store.ts'
import type { Elements } from '../../../src/warning/feeds/satpass/mean-elements.ts'
import { chooseSatellites, shortName } from '../../../src/warning/feeds/satpass/names.ts'
import { trackOf } from '../../../src/warning/feeds/satpass/orbit.ts'
import { searchPasses } from '../../../src/warning/feeds/satpass/passes.ts'
import { highestOfNear, predict, predictInSlices } from '../../../src/warning/feeds/satpass/predict.ts'
import { satpassSourceSchema } from '../../../src/warning/feeds/satpass/settings.ts'
import { satpassSource } from '../../../src/warning/feeds/satpass/source.ts'
import { passTable } from '../../../src/warning/feeds/satpass/table.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { request } from '../messages/samples.ts'
import { bodyOf, type PlainMemory, type PushHarness, pushHarness, readTools } from './push-harness.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-06-01T18:00:00Z')
const BOISE = { name: 'Boise', lat: 43.615, lon: -116.2023, elevation_m: 824 }

/** A circular orbit, epoch START; what is not given is that of the space station. */
function orbit(given: Partial<Elements> = {}): Elements {
  return {
    name: 'ISS (ZARYA)',
    number: 25544,
    epoch: START,
    meanMotion: 15.5,
    eccentricity: 0.0004,
    inclination: 51.64,
    node: 140,
    perigee: 90,
    anomaly: 0,
    bstar: 0.0001,
    ...given
  }
}

function omm(elements: Elements): Record<string, unknown> {
  return {
    OBJECT_NAME: elements.name,
    OBJECT_ID: '1998-067A',
    EPOCH: new Date(elements.epoch).toISOString().replace('Z', '000'),
    MEAN_MOTION: elements.meanMotion,
    ECCENTRICITY: elements.eccentricity,
    INCLINATION: elements.inclination,
    RA_OF_ASC_NODE: elements.node,
    ARG_OF_PERICENTER: elements.perigee,
    MEAN_ANOMALY: elements.anomaly,
    EPHEMERIS_TYPE: 0,
    NORAD_CAT_ID: elements.number,
    BSTAR: elements.bstar
  }
}

const LINES = [
  'ISS (ZARYA)             ',
  '1 25544U 98067A   24130.36689744  .00016024  00000+0  27777-3 0  9992',
  '2 25544  51.6381 147.8590 0003466 150.4670 338.5502 15.51043222452521'
]

function checksummed(line: string): string {
  const digits = [...line.slice(0, 68)].map((char) => (char === '-' ? 1 : Number(char) || 0))
  return line.slice(0, 68) + String(digits.reduce((sum, digit) => sum + digit, 0) % 10)
}

const reasons = (text: string) => parseElements(text).skipped.map(({ reason }) => reason)

t.test('elements are read from two and three lines, and from OMM as JSON and as CSV, to the same orbit', async (t) => {
  const [name = '', one = '', two = ''] = LINES
  const [threeLines] = parseElements(LINES.join('\r\n')).elements
  t.match(threeLines, {
    name: 'ISS (ZARYA)',
    number: 25544,
    meanMotion: 15.51043222,
    eccentricity: 0.0003466,
    inclination: 51.6381,
    node: 147.859,
    perigee: 150.467,
    anomaly: 338.5502,
    bstar: 0.00027777
  })
  t.equal(new Date(threeLines?.epoch ?? 0).toISOString(), '2024-05-09T08:48:19.939Z')
  t.match(parseElements(`${one}\n${two}`).elements, [{ name: 'Object 25544', number: 25544 }])
  t.match(parseElements(`0 ${name}\n${one}\n${two}\n`).elements, [{ name: 'ISS (ZARYA)' }])
  const json = omm({ ...orbit(), ...threeLines })
  t.same(parseElements(JSON.stringify([json])).elements, [threeLines])
  const texts = Object.fromEntries(Object.entries(json).map(([key, value]) => [key.toLowerCase(), String(value)]))
  t.same(parseElements(JSON.stringify(texts)).elements, [threeLines], 'one object, numbers as texts')
  const csv = `${Object.keys(json).join(',')}\n"${Object.values(json).join('","')}"\n`
  t.same(parseElements(`\uFEFF${csv}`).elements, [threeLines])
  const day = parseElements(JSON.stringify({ ...json, EPOCH: '2024-130T08:48:19.939' })).elements
  t.same(day, [threeLines], 'the day of the year')
  const row: unknown = JSON.parse(JSON.stringify(toRow(threeLines ?? orbit())))
  t.same(fromRow(row), threeLines, 'over a restart')
  for (const wrong of [null, [], ['x', 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], ['x', 1, 2, 3, 4, 5, 6, 7, 8, '9']]) {
    t.equal(fromRow(wrong), null)
  }
})

t.test('catalogue numbers beyond 99,999 come as Alpha-5 or in OMM', async (t) => {
  const [, one = '', two = ''] = LINES
  const alpha = (line: string) => checksummed(line.replace('25544', 'T5544'))
  t.match(parseElements(`${alpha(one)}\n${alpha(two)}`).elements, [{ number: 275_544 }])
  t.match(parseElements(JSON.stringify([omm(orbit({ number: 799_500_123 }))])).elements, [{ number: 799_500_123 }])
})

t.test('a broken set is skipped with its reason, and never spoils the others', async (t) => {
  const [name = '', one = '', two = ''] = LINES
  const good = checksummed(`1 43013U${one.slice(8)}`)
  const other = `NOAA 20\n${good}\n${checksummed(`2 43013${two.slice(7)}`)}`
  const table: [string, string][] = [
    [`${name}\n${one.replace('24130', '24131')}\n${two}`, 'its checksum is wrong'],
    [`${name}\n${one}\n${two.slice(0, 60)}`, 'one of its lines is cut off'],
    [`${name}\n${one}`, 'one of its two lines is missing or garbled'],
    [`${name}\n${two}`, 'one of its two lines is missing or garbled'],
    [`${name}\n${good}\n${two}`, 'its lines are of two satellites'],
    [
      `${name}\n${checksummed(`${one.slice(0, 62)}4${one.slice(63)}`)}\n${two}`,
      'its elements are for SGP4-XP, not for SGP4'
    ],
    [
      `${name}\n${one}\n${checksummed(two.replace('15.51043222', '00.00043222'))}`,
      'its mean motion is missing or impossible'
    ]
  ]
  for (const [text, reason] of table) {
    const { elements, skipped } = parseElements(`${text}\n${other}\n`)
    t.same(inWords(skipped), [{ id: 'ISS (ZARYA)', reason }], reason)
    t.same(
      elements.map(({ number }) => number),
      [43013]
    )
  }
  const base = omm(orbit())
  const json: [Record<string, unknown> | null, string][] = [
    [{ NORAD_CAT_ID: 'x' }, 'it has no catalogue number'],
    [{ ECCENTRICITY: 1.2 }, 'its eccentricity is missing or impossible'],
    [{ EPOCH: 'yesterday' }, 'its epoch is missing or impossible'],
    [{ EPHEMERIS_TYPE: '4' }, 'its elements are for SGP4-XP, not for SGP4'],
    [{ MEAN_ELEMENT_THEORY: 'DSST' }, 'its elements are not for SGP4'],
    [{ CENTER_NAME: 'MARS' }, 'it does not go round the earth'],
    [{ REF_FRAME: 'EME2000' }, 'its frame is not TEME'],
    [{ TIME_SYSTEM: 'TAI' }, 'its time is not UTC'],
    [null, 'it has no catalogue number']
  ]
  for (const [change, reason] of json) {
    const broken = change === null ? 7 : { ...base, ...change }
    t.same(inWords(reasons(JSON.stringify([broken, { ...base, NORAD_CAT_ID: 1 }]))), [reason], reason)
  }
  const csv = [base, { ...base, NORAD_CAT_ID: 2 }].map((row) => Object.values(row).join(','))
  const cut = `${Object.keys(base).join(',')}\n${csv.join('\n').slice(0, -12)}`
  t.same(inWords(reasons(cut)), ['it has not as many cells as the head'], 'a cut table')
  const twice = parseElements(JSON.stringify([base, omm(orbit({ epoch: START + HOUR })), base]))
  t.match(twice.elements, [{ epoch: START + HOUR }], 'the newer of two sets')
  t.equal(twice.skipped.length, 2)
})

t.test('a body that is no list of elements is refused, with what it says', async (t) => {
  const refused: [string, RegExp][] = [
    ['', /empty/],
    ['<html><body>403</body></html>', /web page/],
    ['[{"OBJECT_NAME":"ISS', /not complete JSON/],
    ['[]', /none in it/],
    ['{"error":{"code":500,"message":"down"}}', /answered with an error: down/],
    ['Invalid query: "GROUP=amatur"', /none in it. It says: Invalid query/],
    [`${LINES[1]}\n`, /none of 1 can be read/]
  ]
  for (const [body, message] of refused) {
    t.throws(() => parseElements(body), { code: 'bad-input', message })
  }
})

t.test('the orbit from numbers is the orbit from the two lines', async (t) => {
  const [, one = '', two = ''] = LINES
  const [elements] = parseElements(LINES.join('\n')).elements
  if (elements === undefined) throw new Error('not read')
  const track = trackOf(elements, BOISE)
  const fromLines = sgp4(twoline2satrec(one, two), 600)
  const json = { ...omm(elements), ELEMENT_SET_NO: 0, MEAN_MOTION_DOT: 0, MEAN_MOTION_DDOT: 0 }
  const fromJson = sgp4(json2satrec(json as unknown as Parameters<typeof json2satrec>[0]), 600)
  if (fromLines === null || fromJson === null) throw new Error('no orbit')
  for (const axis of ['x', 'y', 'z'] as const) {
    t.ok(Math.abs(fromLines.position[axis] - fromJson.position[axis]) < 0.05, `${axis} within 50 m after ten hours`)
  }
  t.ok(track.speed > 7.7 && track.speed < 9.5)
  t.ok(Math.abs(track.step - 20) < 1)
})

t.test('every recorded file has its sets', async (t) => {
  const files: [string, number][] = [
    ['stations.tle', 27],
    ['stations.json', 27],
    ['stations.csv', 27],
    ['weather.tle', 70]
  ]
  for (const [file, count] of files) {
    const path = needsFixture(t, `feeds/tle-omm/${file}`)
    if (path === null) continue
    const bytes = readFileSync(path)
    const { elements, skipped } = parseElements(bytes.toString())
    t.same([elements.length, skipped], [count, []], file)
    damage(t, bytes)
  }
})

/** Cut off at every 1 %, and 200 times with some bytes changed: sets may be missing, nothing else happens. */
function damage(t: Test, bytes: Buffer): void {
  const settings = v.parse(satpassSourceSchema, { kind: 'satpass', satellites: [1] })
  const tools = readTools(START)
  const read = (body: Uint8Array): void => {
    try {
      const { events } = satpassSource.read(body, settings, tools)
      if (events.some(({ lifecycle }) => lifecycle !== 'new')) t.fail('an event ended')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  for (let percent = 0; percent < 100; percent++) read(bytes.subarray(0, Math.floor((bytes.length * percent) / 100)))
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  for (let round = 0; round < 200; round++) {
    const changed = Buffer.from(bytes)
    for (let flip = 0; flip < 20; flip++) changed[random(changed.length)] = random(256)
    read(changed)
  }
}

interface TruthTable {
  tle_file: string
  min_elevation_deg: number
  start: string
  hours: number
  tolerance: { time_s: number; elevation_deg: number; azimuth_deg: number }
  observers: { name: string; lat: number; lon: number; alt_m: number }[]
  satellites: string[]
  passes: Record<'satellite' | 'observer' | 'rise' | 'max' | 'set', string>[] & Record<string, number>[]
}

t.test('passes are those of the truth table', async (t) => {
  const path = needsFixture(t, 'tracking/passes.json')
  if (path === null) return
  const truth = JSON.parse(readFileSync(path, 'utf8')) as TruthTable
  const list = parseElements(readFileSync(needsFixture(t, `feeds/${truth.tle_file}`) ?? '', 'utf8')).elements
  const [from, ends] = [Date.parse(truth.start), Date.parse(truth.start) + truth.hours * HOUR]
  let compared = 0
  for (const place of truth.observers) {
    for (const name of truth.satellites) {
      const elements = list.find((one) => one.name === name) ?? orbit()
      const window = { from, to: ends, minElevation: truth.min_elevation_deg }
      const track = trackOf(elements, { ...place, elevation_m: place.alt_m })
      const found = [...searchPasses(track, window)].flatMap((pass) =>
        pass !== null && pass.maxElevation >= 11.5 && pass.set <= ends ? [pass] : []
      )
      const wanted = truth.passes.filter((pass) => pass.satellite === name && pass.observer === place.name)
      t.equal(found.length, wanted.length, `${name} over ${place.name}`)
      for (const [index, want] of wanted.entries()) {
        const pass = found[index]
        if (pass === undefined) continue
        compared++
        const seconds = (['rise', 'max', 'set'] as const).map(
          (key) => Math.abs(pass[key] - Date.parse(want[key])) / 1000
        )
        t.ok(Math.max(...seconds) <= truth.tolerance.time_s, `times within ${Math.max(...seconds)} s`)
        const off = (angle: number, key: string) =>
          Math.abs(((angle - Number(Reflect.get(want, key)) + 540) % 360) - 180)
        t.ok(off(pass.maxElevation, 'max_el') <= truth.tolerance.elevation_deg)
        const turned = [
          off(pass.riseAzimuth, 'rise_az'),
          off(pass.maxAzimuth, 'max_az'),
          off(pass.setAzimuth, 'set_az')
        ]
        t.ok(Math.max(...turned) <= truth.tolerance.azimuth_deg)
      }
    }
  }
  t.equal(compared, truth.passes.length)
})

/** The passes that looking every 5 seconds finds: stretches above the least elevation. */
function bySampling(elements: Elements, place: typeof BOISE, from: number, to: number, least: number): number {
  const track = trackOf(elements, place)
  let [count, up] = [0, (track.look(from)?.elevation ?? -90) >= least]
  for (let at = from; at < to; at += 5000) {
    const isUp = (track.look(at)?.elevation ?? -90) >= least
    if (isUp && !up) count++
    up = isUp
  }
  return count
}

t.test('of any orbit over any place, passes rise, culminate and set in order, and none is missed', async (t) => {
  const arbitrary = fc.record({
    meanMotion: fc.oneof(
      fc.double({ min: 12, max: 15.8, noNaN: true }),
      fc.double({ min: 1.9, max: 2.1, noNaN: true })
    ),
    eccentricity: fc.double({ min: 0, max: 0.02, noNaN: true }),
    inclination: fc.double({ min: 0, max: 180, noNaN: true }),
    node: fc.double({ min: 0, max: 360, noNaN: true }),
    anomaly: fc.double({ min: 0, max: 360, noNaN: true }),
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
    least: fc.integer({ min: 0, max: 60 })
  })
  const check = fc.check(
    fc.property(arbitrary, ({ lat, lon, least, ...given }) => {
      const elements = orbit(given)
      const place = { ...BOISE, lat, lon }
      const track = trackOf(elements, place)
      const window = { from: START, to: START + 6 * HOUR, minElevation: least }
      const passes = [...searchPasses(track, window)].filter((pass) => pass !== null)
      let before = Number.NEGATIVE_INFINITY
      for (const pass of passes) {
        if (!(pass.rise > before && pass.rise < pass.max && pass.max < pass.set)) return false
        if (pass.rise < window.from || pass.rise >= window.to || pass.maxElevation < least) return false
        for (const at of [pass.rise, pass.set]) {
          if (Math.abs((track.look(at)?.elevation ?? 0) - least) > 0.02) return false
        }
        before = pass.set
      }
      // Sampling misses what is up for less than 5 s; the search misses nothing that sampling sees.
      const sampled = bySampling(elements, place, window.from, window.to, least)
      const long = passes.filter((pass) => pass.set - pass.rise > 11_000 && pass.rise < window.to - 11_000).length
      return passes.length >= sampled && long <= sampled
    }),
    { numRuns: 60 }
  )
  t.notOk(check.failed, JSON.stringify(check.counterexample))
})

t.test('a satellite that stands still or never rises has no passes, and few looks tell', async (t) => {
  const stationary = orbit({ meanMotion: 1.0027, inclination: 0.02, eccentricity: 0.0001 })
  const high = trackOf(stationary, { ...BOISE, lat: 0, lon: 0 })
  const over = [0, 60, 120, 180, 240, 300].filter(
    (lon) => (trackOf(stationary, { ...BOISE, lat: 0, lon }).look(START)?.elevation ?? -90) > 10
  )
  t.ok(over.length > 0, 'it is in the sky somewhere')
  for (const lon of [0, 60, 120, 180, 240, 300]) {
    const track = trackOf(stationary, { ...BOISE, lat: 0, lon })
    t.same([...searchPasses(track, { from: START, to: START + 24 * HOUR, minElevation: 10 })].filter(Boolean), [])
  }
  t.equal(high.step, 300)
  let looks = 0
  const equatorial = trackOf(orbit({ inclination: 2 }), { ...BOISE, lat: 70 })
  const counting = {
    ...equatorial,
    look: (at: number) => {
      looks++
      return equatorial.look(at)
    }
  }
  t.same([...searchPasses(counting, { from: START, to: START + 24 * HOUR, minElevation: 10 })].filter(Boolean), [])
  t.ok(looks < 1000, `${looks} looks for a day`)
  const polar = trackOf(orbit({ inclination: 98 }), { ...BOISE, lat: 89.9 })
  const passes = [...searchPasses(polar, { from: START, to: START + 24 * HOUR, minElevation: 10 })].filter(Boolean)
  t.ok(passes.length >= 15, `at the pole every orbit passes: ${passes.length}`)
})

const settingsOf = (given: Record<string, unknown> = {}) =>
  v.parse(satpassSourceSchema, { kind: 'satpass', observers: [BOISE], ...given })

t.test('old, future and decayed elements are left out with the reason', async (t) => {
  const day = 24 * HOUR
  const at = (days: number, given: Partial<Elements> = {}) => tooOld(orbit(given), START + days * day, 14)
  t.same(inWords([at(13), at(-13), at(14.5), at(-15)]), [
    null,
    null,
    'its elements are 15 days old, more than 14',
    'its elements are 15 days ahead, more than 14'
  ])
  t.equal(at(40, { meanMotion: 2 }), null, 'high orbits age slowly')
  t.match(inWords(at(60, { meanMotion: 2 })), /60 days old, more than 56/)
  const request = { observers: settingsOf().observers, from: START, to: START + day, minElevation: 10, maxAgeDays: 14 }
  const decayed = orbit({ name: 'FALLEN', number: 5, meanMotion: 17.4, bstar: 0.5 })
  const stale = orbit({ name: 'OLD', number: 6, epoch: START - 30 * day })
  const { passes, unusable } = predict({ ...request, elements: [decayed, stale, orbit()] })
  t.same(
    unusable.map(({ id }) => id),
    ['FALLEN', 'OLD']
  )
  t.match(inWords(unusable[0]?.reason), /decay/)
  t.ok(passes.length > 0 && passes.every(({ satellite }) => satellite.number === 25544))
})

t.test('docked modules count once, and of near passes the highest is told', async (t) => {
  const elements = [
    orbit({ name: 'ISS (NAUKA)', number: 49044 }),
    orbit(),
    orbit({ name: 'OTHER', number: 7, node: 150 })
  ]
  const request = {
    observers: settingsOf().observers,
    from: START,
    to: START + 24 * HOUR,
    minElevation: 10,
    maxAgeDays: 14
  }
  const { passes } = predict({ ...request, elements })
  t.same([...new Set(passes.map(({ satellite }) => satellite.number))].sort(), [25544, 7])
  t.same((await predictInSlices({ ...request, elements })).passes, passes, 'the same in slices')
  const told = highestOfNear(passes, HOUR)
  t.ok(told.length < passes.length)
  for (const pass of passes) {
    const higher = told.some((one) => Math.abs(one.rise - pass.rise) < HOUR && one.maxElevation >= pass.maxElevation)
    t.ok(higher, 'each is told, or a higher one near it')
  }
  t.ok(told.every((pass, index) => index === 0 || pass.rise - (told[index - 1]?.rise ?? 0) >= HOUR))
  await t.rejects(predictInSlices({ ...request, to: START + 300 * HOUR, elements: many(40) }, AbortSignal.abort()))
})

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    orbit({ name: `SAT ${index}`, number: index + 1, node: (index * 37) % 360, anomaly: (index * 91) % 360 })
  )

t.test('work in slices leaves room for everything else', async (t) => {
  const gaps: number[] = []
  let last = performance.now()
  const timer = setInterval(() => {
    gaps.push(performance.now() - last)
    last = performance.now()
  }, 1)
  const observers = settingsOf().observers
  await predictInSlices({
    elements: many(120),
    observers,
    from: START,
    to: START + 24 * HOUR,
    minElevation: 10,
    maxAgeDays: 14
  })
  clearInterval(timer)
  t.ok(gaps.length > 3, `${gaps.length} turns of the loop in between`)
})

t.test('satellites are chosen by number or by any spelling of the name', async (t) => {
  const list = [
    orbit(),
    orbit({ name: 'NOAA 20 (JPSS-1)', number: 43013 }),
    orbit({ name: 'OSCAR 7 (AO-7)', number: 7530 }),
    orbit({ name: 'METEOR-M2 3', number: 57166 })
  ]
  const chosen = (...wanted: (string | number)[]) => chooseSatellites(list, wanted).chosen.map(({ number }) => number)
  t.same(chosen('iss', 43013, 'ao-7'), [25544, 43013, 7530])
  t.same(chosen('NOAA-20', 'meteor m2 3', '25544'), [43013, 57166, 25544])
  t.same(chosen(), [25544, 43013, 7530, 57166])
  t.same(chooseSatellites(list, ['NOAA', 20]).unknown, ['NOAA', '20'], 'half a name is none')
  t.equal(chooseSatellites(many(80), []).chosen.length, 50)
  t.same(['NOAA 20 (JPSS-1)', 'OSCAR 7 (AO-7)', 'SUOMI NPP [+]', '(X)'].map(shortName), [
    'NOAA 20',
    'AO-7',
    'SUOMI NPP',
    '(X)'
  ])
})

t.test('a recorded body reads as the announcements of the next day', async (t) => {
  const body = new TextEncoder().encode(JSON.stringify([omm(orbit()), { ...omm(orbit({ number: 9 })), EPOCH: '' }]))
  const settings = settingsOf({ satellites: ['ISS', 'HUBBLE'], min_elevation: 10 })
  const { events, skipped, items } = satpassSource.read(body, settings, readTools(START))
  t.equal(items, 2)
  t.same(inWords(skipped), [
    { id: 'ISS (ZARYA)', reason: 'its epoch is missing or impossible' },
    { id: 'HUBBLE', reason: 'the listing has no satellite of this name or number' }
  ])
  const [first] = events
  if (first === undefined) throw new Error('no pass')
  t.match(first, {
    source: 'read',
    category: 'sat_pass',
    family: 'satpass',
    severity: 'routine',
    lifecycle: 'new',
    region: 'Boise',
    regions: ['Boise'],
    geometry: null,
    lat: null,
    sent_at: '2026-06-01T18:00:00.000Z',
    data: { satellite: 'ISS', satellite_name: 'ISS (ZARYA)', catalogue_number: 25544, observer: 'Boise' }
  })
  t.equal(first.id, `25544-${first.onset?.slice(0, 16)}-Boise`)
  t.same([first.onset, first.expires], [first.data['rise_time'], first.data['set_time']])
  t.match(
    composeMessage(request({ event: first })).parts[0],
    /^PASS ISS rise .+ max \d+ [NESW]+ \d+:\d\d[ap] set \d+:\d\d[ap] [NESW]+/
  )
})

/** Opens the source on a clock; the elements are those given. */
async function opened(
  t: Test,
  options: { settings?: Record<string, unknown>; memory?: PlainMemory; start?: number; dataFolder?: string } = {},
  elements: Elements[] = [orbit()]
): Promise<PushHarness & { close: () => Promise<void> }> {
  const harness = pushHarness({ ...options, start: options.start ?? START })
  harness.answer = () => bodyOf(JSON.stringify(elements.map(omm)))
  const { close } = await satpassSource.open(settingsOf(options.settings), harness.tools)
  t.teardown(close)
  return Object.assign(harness, { close })
}

t.test('each pass is told once, ten minutes ahead, with the time of telling', async (t) => {
  const station = await opened(t, { settings: { min_elevation: 10 } })
  await station.run(24 * 3600)
  const window = { from: START, to: START + 24 * HOUR + 600_000, minElevation: 10 }
  const expected = [...searchPasses(trackOf(orbit(), BOISE), window)].flatMap((pass) => pass?.rise ?? [])
  t.ok(expected.length >= 4)
  t.equal(station.events.length, expected.length)
  for (const [index, { onset }] of station.events.entries()) {
    t.ok(Math.abs(Date.parse(onset ?? '') - (expected[index] ?? 0)) < 50, onset ?? '')
  }
  for (const { onset, sent_at } of station.events) {
    const ahead = Date.parse(onset ?? '') - Date.parse(sent_at)
    t.ok(ahead > 590_000 && ahead <= 600_000, `${ahead} ms ahead`)
  }
  t.equal(new Set(station.events.map(({ id }) => id)).size, station.events.length)
  t.equal(station.requests[0]?.url, 'https://celestrak.org/NORAD/elements/gp.php?GROUP=amateur&FORMAT=json')
  t.equal(station.requests.length, 2, 'asked twice a day')
  t.same(station.reports.at(-1), { state: 'ready', reason: null })
})

t.test('a restart tells nothing twice, asks nobody, and goes on without the internet', async (t) => {
  const first = await opened(t, { settings: { min_elevation: 10 } })
  await first.run(6 * 3600)
  const told = first.events.map(({ id }) => id)
  await first.close()
  const { memory } = first
  const again = await opened(t, { settings: { min_elevation: 10 }, memory, start: first.clock.now() - 1000 })
  again.answer = () => {
    throw new AppError('unavailable', note('offline'))
  }
  await again.run(5 * 3600)
  t.equal(again.requests.length, 0, 'not due yet')
  await again.run(19 * 3600)
  t.ok(again.requests.length > 3 && again.requests.length < 20, `${again.requests.length} tries, backing off`)
  t.ok(again.events.length >= 3, 'passes from the saved elements')
  t.same(
    again.events.filter(({ id }) => told.includes(id)),
    []
  )
  t.match(again.reports.at(-1), { state: 'ready', reason: /The download of orbital elements failed: offline/ })
  const stale = await opened(t, { memory, start: START + 20 * 24 * HOUR })
  stale.answer = again.answer
  await stale.run(120)
  t.match(stale.reports.at(-1), { state: 'down', reason: /failed: offline/ })
  t.equal(stale.events.length, 0, 'elements of three weeks ago tell nothing')
})

t.test('a restart just after a pass was told, with newer elements, does not tell it again', async (t) => {
  const first = await opened(t, { settings: { min_elevation: 10 } })
  for (let hour = 0; first.events.length === 0 && hour < 24; hour++) await first.run(600)
  const [event] = first.events
  await first.close()
  first.memory.all.set('elements', { origin: 'x', rows: [toRow(orbit({ anomaly: 0.3 }))] })
  const again = await opened(t, { memory: first.memory, settings: { min_elevation: 10 }, start: first.clock.now() })
  again.answer = () => ({ state: 'unchanged' })
  await again.run(1200)
  t.same(again.events, [], `${event?.id} was told`)
})

t.test('only the owner of the clock is believed: no download loop, whatever happens', async (t) => {
  const refusal = 'celestrak.org answered 403: GP data has not updated since your last successful download'
  const station = await opened(t)
  await station.run(60)
  t.equal(station.requests.length, 1)
  station.answer = () => {
    throw new AppError('unavailable', note(refusal))
  }
  await station.run(26 * 3600, 600)
  t.equal(station.requests.length, 3, 'a refusal with that text counts as: nothing new')
  t.same(station.reports.at(-1), { state: 'ready', reason: null })
  t.same([station.requests[0]?.conditional, station.requests[1]?.conditional], [false, true])
  await station.close()

  const html = await opened(t)
  html.answer = () => bodyOf('<html>maintenance</html>')
  await html.run(8 * 3600, 600)
  t.ok(html.requests.length <= 5, `${html.requests.length} requests for a useless body in 8 h`)
  t.match(html.reports.at(-1), { state: 'down', reason: /web page/ })
  t.match(html.counted.at(-1), { refused: /web page/ })
  t.same(savedElements(html.memory), [])
  await html.close()

  const { memory } = station
  for (let round = 0; round < 5; round++) {
    const restarted = await opened(t, { memory, start: START - 365 * 24 * HOUR + round * 30_000 })
    await restarted.run(20, 5)
    t.equal(restarted.requests.length, 0, 'a board that wakes with last year on its clock')
    await restarted.close()
  }
})

t.test('elements come from a file too, and newer ones in it are taken up', async (t) => {
  const folder = t.testdir({ 'amateur.tle': `${LINES.join('\n')}\n` })
  const start = Date.parse('2024-05-10T00:00:00Z')
  const settings = { file: 'amateur.tle', min_elevation: 10 }
  const station = await opened(t, { settings, start, dataFolder: folder })
  await station.run(8 * 3600)
  t.same(
    station.events.map(({ onset }) => onset?.slice(0, 16)),
    ['2024-05-10T04:32', '2024-05-10T06:08', '2024-05-10T07:46']
  )
  t.same(station.requests, [])
  const renamed = LINES.join('\n').replace('ISS (ZARYA)', 'STATION')
  writeFileSync(join(folder, 'amateur.tle'), renamed)
  utimesSync(join(folder, 'amateur.tle'), 1, 1)
  for (let turn = 0; savedElements(station.memory)[0]?.name !== 'STATION' && turn < 300; turn++) await station.run(60)
  t.match(savedElements(station.memory), [{ name: 'STATION' }])
  mkdirSync(join(folder, 'none.tle'))
  const broken = await opened(t, { settings: { file: 'none.tle' }, dataFolder: folder })
  for (let turn = 0; broken.reports.at(-1)?.state !== 'down' && turn < 300; turn++) await broken.run(60)
  t.match(broken.reports.at(-1), { state: 'down', reason: /Reading none\.tle failed: it is no plain file/ })
})

t.test('a pass that could not be stored is told at the next try, as long as it has not risen', async (t) => {
  const station = await opened(t, { settings: { min_elevation: 10 } })
  station.refuse = new Error('disk full')
  for (let turn = 0; station.reports.at(-1)?.state !== 'down' && turn < 1440; turn++) await station.run(60)
  t.match(station.reports.at(-1), { state: 'down', reason: 'disk full' })
  station.refuse = null
  await station.run(120)
  t.equal(station.events.length, 1)
})

t.test('settings without an observer say so; names of observers differ', async (t) => {
  t.match(inWords(satpassSource.missing?.(settingsOf({ observers: [] }))), /at least one observer/)
  t.equal(satpassSource.missing?.(settingsOf()), null)
  t.throws(() => settingsOf({ observers: [BOISE, BOISE] }), /names of observers must differ/)
  t.throws(() => settingsOf({ refresh_hours: 1 }), /at least 2 hours/)
})

t.test('the table of the day has every pass, and a line with the highest first that fits', async (t) => {
  const base = { elements: many(12), observer: { ...BOISE, min_elevation: 15 }, from: START, clockText: () => '9:32p' }
  const table = await passTable({ ...base, hours: 24 })
  t.equal(table.min_elevation, 15)
  t.equal(table.to, '2026-06-02T18:00:00.000Z')
  const rises = table.rows.map(({ rise_time }) => rise_time)
  t.ok(rises.length > 10)
  t.same(rises, [...rises].sort())
  t.ok(table.rows.every(({ max_elevation }) => max_elevation >= 15))
  const highest = [...table.rows].sort((a, b) => b.max_elevation - a.max_elevation)[0]
  t.match(
    table.text,
    new RegExp(`^PASSES Boise: ${highest?.satellite} 9:32p ${Math.round(highest?.max_elevation ?? 0)}, SAT`)
  )
  for (const maxBytes of [140, 60, 20]) {
    const { text } = await passTable({ ...base, hours: 24, maxBytes })
    t.ok(Buffer.byteLength(text) <= maxBytes, text)
  }
  t.equal((await passTable({ ...base, hours: 24, elements: [] })).text, 'PASSES Boise: none in 24 h')
  const long = { ...base.observer, name: 'Åre'.repeat(40) }
  t.match((await passTable({ ...base, hours: 24, observer: long })).text, /^PASSES: SAT/)
  const week = await passTable({ ...base, elements: [orbit()], hours: 10_000 })
  t.equal(week.to, '2026-06-08T18:00:00.000Z')
})
