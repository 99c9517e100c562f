import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { inspectModel } from '../../src/knowledge/enrich/embed/inspect-model.ts'
import { TABLE, TOKENIZER } from '../../src/knowledge/enrich/embed/model-files.ts'
import { because } from '../../src/model/reason.ts'
import { AppError } from '../../src/platform/errors.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { StationModels } from '../../src/station/models.ts'
import { intake } from '../helpers/knowledge.ts'
import { knowledgeContext } from '../helpers/knowledge-pages.ts'
import { eventually } from '../helpers/process.ts'
import { wordPieces, writeModel } from '../helpers/static-model.ts'
import { type Answer, FROM_AFAR, type Station, station } from './harness.ts'

/** Models of meaning that the owner brings by the page, docs/interface.md §8. */

const WORDS = { lift: [1, 0], elevator: [0.75, 0.25], water: [0, 1] }
const API = '/api/knowledge/models'
const TUS = { 'tus-resumable': '1.0.0' }
const base64 = (text: string): string => Buffer.from(text).toString('base64')

interface World extends Station {
  models: StationModels
  data: string
  changed: string[]
  /** Sends a file of a model in one piece. */
  send: (name: string, filename: string, bytes: Buffer) => Promise<Answer>
  files: (words?: Record<string, number[]>) => { table: Buffer; tokenizer: Buffer }
}

async function world(t: Test, inspect = inspectModel): Promise<World> {
  const setup = await intake(t)
  const data = join(setup.folder, 'data')
  mkdirSync(data)
  const changed: string[] = []
  const models: StationModels = new StationModels({
    dataFolder: data,
    current: () => held.context.config.current(),
    clock: setup.clock,
    log: createLog({ level: 'error', destination: { write: (line) => t.fail(line) } }),
    inspect,
    onChange: (name) => void changed.push(name)
  })
  const held: Station = await station(t, {
    config: { uploads: { min_free_bytes: 0 } },
    context: { knowledge: knowledgeContext(t, setup, { models }) }
  })
  const send = (name: string, filename: string, bytes: Buffer): Promise<Answer> =>
    held.ask({
      method: 'POST',
      path: `${API}/${encodeURIComponent(name)}/uploads`,
      raw: bytes,
      headers: {
        ...TUS,
        'upload-length': String(bytes.length),
        'upload-metadata': `filename ${base64(filename)}`,
        'content-type': 'application/offset+octet-stream'
      }
    })
  const files = (words: Record<string, number[]> = WORDS) => {
    const folder = join(setup.folder, 'made')
    writeModel(folder, words)
    return { table: readFileSync(join(folder, TABLE)), tokenizer: readFileSync(join(folder, TOKENIZER)) }
  }
  return { ...held, models, data, changed, send, files }
}

const onDisk = (data: string, name: string): boolean => existsSync(join(data, 'models', name, TABLE))

t.test('two files are opened, then they are a model, which is chosen by the way of every setting', async (t) => {
  const { ask, send, files, data, file, changed } = await world(t)
  const { table, tokenizer } = files()
  const first = await send('small', TOKENIZER, tokenizer)
  t.match(first, { status: 201, headers: { location: /^\/api\/knowledge\/models\/small\/uploads\/[0-9a-f]{32}$/ } })
  t.match((await ask(API)).body, { models: [], halves: [{ name: 'small', here: [TOKENIZER], missing: [TABLE] }] })
  t.equal(onDisk(data, 'small'), false, 'half of it counts as nothing')
  t.match((await send('small', TABLE, table)).status, 201)
  const bytes = table.length + tokenizer.length
  const model = { name: 'small', bytes, dims: 2, words: 4, refused: null, in_use: false }
  t.same((await ask(API)).body, { models: [model], halves: [], absent: null, looking: false })
  t.same(changed, ['small'])

  const used = await ask({ method: 'POST', path: `${API}/small/use` })
  t.match(used, { status: 200, body: { models: [{ name: 'small', in_use: true }] } })
  t.match(JSON.parse(file()), { knowledge: { embedding: { provider: 'static', model: 'small' } } })
  t.match(await ask({ method: 'DELETE', path: `${API}/small` }), { status: 409, body: { detail: /is in use/ } })
  t.equal(onDisk(data, 'small'), true)
})

