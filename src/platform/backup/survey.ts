import type { Stats } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../errors.ts'
import { errorCode } from '../files/atomic-file.ts'
import { statOrNull } from '../files/names-in.ts'
import type { LeftOut } from './manifest.ts'

/** Copied by SQLite itself, in this order: files of documents follow the rows of the first. */
export const DATABASES = ['knowledge.db', 'lookout.db'] as const
const KEYS = 'keys.env'

/** Files that never belong to a backup, by their place at the top of the data folder. */
const DERIVED: readonly [RegExp, string][] = [
  [/^search\.db(-wal|-shm|-journal)?$/, 'made again from knowledge.db at the next start'],
  [/^metrics\.db(-wal|-shm|-journal)?$/, 'figures of the last days'],
  [/^lookout\.lock(-journal)?$/, 'held by the running program'],
  [/^(lookout|knowledge)\.db(-wal|-shm|-journal)$/, 'in the copy of its database'],
  [/\.bad-\d{8}T\d{6}Z(-\d+)?(-wal|-journal)?$/, 'damaged, and put aside'],
  [/^lookout\.db\.(new|reading)/, 'a copy that is being made of a damaged database'],
  [/^tls\.pem$/, 'a key of this machine, made again at the next start'],
  [/^\.tls-/, 'a key that is being made'],
  [/^reserve\.bin$/, 'room for a full disk'],
  [/^history-\d{8}T\d{6}Z$/, 'a history that was put away by lookout forget'],
  [/^backups$/, 'backups'],
  [/^backup-file$/, 'a backup to be downloaded'],
  [/^backup-state\.json$/, 'about the backups of this machine'],
  [/^before-restore-/, 'data that a restored backup took the place of'],
  [/^restore\.(new|ready|moving|upload)$/, 'a backup that is being put back'],
  [/^update$/, 'a release that was brought here']
]
/** Large, and to be had again. */
const ARCHIVES = /^(archives|zim|maps|addresses\.sqlite(-wal|-shm|-journal)?)$/
/** Bytes of uploads under way: whoever sends them goes on, or sends them again. */
const PARTS: readonly string[] = ['acquired/.parts', 'models/.parts']

/** A file of the data folder as it was when it was looked at. */
export interface Seen {
  /** Relative to the data folder, with `/`. */
  path: string
  size: number
  mode: number
  modifiedMs: number
  /** Stays with a file that is moved. */
  inode: string
}

export interface Survey {
  databases: { name: string; bytes: number }[]
  /** At the top of the data folder. */
  settings: Seen[]
  /** In its folders. */
  documents: Seen[]
  leftOut: LeftOut[]
}

export interface SurveyOptions {
  dataFolder: string
  /** The folder of backups; it may lie inside the data folder. */
  backupFolder: string
  withKeys: boolean
  withArchives: boolean
}

/**
 * Every file of a data folder but those that are named here: a folder of a later version is never forgotten (L6). Links are
 * followed at the top only. @throws AppError `missing` when there is no such folder.
 */
export async function survey(options: SurveyOptions): Promise<Survey> {
  const found: Survey = { databases: [], settings: [], documents: [], leftOut: [] }
  const ours = await realpath(options.backupFolder).catch(() => null)
  for (const name of await topNames(options.dataFolder)) {
    const reason = reasonToLeave(name, options)
    if (reason === null) await lookAt(name, { root: options.dataFolder, ours }, found)
    else if (reason !== '') found.leftOut.push({ path: name, reason })
  }
  return found
}

async function lookAt(
  name: string,
  { root, ours }: { root: string; ours: string | null },
  found: Survey
): Promise<void> {
  const path = join(root, name)
  const stats = await statOrNull(path)
  if (stats === null) found.leftOut.push({ path: name, reason: 'a link to nothing' })
  else if (DATABASES.some((database) => database === name))
    found.databases.push({ name, bytes: stats.size + ((await statOrNull(`${path}-wal`))?.size ?? 0) })
  else if (stats.isFile()) found.settings.push(seen(name, stats))
  else if (stats.isDirectory() && (await realpath(path)) !== ours) await walk({ root, folder: name, ours }, found)
}

/** Null: it belongs to the backup. Empty: nobody needs to hear of it. */
function reasonToLeave(name: string, { withKeys, withArchives }: SurveyOptions): string | null {
  // Temporary files of an atomic write.
  if (/^\..*\.tmp$/.test(name)) return ''
  const derived = DERIVED.find(([pattern]) => pattern.test(name))
  if (derived !== undefined) return /-(wal|shm|journal)$|^lookout\.lock/.test(name) ? '' : derived[1]
  if (name === KEYS && !withKeys) return 'only with --with-keys'
  if (ARCHIVES.test(name) && !withArchives) return 'only with --with-archives'
  return null
}

async function walk(at: { root: string; folder: string; ours: string | null }, found: Survey): Promise<void> {
  const { root, folder, ours } = at
  for (const entry of await entriesOf(join(root, folder))) {
    const path = `${folder}/${entry.name}`
    if (PARTS.includes(path)) continue
    if (entry.isDirectory()) {
      if (ours === null || (await realpath(join(root, path)).catch(() => null)) !== ours)
        await walk({ ...at, folder: path }, found)
      continue
    }
    const stats = entry.isFile() ? await statOrNull(join(root, path), lstat) : null
    if (stats !== null) found.documents.push(seen(path, stats))
    else if (!entry.isFile()) found.leftOut.push({ path, reason: 'a link, or no file' })
  }
}

function seen(path: string, { size, mode, mtimeMs, dev, ino }: Stats): Seen {
  return { path, size, mode: mode & 0o777, modifiedMs: mtimeMs, inode: `${dev}:${ino}` }
}

async function topNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    throw new AppError('missing', because('no_data_folder_said', { folder, said: errorText(error) }), { cause: error })
  }
}

/** A folder that goes while we look held nothing any more. */
async function entriesOf(folder: string) {
  try {
    return (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
