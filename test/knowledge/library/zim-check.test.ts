import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { ZimReader } from '../../../src/knowledge/library/zim.ts'
import type { CheckBounds } from '../../../src/knowledge/library/zim-check.ts'
import { archiveFacts } from '../../../src/knowledge/library/zim-read.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { needsZimTools, pageHtml, withChecksum, writeArchive, zimBytes, zimcheck, zimReads } from '../../helpers/zim.ts'

t.setTimeout(300_000)

/** A file of its own for bytes, looked at as the station does; null when they are accepted, else the reason. */
function looker(t: Test, bounds?: CheckBounds) {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-check-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'a.zim')
  const verdict = async (bytes: Buffer): Promise<string | null> => {
    writeFileSync(path, bytes)
    let zim: ZimReader | null = null
    try {
      zim = ZimReader.open(path)
      if (bounds === undefined) await archiveFacts(zim)
      else await zim.check(bounds)
      return null
    } catch (error) {
      if (error instanceof AppError) return `${error.code}: ${sentenceOf(error.reason)}`
      throw error
    } finally {
      zim?.close()
    }
  }
  return { path, verdict }
}

/** The places of lists, entries and clusters in an archive. */
function partsOf(bytes: Buffer) {
  const at = (place: number): number => Number(bytes.readBigUInt64LE(place))
  const [entries, clusters] = [bytes.readUInt32LE(24), bytes.readUInt32LE(28)]
  const [paths, titles, clusterList] = [at(32), at(40), at(48)]
  const list = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => at(from + n * 8))
  const clusterAt = list(clusterList, clusters)
  return { entries, clusters, paths, titles, clusterList, entryAt: list(paths, entries), clusterAt }
}

type Change = readonly [at: number, bytes: Buffer]
const u16 = (value: number): Buffer => Buffer.from([value & 255, value >> 8])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: bigint | number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function changed(good: Buffer, changes: readonly Change[]): Buffer {
  const bytes = Buffer.from(good)
  for (const [at, value] of changes) value.copy(bytes, at)
  return withChecksum(bytes)
}

const at = (bytes: Buffer, from: number, length: number): Buffer => bytes.subarray(from, from + length)

/** The files of the openZIM test suite that are not valid, made of an archive as its script makes them. */
function invalidFiles(good: Buffer): [string, Buffer][] {
  const { entries, clusters, paths, titles, clusterList, entryAt, clusterAt } = partsOf(good)
  const beyond = u64(good.length + 10)
  const last = (entry: number): number => paths + 8 * entry
  const swap = (from: number, width: number): Change[] => [
    [from, at(good, from + width, width)],
    [from + width, at(good, from, width)]
  ]
  const types = Buffer.alloc((clusterAt[0] ?? 0) - 80, 'a bad media type without an end ')
  const rows: [string, Change[]][] = [
    ['outofbounds_urlptrpos', [[32, beyond]]],
    ['outofbounds_titleptrpos', [[40, beyond]]],
    ['outofbounds_clusterptrpos', [[48, beyond]]],
    ['invalid_mimelistpos', [[56, u64(0)]]],
    ['invalid_checksumpos', [[72, u64(0)]]],
    ['outofbounds_first_direntptr', [[paths, beyond]]],
    ['outofbounds_last_direntptr', [[last(entries - 1), beyond]]],
    ['outofbounds_first_title_entry', [[titles, u32(entries)]]],
    ['outofbounds_last_title_entry', [[titles + 4 * (entries - 1), u32(entries)]]],
    ['outofbounds_first_clusterptr', [[clusterList, beyond]]],
    ['nonsorted_dirent_table', swap(paths, 8)],
    ['nonsorted_dirent_table, further on', swap(last(entries >> 1), 8)],
    ['nonsorted_title_index', swap(titles + 4 * 20, 4)],
    ['bad_mimetype_list', [[80, types]]],
    ['bad_mimetype_in_dirent', [[entryAt[entries >> 1] ?? 0, u16(1234)]]],
    ['entries without clusters', [[28, u32(0)]]],
    ['clusters without entries', [[24, u32(0)]]],
    ['more clusters than entries', [[28, u32(entries + 1)]]],
    ['one cluster less than there are', [[28, u32(clusters - 1)]]],
    ['a list of titles in the header', [[40, u64(10)]]],
    ['a version of the future', [[4, u16(7)]]]
  ]
  return [
    ['smaller_than_header', good.subarray(0, 40)],
    ['cut off', good.subarray(0, -100)],
    ['longer than it says', Buffer.concat([good, Buffer.alloc(8)])],
    ...rows.map(([name, changes]): [string, Buffer] => [name, changed(good, changes)])
  ]
}

