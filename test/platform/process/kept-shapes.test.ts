import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { keepShapes } from '../../../src/platform/process/small-heap.ts'

setFlagsFromString('--expose-gc')
setFlagsFromString('--allow-natives-syntax')
const collect: () => void = runInNewContext('gc')
const prepare: (work: unknown) => void = runInNewContext('(work) => %PrepareFunctionForOptimization(work)')
const optimise: (work: unknown) => void = runInNewContext('(work) => %OptimizeFunctionOnNextCall(work)')
/** V8's `OptimizationStatus`: this bit says that the next call runs what was compiled for the shapes that were met. */
const OPTIMISED = 1 << 4
const status: (work: unknown) => number = runInNewContext('(work) => %GetOptimizationStatus(work)')

t.test('code stays fast over large collections at which no object of its shapes lives', async (t) => {
  keepShapes()
  const sum = (of: { firstOfShape: number; secondOfShape: number }): number => of.firstOfShape + of.secondOfShape
  const run = (): void => {
    for (let n = 0; n < 100; n++) sum(JSON.parse(`{"firstOfShape":${n},"secondOfShape":${n}}`))
  }
  prepare(sum)
  run()
  optimise(sum)
  run()
  t.ok(status(sum) & OPTIMISED)
  for (let round = 0; round < 6; round++) collect()
  t.ok(status(sum) & OPTIMISED)
})
