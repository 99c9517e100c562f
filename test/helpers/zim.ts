import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'

/** An entry of an archive written by hand. */
export interface ZimPage {
  /** Without its namespace. */
  path: string
  namespace?: string
  title?: string
  mime?: string
  content?: string | Buffer
  /** `C/other`: it is a redirect. */
  redirect?: string
  /** Contents with the same number lie in one cluster. */
  cluster?: number
}

export interface ZimOptions {
  /** Namespaces as before 2021. */
  old?: boolean
  packing?: 'none' | 'zstd' | 'xz'
  /** Packs a cluster; by default Zstandard in blocks that are not compressed. */
  pack?: (content: Buffer) => Buffer
  /** Clusters with 64-bit offsets. */
  extended?: boolean
  uuid?: string
  main?: string
  meta?: Record<string, string>
}

export const UUID = '01234567-89ab-cdef-0123-456789abcdef'
const REDIRECT = 0xffff

/** A ZIM archive (openZIM: ZIM file format), small and without frills: header, types, entries, clusters, lists, checksum. */
export function zimBytes(pages: readonly ZimPage[], options: ZimOptions = {}): Buffer {
  const { old = false, uuid = UUID, meta = {}, main } = options
  const article = old ? 'A' : 'C'
  const all = [
    ...pages.map((page) => ({ namespace: article, mime: 'text/html', ...page })),
    ...Object.entries(meta).map(([path, content]) => ({ namespace: 'M', path, content, mime: 'text/plain' }))
  ]
    .map((page) => ({ ...page, key: Buffer.from(`${page.namespace}${page.path}`) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
  const types = [...new Set(all.filter((page) => !('redirect' in page)).map(({ mime }) => mime))]
  const { clusters, places } = clustersOf(all, options)
  const indexOf = (name: string): number => all.findIndex(({ namespace, path }) => `${namespace}/${path}` === name)
  const entries = all.map((page, at) => {
    const text = Buffer.from(`${page.path}\0${'title' in page ? (page.title ?? '') : ''}\0`)
    if ('redirect' in page && page.redirect !== undefined) {
      const head = Buffer.alloc(12)
      head.writeUInt16LE(REDIRECT, 0)
      head.write(page.namespace, 3, 'latin1')
      head.writeUInt32LE(indexOf(page.redirect), 8)
      return Buffer.concat([head, text])
    }
    const head = Buffer.alloc(16)
    head.writeUInt16LE(types.indexOf(page.mime), 0)
    head.write(page.namespace, 3, 'latin1')
    const { cluster, blob } = places[at] ?? { cluster: 0, blob: 0 }
    head.writeUInt32LE(cluster, 8)
    head.writeUInt32LE(blob, 12)
    return Buffer.concat([head, text])
  })
  const header = Buffer.alloc(80)
  const mime = Buffer.from(`${types.map((type) => `${type}\0`).join('')}\0`)
  const parts: Buffer[] = [header, mime]
  const position = (): number => parts.reduce((sum, part) => sum + part.length, 0)
  const placed = (list: readonly Buffer[]): Buffer => {
    const pointers = Buffer.alloc(list.length * 8)
    list.forEach((part, at) => {
      pointers.writeBigUInt64LE(BigInt(position()), at * 8)
      parts.push(part)
    })
    return pointers
  }
  const clusterList = placed(clusters)
  const pathList = placed(entries)
  header.writeUInt32LE(0x044d495a, 0)
  header.writeUInt16LE(old ? 5 : 6, 4)
  header.writeUInt16LE(old ? 0 : 1, 6)
  Buffer.from(uuid.replace(/-/g, ''), 'hex').copy(header, 8)
  header.writeUInt32LE(all.length, 24)
  header.writeUInt32LE(clusters.length, 28)
  header.writeBigUInt64LE(BigInt(position()), 32)
  parts.push(pathList)
  header.writeBigUInt64LE(BigInt(position()), 40)
  parts.push(titleList(all))
  header.writeBigUInt64LE(BigInt(position()), 48)
  parts.push(clusterList)
  header.writeBigUInt64LE(80n, 56)
  header.writeUInt32LE(main === undefined ? 0xffffffff : indexOf(`${article}/${main}`), 64)
  header.writeUInt32LE(0xffffffff, 68)
  header.writeBigUInt64LE(BigInt(position()), 72)
  return withChecksum(Buffer.concat([...parts, Buffer.alloc(16)]))
}

/** The same with the checksum it must have, where the header says that it has one. */
export function withChecksum(bytes: Buffer): Buffer {
  const at = bytes.length < 80 ? 0n : bytes.readBigUInt64LE(72)
  const fixed = Buffer.from(bytes)
  if (at >= 80n && at <= BigInt(bytes.length - 16))
    createHash('md5')
      .update(bytes.subarray(0, Number(at)))
      .digest()
      .copy(fixed, Number(at))
  return fixed
}

/** Numbers of the entries in the order of their titles. */
function titleList(all: readonly (ZimPage & { namespace: string })[]): Buffer {
  const named = all.map(({ namespace, path, title = '' }, entry) => ({
    entry,
    key: Buffer.from(`${namespace}${title === '' ? path : title}`)
  }))
  const list = Buffer.alloc(4 * named.length)
  named
    .sort((a, b) => Buffer.compare(a.key, b.key) || a.entry - b.entry)
    .forEach(({ entry }, place) => {
      list.writeUInt32LE(entry, place * 4)
    })
  return list
}

function clustersOf(
  pages: readonly (ZimPage & { content?: string | Buffer })[],
  { packing = 'none', pack = zstdStored, extended = false }: ZimOptions
) {
  const groups = new Map<number, Buffer[]>()
  const places = pages.map((page) => {
    if (page.redirect !== undefined) return null
    const blobs = groups.get(page.cluster ?? 0) ?? []
    groups.set(page.cluster ?? 0, [...blobs, Buffer.from(page.content ?? '')])
    return { group: page.cluster ?? 0, blob: blobs.length }
  })
  const order = [...groups.keys()].sort((a, b) => a - b)
  const width = extended ? 8 : 4
  const clusters = order.map((group) => {
    const blobs = groups.get(group) ?? []
    const offsets = Buffer.alloc((blobs.length + 1) * width)
    let at = offsets.length
    for (let blob = 0; blob <= blobs.length; blob++) {
      if (extended) offsets.writeBigUInt64LE(BigInt(at), blob * 8)
      else offsets.writeUInt32LE(at, blob * 4)
      at += blobs[blob]?.length ?? 0
    }
    const content = Buffer.concat([offsets, ...blobs])
    const info = { none: 1, xz: 4, zstd: 5 }[packing] | (extended ? 0x10 : 0)
    return Buffer.concat([Buffer.of(info), packing === 'none' ? content : pack(content)])
  })
  return {
    clusters,
    places: places.map((place) => (place === null ? null : { cluster: order.indexOf(place.group), blob: place.blob }))
  }
}

/** A Zstandard frame whose blocks are not compressed (RFC 8878): every decoder reads it, nobody needs to make it. */
export function zstdStored(content: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])]
  for (let at = 0; ; at += 65536) {
    const block = content.subarray(at, at + 65536)
    const isLast = at + 65536 >= content.length
    const head = Buffer.alloc(3)
    head.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3)
    parts.push(head, block)
    if (isLast) return Buffer.concat(parts)
  }
}

