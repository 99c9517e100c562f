import type { Reason } from '../../model/reason.ts'

/** A backup that was found whole. */
export interface GoodBackup {
  /** Epoch milliseconds. */
  at: number
  folder: string
  files: number
  bytes: number
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
  /** Backups on sticks that are plugged in and in the folder for backups, newest first. */
  find: () => Promise<FoundBackup[]>
  /** Begins to read one in; it takes the place of the data at the next start, which follows by itself where something starts the program. @throws AppError `conflict`, `not-found` */
  restore: (one: FoundBackup) => Promise<void>
}
