import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { canServeArchives, makeArchive } from '../helpers/archives.ts'
import { PROSE, sampleEpub } from '../helpers/documents.ts'
import { DEPLOY, installStation } from '../helpers/installed.ts'
import { builtProgram, Machine, machineMissing } from '../helpers/machine.ts'
import { Peer } from '../helpers/peer.ts'
import { eventually } from '../helpers/process.ts'

/** The unit as it is installed, on a systemd of its own: contract §12, docs/decisions/0036. */

const skip = machineMissing()
const HEALTH = 'http://127.0.0.1:8080/api/health'
const CONFIG = {
  station: { name: 'Hill' },
  radios: [{ id: 'roof', network: 'mt', link: 'serial', path: '/dev/ttyACM0' }]
}

function prepare(root: string): void {
  installStation(root, CONFIG)
  // Half a minute without a word of life is too long to wait for here; the sandbox and all else is as it is shipped.
  mkdirSync(join(root, 'etc/systemd/system/lookout.service.d'))
  writeFileSync(
    join(root, 'etc/systemd/system/lookout.service.d/test.conf'),
    '[Service]\nWatchdogSec=4\nRestartSec=100ms\n'
  )
}

/** The figure of `systemd-analyze security` for a unit as it is shipped. */
function exposure(t: Test, file: string): number {
  const unit = join(t.testdir(), file)
  copyFileSync(join(DEPLOY, 'systemd', file), unit)
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
    encoding: 'utf8'
  })
  return Number(/exposure level for \S+ (\d+\.\d)/.exec(stdout)?.[1])
}

t.test('the exposure of the unit: what is left is the network and serial ports', async (t) => {
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined) return t.comment('skipped: no systemd-analyze')
  t.ok(exposure(t, 'lookout.service') <= 2)
  t.ok(
    exposure(t, 'lookout-sandbox.service') <= 2.6,
    'with namespaces, in which bubblewrap makes the view of converters, and openat2, by which it opens'
  )
  for (const unit of [
    'lookout-hotspot.service',
    'lookout-hotspot-dns.service',
    'lookout-hotspot-rules.service',
    'lookout-claim.service',
    'lookout-first-boot.service',
    'lookout-board.service',
    'lookout-button@.service'
  ])
    t.ok(exposure(t, unit) <= 2.3, unit)
  t.ok(exposure(t, 'lookout-update.service') <= 2.6, 'root, since it installs, and without what no installation needs')
  t.ok(exposure(t, 'lookout-stick.service') <= 3.8, 'what it mounts has to be seen by others: no view of its own files')
})

t.test('the profile is the chosen one, else that of the kernel line, else by the memory of the board', async (t) => {
  const folder = t.testdir({
    none: '',
    chosen: 'A=b\nLOOKOUT_PROFILE="regional_pi"\n',
    words: 'ro quiet lookout.profile=home\n'
  })
  const said = (defaults: string, cmdline: string, mebibytes: number): string => {
    writeFileSync(join(folder, 'memory'), `MemTotal:       ${mebibytes * 1024} kB\nMemFree: 1 kB\n`)
    const { status, stderr } = spawnSync(join(DEPLOY, 'systemd/lookout-profile'), [folder], {
      env: {
        PATH: process.env['PATH'],
        LOOKOUT_DEFAULTS: join(folder, defaults),
        LOOKOUT_CMDLINE: join(folder, cmdline),
        LOOKOUT_MEMINFO: join(folder, 'memory')
      },
      encoding: 'utf8'
    })
    t.equal(status, 0, stderr)
    return readFileSync(join(folder, 'lookout.service.d/10-profile.conf'), 'utf8')
  }
  t.match(said('chosen', 'words', 416), /LOOKOUT_PROFILE=regional_pi /)
  t.match(said('none', 'words', 416), /LOOKOUT_PROFILE=home /)
  for (const [mebibytes, name] of [
    [416, 'minimal_pi'],
    [906, 'regional_pi'],
    [1848, 'regional_pi'],
    [3790, 'home']
  ] as const) {
    const { tuning } = JSON.parse(readFileSync(join(DEPLOY, `../profiles/${name}.json`), 'utf8'))
    const text = said('missing', 'none', mebibytes)
    t.match(
      text,
      `LOOKOUT_PROFILE=${name} LOOKOUT_HEAP_MB=${tuning.heap_mb} LOOKOUT_YOUNG_MB=${name === 'minimal_pi' ? 1 : 16}\n`,
      `${mebibytes} MiB`
    )
    const [, high = '', most = ''] = /MemoryHigh=(\d+)M\nMemoryMax=(\d+)M/.exec(text) ?? []
    t.ok(Number(high) < Number(most) && Number(most) < mebibytes, 'less than there is')
    const sandbox = readFileSync(join(folder, 'lookout-sandbox.service.d/10-profile.conf'), 'utf8')
    const [, away = ''] = /MemoryMax=(\d+)M/.exec(sandbox) ?? []
    t.ok(Number(away) + tuning.heap_mb < mebibytes, 'and what reads documents leaves room for the station')
  }
})

