/** Lays out the folder of a release: what a station needs, nothing that builds or tests it, and a signed list of all of it. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Architecture,
  filesOf,
  fingerprintOf,
  KEYS,
  MANIFEST,
  type ReleaseManifest,
  SIGNATURE,
  signatureOf
} from '../src/platform/release/release.ts'
import { fetchNode, NODE } from './pack-node.ts'
import { builtInPackages, copyPackage, licenceTexts, runtimePackages, type UsedPackage } from './pack-packages.ts'
import { billOfMaterials } from './sbom.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface SigningKey {
  key: KeyObject
  /** Made here because nobody gave one. */
  development: boolean
}

/** The key of `file`, or one that is made and kept for development. @throws Error when the file holds no Ed25519 key */
export function signingKey(file: string | undefined, keep: string): SigningKey {
  const path = file ?? keep
  if (file === undefined && !existsSync(keep)) {
    mkdirSync(dirname(keep), { recursive: true })
    const { privateKey } = generateKeyPairSync('ed25519')
    writeFileSync(keep, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  }
  const key = createPrivateKey(readFileSync(path))
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`${path} holds no Ed25519 key: openssl genpkey -algorithm ed25519`)
  return { key, development: file === undefined }
}

export interface Release {
  arch: Architecture
  version: string
  /** UTC, to the second: of the change that the release is made from. */
  madeAt: string
  signing: SigningKey
  /** Public keys (PEM files) that the next releases may be signed with too. */
  trust: readonly string[]
  /** Where packages of Node are kept. */
  cache: string
}

const PARTS = ['dist', 'gazetteer', 'web', 'demo', 'profiles', 'docs', 'deploy']
const FILES = ['LICENSE', 'README.md', 'CHANGELOG.md', 'install.sh']
/** True for maps, types and the list of packages: nobody reads them on a board. */
export function isForBuilders(path: string): boolean {
  return /\.(?:map|d\.ts)$|\/dist\/packages\.json$/.test(path)
}

/** Makes the folder anew. @throws Error when the program is not built or Node cannot be got */
export async function makeRelease(folder: string, release: Release): Promise<ReleaseManifest> {
  if (!existsSync(join(root, 'dist/lookout.js'))) throw new Error('dist/ is missing: npm run build')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  for (const part of [...PARTS, ...FILES].filter((name) => existsSync(join(root, name))))
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (source) => !isForBuilders(source) })
  const { binary, license } = fetchNode(release.arch, release.cache)
  writeFileSync(join(folder, 'bin/node'), binary, { mode: 0o755 })
  cpSync(join(root, 'scripts/launcher.sh'), join(folder, 'bin/lookout'))
  chmodSync(join(folder, 'bin/lookout'), 0o755)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageFile(release.version), null, 2)}\n`)
  const runtime = runtimePackages()
  for (const one of runtime) copyPackage(one, folder, release.arch)
  describe(folder, { release, runtime, nodeLicence: license })
  setModes(folder)
  const manifest = await signFolder(folder, release)
  setModes(folder)
  return manifest
}

/** Node reads from it that the program's files are modules. */
function packageFile(version: string): object {
  return { name: 'lookout', version, license: 'MIT', type: 'module', private: true, bin: { lookout: 'bin/lookout' } }
}

function describe(
  folder: string,
  { release, runtime, nodeLicence }: { release: Release; runtime: readonly UsedPackage[]; nodeLicence: Buffer }
): void {
  const all = [...runtime, ...builtInPackages()]
  mkdirSync(join(folder, 'licences'))
  writeFileSync(join(folder, 'licences/packages.txt'), licenceTexts(all))
  writeFileSync(join(folder, 'licences/node.txt'), nodeLicence)
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOf(all, release), null, 2)}\n`)
  mkdirSync(join(folder, KEYS))
  const own = createPublicKey(release.signing.key)
  writeFileSync(join(folder, KEYS, `${fingerprintOf(own)}.pem`), own.export({ type: 'spki', format: 'pem' }))
  for (const file of release.trust) {
    const key = createPublicKey(readFileSync(file))
    writeFileSync(join(folder, KEYS, `${fingerprintOf(key)}.pem`), key.export({ type: 'spki', format: 'pem' }))
  }
}

/** The bill of the lock file with Node and what is built in; without what differs from one run to the next. */
function billOf(packages: readonly UsedPackage[], { arch, madeAt }: Release): object {
  const { serialNumber: _, metadata, components, ...rest } = billOfMaterials()
  const purl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`
  const known = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const builtIn = packages
    .filter(({ name, version }) => !known.has(`${name}@${version}`))
    .map(({ name, version, license }) => ({
      'bom-ref': `${name}@${version}`,
      type: 'library',
      name,
      version,
      licenses: [{ license: { name: license } }],
      purl: purl(name, version)
    }))
  const node = `node-linux-${arch}`
  const runtime = {
    'bom-ref': `${node}@${NODE.version}`,
    type: 'application',
    name: node,
    version: NODE.version,
    licenses: [{ license: { name: 'MIT, and of its parts: licences/node.txt' } }],
    purl: purl(node, NODE.version)
  }
  const all = [...components, ...unique(builtIn), runtime]
  return { ...rest, metadata: { ...metadata, timestamp: madeAt }, components: all }
}

function unique<T extends { 'bom-ref': string }>(components: readonly T[]): T[] {
  return [...new Map(components.map((one) => [one['bom-ref'], one])).values()]
}

/** The same modes whatever the mask of whoever packs; a program is what its owner may run. */
function setModes(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, (statSync(path).mode & 0o100) !== 0 ? 0o755 : 0o644)
  }
  chmodSync(folder, 0o755)
}

async function signFolder(folder: string, { version, arch, madeAt, signing }: Release): Promise<ReleaseManifest> {
  const manifest: ReleaseManifest = {
    product: 'lookout',
    version,
    arch,
    node: NODE.version,
    made_at: madeAt,
    development: signing.development,
    files: (await filesOf(folder)).map((file) => ({ ...file }))
  }
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  writeFileSync(join(folder, MANIFEST), bytes)
  writeFileSync(join(folder, SIGNATURE), signatureOf(bytes, signing.key))
  return manifest
}
