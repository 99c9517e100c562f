import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { PartialUploads } from '../../src/knowledge/intake/partial-uploads.ts'
import { type Intake, intake, pdf } from '../helpers/knowledge.ts'
import { knowledgeContext } from '../helpers/knowledge-pages.ts'
import { type Answer, type Question, type Station, station } from './harness.ts'

const sha = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const TUS = { 'tus-resumable': '1.0.0' }
const CHUNK = 'application/offset+octet-stream'

interface Library extends Station {
  setup: Intake
  tus: (question: Question) => Promise<Answer>
  begin: (length: number, metadata?: string, headers?: Record<string, string>) => Promise<string>
  patch: (path: string, offset: number, raw: Buffer) => Promise<Answer>
}

async function library(t: Test, options: { free?: () => number } = {}): Promise<Library> {
  const setup = await intake(t, options.free === undefined ? {} : { free: options.free })
  const { folder, receiver, partials } = setup
  const held = await station(t, { context: { knowledge: knowledgeContext(t, setup, { folder, receiver, partials }) } })
  const tus = (question: Question) => held.ask({ ...question, headers: { ...TUS, ...question.headers } })
  return {
    ...held,
    setup,
    tus,
    begin: async (
      length,
      metadata = `filename ${base64('Büchlein.pdf')},category ${base64('Water')}`,
      headers = {}
    ) => {
      const answer = await tus({
        method: 'POST',
        path: '/api/uploads',
        headers: { 'upload-length': String(length), 'upload-metadata': metadata, ...headers }
      })
      t.equal(answer.status, 201, answer.text)
      return String(answer.headers.location)
    },
    patch: (path, offset, raw) =>
      tus({ method: 'PATCH', path, raw, headers: { 'content-type': CHUNK, 'upload-offset': String(offset) } })
  }
}

t.test('OPTIONS says what there is, without asking for a version', async (t) => {
  const { ask } = await library(t)
  const answer = await ask({ method: 'OPTIONS', path: '/api/uploads' })
  t.match(answer, {
    status: 204,
    headers: {
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration',
      'tus-max-size': '20000000'
    }
  })
})

t.test('an upload comes in pieces, and with the last one it is taken in like any other', async (t) => {
  const { setup, begin, patch, tus, ask } = await library(t)
  const content = Buffer.concat([pdf('pieces'), randomBytes(300_000)])
  const path = await begin(content.length)
  t.match(path, /^\/api\/uploads\/[0-9a-f]{32}$/)
  for (let at = 0; at < content.length; ) {
    const head = await tus({ method: 'HEAD', path })
    t.match(head, {
      status: 200,
      headers: {
        'upload-offset': String(at),
        'upload-length': String(content.length),
        'cache-control': 'no-store',
        'tus-resumable': '1.0.0'
      }
    })
    const piece = content.subarray(at, at + 100_000)
    const answer = await patch(path, at, piece)
    at += piece.length
    t.match(answer, { status: 204, headers: { 'upload-offset': String(at) } })
    t.equal(answer.headers['content-length'], undefined)
    const isDone = at === content.length
    t.equal(answer.headers['upload-hash'], isDone ? sha(content) : undefined)
    if (isDone) t.equal(answer.headers['upload-status-url'], `/api/upload/${sha(content)}/status`)
  }
  t.match(setup.uploads.get(sha(content)), {
    state: 'pending',
    filename: 'Büchlein.pdf',
    category: 'Water',
    extension: '.pdf'
  })
  t.equal(setup.files()[`acquired/pdf/${sha(content)}.pdf`], content.toString('latin1'))
  t.match((await ask(`/api/upload/${sha(content)}/status`)).body, { status: 'pending' })
  const after = await tus({ method: 'HEAD', path })
  t.match(
    after,
    { status: 200, headers: { 'upload-hash': sha(content), 'upload-offset': String(content.length) } },
    'a client that missed the answer'
  )
  t.equal(setup.arrivals(), 1)
})

