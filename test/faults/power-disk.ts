import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MoveStep, NameStep, Step } from './power-recording.ts'

/** Two promises of a disk: names reach it in any order (POSIX), or in theirs, as with a journal. */
export const MODELS = ['any-order', 'journal'] as const
/** How much of what was never synced has reached it. */
export const KEEPS = ['nothing', 'all', 'prefix', 'sectors', 'torn'] as const

export interface Draw {
  model: (typeof MODELS)[number]
  data: (typeof KEEPS)[number]
  names: 'nothing' | 'all' | 'prefix' | 'some'
  random: () => number
}

const SECTOR = 512

type Change = { at: number; data: Buffer } | { to: number }

/** Bytes that grow and shrink in place. */
class Content {
  #bytes: Buffer
  size: number

  constructor(start: Buffer, room: number) {
    this.#bytes = Buffer.alloc(Math.max(start.length, room))
    start.copy(this.#bytes)
    this.size = start.length
  }

  do(change: Change): void {
    if ('data' in change) {
      change.data.copy(this.#bytes, change.at)
      this.size = Math.max(this.size, change.at + change.data.length)
    } else {
      this.#bytes.fill(0, change.to)
      this.size = change.to
    }
  }

  sector(index: number): Buffer {
    const part = Buffer.alloc(SECTOR)
    this.#bytes.copy(part, 0, index * SECTOR)
    return part
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.size)
  }
}

const endOf = (change: Change): number => ('to' in change ? change.to : change.at + change.data.length)

/** A file: what is surely on the disk, and what was done since its last sync. */
class File {
  #durable: Buffer
  readonly #pending: Change[] = []

  constructor(content: Buffer) {
    this.#durable = content
  }

  change(change: Change): void {
    this.#pending.push(change)
  }

  sync(): void {
    if (this.#pending.length > 0) this.#durable = this.#with(this.#pending)
    this.#pending.length = 0
  }

  /** The content after a power cut: each sector in one of the states that it had since the last sync. */
  after({ data, random }: Draw): Buffer {
    const all = this.#pending.length
    if (data === 'nothing' || all === 0) return this.#durable
    if (data === 'all') return this.#with(this.#pending)
    if (data === 'prefix') return this.#with(this.#pending.slice(0, Math.floor(random() * (all + 1))))
    return this.#sectors(data === 'torn', random)
  }

  #begin(): Content {
    return new Content(this.#durable, Math.max(0, ...this.#pending.map(endOf)))
  }

  #with(changes: readonly Change[]): Buffer {
    const content = this.#begin()
    for (const change of changes) content.do(change)
    return content.bytes
  }

  #sectors(torn: boolean, random: () => number): Buffer {
    const versions = new Map<number, Buffer[]>()
    const content = this.#begin()
    const result = this.#begin()
    const sizes = [content.size]
    for (const change of this.#pending) {
      const before = content.size
      const from = 'to' in change ? Math.min(change.to, before) : Math.min(change.at, before)
      const end = Math.max(endOf(change), 'to' in change ? before : 0)
      const touched = Array.from(
        { length: Math.ceil(end / SECTOR) - Math.floor(from / SECTOR) },
        (_, n) => n + Math.floor(from / SECTOR)
      )
      for (const sector of touched) if (!versions.has(sector)) versions.set(sector, [content.sector(sector)])
      content.do(change)
      for (const sector of touched) versions.get(sector)?.push(content.sector(sector))
      sizes.push(content.size)
    }
    const size = sizes[Math.floor(random() * sizes.length)] ?? content.size
    for (const [sector, list] of versions) result.do({ at: sector * SECTOR, data: pick(list, torn, random) })
    result.do({ to: size })
    return result.bytes
  }
}

/** One state that the sector was in, or, torn, the beginning of one and the end of that before. */
function pick(list: readonly Buffer[], torn: boolean, random: () => number): Buffer {
  const newest = random() < 0.4
  const index = newest ? list.length - 1 : Math.floor(random() * list.length)
  const [before, chosen] = [list[index - 1], list[index]]
  if (chosen === undefined) throw new Error('a sector without a state')
  if (!torn || before === undefined || random() < 0.7) return chosen
  const cut = Math.floor(random() * SECTOR)
  return Buffer.concat([chosen.subarray(0, cut), before.subarray(cut)])
}

type Folder = { kind: 'folder'; names: Map<string, Node> }
type Node = Folder | { kind: 'file'; file: File }

/** A change of names: of one folder, or of two at once. `synced`: the folder was, since. */
interface NamesChange {
  folder: Node
  sets: { folder: Folder; name: string; node: Node | null }[]
  order: number
  synced: boolean
}

