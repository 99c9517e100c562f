import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { openZoneFiles } from '../../../src/warning/atlas/zone-files.ts'
import { ZoneLines } from '../../../src/warning/coverage/zone-pack.ts'

/** A line per outline, as `lookout zones import` stores them; of many kilobytes, so that a pack comes in several pieces. */
const line = (code: string, corners: number): string => {
  const ring = Array.from({ length: corners }, (_, k) => [-115 + Math.sin(k), 44 + Math.cos(k)])
  const properties = { name: 'Zürich – 東京' }
  return JSON.stringify({ code, geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] }, properties })
}
const codes = Array.from({ length: 40 }, (_, n) => `COZ${String(n + 1).padStart(3, '0')}`)
const text = `${codes.map((code) => line(code, 1000)).join('\n')}\n`

for (const [name, bytes] of [
  ['pack.ndjson', Buffer.from(text)],
  ['pack.ndjson.gz', gzipSync(text)]
] as const)
  t.test(`${name}: read beside others it holds what it holds when it is read at once`, async (t) => {
    const zonesFolder = t.testdir()
    writeFileSync(join(zonesFolder, name), bytes)
    const onProblem = (_file: string, why: string): boolean => t.fail(why)
    const beside = openZoneFiles({ zonesFolder, atlasFile: null, onProblem })
    await beside.prepare()
    const atOnce = openZoneFiles({ zonesFolder, atlasFile: null, onProblem })
    t.strictSame(beside.codes(), codes)
    t.strictSame(atOnce.codes(), codes)
    for (const code of codes) t.strictSame(beside.shape(code), atOnce.shape(code))
    t.match(beside.shape('COZ039'), { type: 'Polygon' })
  })

t.test('a pack that ends in the middle is told as broken, and the others are read', async (t) => {
  const zonesFolder = t.testdir()
  writeFileSync(join(zonesFolder, 'a.ndjson.gz'), gzipSync(text).subarray(0, 2000))
  writeFileSync(join(zonesFolder, 'b.ndjson'), `${line('COZ900', 5)}\n`)
  const problems: string[] = []
  const zones = openZoneFiles({ zonesFolder, atlasFile: null, onProblem: (_file, why) => problems.push(why) })
  await zones.prepare()
  t.strictSame(zones.codes(), ['COZ900'])
  t.match(problems, [/unexpected end of file/])
})

t.test('wherever the pieces of a pack are cut, the same lines are found', (t) => {
  const whole = `${line('COZ001', 3)}\n\n${line('COZ002', 3)}\nno line of a pack\n${line('COZ003', 3)}`
  for (let size = 1; size < 60; size += 7) {
    const lines = new ZoneLines()
    for (let from = 0; from < whole.length; from += size) lines.take(whole.slice(from, from + size))
    const pack = lines.pack((why) => t.fail(why))
    t.strictSame(pack.codes, ['COZ001', 'COZ002', 'COZ003'])
    t.match(pack.shape('COZ002'), { type: 'Polygon' })
  }
  t.end()
})

t.test('a line of megabytes that never ends is no pack', (t) => {
  const lines = new ZoneLines()
  const piece = 'x'.repeat(64 * 1024)
  for (let n = 0; n < 400; n++) lines.take(piece)
  t.throws(() => lines.pack(() => undefined), { code: 'bad-input' })
  t.end()
})
