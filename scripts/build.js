#!/usr/bin/env node
import { execFileSync } from 'node:child_process'
// Bundles the program into dist/lookout.js and a few chunks that are loaded on demand.
// Measured: one bundled start path boots faster and smaller than the module tree (docs/decisions/0002).
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { EXTERNAL } from './build-external.js'
import { ensureGazetteer } from './gazetteer.js'

if (process.argv.includes('--help')) {
  console.log(
    'usage: node scripts/build.js [--metafile FILE]\nWrites dist/. Run by npm run build, and by npm start when dist/ is missing or older than src/.'
  )
  process.exit(0)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
rmSync(`${root}dist`, { recursive: true, force: true })
const result = await build({
  absWorkingDir: root,
  entryPoints: { lookout: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // V8 keeps the source of what it has loaded. Names stay, and lines stay short, so that a stack in the log tells a place.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 160,
  sourcemap: 'linked',
  chunkNames: '[name]-[hash]',
  metafile: true,
  logLevel: 'warning',
  external: EXTERNAL,
  plugins: [{ name: 'plain-http', setup: plainHttp }],
  define: { 'process.env.LOOKOUT_VERSION': JSON.stringify(version) },
  banner: {
    // CommonJS packages inside an ES module still ask for these.
    js: [
      "import { createRequire as __createRequire } from 'node:module';",
      "import { fileURLToPath as __fileURLToPath } from 'node:url';",
      'const require = __createRequire(import.meta.url);',
      "const __filename = __fileURLToPath(import.meta.url), __dirname = __fileURLToPath(new URL('.', import.meta.url));"
    ].join('')
  }
})
keepOneByte()
writeFileSync(`${root}dist/packages.json`, `${JSON.stringify(builtInPackages(), null, 2)}\n`)
await import('./vendor.js')
ensureGazetteer()
// The scripts, styles and words of the pages go along; in the sources they lie beside what draws each page.
cpSync(`${root}src/dashboard/pages`, `${root}dist/pages`, {
  recursive: true,
  filter: (path) => !path.endsWith('.ts')
})
execFileSync(process.execPath, ['--import=tsx', `${root}scripts/bundles.ts`, `${root}dist/bundles`], {
  stdio: 'inherit'
})
for (const folder of ['pages', 'bundles'])
  execFileSync(process.execPath, [`${root}scripts/vendor.js`, '--pack', `${root}dist/${folder}`], { stdio: 'inherit' })

/**
 * `import` asks node:http for all its names, and one of them (WebSocket) loads all of undici, the built-in fetch, from Node 22 on: 3 MiB
 * of a process's own memory and 5 MiB of the program file, for nothing. Asked for as a whole it does not. Packages import it too.
 */
function plainHttp(building) {
  const namespace = 'plain-http'
  building.onResolve({ filter: /^(?:node:)?http$/ }, ({ kind, path }) =>
    kind === 'import-statement' ? { path, namespace } : undefined
  )
  building.onLoad({ filter: /./, namespace }, () => ({
    contents: "module.exports = process.getBuiltinModule('node:http')"
  }))
}

/**
 * V8 keeps the source of what it has loaded: with one byte for each character, unless one of them lies beyond Latin-1. The few in
 * our templates and expressions are written as escapes, which mean the same there.
 */
function keepOneByte() {
  for (const file of Object.keys(result.metafile.outputs).filter((name) => name.endsWith('.js'))) {
    const source = readFileSync(`${root}${file}`, 'utf8')
    const narrow = source.replace(/[\u0100-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    if (narrow !== source) writeFileSync(`${root}${file}`, narrow)
  }
}

/** The folders of packages whose code is in the program, for whoever lists their licences. */
function builtInPackages() {
  const folder = /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//
  const found = Object.keys(result.metafile.inputs).flatMap((file) => folder.exec(file)?.[1] ?? [])
  return [...new Set(found)].sort()
}

const at = process.argv.indexOf('--metafile')
if (at !== -1) writeFileSync(process.argv[at + 1] ?? 'meta.json', JSON.stringify(result.metafile))
