import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sha256Hex } from '../../src/platform/bytes/hash.ts'
import { PROSE } from '../helpers/documents.ts'
import { eventually, type Running, startLookout } from '../helpers/process.ts'

/** A file that ends the worker keeps nobody waiting but itself: the real program, whose worker really ends. */

t.setTimeout(900_000)

const MIB = 2 ** 20
/** A small file beside whatever it is. */
const SMALL_MS = 60_000
/** Megabytes of text, on a machine that does other things too. */
const LONG_MS = 400_000
const SETTLED = new Set(['complete', 'failed', 'rejected', 'skipped', 'duplicate', 'needs_review'])

interface Status {
  status: string
  message: string
  waits_for: string | null
  reason: string | null
}

interface Knowledge {
  running: { kind: string; filename: string | null }[]
  waiting: { filename: string | null; waits_for: string | null }[]
  worker: { state: string; reason: string | null }
}

function emptyFolder(t: Test): string {
  return join(t.testdir({ data: { 'config.json': JSON.stringify({ station: { name: 'Hill' } }) } }), 'data')
}

/** The token of whoever is on the machine itself, where being on it is not enough. */
let secret = ''

async function start(t: Test, data: string, args: string[] = []): Promise<Running> {
  const hill = await startLookout(t, data, { args: ['--no-demo', ...args], env: { LOOKOUT_LOG: 'fatal' } })
  const file = join(data, 'local.token')
  secret = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return hill
}

async function send({ url }: Running, filename: string, bytes: Buffer): Promise<string> {
  const response = await fetch(`${url}/api/upload?filename=${filename}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: {
      'Content-Type': 'application/octet-stream',
      ...(secret === '' ? {} : { Authorization: `Bearer ${secret}` })
    }
  })
  if (response.status !== 201) throw new Error(`${filename}: ${response.status} ${await response.text()}`)
  return sha256Hex(bytes)
}

async function statusOf(hill: Running, hash: string): Promise<Status> {
  return (await hill.get<Status>(`/api/upload/${hash}/status`)).json
}

/** Words of their own on every page, so that nothing of it is alike. */
function longText(bytes: number, word: string): Buffer {
  const parts: string[] = []
  for (let at = 0, n = 0; at < bytes; n++) {
    const part = `Chapter ${n} of ${word}. ${PROSE} The number of this paragraph is ${n}, and ${word}${n} stands nowhere else.\n\n`
    parts.push(part)
    at += part.length
  }
  return Buffer.from(parts.join('')).subarray(0, bytes)
}

/** The process of this program that works on documents. */
function workerOf(hill: Running): number | null {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      if (Number(parent) === hill.launched.child.pid && words.includes('knowledge') && words.includes('work'))
        return Number(name)
    } catch {
      // It has ended since.
    }
  }
  return null
}

t.test(
  'a file at which the system ends the worker again and again runs alone and last, is given up with the reason, and may be tried again',
  { skip: process.platform !== 'linux' && 'no /proc' },
  async (t) => {
    const hill = await start(t, emptyFolder(t))
    const deadly = await send(hill, 'deadly.txt', longText(24 * MIB, 'zarbulok'))
    const seen = new Set<string>()
    let kills = 0
    let small: { hash: string; at: number } | null = null
    const end = await eventually(
      'the file is settled',
      async () => {
        const { json } = await hill.get<Knowledge>('/api/knowledge')
        for (const { filename, waits_for } of json.waiting)
          if (filename === 'deadly.txt' && waits_for !== null) seen.add(waits_for)
        if (json.worker.reason !== null) seen.add(json.worker.reason)
        // As the kernel does when memory runs out.
        const isAtIt = json.running.some(({ kind, filename }) => kind === 'enrich' && filename === 'deadly.txt')
        const worker = isAtIt ? workerOf(hill) : null
        if (worker !== null) {
          process.kill(worker, 'SIGKILL')
          kills++
          if (kills === 1) small = { hash: await send(hill, 'small.txt', longText(3000, 'venduril')), at: Date.now() }
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
        const found = await statusOf(hill, deadly)
        return SETTLED.has(found.status) ? found : null
      },
      LONG_MS
    )
    t.match(end, { status: 'failed', reason: /it ended the worker 3 times, at last while it ran alone: SIGKILL/ })
    t.equal(kills, 3, 'three times and never again')
    t.ok(
      [...seen].some((waits) => /^it runs alone and last because the worker ended 2 times/.test(waits)),
      [...seen].join(' | ')
    )
    t.ok([...seen].some((why) => /the worker starts again after it ended while working on .*deadly\.txt/.test(why)))
    const { hash, at } = small ?? { hash: '', at: 0 }
    const settled = await eventually(
      'the small file is complete',
      async () => {
        const found = await statusOf(hill, hash)
        return SETTLED.has(found.status) ? found : null
      },
      LONG_MS
    )
    t.match(settled, { status: 'complete' })
    t.comment(`the small file was seen to be complete ${Date.now() - at} ms after it came`)

    const again = await fetch(`${hill.url}/api/documents/${deadly}/retry`, { method: 'POST' })
    t.ok(again.ok, `by hand: ${again.status}`)
    await eventually(
      'it is complete when nobody ends the worker',
      async () => {
        const found = await statusOf(hill, deadly)
        return found.status === 'complete' ? found : null
      },
      LONG_MS
    )
    const worker = workerOf(hill)
    await hill.launched.stop()
    t.not(worker, null)
  }
)

t.test(
  'an end of the whole station counts for no file',
  { skip: process.platform !== 'linux' && 'no /proc' },
  async (t) => {
    const data = emptyFolder(t)
    let hill = await start(t, data)
    const hash = await send(hill, 'long.txt', longText(24 * MIB, 'morbatin'))
    for (let cut = 1; cut <= 4; cut++) {
      await eventually('it is being worked on', async () => {
        const { json } = await hill.get<Knowledge>('/api/knowledge')
        return json.running.some(({ kind }) => kind === 'enrich')
      })
      await (cut % 2 === 0 ? hill.launched.stop() : hill.launched.kill())
      hill = await start(t, data)
    }
    const seen = new Set<string>()
    await eventually(
      'it is complete',
      async () => {
        const found = await statusOf(hill, hash)
        if (found.waits_for !== null) seen.add(found.waits_for)
        return found.status === 'complete'
      },
      LONG_MS
    )
    t.notOk(
      [...seen].some((waits) => /alone/.test(waits)),
      'four ends in the middle of it'
    )
  }
)

t.test('on the smallest profile a text that may be too large keeps a small file waiting for no minute', async (t) => {
  const hill = await start(t, emptyFolder(t), ['--profile', 'minimal_pi'])
  const large = await send(hill, 'large.txt', longText(60 * MIB, 'kestifor'))
  const at = Date.now()
  const small = await send(hill, 'small.txt', longText(3000, 'plundavek'))
  await eventually('the small file is complete', async () => (await statusOf(hill, small)).status === 'complete')
  const took = Date.now() - at
  t.ok(took <= SMALL_MS, `${took} ms`)
  const end = await eventually(
    'the large file is settled',
    async () => {
      const found = await statusOf(hill, large)
      return SETTLED.has(found.status) ? found : null
    },
    LONG_MS
  )
  t.comment(`large.txt: ${end.message}, ${Date.now() - at} ms after it came`)
  if (end.status !== 'complete') t.match(end, { status: 'failed', reason: /needs more memory than this profile gives/ })
})
