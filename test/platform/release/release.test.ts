import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { verifyBundle } from '../../../src/cli/verify-bundle.ts'
import {
  faultsOf,
  filesOf,
  fingerprintOf,
  MANIFEST,
  SIGNATURE,
  signatureOf,
  signedManifest
} from '../../../src/platform/release/release.ts'

interface Made {
  folder: string
  key: KeyObject
  publicKey: KeyObject
}

const pair = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')

/** A release of three files, signed; `changes` go into its manifest. */
async function release(t: Test, changes: object = {}): Promise<Made> {
  const base = t.testdir({
    release: {
      bin: { node: 'program' },
      dist: { 'lookout.js': 'code' },
      keys: { 'release.pem': String(pair.publicKey.export({ type: 'spki', format: 'pem' })) }
    },
    elsewhere: { 'own.pem': String(other.publicKey.export({ type: 'spki', format: 'pem' })) }
  })
  const folder = join(base, 'release')
  chmodSync(join(folder, 'bin/node'), 0o755)
  const manifest = {
    product: 'lookout',
    version: '1.2.3',
    arch: 'arm64',
    node: '24.0.0',
    made_at: '2026-01-01T00:00:00Z',
    development: false,
    files: await filesOf(folder),
    ...changes
  }
  const bytes = Buffer.from(JSON.stringify(manifest))
  writeFileSync(join(folder, MANIFEST), bytes)
  writeFileSync(join(folder, SIGNATURE), signatureOf(bytes, pair.privateKey))
  return { folder, key: pair.privateKey, publicKey: pair.publicKey }
}

t.test('a release as it was signed has no faults, and names the key', async (t) => {
  const { folder, publicKey } = await release(t)
  const { manifest, signedBy } = await signedManifest(folder, [other.publicKey, publicKey])
  t.equal(fingerprintOf(signedBy), fingerprintOf(pair.privateKey))
  t.match(fingerprintOf(signedBy), /^[0-9a-f]{16}$/)
  t.same(await faultsOf(folder, manifest), [])
})

t.test('a manifest that no trusted key signed is not read, whatever it says', async (t) => {
  const { folder, publicKey } = await release(t)
  await t.rejects(signedManifest(folder, [other.publicKey]), { code: 'forbidden', message: /do not run it/ })
  writeFileSync(join(folder, MANIFEST), '{ no JSON')
  await t.rejects(signedManifest(folder, [publicKey]), { code: 'forbidden' })
  rmSync(join(folder, SIGNATURE))
  await t.rejects(signedManifest(folder, [publicKey]), { code: 'missing', message: /manifest\.sig/ })
})

t.test('a file that was changed, taken away, added or made executable is named; a link is no file', async (t) => {
  const { folder, publicKey } = await release(t)
  const { manifest } = await signedManifest(folder, [publicKey])
  writeFileSync(join(folder, 'dist/lookout.js'), 'evil')
  writeFileSync(join(folder, 'dist/more.js'), 'more')
  chmodSync(join(folder, 'keys/release.pem'), 0o755)
  rmSync(join(folder, 'bin/node'))
  t.same(await faultsOf(folder, manifest), [
    { path: 'bin/node', kind: 'missing' },
    { path: 'dist/lookout.js', kind: 'changed' },
    { path: 'keys/release.pem', kind: 'changed' },
    { path: 'dist/more.js', kind: 'added' }
  ])
  symlinkSync('/usr/bin/true', join(folder, 'bin/node'))
  t.match(await faultsOf(folder, manifest), [{ path: 'bin/node', kind: 'changed' }])
})

t.test('a signed manifest whose paths lead out of the folder is refused', async (t) => {
  const file = { path: '../outside', size: 0, sha256: '0'.repeat(64), executable: false }
  const { folder, publicKey } = await release(t, { files: [file] })
  await t.rejects(signedManifest(folder, [publicKey]), { code: 'bad-input', message: /stays inside/ })
})

t.test('verify-bundle trusts the keys of the program that runs, or those that are named', async (t) => {
  const { folder } = await release(t)
  const out: string[] = []
  const err: string[] = []
  const context = (root: string) => ({
    root,
    version: '1.0.0',
    stdin: Readable.from([]),
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text)
  })
  t.equal(await verifyBundle([folder], context(folder)), 0)
  t.match(JSON.parse(out.join('')), { version: '1.2.3', arch: 'arm64', files: 3, key: fingerprintOf(pair.publicKey) })
  const elsewhere = join(folder, '../elsewhere')
  await t.rejects(verifyBundle([folder], context(elsewhere)), { code: 'missing', message: /--key/ })
  await t.rejects(verifyBundle([folder, '--key', join(elsewhere, 'own.pem')], context(folder)), { code: 'forbidden' })
  await t.rejects(verifyBundle([], context(folder)), { code: 'usage' })
  writeFileSync(join(folder, 'dist/lookout.js'), 'evil')
  t.equal(await verifyBundle([folder], context(folder)), 3)
  t.equal(err.join(''), 'dist/lookout.js: changed\n')
})
