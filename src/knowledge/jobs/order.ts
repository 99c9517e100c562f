/**
 * The order in which jobs of a kind have their turn, as SQL over rows of `jobs`: by the time since which they are due, the large ones as
 * if they had come later by the time their bytes take. So a small file overtakes a large one that came shortly before it, and a
 * large one that has waited its time is overtaken by nobody.
 */

/** About what a slow board works through. */
const BYTES_PER_MS = 100
const MOST_BEHIND_MS = 30 * 60_000
/** A job beside which the worker ended lets the others go first, by so much. */
const SUSPECT_MS = 10 * 60_000

/** It has to be written in the same way wherever the index `jobs_turn` is to be used. */
export const TURN = `(due_at + min(${MOST_BEHIND_MS}, coalesce(weight, 0) / ${BYTES_PER_MS}) + deaths * ${SUSPECT_MS})`

/** A job of which the worker ended this often, while it ran, runs alone and last. */
export const LONE_AFTER = 2
/** It ran alone, and the worker ended again: it is given up. */
export const GIVEN_UP_AFTER = 3

/** Bytes of what is small: it is let in beside what takes long. */
export const SMALL_BYTES = 2 ** 20
/** Bytes of what is large: it never takes all places of a pool. */
export const LARGE_BYTES = 4 * 2 ** 20
/** About the bytes of text of a page; a PDF of a thousand pages may be small as a file. */
const PAGE_BYTES = 3000

/** The weight of a document in the order of its jobs. */
export function weightOf({ sizeBytes, pageCount }: { sizeBytes: number; pageCount: number }): number {
  return Math.max(sizeBytes, pageCount * PAGE_BYTES)
}
