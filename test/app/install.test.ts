import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { BROKEN, bundleFolder, changedBundle, makeBundle, VERSION } from '../helpers/bundle.ts'
import { Machine, machineMissing, type Outcome } from '../helpers/machine.ts'
import { blocksOf } from '../helpers/page-commands.ts'
import { eventually } from '../helpers/process.ts'

/** `install.sh` of a bundle, on a systemd of its own: docs/operator.md, "Install". */

const root = fileURLToPath(new URL('../..', import.meta.url))
const skip = machineMissing() || (process.arch === 'x64' ? false : 'the bundle of this test is for x64')
const HEALTH = 'http://127.0.0.1:8080/api/health'
const NEWER = '99.0.0'
const NEXT = '98.0.0'

/** Of a hotspot that is on, its rules, at an interface of their own: at that of the machine itself they would keep everybody from the station. */
async function hotspotUp(machine: Machine): Promise<void> {
  machine.run('sh', '-c', 'ip link add guests0 type bridge; ip link set guests0 up')
  machine.run(
    'sh',
    '-c',
    'mkdir -p /run/lookout-hotspot; echo LOOKOUT_GUESTS=guests0 >/run/lookout-hotspot/environment'
  )
  machine.run('systemctl', 'start', 'lookout-hotspot-rules')
  await eventually('the rules are loaded', () => leftOfHotspot(machine).length === 3)
}

function leftOfHotspot(machine: Machine): string[] {
  const left = ['inet', 'netdev'].filter(
    (family) => machine.run('nft', 'list', 'table', family, 'lookout_hotspot').status === 0
  )
  if (machine.show('lookout-hotspot-rules', 'ActiveState') === 'active') left.push('lookout-hotspot-rules')
  return left
}

/** As an older release left it, whose hotspot was on and had nobody to put its rules back. */
function watchUnheardOf(machine: Machine): void {
  machine.run('systemctl', 'stop', 'lookout-hotspot-rules')
  machine.run('rm', '/usr/lib/systemd/system/lookout-hotspot-rules.service')
  machine.run('systemctl', 'daemon-reload')
}

/** Ends when a rule of the hotspot is away, if only for a moment. */
const WHILE_WHOLE =
  'while nft list table inet lookout_hotspot && nft list table netdev lookout_hotspot; do sleep 0.05; done >/dev/null'

