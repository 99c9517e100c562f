#!/usr/bin/env node
// Writes the skeleton of a feed, a page or a route, typed and with its test, and registers it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { feedFiles, pageFiles, routeTexts } from './new-texts.js'

const HELP = `usage: npm run new -- feed NAME
       npm run new -- page NAME
       npm run new -- route METHOD /PATH

  feed    a kind of source: NAME in small letters, digits and _ (tide_gauges). Writes src/warning/feeds/NAME/ with its settings
          and words, its reader and a sample, and its line in registry.ts
  page    a page of the dashboard at /NAME, small letters, digits and - (tide-tables): its folder with its row of the table and its
          German words, its line in src/dashboard/areas.ts, and its test. A script.js and a style.css join the folder
  route   a route of the API below /api: GET, POST, PUT or DELETE, a segment :name is a parameter (GET /api/tides/:port).
          Its row, with schema and handler, joins the file of src/dashboard/api whose paths begin alike; a path like no other
          begins a file of its own and a line in areas.ts

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

const AREAS = 'src/dashboard/areas.ts'
/** One line more in the list of what has rows. */
const withArea = (name, file) => ({ [AREAS]: `${read(AREAS)}export { ${name} } from './${file}'\n` })

const codeBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
const hasRow = (pattern) => codeBelow('src/dashboard').some((file) => pattern.test(read(file)))
const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The file of the API whose rows begin as this path does, with the most segments alike; undefined for a path of a new area. */
function areaOf(path) {
  const segments = path.split('/')
  const alike = (other) => {
    const at = other.split('/').findIndex((segment, index) => segment !== segments[index])
    return at < 0 ? other.split('/').length : at
  }
  const found = codeBelow('src/dashboard/api').map((file) => {
    const rows = [...read(file).matchAll(/\b(?:get|post|put|del|order)\(\s*'(\/api\/[^']+)'/g)]
    return { file, most: Math.max(0, ...rows.map(([, other]) => alike(other))) }
  })
  const [best] = found.sort((one, other) => other.most - one.most)
  return best !== undefined && best.most >= 3 ? best.file : undefined
}

function newPage(name = '') {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > 32)
    refuse(
      `"${name}" is no name of a page: up to 32 small letters, digits and -, beginning with a letter (tide-tables).`
    )
  if (hasRow(new RegExp(`\\(\\s*'/${name}'`))) refuse(`there is a page /${name} already.`)
  const words = wordsOf(name)
  return write(pageFiles(words), withArea(`${words.camel}Page`, `pages/${name}/page.ts`))
}

function newRoute(given = '', path = '') {
  const method = given.toUpperCase()
  if (!['GET', 'POST', 'PUT', 'DELETE'].includes(method)) refuse(`"${given}" is no method: GET, POST, PUT or DELETE.`)
  if (!/^\/api(?:\/:?[a-z][a-z0-9-]*)+$/.test(path))
    refuse(`"${path}" is no path of the API: /api and segments of small letters, digits and - (/api/tides/:port).`)
  const makers = { GET: 'get', POST: '(?:post|order)', PUT: 'put', DELETE: 'del' }
  if (hasRow(new RegExp(`\\b${makers[method]}\\(\\s*'${literal(path)}'`)))
    refuse(`there is a route ${method} ${path} already.`)
  const words = { ...wordsOf(path.slice(5).replaceAll('/', '-').replaceAll(':', '')), method, path }
  const area = path.split('/')[2] ?? ''
  const { handler, row, imports, whole, test } = routeTexts({ ...words, area: camel(area) })
  const known = areaOf(path)
  if (known === undefined)
    return write(
      { [`src/dashboard/api/${area}.ts`]: whole, ...test },
      withArea(`${camel(area)}Routes`, `api/${area}.ts`)
    )
  const text = read(known)
  const rows = /\nexport const \w+Routes = [^\n]*=> \[\n/.exec(text)
  if (rows === null || !text.endsWith('\n]\n')) refuse(`the rows of ${known} are not at its end: see scripts/new.js.`)
  const changed = `${text.slice(0, rows.index)}\n${handler}${text.slice(rows.index).replace(/\n\]\n$/, `,\n  ${row}\n]\n`)}`
  return write(test, { [known]: withImports(changed, imports) })
}

/** The names a text uses, each imported once: into the import that is there, or by one more. */
function withImports(text, imports) {
  let made = text
  for (const [from, names] of Object.entries(imports)) {
    const found = new RegExp(`import (type )?\\{([^}]*)\\} from '${literal(from)}'\\n`).exec(made)
    const all = /\* as/.test(names) && !made.includes(`from '${from}'`) ? `import ${names} from '${from}'\n` : null
    if (all !== null) made = `${all}${made}`
    else if (!names.startsWith('*')) {
      const there = (found?.[2] ?? '')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
      const kept = found?.[1] === undefined ? there : there.map((name) => `type ${name}`)
      const wanted = names.split(', ').filter((name) => !kept.includes(name))
      const line = `import { ${[...kept, ...wanted].join(', ')} } from '${from}'\n`
      made = found === null ? `${line}${made}` : made.replace(found[0], line)
    }
  }
  return made
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
