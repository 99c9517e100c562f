import { execFileSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { filesOf, MANIFEST, SIGNATURE, signatureOf } from '../../src/platform/release/release.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The version of this tree. */
export const { version: VERSION } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** A folder for bundles, of hundreds of megabytes: on the disk, not in the memory that test folders are in. */
export function bundleFolder(t: Test, name: string): string {
  mkdirSync(join(root, 'artifacts'), { recursive: true })
  const out = mkdtempSync(join(root, `artifacts/${name}-`))
  t.teardown(() => rmSync(out, { recursive: true, force: true }))
  return out
}

/** The program as it is built now, as a bundle for x64 that `key.pem` of that folder signed. */
export function makeBundle(out: string, ...more: readonly string[]): string {
  execFileSync(process.execPath, [join(root, 'scripts/ensure-build.js')], { stdio: ['ignore', 2, 2] })
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', join(out, 'key.pem')])
  const words = ['--import=tsx', 'scripts/pack.ts', '--no-build', '--folder', ...more]
  const where = ['--level', '0', '--arch', 'x64', '--out', out, '--key', join(out, 'key.pem')]
  execFileSync(process.execPath, [...words, ...where], { cwd: root, stdio: 'ignore' })
  return join(out, `lookout-${VERSION}-linux-x64`)
}

/** The same bundle in another folder with other files in it and another version, signed by `key` (a file of that folder). */
export async function changedBundle(
  bundle: string,
  {
    out,
    name,
    version,
    files = {},
    key = 'key.pem'
  }: { out: string; name: string; version: string; files?: Record<string, string>; key?: string }
): Promise<string> {
  const folder = join(out, name)
  execFileSync('cp', ['-rl', bundle, folder])
  for (const path of [...Object.keys(files), MANIFEST, SIGNATURE]) rmSync(join(folder, path))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  const before = JSON.parse(readFileSync(join(bundle, MANIFEST), 'utf8')) as object
  const manifest = `${JSON.stringify({ ...before, version, files: await filesOf(folder) }, null, 1)}\n`
  writeFileSync(join(folder, MANIFEST), manifest)
  const signing = createPrivateKey(readFileSync(join(out, key)))
  writeFileSync(join(folder, SIGNATURE), signatureOf(Buffer.from(manifest), signing))
  return folder
}

/** `FOLDER.tar.xz` beside it. */
export function archived(out: string, name: string): string {
  const file = join(out, `${name}.tar.xz`)
  const script = 'tar --format=gnu --owner=0 --group=0 -C "$0" -cf - "$1" | xz -0 >"$2"'
  execFileSync('sh', ['-c', script, out, name, file])
  return file
}

/** Its start brings the database forward, as a newer release may, and then fails. */
export const BROKEN = `import { DatabaseSync } from '@photostructure/sqlite'
const database = new DatabaseSync('/var/lib/lookout/lookout.db')
database.exec('PRAGMA user_version = 9999')
database.close()
console.error('the database is of tomorrow')
process.exit(1)
`
