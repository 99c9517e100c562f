/**
 * Code points for which a TrueType font has a glyph, read from its `cmap` table (OpenType specification, formats 4 and 12).
 * The font is one of the program's own files.
 */
export function codePointsOf(font: Buffer): ReadonlySet<number> {
  const found = new Set<number>()
  const cmap = tableAt(font, 'cmap')
  const count = font.readUInt16BE(cmap + 2)
  for (let index = 0; index < count; index++) {
    const at = cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4)
    const format = font.readUInt16BE(at)
    if (format === 4) addSegments(font, at, found)
    if (format === 12) addGroups(font, at, found)
  }
  return found
}

function tableAt(font: Buffer, tag: string): number {
  const tables = font.readUInt16BE(4)
  for (let index = 0; index < tables; index++) {
    const at = 12 + index * 16
    if (font.toString('latin1', at, at + 4) === tag) return font.readUInt32BE(at + 8)
  }
  throw new Error(`the font has no ${tag} table`)
}

/** Format 4: segments of the basic plane. */
function addSegments(font: Buffer, at: number, found: Set<number>): void {
  const half = font.readUInt16BE(at + 6)
  const ends = at + 14
  const starts = ends + half + 2
  const deltas = starts + half
  const ranges = deltas + half
  for (let offset = 0; offset < half; offset += 2) {
    const start = font.readUInt16BE(starts + offset)
    const end = font.readUInt16BE(ends + offset)
    const delta = font.readUInt16BE(deltas + offset)
    const range = font.readUInt16BE(ranges + offset)
    for (let code = start; code <= end && code < 0xffff; code++) {
      const glyph = range === 0 ? code + delta : font.readUInt16BE(ranges + offset + range + (code - start) * 2)
      if ((glyph & 0xffff) !== 0) found.add(code)
    }
  }
}

/** Format 12: groups of any plane. */
function addGroups(font: Buffer, at: number, found: Set<number>): void {
  const groups = font.readUInt32BE(at + 12)
  for (let index = 0; index < groups; index++) {
    const group = at + 16 + index * 12
    const end = font.readUInt32BE(group + 4)
    for (let code = font.readUInt32BE(group); code <= end; code++) found.add(code)
  }
}
