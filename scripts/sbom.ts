/**
 * Prints a bill of materials of the program (CycloneDX, from package-lock.json), with the licences that the lock file does not tell.
 *
 *   npm run -s sbom > lookout.cdx.json
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { NAMED_ELSEWHERE } from './docs-dependencies-words.ts'

interface Bill {
  components: { name: string; licenses?: object[] }[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const how = ['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx']
const bill = JSON.parse(
  execFileSync('npm', how, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] })
) as Bill
for (const component of bill.components) {
  const known = NAMED_ELSEWHERE[component.name]
  if (known !== undefined) component.licenses = [{ license: { name: known.license } }]
}
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
