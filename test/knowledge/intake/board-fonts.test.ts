import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { writePaper } from '../../../src/dashboard/paper/paper-role.ts'
import { boardFontsFor } from '../../../src/knowledge/intake/convert/board-fonts.ts'
import { needsProgram } from '../../helpers/convert-tools.ts'
import { textOfPdf } from '../../helpers/paper.ts'

/** Fonts of the board for what ours lack. A font with signs of mathematics stands for one with Japanese, of which no test can have a copy. */

const font = (name: string): string => createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}`)
const MATHS = font('DejaVuMathTeXGyre.ttf')
/** In that font, and not in DejaVu Sans. */
const SIGN = '\u{1d7f6}'
const code = SIGN.codePointAt(0) ?? 0

/** A file of several fonts, of which this is the first (OpenType specification, *TTC header*). */
function collection(ttf: Buffer): Buffer {
  const head = Buffer.alloc(16)
  head.write('ttcf', 0, 'latin1')
  head.writeUInt32BE(0x10000, 4)
  head.writeUInt32BE(1, 8)
  head.writeUInt32BE(16, 12)
  const moved = Buffer.from(ttf)
  for (let row = 12; row < 12 + moved.readUInt16BE(4) * 16; row += 16)
    moved.writeUInt32BE(moved.readUInt32BE(row + 8) + head.length, row + 8)
  return Buffer.concat([head, moved])
}

t.test('a font of the board is taken for a character that ours lack, also of a file of several', async (t) => {
  const single = t.testdir()
  mkdirSync(join(single, 'truetype'))
  copyFileSync(MATHS, join(single, 'truetype', 'maths.ttf'))
  t.match(boardFontsFor(new Set([code]), [single]), [
    { path: join(single, 'truetype', 'maths.ttf'), postscriptName: null, coverage: new Set([code]) }
  ])
  const several = t.testdir({ 'maths.ttc': collection(readFileSync(MATHS)) })
  t.match(boardFontsFor(new Set([code]), [several]), [{ postscriptName: 'DejaVuMathTeXGyre-Regular' }])
})

t.test('none is taken that has nothing of it, is damaged or is not there', async (t) => {
  const folder = t.testdir({ 'broken.ttf': 'no font', 'short.ttf': readFileSync(MATHS).subarray(0, 400) })
  copyFileSync(font('DejaVuSans.ttf'), join(folder, 'own.ttf'))
  t.same(boardFontsFor(new Set([code]), [folder, join(folder, 'nowhere')]), [])
  t.same(boardFontsFor(new Set(), [folder]), [])
})

const sheet = {
  html: `<table><tr><th>Text</th></tr><tr><td><b>a${SIGN}b</b> \u6d25</td></tr></table>`,
  ...{ title: 'Log', head: 'Ridge', size: 'A4' as const },
  words: { page: '{page} of {pages}', unknown: 'none has {count}' }
}

async function pdfWith(folders: readonly string[]): Promise<string> {
  const out = new PassThrough()
  const bytes = buffer(out)
  await writePaper(sheet, out, folders)
  return textOfPdf(await bytes, '-raw')
}

t.test('on paper it is set in that font, the rest is numbered and said; copied, all of it is itself', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const folder = t.testdir({ 'maths.ttc': collection(readFileSync(MATHS)) })
  const [with_, without] = [await pdfWith([folder]), await pdfWith([])]
  t.match(with_, /none has 1\b/)
  t.match(without, /none has 2\b/)
  for (const text of [with_, without]) t.match(text.replace(/\s/g, ''), `a${SIGN}b\u6d25`)
})
