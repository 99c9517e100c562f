import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { extname, join } from 'node:path'
import { codePointsOf } from './font-coverage.ts'
import type { OtherFont } from './text-painter.ts'

/** Where Linux keeps fonts for all of its users. */
const FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts']
const ENDINGS: ReadonlySet<string> = new Set(['.ttf', '.otf', '.ttc', '.otc'])
/** A board with more has been given to somebody who sets type. */
const MOST_FILES = 3000
/** Each is kept whole in memory while it is used. */
const MOST_USED = 3
/** Of one table that is read to choose a font; the largest map of characters has less than one. Bytes. */
const LARGEST_TABLE = 8 * 2 ** 20
/** Where two have the same characters, the plain one is taken. */
const ODD = /bold|black|heavy|light|thin|medium|italic|oblique|serif|mincho|mono|condensed/i

/** Fonts of this machine that have these characters between them, as far as any has; the one that has the most first. */
export function boardFontsFor(wanted: ReadonlySet<number>, folders: readonly string[] = FOLDERS): OtherFont[] {
  const missing = new Set(wanted)
  const chosen: OtherFont[] = []
  if (missing.size === 0) return chosen
  const known = folders
    .flatMap(fontFiles)
    .slice(0, MOST_FILES)
    .sort((a, b) => Number(ODD.test(a)) - Number(ODD.test(b)) || (a < b ? -1 : 1))
    .flatMap((path) => fontOf(path, wanted) ?? [])
  while (missing.size > 0 && chosen.length < MOST_USED) {
    const counts = known.map(({ coverage }) => [...missing].filter((code) => coverage.has(code)).length)
    const most = Math.max(0, ...counts)
    const best = known[counts.indexOf(most)]
    if (most === 0 || best === undefined) break
    chosen.push(best)
    for (const code of best.coverage) missing.delete(code)
  }
  return chosen
}

function fontFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && ENDINGS.has(extname(entry.name).toLowerCase()))
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    // Most boards have one of the two, some have none.
    return []
  }
}

/** Null for what is no font of outlines that can be embedded, and for one that has none of these characters. */
function fontOf(path: string, wanted: ReadonlySet<number>): OtherFont | null {
  try {
    const file = openSync(path, 'r')
    try {
      const { tables, postscriptName } = readHead(file)
      const map = tables.get('cmap')
      if (map === undefined || !(tables.has('glyf') || tables.has('CFF '))) return null
      const all = codePointsOf(alone('cmap', readTable(file, map)))
      const coverage = new Set([...wanted].filter((code) => all.has(code)))
      return coverage.size === 0 ? null : { path, postscriptName, coverage }
    } finally {
      closeSync(file)
    }
  } catch {
    // A file that is damaged, or not to be read: another font, or the numbers, stand for it.
    return null
  }
}

interface Place {
  at: number
  length: number
}

interface Head {
  tables: Map<string, Place>
  /** Of a file of several fonts, that of the first. */
  postscriptName: string | null
}

/** The directory of the first font in the file (OpenType specification, *Font file*, *TTC header*). */
function readHead(file: number): Head {
  const begin = readTable(file, { at: 0, length: 16 })
  const isCollection = begin.toString('latin1', 0, 4) === 'ttcf'
  const start = isCollection ? begin.readUInt32BE(12) : 0
  const count = readTable(file, { at: start + 4, length: 2 }).readUInt16BE(0)
  const rows = readTable(file, { at: start + 12, length: count * 16 })
  const tables = new Map<string, Place>()
  for (let row = 0; row < rows.length; row += 16)
    tables.set(rows.toString('latin1', row, row + 4), {
      at: rows.readUInt32BE(row + 8),
      length: rows.readUInt32BE(row + 12)
    })
  const names = tables.get('name')
  return { tables, postscriptName: isCollection && names ? postscriptNameOf(readTable(file, names)) : null }
}

function readTable(file: number, { at, length }: Place): Buffer {
  if (length > LARGEST_TABLE) throw new RangeError('a table of a font that is too large')
  const bytes = Buffer.alloc(length)
  if (readSync(file, bytes, 0, length, at) < length) throw new RangeError('a font that ends too early')
  return bytes
}

/** A font of this one table, as `codePointsOf` reads fonts. */
function alone(tag: string, table: Buffer): Buffer {
  const head = Buffer.alloc(28)
  head.writeUInt16BE(1, 4)
  head.write(tag, 12, 'latin1')
  head.writeUInt32BE(head.length, 20)
  return Buffer.concat([head, table])
}

/** Name 6 in UTF-16, as Windows reads it (OpenType specification, *name*). */
function postscriptNameOf(names: Buffer): string | null {
  const count = names.readUInt16BE(2)
  const texts = names.readUInt16BE(4)
  for (let row = 6; row < 6 + count * 12; row += 12) {
    if (names.readUInt16BE(row) !== 3 || names.readUInt16BE(row + 6) !== 6) continue
    const at = texts + names.readUInt16BE(row + 10)
    return Buffer.from(names.subarray(at, at + names.readUInt16BE(row + 8)))
      .swap16()
      .toString('utf16le')
  }
  return null
}
