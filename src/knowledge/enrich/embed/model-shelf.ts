import { randomBytes } from 'node:crypto'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { placeFile, syncFolder } from '../../../platform/files/atomic-file.ts'
import { makeBelow } from '../../../platform/files/make-below.ts'
import { namesIn, statOrNull } from '../../../platform/files/names-in.ts'
import { isModelFile, isModelName, MODEL_FILES, type ModelFile } from './model-files.ts'

/** Below the folder of models: no name of a model begins so. */
const PARTS = '.parts'
/** Models whose other file has not come are called so. */
const HALVES = 'halves'
/** Models that were replaced or removed go from here. */
const LEFT = 'left'

/** A model of which one file has come. */
export interface HalfModel {
  name: string
  here: ModelFile[]
}

/** A folder of the owner, as it lies there. */
export interface ShelvedModel {
  name: string
  bytes: number
  /** Changes with each of its files. */
  stamp: string
  missing: ModelFile | null
}

/**
 * The folder of the models of this station's owner. What is brought by the page lies in `.parts/halves/NAME` until both files are
 * there and were tried: **a half with both files is a model that is good**, and takes its place in one step, at the next start if need be.
 */
export class ModelShelf {
  readonly folder: string

  /** `folder`: `models` of the data folder; it need not exist. */
  constructor(folder: string) {
    this.folder = folder
  }

  /** The folder in which bytes under way are kept; on the file system of the models. */
  get partsFolder(): string {
    return join(this.folder, PARTS)
  }

  async list(): Promise<ShelvedModel[]> {
    const found = await Promise.all((await namesIn(this.folder)).filter(isModelName).map((name) => this.get(name)))
    return found.flatMap((one) => one ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Null: there is no such folder. */
  async get(name: string): Promise<ShelvedModel | null> {
    if (!isModelName(name)) return null
    const folder = join(this.folder, name)
    if ((await statOrNull(folder))?.isDirectory() !== true) return null
    const files = await Promise.all(MODEL_FILES.map((file) => statOrNull(join(folder, file))))
    return {
      name,
      bytes: files.reduce((sum, file) => sum + (file?.size ?? 0), 0),
      stamp: files.map((file) => (file === null ? '-' : `${file.ino} ${file.size} ${file.mtimeMs}`)).join(' '),
      missing: MODEL_FILES.find((_, at) => files[at]?.isFile() !== true) ?? null
    }
  }

  path(name: string, file: ModelFile): string {
    return join(this.folder, name, file)
  }

  async halves(): Promise<HalfModel[]> {
    const names = (await namesIn(this.#halves)).filter(isModelName).sort()
    return Promise.all(names.map(async (name) => ({ name, here: await this.#filesOf(name) })))
  }

  /** Null: it has not come. */
  async halfFile(name: string, file: ModelFile): Promise<string | null> {
    const path = join(this.#halves, name, file)
    return (await statOrNull(path)) === null ? null : path
  }

  /** One file of a model has come; with the other one there, both were tried together. */
  async keepHalf(name: string, file: ModelFile, part: string): Promise<void> {
    const folder = join(this.#halves, name)
    await makeBelow(dirname(this.folder), folder)
    await placeFile(part, join(folder, file))
  }

  dropHalf(name: string): Promise<void> {
    return rm(join(this.#halves, name), { recursive: true, force: true })
  }

  /** Gives a half with both files its place; a model of this name goes. A kill in between is mended by `mend`. */
  async place(name: string): Promise<void> {
    await this.#putAside(name)
    await rename(join(this.#halves, name), join(this.folder, name))
    await this.#sync(this.#halves)
    await this.#empty()
  }

  async remove(name: string): Promise<void> {
    await this.#putAside(name)
    await this.#sync(this.folder)
    await this.#empty()
  }

  /**
   * Ends what a kill cut off: a model that is whole takes its place, what was replaced goes, and halves that nobody has touched since.
   * Answers the names of those that took their place.
   */
  async mend(olderThan: number): Promise<string[]> {
    const placed: string[] = []
    for (const { name, here } of await this.halves()) {
      if (here.length === MODEL_FILES.length) {
        await this.place(name)
        placed.push(name)
      } else if ((await stat(join(this.#halves, name))).mtimeMs < olderThan) await this.dropHalf(name)
    }
    await this.#empty()
    return placed
  }

  get #halves(): string {
    return join(this.partsFolder, HALVES)
  }

  async #filesOf(name: string): Promise<ModelFile[]> {
    return (await namesIn(join(this.#halves, name))).filter(isModelFile)
  }

  async #putAside(name: string): Promise<void> {
    if ((await statOrNull(join(this.folder, name))) === null) return
    const left = join(this.partsFolder, LEFT)
    await makeBelow(dirname(this.folder), left)
    await rename(join(this.folder, name), join(left, randomBytes(8).toString('hex')))
  }

  async #sync(from: string): Promise<void> {
    await syncFolder(this.folder)
    await syncFolder(from)
  }

  #empty(): Promise<void> {
    return rm(join(this.partsFolder, LEFT), { recursive: true, force: true })
  }
}