t.test('a model takes the place of one of its name only when it is good', async (t) => {
  const { ask, send, files, data, changed } = await world(t)
  const { table, tokenizer } = files()
  for (const [name, bytes] of [
    [TABLE, table],
    [TOKENIZER, tokenizer]
  ] as const)
    t.equal((await send('small', name, bytes)).status, 201)
  const more = files({ ...WORDS, stove: [0.5, 0.5] })
  t.equal((await send('small', TABLE, table)).status, 201)
  const refused = await send('small', TOKENIZER, more.tokenizer)
  t.match(refused, { status: 422, body: { detail: /model\.safetensors has 4 rows for 5 tokens.*choose both again/ } })
  t.match((await ask(API)).body, { models: [{ name: 'small', words: 4, refused: null }], halves: [] })
  t.same(readFileSync(join(data, 'models/small', TOKENIZER)), tokenizer, 'nothing changed')
  t.same(changed, ['small'])

  for (const [name, bytes] of [
    [TABLE, more.table],
    [TOKENIZER, more.tokenizer]
  ] as const)
    t.equal((await send('small', name, bytes)).status, 201)
  t.match((await ask(API)).body, { models: [{ name: 'small', words: 5 }], halves: [] })
  t.same(changed, ['small', 'small'], 'its vectors are made again where it is in use')
})

t.test('what is no file of a model is refused with the reason, most of it before it has come', async (t) => {
  const { ask, send, files, data } = await world(t)
  const { table, tokenizer } = files()
  const refused = async (asked: Promise<Answer>, status: number, detail: RegExp): Promise<void> => {
    t.match(await asked, { status, body: { detail } })
  }
  await refused(send('small', 'model (1).safetensors', table), 422, /model \(1\)\.safetensors is called otherwise/)
  for (const name of ['.parts', '..', 'a/b', '-x'])
    await refused(send(name, TABLE, table), 422, /begins with a letter or a digit/)
  const page = Buffer.from(`<html>${' '.repeat(5000)}</html>`)
  await refused(send('small', TABLE, page), 415, /model\.safetensors is no file of a model/)
  await refused(send('small', TOKENIZER, page), 415, /tokenizer\.json is no file of a model/)
  const begun = await ask({
    method: 'POST',
    path: `${API}/small/uploads`,
    headers: { ...TUS, 'upload-length': '40000001', 'upload-metadata': `filename ${base64(TOKENIZER)}` }
  })
  t.match(begun, { status: 413, body: { detail: /more than 40 MB/ } })
  const much = await ask({
    method: 'POST',
    path: `${API}/small/uploads`,
    headers: { ...TUS, 'upload-length': String(2 ** 29 + 1), 'upload-metadata': `filename ${base64(TABLE)}` }
  })
  t.equal(much.status, 413)

  t.equal((await send('small', TABLE, table.subarray(0, table.length - 3))).status, 201, 'alone nobody can tell')
  await refused(send('small', TOKENIZER, tokenizer), 422, /model\.safetensors is no file of a model/)
  t.equal((await send('small', TABLE, table)).status, 201)
  await refused(send('small', TOKENIZER, Buffer.from('{"model":')), 422, /tokenizer\.json is no file of a model/)
  t.match((await ask(API)).body, { models: [], halves: [] })
  t.equal(onDisk(data, 'small'), false)
})