t.test('the first bytes may come with the beginning, all of them too', async (t) => {
  const { tus, patch } = await library(t)
  const content = pdf('with upload')
  const post = (raw: Buffer) =>
    tus({
      method: 'POST',
      path: '/api/uploads',
      raw,
      headers: { 'upload-length': String(content.length), 'content-type': CHUNK }
    })
  const some = await post(content.subarray(0, 5))
  t.match(some, { status: 201, headers: { 'upload-offset': '5' } })
  t.match(await patch(String(some.headers.location), 5, content.subarray(5)), {
    status: 204,
    headers: { 'upload-hash': sha(content) }
  })
  t.match(await post(content), { status: 409, body: { existing: { hash: sha(content), filename: 'unnamed' } } })
})

t.test('what is wrong with a question is said, with the version, and changes nothing', async (t) => {
  let free = 1e12
  const { ask, tus, begin, patch, setup } = await library(t, { free: () => free })
  const path = await begin(100)
  await patch(path, 0, Buffer.from('%PDF-1.4\n'))
  const post = (headers: Record<string, string>, raw?: string) =>
    tus({ method: 'POST', path: '/api/uploads', headers, ...(raw === undefined ? {} : { raw }) })
  const unknown = `/api/uploads/${'0'.repeat(32)}`
  const cases: [string, Promise<Answer>, number][] = [
    ['no version', ask({ method: 'PATCH', path }), 412],
    ['another version', ask({ method: 'HEAD', path, headers: { 'tus-resumable': '0.2.2' } }), 412],
    ['no length', post({}), 400],
    ['a length later', post({ 'upload-defer-length': '1' }), 400],
    ['a length of words', post({ 'upload-length': '-5' }), 400],
    ['nothing at all', post({ 'upload-length': '0' }), 422],
    ['too much', post({ 'upload-length': '20000001' }), 413],
    ['an unknown upload', tus({ method: 'HEAD', path: unknown }), 404],
    ['a strange name', tus({ method: 'HEAD', path: '/api/uploads/..%2f..%2fx' }), 404],
    ['bytes to nowhere', patch(unknown, 0, Buffer.from('x')), 404],
    ['the end of nothing', tus({ method: 'DELETE', path: unknown }), 404],
    ['another type', tus({ method: 'PATCH', path, raw: 'x', headers: { 'upload-offset': '9' } }), 415],
    ['no offset', tus({ method: 'PATCH', path, raw: 'x', headers: { 'content-type': CHUNK } }), 400],
    ['an offset before the end', patch(path, 4, Buffer.from('x')), 409],
    ['an offset behind the end', patch(path, 10, Buffer.from('x')), 409],
    ['more than announced', patch(path, 9, Buffer.alloc(92, 'x')), 400]
  ]
  for (const [name, asked, status] of cases) {
    const answer = await asked
    t.equal(answer.status, status, `${name}: ${answer.text}`)
    t.equal(answer.headers['tus-resumable'], '1.0.0', name)
  }
  t.equal((await ask({ method: 'PATCH', path })).headers['tus-version'], '1.0.0')
  t.match((await tus({ method: 'HEAD', path })).headers, { 'upload-offset': '9' })
  free = 0
  t.equal((await post({ 'upload-length': '100' })).status, 507)
  t.equal(setup.names().length, 2)
})

t.test('what cannot be taken is refused at its first bytes, and the refusal is remembered', async (t) => {
  const { begin, patch, tus, setup } = await library(t)
  const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'), Buffer.alloc(10_000)])
  const path = await begin(1_000_000)
  t.match(await patch(path, 0, picture), { status: 415, body: { detail: /PNG/ } }, 'the rest need not come')
  t.equal((await tus({ method: 'HEAD', path })).status, 415)
  t.equal(setup.names().filter((name) => name.endsWith('.bytes')).length, 0, 'its bytes are gone')
  const content = pdf('twice')
  for (const status of [204, 409]) {
    const upload = await begin(content.length)
    const answer = await patch(upload, 0, content)
    t.equal(answer.status, status)
    if (status === 409) {
      t.match(answer.body.existing, { hash: sha(content), filename: 'Büchlein.pdf', status_url: /status$/ })
      t.equal((await tus({ method: 'HEAD', path: upload })).status, 409)
    }
  }
})