t.test('install.sh on a systemd of its own', { skip }, async (t) => {
  const out = bundleFolder(t, 'install')
  const bundle = makeBundle(out, '--deb')
  await changedBundle(bundle, { out, name: 'broken', version: NEWER, files: { 'dist/lookout.js': BROKEN } })
  const program = readFileSync(join(bundle, 'dist/lookout.js'), 'utf8').replaceAll(`"${VERSION}"`, `"${NEXT}"`)
  const rules = readFileSync(join(bundle, 'deploy/hotspot/hotspot.nft'), 'utf8').replace('10/second', '9/second')
  const files = { 'dist/lookout.js': program, 'deploy/hotspot/hotspot.nft': rules }
  await changedBundle(bundle, { out, name: 'next', version: NEXT, files })
  const forged = join(out, 'forged')
  execFileSync('cp', ['-rl', bundle, forged])
  rmSync(join(forged, 'web/style.css'))
  writeFileSync(join(forged, 'web/style.css'), 'forged')

  const prepare = (): void => undefined
  const machine = await Machine.start({ prepare, binds: [[out, '/mnt/bundles']], units: ['basic.target'], room: 1200 })
  t.teardown(() => machine.end())
  const at = (path: string): string => join(machine.root, path)
  const install = (folder: string, ...args: string[]): Outcome =>
    machine.run('env', 'LOOKOUT_SETTLE_S=1', 'sh', `/mnt/bundles/${folder}/install.sh`, ...args)
  const good = bundle.slice(out.length + 1)
  await eventually('systemd is up', () => machine.run('systemctl', 'is-active', 'basic.target').status === 0)

  t.test('a dry run says what would be done and does nothing', async (t) => {
    const { status, stdout, stderr } = install(good, '--dry-run')
    t.equal(status, 0, stderr)
    t.match(
      stdout,
      /the profile for it is \w+\.[\s\S]*would run: install -D -m 644 \S+ \/usr\/lib\/systemd\/system\/lookout\.service/
    )
    t.notOk(existsSync(at('opt/lookout')))
    t.notOk(existsSync(at('etc/default/lookout')))
  })

  t.test('a bundle that is not what its manifest says is not installed', async (t) => {
    t.match(install('forged', '--yes'), { status: 3, stderr: /web\/style\.css: changed[\s\S]*not taken/ })
    t.notOk(existsSync(at('opt/lookout')))
  })

  t.test('it installs from the bundle alone, and the station answers', async (t) => {
    const { status, stdout, stderr } = install(good, '--yes', '--profile', 'minimal_pi')
    t.equal(status, 0, `${stdout}${stderr}${machine.journal('lookout')}`)
    t.match(await machine.get(HEALTH), { status: 200 })
    t.equal(machine.show('lookout', 'User'), 'lookout')
    t.match(readFileSync(at('etc/default/lookout'), 'utf8'), /^LOOKOUT_PROFILE=minimal_pi$/m)
    t.match(machine.run('lookout', '--version'), { status: 0, stdout: `${VERSION}\n` })
    t.equal(machine.run('systemctl', 'is-enabled', 'lookout').stdout, 'enabled\n')
  })

  t.test("a backup every night, by the units of the operator's guide", (t) => {
    const [service = '', timer = ''] = blocksOf(readFileSync(join(root, 'docs/operator.md'), 'utf8'), 'ini').filter(
      (block) => block.includes('Backup of Lookout')
    )
    writeFileSync(at('etc/systemd/system/lookout-backup.service'), service)
    writeFileSync(at('etc/systemd/system/lookout-backup.timer'), timer)
    machine.run('install', '-d', '-o', 'lookout', '/mnt/usb/lookout')
    machine.run('systemctl', 'daemon-reload')
    t.match(machine.run('systemctl', 'enable', '--now', 'lookout-backup.timer'), { status: 0 })
    t.equal(machine.show('lookout-backup.timer', 'ActiveState'), 'active')
    t.match(machine.show('lookout-backup.timer', 'TimersCalendar'), /OnCalendar=\*-\*-\* 02:30:00/)
    t.equal(machine.run('systemctl', 'start', 'lookout-backup').status, 0, machine.journal('lookout-backup'))
    const verified = machine.run('runuser', '-u', 'lookout', '--', 'lookout', 'backup', '--verify', '/mnt/usb/lookout')
    t.match(verified, { status: 0, stderr: /^1 backups, \d+ files: all whole\n$/ })
    machine.run('systemctl', 'disable', '--now', 'lookout-backup.timer')
    t.end()
  })

  t.test('run again it changes nothing', async (t) => {
    const pid = machine.show('lookout', 'MainPID')
    t.match(install(good, '--yes'), { status: 0, stdout: /runs already: nothing to do/ })
    t.equal(machine.show('lookout', 'MainPID'), pid)
  })

  t.test('a newer release that fails is taken back by itself, and the data with it', async (t) => {
    const { status, stdout, stderr } = install('broken', '--yes')
    t.equal(status, 5, `${stdout}${stderr}`)
    t.match(stderr, new RegExp(`release ${NEWER} was not healthy: ${VERSION.replaceAll('.', '\\.')} runs again`))
    t.match(stdout, /restoring the backup/)
    t.match(await machine.get(HEALTH), { status: 200 })
    t.match(machine.run('lookout', '--version'), { stdout: `${VERSION}\n` })
    t.notOk(existsSync(at(`opt/lookout/releases/${NEWER}`)))
  })

  t.test('whoever does not want a newer release goes back to the one before it, and forth again', async (t) => {
    const back = (): Outcome =>
      machine.run('env', 'LOOKOUT_SETTLE_S=1', '/opt/lookout/current/install.sh', '--rollback')
    t.match(back(), { status: 3, stderr: /there is no release before this one/ })
    t.equal(install('next', '--yes').status, 0)
    for (const version of [VERSION, NEXT, VERSION]) {
      t.match(back(), { status: 0, stdout: new RegExp(`^${version.replaceAll('.', '\\.')} runs\\.$`, 'm') })
      t.match(machine.run('lookout', '--version'), { stdout: `${version}\n` })
      t.match(await machine.get(HEALTH), { status: 200 })
    }
  })

  t.test(
    'a hotspot that is on is watched by the release that comes or comes back, and its rules are never away',
    async (t) => {
      const rulesSay = (rate: string): Promise<unknown> =>
        eventually(`the rules are those with ${rate}`, () =>
          machine.run('nft', 'list', 'table', 'inet', 'lookout_hotspot').stdout.includes(`rate ${rate}/second`)
        )
      await hotspotUp(machine)
      await rulesSay('10')
      watchUnheardOf(machine)
      machine.run('systemd-run', '--unit=whole', 'sh', '-c', WHILE_WHOLE)
      const { status, stdout, stderr } = install('next', '--yes')
      t.equal(status, 0, `${stdout}${stderr}`)
      await rulesSay('9')
      t.equal(leftOfHotspot(machine).length, 3, 'a watch that the release before did not have')
      const before = machine.show('lookout-hotspot-rules', 'MainPID')
      t.equal(machine.run('env', 'LOOKOUT_SETTLE_S=1', '/opt/lookout/current/install.sh', '--rollback').status, 0)
      await rulesSay('10')
      t.not(machine.show('lookout-hotspot-rules', 'MainPID'), before, 'and one that differs')
      t.equal(machine.show('whole', 'ActiveState'), 'active', 'guests were never without them')
      t.equal(machine.show('lookout-hotspot', 'InvocationID'), '', 'nobody switched the hotspot')
      machine.run('systemctl', 'stop', 'whole')
    }
  )

  t.test('removed it leaves the data, unless it is told otherwise, and no hotspot', async (t) => {
    await hotspotUp(machine)
    t.match(install(good, '--uninstall', '--yes'), { status: 0, stdout: /the data stay in/ })
    t.same(leftOfHotspot(machine), [])
    for (const gone of [
      'opt/lookout',
      'usr/bin/lookout',
      'usr/lib/systemd/system/lookout.service',
      'usr/lib/udev/rules.d/60-lookout.rules'
    ])
      t.notOk(existsSync(at(gone)), gone)
    t.ok(existsSync(at('var/lib/lookout/lookout.db')))
    t.equal(install(good, '--yes').status, 0)
    t.match(install(good, '--uninstall', '--yes', '--purge'), { status: 0, stdout: /with its data/ })
    for (const gone of ['var/lib/lookout', 'var/backups/lookout', 'etc/default/lookout'])
      t.notOk(existsSync(at(gone)), gone)
    t.not(machine.run('getent', 'passwd', 'lookout').status, 0)
  })

  t.test('the package for Debian installs, twice too, keeps settings and data, and purges all of it', async (t) => {
    const deb = `/mnt/bundles/lookout_${VERSION}_amd64.deb`
    const dpkg = (...args: string[]): void => {
      const { status, stdout, stderr } = machine.run('dpkg', '--force-confold', ...args)
      t.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`)
    }
    dpkg('-i', deb)
    t.match(await machine.get(HEALTH), { status: 200 })
    t.match(machine.run('lookout', '--version'), { stdout: `${VERSION}\n` })
    t.match(machine.run('dpkg', '-V', 'lookout'), { status: 0, stdout: '' })
    writeFileSync(at('etc/default/lookout'), 'LOOKOUT_PROFILE=home\n')
    t.equal(machine.run('sh', '-c', 'systemctl daemon-reload && systemctl restart lookout').status, 0)
    t.match(machine.show('lookout', 'Environment'), /LOOKOUT_PROFILE=home\b/, 'another profile, as the guide has it')
    t.same(leftOfHotspot(machine), [], 'where the hotspot is off nothing of it comes up')
    await hotspotUp(machine)
    watchUnheardOf(machine)
    dpkg('-i', deb)
    t.equal(leftOfHotspot(machine).length, 3, 'a hotspot that is on is watched')
    t.equal(readFileSync(at('etc/default/lookout'), 'utf8'), 'LOOKOUT_PROFILE=home\n')
    t.match(await machine.get(HEALTH), { status: 200 })
    t.match(install(good, '--yes'), { status: 3, stderr: /the package lookout is installed/ })
    dpkg('-r', 'lookout')
    t.same(leftOfHotspot(machine), [])
    t.ok(existsSync(at('var/lib/lookout/lookout.db')))
    t.not(machine.run('systemctl', 'is-active', 'lookout').status, 0)
    dpkg('-P', 'lookout')
    for (const gone of ['var/lib/lookout', 'etc/default/lookout', 'opt/lookout', 'usr/bin/lookout'])
      t.notOk(existsSync(at(gone)), gone)
    t.not(machine.run('getent', 'passwd', 'lookout').status, 0)
  })
})

t.test('what it cannot do it says, with an exit code of its own', async (t) => {
  const said = (...args: string[]) => spawnSync('sh', [join(root, 'install.sh'), ...args], { encoding: 'utf8' })
  t.match(said('--help'), { status: 0, stdout: /^usage: sudo \.\/install\.sh/ })
  t.match(said('--unheard'), { status: 2, stderr: /usage/ })
  t.match(said('--profile', 'huge'), { status: 2, stderr: /minimal_pi, regional_pi or home/ })
  t.match(said('--purge'), { status: 2, stderr: /goes with --uninstall/ })
})
