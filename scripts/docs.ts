/**
 * Writes the generated pages of docs/, or checks that they are up to date.
 *
 *   node --import=tsx scripts/docs.ts [--check] [--to DIR]
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { apiPage } from './docs-api.ts'
import { architecturePage, architecturePicture } from './docs-architecture.ts'
import { configurationPage } from './docs-config.ts'
import { dependenciesPage } from './docs-dependencies.ts'
import { severityPage } from './docs-severity.ts'
import { statesPage } from './docs-states.ts'
import { zonePacksPage } from './docs-zones.ts'

const HELP = `usage: npm run docs [-- --check] [-- --to DIR]

Writes configuration.md, api.md, states.md, severity.md, dependencies.md, zone-packs.md and the table and picture of architecture.md from the schemas, the table of
routes, the states, the categories and the rooms of the program.
  --check   writes nothing; exits 1 and names the pages that are not up to date
  --to DIR  another folder than docs/
`

const root = fileURLToPath(new URL('..', import.meta.url))

function present(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, to: { type: 'string' }, help: { type: 'boolean', short: 'h' } }
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const pages = {
    'configuration.md': configurationPage(root),
    'api.md': await apiPage(version),
    'states.md': statesPage(),
    'severity.md': severityPage(),
    'dependencies.md': dependenciesPage(root),
    'zone-packs.md': zonePacksPage(),
    'architecture.md': architecturePage(root),
    'architecture.svg': architecturePicture(root)
  }
  const folder = values.to ?? join(root, 'docs')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(pages)) {
    const file = join(folder, name)
    if (present(file) === text) continue
    if (values.check === true) {
      process.stderr.write(`${name} is not up to date: npm run docs\n`)
      process.exitCode = 1
    } else {
      writeFileSync(file, text)
      process.stdout.write(`wrote ${name}\n`)
    }
  }
}

await main()
