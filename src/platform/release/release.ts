import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { isInside } from '../backup/manifest.ts'
import { sha256Hex } from '../bytes/hash.ts'
import { parseWith } from '../config/issues.ts'
import { looseObject } from '../config/object.ts'
import { AppError, errorText } from '../errors.ts'

/** The list of a release's files, and the signature (Ed25519, RFC 8032) over its bytes, in Base64. */
export const MANIFEST = 'manifest.json'
export const SIGNATURE = 'manifest.sig'
/** Public keys (PEM, SPKI) that sign what may follow this release. */
export const KEYS = 'keys'
export const ARCHITECTURES = ['arm64', 'x64'] as const

export type Architecture = (typeof ARCHITECTURES)[number]

const fileSchema = looseObject({
  path: v.pipe(v.string(), v.check(isInside, 'a path stays inside the release')),
  size: v.pipe(v.number(), v.integer(), v.minValue(0)),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a hash is 64 hex digits')),
  executable: v.boolean()
})
const manifestSchema = looseObject({
  product: v.literal('lookout'),
  version: v.string(),
  arch: v.picklist(ARCHITECTURES),
  node: v.string(),
  made_at: v.string(),
  /** Signed with a key that was made for development: no station in the field takes it for an update. */
  development: v.boolean(),
  files: v.array(fileSchema)
})

export type ReleaseManifest = v.InferOutput<typeof manifestSchema>

export interface ReleaseFile {
  path: string
  /** Bytes. */
  size: number
  sha256: string
  executable: boolean
}

export interface ReleaseFault {
  path: string
  kind: 'missing' | 'changed' | 'added'
}

/** First 16 hex digits of SHA-256 over the public key (SPKI, DER): short enough to be read out over the telephone. */
export function fingerprintOf(key: KeyObject): string {
  const open = key.type === 'private' ? createPublicKey(key) : key
  return sha256Hex(open.export({ type: 'spki', format: 'der' })).slice(0, 16)
}

/** The line of `manifest.sig`. Ed25519 signs the same bytes the same way each time. */
export function signatureOf(manifest: Uint8Array, key: KeyObject): string {
  return `${sign(null, manifest, key).toString('base64')}\n`
}

/** The public keys of a folder, by the names of their files. @throws AppError `missing` where there is none. */
export async function keysIn(folder: string): Promise<KeyObject[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.pem')).sort()
  if (files.length === 0) throw new AppError('missing', because('release_no_keys', { folder }))
  return Promise.all(files.map(async (name) => createPublicKey(await readFile(join(folder, name)))))
}

/**
 * The manifest of a release and the key that signed it; nothing of the manifest is read before its signature holds.
 * @throws AppError `missing` without a manifest, `forbidden` when none of the keys signed it, `bad-input` when it is none
 */
export async function signedManifest(
  folder: string,
  keys: readonly KeyObject[]
): Promise<{ manifest: ReleaseManifest; signedBy: KeyObject }> {
  const [bytes, signature] = await Promise.all([readOf(join(folder, MANIFEST)), readOf(join(folder, SIGNATURE))])
  return trustedManifest({ bytes, signature, folder }, keys)
}

/** The same from bytes that were read already; `folder` names them. @throws AppError `forbidden`, `bad-input` */
export function trustedManifest(
  { bytes, signature, folder }: { bytes: Buffer; signature: Buffer; folder: string },
  keys: readonly KeyObject[]
): { manifest: ReleaseManifest; signedBy: KeyObject } {
  const signed = Buffer.from(signature.toString('latin1').trim(), 'base64')
  const signedBy = keys.find((key) => verify(null, bytes, key, signed))
  if (signedBy === undefined)
    throw new AppError('forbidden', because('release_not_trusted', { folder, keys: keys.map(fingerprintOf) }))
  const file = join(folder, MANIFEST)
  try {
    return { manifest: parseWith(manifestSchema, JSON.parse(bytes.toString('utf8')), 'the manifest'), signedBy }
  } catch (error) {
    throw new AppError('bad-input', because('manifest_unreadable', { file, said: errorText(error) }), { cause: error })
  }
}

async function readOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new AppError('missing', because('cannot_read_file', { file, said: errorText(error) }), { cause: error })
  }
}

/** Every place where a release is not what its manifest says: a file more is one too, for a program loads what it finds. */
export async function faultsOf(folder: string, manifest: ReleaseManifest): Promise<ReleaseFault[]> {
  return faultsAmong(await filesOf(folder), manifest)
}

/** The same for files that were measured already. */
export function faultsAmong(files: readonly ReleaseFile[], manifest: ReleaseManifest): ReleaseFault[] {
  const found = new Map(files.map((file) => [file.path, file]))
  const faults: ReleaseFault[] = []
  for (const expected of manifest.files) {
    const is = found.get(expected.path)
    found.delete(expected.path)
    if (is === undefined) faults.push({ path: expected.path, kind: 'missing' })
    else if (is.sha256 !== expected.sha256 || is.executable !== expected.executable)
      faults.push({ path: expected.path, kind: 'changed' })
  }
  return [...faults, ...[...found.keys()].map((path) => ({ path, kind: 'added' as const }))]
}

/** All files below a release in the order of their names, without the manifest and its signature. A link counts as a file without bytes. */
export async function filesOf(folder: string): Promise<ReleaseFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: ReleaseFile[] = []
  for (const entry of entries) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (entry.isDirectory() || path === MANIFEST || path === SIGNATURE) continue
    files.push(entry.isFile() ? { path, ...(await measured(join(folder, path))) } : { path, ...NO_FILE })
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

const NO_FILE = { size: 0, sha256: '0'.repeat(64), executable: false }

async function measured(file: string): Promise<Omit<ReleaseFile, 'path'>> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex'), executable: ((await stat(file)).mode & 0o111) !== 0 }
}
