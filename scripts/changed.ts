/** The reach of a change: the tests that import it, directly or through others, and the checks worth running. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'

const PLACES = ['src', 'web', 'test', 'scripts']
const CODE = /\.(?:ts|js|mjs)$/
const IMPORTS = /(?:\bfrom\s+|\bimport\s*\(?\s*)'((?:\.|\/static\/)[^']+)'|@import\s[^'\n]*from\s'(\.[^']+)'/g
/** The address of what pages share: their scripts import it by that. */
const SHARED = '/static/'
/** A file that a test starts or reads by its path: `runnable('src/…')`, `'scripts/new.js'`. */
const PATHS = /'((?:src|web|scripts)\/[\w./-]+\.(?:ts|js))'/g
/** The program itself: a test that starts it would depend on everything. */
const PROGRAM = 'src/main.ts'
/** Started by `npm run test:integration` and `test:browser`. */
const OTHER_SUITES = /^test\/(?:app|browser|faults)\//
/** Seen in a browser. */
const SHOWN = /^(?:web|src\/dashboard\/pages)\//
const PAGE = /^src\/dashboard\/pages\/[^/]+(?=\/)/
const BROWSER_TEST = /^test\/browser\/.*\.test\.ts$/
/** Tests that read the source or the pages as text, and what they are about. */
const READERS: readonly [about: RegExp, tests: readonly string[]][] = [
  [/^src\//, ['test/structure.test.ts', 'test/walks.test.ts']],
  [/^(?:src\/dashboard\/pages|web)\//, ['test/dashboard/language.test.ts']],
  [/^(?:docs\/|README\.md|CHANGELOG\.md|scripts\/docs)/, ['test/docs.test.ts', 'test/walks.test.ts']]
]

export type Imports = ReadonlyMap<string, readonly string[]>

/** All code below the places, and what each file of it imports or names by its path. */
export function importsBelow(root: string): Imports {
  const files = PLACES.filter((place) => existsSync(join(root, place))).flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .filter((name) => CODE.test(name) && !name.includes('vendor/'))
      .map((name) => `${place}/${name}`)
  )
  return new Map(files.sort().map((file) => [file, targetsOf(root, file)]))
}

function targetsOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const imported = [...text.matchAll(IMPORTS)].map(([, code, typed]) => {
    const target = code ?? typed ?? ''
    if (target.startsWith(SHARED)) return `web/${target.slice(SHARED.length)}`
    return relative(root, resolve(root, dirname(file), target))
  })
  const named = file.startsWith('test/') ? [...text.matchAll(PATHS)].map(([, path = '']) => path) : []
  return [...imported, ...named.filter((path) => path !== PROGRAM)]
}

/** The files given and all that import one of them, directly or through others. */
export function importersOf(imports: Imports, files: readonly string[]): ReadonlySet<string> {
  const importers = new Map<string, string[]>()
  for (const [file, targets] of imports) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file])
  }
  const found = new Set(files)
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer)
  return found
}

export interface Choice {
  /** Tests of `npm test`. */
  tests: string[]
  /** Tests of the other suites that the change concerns. */
  others: string[]
  /** Configurations of the compiler. */
  types: string[]
  lint: string[]
  /** No test imports them or names them. */
  untested: string[]
}

/** Chooses what to run for these changed files; deleted ones count by who imported them. */
export function choose(root: string, changed: readonly string[]): Choice {
  const imports = importsBelow(root)
  const concerned = importersOf(imports, [...changed, ...changed.flatMap((file) => namedIn(root, imports, file))])
  const visitors = changed.filter((file) => SHOWN.test(file)).flatMap((file) => visitorsOf(root, imports, file))
  const readers = READERS.flatMap(([about, tests]) => (changed.some((file) => about.test(file)) ? tests : []))
  const all = [...new Set([...concerned, ...readers, ...visitors])].filter(
    (file) => file.endsWith('.test.ts') && imports.has(file)
  )
  const present = changed.filter((file) => existsSync(join(root, file)))
  return {
    tests: all.filter((file) => !OTHER_SUITES.test(file)).sort(),
    others: all.filter((file) => OTHER_SUITES.test(file)).sort(),
    types: typesOf(changed),
    lint: present.filter((file) => /\.(?:ts|js|json|css)$/.test(file)),
    untested: present.filter((file) => CODE.test(file) && !file.startsWith('test/') && !isTested(imports, file))
  }
}

/** The browser tests that open a page on which this file is seen; all of them where no page says that it takes the file. */
function visitorsOf(root: string, imports: Imports, file: string): string[] {
  const tests = [...imports.keys()].filter((name) => BROWSER_TEST.test(name))
  // Through scripts alone: what the server draws with them concerns the tests of the server.
  const scripts = new Map([...imports].filter(([name]) => name.endsWith('.js')))
  const takers = [file, ...namedIn(root, imports, file)]
  const pages = new Set([...importersOf(scripts, takers)].flatMap((name) => PAGE.exec(name)?.[0] ?? []))
  const addresses = [...pages].flatMap((page) => addressesOf(root, page))
  if (addresses.length === 0) return tests
  const opens = new RegExp(`['"\`}](?:${addresses.map(patternOf).join('|')})`)
  return tests.filter((test) => opens.test(readFileSync(join(root, test), 'utf8')))
}

function addressesOf(root: string, page: string): string[] {
  const path = join(root, page, 'page.ts')
  if (!existsSync(path)) return []
  return [...readFileSync(path, 'utf8').matchAll(/\bget\('(\/[^']*)'/g)].map(([, address = '']) => address)
}

/** `/events/:id` is opened by whatever goes on behind `/events/`, `/events` by what ends there. */
function patternOf(address: string): string {
  const [fixed = ''] = address.split(':')
  return `${fixed}${fixed === address ? '(?=[\'"`?#])' : ''}`
}

/** A file that is no code is read by those that name it: a sample, a style sheet, words. */
function namedIn(root: string, imports: Imports, file: string): string[] {
  if (CODE.test(file)) return []
  const name = `/${basename(file)}`
  return [...imports.keys()].filter((code) => {
    const text = readFileSync(join(root, code), 'utf8')
    return text.includes(`'${basename(file)}'`) || text.includes(`${name}'`)
  })
}

function typesOf(changed: readonly string[]): string[] {
  const has = (place: RegExp): boolean => changed.some((file) => place.test(file))
  return [
    ...(has(/^(?:src|test|scripts)\/.*\.ts$|^(?:package|tsconfig.*)\.json$/) ? ['tsconfig.test.json'] : []),
    ...(has(/^src\/.*\.ts$|^(?:package|tsconfig.*)\.json$/) ? ['tsconfig.json'] : []),
    ...(has(/^web\/.*\.js$|^src\/dashboard\/.*\.(?:ts|js)$/) ? ['tsconfig.web.json'] : [])
  ]
}

function isTested(imports: Imports, file: string): boolean {
  return [...importersOf(imports, [file])].some((importer) => importer.endsWith('.test.ts'))
}
