import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { SourceReading } from '../../../src/warning/feeds/source.ts'
import { needsFixture } from '../../helpers/fixtures.ts'
import { broken, type Damage, faults, setup } from './geo-harness.ts'
import { damagedPart, EXPECTED, readerOf, refusedStays } from './recordings.ts'

/** Every recording there is, read by its kind; a slice of what `node scripts/faults.js damage` does to them. */

const SLICE: Damage = { step: 10, flips: 16 }
/** A copy of a big one takes a tenth of a second. */
const SLICE_OF_BIG: Damage = { step: 20, flips: 6 }

const damageFor = (size: number): Damage => (size < 50_000 ? SLICE : SLICE_OF_BIG)

function countsOf({ events, skipped }: SourceReading): [number, number, number] {
  const ends = events.filter(({ lifecycle }) => lifecycle === 'cancel' || lifecycle === 'expire')
  return [events.length, skipped.length, ends.length]
}

t.test('every recording is read, and damage to it neither throws nor ends anything', async (t) => {
  const root = needsFixture(t, 'feeds')
  if (root === null) return
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
  t.strictSame(
    files.filter((file) => !Object.hasOwn(EXPECTED, file)),
    [],
    'every recording stands in the table'
  )
  t.strictSame(
    Object.keys(EXPECTED).filter((file) => !files.includes(file)),
    [],
    'and nothing else does'
  )
  for (const file of files.sort()) {
    const expected = EXPECTED[file]
    if (expected === undefined) continue
    const body = new Uint8Array(readFileSync(join(root, file)))
    const { reader, parsed } = await readerOf(expected)
    const now = Date.parse(expected.now)
    const read = (copy: Uint8Array): SourceReading =>
      reader.read(copy, parsed as never, setup(expected.kind).tools(now))
    if (expected.refused !== undefined) {
      t.throws(() => read(body), { code: 'bad-input', message: expected.refused }, file)
      t.strictSame(refusedStays(read, broken(body, damageFor(body.length))), [], file)
      continue
    }
    t.strictSame(countsOf(read(body)), expected.counts, file)
    const part = damagedPart(file, body)
    t.strictSame(
      faults(reader as never, {
        body: part,
        settings: parsed,
        now,
        damage: damageFor(part.length),
        mayRename: expected.counts?.[2] !== 0
      }),
      [],
      `${file}, damaged`
    )
  }
})