/** Damage within clusters: the library of the format refuses it since version 8.2, version 8.1 answers 500 for its pages. */
function wrongClusters(good: Buffer): [string, Buffer][] {
  const { clusterAt } = partsOf(good)
  const open = clusterAt.find((place) => good[place] === 1) ?? 0
  const first = good.readUInt32LE(open + 1)
  const packed = clusterAt.find((place) => good[place] === 5) ?? 0
  const rows: [string, Change][] = [
    ['offset_in_cluster', [open + 5, u32(0xffffffff)]],
    ['too_small_offset_of_first_blob_in_cluster_0', [open + 1, u32(0)]],
    ['too_small_offset_of_first_blob_in_cluster_4', [open + 1, u32(4)]],
    ['misaligned_offset_of_first_blob_in_cluster_9', [open + 1, u32(9)]],
    ['too_large_offset_of_first_blob_in_cluster', [open + 1, u32(good.length * 2)]],
    ['the last offset outside of the file', [open + 1 + first - 4, u32(good.length)]],
    ['a packing there is none of', [open, Buffer.of(7)]],
    ['a packing nobody uses', [open, Buffer.of(2)]],
    ['no frame where one is to be', [packed + 1, u32(0)]]
  ]
  return rows.map(([name, change]) => [name, changed(good, [change])])
}

const INSIDE_CLUSTERS = /cluster is not packed|in cluster|packing \d/

/** Of 60 pages, in several clusters, with titles of their own. */
function realArchive(t: Test): Buffer {
  const files: Record<string, string> = { 'index.html': pageHtml('Start') }
  for (let n = 0; n < 60; n++) files[`notes/${n}.html`] = pageHtml(`Note ${(n * 7) % 60}`, `${n} `.repeat(30))
  return readFileSync(writeArchive(t, files, { clusterKib: 16 }).path)
}

t.test('what the library of the format refuses is refused, and what it accepts is accepted', async (t) => {
  if (!needsZimTools(t)) return
  const { path, verdict } = looker(t)
  const good = realArchive(t)
  t.equal(await verdict(good), null)
  t.equal(zimcheck(path), null)
  for (const [name, bytes] of invalidFiles(good)) {
    const said = await verdict(bytes)
    t.match(said, /^(bad-input|unsupported): /, name)
    t.match(zimcheck(path), /\w/, `${name}: zimcheck`)
  }
  for (const [name, bytes] of wrongClusters(good)) {
    t.match(await verdict(bytes), /^bad-input: /, name)
    t.notOk(zimReads(path), `${name}: zimdump`)
  }
  const { entries, entryAt, clusterAt } = partsOf(good)
  const fine: [string, Change][] = [
    ['one entry less than there are', [24, u32(entries - 1)]],
    ['a main page there is none of', [64, u32(entries + 5)]],
    ['an article in a cluster there is none of', [(entryAt[5] ?? 0) + 8, u32(999)]],
    ['a cluster whose content cannot be unpacked', [(clusterAt[0] ?? 0) + 300, Buffer.alloc(40, 255)]]
  ]
  for (const [name, change] of fine) {
    t.equal(await verdict(changed(good, [change])), null, name)
    t.equal(zimcheck(path), null, `${name}: zimcheck`)
  }
  t.equal(await verdict(changed(good, [[40, u64(2n ** 64n - 1n)]])), null, 'newer archives have no list of titles')
})

