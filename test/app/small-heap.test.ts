import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startLookout } from '../helpers/process.ts'

const BUILT = fileURLToPath(new URL('../../dist/lookout.js', import.meta.url))

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
    const look = async (times: number): Promise<{ size: number; cleared: number; threads: number }> => {
      launched.signal('SIGUSR2')
      const sizes = await launched.until('its size', () => {
        const all = [...launched.stderr.matchAll(/young (\d+);/g)]
        return all.length === times ? all : null
      })
      // The lines behind the last one of these belong to a cleaning that is not told yet.
      const end = () => launched.stdout.lastIndexOf(': Scavenge ') + 1
      await launched.until('its cleaning', () => end() > 0)
      const told = launched.stdout.slice(0, end())
      const found = {
        size: Number(sizes.at(-1)?.[1]),
        cleared: told.split(': Scavenge').length,
        threads: told.split('scavenge[0x').length - 1
      }
      // On a busy machine the others may come too late to every cleaning of one look.
      const isAlone = !isSmall && availableParallelism() > 1 && found.threads <= found.cleared
      return isAlone && times < 20 ? look(times + 1) : found
    }
    const { size, cleared, threads } = await look(1)
    t.comment(`${(size / 1e6).toFixed(1)} MB; cleared ${cleared} times, by ${threads} threads in all`)
    t.equal(size < 5e6, isSmall)
    if (isSmall) t.ok(threads > 0 && threads <= cleared, 'the main thread clears it by itself, and waits for no other')
    else if (availableParallelism() > 1) t.ok(threads > cleared, 'several threads share it')
  })

/** Works until V8 makes code of it, and tells by which of its compilers. */
const WORK = `
import { setFlagsFromString } from 'node:v8'
process.on('SIGUSR2', () => {
  setFlagsFromString('--trace-opt')
  const work = (n) => { let sum = 0; for (let k = 0; k < n; k++) sum += k % 7; return sum }
  for (let n = 0; n < 300; n++) work(100_000)
  process.stderr.write('worked;')
})`

for (const [profile, isSmall] of [
  ['minimal_pi', true],
  ['home', false]
] as const)
  t.test(
    `${profile}: the larger compiler of V8 ${isSmall ? 'stays unused where there are two' : 'works'}`,
    async (t) => {
      const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WORK)}` }
      const { launched } = await startLookout(t, join(t.testdir(), 'data'), {
        args: ['--profile', profile, '--no-demo'],
        env
      })
      launched.signal('SIGUSR2')
      await launched.until('the work', () => launched.stderr.includes('worked;'))
      await launched.until('a compiler', () => /JSFunction work .*target \w+/.test(launched.stdout))
      const isLeftOut = isSmall && Number(process.versions.node.split('.')[0]) >= 24
      t.equal(/JSFunction work .*target TURBOFAN/.test(launched.stdout), !isLeftOut, launched.stdout.slice(-400))
    }
  )

t.test(
  'minimal_pi: what the start alone needed is given back a few seconds later, before anything else is collected',
  async (t) => {
    const data = join(t.testdir(), 'data')
    const trace = `import { setFlagsFromString } from 'node:v8'; setFlagsFromString('--trace-gc')`
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(trace)}` }
    const { launched } = await startLookout(t, data, { args: ['--profile', 'minimal_pi', '--no-demo'], env })
    const [, before, after] = await launched.until('a collection that gives memory back', () =>
      /Mark-Compact \(reduce\) [\d.]+ \(([\d.]+)\) -> [\d.]+ \(([\d.]+)\) MB/.exec(launched.stdout)
    )
    t.comment(`${before} -> ${after} MB of heap`)
    t.ok(Number(after) < Number(before))
  }
)

t.test('a station that asks nobody has loaded neither TLS nor the fetch that is built into Node', async (t) => {
  const tell = `process.on('SIGUSR2', () => process.stderr.write('loaded ' + process.moduleLoadList.join() + ';'))`
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tell)}` }
  const folder = join(t.testdir(), 'data')
  const { launched } = await startLookout(t, folder, { args: ['--profile', 'minimal_pi'], env, program: BUILT })
  launched.signal('SIGUSR2')
  const loaded = await launched.until('what it has loaded', () => /loaded ([^;]+);/.exec(launched.stderr)?.[1])
  t.match(loaded, /NativeModule http\b/)
  t.notMatch(loaded, /NativeModule (?:tls|https|internal\/deps\/undici\/undici)\b/)
})
