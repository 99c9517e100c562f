/**
 * Looking addresses up in a file of five million: time and memory, over a mix of questions. The file is built by the writer
 * of `lookout addresses import`. Then the two tables of questions whose answers are known (test/knowledge/addresses/asked.ts).
 *
 *   node --import=tsx scripts/bench-addresses.ts [--quick] [--help]
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { AddressIndex } from '../src/knowledge/addresses/address-index.ts'
import { countryOf, STATES } from '../src/knowledge/addresses/states.ts'
import { AddressWriter } from '../src/knowledge/addresses/writer.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { keepYoungSpaceSmall } from '../src/platform/process/small-heap.ts'
import { tableRows } from './bench-address-tables.ts'
import { answer, atLeast, atMost, inBenchFolder, memoryInUse, percentile, type Row } from './bench-part.ts'
import { seeded } from './bench-world.ts'
import { atMostStarts } from './bench-yardstick.ts'

if (process.argv.includes('--help')) {
  console.log('node --import=tsx scripts/bench-addresses.ts [--quick]\nAddress lookups, as JSON rows.')
  process.exit(0)
}
const quick = process.argv.includes('--quick')
const ROWS = quick ? 500_000 : 5_000_000
const QUESTIONS = quick ? 1500 : 5000
const SUGGESTIONS = 1000
/** The best of them counts, which leaves out other programs and the scheduler: between two lie all other questions. */
const PASSES = 3
const TARGETS = { lookupStarts: 0.6, rssMb: 30, foundShare: 0.95 }

type Kind = 'exact' | 'unit' | 'typo' | 'number' | 'plain' | 'zip' | 'city' | 'nothing'
/** Of 100 questions. `number`: no such house; `plain`: without suffix and direction. */
const MIX: Readonly<Record<Kind, number>> = {
  exact: 35,
  unit: 10,
  typo: 20,
  number: 10,
  plain: 10,
  zip: 5,
  city: 5,
  nothing: 5
}

interface Asked {
  kind: Kind
  q: string
  /** The street that the first answer must have. */
  street: string
}

const random = seeded(11)
const below = (count: number): number => Math.floor(random() * count)
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!

const SYLLABLES =
  'al an ar bel bo bra ca cen cor da del don el en fair far glen gran hal har hill ing ka lan lin lo ma mar mil mon nor oak or pen pine ra ri ro sal san shel sum ta ton tre val ver wal wil win'.split(
    ' '
  )
const SUFFIXES = ['ST', 'ST', 'AVE', 'AVE', 'RD', 'DR', 'DR', 'LN', 'CT', 'BLVD', 'WAY', 'PL', 'CIR']
const DIRECTIONS = ['', '', '', 'N', 'S', 'E', 'W', 'NW', 'SE']

function word(): string {
  const text = Array.from({ length: 2 + below(3) }, () => pick(SYLLABLES)).join('')
  return text.toUpperCase()
}

const NAMES = [
  ...Array.from(
    { length: 150 },
    (_, at) =>
      `${at + 1}${['TH', 'ST', 'ND', 'RD'][at % 10 < 4 && Math.floor(at / 10) !== 1 ? (at + 1) % 10 : 0] ?? 'TH'}`
  ),
  ...Array.from({ length: 12_000 }, () => (random() < 0.15 ? `${word()} ${word()}` : word()))
]

/** Cities of very different sizes, as they are: the largest has a fiftieth of all addresses. */
function* addresses(rows: number): Generator<(string | number | null)[]> {
  let written = 0
  for (let at = 0; written < rows; at++) {
    const state = STATES[at % STATES.length]!
    const city = random() < 0.3 ? `${word()} ${word()}` : word()
    const size = Math.min(rows - written, Math.ceil(rows / 50 / (1 + at / 40)) + 20)
    yield* cityAddresses(size, { state, city, firstZip: 1000 + at * 7 })
    written += size
  }
}