t.test(
  'where the programs of the sandbox are not installed, the station is given what it needs to make the views itself',
  async (t) => {
    const folder = t.testdir({ none: {}, both: { 's6-sudod': '', bwrap: '' }, out: {} })
    for (const name of ['s6-sudod', 'bwrap']) chmodSync(join(folder, 'both', name), 0o755)
    const made = (programs: string): boolean => {
      const out = join(folder, 'out', programs)
      const env = { PATH: process.env['PATH'], LOOKOUT_PROGRAMS: join(folder, programs) }
      const { status, stderr } = spawnSync(join(DEPLOY, 'systemd/lookout-profile'), [out], { env, encoding: 'utf8' })
      t.equal(status, 0, stderr)
      t.match(readFileSync(join(out, 'lookout-sandbox.service.d/10-profile.conf'), 'utf8'), /^MemoryMax=\d+M$/m)
      return existsSync(join(out, 'lookout.service.d/20-views.conf'))
    }
    t.equal(made('both'), false)
    t.equal(made('none'), true)
  }
)

t.test('without s6 the station makes the views itself', { skip }, async (t) => {
  const withoutIt = (root: string): void => {
    prepare(root)
    unlinkSync(join(root, 'usr/bin/s6-sudod'))
    unlinkSync(join(root, 'usr/bin/s6-sudo'))
  }
  const machine = await Machine.start({ prepare: withoutIt, binds: builtProgram(), units: [] })
  t.teardown(() => machine.end())
  const views = '20-views.conf'
  const folder = '/run/systemd/generator/lookout.service.d'
  t.match(machine.run('ls', folder).stdout, views)
  // The twin of the station has another name, and so none of its drop-ins.
  machine.run('mkdir', '-p', '/etc/systemd/system/doctor.service.d')
  machine.run('cp', `${folder}/${views}`, '/etc/systemd/system/doctor.service.d/')
  t.match(saidBy(machine, 'doctor', DOCTOR), /files: those of their job \(bubblewrap\); network: none \(bubblewrap\)/)
  machine.run('cp', '-r', '/etc/systemd/system/doctor.service.d', '/etc/systemd/system/opening.service.d')
  t.match(saidBy(machine, 'opening', OPENING), /^opened$/m, 'bubblewrap from 0.12 on opens so what it shows')
})

const healthy = (machine: Machine, but = ''): Promise<string> =>
  eventually('it answers', async () => {
    const pid = machine.show('lookout', 'MainPID')
    return pid !== but && (await machine.get(HEALTH))?.status === 200 && pid
  }).catch((error: unknown) => {
    throw new Error(`${error}\n${machine.console}\n${machine.journal('lookout')}`)
  })

