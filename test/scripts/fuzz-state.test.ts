import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Chance } from '../faults/fuzz-chance.ts'
import { must, ofText } from '../faults/fuzz-parser.ts'
import { inputOf, type Outcome, tryParser } from '../faults/fuzz-run.ts'
import { nextSlice, readState, together, writeState } from '../faults/fuzz-state.ts'

const RUN = { build: 'abc', seed: 1, cases: 100_000 }
const NONE = { ms: 0, bytes: 0, shown: '' }

function outcome(change: Partial<Outcome>): Outcome {
  return { name: 'a', cases: 0, seconds: 1, refused: 0, dearest: NONE, grown: NONE, faults: [], ...change }
}

t.test('a long run goes on where the file says that it was interrupted', async (t) => {
  const file = join(t.testdir({}), 'fuzz.state')
  const state = readState(file, RUN)
  t.same(state, { ...RUN, parsers: {} })
  state.parsers['a'] = outcome({ cases: 20_000, seconds: 2 })
  writeState(file, state)
  const again = readState(file, RUN)
  t.same(again, state)
  t.same(nextSlice(again, ['a'], { busy: new Set(), pumps: 9 }), { name: 'a', from: 20_000, cases: 80_000, pumps: 0 })
})

t.test('cases of another build or another seed are none of this run', async (t) => {
  const file = join(t.testdir({}), 'fuzz.state')
  writeState(file, { ...RUN, parsers: {} })
  t.throws(() => readState(file, { ...RUN, build: 'abd' }), /is of build abc, this is abd/)
  t.throws(() => readState(file, { ...RUN, seed: 2 }), /is of seed 1/)
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20))
  t.throws(() => readState(file, RUN), SyntaxError, 'and a file that is none is not overwritten')
})

t.test('the parser with the fewest cases is next, and none is tried twice at a time', async (t) => {
  const parsers = { a: outcome({ cases: 20_000, seconds: 20 }), b: outcome({ name: 'b', cases: 100_000 }) }
  const next = (...busy: string[]) => nextSlice({ ...RUN, parsers }, ['a', 'b', 'c'], { busy: new Set(busy), pumps: 9 })
  t.same(next(), { name: 'c', from: 0, cases: 20_000, pumps: 9 }, 'its growing inputs with the first slice')
  t.same(next('c'), { name: 'a', from: 20_000, cases: 60_000, pumps: 0 }, 'as many as fit into a minute')
  t.equal(next('c', 'a'), null)
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
  const long = `x${'y'.repeat(5000)}`
  const parser = ofText({ name: 'long', covers: [], corpus: ['short', long], run: () => undefined })
  const lengths = Array.from({ length: 4000 }, (_, nth) => parser.broken(Chance.of('long', nth)).length)
  const share = lengths.filter((length) => length > 2500).length
  t.ok(share > 1 && share < 100, `${share} of 4000`)
})
