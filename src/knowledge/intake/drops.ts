import { lstat, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { errorCode } from '../../platform/files/atomic-file.ts'
import { namesIn } from '../../platform/files/names-in.ts'
import { INTAKE_FOLDERS, type IntakeFolder } from '../catalogue/status.ts'
import type { UploadFacts } from './receive.ts'

/** A file must not have changed for this long before it is believed to be whole (contract §8). */
export const STILL_MS = 10_000
const SIDECAR = '.meta.json'
/** Nobody writes longer ones by hand. */
const MAX_SIDECAR_BYTES = 256 * 1024

/** A content file that lies in an intake folder. */
export interface Drop {
  place: IntakeFolder
  name: string
  path: string
  size: number
  /** The last change of it, or of its sidecar: size, times or name. Epoch milliseconds. */
  changedAt: number
  /** The hash its name claims, of a file that was put here by this program; null of others. */
  namedHash: string | null
  /** Null: there is none. */
  sidecarPath: string | null
}

/** Every content file in the intake folders, by name. Hidden files, folders and links are left alone. */
export async function listDrops(acquired: string): Promise<Drop[]> {
  const drops: Drop[] = []
  for (const place of INTAKE_FOLDERS) {
    const names = (await namesIn(join(acquired, place))).sort()
    const sidecars = new Set(names.filter((name) => name.endsWith(SIDECAR)))
    for (const name of names) {
      if (name.startsWith('.') || sidecars.has(name)) continue
      const drop = await readDrop(join(acquired, place), { place, name, sidecars })
      if (drop !== null) drops.push(drop)
    }
  }
  return drops
}

async function readDrop(
  folder: string,
  { place, name, sidecars }: { place: IntakeFolder; name: string; sidecars: ReadonlySet<string> }
): Promise<Drop | null> {
  const path = join(folder, name)
  const found = await lookAt(path)
  if (found === null) return null
  const stem = parse(name).name
  const sidecar = `${stem}${SIDECAR}`
  const sidecarPath = sidecars.has(sidecar) ? join(folder, sidecar) : null
  const beside = sidecarPath === null ? null : await lookAt(sidecarPath)
  const changedAt = Math.max(found.changedAt, beside?.changedAt ?? 0)
  const namedHash = /^[0-9a-f]{64}$/.test(stem) ? stem : null
  return { place, name, path, size: found.size, changedAt, namedHash, sidecarPath }
}

/** Null when it is gone or is no plain file. The time of change of the inode moves with every write, and cannot be set back. */
async function lookAt(path: string): Promise<{ size: number; changedAt: number } | null> {
  try {
    const found = await lstat(path)
    return found.isFile() ? { size: found.size, changedAt: Math.max(found.ctimeMs, found.mtimeMs) } : null
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** The facts of a dropped file: by its sidecar where there is a good one, else by its name. */
export async function factsOf(drop: Drop): Promise<UploadFacts> {
  const sidecar = drop.sidecarPath === null ? {} : await readSidecar(drop.sidecarPath)
  const { original_filename, category, title, source, source_type, uploaded_at, ...more } = sidecar
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
  const sourceType = text(source_type)
  const uploadedAt = text(uploaded_at)
  return {
    filename: text(original_filename) ?? drop.name,
    category: text(category) ?? '',
    title: text(title) ?? '',
    source: text(source) ?? 'folder',
    ...(sourceType === undefined ? {} : { sourceType }),
    ...(uploadedAt === undefined ? {} : { uploadedAt }),
    more
  }
}

async function readSidecar(path: string): Promise<Record<string, unknown>> {
  try {
    const text = await readFile(path, 'utf8')
    if (text.length > MAX_SIDECAR_BYTES) return {}
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return {}
    throw error
  }
}