/** The error when a process of the service, as its user, opens a device; empty where it could. */
function opened(machine: Machine, device: string): string {
  const script = `echo $$ > /sys/fs/cgroup/system.slice/lookout.service/cgroup.procs; exec setpriv --reuid 880 --regid 880 --groups $(getent group dialout | cut -d: -f3) sh -c ': <"$0"' ${device}`
  return machine.run('sh', '-c', script).stderr
}

/** Starts another program as the station, or another unit of ours, is started, in the same surroundings, and answers with its log. */
function saidBy(machine: Machine, name: string, command: string, of = 'lookout.service'): string {
  const unit = readFileSync(join(DEPLOY, 'systemd', of), 'utf8')
    .replace(/^Type=.*$/m, 'Type=oneshot')
    .replace(/^(?:Restart|Watchdog|Standard).*$/gm, '')
    .replace(/(?<=^ExecStart=).*$/m, command)
  writeFileSync(join(machine.root, `etc/systemd/system/${name}.service`), unit)
  machine.run('systemctl', 'daemon-reload')
  machine.run('systemctl', 'start', name)
  return machine.journal(name)
}

/** openat2, by its number on every architecture of Linux: a folder, with RESOLVE_NO_MAGICLINKS. */
const OPENING = `/usr/bin/perl -E 'my ($$path, $$how) = ("/usr", pack("Q3", 010000000, 0, 2)); say syscall(437, -100, $$path, $$how, 24) < 0 ? $$! : "opened"'`

const DOCTOR = '/opt/lookout/current/bin/node /opt/lookout/current/dist/lookout.js doctor --json'

