/** Makes bundles for installation: one for each architecture, with its own Node and nothing to build. docs/operator.md, "Install". */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ARCHITECTURES, type Architecture, fingerprintOf } from '../src/platform/release/release.ts'
import { hashOf, makeArchive, sourceDate } from './pack-archive.ts'
import { debName, makeDeb } from './pack-deb.ts'
import { makeNpmPackage } from './pack-npm.ts'
import { makeRelease, signingKey } from './pack-release.ts'

const HELP = `npm run pack [-- options]: bundles for installation, into artifacts/packed/

  --arch NAME…      arm64, x64; both when none is named
  --out FOLDER      elsewhere than artifacts/packed/
  --key FILE        private key (Ed25519, PEM) that signs; or LOOKOUT_SIGNING_KEY. Without one a key for development is made and kept
  --trust FILE…     public keys that may sign what follows, besides this one's
  --level N         of xz, 0 to 9 (9)
  --folder          only the unpacked folder, no archive
  --deb             the Debian package too, lookout_VERSION_ARCH.deb
  --npm             only the package for npm i -g, lookout-VERSION.tgz
  --no-build        take dist/ as it is

Writes lookout-VERSION-linux-ARCH/ and .tar.xz, and SHA256SUMS. The same commit and key make the same bytes.
`

const root = fileURLToPath(new URL('..', import.meta.url))

interface Options {
  archs: Architecture[]
  out: string
  keyFile: string | undefined
  trust: string[]
  level: number
  archive: boolean
  deb: boolean
  npm: boolean
  build: boolean
}

/** @throws Error for what cannot be meant */
function optionsOf(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      arch: { type: 'string', multiple: true, default: [...ARCHITECTURES] },
      out: { type: 'string', default: join(root, 'artifacts/packed') },
      key: { type: 'string' },
      trust: { type: 'string', multiple: true, default: [] },
      level: { type: 'string', default: '9' },
      folder: { type: 'boolean', default: false },
      deb: { type: 'boolean', default: false },
      npm: { type: 'boolean', default: false },
      build: { type: 'boolean', default: true },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) return null
  const archs = values.arch.map((name) => {
    const found = ARCHITECTURES.find((one) => one === name)
    if (found === undefined) throw new Error(`--arch ${name}: one of ${ARCHITECTURES.join(', ')}`)
    return found
  })
  if (!/^\d$/.test(values.level)) throw new Error(`--level ${values.level}: 0 to 9`)
  return {
    archs,
    out: resolve(values.out),
    keyFile: values.key ?? (process.env['LOOKOUT_SIGNING_KEY'] || undefined),
    trust: values.trust,
    level: Number(values.level),
    archive: !values.folder,
    deb: values.deb,
    npm: values.npm,
    build: values.build
  }
}

const started = performance.now()
const say = (text: string): void =>
  console.error(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`)
const megabytes = (file: string): string => `${(statSync(file).size / 1e6).toFixed(1)} MB`

async function pack({ archs, out, keyFile, trust, level, archive, deb, npm, build }: Options): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const madeAt = sourceDate(root, process.env)
  const signing = signingKey(keyFile, join(root, 'artifacts/development-key.pem'))
  const cache = join(root, 'artifacts/node')
  mkdirSync(out, { recursive: true })
  if (build) {
    say('building dist/')
    execFileSync(process.execPath, [join(root, 'scripts/build.js')], { stdio: ['ignore', 2, 2] })
  }
  if (npm) {
    const name = makeNpmPackage(out)
    say(`${name}: ${megabytes(join(out, name))}`)
    return
  }
  const made: string[] = []
  for (const arch of archs) {
    const name = `lookout-${version}-linux-${arch}`
    say(`${name}: program, packages, Node`)
    const manifest = await makeRelease(join(out, name), { arch, version, madeAt, signing, trust, cache })
    const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0)
    say(`${name}: ${manifest.files.length} files, ${(bytes / 1e6).toFixed(1)} MB, Node ${manifest.node}`)
    if (deb) {
      const file = debName({ arch, version })
      await makeDeb(join(out, name), join(out, file), { arch, version, madeAt, level })
      made.push(file)
      say(`${file}: ${megabytes(join(out, file))}`)
    }
    if (!archive) continue
    await makeArchive(join(out, name), join(out, `${name}.tar.xz`), { madeAt, level })
    made.push(`${name}.tar.xz`)
    say(`${name}.tar.xz: ${megabytes(join(out, `${name}.tar.xz`))}`)
  }
  const sums = await Promise.all(made.map(async (name) => `${await hashOf(join(out, name))}  ${name}\n`))
  if (made.length > 0) writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  say(
    `signed by ${fingerprintOf(signing.key)}${signing.development ? ', a key made for development: give --key for the field' : ''}`
  )
}

try {
  const options = optionsOf(process.argv.slice(2))
  if (options === null) console.log(HELP)
  else await pack(options)
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.error(`pack: ${error.message}`)
  process.exitCode = 1
}
