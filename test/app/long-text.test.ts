import { once } from 'node:events'
import { createWriteStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Document, Upload } from '../../src/knowledge/catalogue/document.ts'
import { openReadOnlyDatabase } from '../../src/platform/database/database-read-only.ts'
import { PROSE } from '../helpers/documents.ts'
import { eventually, startLookout } from '../helpers/process.ts'

/** docs/knowledge.md, Texts: a text of any length is read with the heap of a small board. */

t.setTimeout(900_000)

const BUILT = fileURLToPath(new URL('../../dist/lookout.js', import.meta.url))
const MB = 1e6
const WORDS = PROSE.toLowerCase().match(/[a-z]+/g) ?? []

async function write(
  path: string,
  bytes: number,
  line: (at: number) => string,
  encoding: BufferEncoding,
  end: string
): Promise<void> {
  const stream = createWriteStream(path)
  let written = 0
  for (let at = 0; written < bytes; ) {
    let block = ''
    while (block.length < MB / 4) block += line(at++)
    written += block.length
    if (!stream.write(Buffer.from(block, encoding))) await once(stream, 'drain')
  }
  stream.end(end)
  await once(stream, 'close')
}

/** A log: no two lines are alike, and there is no end of "words" in it. */
const logLine = (at: number): string =>
  `2026-11-29 10:${at % 60} pump[${at}]: ${WORDS[at % 83]} ${WORDS[(at * 7) % 79]} ${((at * 2654435761) >>> 0).toString(16)}x${(at * 40503).toString(16)} took ${at % 977} ms\n`
/** One line that never ends, in Windows-1252, of which the first megabytes are ASCII. */
const endless = (at: number): string => `${PROSE} ${at > 6000 ? `It was ${at} \xb0C. ` : ''}`

function workers(data: string): { pid: number; rss: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
        if (!line.includes(data) || !line.includes('work') || !line.includes('knowledge')) return []
        const pages = Number(readFileSync(`/proc/${name}/statm`, 'utf8').split(' ')[1])
        return [{ pid: Number(name), rss: (pages * 4096) / MB }]
      } catch {
        // It ended while we looked.
        return []
      }
    })
}

t.test('long texts are taken in whole on a small board, by one worker that never dies of them', async (t) => {
  const data = join(t.testdir(), 'data')
  const folder = join(data, 'acquired', 'text')
  mkdirSync(folder, { recursive: true })
  const sizes = [20 * MB, 6 * MB] as const
  await write(join(folder, 'Log of the pumps.txt'), sizes[0], logLine, 'utf8', 'The last line tells of a zeppelin.\n')
  await write(join(folder, 'Endless.txt'), sizes[1], endless, 'latin1', 'It ends with a xylophone.')
  writeFileSync(join(folder, 'Blank.txt'), ' \n'.repeat(200_000))
  const began = Date.now()
  const { launched } = await startLookout(t, data, {
    args: ['--profile', 'minimal_pi', '--no-demo'],
    program: BUILT,
    env: { LOOKOUT_LOG: 'warn' }
  })
  const seen = new Map<number, number>()
  let peak = 0
  const look = async () => {
    for (const { pid, rss } of workers(data)) {
      seen.set(pid, (seen.get(pid) ?? 0) + 1)
      peak = Math.max(peak, rss)
    }
    const db = await openReadOnlyDatabase(join(data, 'knowledge.db')).catch(() => null)
    if (db === null) return null
    try {
      const documents = db.sql('SELECT filename, status, page_count, item_count, reason FROM documents').all()
      const uploads = db.sql('SELECT filename, state, reason FROM uploads').all()
      const isOver =
        uploads.length === 3 && documents.every(({ status }) => /complete|failed|skipped/.test(String(status)))
      if (!isOver || documents.length + uploads.filter(({ state }) => state === 'rejected').length < 3) return null
      const last = db.sql('SELECT text FROM pages WHERE text LIKE ?').all('%zeppelin%').length
      const warm = db.sql('SELECT count(*) AS n FROM pages WHERE text LIKE ?').get('%°C%')?.['n']
      const end = db.sql('SELECT count(*) AS n FROM items WHERE content LIKE ?').get('%xylophone%')?.['n']
      return { documents, uploads, last, warm: Number(warm), end: Number(end) }
    } finally {
      db.close()
    }
  }
  const found = await eventually('all of it is taken in or refused', look, 800_000)
  const seconds = (Date.now() - began) / 1000
  t.comment(`${seconds.toFixed(0)} s; the worker had ${peak.toFixed(0)} MB at most`)
  const of = (name: string) => found.documents.find(({ filename }) => filename === name)
  t.match(of('Log of the pumps.txt'), { status: 'complete' } satisfies Partial<Document>)
  t.match(of('Endless.txt'), { status: 'complete' } satisfies Partial<Document>)
  t.match(
    found.uploads.find(({ filename }) => filename === 'Blank.txt'),
    { state: 'rejected', reason: /no_text/ } satisfies Record<keyof Pick<Upload, 'state' | 'reason'>, unknown>
  )
  t.equal(found.last, 1, 'the last line is there')
  t.ok(found.end > 0, 'and that of a text without lines')
  t.ok(found.warm > 0, 'whose signs beyond ASCII come late')
  // A program that it starts has its name for a moment.
  const lasting = [...seen.values()].filter((times) => times > 5)
  t.equal(lasting.length, 1, 'one process did it')
  t.notMatch(launched.stdout + launched.stderr, /out of memory|SIGABRT/)
  t.ok(peak < 256, `${peak} MB`)
  t.ok(seconds < 60 + ((sizes[0] + sizes[1]) / MB) * 6, 'a minute for ten megabytes, and one to begin')
})
