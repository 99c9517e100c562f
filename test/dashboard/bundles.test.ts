import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { makeBundles } from '../../scripts/bundles.ts'
import { readBundles, UNBUNDLED } from '../../src/dashboard/server/bundles.ts'
import { tableOfRoutes } from '../helpers/answer-check.ts'
import { station } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'lookout-bundles-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const list = makeBundles(folder)
const addresses = (html: string, tag: RegExp): string[] => [...html.matchAll(tag)].map(([, address = '']) => address)

t.test('a built page names one script and one sheet, and a browser keeps both for ever', async (t) => {
  await list
  const { ask } = await station(t, { context: { bundles: readBundles(folder) } })
  const pages = tableOfRoutes()
    .filter(({ method, summary, path }) => method === 'GET' && summary === '' && !path.includes(':'))
    .map(({ path }) => path)
  let looked = 0
  for (const path of pages) {
    const { text, headers, status } = await ask({ path, headers: { 'accept-language': 'de' } })
    if (status >= 300 || headers['content-type'] !== 'text/html; charset=utf-8') continue
    const scripts = addresses(text, /<script type="module" src="([^"]+)"/g)
    const sheets = addresses(text, /<link rel="stylesheet" href="([^"]+)"/g)
    t.ok(scripts.length <= 1 && sheets.length === 1, `${path}: ${[...scripts, ...sheets]}`)
    t.notMatch(text, /modulepreload|rel="preload"/, path)
    for (const address of [...scripts, ...sheets]) {
      t.match(address, /^\/static\/bundles\/[\w.-]+-[A-Z0-9]{8}\.(?:js|css)$/, path)
      const file = await ask(address)
      t.equal(file.status, 200, address)
      t.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable', address)
    }
    looked += 1
  }
  t.ok(looked > 15, `${looked} pages`)
})

t.test('a bundle brings all it needs, but for the readers of maps', async (t) => {
  await list
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    const others = [...text.matchAll(/\bimport\s*(?:\(\s*)?["']([^"']+)["']|\bfrom\s*["']([^"']+)["']/g)].map(
      ([, dynamic, fixed]) => dynamic ?? fixed
    )
    const readers = others.filter((path) =>
      /^\/static\/(?:vendor\/(?:pmtiles|topojson)|map\/(?:mvt|tile-style))\.js$/.test(path ?? '')
    )
    t.same(others, readers, name)
  }
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.css')))
    t.notMatch(readFileSync(join(folder, name), 'utf8'), /@import|url\(/, name)
})

t.test('a page in German has its words in its script, names out of the tables of the program too', async (t) => {
  const { scripts } = await list
  const read = (language: string): string =>
    readFileSync(join(folder, scripts['pages/routing/script.js']?.[language] ?? 'none'), 'utf8')
  t.match(read('en'), 'go from cell to cell')
  t.match(read('de'), 'von Zelle zu Zelle gehen')
  t.notMatch(read('de'), 'go from cell to cell')
  t.match(read('de'), /Fire:"Feuer"/)
  t.notMatch(read('en'), /Feuer/)
})

t.test('what has no bundle is served from where it lies', async (t) => {
  t.equal(readBundles(join(folder, 'none')), UNBUNDLED)
  await list
  const made = readBundles(folder)
  t.equal(made.script('pages/none/script.js', 'de'), '/static/pages/none/script.js')
  t.same(made.sheets('pages/none/style.css'), ['/static/style.css', '/static/pages/none/style.css'])
})

t.test('without a build a page loads its modules, the words of its language beside them', async (t) => {
  const { ask } = await station(t)
  const { text } = await ask({ path: '/mesh-a/routing', headers: { 'accept-language': 'de' } })
  t.match(text, /<script type="module" src="\/static\/pages\/routing\/script\.js">/)
  t.match(text, /<link rel="preload" as="fetch" crossorigin href="\/i18n\/de\.json\?v=/)
  t.match(text, /<link rel="stylesheet" href="\/static\/style\.css">/)
})

t.test('a built page knows the names that radios give themselves in the language of its readers', async (t) => {
  const { scripts } = await list
  const radios = readFileSync(join(folder, scripts['pages/radios/script.js']?.['de'] ?? ''), 'utf8')
  // The driver of MeshCore says it (`meshcore/node-settings.ts`); no script has it in a `t(…)` of this name alone.
  t.match(radios, /"not read yet":"noch nicht gelesen"/)
})
