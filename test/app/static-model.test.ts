import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually, type Running, startLookout } from '../helpers/process.ts'
import { writeModel } from '../helpers/static-model.ts'

t.setTimeout(300_000)

/** A model of meaning that its owner puts into a folder, or uploads by the page, docs/interface.md §8. */

const HOUSE =
  'The elevator of the shelter holds eight persons. It is checked every morning by the warden, who keeps its key. When the power fails the elevator is lowered by hand with the crank in the cellar. '

/** Vectors of the words of the text above, and a word that means what `elevator` does. */
function meaning(same: string): Record<string, number[]> {
  const words = [...new Set(HOUSE.toLowerCase().match(/\p{L}+/gu))]
  const vectors = words.map((word, at) => [word, [word === 'elevator' ? 5 : 0, at % 2, (at % 3) / 2, (at % 5) / 4]])
  return { ...Object.fromEntries(vectors), [same]: [5, 0, 0, 0] }
}

t.test('a text is found by a word of the same meaning once its owner has put a model into the folder', async (t) => {
  const config = { station: { name: 'Hill' }, knowledge: { embedding: { provider: 'static', model: 'small' } } }
  const data = join(t.testdir({ data: { 'config.json': JSON.stringify(config) } }), 'data')
  const running = await startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const form = new FormData()
  form.append('file', new Blob([HOUSE.repeat(8)]), 'house.txt')
  const sent = await fetch(`${running.url}/api/upload`, { method: 'POST', body: form })
  const { hash } = (await sent.json()) as { hash: string }
  const status = async () =>
    (await running.get<{ status: string; message: string; reason: string | null }>(`/api/upload/${hash}/status`)).json
  const found = async (q: string) => (await running.get<{ mode: string; count: number }>(`/api/search?q=${q}`)).json

  const waiting = await eventually('without its model it waits, and is found by words', async () => {
    const now = await status()
    return now.status === 'enriched' && now.reason !== null ? now : null
  })
  t.match(`${waiting.message} ${waiting.reason}`, /models\/small\/model\.safetensors cannot be read/)
  t.match(await found('elevator'), { mode: 'lexical', count: 1 })
  t.match(await found('ascenseur'), { count: 0 })

  writeModel(join(data, 'models/small'), meaning('ascenseur'))
  // It would go on by itself after five minutes.
  const release = { method: 'POST', body: new URLSearchParams({ do: 'release' }), redirect: 'manual' } as const
  t.equal((await fetch(`${running.url}/knowledge`, release)).status, 303)
  await eventually('it is complete', async () => (await status()).status === 'complete')
  t.match(await found('ascenseur'), { mode: 'hybrid', count: 1 })
})

interface Models {
  models: { name: string; dims: number | null; words: number | null; refused: string | null; in_use: boolean }[]
  halves: { name: string; missing: string[] }[]
}

const API = '/api/knowledge/models'
const TUS = { 'Tus-Resumable': '1.0.0' }
const CHUNK = { ...TUS, 'Content-Type': 'application/offset+octet-stream' }

/** Begins the upload of a file of the model `small`, with so many of its bytes. */
async function begin(station: Running, name: string, bytes: Buffer, many = bytes.length): Promise<Response> {
  return fetch(`${station.url}${API}/small/uploads`, {
    method: 'POST',
    headers: {
      ...CHUNK,
      'Upload-Length': String(bytes.length),
      'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}`
    },
    body: new Uint8Array(bytes.subarray(0, many))
  })
}

/** The two files of a model, as they lie on a phone. */
function made(t: Test, same: string): { table: Buffer; tokenizer: Buffer } {
  const folder = join(t.testdir({}), 'made')
  writeModel(folder, meaning(same))
  const [table, tokenizer] = ['model.safetensors', 'tokenizer.json'].map((name) => readFileSync(join(folder, name)))
  rmSync(folder, { recursive: true })
  return { table: table ?? Buffer.alloc(0), tokenizer: tokenizer ?? Buffer.alloc(0) }
}

