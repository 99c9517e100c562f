import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

/** docs/promises.md names files: they exist, those of the wire use a wire, and each promise has both. */

const root = new URL('..', import.meta.url)
const path = (file: string): string => fileURLToPath(new URL(file, root))
const read = (file: string): string => readFileSync(path(file), 'utf8')
const FILE = /`(test\/[^`]+)`/g
/** Marks of a test whose texts go through a driver to a node that speaks the wire protocol. */
const WIRE = /helpers\/field\.ts|\.\/world\.ts|\.\/country-walk\.ts|Peer\.start|\.\/bench\.ts/

t.test('each promise has a test on a virtual clock and one over the wire, and all of them exist', async (t) => {
  const page = read('docs/promises.md')
  const [features = ''] = page.split('## Line by line')
  const rows = features.split('\n').filter((line) => line.startsWith('| ') && line.includes('`test/'))
  t.ok(rows.length >= 15)
  for (const row of rows) {
    const [, , , clock = '', wire = ''] = row.split('|')
    for (const cell of [clock, wire]) t.match(cell, /^ `test\/[\w/.-]+\.test\.ts` $/, row)
    const [, file = ''] = /`([^`]+)`/.exec(wire) ?? []
    t.match(read(file), WIRE, `${file} has no wire`)
  }
  for (const [, file = ''] of page.matchAll(FILE)) if (!file.endsWith('/')) t.ok(existsSync(path(file)), file)
})

t.test('what holds the appliance, trust and the knowledge names tests that exist, too', async (t) => {
  for (const page of ['docs/appliance.md', 'docs/trust.md', 'docs/knowledge-promises.md']) {
    const files = [...read(page).matchAll(FILE)].map(([, file = '']) => file)
    t.ok(files.length >= 20, page)
    for (const file of files) t.ok(existsSync(path(file)), `${page}: ${file}`)
  }
})

t.test('what holds the design names tests that exist, too', async (t) => {
  const page = read('docs/design.md')
  const files = [...page.matchAll(FILE)].map(([, file = '']) => file).filter((file) => file.endsWith('.ts'))
  t.ok(files.length >= 40)
  for (const file of files) t.ok(existsSync(path(file)), file)
})
