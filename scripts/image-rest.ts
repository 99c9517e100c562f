/** Watches what a booted image writes onto its card at rest, and who does: docs/measurements.md, "The image". */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Board, HOST_SEEN } from './image-board.ts'
import { PATH, type Part, partsOf, readLog, type Write } from './image-log.ts'

const MINUTE_MS = 60_000
const BLOCK = 4096
/** Of ext4: the journal's inode. */
const JOURNAL = 8

const SECTORS = `awk '{ print $7 }' /sys/block/vda/stat`
/** Threads of the kernel write the journal and what was left to them; a program's own line is what it handed over. */
const WRITERS =
  'cd /proc; for p in [0-9]*; do n=; read -r n 2>/dev/null <$p/comm; while read -r k v; do [ $k = write_bytes: ] && [ $v != 0 ] && echo $p $v $n; done 2>/dev/null <$p/io; done'

interface Reading {
  sectors: number
  /** By process: bytes, and its name. */
  writers: Map<string, { bytes: number; name: string }>
  log: number
}

async function read(board: Board, log: string | undefined): Promise<Reading> {
  const writers = new Map<string, { bytes: number; name: string }>()
  for (const line of (await board.ask(WRITERS)).split('\n')) {
    const [pid, bytes, ...name] = line.split(' ')
    if (pid !== undefined && bytes !== undefined) writers.set(pid, { bytes: Number(bytes), name: name.join(' ') })
  }
  const sectors = Number(await board.ask(SECTORS))
  return { sectors, writers, log: log === undefined ? 0 : statSync(join(log, 'log.img')).size }
}

function byProgram(from: Reading, to: Reading): Record<string, number> {
  const all: Record<string, number> = {}
  for (const [pid, { bytes, name }] of to.writers) {
    const more = bytes - (from.writers.get(pid)?.bytes ?? 0)
    if (more > 0) all[name] = (all[name] ?? 0) + more
  }
  return all
}

/** Bytes by what they were written to on the data partition: its files, its journal, its own tables; `elsewhere`: another partition. */
export function byFile(writes: readonly Write[], card: string): Record<string, number> {
  const data = partsOf(card).find(({ name }) => name === 'data')
  if (data === undefined) throw new Error('the card has no data partition')
  const blocks = new Map<number, number>()
  const all: Record<string, number> = {}
  for (const { to, bytes, data: has } of writes) {
    if (has === null) continue
    if (to < data.at) all['elsewhere'] = (all['elsewhere'] ?? 0) + bytes
    else
      for (let at = to; at < to + bytes; at += BLOCK) {
        const block = Math.floor((at - data.at) / BLOCK)
        blocks.set(block, (blocks.get(block) ?? 0) + Math.min(BLOCK, to + bytes - at))
      }
  }
  const names = namesOf([...blocks.keys()], card, data)
  for (const [block, bytes] of blocks) {
    const name = names.get(block) ?? 'tables of the file system'
    all[name] = (all[name] ?? 0) + bytes
  }
  return Object.fromEntries(Object.entries(all).sort(([, a], [, b]) => b - a))
}

/** The file that each block belongs to, as debugfs knows it. */
function namesOf(blocks: readonly number[], card: string, data: Part): Map<number, string> {
  const ask = (command: string): string =>
    execFileSync('debugfs', ['-R', command, `${card}?offset=${data.at}`], {
      encoding: 'utf8',
      env: { ...process.env, PATH }
    })
  const inodes = new Map<number, number>()
  for (let nth = 0; nth < blocks.length; nth += 500)
    for (const [, block, inode] of ask(`icheck ${blocks.slice(nth, nth + 500).join(' ')}`).matchAll(/^(\d+)\t(\d+)$/gm))
      inodes.set(Number(block), Number(inode))
  const wanted = [...new Set(inodes.values())].filter((inode) => inode !== JOURNAL)
  const paths = new Map<number, string>([[JOURNAL, 'journal']])
  if (wanted.length > 0)
    for (const [, inode, path] of ask(`ncheck ${wanted.join(' ')}`).matchAll(/^(\d+)\t(.*)$/gm))
      paths.set(Number(inode), path ?? '')
  return new Map([...inodes].map(([block, inode]) => [block, paths.get(inode) ?? `inode ${inode}, gone`]))
}

/** Watches the block device for so many minutes. With a log, the writes of it are told by file too. */
export async function watchRest(
  board: Board,
  { minutes, log, card }: { minutes: number; log: string | undefined; card: string }
): Promise<object> {
  const from = await read(board, log)
  const begun = performance.now()
  const each: number[] = []
  let last = from.sectors
  for (let nth = 1; nth <= minutes; nth++) {
    await pause(Math.max(0, begun + nth * MINUTE_MS - performance.now()))
    const sectors = Number(await board.ask(SECTORS))
    each.push((sectors - last) / 2)
    last = sectors
    console.error(`minute ${nth}: ${each.at(-1)} kB`)
  }
  const to = await read(board, log)
  const hours = (performance.now() - begun) / 3_600_000
  const bytes = (to.sectors - from.sectors) * 512
  const writes =
    log === undefined ? [] : readLog(join(log, 'log.img')).filter(({ end }) => end > from.log && end <= to.log)
  return {
    minutes: Math.round(hours * 60),
    written_kb: Math.round(bytes / 1024),
    mb_per_hour: Math.round((bytes / hours / 1e6) * 100) / 100,
    mb_per_day: Math.round(((bytes / hours) * 24) / 1e5) / 10,
    kb_each_minute: each,
    flushes: writes.filter(({ flushes }) => flushes).length,
    by_program: byProgram(from, to),
    ...(log === undefined ? {} : { by_file: byFile(writes, card) })
  }
}

const QUIET = JSON.stringify({ type: 'FeatureCollection', features: [] })

/** Warning services on a quiet day: nothing new each time they are asked. Answers the sources that ask them, for a station in QEMU. */
export async function quietServices(): Promise<{ server: Server; sources: object[] }> {
  const server = createServer((request, response) => {
    const known = request.headers['if-none-match'] === '"quiet"'
    response.writeHead(known ? 304 : 200, { ETag: '"quiet"', 'Content-Type': 'application/geo+json' })
    response.end(
      known
        ? ''
        : request.url?.includes('storms')
          ? '{"activeStorms":[]}'
          : request.url?.includes('volcano')
            ? '[]'
            : QUIET
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const own = server.address()
  const base = `http://${HOST_SEEN}:${typeof own === 'object' && own !== null ? own.port : 0}`
  const sources = [
    { kind: 'nws', url: `${base}/nws`, area: ['ID'] },
    { kind: 'usgs', url: `${base}/usgs` },
    { kind: 'nhc', url: `${base}/storms.json` },
    { kind: 'volcano', url: `${base}/volcano` },
    { kind: 'wfigs', incidents_url: `${base}/incidents`, perimeters_url: `${base}/perimeters` }
  ]
  return { server, sources }
}
