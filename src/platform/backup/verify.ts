import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../errors.ts'
import { hashOf, sizeIfThere } from './copy.ts'
import type { BackedFile, BackupFolder, BackupSource } from './manifest.ts'

export interface Damage {
  stamp: string
  path: string
  reason: string
}

export interface Verified {
  stamps: string[]
  /** Files of all manifests; contents that several name are read once. */
  files: number
  damaged: Damage[]
}

interface Options {
  /** Only this one; all without it. */
  stamp?: string | undefined
  onFile?: (files: number) => void
}

/** Reads every byte that the manifests name. @throws AppError `missing` when there is no complete backup, or not this one. */
export async function verifyBackups(folder: BackupFolder, { stamp, onFile }: Options = {}): Promise<Verified> {
  const stamps = stamp === undefined ? (await folder.stamps()).complete : [await chosenStamp(folder, stamp)]
  if (stamps.length === 0) throw noBackup(folder)
  const found: Verified = { stamps, files: 0, damaged: [] }
  const contents = new Map<string, string | null>()
  for (const one of stamps) {
    for (const file of await filesOf(folder, one, found.damaged)) {
      const place = folder.placeOf(one, file)
      const reason = contents.get(place) ?? (contents.has(place) ? null : await reasonAgainst(place, file))
      contents.set(place, reason)
      if (reason !== null) found.damaged.push({ stamp: one, path: file.path, reason })
      onFile?.(++found.files)
    }
  }
  return found
}

async function filesOf(folder: BackupFolder, stamp: string, damaged: Damage[]): Promise<BackedFile[]> {
  try {
    return (await folder.manifest(stamp)).files
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    damaged.push({ stamp, path: 'manifest.json', reason: errorText(error) })
    return []
  }
}

/** The fault of the copy of a file; null when it is whole. */
async function reasonAgainst(place: string, { size, hash }: BackedFile): Promise<string | null> {
  const there = await sizeIfThere(place)
  if (there === null) return 'is not there'
  if (there !== size) return `has ${there} bytes, not ${size}`
  return (await hashOf(place)).hash === hash ? null : 'its bytes have changed'
}

/** The named stamp, or the newest. @throws AppError `missing`. */
export async function chosenStamp(folder: BackupSource, named: string | undefined): Promise<string> {
  const { complete } = await folder.stamps()
  const stamp = named === undefined ? complete.at(-1) : complete.find((one) => one === named)
  if (stamp !== undefined) return stamp
  if (named === undefined || complete.length === 0) throw noBackup(folder)
  throw new AppError('missing', because('no_such_backup', { stamp: named, folder: folder.path, complete }))
}

function noBackup(folder: BackupSource): AppError {
  return new AppError('missing', because('no_complete_backup', { folder: folder.path, path: folder.path }))
}