t.test('an upload is ended by DELETE, and by 24 hours without a byte', async (t) => {
  const { begin, patch, tus, setup } = await library(t)
  const path = await begin(100)
  await patch(path, 0, Buffer.from('some'))
  t.equal((await tus({ method: 'DELETE', path })).status, 204)
  t.equal((await tus({ method: 'HEAD', path })).status, 404)
  t.same(setup.names(), [])
  const old = await begin(100)
  const young = await begin(100)
  const hour = 3_600_000
  await setup.clock.runTo(setup.clock.now() + 20 * hour)
  const answer = await patch(young, 0, Buffer.from('some'))
  t.equal(
    Date.parse(String(answer.headers['upload-expires'])),
    Math.trunc((setup.clock.now() + 24 * hour) / 1000) * 1000
  )
  await setup.clock.runTo(setup.clock.now() + 5 * hour)
  t.equal((await tus({ method: 'HEAD', path: old })).status, 404)
  await begin(100)
  t.equal(await setup.partials.sweep(), 0, 'whoever begins one removes what has expired')
  t.match((await tus({ method: 'HEAD', path: young })).headers, { 'upload-offset': '4' })
  t.equal(setup.names().length, 4)
})

/** Sends the head and some bytes of a PATCH, and leaves the connection open. */
function stall(port: number, path: string, { offset, length }: { offset: number; length: number }, bytes: Buffer) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `PATCH ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: ${offset}\r\nContent-Type: ${CHUNK}\r\nContent-Length: ${length}\r\n\r\n`
  )
  socket.write(bytes)
  return socket
}

async function until(check: () => Promise<boolean>): Promise<boolean> {
  for (let n = 0; n < 300; n++) {
    if (await check()) return true
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return false
}

t.test(
  'a connection that breaks keeps what came; a client that comes again takes over from its own dead connection',
  async (t) => {
    const { begin, patch, tus, service, setup } = await library(t)
    const content = Buffer.concat([pdf('break'), randomBytes(200_000)])
    const path = await begin(content.length)
    const offset = async () => Number((await tus({ method: 'HEAD', path })).headers['upload-offset'])
    const first = stall(service.port, path, { offset: 0, length: content.length }, content.subarray(0, 70_000))
    t.ok(await until(async () => (await offset()) === 70_000))
    first.destroy()
    t.ok(await until(async () => (await offset()) === 70_000), 'all that came is kept')
    const dead = stall(
      service.port,
      path,
      { offset: 70_000, length: content.length - 70_000 },
      content.subarray(70_000, 90_000)
    )
    t.ok(await until(async () => (await offset()) === 90_000))
    const answer = await patch(path, 90_000, content.subarray(90_000))
    t.match(answer, { status: 204, headers: { 'upload-hash': sha(content) } })
    dead.destroy()
    t.equal(setup.files()[`acquired/pdf/${sha(content)}.pdf`], content.toString('latin1'))
  }
)

t.test('after a kill the offset is what is on the disk, wherever the kill came', async (t) => {
  const { begin, patch, setup } = await library(t)
  const content = pdf('kill')
  const again = () => new PartialUploads({ receiver: setup.receiver, now: () => setup.clock.now() })
  const id = (await begin(content.length)).split('/').at(-1) ?? ''
  await patch(`/api/uploads/${id}`, 0, content.subarray(0, 7))
  t.match(await again().get(id), {
    offset: 7,
    length: content.length,
    facts: { filename: 'Büchlein.pdf', category: 'Water' }
  })
  // Killed after the last byte, before the file was taken in.
  const { appendFileSync, unlinkSync } = await import('node:fs')
  const folder = join(setup.folder, 'acquired/.parts/resumable')
  appendFileSync(join(folder, `${id}.bytes`), content.subarray(7))
  t.match(await again().get(id), { outcome: { hash: sha(content) } }, 'whoever asks next completes it')
  t.equal(setup.arrivals(), 1)
  // Killed after it was taken in, before that was noted.
  const { readFileSync, writeFileSync } = await import('node:fs')
  const note = JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'))
  writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...note, outcome: null }))
  t.match(await again().get(id), { offset: content.length, outcome: { hash: sha(content) } })
  t.equal(setup.arrivals(), 1, 'it is not taken in twice')
  // A note that was cut short is no upload.
  writeFileSync(join(folder, `${id}.json`), '{"length": 5')
  await t.rejects(again().get(id), { code: 'not-found' })
  t.equal(await again().sweep(), 1)
  t.same(readdirSync(folder), [])
  // Killed between the note and the first byte.
  const other = (await begin(5)).split('/').at(-1) ?? ''
  unlinkSync(join(folder, `${other}.bytes`))
  t.match(await again().get(other), { offset: 0 })
})
