import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { machineStrain } from '../../../src/platform/metrics/strain.ts'

/** Files as the kernel of a board writes them. */
function machine(t: Test, files: Record<string, string>): { proc: string; sys: string } {
  const root = t.testdir()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return { proc: join(root, 'proc'), sys: join(root, 'sys') }
}

const SUPPLY = 'sys/class/power_supply'
const battery = (name: string, facts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).map(([file, content]) => [`${SUPPLY}/${name}/${file}`, `${content}\n`]))

t.test('a machine that tells nothing has no strain', (t) => {
  const nothing = { temperature: null, memory: null, own_memory: null, memory_pressure: null, battery: null }
  t.strictSame(machineStrain(machine(t, {})), nothing)
  t.end()
})

t.test('temperature is that of the warmest zone, memory what programs could still get', (t) => {
  const files = machine(t, {
    'sys/class/thermal/thermal_zone0/temp': '61322\n',
    'sys/class/thermal/thermal_zone1/temp': '78900\n',
    'sys/class/thermal/cooling_device0/temp': '99000\n',
    'proc/meminfo': 'MemTotal:         400000 kB\nMemFree:           9000 kB\nMemAvailable:      50000 kB\n',
    'proc/pressure/memory':
      'some avg10=12.34 avg60=3.00 avg300=1.00 total=12\nfull avg10=5.00 avg60=1.00 avg300=0.10 total=3\n'
  })
  t.match(machineStrain(files), { temperature: 78.9, memory: 12.5, memory_pressure: 12.34 })
  t.end()
})

t.test('own memory is measured at the nearest limit above us, without what the kernel only caches', (t) => {
  const service = 'sys/fs/cgroup/system.slice/lookout.service'
  const files = machine(t, {
    'proc/self/cgroup': '0::/system.slice/lookout.service/lookout\n',
    [`${service}/lookout/memory.max`]: 'max\n',
    [`${service}/lookout/memory.current`]: '1000\n',
    [`${service}/memory.max`]: '1000000\n',
    [`${service}/memory.current`]: '950000\n',
    [`${service}/memory.stat`]: 'anon 700000\ninactive_file 100000\n'
  })
  t.equal(machineStrain(files).own_memory, 85)
  t.equal(machineStrain(machine(t, { 'proc/self/cgroup': '0::/\n' })).own_memory, null, 'nobody set a limit')
  t.end()
})

t.test('the battery counts while it is used up, and a radio or a mouse has its own', (t) => {
  const left = (facts: Record<string, string>): number | null =>
    machineStrain(machine(t, battery('bat', { type: 'Battery', capacity: '42', ...facts }))).battery
  t.equal(left({ status: 'Discharging' }), 42)
  for (const status of ['Charging', 'Full', 'Not charging', 'Unknown']) t.equal(left({ status }), null, status)
  t.equal(left({ status: 'Discharging', scope: 'Device' }), null)
  t.equal(left({ status: 'Discharging', present: '0' }), null)
  t.equal(left({ status: 'Discharging', type: 'Mains' }), null)
  t.equal(left({ status: 'Discharging', capacity: 'x' }), null)
  t.end()
})
