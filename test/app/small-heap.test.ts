import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { startLookout } from '../helpers/process.ts'

/** Profiles, docs/interface.md §1: on a small board the space for young objects keeps its first size, from the first line of the program on. */

/** Makes garbage with much of it alive for a moment, by which V8 lets that space grow, and tells its size. */
const LOOK = `
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
process.on('SIGUSR2', () => {
  setFlagsFromString('--trace-gc')
  setFlagsFromString('--trace-parallel-scavenge')
  for (let n = 0; n < 40; n++) Array.from({ length: 20_000 }, (_, k) => ({ n, k }))
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  process.stderr.write('young ' + space.space_size + ';')
})`

for (const [profile, isSmall] of [
  ['minimal_pi', true],
  ['home', false]
] as const)
  t.test(`${profile}: the space for young objects ${isSmall ? 'stays small' : 'grows'}`, async (t) => {
    const data = join(t.testdir(), 'data')
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LOOK)}` }
    const { launched } = await startLookout(t, data, { args: ['--profile', profile, '--no-demo'], env })
    launched.signal('SIGUSR2')
    const size = await launched.until('its size', () => /young (\d+);/.exec(launched.stderr)?.[1])
    t.comment(`${(Number(size) / 1e6).toFixed(1)} MB`)
    t.equal(Number(size) < 5e6, isSmall)
    // The lines behind the last one of these belong to a cleaning that is not told yet.
    const end = () => launched.stdout.lastIndexOf(': Scavenge ') + 1
    await launched.until('its cleaning', () => end() > 0)
    const told = launched.stdout.slice(0, end())
    const cleared = told.split(': Scavenge').length
    const threads = told.split('scavenge[0x').length - 1
    t.comment(`${cleared} times, by ${threads} threads in all`)
    if (isSmall) t.ok(threads > 0 && threads <= cleared, 'the main thread clears it by itself, and waits for no other')
    else if (availableParallelism() > 1) t.ok(threads > cleared, 'several threads share it')
  })
