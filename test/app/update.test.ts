import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { archived, BROKEN, bundleFolder, changedBundle, makeBundle, VERSION } from '../helpers/bundle.ts'
import { Machine, machineMissing } from '../helpers/machine.ts'
import { eventually } from '../helpers/process.ts'

/** A release that is brought to the page is installed by root, on a systemd of its own: docs/operator.md, "Update". */

const skip = machineMissing() || (process.arch === 'x64' ? false : 'the bundle of this test is for x64')
const URL = 'http://127.0.0.1:8080'
const GOOD = '99.0.0'
const FAILING = '99.1.0'
const SETTLE = `[Service]\nEnvironment=LOOKOUT_SETTLE_S=1\n`
const LONG_MS = 120_000

interface State {
  way: string
  version: string
  busy: string | null
  bundle: { refused: string | null; facts: { version: string; order: string } | null } | null
  last: { outcome: string; reason: string | null; from: string; to: string } | null
}

t.test('a release comes by the page', { skip, timeout: 600_000 }, async (t) => {
  const out = bundleFolder(t, 'update')
  const bundle = makeBundle(out)
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', join(out, 'other.pem')])
  // Where the version stands beside the manifest too: the program says it.
  const program = readFileSync(join(bundle, 'dist/lookout.js'), 'utf8')
  t.match(program, `"${VERSION}"`)
  const newer = { 'dist/lookout.js': program.replaceAll(`"${VERSION}"`, `"${GOOD}"`) }
  await changedBundle(bundle, { out, name: 'good', version: GOOD, files: newer })
  await changedBundle(bundle, { out, name: 'broken', version: FAILING, files: { 'dist/lookout.js': BROKEN } })
  await changedBundle(bundle, { out, name: 'forged', version: GOOD, files: newer, key: 'other.pem' })
  for (const name of ['good', 'broken', 'forged']) archived(out, name)
  copyFileSync(join(out, 'good.tar.xz'), join(out, 'short.tar.xz'))
  truncateSync(join(out, 'short.tar.xz'), 8_000_000)

  const prepare = (root: string): void => {
    mkdirSync(join(root, 'etc/systemd/system/lookout-update.service.d'), { recursive: true })
    writeFileSync(join(root, 'etc/systemd/system/lookout-update.service.d/settle.conf'), SETTLE)
  }
  const machine = await Machine.start({ prepare, binds: [[out, '/mnt/bundles']], units: ['basic.target'], room: 3000 })
  t.teardown(() => machine.end())
  await eventually('systemd is up', () => machine.run('systemctl', 'is-active', 'basic.target').status === 0)
  const folder = `/mnt/bundles/lookout-${VERSION}-linux-x64`
  const installed = machine.run(
    'env',
    'LOOKOUT_SETTLE_S=1',
    'sh',
    `${folder}/install.sh`,
    '--yes',
    '--profile',
    'minimal_pi'
  )
  t.equal(installed.status, 0, installed.stderr)

  const curl = (...args: string[]): string => {
    const token =
      'token=$(cat /var/lib/lookout/local.token) && exec curl -s -m 50 -H "Authorization: Bearer $token" "$@"'
    return machine.run('sh', '-c', token, 'sh', ...args).stdout
  }
  const state = (): State | null => {
    const text = curl(`${URL}/api/update`)
    return text.startsWith('{"way') ? (JSON.parse(text) as State) : null
  }
  const upload = async (name: string): Promise<State> => {
    const file = `/mnt/bundles/${name}.tar.xz`
    const size = machine.run('stat', '-c', '%s', file).stdout.trim()
    const facts = ['-H', 'Tus-Resumable: 1.0.0', '-H', `Upload-Length: ${size}`]
    const name64 = Buffer.from(`lookout-${name}.tar.xz`).toString('base64')
    const type = ['-H', 'Content-Type: application/offset+octet-stream', '-H', `Upload-Metadata: filename ${name64}`]
    const said = curl('-i', '-X', 'POST', ...facts, ...type, '-T', file, `${URL}/api/update/uploads`)
    t.match(said, /^HTTP\/1\.1 201/m, said)
    return settled()
  }
  const settled = async (): Promise<State> => {
    let last: State | null = null
    await eventually(
      'nothing is under way',
      () => {
        last = state()
        return last !== null && last.busy === null
      },
      LONG_MS
    )
    return last ?? { way: '', version: '', busy: null, bundle: null, last: null }
  }
  const install = (): string =>
    curl('-X', 'POST', '-H', 'Content-Type: application/json', '-d', '{}', `${URL}/api/update/install`)

  t.test('root says that it installs what the page is given', async (t) => {
    t.match(await settled(), { way: 'page', version: VERSION, bundle: null, last: null })
  })

  t.test('a bundle that another key signed is refused, by the page and by root', async (t) => {
    const { bundle: found } = await upload('forged')
    t.match(found, { facts: null, refused: /signed by none of the keys/ })
    t.match(install(), /no bundle that could be installed/)
    // As somebody who has broken into the station would ask.
    const sum = machine.run('sha256sum', '/var/lib/lookout/update/bundle').stdout.slice(0, 64)
    machine.run('sh', '-c', `printf 'sha256=${sum}\\nolder=no\\nasked=7\\n' >/var/lib/lookout/update/request`)
    await eventually(
      'root has answered',
      () => machine.run('grep', '-q', '^asked=7$', '/var/lib/lookout-update/state').status === 0,
      LONG_MS
    )
    await eventually(
      'and is done',
      () => machine.run('grep', '-q', '^state=done$', '/var/lib/lookout-update/state').status === 0,
      LONG_MS
    )
    t.match(machine.run('cat', '/var/lib/lookout-update/state').stdout, /outcome=refused\nreason=release_not_trusted/)
    t.match(machine.run('lookout', '--version'), { stdout: `${VERSION}\n` })
  })

  t.test('one that was cut off is refused', async (t) => {
    t.match((await upload('short')).bundle, { facts: null, refused: /ends too early/ })
  })

  t.test('a release that does not come up is taken back, and the page says why', async (t) => {
    t.match((await upload('broken')).bundle, { facts: { version: FAILING, order: 'newer' } })
    t.match(install(), /"busy":"installing"/)
    const after = await settled()
    t.match(
      after,
      { version: VERSION, last: { outcome: 'rolled_back', from: VERSION, to: FAILING } },
      machine.journal('lookout-update')
    )
    t.match(after.last?.reason, /the database is of tomorrow/)
    t.match(await machine.get(`${URL}/api/health`), { status: 200 })
  })

  t.test('a good one is installed, and the log of who did what has it', async (t) => {
    t.match((await upload('good')).bundle, { facts: { version: GOOD, order: 'newer' } })
    install()
    const after = await settled()
    t.match(
      after,
      { version: GOOD, bundle: null, last: { outcome: 'updated', to: GOOD } },
      machine.journal('lookout-update')
    )
    t.match(machine.run('lookout', '--version'), { stdout: `${GOOD}\n` })
    await eventually('it is in the log', () =>
      /audit_update_done/.test(machine.run('cat', '/var/lib/lookout/audit.log').stdout)
    )
    t.match(machine.run('cat', '/var/lib/lookout/audit.log').stdout, /audit_update_asked/)
    t.ok(
      machine.run('sh', '-c', 'ls /var/backups/lookout/*/manifest.json').status === 0,
      'the data were backed up first'
    )
  })
})
