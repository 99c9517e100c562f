import type { PartialUploads } from '../../knowledge/intake/partial-uploads.ts'
import type { Reason } from '../../model/reason.ts'
import type { BackupFile } from '../../platform/backup/one-file.ts'

/** A backup that was found whole. */
export interface GoodBackup {
  /** Epoch milliseconds. */
  at: number
  folder: string
  files: number
  bytes: number
}

/** A backup that somebody uploaded. */
export interface UploadedBackup {
  /** As the file was called where it came from. */
  name: string
  /** Bytes of the file. */
  size: number
  /** The facts that its manifest says; its bytes are compared with it while they are read in. */
  facts: {
    stamp: string
    /** Release of the program that made it. */
    made_by: string
    /** RFC 3339. */
    made_at: string
    files: number
    /** Unpacked. */
    bytes: number
  } | null
  /** The reason why it is not taken; null when it is, or while it is looked at. */
  refused: Reason | null
}

/** Files of a backup that were read in, of how many. */
export interface ReadProgress {
  files: number
  ofFiles: number
}

export interface BackupState {
  every: 'off' | 'daily' | 'weekly'
  /** The place they go to: a folder, or the mounted stick. */
  folder: string
  busy: boolean
  last: GoodBackup | null
  /** The reason why the newest try failed; null when it did not. */
  failed: { at: number; reason: Reason } | null
  /** One is being read in, or waits for the next start to take its place. */
  restore: 'reading' | 'ready' | null
  /** How far the one is that is being read in; null before the first file and otherwise. */
  progress: ReadProgress | null
  /** One that was uploaded and waits. */
  uploaded: UploadedBackup | null
  /** It is being looked at. */
  judging: boolean
  /** The reason why the last one that should be downloaded was not made. */
  fileFailed: Reason | null
  /** The reason why the last one could not be put back. */
  notRestored: Reason | null
}

/** One that is whole, by its folder and name. */
export interface FoundBackup {
  folder: string
  stamp: string
}

/** Backups as pages see them. */
export interface BackupPort {
  state: () => BackupState
  /** Begins one now; answers before it is made. @throws AppError `conflict` while one is made */
  begin: () => void
  /** The same into the data folder, to be downloaded: one is kept there, the newest. @throws AppError `conflict` while one is made */
  beginFile: () => void
  /** Backups on sticks that are plugged in and in the folder for backups, newest first. */
  find: () => Promise<FoundBackup[]>
  /** Begins to read one in; it takes the place of the data at the next start, which follows by itself where something starts the program. @throws AppError `conflict`, `not-found` */
  restore: (one: FoundBackup) => Promise<void>
  uploads: PartialUploads
  /** The same with the one that was uploaded. @throws AppError `conflict`; `missing` without one that may be read in */
  restoreUploaded: () => Promise<void>
  /** Removes the one that was uploaded. @throws AppError `conflict` while it is read in */
  discardUploaded: () => Promise<void>
  /** One of those that `find` tells, as one file. @throws AppError `not-found`, `bad-input` when it is not whole */
  file: (one: FoundBackup) => Promise<BackupFile>
}
