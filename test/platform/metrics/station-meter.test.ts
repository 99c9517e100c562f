import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { StationMeter } from '../../../src/platform/metrics/station-meter.ts'
import { stationProcesses } from '../../../src/platform/metrics/station-processes.ts'
import type { MachineFiles } from '../../../src/platform/metrics/system.ts'

const MIB = 2 ** 20
const linux = { skip: process.platform !== 'linux' && 'no /proc' }

interface Made {
  parent: number
  ticks?: number
  rss: number
  pss?: number
  words?: string
  state?: string
}

/** Processes in the shapes of proc(5). */
function proc(t: Test, processes: Readonly<Record<number, Made>>): MachineFiles {
  const entries = Object.entries(processes).map(([pid, { parent, ticks = 0, rss, pss, words = 'x', state = 'S' }]) => [
    pid,
    {
      stat: `${pid} (a) (b) c) ${state} ${parent} 1 1 0 -1 4194560 1 2 3 4 ${ticks} 1 2 3 20 0 1 0 100\n`,
      status: `Name:\tx\nVmRSS:\t${rss * 1024} kB\n`,
      ...(pss === undefined ? {} : { smaps_rollup: `0-1 ---p 0 0:0 0 [rollup]\nRss: 9 kB\nPss:   ${pss * 1024} kB\n` }),
      cmdline: words.replaceAll(' ', '\0')
    }
  ])
  const folder = t.testdir({ proc: Object.fromEntries(entries), sys: {} })
  return { proc: `${folder}/proc`, sys: `${folder}/sys` }
}

t.test(
  'all processes below the main one count, each with its share where the kernel tells it, and no others',
  async (t) => {
    const files = proc(t, {
      1: { parent: 0, rss: 10 },
      100: { parent: 1, rss: 100, pss: 80, words: 'node lookout.js start', ticks: 50 },
      101: { parent: 100, rss: 200, pss: 150, words: 'node lookout.js work knowledge --data x', ticks: 500 },
      102: { parent: 101, rss: 5, words: 'bwrap soffice' },
      103: { parent: 102, rss: 220, words: 'soffice.bin' },
      104: { parent: 101, rss: 50, pss: 50, state: 'Z' },
      200: { parent: 1, rss: 900, pss: 900, words: 'firefox' }
    })
    const clock = new VirtualClock(0)
    const meter = new StationMeter({ clock, files, root: 100, takeChildPeak: () => 300 * MIB })
    t.match(await meter.sample(), {
      station_processes: 4,
      station_memory_bytes: (80 + 150 + 5 + 220) * MIB,
      station_memory_is_pss: 0,
      station_memory_peak_bytes: (80 + 150 + 5 + 220) * MIB,
      main_memory_bytes: 80 * MIB,
      worker_memory_bytes: 150 * MIB,
      largest_child_bytes: 300 * MIB,
      station_cpu_percent: null,
      service_memory_peak_bytes: null
    })
  }
)

t.test('where the kernel tells nothing nothing is made up', async (t) => {
  const meter = new StationMeter({
    clock: new VirtualClock(0),
    files: { proc: '/nowhere', sys: '/nowhere' }
  })
  for (const value of Object.values(await meter.sample())) t.equal(value, null)
})

t.test('what a service of its own runs for us counts; the peak of our service is read', async (t) => {
  const folder = t.testdir({
    proc: {
      7: { stat: '7 (n) S 1 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0', status: 'VmRSS: 1024 kB\n' },
      9: { stat: '9 (soffice) S 2 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0', status: 'VmRSS: 2048 kB\n' },
      self: { cgroup: '0::/system.slice/lookout.service/lookout\n' }
    },
    sys: {
      fs: {
        cgroup: {
          'system.slice': {
            'lookout.service': { 'memory.peak': '123456\n', lookout: {} },
            'lookout-sandbox.service': {
              'lookout-run-7-1': { 'cgroup.procs': '9\n' },
              'lookout-run-8-1': { 'cgroup.procs': '1\n' }
            }
          }
        }
      }
    }
  })
  const files = { proc: `${folder}/proc`, sys: `${folder}/sys` }
  const sample = await new StationMeter({ clock: new VirtualClock(0), files, root: 7 }).sample()
  t.match(sample, { station_processes: 2, station_memory_bytes: 3 * MIB, service_memory_peak_bytes: 123_456 })
})

t.test('the real processes: a short one is in the maximum and in the CPU, though it has ended', linux, async (t) => {
  const clock = new VirtualClock(0)
  const meter = new StationMeter({ clock })
  meter.start()
  t.teardown(() => meter.stop())
  await meter.sample()
  const code = `const all = Buffer.alloc(120 * 2 ** 20, 1); const until = Date.now() + 600
    while (Date.now() < until) all[0] = Math.random(); process.stdout.write('full'); process.stdin.once('data', () => process.exit())`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  await clock.runTo(30_000)
  await meter.looked()
  child.stdin.write('x')
  await once(child, 'exit')
  await clock.runTo(31_000)
  const sample = await meter.sample()
  t.ok((sample.largest_child_bytes ?? 0) > 120 * MIB, `largest ${sample.largest_child_bytes}`)
  t.ok(
    (sample.station_memory_peak_bytes ?? 0) > (sample.station_memory_bytes ?? 0) + 100 * MIB,
    'the peak, not the end'
  )
  t.ok((sample.station_cpu_percent ?? 0) > 0)
  t.ok((sample.main_memory_bytes ?? 0) > 10 * MIB)
})

t.test('reading many processes holds the main thread for less than 25 ms', linux, async (t) => {
  const children: ChildProcess[] = Array.from({ length: 150 }, () => spawn('sleep', ['60'], { stdio: 'ignore' }))
  t.teardown(() => {
    for (const child of children) child.kill('SIGKILL')
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  const turns: number[] = []
  let last = performance.now()
  let going = true
  const spin = (): void => {
    turns.push(performance.now() - last)
    last = performance.now()
    if (going) setImmediate(spin)
  }
  spin()
  const before = process.cpuUsage()
  const found = await stationProcesses({
    proc: '/proc',
    root: process.pid,
    pause: () => new Promise((resolve) => setImmediate(resolve))
  })
  const cpu = process.cpuUsage(before)
  going = false
  t.ok(found.length > 150)
  // Other work of the machine may take a turn; our own steps are what is held to the limit.
  const held = turns.toSorted((a, b) => b - a)
  t.comment(
    `${found.length} processes, longest turn ${held[0]?.toFixed(1)} ms, CPU ${(cpu.user + cpu.system) / 1000} ms`
  )
  t.ok((held[2] ?? 0) < 25, held.slice(0, 5).join(', '))
})
