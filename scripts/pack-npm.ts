/** The package for `npm i -g`: the built program, and of its dependencies only those that are loaded at run time. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXTERNAL } from './build-external.js'
import { builtInPackages, licenceTexts } from './pack-packages.ts'
import { isForBuilders } from './pack-release.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface PackageFile {
  version: string
  description: string
  license: string
  type: string
  engines: object
  bin: object
  files: string[]
  dependencies: Record<string, string>
}

/** Writes `lookout-VERSION.tgz` into a folder, and answers its name. @throws Error when the program is not built or npm fails */
export function makeNpmPackage(out: string): string {
  const { version, description, license, type, engines, bin, files, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8')
  ) as PackageFile
  const stage = join(out, 'npm')
  rmSync(stage, { recursive: true, force: true })
  mkdirSync(join(stage, 'licences'), { recursive: true })
  for (const name of files.filter((one) => existsSync(join(root, one))))
    cpSync(join(root, name), join(stage, name), { recursive: true, filter: (source) => !isForBuilders(source) })
  writeFileSync(join(stage, 'licences/packages.txt'), licenceTexts(builtInPackages()))
  const loaded = Object.fromEntries(Object.entries(dependencies).filter(([name]) => EXTERNAL.includes(name)))
  const about = { name: 'lookout', version, description, license, type, engines, bin, dependencies: loaded }
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(about, null, 2)}\n`)
  execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
    cwd: stage,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  rmSync(stage, { recursive: true })
  return `lookout-${version}.tgz`
}