t.test('a model comes by the page, is chosen, and another takes its place while it is in use', async (t) => {
  const first = made(t, 'ascenseur')
  const second = made(t, 'fahrkorb')
  t.equal(first.table.length, second.table.length)
  const data = join(t.testdir({ data: { 'config.json': JSON.stringify({ station: { name: 'Hill' } }) } }), 'data')
  const start = (): Promise<Running> => startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const one = await start()
  const form = new FormData()
  form.append('file', new Blob([HOUSE.repeat(8)]), 'house.txt')
  const sent = await fetch(`${one.url}/api/upload`, { method: 'POST', body: form })
  const { hash } = (await sent.json()) as { hash: string }
  const complete = (station: Running) =>
    eventually('it is complete', async () => {
      const { json } = await station.get<{ status: string }>(`/api/upload/${hash}/status`)
      return json.status === 'complete'
    })
  await complete(one)

  t.equal((await begin(one, 'model.safetensors', first.table)).status, 201)
  const half = Math.floor(first.tokenizer.length / 2)
  const begun = await begin(one, 'tokenizer.json', first.tokenizer, half)
  t.equal(begun.status, 201)
  await one.launched.kill()
  t.same(readdirSync(join(data, 'models')), ['.parts'], 'nothing of it counts as a model')

  const two = await start()
  t.match((await two.get<Models>(API)).json, { models: [], halves: [{ name: 'small', missing: ['tokenizer.json'] }] })
  const path = begun.headers.get('location') ?? ''
  const where = await fetch(two.url + path, { method: 'HEAD', headers: TUS })
  t.equal(where.headers.get('upload-offset'), String(half), 'the upload goes on where it ended')
  const rest = await fetch(two.url + path, {
    method: 'PATCH',
    headers: { ...CHUNK, 'Upload-Offset': String(half) },
    body: new Uint8Array(first.tokenizer.subarray(half))
  })
  t.equal(rest.status, 204, await rest.text())
  const words = Object.keys(meaning('x')).length + 1
  const model = { name: 'small', dims: 4, words, refused: null }
  t.match((await two.get<Models>(API)).json, { models: [{ ...model, in_use: false }], halves: [] })

  const hits = async (station: Running, q: string) =>
    (await station.get<{ count: number }>(`/api/search?q=${q}`)).json.count
  t.equal(await hits(two, 'ascenseur'), 0, 'no model is in use')
  const used = await fetch(`${two.url}${API}/small/use`, { method: 'POST' })
  t.match(await used.json(), { models: [{ name: 'small', in_use: true }] })
  await eventually('it is found by its meaning', async () => (await hits(two, 'ascenseur')) === 1)
  t.equal(await hits(two, 'fahrkorb'), 0)

  t.equal((await begin(two, 'tokenizer.json', second.tokenizer)).status, 201)
  const torn = await begin(two, 'model.safetensors', second.table.subarray(0, second.table.length - 4))
  t.equal(torn.status, 422)
  t.match(await torn.json(), { detail: /^model\.safetensors is no file of a model/ })
  t.equal(await hits(two, 'ascenseur'), 1, 'a damaged one changes nothing')
  for (const [name, bytes] of [
    ['tokenizer.json', second.tokenizer],
    ['model.safetensors', second.table]
  ] as const)
    t.equal((await begin(two, name, bytes)).status, 201)
  await eventually('it is found by the meaning of the new one', async () => (await hits(two, 'fahrkorb')) === 1)
  t.equal(await hits(two, 'ascenseur'), 0)
  t.equal((await fetch(`${two.url}${API}/small`, { method: 'DELETE' })).status, 409)
  await two.launched.kill()

  // As a kill between the two names of `ModelShelf.place` leaves it: the old one put aside, the new one not in its place.
  const models = join(data, 'models')
  mkdirSync(join(models, '.parts/left'), { recursive: true })
  mkdirSync(join(models, '.parts/halves/small'), { recursive: true })
  renameSync(join(models, 'small'), join(models, '.parts/left/old'))
  for (const [name, bytes] of [
    ['tokenizer.json', first.tokenizer],
    ['model.safetensors', first.table]
  ] as const)
    writeFileSync(join(models, '.parts/halves/small', name), bytes)
  const three = await start()
  await eventually('the new one has its place', async () => {
    const { json } = await three.get<Models>(API)
    return json.models.length === 1 && json.halves.length === 0
  })
  t.match((await three.get<Models>(API)).json, { models: [{ name: 'small', in_use: true }] })
  t.equal(existsSync(join(models, '.parts/left')), false)
  await eventually('its vectors are made again', async () => (await hits(three, 'ascenseur')) === 1)
  await three.launched.stop()
})

t.test('a vocabulary that a small board cannot hold is refused, and nobody else feels it', async (t) => {
  const { table: good, tokenizer: few } = made(t, 'ascenseur')
  const config = { http: { local_operator: true } }
  const data = join(t.testdir({ data: { 'config.json': JSON.stringify(config) } }), 'data')
  const small = await startLookout(t, data, {
    args: ['--no-demo', '--profile', 'minimal_pi', '--host', '127.0.0.1'],
    env: { LOOKOUT_LOG: 'error' }
  })
  const words = Array.from({ length: 500_000 }, (_, at) => `${at.toString(36)}abcdefghijkl`)
  const folder = join(t.testdirName, 'large')
  writeModel(folder, Object.fromEntries(words.map((word) => [word, [1]])))
  const [table, tokenizer] = ['model.safetensors', 'tokenizer.json'].map((name) => readFileSync(join(folder, name)))
  rmSync(folder, { recursive: true })
  t.ok((tokenizer?.length ?? 0) > 12_000_000)
  const first = await begin(small, 'model.safetensors', table ?? Buffer.alloc(0))
  t.equal(first.status, 201, first.status === 201 ? '' : await first.text())
  const refused = await begin(small, 'tokenizer.json', tokenizer ?? Buffer.alloc(0))
  t.equal(refused.status, 422)
  t.match(await refused.json(), { detail: /^This board could not open the model: it is too large for its memory/ })
  t.match((await small.get<Models>(API)).json, { models: [], halves: [] })
  t.same(readdirSync(join(data, 'models/.parts/halves')), [], 'its bytes are gone')

  t.equal((await begin(small, 'model.safetensors', good)).status, 201)
  t.equal((await begin(small, 'tokenizer.json', few)).status, 201, 'one that it can hold is taken')
  const { loop } = (await small.get<{ loop: { worst_stall_ms: number; during: string[] } }>('/api/status')).json
  t.comment(`worst standstill of the station: ${loop.worst_stall_ms} ms, ${loop.during.join(', ')}`)
  t.ok(loop.worst_stall_ms < 250, `${loop.worst_stall_ms} ms: parsing it takes more than a second`)
})
