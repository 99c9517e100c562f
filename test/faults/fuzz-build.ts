import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { Parser } from './fuzz-parser.ts'

/**
 * The cases of a parser hold for this: the code that it reaches and no other, the packages of that code, the fuzzer, and
 * all that the inputs are made of. A change elsewhere leaves what was proved.
 */

const ROOT = join(import.meta.dirname, '../..')
const SRC = join(ROOT, 'src')
const FEEDS = join(SRC, 'warning/feeds')

/** The words of people, in their languages: they read nothing from outside, and change every day. */
const WORDS = /\/model\/(?:words\/|reasons\/|reason\.ts$)/

/** A sum over the code of every parser, by its name. */
export async function buildsOf(parsers: readonly Parser[]): Promise<Record<string, string>> {
  const rows = readdirSync(import.meta.dirname).filter((name) => /^fuzz-.*\.ts$/.test(name))
  const fuzzers = new Map<string, Promise<string>>()
  const builds = parsers.map(async ({ name, covers, seeds }): Promise<[string, string]> => {
    const row = rows.find((file) => textOf(file).includes(`name: '${name}'`)) ?? 'fuzz-feeds.ts'
    const fuzzer = fuzzers.get(row) ?? bundled(entryOf([row, 'fuzz-run.ts']), [/\/src\//])
    fuzzers.set(row, fuzzer)
    return [name, sumOf(await fuzzer, await bundled(covers.map(exported).join('\n'), [WORDS]), seeds)]
  })
  return Object.fromEntries(await Promise.all(builds))
}

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')

const sumOf = (...texts: readonly string[]): string => {
  const sum = createHash('sha256')
  for (const text of texts) sum.update(text).update('\0')
  return sum.digest('hex').slice(0, 16)
}

const entryOf = (files: readonly string[]): string =>
  files.map((file, nth) => `export * as f${nth} from ${JSON.stringify(join(import.meta.dirname, file))}`).join('\n')

/** `FILE FUNCTION` of `covers` as an export of it; of a file all; of a kind of source its reader. */
function exported(cover: string): string {
  const [place = '', name] = cover.split(' ')
  if (place === 'warning/feeds') return readerOf(name ?? '')
  const file = join(SRC, place)
  if (!existsSync(file)) throw new Error(`a parser covers ${place}, which is no file of src`)
  const text = readFileSync(file, 'utf8')
  const isExport = name !== undefined && new RegExp(`^export .*\\b${name}\\b`, 'm').test(text)
  // A method, or the whole file.
  return isExport
    ? `export { ${name} as ${name}${sumOf(place)} } from ${JSON.stringify(file)}`
    : `export * as all${sumOf(place)} from ${JSON.stringify(file)}`
}

/** `nws_text` is read by `nwsTextSource`, which its folder loads. */
function readerOf(kind: string): string {
  const source = `${kind.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}Source`
  for (const folder of readdirSync(FEEDS)) {
    const feed = join(FEEDS, folder, 'feed.ts')
    const text = existsSync(feed) ? readFileSync(feed, 'utf8') : ''
    const [, file] = new RegExp(`import\\('\\./([\\w-]+\\.ts)'\\)\\)\\.${source}\\b`).exec(text) ?? []
    if (file !== undefined) return `export { ${source} } from ${JSON.stringify(join(FEEDS, folder, file))}`
  }
  throw new Error(`nobody reads the kind ${kind}`)
}

/** The code that an entry reaches, without names and comments, and the versions of the packages that it names. */
async function bundled(entry: string, outside: readonly RegExp[]): Promise<string> {
  const packages = new Set<string>()
  const plugin: Plugin = {
    name: 'outside',
    setup: ({ onResolve }) => {
      onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        if (!/^[./]/.test(path)) {
          if (!path.startsWith('node:'))
            packages.add(
              path
                .split('/')
                .slice(0, path.startsWith('@') ? 2 : 1)
                .join('/')
            )
          return { path, external: true }
        }
        // Another parser's, with a row of its own.
        const whole = join(path.startsWith('/') ? '/' : resolveDir, path)
        const isOutside = kind === 'dynamic-import' || outside.some((one) => one.test(whole))
        return isOutside ? { path: whole.replace(ROOT, ''), external: true } : null
      })
    }
  }
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'node',
    plugins: [plugin],
    logLevel: 'error'
  })
  const versions = [...packages].sort().map((name) => `${name} ${versionOf(name)}`)
  return [...outputFiles.map(({ text }) => text), ...versions].join('\n')
}

/** As it is installed; a module of Node without its prefix has none. */
function versionOf(name: string): string {
  const file = join(ROOT, 'node_modules', name, 'package.json')
  if (!existsSync(file)) return process.version
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return version
}
