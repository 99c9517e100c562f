import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { buildsOf } from '../faults/fuzz-build.ts'
import { Chance } from '../faults/fuzz-chance.ts'
import { must, ofText } from '../faults/fuzz-parser.ts'
import { everyParser } from '../faults/fuzz-parsers.ts'
import { inputOf, type Outcome, tryParser } from '../faults/fuzz-run.ts'
import { nextSlice, readState, type Tried, together, writeState } from '../faults/fuzz-state.ts'

const RUN = { seed: 1, cases: 100_000 }
const WANTED = { ...RUN, builds: { a: 'abc', b: 'def' } }
const NONE = { ms: 0, bytes: 0, shown: '' }

function outcome(change: Partial<Tried>): Tried {
  return {
    name: 'a',
    build: 'abc',
    cases: 0,
    seconds: 1,
    refused: 0,
    dearest: NONE,
    grown: NONE,
    faults: [],
    ...change
  }
}

t.test('a long run goes on where the file says that it was interrupted', async (t) => {
  const file = join(t.testdir({}), 'fuzz.state')
  const state = readState(file, WANTED)
  t.same(state, { ...RUN, parsers: {} })
  state.parsers['a'] = outcome({ cases: 20_000, seconds: 2 })
  writeState(file, state)
  const again = readState(file, WANTED)
  t.same(again, state)
  t.same(nextSlice(again, ['a'], { busy: new Set(), pumps: 9 }), { name: 'a', from: 20_000, cases: 80_000, pumps: 0 })
})

t.test('a parser whose own code has changed begins anew, and the others keep what was proved', async (t) => {
  const file = join(t.testdir({}), 'fuzz.state')
  const kept = outcome({ name: 'b', build: 'def', cases: 100_000 })
  const elsewhere = outcome({ name: 'c', build: 'old', cases: 7 })
  writeState(file, { ...RUN, parsers: { a: outcome({ cases: 20_000 }), b: kept, c: elsewhere } })
  const changed = { ...WANTED, builds: { a: 'abd', b: 'def' } }
  t.same(readState(file, changed).parsers, { b: kept, c: elsewhere }, 'and one that is not asked for now is left')
})

t.test('cases of another seed are none of this run', async (t) => {
  const file = join(t.testdir({}), 'fuzz.state')
  writeState(file, { ...RUN, parsers: {} })
  t.throws(() => readState(file, { ...WANTED, seed: 2 }), /is of seed 1, this is 2/)
  t.throws(() => readState(file, { ...WANTED, cases: 9 }), /is of cases 100000/)
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20))
  t.throws(() => readState(file, WANTED), SyntaxError, 'and a file that is none is not overwritten')
})

t.test('the parser with the fewest cases is next, and none is tried twice at a time', async (t) => {
  const parsers = { a: outcome({ cases: 20_000 }), b: outcome({ name: 'b', cases: 100_000 }) }
  const next = (...busy: string[]) => nextSlice({ ...RUN, parsers }, ['a', 'b', 'c'], { busy: new Set(busy), pumps: 9 })
  t.same(next(), { name: 'c', from: 0, cases: 100_000, pumps: 9 }, 'its growing inputs with the first slice')
  t.same(next('c'), { name: 'a', from: 20_000, cases: 80_000, pumps: 0 })
  t.equal(next('c', 'a'), null)
})

t.test('a parser with a dozen faults waits until it is mended', async (t) => {
  const faults = Array.from({ length: 12 }, (_, nth) => `fault ${nth}`)
  t.equal(nextSlice({ ...RUN, parsers: { a: outcome({ faults }) } }, ['a'], { busy: new Set(), pumps: 9 }), null)
})

t.test('slices together tell what one run would have told', async (t) => {
  const parser = ofText({
    name: 'odd',
    covers: [],
    corpus: ['a=1;b=2', 'c'],
    run: (text) => {
      must(!text.includes('-0'), 'a zero with a sign')
      if (text.includes('b')) throw new TypeError('b')
    },
    refuses: (error) => error instanceof TypeError
  })
  const tried = (from: number, cases: number): Promise<Outcome> =>
    tryParser(parser, { seed: 3, from, cases, seconds: null, pumps: 0, begin: () => undefined })
  const [whole, one, two] = [await tried(0, 3000), await tried(0, 1000), await tried(1000, 2000)]
  const both = together(together(undefined, one), two)
  t.same([both.cases, both.refused, both.faults], [whole.cases, whole.refused, whole.faults])
  t.match(whole.faults, [/^Broken: a zero with a sign: case \d+/])
  const [, nth = ''] = /case (\d+)/.exec(whole.faults[0] ?? '') ?? []
  t.match(inputOf(parser, 3, Number(nth)), /-0/, 'and a case comes back by its number')
})

t.test('long inputs are broken once in some hundred cases, where there are short ones', async (t) => {
  const long = `x${'y '.repeat(2500)}`
  const parser = ofText({ name: 'long', covers: [], corpus: ['short', long], run: () => undefined })
  const lengths = Array.from({ length: 4000 }, (_, nth) => parser.broken(Chance.of('long', nth)).length)
  const share = lengths.filter((length) => length > 2500).length
  t.ok(share > 1 && share < 100, `${share} of 4000`)
})

t.test('a build of a parser is of its own code: it is the same twice, and no other has it', async (t) => {
  const parsers = await everyParser()
  const builds = await buildsOf(parsers)
  t.same(await buildsOf(await everyParser()), builds)
  t.equal(new Set(Object.values(builds)).size, parsers.length)
})

t.test('a parser with other inputs, or of other code, has another build', async (t) => {
  const reader = { corpus: ['a'], run: () => undefined }
  const buildOf = async (covers: string, corpus: readonly string[]) =>
    (await buildsOf([ofText({ ...reader, name: 'x', covers: [covers], corpus })]))['x']
  const one = await buildOf('model/time.ts parseTime', ['a'])
  t.equal(await buildOf('model/time.ts parseTime', ['a']), one)
  t.not(await buildOf('model/time.ts parseTime', ['b']), one)
  t.not(await buildOf('model/time.ts formatTime', ['a']), one)
  await t.rejects(buildOf('model/gone.ts parseTime', ['a']), /no file of src/)
})
