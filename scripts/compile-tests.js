#!/usr/bin/env node
// Compiles the sources and every test once, into .tap/compiled, so that a file does not load a thousand modules through a
// translator before its first assertion (docs/decisions/0019). Paths that tests and programs find by import.meta stay those
// of the sources.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(root, '.tap', 'compiled')
/** Of this run alone: two may go on at once. Gone when the run ends; what a killed run left goes with the next one. */
export const COMPILED = join(FOLDER, String(process.pid))
const GROUP = 'scripts/test-group.ts'
/** Programs that tests start as processes of their own, beside the program itself. */
const ENTRIES = [
  'src/main.ts',
  'src/platform/sessions/session-file.ts',
  'src/platform/process/confinement.ts',
  'src/platform/database/database.ts',
  'src/platform/errors.ts',
  'src/platform/log/log.ts',
  'src/platform/process/run.ts',
  'src/platform/process/side-process.ts',
  'src/platform/process/side-service.ts',
  'scripts/docs.ts',
  'scripts/simulate-mc.ts',
  'scripts/simulate-mt.ts',
  GROUP
]

const EXTERNAL = [
  '@bufbuild/protobuf',
  '@meshtastic/protobufs',
  '@photostructure/sqlite',
  '@tapjs/run',
  '@tapjs/typescript',
  'axe-core',
  'dejavu-fonts-ttf',
  'esbuild',
  'fasttext.wasm.js',
  'pdfkit',
  'puppeteer-core',
  'serialport',
  'smtp-server',
  'tsx',
  'typescript',
  'us-atlas',
  'world-atlas',
  'xz-decompress'
]

const below = (folder, ending) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true })
        .filter((name) => ending.test(name))
        .map((name) => join(folder, name))
    : []

/** `import.meta` of the compiled file would name the wrong folder; and whoever draws random cases takes the seed of the suite. */
const asSources = {
  name: 'as-sources',
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return null
      const source = readFileSync(path, 'utf8')
      const seeded =
        /from 'fast-check'/.test(source) && !path.endsWith('/helpers/seed.ts')
          ? `${source}\nimport ${JSON.stringify(join(root, 'test/helpers/seed.ts'))}\n`
          : source
      const contents = seeded
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
      return { contents, loader: 'ts' }
    })
  }
}

/** The text with `from` exchanged; a new version of the package that has other words is noticed. */
function exchanged(path, pairs) {
  return pairs.reduce(
    (source, [from, to]) => {
      if (!source.includes(from)) throw new Error(`${path} no longer says "${from}": see ${import.meta.url}`)
      return source.replace(from, to)
    },
    readFileSync(path, 'utf8')
  )
}

/** Ways of tap that do not suit tests which start programs and share a process. */
const TAP_WAYS = [
  [
    /@tapjs\/fixture\/dist\/esm\/index\.js$/,
    [
      // It changes into the folder above one that it removes outside of the project.
      ['process.chdir(dirname(dir))', ''],
      // A side process writes its last words a moment after the program that started it was killed.
      ['await rimraf(dir)', 'await rimraf(dir, { maxRetries: 20, retryDelay: 10 })']
    ]
  ],
  [
    /@tapjs\/after\/dist\/esm\/index\.js$/,
    // It removed the folder of a test first and ended the programs that write there afterwards.
    [
      ['const ret = onEOF();', 'const ret = this.#callTeardown();'],
      ['return ret.then(() => this.#callTeardown());', 'return ret.then(() => onEOF());'],
      ['return this.#callTeardown();', 'return onEOF();']
    ]
  ]
]

/** tap would follow every promise (scripts/test-errors.ts). */
const asNeighbours = {
  name: 'as-neighbours',
  setup(bundler) {
    bundler.onResolve({ filter: /^async-hook-domain$/ }, () => ({ path: join(root, 'scripts/test-errors.ts') }))
    for (const [filter, pairs] of TAP_WAYS)
      bundler.onLoad({ filter }, ({ path }) => ({ contents: exchanged(path, pairs) }))
  }
}

function sweep() {
  mkdirSync(FOLDER, { recursive: true })
  for (const name of readdirSync(FOLDER))
    if (!existsSync(`/proc/${name}`)) rmSync(join(FOLDER, name), { recursive: true, force: true })
}

/** Tests of the runner itself start no programs: compiling these would be most of what they cost. */
const programs = () =>
  process.env.LOOKOUT_NO_PROGRAMS === '1' ? [GROUP] : [...ENTRIES, ...below('test', /(?:-entry|-process)\.ts$/)]

/** The compiled file of a source file, both from the root of the repository. */
export const compiledPath = (source) => join(COMPILED, source.replace(/\.ts$/, '.js'))

/** Takes one to three seconds; `tests` are names from the root of the repository. */
export async function compile(tests = below('test', /\.test\.ts$/)) {
  sweep()
  process.once('exit', () => rmSync(COMPILED, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  await build({
    absWorkingDir: root,
    entryPoints: [...new Set([...programs(), ...tests])],
    outdir: COMPILED,
    outbase: '.',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // A module that is found beside its package's own files, or is large and rarely loaded, stays where it is; the
    // rest, tap too, loads faster from a few files than from hundreds.
    external: EXTERNAL,
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"
    },
    sourcemap: 'linked',
    sourcesContent: false,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [asSources, asNeighbours],
    logLevel: 'warning'
  })
}
