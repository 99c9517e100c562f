import { readdir, readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { parseWith } from '../config/issues.ts'
import { looseObject } from '../config/object.ts'
import { AppError, errorText } from '../errors.ts'
import { errorCode, writeFileAtomic } from '../files/atomic-file.ts'
import type { Span } from './copy.ts'

export const MANIFEST = 'manifest.json'
export const OBJECTS = 'objects'
const VERSION = 1
/** As names of folders sort, so do the moments. The digit tells two of one second apart. */
export const STAMP = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-\d+)?$/
/** Whoever may read a backup can read passwords. */
const FOLDER_MODE = 0o700

const size = v.pipe(v.number(), v.integer(), v.minValue(0))
const path = v.pipe(v.string(), v.check(isInside, 'a path stays inside the data folder'))

const fileSchema = looseObject({
  path,
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a hash is 64 hex digits')),
  size,
  mode: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0o777)),
  modified_ms: v.number(),
  stored: v.picklist(['stamp', 'objects'])
})
const manifestSchema = looseObject({
  version: v.literal(VERSION, 'this backup was made by another version of Lookout, which can read it'),
  made_by: v.string(),
  made_at: v.string(),
  files: v.array(fileSchema),
  left_out: v.array(looseObject({ path: v.string(), reason: v.string() }))
})

/** One file of the data folder. `stored`: by its path in the stamp's folder, or by its hash in `objects/`. */
export type BackedFile = v.InferOutput<typeof fileSchema>
export type Manifest = v.InferOutput<typeof manifestSchema>
export type LeftOut = Manifest['left_out'][number]

/** A path of a manifest never leads anywhere else: a backup may come from a stranger. */
export function isInside(value: string): boolean {
  if (value === '' || isAbsolute(value) || /[\\\0]/.test(value)) return false
  return value.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** Backups to restore from: a folder of them, or one in a file. */
export interface BackupSource {
  readonly path: string
  stamps: () => Promise<{ complete: string[] }>
  /** @throws AppError `bad-input` when it cannot be understood. */
  manifest: (stamp: string) => Promise<Manifest>
  /** The place where the bytes of a file lie; null when there are none. */
  placeOf: (stamp: string, file: Pick<BackedFile, 'path' | 'hash' | 'stored'>) => string | Span | null
}

/** @throws AppError `bad-input`. @param file where the text is from, for the refusal */
export function manifestOf(text: string, file: string): Manifest {
  try {
    return parseWith(manifestSchema, JSON.parse(text), 'the manifest')
  } catch (error) {
    const places = error instanceof AppError ? error.issues.map(({ path, message }) => `${path}: ${message}`) : []
    throw new AppError('bad-input', because('manifest_unreadable', { file, said: places[0] ?? errorText(error) }), {
      cause: error
    })
  }
}

/** The folder that backups are kept in: `<stamp>/` each, and the contents they share in `objects/`. */
export class BackupFolder implements BackupSource {
  readonly path: string

  constructor(folder: string) {
    this.path = folder
  }

  get objects(): string {
    return join(this.path, OBJECTS)
  }

  stampFolder(stamp: string): string {
    return join(this.path, stamp)
  }

  /** The place where the bytes of a file lie. */
  placeOf(stamp: string, file: Pick<BackedFile, 'path' | 'hash' | 'stored'>): string {
    return file.stored === 'objects' ? join(this.objects, file.hash) : join(this.stampFolder(stamp), file.path)
  }

  /** A name no backup has yet, after all those that are there. */
  async freeStamp(now: number): Promise<string> {
    const stamp = `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
    const taken = new Set((await this.#names()).filter((name) => name.startsWith(stamp)))
    for (let count = 2, name = stamp; ; name = `${stamp}-${count++}`) if (!taken.has(name)) return name
  }

  /** Oldest first. A stamp is complete when its manifest is there; the others were cut off. */
  async stamps(): Promise<{ complete: string[]; cutOff: string[] }> {
    const found: { complete: string[]; cutOff: string[] } = { complete: [], cutOff: [] }
    for (const name of (await this.#names()).filter((name) => STAMP.test(name)).sort()) {
      const names = await readdir(this.stampFolder(name))
      found[names.includes(MANIFEST) ? 'complete' : 'cutOff'].push(name)
    }
    return found
  }

  /** @throws AppError `bad-input` when it cannot be understood. */
  async manifest(stamp: string): Promise<Manifest> {
    const file = join(this.stampFolder(stamp), MANIFEST)
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === '') throw error
      throw new AppError('bad-input', because('manifest_unreadable', { file, said: errorText(error) }), {
        cause: error
      })
    })
    return manifestOf(text, file)
  }

  /** Completes a stamp. */
  async complete(stamp: string, manifest: Omit<Manifest, 'version'>): Promise<void> {
    const text = `${JSON.stringify({ version: VERSION, ...manifest }, null, 1)}\n`
    await writeFileAtomic(join(this.stampFolder(stamp), MANIFEST), text, { mode: 0o600 })
  }

  manifestPath(stamp: string): string {
    return join(this.stampFolder(stamp), MANIFEST)
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.path)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    }
  }
}

export { FOLDER_MODE }
