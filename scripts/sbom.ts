/**
 * Prints a bill of materials of the program (CycloneDX, from package-lock.json), with the licences that the lock file does not tell.
 *
 *   npm run -s sbom > lookout.cdx.json
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NAMED_ELSEWHERE } from './docs-dependencies-words.ts'

export interface Component {
  type?: string
  name: string
  version?: string
  licenses?: object[]
  purl?: string
  'bom-ref'?: string
}

/** CycloneDX 1.5, as far as we change it. */
export interface Bill {
  serialNumber?: string
  metadata: { timestamp?: string; component?: Component; [name: string]: unknown }
  components: Component[]
  dependencies?: { ref: string; dependsOn?: string[] }[]
}

interface Locked {
  version?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
}

const root = fileURLToPath(new URL('..', import.meta.url))
const json = <Shape>(file: string): Shape => JSON.parse(readFileSync(join(root, file), 'utf8')) as Shape

/** `name@version` of what the program needs: neither for us alone, nor for machines that may do without. */
function neededPackages(): Set<string> {
  const { packages } = json<{ packages: Record<string, Locked> }>('package-lock.json')
  const needed = Object.entries(packages).filter(
    ([path, { dev, devOptional, optional }]) => path !== '' && dev !== true && devOptional !== true && optional !== true
  )
  return new Set(needed.map(([path, { version = '' }]) => `${path.split('node_modules/').at(-1) ?? path}@${version}`))
}

/**
 * The packages that the program needs at run time or was built from, with their licences. Not by `npm sbom --omit dev`: that leaves
 * out whatever a development package needs too, such as the reader of archives (npm 11).
 */
export function billOfMaterials(): Bill {
  const how = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
  const whole = JSON.parse(
    execFileSync('npm', how, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] })
  ) as Bill
  const needed = neededPackages()
  const isNeeded = ({ purl = '' }: Component): boolean => needed.has(decodeURIComponent(purl).replace('pkg:npm/', ''))
  const components = whole.components.filter(isNeeded)
  for (const component of components) {
    const known = NAMED_ELSEWHERE[component.name]
    if (known !== undefined) component.licenses = [{ license: { name: known.license } }]
  }
  // npm calls the program by the folder that it lies in.
  const program = whole.metadata.component
  if (program !== undefined) Object.assign(program, { name: json<Component>('package.json').name, type: 'application' })
  const refs = new Set([program, ...components].map((one) => one?.['bom-ref']))
  const dependencies = (whole.dependencies ?? [])
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  return { ...whole, components, dependencies }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${JSON.stringify(billOfMaterials(), null, 2)}\n`)
