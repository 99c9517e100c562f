import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { SourceReading } from '../../src/warning/feeds/source.ts'
import { fixture } from '../helpers/fixtures.ts'
import { broken, type Damage, faults, setup } from '../warning/feeds/geo-harness.ts'
import { damagedPart, EXPECTED, type Expected, readerOf, refusedStays } from '../warning/feeds/recordings.ts'

const HELP = `usage: damage [--seed N] [--flips N] [--step N]

Every recording of a feed, cut off and with single bytes changed, read by its kind: on an empty memory, and after it was read intact.
Nothing but a typed error may come of it, and no warning may end that the whole recording does not end.
  --seed N   of the changed bytes; default: one that is printed
  --flips N  copies of each recording with one byte changed; of large ones a sixth; default 200
  --step N   cut off at every so many per cent; of large ones five times so many; default 1
`
const LARGE = 100_000

async function faultsOf(path: string, expected: Expected, all: Required<Damage>): Promise<string[]> {
  const body = new Uint8Array(readFileSync(path))
  const part = damagedPart(path, body)
  const damage =
    part.length < LARGE ? all : { step: Math.min(25, all.step * 5), flips: Math.ceil(all.flips / 6), seed: all.seed }
  const { reader, parsed } = await readerOf(expected)
  const now = Date.parse(expected.now)
  const read = (copy: Uint8Array): SourceReading => reader.read(copy, parsed as never, setup(expected.kind).tools(now))
  if (expected.refused !== undefined) return refusedStays(read, broken(body, damage))
  const common = { body: part, settings: parsed, now, damage, mayRename: expected.counts?.[2] !== 0 }
  return [true, false].flatMap((after) => faults(reader as never, { ...common, after }))
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      flips: { type: 'string', default: '200' },
      step: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const damage = {
    seed: Number(values.seed ?? Date.now() % 1_000_000),
    flips: Number(values.flips),
    step: Number(values.step)
  }
  if (!Object.values(damage).every(Number.isInteger) || damage.flips < 1 || damage.step < 1)
    throw new Error('whole numbers, please')
  const root = fixture('feeds')
  console.log(`damage, seed ${damage.seed}`)
  if (root === null) {
    console.log('skipped: fixture feeds not present\n0 passed, 0 failed, 1 skipped')
    return 0
  }
  let failed = 0
  for (const [file, expected] of Object.entries(EXPECTED)) {
    const found = await faultsOf(join(root, file), expected, damage)
    if (found.length === 0) continue
    failed++
    console.log(`not ok ${file}\n  ${found.slice(0, 20).join('\n  ')}`)
  }
  console.log(`${Object.keys(EXPECTED).length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
