#!/usr/bin/env node
// Makes of the scripts of each page one file in each language, and one of its styles (docs/decisions/0034): a phone at the edge of a
// hotspot waits longer for each request than for the bytes in it. Run by npm run build; from the sources pages are served as they lie.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import type { BundleList } from '../src/dashboard/server/bundles.ts'
import { wordsOf } from '../src/dashboard/words/language.ts'
import { LANGUAGES, type Language } from '../src/model/words/languages.ts'
import { KNOWN_KINDS } from '../src/warning/feeds/settings.ts'
import { MODULES } from './vendor-modules.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'web')
const pages = join(root, 'src/dashboard/pages')
const WORDS = 'web/lib/words.js'
/** Names are short; the sentences of a table are said by the server. */
const LONGEST_NAME = 40

const OPTIONS: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning'
}

/** A browser finds scripts and sheets below `/static`; here are the files, and of libraries only what a page uses of them. */
const fromStatic: Plugin = {
  name: 'static',
  setup(made) {
    const place = (path: string): string =>
      path.startsWith('/static/pages/')
        ? join(pages, path.slice('/static/pages/'.length))
        : join(web, path.slice('/static/'.length))
    made.onResolve({ filter: /(?:^\/static\/|^\.\.?\/)/ }, ({ path, resolveDir }) => {
      const file = path.startsWith('/static/') ? place(path) : join(resolveDir, path)
      const library = relative(join(web, 'vendor'), file)
      if (ONLY_WITH_A_MAP.includes(basename(file))) return { path: `/static/${relative(web, file)}`, external: true }
      return library in MODULES ? { path: library, namespace: 'library' } : { path: file }
    })
    made.onLoad({ filter: /./, namespace: 'library' }, ({ path }) => ({
      contents: MODULES[path]?.code.join('\n') ?? '',
      resolveDir: root
    }))
  }
}

/** The readers of an atlas and of a map somebody put into the data folder: they come with those, and import nothing. */
const ONLY_WITH_A_MAP = ['pmtiles.js', 'mvt.js', 'tile-style.js', 'topojson.js']

/** The texts of a page stand in its script in the language of its readers, so that no words have to be fetched. */
function inLanguage(language: Language, names: Readonly<Record<string, string>>): Plugin {
  const words = wordsOf(language)
  return {
    name: 'language',
    setup(made) {
      made.onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path }) => {
        if (relative(root, path) === WORDS) return { contents: `export const words = ${JSON.stringify(names)}` }
        if (language === 'en' || path.includes('node_modules')) return null
        return {
          contents: readFileSync(path, 'utf8').replace(TEXT, (all, before, _quote, literal) => {
            const said = words[plain(literal)]
            return said === undefined ? all : `${before}${JSON.stringify(said)}`
          })
        }
      })
    }
  }
}

/** A text written out in `t(…)`; one with a backtick and a value in it is none. */
const TEXT = /((?<![\w$])t\(\s*)(['"`])((?:\\.|(?!\2)[^\\])+)\2/g
const plain = (literal: string): string => literal.replace(/\\(.)/g, '$1')

/**
 * Writes the bundles of all pages into a folder, with `bundles.json`, which says what is where.
 * @throws Error of esbuild when a script or a sheet cannot be read
 */
export async function makeBundles(folder: string): Promise<BundleList> {
  mkdirSync(folder, { recursive: true })
  const names = readdirSync(pages).sort()
  const has = (file: string) => (name: string) => existsSync(join(pages, name, file))
  const tables = tableNames()
  const scripts: BundleList['scripts'] = {}
  for (const page of names.filter(has('script.js')))
    scripts[`pages/${page}/script.js`] = await makeScripts(
      folder,
      { file: join(pages, page, 'script.js'), page },
      tables
    )
  scripts['lib/shell.js'] = await makeScripts(folder, { file: join(web, 'lib/shell.js'), page: 'shell' }, tables)
  const sheets = { 'style.css': await makeSheet(folder, null) }
  for (const page of names.filter(has('style.css')))
    Object.assign(sheets, { [`pages/${page}/style.css`]: await makeSheet(folder, page) })
  const list: BundleList = { scripts, sheets }
  writeFileSync(join(folder, 'bundles.json'), `${JSON.stringify(list, null, 2)}\n`)
  return list
}

async function makeScripts(
  folder: string,
  { file, page }: { file: string; page: string },
  tables: ReadonlySet<string>
): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  let sources: string[] = []
  for (const language of LANGUAGES) {
    const names = namesIn(language, tables, sources)
    const { metafile } = await build({
      ...OPTIONS,
      entryPoints: [{ in: file, out: language === 'en' ? page : `${page}.${language}` }],
      outdir: folder,
      entryNames: '[name]-[hash]',
      plugins: [inLanguage(language, names), fromStatic],
      metafile: true
    })
    const [[output = '', { inputs = {} } = {}] = []] = Object.entries(metafile.outputs)
    files[language] = basename(output)
    sources = Object.keys(inputs)
      .filter((file) => /^(?:web|src)\//.test(file))
      .map((file) => readFileSync(join(root, file), 'utf8'))
  }
  return files
}

/**
 * The words of a language for what scripts say by `term`: names out of the program's own tables, which come with data, and texts
 * that stand in these sources outside of a `t(…)`.
 */
function namesIn(language: Language, tables: ReadonlySet<string>, sources: readonly string[]): Record<string, string> {
  const own = new Set(sources.flatMap((source) => literalsOf(source.replace(TEXT, ''))))
  return Object.fromEntries(Object.entries(wordsOf(language)).filter(([text]) => tables.has(text) || own.has(text)))
}

/** Texts that are no `t(…)`: names of states, families, domains, kinds of sources; of settings only what a node says of itself. */
function tableNames(): Set<string> {
  const folder = join(root, 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/(?<!\/node-)settings|schema|\/feeds\/|\/messages\/|pages\/design\//.test(file)
  )
  const found = files.flatMap((file) => literalsOf(readFileSync(join(folder, file), 'utf8').replace(TEXT, '')))
  return new Set([...found.filter((text) => text.length <= LONGEST_NAME), ...KNOWN_KINDS.map(({ title }) => title)])
}

function literalsOf(source: string): string[] {
  return [...source.matchAll(/(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g)].map(([, , literal = '']) => plain(literal))
}

async function makeSheet(folder: string, page: string | null): Promise<string> {
  const own = page === null ? '' : `@import "/static/pages/${page}/style.css";`
  const { metafile } = await build({
    ...OPTIONS,
    stdin: { contents: `@import "/static/style.css";\n${own}`, resolveDir: root, loader: 'css' },
    outdir: folder,
    entryNames: `${page ?? 'common'}-[hash]`,
    plugins: [fromStatic],
    metafile: true
  })
  return basename(Object.keys(metafile.outputs)[0] ?? '')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined || folder === '--help')
    console.log(
      'usage: node --import=tsx scripts/bundles.ts FOLDER\nWrites one script in each language and one sheet of each page into FOLDER.'
    )
  else await makeBundles(folder)
}
