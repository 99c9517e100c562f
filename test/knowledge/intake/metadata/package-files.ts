import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'

const run = promisify(execFile)

/**
 * The files of documents in Debian packages, fetched with apt-get and kept below `cache`, in their order; null where the
 * package or the file in it is not to be had. Compressed texts are unpacked.
 */
export async function packageFiles(
  documents: readonly (readonly [packageName: string, path: string, ...rest: unknown[]])[],
  cache: string
): Promise<(string | null)[]> {
  await mkdir(cache, { recursive: true })
  const wanted = grouped(documents)
  for (const [name, paths] of wanted)
    if (paths.some((path) => !existsSync(placeOf(cache, name, path)))) await fetchPackage(cache, name, paths)
  return documents.map(([name, path]) => {
    const place = placeOf(cache, name, path)
    return existsSync(place) ? place : null
  })
}

function grouped(documents: readonly (readonly [string, string, ...unknown[]])[]): Map<string, string[]> {
  const wanted = new Map<string, string[]>()
  for (const [name, path] of documents) wanted.set(name, [...(wanted.get(name) ?? []), path])
  return wanted
}

const placeOf = (cache: string, name: string, path: string): string => join(cache, name, path.replace(/\.gz$/, ''))

/** A package that cannot be fetched is told once and left out. */
async function fetchPackage(cache: string, name: string, paths: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(cache, 'fetch-'))
  try {
    await run('apt-get', ['download', name], { cwd: folder })
    const [archive = ''] = (await readdir(folder)).filter((file) => file.endsWith('.deb'))
    await run('dpkg-deb', ['-x', join(folder, archive), join(folder, 'unpacked')])
    for (const path of paths) await keep(join(folder, 'unpacked', path), placeOf(cache, name, path))
  } catch (error) {
    console.error(`${name} cannot be fetched: ${String(error).split('\n', 2).join(' ')}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A package may hold the file compressed. */
async function keep(path: string, to: string): Promise<void> {
  const from = [path, `${path}.gz`].find((place) => existsSync(place))
  if (from === undefined) return
  await mkdir(dirname(to), { recursive: true })
  if (from.endsWith('.gz')) await writeFile(to, gunzipSync(await readFile(from)))
  else await cp(from, to)
}
