import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { readBundleStream } from '../platform/release/bundle-stream.ts'
import {
  faultsAmong,
  faultsOf,
  fingerprintOf,
  KEYS,
  keysIn,
  type ReleaseFault,
  type ReleaseManifest,
  signedManifest,
  trustedManifest
} from '../platform/release/release.ts'
import { versionOrder } from '../platform/release/version-order.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout verify-bundle FOLDER [--key FILE]…
       xz -dc BUNDLE.tar.xz | lookout verify-bundle - [--key FILE]…

Checks an unpacked bundle (lookout-VERSION-linux-ARCH): its manifest is signed (Ed25519) by a key that is trusted, and every file is
the one that the manifest names, none is missing and none was added. Trusted are the keys that came with the program that runs, in its
folder keys/; --key FILE (PEM) trusts others instead. With - the bundle is read as a tar archive from stdin and is not unpacked: links,
devices, odd rights and paths that leave its folder are refused.

stdout: JSON {version, arch, node, made_at, development, key, files, order, fits}; order: newer, same or older than this program; fits: made
  for this machine. With - also bytes (unpacked), or {refused: {code, values}} when it is not taken
stderr: every file that is not as the manifest says
exit codes: 0 whole · 1 signed by none of these keys · 2 usage, or no manifest of a bundle · 3 not whole · 4 a key or the manifest is missing
`

const STDIN = '-'

/** `lookout verify-bundle`. Answers 0 or 3. @throws AppError `usage`, `missing`, `forbidden`, `bad-input`. */
export async function verifyBundle(
  args: string[],
  context: Pick<VerbContext, 'root' | 'version' | 'stdin' | 'out' | 'err'>
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
  try {
    const keys =
      values.key === undefined ? await keysIn(join(context.root, KEYS)) : await Promise.all(values.key.map(keyOf))
    return await judge(
      folder === STDIN ? await fromStream(context.stdin, keys) : await fromFolder(folder, keys),
      context
    )
  } catch (error) {
    // Whoever runs this for a page needs the code, not its sentence.
    if (folder === STDIN && error instanceof AppError) context.out(`${JSON.stringify({ refused: error.reason })}\n`)
    throw error
  }
}

interface Judged {
  manifest: ReleaseManifest
  signedBy: KeyObject
  faults: ReleaseFault[]
  /** Unpacked; null where that was not measured. */
  bytes: number | null
}

async function fromFolder(folder: string, keys: readonly KeyObject[]): Promise<Judged> {
  const { manifest, signedBy } = await signedManifest(folder, keys)
  return { manifest, signedBy, faults: await faultsOf(folder, manifest), bytes: null }
}

async function fromStream(content: AsyncIterable<Uint8Array>, keys: readonly KeyObject[]): Promise<Judged> {
  const { folder, manifest: bytes, signature, files, bytes: unpacked } = await readBundleStream(content)
  const { manifest, signedBy } = trustedManifest({ bytes, signature, folder }, keys)
  const faults = faultsAmong(files, manifest)
  const [first] = faults
  if (first !== undefined)
    throw new AppError('bad-input', because('bundle_not_as_signed', { path: first.path, count: faults.length }))
  return { manifest, signedBy, faults, bytes: unpacked }
}

function judge(
  { manifest, signedBy, faults, bytes }: Judged,
  context: Pick<VerbContext, 'version' | 'out' | 'err'>
): number {
  for (const { path, kind } of faults) context.err(`${path}: ${kind}\n`)
  const { version, arch, node, made_at, development, files } = manifest
  const key = fingerprintOf(signedBy)
  const order = versionOrder(version, context.version)
  const fits = arch === process.arch
  const said = { version, arch, node, made_at, development, key, files: files.length, order, fits }
  context.out(`${JSON.stringify(bytes === null ? said : { ...said, bytes })}\n`)
  return faults.length > 0 ? 3 : 0
}

async function keyOf(file: string): Promise<ReturnType<typeof createPublicKey>> {
  try {
    return createPublicKey(await readFile(file))
  } catch (error) {
    throw new AppError('missing', because('cannot_read_file', { file, said: errorText(error) }), { cause: error })
  }
}
