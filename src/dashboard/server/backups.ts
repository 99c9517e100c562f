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
}

/** Backups as pages see them. */
export interface BackupPort {
  state: () => BackupState
  /** Begins one now; answers before it is made. @throws AppError `conflict` while one is made */
  begin: () => void
}