function* cityAddresses(
  size: number,
  { state, city, firstZip }: { state: string; city: string; firstZip: number }
): Generator<(string | number | null)[]> {
  for (let written = 0; written < size; ) {
    const street = [pick(DIRECTIONS), pick(NAMES), pick(SUFFIXES)].filter((part) => part !== '').join(' ')
    const houses = Math.min(size - written, 3 + Math.ceil(60 * random() ** 3))
    const zip = zipOf(firstZip + Math.floor(written / 9000), state)
    const first = below(90) * 100 + 1
    for (let house = 0; house < houses; house++) {
      const unit = random() < 0.12 ? `APT ${1 + below(40)}` : ''
      const place = [30 + random() * 18, -120 + random() * 40].map((one) => Math.round(one * 1e6) / 1e6)
      yield [
        zip,
        String(first + house * 2),
        street,
        unit,
        city,
        state,
        '',
        countryOf(state),
        place[0]!,
        place[1]!,
        'BENCH'
      ]
    }
    written += houses
  }
}

function zipOf(number: number, state: string): string {
  if (countryOf(state) === 'US') return String(number % 100_000).padStart(5, '0')
  const [a, b, c, d, e] = [10, 10, 20, 10, 20].map((base, at) => Math.floor(number / 7 ** at) % base) as [
    ...[number, number, number, number, number]
  ]
  const letters = 'ABCEGHJKLMNPRSTVWXYZ'
  return `${letters[e % 18]}${a}${letters[c]}${b}${letters[e]}${d}`
}

async function build(path: string): Promise<Asked[]> {
  const writer = await AddressWriter.create(path)
  const wanted: (string | number | null)[][] = []
  let seen = 0
  for (const row of addresses(ROWS)) {
    writer.add(row)
    // A fair sample of a stream: each row has the same chance.
    if (wanted.length < QUESTIONS) wanted.push(row)
    else if (random() < QUESTIONS / ++seen) wanted[below(QUESTIONS)] = row
  }
  writer.finish(new Date().toISOString())
  writer.close()
  const kinds = (Object.entries(MIX) as [Kind, number][]).flatMap(([kind, share]) => Array<Kind>(share).fill(kind))
  return wanted.map((row) => question(pick(kinds), row.map(String)))
}

function question(kind: Kind, [zip = '', number = '', street = '', unit = '', city = '', state = '']: string[]): Asked {
  const place = pick([`${city}, ${state}`, `${city} ${state} ${zip}`, zip])
  const texts: Record<Kind, string> = {
    exact: `${number} ${street}, ${place}`,
    unit: `${number} ${street} ${unit === '' ? 'APT 3' : unit}, ${place}`,
    typo: `${number} ${mistyped(street)}, ${place}`,
    number: `${Number(number) + 1} ${street}, ${place}`,
    plain: `${number} ${street.split(' ').find((part) => part.length > 2) ?? street}, ${place}`,
    zip,
    city: `${city} ${state}`,
    nothing: `${number} QQZZ${street.split('').reverse().join('')}, ${place}`
  }
  return { kind, q: texts[kind].toLowerCase(), street }
}

/** One typing error in the longest word, if that is long enough to bear one. */
function mistyped(street: string): string {
  const longest = street.split(' ').reduce((a, b) => (b.length > a.length ? b : a))
  if (longest.length < 4 || /\d/.test(longest)) return street
  const at = 1 + below(longest.length - 2)
  const [a, b] = [longest[at]!, longest[at + 1]!]
  const wrong = pick([`${b}${a}`, b, `${a}X${b}`, `X${b}`])
  return street.replace(longest, longest.slice(0, at) + wrong + longest.slice(at + 2))
}

interface Measured {
  times: Partial<Record<Kind, number[]>>
  suggestions: number[]
  found: number
  asked: number
  misses: string[]
  rssMb: number
}

