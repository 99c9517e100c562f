import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { DEPLOY, installStation } from '../helpers/installed.ts'
import { builtProgram, Machine, machineMissing } from '../helpers/machine.ts'
import { eventually } from '../helpers/process.ts'

/** Lamp and power by the real units on a systemd of their own, with a pretended /sys: docs/decisions/0054. */

const LED = 'var/pretended/class/leds/lookout'
const OWN = `[Service]
Environment=LOOKOUT_BOARD_SYS=/var/pretended LOOKOUT_BOARD_SYSTEMCTL=/usr/local/bin/asked LOOKOUT_BOARD_LOOKS=2
ReadWritePaths=/var/pretended
`

function prepare(root: string): void {
  installStation(root, { station: { name: 'Hill' } })
  const put = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
    chmodSync(join(root, path), mode)
  }
  for (const unit of ['lookout-board.service', 'lookout-board.path'])
    copyFileSync(join(DEPLOY, 'systemd', unit), join(root, 'etc/systemd/system', unit))
  put('etc/systemd/system/lookout-board.service.d/test.conf', OWN)
  put(
    'opt/lookout/releases/test/deploy/systemd/lookout-board',
    readFileSync(join(DEPLOY, 'systemd/lookout-board'), 'utf8'),
    0o755
  )
  put('usr/local/bin/asked', '#!/bin/sh\necho "$@" >>/var/pretended/asked\n', 0o755)
  for (const file of ['trigger', 'delay_on', 'delay_off']) put(join(LED, file), '')
}

t.test(
  'the lamp follows the station, and only a board that is going down is switched off',
  { skip: machineMissing(), timeout: 300_000 },
  async (t) => {
    const units = ['lookout-board.path', 'lookout.service']
    const machine = await Machine.start({ prepare, binds: builtProgram(), units })
    t.teardown(() => machine.end())
    const lamp = (): string =>
      machine
        .run('sh', '-c', `cat /${LED}/trigger /${LED}/delay_on /${LED}/delay_off`)
        .stdout.trim()
        .replaceAll('\n', ' ')
    // A station without areas and radios is no good one.
    await eventually('it shows that something is wrong', () => lamp() === 'timer 1800 200', 120_000)
    t.match(machine.run('cat', '/run/lookout/board').stdout, 'lamp=bad')
    machine.run('sh', '-c', "printf 'lamp=good\\npoweroff=battery\\n' >/run/lookout/board")
    await eventually('it shows what stands there', () => lamp() === 'timer 50 4950', 60_000)
    await eventually('it has looked', () => machine.journal('lookout-board').includes('the kernel does not'), 60_000)
    t.not(machine.run('cat', '/var/pretended/asked').status, 0, 'a station alone switches nothing off')
    machine.run(
      'sh',
      '-c',
      'mkdir -p /var/pretended/class/power_supply/ups && cd /var/pretended/class/power_supply/ups && echo Battery >type && echo Discharging >status && echo 3 >capacity'
    )
    machine.run('sh', '-c', "printf 'lamp=bad\\npoweroff=battery\\n' >/run/lookout/board")
    await eventually(
      'it is asked to go',
      () => machine.run('cat', '/var/pretended/asked').stdout === 'poweroff\n',
      60_000
    )
    machine.run('systemctl', 'stop', 'lookout')
    machine.run('sh', '-c', `: >/${LED}/delay_on`)
    machine.run('systemctl', 'start', 'lookout-board.service')
    t.equal(lamp(), 'timer 1800 200', 'nobody speaks for a station that has ended')
  }
)
