#!/usr/bin/env node
// Writes the skeleton of a feed, a page or a route, typed and with its test, and registers it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { feedFiles, pageFiles, routeFiles } from './new-texts.js'

const HELP = `usage: npm run new -- feed NAME
       npm run new -- page NAME
       npm run new -- route METHOD /PATH

  feed    a kind of source: NAME in small letters, digits and _ (tide_gauges). Writes src/warning/feeds/NAME/ with its settings
          and words, its reader and a sample, and its line in registry.ts
  page    a page of the dashboard at /NAME, small letters, digits and - (tide-tables), with its German words and its test
  route   a route of the API below /api: GET, POST, PUT or DELETE, a segment :name is a parameter (GET /api/tides/:port)

What it writes is right as it stands: types, lint and tests pass. Then make it yours, and run npm run docs.`

const root = fileURLToPath(new URL('..', import.meta.url))
const FEEDS = 'src/warning/feeds'

function refuse(sentence) {
  console.error(`new: ${sentence}`)
  process.exit(2)
}

const read = (file) => readFileSync(join(root, file), 'utf8')
const camel = (name) => name.replace(/[-_]+(\w)/g, (_, letter) => letter.toUpperCase())
const pascal = (name) => camel(`-${name}`)
const title = (name) => name.replace(/[-_]+/g, ' ').replace(/^\w/, (letter) => letter.toUpperCase())

function wordsOf(name) {
  return { name, folder: name.replaceAll('_', '-'), camel: camel(name), pascal: pascal(name), title: title(name) }
}

/** All of it or none: what exists already is never written over. */
function write(files, changes) {
  for (const file of Object.keys(files)) if (existsSync(join(root, file))) refuse(`${file} exists already.`)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
    console.log(`wrote    ${file}`)
  }
  for (const [file, text] of Object.entries(changes)) {
    writeFileSync(join(root, file), text)
    console.log(`changed  ${file}`)
  }
  const code = [...Object.keys(files), ...Object.keys(changes)].filter((file) => /\.(?:ts|json)$/.test(file))
  const { status, stdout, stderr } = spawnSync('npx', ['biome', 'check', '--write', ...code], {
    cwd: root,
    encoding: 'utf8'
  })
  if (status !== 0) console.error(`${stdout}${stderr}`)
  const tests = Object.keys(files).filter((file) => file.endsWith('.test.ts'))
  return { status, tests }
}

function newFeed(name = '') {
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name) || name.length > 32)
    refuse(
      `"${name}" is no name of a feed: up to 32 small letters, digits and _, beginning with a letter (tide_gauges).`
    )
  const words = wordsOf(name)
  if (existsSync(join(root, FEEDS, words.folder))) refuse(`${FEEDS}/${words.folder} exists already.`)
  const registry = read(`${FEEDS}/registry.ts`)
  if (new RegExp(`\\b${words.camel}Feed\\b`).test(registry)) refuse(`the registry has a feed ${name} already.`)
  const line = `export { ${words.camel}Feed } from './${words.folder}/feed.ts'\n`
  const done = write(feedFiles(words, FEEDS), { [`${FEEDS}/registry.ts`]: registry + line })
  return { ...done, tests: ['test/warning/feeds/every-sample.test.ts'] }
}

/** A row at the end of the table of routes, the import it needs, and its words for the documentation. */
function withRow({ imports, row, list, words }) {
  const routes = read('src/dashboard/routes.ts')
  const table = 'const table: Route[] = [\n'
  const docs = read('scripts/docs-api-words.ts')
  const words0 = new RegExp(`export const ${list}: Record<string, string> = \\{\\n`).exec(docs)?.[0]
  if (!routes.includes(table) || words0 === undefined)
    refuse('the table of routes is not where it was: see scripts/new.js.')
  return {
    'src/dashboard/routes.ts': `${imports}\n${routes.replace(table, `${table}    ${row},\n`)}`,
    'scripts/docs-api-words.ts': docs.replace(words0, `${words0}  ${words},\n`)
  }
}

const hasRow = (pattern) =>
  pattern.test(
    ['', '-knowledge', '-library', '-library-pages', '-scraper']
      .map((part) => `src/dashboard/routes${part}.ts`)
      .filter((file) => existsSync(join(root, file)))
      .map(read)
      .join('\n')
  )
const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function newPage(name = '') {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > 32)
    refuse(
      `"${name}" is no name of a page: up to 32 small letters, digits and -, beginning with a letter (tide-tables).`
    )
  if (hasRow(new RegExp(`\\(\\s*'/${name}'`))) refuse(`there is a page /${name} already.`)
  const words = wordsOf(name)
  return write(
    pageFiles(words),
    withRow({
      imports: `import { read${words.pascal}Page } from './pages/${name}/page.ts'`,
      row: `get('/${name}', '', noQuery, read${words.pascal}Page(services))`,
      list: 'PAGES',
      words: `'/${name}': '${words.title}: say what the page shows.'`
    })
  )
}

function newRoute(given = '', path = '') {
  const method = given.toUpperCase()
  if (!['GET', 'POST', 'PUT', 'DELETE'].includes(method)) refuse(`"${given}" is no method: GET, POST, PUT or DELETE.`)
  if (!/^\/api(?:\/:?[a-z][a-z0-9-]*)+$/.test(path))
    refuse(`"${path}" is no path of the API: /api and segments of small letters, digits and - (/api/tides/:port).`)
  if (
    hasRow(
      new RegExp(
        `${method === 'GET' ? '(?:get|own)' : method === 'POST' ? '(?:post|order)' : method === 'PUT' ? 'put' : 'del'}\\(\\s*'${literal(path)}'`
      )
    )
  )
    refuse(`there is a route ${method} ${path} already.`)
  const name = path.slice(5).replaceAll('/', '-').replaceAll(':', '')
  const words = { ...wordsOf(name), method, path }
  const { files, imports, row, said } = routeFiles(words)
  const braced = path.replace(/:(\w+)/g, '{$1}')
  return write(files, withRow({ imports, row, list: 'WORDS', words: `'${method} ${braced}': '${said}'` }))
}

const [what, ...rest] = process.argv.slice(2)
if (what === undefined || what === '--help' || what === '-h') {
  console.log(HELP)
  process.exit(what === undefined ? 2 : 0)
}
const makers = { feed: newFeed, page: newPage, route: newRoute }
const wanted = what === 'route' ? 2 : 1
if (!Object.hasOwn(makers, what)) refuse(`"${what}" is none of feed, page and route. See --help.`)
if (rest.length !== wanted) refuse(`${what} takes ${wanted === 1 ? 'a name' : 'a method and a path'}. See --help.`)
const { status, tests } = makers[what](...rest)
console.log(`next     npm run docs; npm test -- ${tests.map((file) => relative('.', file)).join(' ')}`)
process.exitCode = status === 0 ? 0 : 1
