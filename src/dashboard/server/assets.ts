import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { accepts } from './encoding.ts'

/** Files that browsers may fetch; sources of other kinds that lie beside are not served. */
const SERVED = /\.(?:css|js|svg|png|ico|json|webmanifest|woff2|txt)$/

/** Compressed copies the build writes, best first. */
const COPIES = [
  { encoding: 'br', extension: 'br' },
  { encoding: 'gzip', extension: 'gz' }
] as const

/** The folder `web` of this installation, found upwards from the running code. Throws AppError `missing` when there is none. */
export function findWebFolder(from: string): string {
  for (let folder = from, up = dirname(folder); ; folder = up, up = dirname(folder)) {
    const web = join(folder, 'web')
    if (existsSync(join(web, 'style.css'))) return web
    if (up === folder) throw new AppError('missing', because('web_folder_missing', { from }))
  }
}

/**
 * The folder of the pages, one folder each, with the script, the style and the German words beside what draws the page. In the
 * sources it is `src/dashboard/pages`; the build leaves what is served of it beside the program.
 */
export function findPageFolder(from: string): string {
  for (let folder = from, up = dirname(folder); ; folder = up, up = dirname(folder)) {
    const pages = join(folder, 'pages')
    if (existsSync(join(pages, 'overview', 'script.js'))) return pages
    if (up === folder) throw new AppError('missing', because('pages_folder_missing', { from }))
  }
}

/** Paths below a folder that are served, with `/` in front. Only these have a route, so everything else is a plain 404. */
export function listAssets(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SERVED.test(entry.name))
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`)
    .filter((path) => /^(?:\/[\w-][\w.-]*)+$/.test(path))
    .sort()
}

/**
 * The encodings in which the file may be sent: those the client accepts and a compressed copy lies beside the file that is
 * not older than it. A file changed on the board without a build is served as it is, never as it was.
 */
export function encodingsOf(folder: string, path: string, accepted: string | string[] | undefined): string {
  const file = join(folder, path)
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
  return COPIES.filter(({ encoding, extension }) => {
    const copy = accepts(accepted, encoding) ? statSync(`${file}.${extension}`, { throwIfNoEntry: false }) : undefined
    return copy !== undefined && copy.mtimeMs >= written
  })
    .map(({ encoding }) => encoding)
    .join(', ')
}
