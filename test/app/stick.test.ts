import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { DEPLOY, installStation } from '../helpers/installed.ts'
import { builtProgram, Machine, machineMissing } from '../helpers/machine.ts'
import { eventually } from '../helpers/process.ts'

/** A stick labelled LOOKOUT, mounted by the unit as it is installed, on a systemd of its own: docs/operator.md, "By itself". */

const UNIT = 'lookout-stick.service'
/** Of the module loop: the kernel's own documentation. */
const LOOP_MAJOR = '7'

/** A block device of this machine with an empty file system of that label; null where none can be made. */
function plug(t: Test): string | null {
  const image = join(t.testdir({ stick: '' }), 'stick')
  truncateSync(image, 16 * 2 ** 20)
  if (spawnSync('mkfs.ext4', ['-q', '-L', 'LOOKOUT', image]).status !== 0) return null
  const { status, stdout } = spawnSync('losetup', ['--find', '--show', image], { encoding: 'utf8' })
  if (status !== 0) return null
  const device = stdout.trim()
  t.teardown(() => spawnSync('losetup', ['-d', device]))
  return device
}

function prepare(root: string): void {
  installStation(root, {})
  // Nothing tells this systemd of devices: the one that the unit is bound to would never come.
  const unit = readFileSync(join(DEPLOY, 'systemd', UNIT), 'utf8').replace(
    /^(?:BindsTo|After|WantedBy)=.*\.device$/gm,
    ''
  )
  writeFileSync(join(root, 'etc/systemd/system', UNIT), unit)
}

t.test(
  'a stick is mounted where the station looks for it, and nothing on it counts',
  { skip: machineMissing() },
  async (t) => {
    const device = plug(t)
    if (device === null) return t.comment('skipped: no loop device, or no mkfs.ext4')
    const machine = await Machine.start({ prepare, binds: builtProgram(), units: ['basic.target'] })
    t.teardown(() => machine.end())
    await eventually('systemd is up', () => machine.run('systemctl', 'is-active', 'basic.target').status === 0)
    machine.run('mknod', device, 'b', LOOP_MAJOR, device.replace('/dev/loop', ''))
    mkdirSync(join(machine.root, 'dev/disk/by-label'), { recursive: true })
    symlinkSync(device, join(machine.root, 'dev/disk/by-label/LOOKOUT'))
    const mounts = (): string[] =>
      machine
        .run('cat', '/proc/mounts')
        .stdout.split('\n')
        .filter((line) => line.includes(`${device} `))
    const started = (): string => {
      machine.run('systemctl', 'start', 'lookout-stick')
      return machine.show('lookout-stick', 'Result')
    }

    t.test('the rest of the machine sees it, with no program, device or right of it', async (t) => {
      t.equal(started(), 'success', machine.journal('lookout-stick'))
      t.match(mounts(), [/ \/run\/lookout-stick ext4 rw,nosuid,nodev,noexec,noatime/])
    })

    t.test('the station has a folder for its backups on it', async (t) => {
      const asStation = (script: string) => machine.run('runuser', '-u', 'lookout', '--', 'sh', '-c', script)
      t.match(asStation('echo x >/run/lookout-stick/lookout-backups/x'), { status: 0, stderr: '' })
      t.not(asStation('echo x >/run/lookout-stick/x').status, 0, 'and the rest of it is whose it was')
    })

    t.test('pulled out it is gone, whatever is open on it', async (t) => {
      machine.run('systemctl', 'stop', 'lookout-stick')
      t.same(mounts(), [])
      t.equal(machine.show('lookout-stick', 'Result'), 'success')
    })

    t.test('a part of the card of the same name is left where it is', async (t) => {
      machine.run('mkdir', '/mnt/card')
      t.equal(machine.run('mount', device, '/mnt/card').status, 0)
      t.equal(started(), 'exit-code')
      t.match(machine.journal('lookout-stick'), /is in use already, as a part of the card/)
      t.match(mounts(), [/ \/mnt\/card /])
    })
  }
)