const newFolder = (): Folder => ({ kind: 'folder', names: new Map() })

/**
 * The disk below a program that was recorded: knows of every byte and every name whether it must have outlived a loss of power
 * at this moment, and builds folders as one could find them then.
 */
export class PowerDisk {
  readonly #root = newFolder()
  readonly #first = newFolder()
  readonly #nodes = new Map<number, Node>()
  readonly #steps: NamesChange[] = []
  #order = 0
  /** Of the journal: everything before was written with the last sync of anything. */
  #journaled = 0

  /** `start`: a copy of the folder as it is before the recording begins; files only. */
  constructor(start: string) {
    for (const name of readdirSync(start)) {
      const node: Node = { kind: 'file', file: new File(readFileSync(join(start, name))) }
      this.#root.names.set(name, node)
      this.#first.names.set(name, node)
    }
  }

  take(step: Step): void {
    this.#order++
    if (step.op === 'mark') return
    if (step.op === 'write') this.#file(step)?.change({ at: step.at, data: step.data })
    else if (step.op === 'cut') this.#file(step)?.change({ to: step.size })
    else if (step.op === 'sync') this.#sync(step)
    else if ('to' in step) this.#move(step)
    else this.#name(step)
  }

  #file({ inode }: { inode: number }): File | null {
    const node = this.#nodes.get(inode)
    return node?.kind === 'file' ? node.file : null
  }

  #sync({ inode, path }: { inode: number; path: string }): void {
    this.#journaled = this.#order
    const node = path === '' ? this.#root : this.#nodes.get(inode)
    if (node?.kind === 'file') node.file.sync()
    for (const step of this.#steps) if (step.folder === node) step.synced = true
  }

  #name(step: NameStep): void {
    const place = this.#place(step.path)
    if (place === null) return
    const made: Node = step.op === 'mkdir' ? newFolder() : { kind: 'file', file: new File(Buffer.alloc(0)) }
    const node = step.op === 'unlink' ? null : made
    if (node !== null) this.#nodes.set(step.inode, node)
    this.#change(place.folder, [{ ...place, node }])
  }

  /** A rename is one: no journal keeps half of it. */
  #move({ op, path, to }: MoveStep): void {
    const [from, target] = [this.#place(path), this.#place(to)]
    const node = from?.folder.names.get(from.name)
    if (target === null || from === null) return
    const sets = [{ ...target, node: node ?? null }]
    if (op === 'rename') sets.unshift({ ...from, node: null })
    this.#change(target.folder, sets)
  }

  #change(folder: Folder, sets: NamesChange['sets']): void {
    for (const { folder: of, name, node } of sets) {
      if (node === null) of.names.delete(name)
      else of.names.set(name, node)
    }
    this.#steps.push({ folder, sets, order: this.#order, synced: false })
  }

  #place(path: string): { folder: Folder; name: string } | null {
    const parts = path.split('/')
    const name = parts.pop() ?? ''
    let folder: Node | undefined = this.#root
    for (const part of parts) folder = folder?.kind === 'folder' ? folder.names.get(part) : undefined
    return folder?.kind === 'folder' ? { folder, name } : null
  }

  /** Writes one folder as it may be found after a loss of power now. */
  build(into: string, draw: Draw): void {
    const names = new Map<Folder, Map<string, Node>>([[this.#root, new Map(this.#first.names)]])
    for (const step of this.#kept(draw)) {
      for (const { folder, name, node } of step.sets) {
        const of = names.get(folder) ?? new Map<string, Node>()
        names.set(folder, of)
        if (node === null) of.delete(name)
        else of.set(name, node)
      }
    }
    const write = (folder: Folder, path: string): void => {
      mkdirSync(path, { recursive: true })
      for (const [name, node] of names.get(folder) ?? []) {
        if (node.kind === 'folder') write(node, join(path, name))
        // The index of a log is made anew by whoever opens it first.
        else if (!name.endsWith('-shm')) writeFileSync(join(path, name), node.file.after(draw), { mode: 0o600 })
      }
    }
    write(this.#root, into)
  }

  #kept({ model, names, random }: Draw): NamesChange[] {
    const sure = (step: NamesChange): boolean => (model === 'journal' ? step.order <= this.#journaled : step.synced)
    const open = this.#steps.filter((step) => !sure(step))
    const end = names === 'all' ? open.length : names === 'nothing' ? 0 : Math.floor(random() * (open.length + 1))
    const lucky = (index: number): boolean => (names === 'some' && model === 'any-order' ? random() < 0.5 : index < end)
    const chosen = new Set(open.filter((_, index) => lucky(index)))
    return this.#steps.filter((step) => sure(step) || chosen.has(step))
  }
}
