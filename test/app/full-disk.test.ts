import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { canServeArchives, makeArchive } from '../helpers/archives.ts'
import { sampleDocx, sampleText } from '../helpers/documents.ts'
import { eventually, ndjson, type Running, startLookout } from '../helpers/process.ts'
import { noSmallDisk, type SmallDisk, smallDisk } from '../helpers/small-disk.ts'

/**
 * Contract §6 and §13 on a real file system that fills up in the middle of something: warnings go on, nothing half-written counts,
 * the reason is told, and what was begun goes on by itself.
 */

t.setTimeout(600_000)

const KIB = 1024
const MIB = 1024 * KIB
const CONFIG = {
  library: { port: 0 },
  knowledge: { language_filter: false },
  coverage: { enabled: true, region_tagging: true, areas: [{ name: 'North', bbox: [-115, 44, -113, 45] }] },
  notifications: {
    coalesce_seconds: 0,
    region_routes: { enabled: true, cells: { fire: { North: { mt: 3, mc: 'north' } } } }
  }
}

interface World {
  disk: SmallDisk
  data: string
  station: Running
  /** Posts an immediate event and waits until both radios have it. */
  warns: (id: string) => Promise<void>
  problems: () => Promise<string[]>
}

/** `floor`: what is kept free of uploads; 0 lets them fill the disk to its last block. */
async function world(t: Test, floor = 0, more: object = {}): Promise<World> {
  const disk = smallDisk(t, 64)
  const data = join(disk.path, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'config.json'), JSON.stringify({ ...CONFIG, uploads: { min_free_bytes: floor }, ...more }))
  const airLog = join(t.testdir({}), 'air.ndjson')
  writeFileSync(airLog, '')
  const station = await startLookout(t, data, {
    args: ['--no-demo'],
    env: { LOOKOUT_LOG: 'warn', LOOKOUT_AIR_LOG: airLog }
  })
  const aired = (id: string): number =>
    ndjson<{ text: string }>(readFileSync(airLog, 'utf8')).filter(({ text }) => text.includes(`Leave ${id} now`)).length
  await eventually('it has its reserve', () => existsSync(join(data, 'reserve.bin')))
  return {
    disk,
    data,
    station,
    warns: async (id) => {
      const begun = Date.now()
      const event = {
        ...{
          id,
          severity: 'immediate',
          source: 'test',
          family: 'fire',
          title: `Leave ${id} now`,
          lat: 44.5,
          lon: -114
        },
        expires: new Date(Date.now() + 3_600_000).toISOString()
      }
      const taken = await station.post<{ stored?: boolean }>('/api/events', event)
      t.match(taken, { status: 202, json: { accepted: 1, stored: undefined } }, `${id} is stored: room is kept for it`)
      await eventually(`${id} is on the air`, () => aired(id) === 2)
      t.comment(`${id}: on both radios after ${Date.now() - begun} ms`)
    },
    problems: async () => {
      const { json } = await station.get<{ problems: { code: string }[] }>('/api/health/ready')
      return json.problems.map(({ code }) => code)
    }
  }
}

