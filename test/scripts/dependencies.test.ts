import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { dependenciesPage, lockedPackages } from '../../scripts/docs-dependencies.ts'
import { billOfMaterials } from '../../scripts/sbom.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** They ask for nothing but to be named; whoever adds another has read it. */
const FREE =
  /^(?:MIT|MIT-0|ISC|0BSD|Unlicense|Apache-2\.0|BSD-[23]-Clause|\(MIT AND Zlib\)|\(MIT OR GPL-3\.0-or-later\)|Bitstream-Vera AND public domain)$/

const versionOf = (name: string): string =>
  lockedPackages(ROOT).find((one) => one.name === name && one.shipped)?.version ?? ''

t.test('every package the program is made of has a licence that lets it be passed on', (t) => {
  const shipped = lockedPackages(ROOT).filter((one) => one.shipped)
  t.ok(shipped.length > 150)
  t.same(
    shipped.filter(({ license }) => !FREE.test(license)),
    []
  )
  for (const name of ['busboy', 'streamsearch', 'png-js'])
    t.equal(shipped.find((one) => one.name === name)?.license, 'MIT', `${name} names none in the lock file`)
  t.notOk(
    shipped.some(({ name }) => name.startsWith('@meshtastic/')),
    'the GPL stays with the tests'
  )
  t.end()
})

t.test(
  'the bill of materials names the program, wherever it was checked out, and every package that is shipped',
  (t) => {
    const { metadata, components } = billOfMaterials()
    t.match(metadata.component, { name: 'lookout', type: 'application' })
    t.same(
      components.filter(({ licenses = [] }) => licenses.length === 0),
      []
    )
    const named = new Set(components.map(({ purl = '' }) => decodeURIComponent(purl)))
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    // The last are needed by one of those, and by a package of the tests.
    const deep = Object.fromEntries(['ws', 'debug', 'pend'].map((name) => [name, versionOf(name)]))
    for (const [name, version] of Object.entries({ ...dependencies, ...deep }))
      t.ok(named.has(`pkg:npm/${name}@${version}`), name)
    t.end()
  }
)

t.test('the page of packages names each with its reason, and refuses what nobody looked up', (t) => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >
  const page = dependenciesPage(ROOT)
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    t.ok(
      new RegExp(
        `\\| \`${name.replaceAll('.', '\\.')}\` \\| ${version.replaceAll('.', '\\.')} \\| [^|]+ \\| [^|]+ \\|`
      ).test(page),
      name
    )
  const root = t.testdir({})
  const change = (file: string, from: string, to: string): void => {
    for (const one of ['package.json', 'package-lock.json']) cpSync(join(ROOT, one), join(root, one))
    writeFileSync(join(root, file), readFileSync(join(ROOT, file), 'utf8').replace(from, to))
  }
  change('package.json', '"busboy"', '"bus-boy"')
  t.throws(() => dependenciesPage(root), { message: /bus-boy has no reason/ })
  change('package.json', `    "busboy": "${dependencies['busboy']}",\n`, '')
  t.throws(() => dependenciesPage(root), { message: /busboy has a reason and is not used/ })
  change('package-lock.json', '"node_modules/busboy"', '"node_modules/unheard-of"')
  t.throws(() => dependenciesPage(root), { message: /unheard-of names no licence/ })
  t.end()
})
