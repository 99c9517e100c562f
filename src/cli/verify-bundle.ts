import { createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { faultsOf, fingerprintOf, KEYS, keysIn, signedManifest } from '../platform/release/release.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout verify-bundle FOLDER [--key FILE]…

Checks an unpacked bundle (lookout-VERSION-linux-ARCH): its manifest is signed (Ed25519) by a key that is trusted, and every file is
the one that the manifest names, none is missing and none was added. Trusted are the keys that came with the program that runs, in its
folder keys/; --key FILE (PEM) trusts others instead.

stdout: JSON {version, arch, node, made_at, development, key, files}
stderr: every file that is not as the manifest says
exit codes: 0 whole · 1 signed by none of these keys · 2 usage, or no manifest of a bundle · 3 not whole · 4 a key or the manifest is missing
`

/** `lookout verify-bundle`. Answers 0 or 3. @throws AppError `usage`, `missing`, `forbidden`, `bad-input`. */
export async function verifyBundle(
  args: string[],
  context: Pick<VerbContext, 'root' | 'out' | 'err'>
): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { key: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new AppError('usage', because('verify_bundle_names_folder'))
  const keys =
    values.key === undefined ? await keysIn(join(context.root, KEYS)) : await Promise.all(values.key.map(keyOf))
  const { manifest, signedBy } = await signedManifest(folder, keys)
  const faults = await faultsOf(folder, manifest)
  for (const { path, kind } of faults) context.err(`${path}: ${kind}\n`)
  const { version, arch, node, made_at, development, files } = manifest
  const key = fingerprintOf(signedBy)
  context.out(`${JSON.stringify({ version, arch, node, made_at, development, key, files: files.length })}\n`)
  return faults.length > 0 ? 3 : 0
}

async function keyOf(file: string): Promise<ReturnType<typeof createPublicKey>> {
  try {
    return createPublicKey(await readFile(file))
  } catch (error) {
    throw new AppError('missing', because('cannot_read_file', { file, said: errorText(error) }), { cause: error })
  }
}
