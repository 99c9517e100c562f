import { statSync } from 'node:fs'
import t, { type Test } from 'tap'
import { type MachineFiles, SystemSampler } from '../../../src/platform/metrics/system.ts'

/** The files of a made-up machine, in the shapes of the kernel's documentation. */
function machine(t: Test, extra: object = {}) {
  const folder = t.testdir({
    data: {},
    proc: {
      meminfo: 'MemTotal:         948304 kB\nMemFree:           61234 kB\nMemAvailable:     512000 kB\n',
      self: { io: 'rchar: 1\nwchar: 2\nread_bytes: 3\nwrite_bytes: 409600\ncancelled_write_bytes: 0\n' }
    },
    sys: { class: { thermal: { thermal_zone0: { temp: '48312\n' } } }, ...extra }
  })
  const files: MachineFiles = { proc: `${folder}/proc`, sys: `${folder}/sys` }
  return { files, folder: `${folder}/data` }
}

t.test('a machine is measured by what its kernel tells', async (t) => {
  const { dev } = statSync(t.testdir({}))
  const major = Math.floor(dev / 256) & 0xfff
  const minor = (dev & 0xff) | (Math.floor(dev / 4096) & 0xfff00)
  const { files, folder } = machine(t, {
    dev: { block: { [`${major}:${minor}`]: { stat: '  1 2 3 4 5 6 2048 8 0 9 10 0 0 0 0 0 0\n' } } },
    class: { thermal: { thermal_zone0: { temp: '48312\n' }, thermal_zone1: { temp: '51999\n' }, cooling_device0: {} } },
    devices: { platform: { soc: { 'soc:firmware': { get_throttled: '50000\n' } } } }
  })
  let now = 0
  const sampler = new SystemSampler({ folder, now: () => now, files })
  const first = await sampler.sample()
  t.equal(first.cpu_percent, null, 'a share needs two looks')
  t.equal(first.temperature_celsius, 52, 'the warmest zone')
  t.equal(first.throttled, 0)
  t.equal(first.throttled_since_boot, 1)
  t.equal(first.memory_available_bytes, 512_000 * 1024)
  t.equal(first.process_written_bytes, 409_600)
  t.equal(first.disk_written_bytes, 2048 * 512)
  t.ok((first.disk_free_bytes ?? 0) > 0 && (first.disk_total_bytes ?? 0) >= (first.disk_free_bytes ?? 0))
  now = 1000
  const second = await sampler.sample()
  t.type(second.process_cpu_percent, 'number')
})

t.test('Debian’s own kernel tells of low voltage by an alarm', async (t) => {
  const { files, folder } = machine(t, {
    class: { hwmon: { hwmon0: { name: 'cpu_thermal\n' }, hwmon1: { name: 'rpi_volt\n', in0_lcrit_alarm: '1\n' } } }
  })
  const sample = await new SystemSampler({ folder, now: () => 0, files }).sample()
  t.equal(sample.throttled, 1)
  t.equal(sample.throttled_since_boot, null)
})

t.test('what a machine does not tell is null, never a made-up number', async (t) => {
  const folder = t.testdir({ data: {} })
  const files = { proc: `${folder}/none`, sys: `${folder}/none` }
  const sample = await new SystemSampler({ folder: `${folder}/data`, now: () => 0, files }).sample()
  t.match(sample, {
    temperature_celsius: null,
    throttled: null,
    throttled_since_boot: null,
    disk_written_bytes: null,
    process_written_bytes: null
  })
  t.ok(sample.memory_available_bytes > 0)
})

t.test('this machine can be measured', async (t) => {
  const sample = await new SystemSampler({ folder: t.testdir({}), now: () => 0 }).sample()
  t.ok(sample.rss_bytes > 1e6 && sample.memory_total_bytes > sample.rss_bytes)
})
