import type { FileHandle } from 'node:fs/promises'

/** The place of a file within an archive. */
export interface TarPlace {
  at: number
  size: number
}

/** The archive cannot be read: `cut` when it ends too early, `odd` for what no plain archive holds, `none` when it is no archive. */
export class TarFault extends Error {
  readonly kind: 'none' | 'cut' | 'odd'
  readonly path: string

  constructor(kind: TarFault['kind'], path = '') {
    super(`tar: ${kind} ${path}`)
    this.kind = kind
    this.path = path
  }
}

const BLOCK = 512
const LONGEST_NAME = 4096
const FILE = new Set(['0', '\0'])
/** A long name before its file: of GNU, and of POSIX.1-2001 (pax). */
const GNU_NAME = 'L'
const PAX = 'x'
/** Facts for the whole archive, which none of ours has use for. */
const PAX_ALL = 'g'
const FOLDER = '5'

/**
 * Finds the plain files of a tar archive (ustar, with long names of GNU or pax) by its headers alone: contents are passed over, so
 * that this costs one small read for each file. Links, devices and a name that stands twice are refused. @throws TarFault
 * @param most files of an archive at most
 */
export async function indexTar(file: FileHandle, most: number): Promise<Map<string, TarPlace>> {
  const { size } = await file.stat()
  const found = new Map<string, TarPlace>()
  let longName: string | null = null
  for (let at = 0; ; ) {
    const header = await blockAt(file, at, { size, first: at === 0 })
    if (header.every((byte) => byte === 0)) return found
    const member = memberOf(header)
    at += BLOCK
    if (at + member.size > size) throw new TarFault('cut', member.path)
    if (member.type === GNU_NAME || member.type === PAX) longName = (await nameIn(file, member, at)) ?? longName
    else if (member.type !== PAX_ALL) {
      add(found, { ...member, path: longName ?? member.path }, at)
      longName = null
    }
    if (found.size > most) throw new TarFault('odd')
    at += Math.ceil(member.size / BLOCK) * BLOCK
  }
}

interface Member {
  path: string
  type: string
  size: number
}

function add(found: Map<string, TarPlace>, { path, type, size }: Member, at: number): void {
  if (type === FOLDER) return
  const name = path.replace(/^(?:\.\/)+/, '')
  // A second one would take the place of the first.
  if (!FILE.has(type) || found.has(name)) throw new TarFault('odd', name)
  found.set(name, { at, size })
}

async function blockAt(file: FileHandle, at: number, { size, first }: { size: number; first: boolean }) {
  if (at + BLOCK > size) throw new TarFault(first ? 'none' : 'cut')
  const { bytesRead, buffer } = await file.read(Buffer.alloc(BLOCK), 0, BLOCK, at)
  if (bytesRead < BLOCK) throw new TarFault('cut')
  return buffer
}

/** Null for records about times and owners alone: what follows keeps its own name. */
async function nameIn(file: FileHandle, { type, size }: Member, at: number): Promise<string | null> {
  if (size > LONGEST_NAME) throw new TarFault('odd')
  const { buffer } = await file.read(Buffer.alloc(size), 0, size, at)
  if (type === GNU_NAME) return textOf(buffer)
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(buffer.toString('utf8'))?.[1] ?? null
}

function memberOf(header: Buffer): Member {
  if (header.toString('latin1', 257, 262) !== 'ustar' || sumOf(header) !== octal(header, 148, 8))
    throw new TarFault('none')
  const prefix = textOf(header.subarray(345, 500))
  const name = textOf(header.subarray(0, 100))
  // GNU keeps other things where POSIX has the prefix.
  const isPosix = header[262] === 0
  return {
    path: isPosix && prefix !== '' ? `${prefix}/${name}` : name,
    type: header.toString('latin1', 156, 157),
    size: octal(header, 124, 12)
  }
}

/** The checksum is taken with blanks in its own place. */
function sumOf(header: Buffer): number {
  let sum = 8 * 32
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

function octal(header: Buffer, at: number, length: number): number {
  const text = textOf(header.subarray(at, at + length)).trim()
  if (!/^[0-7]{1,12}$/.test(text)) throw new TarFault('none')
  return Number.parseInt(text, 8)
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}
