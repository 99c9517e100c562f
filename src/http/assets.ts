import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { AppError } from '../lib/errors.ts'

/** What browsers may fetch; sources of other kinds that lie beside are not served. */
const SERVED = /\.(?:css|js|svg|png|ico|json|webmanifest|woff2|txt)$/

/** The folder `web` of this installation, found upwards from the running code. Throws AppError `missing` when there is none. */
export function findWebFolder(from: string): string {
  for (let folder = from, up = dirname(folder); ; folder = up, up = dirname(folder)) {
    const web = join(folder, 'web')
    if (existsSync(join(web, 'style.css'))) return web
    if (up === folder)
      throw new AppError('missing', `the folder web is missing beside ${from}: install the program again`)
  }
}

/** Paths below `web` that are served, with `/` in front. Only these have a route, so everything else is a plain 404. */
export function listAssets(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SERVED.test(entry.name))
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`)
    .filter((path) => /^(?:\/[\w-][\w.-]*)+$/.test(path))
    .sort()
}