t.test('the verdict on any change of header and lists is that of the library of the format', async (t) => {
  if (!needsZimTools(t)) return
  const { path, verdict } = looker(t)
  const good = realArchive(t)
  const { entries, clusters, paths, titles, clusterList, entryAt } = partsOf(good)
  const place = fc.oneof(
    fc.integer({ min: 24, max: 63 }),
    fc.integer({ min: 72, max: 200 }),
    fc.integer({ min: paths, max: paths + entries * 8 - 1 }),
    fc.integer({ min: titles, max: titles + entries * 4 - 1 }),
    fc.integer({ min: clusterList, max: clusterList + clusters * 8 - 1 }),
    fc.constantFrom(...entryAt).chain((from) => fc.integer({ min: from, max: from + 24 }))
  )
  const flips = fc.array(fc.tuple(place, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 2 })
  let refused = 0
  await fc.assert(
    fc.asyncProperty(flips, async (made) => {
      const bytes = changed(
        good,
        made.map(([where, mask]) => [where, Buffer.of((good[where] ?? 0) ^ mask)])
      )
      // An archive with the short header of the first ones has no checksum: zimcheck looks no further then.
      fc.pre(bytes.readUInt32LE(56) !== 72)
      const [own, theirs] = [await verdict(bytes), zimcheck(path)]
      if (own !== null) refused++
      // Version 8.1 of the library does not look into clusters, later ones do.
      const isAgreed = own === null ? theirs === null : theirs !== null || INSIDE_CLUSTERS.test(own)
      if (!isAgreed) throw new Error(`here: ${own}; zimcheck: ${theirs}`)
    }),
    { numRuns: 300, seed: 1511, includeErrorInReport: true }
  )
  t.ok(refused > 20 && refused < 290, `both verdicts were given: ${refused} of 300 refused`)
})

t.test('archives made by hand for other tests are such as the library of the format accepts', async (t) => {
  if (!needsZimTools(t)) return
  const { path, verdict } = looker(t)
  const pages = ['a', 'b', 'c'].map((name, n) => ({
    path: name,
    title: `${3 - n}`,
    content: pageHtml(name),
    cluster: n
  }))
  for (const old of [false, true])
    for (const packing of ['none', 'zstd'] as const)
      for (const extended of [false, true]) {
        t.equal(await verdict(zimBytes(pages, { old, packing, extended, meta: { Title: 'By hand' } })), null)
        t.equal(zimcheck(path), null, `${old ? 'old' : 'new'} scheme, ${packing}, ${extended ? 8 : 4} bytes`)
      }
})

t.test('of a large archive all pointers are looked at, and samples of the rest', async (t) => {
  const pages = Array.from({ length: 4000 }, (_, n) => ({ path: `p${String(n).padStart(5, '0')}`, content: `${n}` }))
  const good = zimBytes(pages)
  const { paths } = partsOf(good)
  const { verdict } = looker(t, { entries: 2000, titles: 1000, clusters: 2, unpacked: 1 })
  t.equal(await verdict(good), null)
  const swapped = (entry: number): Buffer =>
    changed(good, [
      [paths + entry * 8, at(good, paths + entry * 8 + 8, 8)],
      [paths + entry * 8 + 8, at(good, paths + entry * 8, 8)]
    ])
  t.match(await verdict(swapped(500)), /out of order at entry 501/, 'within a sample')
  t.match(await verdict(swapped(2998)), /out of order/, 'the end of one shows in the other lists')
  t.match(await verdict(changed(good, [[paths + 1500 * 8, u64(10)]])), /number 1500 of the list of paths/)
})
