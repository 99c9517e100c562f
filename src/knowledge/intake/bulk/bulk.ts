import type { Reason } from '../../../model/reason.ts'

/** The source of many documents at once: addresses of a list, or the files of a folder. */
export const BULK_KINDS = ['addresses', 'folder'] as const
export type BulkKind = (typeof BULK_KINDS)[number]

/**
 * `waiting`: for its turn. `listing`: the folder is looked through. `taking`: one after the other. `paused`: something from outside is
 * missing, see the reason; it goes on by itself or when somebody says so. `stopped`: by hand. `done`, `failed`: over.
 */
export const BULK_STATES = ['waiting', 'listing', 'taking', 'paused', 'stopped', 'done', 'failed'] as const
export type BulkState = (typeof BULK_STATES)[number]

/**
 * `left`: not yet looked at. `taken`: it has arrived and goes the way of every file. `duplicate`: these bytes are here already. `refused`: the
 * station does not take such a file. `failed`: it could not be fetched or read.
 */
export const ENTRY_STATES = ['left', 'taken', 'duplicate', 'refused', 'failed'] as const
export type EntryState = (typeof ENTRY_STATES)[number]
/** An end of an entry. */
export type EntryEnd = Exclude<EntryState, 'left'>

/** One list or folder on its way in. Times are epoch milliseconds. */
export interface Bulk {
  id: number
  kind: BulkKind
  /** The folder; empty for addresses. */
  place: string
  /** By what the disk of the folder is known again; null: it is none that could be taken away. */
  disk: string | null
  category: string
  state: BulkState
  reason: Reason | null
  /** The entry that is being taken now. */
  current: string | null
  stopAsked: boolean
  /** The number of looks in a row that found something from outside missing. */
  waits: number
  /** All of the folder is listed. */
  listed: boolean
  /** Lines that were in the list before. */
  repeated: number
  /** Links, hidden names and disks mounted below, which are not looked at. */
  leftOut: number
  counts: Readonly<Record<EntryEnd, number>> & { found: number; left: number }
  createdAt: number
  changedAt: number
  endedAt: number | null
}

/** One address, or one file by its path below the folder. */
export interface BulkEntry {
  id: number
  what: string
  state: EntryState
  /** SHA-256 of what was taken, as soon as it is known. */
  hash: string | null
  /** The hash of the document that is here already. */
  duplicateOf: string | null
  reason: Reason | null
  attempts: number
}

export const MOST_ENTRIES = 20_000
export const MOST_ADDRESSES = 2000
/** Finished ones are kept for so many; the oldest goes when another one begins. */
export const MOST_KEPT = 10
/** Begun ones that are not over. */
export const MOST_OPEN = 10

/** The states in which nobody works on it any more. */
export function isOver(state: BulkState): boolean {
  return state === 'stopped' || state === 'done' || state === 'failed'
}

export type BulkAction = 'stop' | 'resume' | 'retry' | 'delete'

/** The orders that its state offers. `retry`: what failed is tried once more. */
export function actionsOf({ state, counts }: Pick<Bulk, 'state' | 'counts'>): BulkAction[] {
  if (!isOver(state)) return state === 'paused' ? ['resume', 'stop'] : ['stop']
  const more: BulkAction[] = state === 'done' ? [] : ['resume']
  return [...more, ...(counts.failed > 0 ? (['retry'] as const) : []), 'delete']
}