/** A page with enough text to be an article; `extra` tells it from others. */
export function pageHtml(title: string, extra = title): string {
  const sentence = `Water of a well is boiled for one minute before anybody drinks it, says the page about ${extra}. `
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><nav>Menu</nav><h1>${title}</h1><p>${sentence.repeat(4)}</p></body></html>`
}

/** The smallest picture zimwriterfs takes: 48 × 48, one colour. */
const ICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAIAAADYYG7QAAAAQUlEQVR4nO3OQQ0AMBAEofNvupWx8yBBAPfuUvYDISEhoZj9QEhISChmPxASEhKK2Q+EhISEYvYDISEhoZj9oB763xP3eV+LAIgAAAAASUVORK5CYII=',
  'base64'
)

/** The page that zimwriterfs makes a redirect of. */
export function redirectHtml(to: string): string {
  return `<html><head><title>Moved</title><meta http-equiv="refresh" content="0;url=${to}"></head><body></body></html>`
}

export interface WrittenArchive {
  path: string
  /** The folder it lies in. */
  folder: string
}

/** True when the tools that make and check archives are installed; else the test says that it skipped something. */
export function needsZimTools(t: Pick<Test, 'comment'>): boolean {
  const isThere =
    spawnSync('zimwriterfs', ['--version']).status === 0 && spawnSync('zimdump', ['-V']).error === undefined
  if (!isThere) t.comment('skipped: zim-tools are not installed')
  return isThere
}

/** Makes an archive with zimwriterfs. `files`: content by path; `index.html` is the main page. */
export function writeArchive(
  t: Test,
  files: Record<string, string | Buffer>,
  { title = 'Field notes', name = 'notes.zim', clusterKib = 64, icon = ICON } = {}
): WrittenArchive {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-zim-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const html = join(folder, 'html')
  for (const [path, content] of Object.entries({ 'icon.png': icon, ...files })) {
    mkdirSync(dirname(join(html, path)), { recursive: true })
    writeFileSync(join(html, path), content)
  }
  const path = join(folder, name)
  const facts = ['-l', 'eng', '-t', title, '-d', 'Notes of the field', '-c', 'Somebody', '-p', 'Lookout', '-n', 'notes']
  const more = ['-m', String(clusterKib * 1024), '-J', '1', '-j']
  const made = spawnSync('zimwriterfs', ['-w', 'index.html', '-I', 'icon.png', ...facts, ...more, html, path])
  if (made.status !== 0) throw new Error(`zimwriterfs: ${made.stderr}${made.stdout}`)
  return { path, folder }
}

/**
 * The complaint of zimcheck about the structure of an archive; null when it has none. That the checksum is wrong or missing
 * does not count: it says nothing of what can be read.
 */
export function zimcheck(path: string): string | null {
  const { status, stdout, stderr } = spawnSync('zimcheck', ['-I', path], { maxBuffer: 1e8, timeout: 60_000 })
  if (status === 0) return null
  const said = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => line !== '' && !/^\[|low.level struct|Checksum doesn't match/.test(line.trim()))
  return said.length === 0 && status === 1 ? null : `${status}: ${said.join(' ')}`
}

/** True when zimdump reads every page of an archive. */
export function zimReads(path: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-dump-'))
  try {
    return spawnSync('zimdump', ['dump', `--dir=${folder}`, path], { timeout: 60_000 }).status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The words of `zimdump` about an archive. */
export function zimdump(...args: string[]): string {
  return spawnSync('zimdump', args, { maxBuffer: 1e9 }).stdout.toString('utf8')
}
