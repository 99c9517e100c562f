#!/usr/bin/env node
// Makes web/vendor/ (libraries and atlas the dashboard needs, from npm packages) and the compressed copies of web/.
// None of it is committed; run by npm run build.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { gzipAsync } from '@gfx/zopfli'
import { build } from 'esbuild'
import { LINES, linesOf } from './atlas-lines.js'
import { MODULES } from './vendor-modules.js'

if (process.argv.includes('--help')) {
  console.log(
    'usage: node scripts/vendor.js [--plain | --pack FOLDER]\nMakes web/vendor/ and a .br and .gz beside every file of web/; --plain removes those, for work on web/.\n--pack FOLDER only writes the .br and .gz beside every file of FOLDER.'
  )
  process.exit(0)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const web = `${root}web`
const vendor = `${web}/vendor`
const require = createRequire(import.meta.url)

const ATLAS = {
  'states-10m.json': 'us-atlas/states-10m.json',
  'counties-10m.json': 'us-atlas/counties-10m.json',
  'countries-110m.json': 'world-atlas/countries-110m.json'
}

function packageFile(name) {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    }
  }
  throw new Error(`package ${name} is not installed: npm ci`)
}

/** Larger files are maps and the like: minutes of work for nothing that a page waits for. Bytes. */
const MOST_ZOPFLI = 200_000

async function pack(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:js|css|json|svg|txt)$/.test(entry.name)) continue
    const path = join(entry.parentPath ?? entry.path, entry.name)
    const bytes = readFileSync(path)
    const quality = bytes.length > 500_000 ? 9 : 11
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }))
    // Over plain HTTP browsers read no brotli: the twentieth that Zopfli saves is what phones of the hotspot wait for.
    const gzipped = bytes.length > MOST_ZOPFLI ? gzipSync(bytes, { level: 9 }) : await gzipAsync(bytes, {})
    writeFileSync(`${path}.gz`, gzipped)
  }
}

/** The copies of an earlier build: of files that are gone, or older than what lies there now. */
function unpack(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (/\.(?:br|gz)$/.test(entry.name)) rmSync(join(entry.parentPath ?? entry.path, entry.name))
  }
}

async function makeVendor() {
  rmSync(vendor, { recursive: true, force: true })
  mkdirSync(`${vendor}/atlas`, { recursive: true })
  for (const [name, { code }] of Object.entries(MODULES)) {
    await build({
      absWorkingDir: root,
      stdin: { contents: code.join('\n'), resolveDir: root, sourcefile: name },
      outfile: `${vendor}/${name}`,
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      legalComments: 'none',
      logLevel: 'warning'
    })
    // Types for `checkJs`: those of the packages, under the name the pages import.
    writeFileSync(`${vendor}/${name.replace(/\.js$/, '.d.ts')}`, `${code.join('\n')}\n`)
  }
  for (const [name, from] of Object.entries(ATLAS)) copyFileSync(require.resolve(from), `${vendor}/atlas/${name}`)
  for (const [name, [file, isDrawn]] of Object.entries(LINES)) {
    const topology = JSON.parse(readFileSync(`${vendor}/atlas/${file}`, 'utf8'))
    writeFileSync(`${vendor}/atlas/${name}.lines`, linesOf(topology, name, isDrawn))
  }

  const used = [...new Set([...Object.values(MODULES).flatMap(({ packages }) => packages), 'us-atlas', 'world-atlas'])]
  const versions = used.map((name) => {
    const { version, license } = packageFile(name)
    return `${name} ${version} ${license}`
  })
  writeFileSync(`${vendor}/VERSIONS.txt`, `${versions.join('\n')}\n`)
}

const at = process.argv.indexOf('--pack')
if (at !== -1) await pack(process.argv[at + 1] ?? web)
else {
  await makeVendor()
  unpack(web)
  if (!process.argv.includes('--plain')) await pack(web)
}
