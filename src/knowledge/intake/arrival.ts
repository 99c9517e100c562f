import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder, writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { makeBelow } from '../../platform/files/make-below.ts'
import type { IntakeFolder } from '../catalogue/status.ts'
import type { NewUpload } from '../catalogue/uploads.ts'
import type { Part } from './parts.ts'
import type { IntakeType } from './upload-type.ts'

/** The facts that travel beside a file; unknown keys of others are kept. */
export interface Sidecar extends Record<string, unknown> {
  original_filename: string
  category: string
  title: string
  source: string
  source_type: string
  /** RFC 3339. */
  uploaded_at: string
}

/** The intake folder by which a type comes in (contract §8). */
export function intakeFolderOf(type: IntakeType): IntakeFolder {
  if (type === '.txt') return 'text'
  return type === '.vtt' || type === '.srt' ? 'transcript' : 'pdf'
}

/**
 * Puts a file into its intake folder as `<hash>.<ext>` with `<hash>.meta.json`: both were written elsewhere on the same file
 * system and fsynced; the content comes last, its arrival is the commit mark (contract §8).
 */
export async function arrive(part: Part, type: IntakeType, sidecar: Sidecar, acquired: string): Promise<string> {
  const folder = join(acquired, intakeFolderOf(type))
  await makeBelow(dirname(acquired), folder)
  await writeFileAtomic(join(folder, `${part.hash}.meta.json`), `${JSON.stringify(sidecar, null, 2)}\n`)
  const path = join(folder, `${part.hash}${type}`)
  await rename(part.path, path)
  await syncFolder(folder)
  if (dirname(part.path) !== folder) await syncFolder(dirname(part.path))
  return path
}

/** The record of a file that lies in its intake folder. */
export function uploadOf(part: Pick<Part, 'hash' | 'size'>, extension: string, sidecar: Sidecar): NewUpload {
  return {
    hash: part.hash,
    filename: sidecar.original_filename,
    extension,
    size: part.size,
    category: sidecar.category,
    title: sidecar.title,
    source: sidecar.source,
    source_type: sidecar.source_type,
    sidecar
  }
}