/** In a process of its own: what building took is not what looking up takes. */
async function measure(path: string, questions: readonly Asked[]): Promise<Measured> {
  const addressIndex = new AddressIndex({ file: path, log: pino({ level: 'silent' }) })
  keepYoungSpaceSmall(true)
  // A station has its own databases open before anybody looks an address up.
  const own = await openDatabase({ path: ':memory:', migrations: [], synchronous: 'NORMAL' })
  const before = await memoryInUse()
  const best = new Array<number>(questions.length).fill(Number.POSITIVE_INFINITY)
  const misses: string[] = []
  let found = 0
  let asked = 0
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [at, { kind, q, street }] of questions.entries()) {
      const begun = performance.now()
      const { found: said, results } = await addressIndex.lookup({ text: q, country: null, limit: 10 })
      best[at] = Math.min(best[at]!, performance.now() - begun)
      if (pass > 0 || !['exact', 'unit', 'typo', 'number'].includes(kind)) continue
      asked++
      if (results[0]?.street === street) found++
      else misses.push(`${q} → ${said} ${results[0]?.street}`)
    }
  }
  const times: Partial<Record<Kind, number[]>> = {}
  for (const [at, { kind }] of questions.entries()) times[kind] = [...(times[kind] ?? []), best[at]!]
  const suggestions = questions.slice(0, SUGGESTIONS).map(({ q }) => q.slice(0, 3 + Math.floor(q.length * 0.6)))
  const suggestionTimes: number[] = []
  for (const typed of suggestions) {
    const begun = performance.now()
    await addressIndex.suggest(typed)
    suggestionTimes.push(performance.now() - begun)
  }
  const after = await memoryInUse()
  addressIndex.close()
  own.close()
  return {
    times,
    suggestions: suggestionTimes,
    found,
    asked,
    misses: misses.slice(0, 15),
    rssMb: after.rss - before.rss
  }
}

function rowsOf(measured: Measured, { bytes, seconds }: { bytes: number; seconds: number }): Row[] {
  const { times, suggestions, found, asked, rssMb } = measured
  const all = Object.values(times).flat()
  return [
    { what: 'addresses', value: ROWS, unit: '' },
    ...atMostStarts('lookup, 99 % of the mix', percentile(all, 0.99), TARGETS.lookupStarts),
    { what: 'lookup, half of the mix', value: percentile(all, 0.5), unit: 'ms' },
    { what: 'lookup, the slowest', value: Math.max(...all), unit: 'ms' },
    ...Object.entries(times).map(([kind, list]): Row => {
      return { what: `lookup, 99 %: ${kind}`, value: percentile(list, 0.99), unit: 'ms' }
    }),
    { what: 'suggestions, 99 %', value: percentile(suggestions, 0.99), unit: 'ms' },
    atMost('more memory (RSS) after all of it', rssMb, 'MiB', TARGETS.rssMb),
    atLeast('the right street first', found / asked, '', TARGETS.foundShare),
    { what: 'building the file', value: seconds, unit: 's' },
    { what: 'size of the file', value: bytes / 2 ** 20, unit: 'MiB' }
  ]
}

const [given, questionsFile] = process.argv.slice(process.argv.indexOf('--measure') + 1)
if (process.argv.includes('--measure') && given !== undefined && questionsFile !== undefined) {
  const questions: Asked[] = JSON.parse(readFileSync(questionsFile, 'utf8'))
  process.stdout.write(JSON.stringify(await measure(given, questions)))
} else {
  await inBenchFolder(async (folder) => {
    process.env['SQLITE_TMPDIR'] = folder
    const path = join(folder, 'addresses.sqlite')
    const begun = performance.now()
    const questions = await build(path)
    const seconds = (performance.now() - begun) / 1000
    const asked = join(folder, 'questions.json')
    writeFileSync(asked, JSON.stringify(questions))
    const own = fileURLToPath(import.meta.url)
    const child = spawnSync(process.execPath, ['--import=tsx', own, '--measure', path, asked], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26
    })
    if (child.status !== 0) throw new Error(child.stderr)
    const measured: Measured = JSON.parse(child.stdout)
    for (const miss of measured.misses) process.stderr.write(`another street first: ${miss}\n`)
    const rows = rowsOf(measured, { bytes: statSync(path).size, seconds })
    answer([...rows, ...(await tableRows(folder))])
  })
}