t.test(
  'a model that was copied here by hand is opened when somebody looks, and says what is wrong with it',
  async (t) => {
    const { ask, data } = await world(t)
    for (const name of ['good', 'cut', 'other']) writeModel(join(data, 'models', name), WORDS)
    truncateSync(join(data, 'models/cut', TABLE), 20)
    mkdirSync(join(data, 'models/empty'))
    writeFileSync(join(data, 'models/other', TOKENIZER), JSON.stringify(wordPieces(['a', 'b', 'c', 'd', 'e'])))
    t.match((await ask(API)).body, { looking: true })
    const found = await eventually('all were opened', async () => {
      const { body } = await ask(API)
      return body.looking ? null : body.models
    })
    t.match(found, [
      { name: 'cut', dims: null, refused: /model\.safetensors is no file/ },
      { name: 'empty', dims: null, refused: /model\.safetensors cannot be read/ },
      { name: 'good', dims: 2, words: 4, refused: null },
      { name: 'other', dims: null, refused: /has 4 rows for 6 tokens/ }
    ])
    t.match(await ask({ method: 'POST', path: `${API}/cut/use` }), { status: 409, body: { detail: /is no file/ } })
    t.equal((await ask({ method: 'POST', path: `${API}/nobody/use` })).status, 404)
    t.equal((await ask({ method: 'DELETE', path: `${API}/..` })).status, 404)
    t.match((await ask({ method: 'DELETE', path: `${API}/cut` })).body, { models: [{}, {}, {}] })
    t.equal(onDisk(data, 'cut'), false)
  }
)

t.test('a check that could not be made is no refusal: the file stays, and is tried again', async (t) => {
  let down = true
  const { ask, send, files } = await world(t, async (places) => {
    if (down) throw new AppError('unavailable', because('side_stopped', { name: 'model' }))
    return inspectModel(places)
  })
  const { table, tokenizer } = files()
  await send('small', TABLE, table)
  t.equal((await send('small', TOKENIZER, tokenizer)).status, 503)
  down = false
  const second = await send('small', TOKENIZER, tokenizer)
  t.match(second, { status: 201, headers: { 'upload-hash': /^[0-9a-f]{64}$/ } })
  t.equal((await ask({ method: 'HEAD', path: String(second.headers.location), headers: TUS })).status, 200)
})

t.test('the page shows what is here and does what the API does; a guest sees none of it', async (t) => {
  const { ask, send, files, file, data } = await world(t)
  const { table, tokenizer } = files()
  for (const name of ['one', 'two']) {
    await send(name, TABLE, table)
    await send(name, TOKENIZER, tokenizer)
  }
  await send('three', TABLE, table)
  const { text } = await ask('/knowledge/models')
  for (const words of ['one', 'two', '2 dimensions, 4 words', 'not in use', 'Still to come: tokenizer.json'])
    t.match(text, words)
  t.match((await ask('/knowledge')).text, '/knowledge/models')
  const form = (raw: string) =>
    ask({
      method: 'POST',
      path: '/knowledge/models',
      raw,
      headers: { 'content-type': 'application/x-www-form-urlencoded' }
    })
  t.match(await form('do=use&name=one'), { status: 303, headers: { location: '/knowledge/models?done=use' } })
  t.match(JSON.parse(file()), { knowledge: { embedding: { model: 'one' } } })
  t.match(await form('do=remove&name=one'), { status: 409, text: /is in use/ })
  for (const name of ['two', 'three']) t.equal((await form(`do=remove&name=${name}`)).status, 303)
  t.match((await ask(API)).body, { models: [{ name: 'one', in_use: true }], halves: [] })

  writeFileSync(join(data, 'models/one', TABLE), 'torn')
  const { models } = await eventually('it was looked at again', async () => {
    const { body } = await ask(API)
    return body.looking ? null : body
  })
  t.match(models, [{ name: 'one', in_use: true, refused: /no file/ }])
  t.match((await ask('/knowledge/models')).text, /cannot be used/)

  t.equal((await ask({ path: API, headers: FROM_AFAR })).status, 401)
  const guest = await ask({ path: '/knowledge/models', headers: FROM_AFAR })
  t.notMatch(guest.text, /<b>static one|dimensions|name="name"/)
  for (const [method, path] of [
    ['POST', `${API}/one/use`],
    ['DELETE', `${API}/one`],
    ['POST', `${API}/one/uploads`]
  ] as const) {
    t.equal((await ask({ method, path, headers: { ...FROM_AFAR, ...TUS } })).status, 401, path)
    const headers = { ...TUS, origin: 'http://elsewhere.example' }
    t.equal((await ask({ method, path, headers })).status, 403, `${path} from another origin`)
  }
})
