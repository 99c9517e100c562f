import { closeSync, existsSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../files/atomic-file.ts'

/** Endings of the files that SQLite keeps beside its own. */
const LOGS = ['-wal', '-shm', '-journal']
/** Of one database so many stay: a dying card must not fill itself with copies. */
const KEPT = 2

/**
 * Gives a damaged database, with its log, another name beside its place: `lookout.db.bad-20260601T180000Z`. `inPlace` takes its
 * place in the same step, so that a power cut leaves one or the other. Nobody may have the file open. Answers the new name.
 */
export function putAside(path: string, at: number, inPlace?: string): string {
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  const name = freeName(`${path}.bad-${stamp}`)
  for (const log of ['-wal', '-journal']) if (existsSync(path + log)) renameSync(path + log, name + log)
  rmSync(`${path}-shm`, { force: true })
  if (inPlace === undefined) renameSync(path, name)
  else {
    keepBoth(path, name)
    renameSync(inPlace, path)
  }
  syncNames(dirname(path))
  forgetOld(path)
  return name
}

/** Beside a damaged database that is in use: the next start puts it aside. */
export const DAMAGED = '.damaged'

/** Databases that were put aside in this folder, oldest first, and marks of those that will be: names. */
export function asides(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.bad-\d{8}T\d{6}Z(?:-\d+)?$/.test(name) || name.endsWith(`.db${DAMAGED}`))
    .sort()
}

/** With its log; nobody may have it open. */
export function removeDatabase(path: string): void {
  for (const part of ['', ...LOGS]) rmSync(path + part, { force: true })
}

/** Of a salvage that a crash cut off: copies beside the file, which nobody reads any more. */
export function removeLeftCopies(path: string): void {
  const [folder, name] = [dirname(path), basename(path)]
  for (const found of readdirSync(folder))
    if (found.startsWith(`${name}.new`) || found.startsWith(`${name}.reading`))
      rmSync(join(folder, found), { force: true })
}

function freeName(wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!existsSync(name)) return name
  }
}

/** A second name for the same bytes. File systems without links (exFAT) get a rename: a moment without either name. */
function keepBoth(path: string, name: string): void {
  try {
    linkSync(path, name)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error))) throw error
    renameSync(path, name)
  }
}

function forgetOld(path: string): void {
  const folder = dirname(path)
  const own = asides(folder).filter((name) => name.startsWith(`${basename(path)}.bad-`))
  for (const name of own.slice(0, -KEPT))
    for (const part of ['', ...LOGS]) rmSync(join(folder, name + part), { force: true })
}

/** Renames in a folder outlast a power cut. */
export function syncNames(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } catch (error) {
    // A few file systems cannot do it for a folder.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EBADF'].includes(errorCode(error))) throw error
  } finally {
    closeSync(handle)
  }
}