/** Files below a folder of the data folder, but for databases. */
function left(data: string, folder: string): string[] {
  return readdirSync(join(data, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
}

const TUS = { 'Tus-Resumable': '1.0.0' }

/** A resumable upload, piece by piece. */
class Tus {
  readonly #url: string
  readonly #bytes: Buffer

  private constructor(url: string, bytes: Buffer) {
    this.#url = url
    this.#bytes = bytes
  }

  static async begin(station: Running, path: string, { name, bytes }: { name: string; bytes: Buffer }): Promise<Tus> {
    const metadata = `filename ${Buffer.from(name).toString('base64')}`
    const headers = { ...TUS, 'Upload-Length': String(bytes.length), 'Upload-Metadata': metadata }
    const response = await fetch(`${station.url}${path}`, { method: 'POST', headers })
    t.equal(response.status, 201, `${name}: ${await response.text()}`)
    return new Tus(new URL(response.headers.get('location') ?? '', station.url).href, bytes)
  }

  async offset(): Promise<number> {
    const response = await fetch(this.#url, { method: 'HEAD', headers: TUS })
    return Number(response.headers.get('upload-offset'))
  }

  async send(from: number, to = this.#bytes.length): Promise<{ status: number; text: string }> {
    const headers = { ...TUS, 'Upload-Offset': String(from), 'Content-Type': 'application/offset+octet-stream' }
    const body = new Uint8Array(this.#bytes.subarray(from, to))
    const response = await fetch(this.#url, { method: 'PATCH', headers, body })
    return { status: response.status, text: await response.text() }
  }
}

const statusOf = async (station: Running, hash: string): Promise<{ status: string; message: string }> =>
  (await station.get<{ status: string; message: string }>(`/api/upload/${hash}/status`)).json

const hashIn = (text: string): string => (JSON.parse(text) as { hash: string }).hash

async function uploaded(station: Running, name: string, bytes: Buffer): Promise<{ status: number; text: string }> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const response = await fetch(`${station.url}/api/upload`, { method: 'POST', body: form })
  return { status: response.status, text: await response.text() }
}

const book = (words: number): Buffer =>
  sampleText(Array.from({ length: words }, (_, n) => `Boil water number ${n} for ${n % 7} minutes.`).join('\n\n'))

t.test('a disk that fills up', { skip: noSmallDisk ?? false }, async (t) => {
  t.test('in the middle of resumable uploads: what came is kept, and they go on from there', async (t) => {
    const { disk, station, data, warns, problems } = await world(t)
    const bytes = book(120_000)
    const upload = await Tus.begin(station, '/api/uploads', { name: 'water.txt', bytes })
    t.equal((await upload.send(0, MIB)).status, 204)
    disk.fill(512 * KIB)
    const full = await upload.send(MIB)
    t.equal(full.status, 507, full.text)
    t.match(full.text, /full|space/)
    await warns('Croy')
    const offset = await upload.offset()
    t.ok(offset >= MIB && offset < bytes.length, `${offset} of ${bytes.length} are kept`)
    t.ok(
      (await problems()).some((code) => /^(?:disk_nearly_full|storage_failing)$/.test(code)),
      'the page says so'
    )
    disk.empty()
    await eventually('there is room', async () => (await upload.send(await upload.offset())).status === 204)
    await eventually('it is complete', async () => {
      const { json } = await station.get<{ documents: { status: string }[] }>('/api/documents')
      return json.documents[0]?.status === 'complete'
    })
    await warns('Bell')
    t.same(
      left(data, 'acquired').filter((name) => /part|bytes|tmp/.test(name)),
      []
    )
    t.equal((await station.launched.stop()).code, 0)
  })

  t.test('in the middle of an upload in one piece: refused with the reason, and nothing of it stays', async (t) => {
    const { disk, station, data, warns } = await world(t)
    disk.fill(512 * KIB)
    const full = await uploaded(station, 'water.txt', book(60_000))
    t.equal(full.status, 507, full.text)
    t.same(left(data, 'acquired'), [])
    await warns('Croy')
    disk.empty()
    t.equal((await uploaded(station, 'water.txt', book(60_000))).status, 201)
    t.equal((await station.launched.stop()).code, 0)
  })

  t.test('while documents are converted and indexed: they wait, say why, and go on', async (t) => {
    // Of these a quarter is for warnings alone, which is more than the reserve.
    const { disk, station, data, warns } = await world(t, 16 * MIB)
    const files: [string, Buffer][] = [
      ['stoves.txt', book(1000)],
      ['bridges.docx', await sampleDocx(Array.from({ length: 400 }, (_, n) => `Rope bridge ${n} needs two ropes.`))]
    ]
    const hashes: string[] = []
    for (const [name, bytes] of files) {
      const { status, text } = await uploaded(station, name, bytes)
      t.equal(status, 201, text)
      hashes.push(hashIn(text))
    }
    disk.fill(64 * KIB)
    await warns('Croy')
    await new Promise((resolve) => setTimeout(resolve, 5000))
    for (const hash of hashes) {
      const { status, message } = await statusOf(station, hash)
      t.not(status, 'complete')
      t.match(message, /full|space/, 'it says why it waits')
    }
    await warns('Deer')
    disk.empty()
    for (const hash of hashes) {
      await eventually('it goes on by itself', async () => !/space/.test((await statusOf(station, hash)).message))
      await eventually(`${hash} is complete`, async () => (await statusOf(station, hash)).status === 'complete')
    }
    t.same(left(data, 'processing'), [])
    t.equal((await station.launched.stop()).code, 0)
  })

  t.test('while an archive of the library comes', { skip: canServeArchives() ? false : 'no programs' }, async (t) => {
    const { disk, station, data, warns } = await world(t)
    const file = join(t.testdir({}), 'wells.zim')
    const pages = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`${n}.html`, `<h1>Well ${n}</h1><p>${Math.random()} ${'x'.repeat(n)}</p>`])
    )
    await makeArchive(file, { title: 'Wells', pages })
    const bytes = readFileSync(file)
    const upload = await Tus.begin(station, '/api/library/uploads', { name: 'wells.zim', bytes })
    const half = Math.floor(bytes.length / 2)
    t.equal((await upload.send(0, half)).status, 204)
    disk.fill(0)
    const full = await upload.send(half)
    t.equal(full.status, 507, full.text)
    await warns('Croy')
    t.same((await station.get<{ sources: unknown[] }>('/api/library/sources')).json.sources, [], 'half of it is none')
    disk.empty()
    t.equal((await upload.send(await upload.offset())).status, 204)
    const source = await eventually('it is there', async () => {
      const { json } = await station.get<{ sources: { id: number; counts: { articles: number } }[] }>(
        '/api/library/sources'
      )
      return json.sources[0]
    })
    t.equal(source.counts.articles, 301)
    t.same(
      left(data, 'archives').filter((name) => /part|bytes|tmp/.test(name)),
      []
    )
    t.equal((await station.launched.stop()).code, 0)
  })

  t.test('while settings are saved: the old ones stay, whole', async (t) => {
    // The last blocks of a full ext4 still take a small file.
    const { disk, station, data } = await world(t, 0, { notes: 'x'.repeat(MIB) })
    const before = readFileSync(join(data, 'config.json'), 'utf8')
    rmSync(join(data, 'reserve.bin'))
    disk.fill(0)
    const off = { ...CONFIG.notifications.region_routes, enabled: false }
    const refused = await station.post<{ detail: string }>('/api/notifications/region-routing', off)
    t.equal(refused.status, 507, refused.text)
    t.equal(readFileSync(join(data, 'config.json'), 'utf8'), before)
    t.same(
      readdirSync(data).filter((name) => name.includes('tmp')),
      []
    )
    disk.empty()
    t.equal((await station.post('/api/notifications/region-routing', off)).status, 200)
    t.equal((await station.launched.stop()).code, 0)
  })
})
