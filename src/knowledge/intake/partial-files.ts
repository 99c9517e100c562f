import { open, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { because, isReason, type Reason } from '../../model/reason.ts'
import type { ErrorCode } from '../../platform/errors.ts'
import { errorCode, writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import { namesIn } from '../../platform/files/names-in.ts'
import { hashFile, removeFile } from './parts.ts'
import type { Existing, UploadFacts } from './receive.ts'

/** The end of an upload once all its bytes were there. */
export type Outcome =
  | { hash: string; code: null }
  | { hash: null; code: ErrorCode; reason: Reason; existing: Existing | null }

/** The note beside the bytes of a resumable upload. */
export interface PartialNote {
  length: number
  facts: UploadFacts
  changedAt: number
  /** Written before the bytes are handed over: with it, bytes that are gone have arrived. */
  hash: string | null
  outcome: Outcome | null
}

/** Only this program writes notes; one that a crash cut short is no note. */
const noteSchema = v.looseObject({
  length: v.number(),
  changedAt: v.number(),
  facts: v.looseObject({ filename: v.string() }),
  hash: v.nullable(v.string()),
  outcome: v.nullable(v.looseObject({ hash: v.nullable(v.string()) }))
})
const ID = /^[0-9a-f]{32}$/

/** Resumable uploads on the disk: `<id>.bytes` and `<id>.json` in one folder. */
export class PartialFiles {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** A new upload without a byte. */
  async begin(id: string, note: PartialNote): Promise<void> {
    // Below the folder of parts.
    await makeBelow(dirname(dirname(dirname(this.folder))), this.folder)
    await this.write(id, note)
    await (await open(this.bytes(id), 'wx')).close()
  }

  bytes(id: string): string {
    return join(this.folder, `${id}.bytes`)
  }

  /** Null: the bytes are not there. */
  async size(id: string): Promise<number | null> {
    try {
      return (await stat(this.bytes(id))).size
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    }
  }

  hash(id: string): Promise<string> {
    return hashFile(this.bytes(id))
  }

  async note(id: string): Promise<PartialNote | null> {
    if (!ID.test(id)) return null
    try {
      const value: unknown = JSON.parse(await readFile(this.#noteFile(id), 'utf8'))
      return v.is(noteSchema, value) ? withReason(value as unknown as PartialNote) : null
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null
      throw error
    }
  }

  write(id: string, note: PartialNote): Promise<void> {
    return writeFileAtomic(this.#noteFile(id), JSON.stringify(note))
  }

  async update(id: string, changes: Partial<PartialNote>): Promise<void> {
    const note = await this.note(id)
    if (note !== null) await this.write(id, { ...note, ...changes })
  }

  dropBytes(id: string): Promise<void> {
    return removeFile(this.bytes(id))
  }

  async forget(id: string): Promise<void> {
    await this.dropBytes(id)
    await removeFile(this.#noteFile(id))
  }

  /** Every upload there is a trace of. */
  async ids(): Promise<string[]> {
    const stems = (await namesIn(this.folder)).map((name) => name.split('.')[0] ?? '')
    return [...new Set(stems)].filter((stem) => ID.test(stem))
  }

  /** The number of uploads that keep bytes on the disk. */
  async countOpen(): Promise<number> {
    return (await namesIn(this.folder)).filter((name) => name.endsWith('.bytes')).length
  }

  #noteFile(id: string): string {
    return join(this.folder, `${id}.json`)
  }
}

/** A note of an older version tells the refusal in a sentence. */
function withReason(note: PartialNote): PartialNote {
  const { outcome } = note
  if (outcome === null || outcome.code === null || isReason(outcome.reason)) return note
  const text = 'message' in outcome ? String(outcome.message) : ''
  return { ...note, outcome: { ...outcome, reason: because('note', { text }) } }
}
