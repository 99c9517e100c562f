import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { Board } from '../../scripts/image-board.ts'
import { doctorUnit, faultsOfViews, memoryOf } from '../../scripts/image-views.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const IMAGE = join(ROOT, 'deploy/image')
const SCRIPTS = [
  'scripts/build-image',
  'scripts/image-layout',
  'deploy/image/customise',
  'deploy/image/card/usr/local/sbin/lookout-grow',
  'deploy/systemd/lookout-claim'
]

const read = (path: string): string => readFileSync(join(IMAGE, path), 'utf8')
const linesOf = (path: string): string[] =>
  read(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

/** Names of programs that are not here. */
const missing = (...programs: string[]): string[] =>
  programs.filter((name) => spawnSync('which', [name], { env: withSbin() }).status !== 0)
const withSbin = () => ({ ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` })

function run(t: Test, command: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: withSbin() })
  t.equal(status, 0, `${command} ${args.join(' ')}: ${stderr}`)
  return stdout
}

t.test(
  'the stage of pi-gen and the layer of rpi-image-gen have the packages and the files of build-image',
  async (t) => {
    const packages = linesOf('packages')
    t.same(read('pi-gen/stage-lookout/00-lookout/00-packages-nr').trim().split(/\s+/), packages)
    const layer = read('rpi-image-gen/layer/lookout.yaml')
    t.same(
      [...layer.matchAll(/^ {4}- ([a-z0-9+.-]+)$/gm)].map(([, name]) => name),
      packages
    )
    for (const [way, step] of [
      ['pi-gen/stage-lookout/00-lookout/01-run.sh', /^files\/image\/customise "\$\{ROOTFS_DIR\}"$/m],
      ['rpi-image-gen/layer/lookout.yaml', /^ {4}- \.\.\/customise "\$1"$/m]
    ] as const) {
      t.match(read(way), step, way)
      t.match(read(way), /dpkg --install \/lookout\.deb/, way)
      t.match(read(way), 'lookout-setup.txt', way)
    }
    const build = readFileSync(join(ROOT, 'scripts/build-image'), 'utf8')
    t.match(build, '"$deploy/packages" "$deploy/packages-debian"')
    t.match(build, '"$deploy/customise" "$root" --card')
  }
)

t.test('a root gets the overlay, masked units, and nothing that two cards would share', async (t) => {
  if (process.getuid?.() !== 0) {
    t.comment('skipped: only root makes files of root')
    return
  }
  for (const card of [false, true]) {
    const root = t.testdir({ etc: { ssh: { ssh_host_rsa_key: 'k' }, 'machine-id': 'abc\n' } })
    run(t, join(IMAGE, 'customise'), [root, ...(card ? ['--card'] : [])])
    for (const file of filesBelow(join(IMAGE, 'overlay'))) t.ok(existsSync(join(root, file)), file)
    for (const file of filesBelow(join(IMAGE, 'card'))) t.equal(existsSync(join(root, file)), card, file)
    t.equal(readFileSync(join(root, 'etc/machine-id'), 'utf8'), '')
    t.equal(
      existsSync(join(root, 'etc/lookout-image')),
      card,
      'whoever installs releases knows that this root is never written'
    )
    t.notOk(existsSync(join(root, 'etc/ssh/ssh_host_rsa_key')))
    if (card) t.equal(statSync(join(root, 'usr/local/sbin/lookout-grow')).mode & 0o777, 0o755)
  }
})

t.test('no unit of the image says what systemd does not understand', async (t) => {
  if (missing('systemd-analyze').length > 0) {
    t.comment('skipped: not installed: systemd-analyze')
    return
  }
  for (const file of ['overlay', 'card'].flatMap((part) =>
    filesBelow(join(IMAGE, part)).map((one) => join(part, one))
  )) {
    if (!/\.(?:service|path)$/.test(file)) continue
    const { stderr } = spawnSync('systemd-analyze', ['verify', join(IMAGE, file)], { encoding: 'utf8' })
    const name = file.split('/').at(-1) ?? file
    t.same(
      stderr.split('\n').filter((line) => line.includes(name) && !/not executable|WantsMountsFor/.test(line)),
      [],
      file
    )
  }
})

t.test('the shell scripts of the image have no fault that shellcheck knows', async (t) => {
  if (missing('shellcheck').length === 0)
    run(
      t,
      'shellcheck',
      SCRIPTS.map((path) => join(ROOT, path))
    )
})

t.test('three trees become a card with three partitions, and their file systems are whole', async (t) => {
  const absent = missing('mkfs.ext4', 'mkfs.vfat', 'mcopy', 'sfdisk', 'e2fsck', 'debugfs')
  if (absent.length > 0) {
    t.comment(`skipped: not installed: ${absent.join(', ')}`)
    return
  }
  const folder = t.testdir({
    root: { etc: { hostname: 'lookout\n' } },
    boot: { 'config.txt': 'arm_64bit=1\n', overlays: { 'a.dtbo': 'x' } }
  })
  mkdirSync(join(folder, 'root/usr/bin'), { recursive: true })
  writeFileSync(join(folder, 'root/usr/bin/tool'), '#!/bin/sh\n')
  chmodSync(join(folder, 'root/usr/bin/tool'), 0o755)
  const card = join(folder, 'card.img')
  const owner = `${process.getuid?.()}:${process.getgid?.()}`
  const sizes = ['--boot-mb', '40', '--data-mb', '64', '--lookout', owner]
  run(t, join(ROOT, 'scripts/image-layout'), [join(folder, 'root'), join(folder, 'boot'), card, ...sizes])

  const { partitiontable: table } = JSON.parse(run(t, 'sfdisk', ['--json', card]))
  const partitions: { start: number; size: number; type: string; bootable?: boolean }[] = table.partitions
  t.match(partitions, [{ type: 'c', bootable: true, start: 8192 }, { type: '83' }, { type: '83' }])
  t.ok(
    partitions.every(({ start, size }) => start % 8192 === 0 && size % 8192 === 0),
    'whole blocks of 4 MiB'
  )
  t.match(run(t, 'mdir', ['-b', '-i', `${card}@@4M`, '::']), /config\.txt\s+::\/overlays/)
  for (const [index, label, wanted] of [
    [1, 'lookout-root', '/usr/bin/tool'],
    [2, 'lookout-data', '/lookout']
  ] as const) {
    const { start = 0, size = 0 } = partitions[index] ?? {}
    const part = join(folder, label)
    run(t, 'dd', [`if=${card}`, `of=${part}`, 'bs=512', `skip=${start}`, `count=${size}`, 'status=none'])
    run(t, 'e2fsck', ['-fn', part])
    t.match(run(t, 'dumpe2fs', ['-h', part]), new RegExp(`volume name: +${label}[^]*Block size: +4096`))
    t.match(run(t, 'debugfs', ['-R', `stat ${wanted}`, part]), index === 1 ? /Mode: +0755/ : /Mode: +0700/)
  }
})

t.test('the card is mounted by the labels that it is given', async (t) => {
  const layout = readFileSync(join(ROOT, 'scripts/image-layout'), 'utf8')
  const labels = [...read('card/etc/fstab').matchAll(/^LABEL=(\S+)/gm)].map(([, label = '']) => label)
  t.same(labels, ['lookout-root', 'LOOKOUTBOOT', 'lookout-data'])
  for (const [, folder = ''] of read('card/etc/fstab').matchAll(/^\S+ +(\/\S+)/gm))
    t.ok(
      /^\/(?:$|tmp|var\/(?:tmp|log|cache|lib\/systemd))/.test(folder) || read('customise').includes(`"$root${folder}"`),
      `${folder} is there to be mounted on`
    )
  const stick = readFileSync(join(ROOT, 'deploy/systemd/lookout-stick'), 'utf8')
  const taken = /by-label\/(\w+)\}/.exec(stick)?.[1]
  t.ok(taken !== undefined && !labels.includes(taken), 'no partition of the card is taken for a stick')
  for (const label of labels) t.match(layout, new RegExp(`-[Ln] ${label} `))
  t.match(readFileSync(join(ROOT, 'scripts/build-image'), 'utf8'), 'root=LABEL=lookout-root ro')
  t.match(read('card/etc/fstab'), /^LABEL=lookout-root +\/ +ext4 +ro,/m)
})

t.test('a start that was lost with its data partition is made again, and the text file comes before it', (t) => {
  t.match(read('card/etc/systemd/system/multi-user.target.d/lookout.conf'), /^Upholds=lookout\.service$/m)
  t.match(read('card/etc/systemd/system/lookout.service.d/card.conf'), /^Wants=lookout-first-boot\.service$/m)
  const settle = Number(/settle --timeout=(\d+)/.exec(read('card/usr/local/sbin/lookout-grow'))?.[1])
  const most = Number(/^TimeoutStartSec=(\d+)min$/m.exec(read('card/etc/systemd/system/lookout-grow.service'))?.[1])
  t.ok(settle < most * 60, 'systemd waits longer for it than it waits for udev')
  t.end()
})

t.test('the power of an emulated board may be cut twice, and one that was cut does not answer', async (t) => {
  const folder = t.testdir({ 'qemu-system-aarch64': '#!/bin/sh\nexec sleep 600\n' })
  chmodSync(join(folder, 'qemu-system-aarch64'), 0o755)
  const path = process.env['PATH']
  process.env['PATH'] = `${folder}:${path}`
  t.teardown(() => {
    process.env['PATH'] = path
  })
  const board = new Board(join(folder, 'card.img'), { folder, memory: 512, port: 1, limit: 60 })
  board.start()
  await board.cut()
  await board.cut()
  await t.rejects(board.ask('true'), /no end of "true"/)
  await t.rejects(board.healthy(), /no answer/)
})

t.test(
  "the doctor of a booted image runs as the station does, and takes nothing of the station's when it ends",
  (t) => {
    const unit = join(ROOT, 'deploy/systemd/lookout.service')
    const to = join(t.testdir({}), 'lookout-doctor.service')
    run(t, 'sh', ['-c', doctorUnit(unit, to)])
    const lines = (path: string): string[] => readFileSync(path, 'utf8').split('\n')
    const [station, doctor] = [lines(unit), lines(to)]
    t.match(
      doctor.filter((line) => !station.includes(line)),
      ['Type=oneshot', /^ExecStart=-\/opt\/lookout\/current\/bin\/node \S+\/lookout\.js doctor --json$/]
    )
    const gone = station.filter((line) => !doctor.includes(line)).map((line) => line.split('=')[0])
    t.same(gone.sort(), [
      ...['ExecStart', 'NotifyAccess', 'Restart', 'RestartMaxDelaySec', 'RestartPreventExitStatus', 'RestartSec'],
      ...['RestartSteps', 'RuntimeDirectory', 'RuntimeDirectoryMode', 'TimeoutStartSec', 'TimeoutStopSec', 'Type'],
      ...['WatchdogSec', 'WatchdogSignal']
    ])
    t.end()
  }
)

t.test('an image whose station makes the views itself is at fault', (t) => {
  const asItShouldBe = {
    ...{ sandbox_socket: 'active', sandbox_before: 'inactive', s6_sudod: '/usr/bin/s6-sudod', own_views: '0' },
    view: 'files: those of their job (bubblewrap, in a service of its own); network: none (bubblewrap)',
    sandbox: 'active'
  }
  t.same(faultsOfViews(asItShouldBe), [])
  t.match(faultsOfViews({ ...asItShouldBe, own_views: '1' }), [/own_views: "1"/])
  t.match(
    faultsOfViews({ ...asItShouldBe, view: 'files: those of their job (bubblewrap); network: none (bubblewrap)' }),
    [/^view: /]
  )
  t.end()
})

t.test('the memory of a service that has no process counts as nothing', (t) => {
  t.equal(run(t, 'sh', ['-c', memoryOf('VmRSS', 'no-such.service')]).trim(), '0.0')
  t.end()
})
