import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'

/** deploy/systemd/lookout-board on a pretended /sys: what root does for the station, and what it does not believe. */

const SCRIPT = join(import.meta.dirname, '../../deploy/systemd/lookout-board')
const PROG1 = 148

interface Board {
  run: (args: readonly string[], env?: Record<string, string>) => { code: number | null; said: string }
  lamp: () => string
  asked: () => string
  put: (path: string, text: string) => void
  base: string
}

function board(t: Test, wish: string): Board {
  // One object in two places would be a circle to tap.
  const led = () => ({ trigger: '', delay_on: '', delay_off: '' })
  const base = t.testdir({
    wish,
    cmdline: 'quiet\n',
    sys: { class: { leds: { lookout: led(), ACT: led() } } },
    boot: {}
  })
  const systemctl = join(base, 'systemctl')
  writeFileSync(systemctl, `#!/bin/sh\necho "$@" >>${base}/asked\n`)
  chmodSync(systemctl, 0o755)
  const names = { WISH: 'wish', SYS: 'sys', BOOT: 'boot', CMDLINE: 'cmdline', SYSTEMCTL: 'systemctl' }
  const own = Object.fromEntries(
    Object.entries(names).map(([name, file]) => [`LOOKOUT_BOARD_${name}`, join(base, file)])
  )
  const text = (file: string): string =>
    existsSync(join(base, file)) ? readFileSync(join(base, file), 'utf8').trim() : ''
  return {
    base,
    run: (args, env = {}) => {
      const { status, stderr } = spawnSync('sh', [SCRIPT, ...args], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], LOOKOUT_BOARD_LOOKS: '1', ...own, ...env }
      })
      return { code: status, said: stderr }
    },
    lamp: () => ['trigger', 'delay_on', 'delay_off'].map((file) => text(`sys/class/leds/lookout/${file}`)).join(' '),
    asked: () => text('asked'),
    put: (path, content) => {
      mkdirSync(join(base, 'sys', path, '..'), { recursive: true })
      writeFileSync(join(base, 'sys', path), content)
    }
  }
}

const battery = ({ put }: Board, percent: number, status = 'Discharging'): void => {
  put('class/power_supply/ups/type', 'Battery\n')
  put('class/power_supply/ups/status', `${status}\n`)
  put('class/power_supply/ups/capacity', `${percent}\n`)
}

t.test('each state has a pattern of its own, and a station that says nothing is no good one', (t) => {
  const seen = new Set<string>()
  for (const lamp of ['starting', 'good', 'bad', 'alert']) {
    const one = board(t, `lamp=${lamp}\n`)
    t.equal(one.run(['wish']).code, 0)
    t.match(one.lamp(), /^timer \d+ \d+$/)
    seen.add(one.lamp())
  }
  t.equal(seen.size, 4)
  const bad = board(t, 'lamp=bad\n')
  bad.run(['wish'])
  for (const silent of ['', 'lamp=../../x\n', 'lamp=GOOD\n']) {
    const one = board(t, silent)
    one.run(['wish'])
    t.equal(one.lamp(), bad.lamp(), JSON.stringify(silent))
  }
  t.end()
})

t.test('no lamp is touched that nobody chose; a name that is a path is none', (t) => {
  const one = board(t, 'lamp=good\n')
  t.match(one.run(['wish'], { LOOKOUT_LAMP: '../../../boot' }).said, 'no lamp is called')
  t.equal(one.lamp(), '  ')
  t.match(one.run(['wish'], { LOOKOUT_LAMP: 'PWR' }).said, /no lamp PWR; there are: ACT lookout/)
  writeFileSync(join(one.base, 'cmdline'), 'quiet lookout.lamp=ACT root=x\n')
  one.run(['wish'])
  t.equal(one.lamp(), '  ', 'the one of the kernel is another')
  t.equal(readFileSync(join(one.base, 'sys/class/leds/ACT/trigger'), 'utf8'), 'timer\n')
  t.end()
})

t.test('a board is switched off only when the kernel says too that its battery is nearly empty', (t) => {
  const one = board(t, 'lamp=bad\npoweroff=battery\n')
  t.match(one.run(['wish']).said, 'the kernel does not')
  battery(one, 80)
  one.run(['wish'])
  battery(one, 4, 'Charging')
  one.run(['wish'])
  t.equal(one.asked(), '')
  battery(one, 4)
  one.run(['wish'])
  t.equal(one.asked(), 'poweroff')
  t.end()
})

t.test('nor for its voltage unless the firmware says so, now', (t) => {
  const one = board(t, 'lamp=bad\npoweroff=voltage\n')
  one.put('devices/platform/soc/soc:firmware/get_throttled', '50000\n')
  one.run(['wish'])
  t.equal(one.asked(), '', 'it was low once')
  one.put('devices/platform/soc/soc:firmware/get_throttled', '50005\n')
  one.run(['wish'])
  t.equal(one.asked(), 'poweroff')
  const debian = board(t, 'poweroff=voltage\n')
  debian.put('class/hwmon/hwmon0/name', 'rpi_volt\n')
  debian.put('class/hwmon/hwmon0/in0_lcrit_alarm', '1\n')
  debian.run(['wish'])
  t.equal(debian.asked(), 'poweroff')
  t.end()
})

t.test('other words of the station do nothing', (t) => {
  for (const wish of ['poweroff=now\n', 'poweroff=battery;reboot\n', 'poweroff=voltage extra\n', 'reboot=yes\n']) {
    const one = board(t, wish)
    battery(one, 1)
    one.put('devices/platform/soc/soc:firmware/get_throttled', '1\n')
    one.run(['wish'])
    t.equal(one.asked(), '', wish)
  }
  t.end()
})

/** As a kernel of 64 bits writes it: `struct input_event`. */
function event(second: number, code: number, value: number): Buffer {
  const bytes = Buffer.alloc(24)
  bytes.writeBigInt64LE(BigInt(second), 0)
  bytes.writeUInt16LE(1, 16)
  bytes.writeUInt16LE(code, 18)
  bytes.writeInt32LE(value, 20)
  return bytes
}
const held = (seconds: number, code = PROG1): Buffer =>
  Buffer.concat([event(1_790_000_000, code, 1), event(1_790_000_001, code, 2), event(1_790_000_000 + seconds, code, 0)])

function press(t: Test, bytes: Buffer): Board {
  const one = board(t, '')
  writeFileSync(join(one.base, 'event0'), bytes)
  t.equal(one.run(['button', join(one.base, 'event0')]).code, 0)
  return one
}

t.test('a touch does nothing, two seconds switch off, ten forget the passphrase', (t) => {
  t.equal(press(t, held(1)).asked(), '')
  t.equal(press(t, held(2)).asked(), 'poweroff')
  t.equal(press(t, held(9)).asked(), 'poweroff')
  const reset = press(t, held(10))
  t.equal(reset.asked(), 'restart lookout.service')
  t.match(readFileSync(join(reset.base, 'boot/lookout-reset'), 'utf8'), /^button [0-9a-f-]{36}\n$/)
  t.end()
})

t.test('another key and a release without a press do nothing', (t) => {
  t.equal(press(t, held(20, 116)).asked(), '')
  t.equal(press(t, event(1_790_000_000, PROG1, 0)).asked(), '')
  t.end()
})
