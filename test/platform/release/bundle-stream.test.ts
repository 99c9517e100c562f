import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { verifyBundle } from '../../../src/cli/verify-bundle.ts'
import { readBundleStream } from '../../../src/platform/release/bundle-stream.ts'
import { filesOf, MANIFEST, SIGNATURE, signatureOf } from '../../../src/platform/release/release.ts'
import { versionOrder } from '../../../src/platform/release/version-order.ts'

/** A bundle that somebody brings is looked at as a stream: nothing of it is on the disk before it is trusted. */

const pair = generateKeyPairSync('ed25519')
const LONG = `${'deep/'.repeat(30)}file.txt`

async function bundle(t: Test): Promise<{ base: string; folder: string }> {
  const base = t.testdir({
    'lookout-2.0.0-linux-x64': { bin: { node: 'program' }, dist: { 'lookout.js': 'x'.repeat(3000) } },
    own: { keys: { 'key.pem': String(pair.publicKey.export({ type: 'spki', format: 'pem' })) } }
  })
  const folder = join(base, 'lookout-2.0.0-linux-x64')
  mkdirSync(join(folder, LONG, '..'), { recursive: true })
  writeFileSync(join(folder, LONG), 'a long name')
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder])
  chmodSync(join(folder, 'bin/node'), 0o755)
  const files = await filesOf(folder)
  const facts = {
    product: 'lookout',
    version: '2.0.0',
    arch: process.arch,
    node: '24.0.0',
    made_at: '2026-01-01T00:00:00Z'
  }
  const bytes = Buffer.from(JSON.stringify({ ...facts, development: false, files }))
  writeFileSync(join(folder, MANIFEST), bytes, { mode: 0o644 })
  writeFileSync(join(folder, SIGNATURE), signatureOf(bytes, pair.privateKey), { mode: 0o644 })
  return { base, folder }
}

const tar = (base: string, ...args: string[]): Buffer =>
  execFileSync('tar', ['--format=gnu', '--sort=name', '-C', base, '-cf', '-', ...args], { maxBuffer: 2 ** 24 })

/** In pieces that end anywhere. */
const stream = (bytes: Buffer, piece = 700): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / piece) }, (_, n) => bytes.subarray(n * piece, (n + 1) * piece))
  )

async function verdict(base: string, bytes: Buffer): Promise<{ code: unknown; out: Record<string, unknown> }> {
  const said: string[] = []
  const context = {
    root: join(base, 'own'),
    version: '1.0.0',
    stdin: stream(bytes),
    out: (text: string) => void said.push(text),
    err: () => undefined
  }
  const code = await verifyBundle(['-'], context).catch((error: { code: string }) => error.code)
  return { code, out: JSON.parse(said.join('')) as Record<string, unknown> }
}

t.test('an archive as it was signed is good, however its pieces are cut', async (t) => {
  const { base } = await bundle(t)
  const { code, out } = await verdict(base, tar(base, 'lookout-2.0.0-linux-x64'))
  t.equal(code, 0)
  t.match(out, { version: '2.0.0', order: 'newer', fits: true, files: 3, bytes: Number })
  const found = await readBundleStream(stream(tar(base, 'lookout-2.0.0-linux-x64'), 1))
  t.ok(found.files.some(({ path }) => path === LONG))
})

t.test('what differs from the manifest is named', async (t) => {
  const { base, folder } = await bundle(t)
  writeFileSync(join(folder, 'dist/lookout.js'), 'forged')
  const { code, out } = await verdict(base, tar(base, 'lookout-2.0.0-linux-x64'))
  t.equal(code, 'bad-input')
  t.match(out, { refused: { code: 'bundle_not_as_signed', params: { path: 'dist/lookout.js', count: 1 } } })
})

t.test('another key, an end that comes too early and no archive at all have words of their own', async (t) => {
  const { base, folder } = await bundle(t)
  const good = tar(base, 'lookout-2.0.0-linux-x64')
  const refusal = async (bytes: Buffer): Promise<unknown> => (await verdict(base, bytes)).out['refused']
  t.match(await refusal(good.subarray(0, 2000)), { code: 'bundle_cut_off' })
  t.match(await refusal(Buffer.alloc(0)), { code: 'bundle_no_archive' })
  t.match(await refusal(Buffer.from('hello '.repeat(200))), { code: 'bundle_no_archive' })
  const other = generateKeyPairSync('ed25519').privateKey
  writeFileSync(join(folder, SIGNATURE), signatureOf(Buffer.from('{}'), other))
  t.match(await refusal(tar(base, 'lookout-2.0.0-linux-x64')), { code: 'release_not_trusted' })
})

t.test('what root would unpack elsewhere or with other rights is refused', async (t) => {
  const { base, folder } = await bundle(t)
  const name = 'lookout-2.0.0-linux-x64'
  const reads = (bytes: Buffer) => readBundleStream(stream(bytes))
  await t.rejects(reads(tar(base, '-P', `--transform=s|.*node$|../outside|`, name)), {
    message: /outside its own folder/
  })
  await t.rejects(reads(tar(base, '-P', `--transform=s|.*node$|/etc/passwd|`, name)), {
    message: /outside its own folder/
  })
  await t.rejects(reads(tar(base, name, 'own')), { message: /outside its own folder/ }, 'a second folder')
  await t.rejects(reads(tar(base, name, `${name}/bin/node`)), { message: /no bundle has/ }, 'a file twice')
  chmodSync(join(folder, 'bin/node'), 0o4755)
  await t.rejects(reads(tar(base, name)), { message: /no bundle has .*bin\/node/ }, 'rights of root')
  chmodSync(join(folder, 'bin/node'), 0o755)
  symlinkSync('/etc', join(folder, 'link'))
  await t.rejects(reads(tar(base, name)), { message: /no bundle has .*link/ })
})

t.test('releases stand in the order of Semantic Versioning', async (t) => {
  const inOrder = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.10',
    '1.2.0',
    '2.0.0'
  ]
  for (const [at, version] of inOrder.entries())
    for (const [beside, other] of inOrder.entries())
      t.equal(
        versionOrder(version, other),
        at === beside ? 'same' : at > beside ? 'newer' : 'older',
        `${version} ${other}`
      )
  t.equal(versionOrder('1.0.0+abc', '1.0.0'), 'same')
})
