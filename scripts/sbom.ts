/**
 * Prints a bill of materials of the program (CycloneDX, from package-lock.json), with the licences that the lock file does not tell.
 *
 *   npm run -s sbom > lookout.cdx.json
 */
import { execFileSync } from 'node:child_process'
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
  metadata: { timestamp?: string; [name: string]: unknown }
  components: Component[]
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** The packages that the program needs at run time or was built from, with their licences. */
export function billOfMaterials(): Bill {
  const how = ['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx']
  const bill = JSON.parse(
    execFileSync('npm', how, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] })
  ) as Bill
  for (const component of bill.components) {
    const known = NAMED_ELSEWHERE[component.name]
    if (known !== undefined) component.licenses = [{ license: { name: known.license } }]
  }
  return bill
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${JSON.stringify(billOfMaterials(), null, 2)}\n`)
