import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { lockedPackages } from '../../scripts/docs-dependencies.ts'
import { eventually } from '../helpers/process.ts'

/** `npm i -g` from the packed package, in an empty folder: docs/operator.md, "With npm". */

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

t.test('npm i -g installs the packed program without development packages, and it runs', async (t) => {
  mkdirSync(join(root, 'artifacts'), { recursive: true })
  const out = mkdtempSync(join(root, 'artifacts/npm-'))
  t.teardown(() => rmSync(out, { recursive: true, force: true }))
  spawnSync(process.execPath, [join(root, 'scripts/ensure-build.js')], { stdio: ['ignore', 2, 2] })
  const packing = ['--import=tsx', 'scripts/pack.ts', '--no-build', '--npm', '--out', out]
  const packed = spawnSync(process.execPath, packing, { cwd: root, encoding: 'utf8' })
  t.equal(packed.status, 0, packed.stderr)
  const archive = join(out, `lookout-${version}.tgz`)
  t.ok(statSync(archive).size < 25e6)

  mkdirSync(join(out, 'empty'))
  const prefix = join(out, 'prefix')
  const how = ['i', '-g', '--prefix', prefix, '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline', archive]
  const installed = spawnSync('npm', how, { cwd: join(out, 'empty'), encoding: 'utf8' })
  t.equal(installed.status, 0, installed.stderr)
  const modules = join(prefix, 'lib/node_modules/lookout/node_modules')
  const shipped = new Set(
    lockedPackages(root)
      .filter((one) => one.shipped)
      .map(({ name }) => name)
  )
  const names = readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((one) => `${name}/${one}`) : [name]
    )
  t.ok(names.includes('serialport') && names.length > 10)
  t.same(
    names.filter((name) => !shipped.has(name)),
    []
  )

  const env = { PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`, LC_ALL: 'C' }
  const said = spawnSync('lookout', ['--version'], { cwd: join(out, 'empty'), env, encoding: 'utf8' })
  t.match(said, { status: 0, stdout: `${version}\n`, stderr: '' })
  const child = spawn('lookout', ['start', '--port', '0', '--data', join(out, 'data'), '--no-demo'], { env })
  const ended = new Promise((resolve) => child.once('close', resolve))
  t.teardown(() => {
    child.kill('SIGKILL')
    return ended
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more))
  await eventually('the ready line', () => text.includes('lookout ready http'))
  const [, url = ''] = /lookout ready (http:\S+)/.exec(text) ?? []
  t.match(await (await fetch(`${url}/api/health`)).json(), { status: 'live' })
  t.notMatch(text, /warning/i, 'nothing about experiments or what is out of date')
  child.kill('SIGTERM')
  t.equal(await ended, 0)
})