t.test('the unit on a systemd of its own', { skip }, async (t) => {
  const machine = await Machine.start({ prepare, binds: builtProgram(), units: ['lookout.service'] })
  t.teardown(() => machine.end())
  const first = await healthy(machine)

  t.test('runs as its user, with the memory of its profile, and tells systemd how it is', async (t) => {
    const status = readFileSync(`/proc/${machine.outside(first)}/status`, 'utf8')
    t.match(status, /^Uid:\s+880\s+880/m)
    t.match(status, /^CapEff:\s+0+$/m)
    t.match(status, /^NoNewPrivs:\s+1$/m)
    t.match(status, /^Seccomp:\s+2$/m)
    t.equal(machine.show('lookout', 'MemoryMax'), String(360 * 2 ** 20))
    await eventually('it says how it is', () => machine.show('lookout', 'StatusText').startsWith('0 of 1 radios ready'))
  })

  t.test(
    'a radio that is plugged in later opens, though its driver was not there at the start; other devices do not',
    async (t) => {
      // No driver of this machine has these numbers: that the kernel looks for one says that the rules let it through.
      machine.run('mknod', '-m', '660', '/dev/ttyACM7', 'c', '166', '7')
      machine.run('mknod', '-m', '660', '/dev/ttyUSB0', 'c', '188', '0')
      machine.run('mknod', '-m', '666', '/dev/other', 'c', '10', '237')
      machine.run('chgrp', 'dialout', '/dev/ttyACM7', '/dev/ttyUSB0')
      for (const device of ['/dev/ttyACM7', '/dev/ttyUSB0']) t.match(opened(machine, device), /No such device/, device)
      t.match(opened(machine, '/dev/other'), /not permitted/)

      const peer = await Peer.start('mt', ['--port', '0'])
      t.teardown(() => peer.stop())
      const line = spawn(
        'nsenter',
        [
          ...['-t', machine.leader, '-m', 'socat'],
          'PTY,link=/dev/ttyACM0,raw,echo=0,mode=660,group=dialout',
          `TCP:127.0.0.1:${peer.port}`
        ],
        { stdio: 'inherit' }
      )
      t.teardown(() => line.kill())
      await eventually('the radio is ready', () =>
        machine.show('lookout', 'StatusText').startsWith('1 of 1 radios ready')
      )
    }
  )

  t.test(
    'converters have a view of their own files and no network, made by a service beside the station, which may make none',
    async (t) => {
      const isAsked = (): string => machine.show('lookout-sandbox.service', 'ActiveState')
      t.equal(isAsked(), 'inactive', 'nothing of it runs before somebody asks')
      t.match(
        saidBy(machine, 'doctor', DOCTOR),
        /files: those of their job \(bubblewrap, in a service of its own\); network: none \(bubblewrap\)/
      )
      t.equal(isAsked(), 'active')
      const refused = saidBy(
        machine,
        'takeover',
        "/bin/sh -c 'unshare --user true; unshare --mount true; unshare --net true; true'"
      )
      t.equal(refused.match(/unshare failed: Operation not permitted/g)?.length, 3, refused)
    }
  )

  t.test('bubblewrap from 0.12 on, which opens what it shows by openat2, can do so in the sandbox', async (t) => {
    t.match(saidBy(machine, 'opening', OPENING, 'lookout-sandbox.service'), /^opened$/m)
    t.match(saidBy(machine, 'opening', OPENING), /Function not implemented/, 'the station itself needs it for nothing')
  })

  t.test('each run has a control group in the sandbox, which goes with it', async (t) => {
    const groups = '/sys/fs/cgroup/system.slice/lookout-sandbox.service'
    t.match(machine.run('ls', groups).stdout, /^serve$/m)
    t.notMatch(machine.run('ls', groups).stdout, /lookout-run/)
  })

  t.test("a stranger's book is converted and read there, and becomes complete", async (t) => {
    machine.run('mkdir', '-p', '/root/in')
    writeFileSync(join(machine.root, 'root/in/book.epub'), sampleEpub([{ title: 'Wells', paragraphs: [PROSE, PROSE] }]))
    const secret = machine.run('cat', '/var/lib/lookout/local.token').stdout.trim()
    const as = ['-s', '-H', `Authorization: Bearer ${secret}`]
    const sent = machine.run(
      'curl',
      ...as,
      '-F',
      'category=water',
      '-F',
      'file=@/root/in/book.epub',
      'http://127.0.0.1:8080/api/upload'
    )
    const { hash } = JSON.parse(sent.stdout || '{}') as { hash?: string }
    t.type(hash, 'string', sent.stdout)
    let text = ''
    await eventually('it is complete', () => {
      text = machine.run('curl', ...as, `http://127.0.0.1:8080/api/upload/${hash}/status`).stdout
      return text.includes('"complete"')
    }).catch((error: unknown) =>
      t.fail(`${error}\n${text}\n${machine.journal('lookout')}\n${machine.journal('lookout-sandbox')}`)
    )
    t.match(machine.run('ps', '-eo', 'args').stdout, /s6-ipcserverd/)
  })

  t.test('the library is served from there and hears of a second archive', async (t) => {
    if (!canServeArchives()) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
    const secret = machine.run('cat', '/var/lib/lookout/local.token').stdout.trim()
    const listing = (): string =>
      machine.run('curl', '-s', '-H', `Authorization: Bearer ${secret}`, 'http://127.0.0.1:8080/api/library/sources')
        .stdout
    const archives = join(machine.root, 'var/lib/lookout/archives')
    mkdirSync(archives, { recursive: true })
    const made = t.testdir()
    let server = ''
    for (const title of ['Wells', 'Stoves']) {
      await makeArchive(join(made, `${title}.zim`), { title })
      copyFileSync(join(made, `${title}.zim`), join(archives, `${title}.zim`))
      machine.run('chown', '-R', 'lookout:lookout', '/var/lib/lookout/archives')
      await eventually(`the server lists ${title}`, async () => {
        server = (JSON.parse(listing()) as { server: { url: string | null } }).server.url ?? ''
        return (
          server !== '' && (await machine.get(`${server}/catalog/v2/entries`))?.text.includes(`<title>${title}</title>`)
        )
      }).catch((error: unknown) => t.fail(`${error}\n${listing()}\n${machine.journal('lookout')}`))
    }
    const inside = 'cat /sys/fs/cgroup/system.slice/lookout-sandbox.service/lookout-run-*/cgroup.procs'
    const names = machine.run('sh', '-c', `for p in $(${inside}); do cat /proc/$p/comm; done`).stdout
    t.match(names, /^kiwix-serve$/m, 'it is a run of the sandbox')
  })

  t.test('a sandbox that ends is started by the next who asks', async (t) => {
    machine.run('systemctl', 'kill', '--signal=KILL', 'lookout-sandbox.service')
    await eventually('it is gone', () => machine.show('lookout-sandbox.service', 'ActiveState') !== 'active')
    t.match(saidBy(machine, 'doctor', DOCTOR), /in a service of its own/)
  })

  t.test('while it cannot be reached, a document waits and says why; reached again, it becomes complete', async (t) => {
    // Stopped, its socket would be started again by whatever wants it.
    machine.run('chmod', '0', '/run/lookout-sandbox')
    machine.run('systemctl', 'kill', '--signal=KILL', 'lookout-sandbox.service')
    t.match(saidBy(machine, 'doctor', DOCTOR), /documents wait: lookout-sandbox.*unable to connect/)
    const secret = machine.run('cat', '/var/lib/lookout/local.token').stdout.trim()
    const as = ['-s', '-H', `Authorization: Bearer ${secret}`]
    const prose = PROSE.split(' ').reverse().join(' ')
    writeFileSync(
      join(machine.root, 'root/in/second.epub'),
      sampleEpub([{ title: 'Stoves', paragraphs: [prose, prose] }])
    )
    const sent = machine.run(
      'curl',
      ...as,
      '-F',
      'file=@/root/in/second.epub',
      'http://127.0.0.1:8080/api/upload'
    ).stdout
    const { hash } = JSON.parse(sent || '{}') as { hash?: string }
    t.type(hash, 'string', sent)
    const status = (): string => machine.run('curl', ...as, `http://127.0.0.1:8080/api/upload/${hash}/status`).stdout
    await eventually('it says why it waits', () => status().includes('lookout-sandbox, which gives programs a view'))
    t.notMatch(status(), /"(?:failed|rejected)"/)
    machine.run('chmod', '600', '/run/lookout-sandbox')
    // It would go on by itself after five minutes.
    machine.run('curl', ...as, '-d', 'do=release', 'http://127.0.0.1:8080/knowledge')
    await eventually('it is complete', () => status().includes('"complete"')).catch((error: unknown) =>
      t.fail(`${error}\n${status()}\n${machine.journal('lookout')}`)
    )
  })

  t.test('the log stays in memory', async (t) => {
    const id = machine.run('cat', '/etc/machine-id').stdout.trim()
    t.ok(existsSync(join(machine.root, 'run/log/journal', id)))
    t.notOk(existsSync(join(machine.root, 'var/log/journal', id)))
  })

  t.test('a station that stands still is ended and started anew', async (t) => {
    process.kill(machine.outside(first), 'SIGSTOP')
    const second = await healthy(machine, first)
    t.not(second, first)
    t.match(machine.journal('lookout'), /[Ww]atchdog timeout/)
    t.equal(machine.show('lookout', 'NRestarts'), '1')
  })

  t.test('it stops within 5 s, and cleanly', async (t) => {
    const before = performance.now()
    machine.run('systemctl', 'stop', 'lookout')
    t.ok(performance.now() - before < 5000, `${performance.now() - before} ms`)
    t.equal(machine.show('lookout', 'Result'), 'success')
    t.equal(machine.show('lookout', 'ExecMainStatus'), '0')
    await eventually(
      'its sandbox ends with it',
      () => machine.show('lookout-sandbox.service', 'ActiveState') === 'inactive'
    ).catch((error: unknown) =>
      t.fail(`${error} ${machine.run('systemctl', 'status', 'lookout-sandbox.service').stdout}`)
    )
    t.equal(machine.run('pgrep', '-f', 'kiwix-serve|s6-').stdout, '')
  })
})
