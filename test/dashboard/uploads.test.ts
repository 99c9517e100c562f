import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Test } from 'tap'
import t from 'tap'
import { readUploadForm } from '../../src/dashboard/server/body-stream.ts'
import { note } from '../helpers/in-words.ts'
import { type Intake, intake, newDocument, pdf } from '../helpers/knowledge.ts'
import { knowledgeContext } from '../helpers/knowledge-pages.ts'
import { type Question, type Station, station } from './harness.ts'

const sha = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')
const BOUNDARY = 'x-boundary-x'

type Field = { name: string; value: string | Buffer; filename?: string }

function form(fields: Field[], patch: Partial<Question> = {}): Question {
  const parts = fields.flatMap(({ name, value, filename }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n${filename === undefined ? '' : 'Content-Type: application/octet-stream\r\n'}\r\n`
    ),
    Buffer.from(value),
    Buffer.from('\r\n')
  ])
  return {
    path: '/api/upload',
    method: 'POST',
    raw: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    ...patch,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...patch.headers }
  }
}

const file = (value: string | Buffer, filename = 'a.pdf'): Field => ({ name: 'file', value, filename })

/** A station with a real intake, whose worker sleeps. */
async function library(
  t: Test,
  options: { config?: unknown; mode?: 'run' | 'preview'; free?: () => number } = {}
): Promise<Station & { setup: Intake; woken: () => number }> {
  const setup = await intake(t, options.free === undefined ? {} : { free: options.free })
  const { folder, receiver, partials } = setup
  const knowledge = knowledgeContext(t, setup, { folder, receiver, partials })
  const { config = {}, mode = 'run' } = options
  return { ...(await station(t, { config, context: { knowledge, mode } })), setup, woken: knowledge.woken }
}

t.test(
  'a form brings a file in; its fields come in any order, and the answer names where to ask about it',
  async (t) => {
    const { ask, setup } = await library(t)
    const orders: Field[][] = [
      [file(pdf('1'), 'Wells.pdf'), { name: 'category', value: 'Water' }, { name: 'title', value: 'Ein Büchlein' }],
      [{ name: 'title', value: 'Ein Büchlein' }, { name: 'category', value: 'Water' }, file(pdf('2'), 'Wells.pdf')],
      [
        { name: 'category', value: 'Water' },
        { name: 'other', value: 'x' },
        file(pdf('3'), 'Wells.pdf'),
        { name: 'title', value: 'Ein Büchlein' }
      ]
    ]
    for (const [index, fields] of orders.entries()) {
      const hash = sha(pdf(String(index + 1)))
      const answer = await ask(form(fields))
      t.equal(answer.status, 201, answer.text)
      t.same(answer.body, { hash, filename: 'Wells.pdf', status: 'pending', status_url: `/api/upload/${hash}/status` })
      t.equal(answer.headers.location, answer.body.status_url)
      t.match(setup.uploads.get(hash), { filename: 'Wells.pdf', category: 'Water', title: 'Ein Büchlein' })
      const status = await ask(answer.body.status_url)
      t.match(status.body, {
        hash,
        filename: 'Wells.pdf',
        status: 'pending',
        document: null,
        status_url: answer.body.status_url
      })
    }
    const raw = await ask({
      path: '/api/upload?filename=%C3%9Cber.txt&category=Water',
      raw: 'Boil it.',
      method: 'POST'
    })
    t.match(raw, { status: 201, body: { hash: sha('Boil it.'), filename: 'Über.txt' } })
    t.equal((await ask(form([file(pdf('4'), '日本語 “x”.pdf')]))).body.filename, '日本語 “x”.pdf', 'names are UTF-8')
    t.same((await ask('/api/upload/categories')).body, { categories: [{ name: 'Water', count: 4 }] })
    t.match(await ask(`/api/upload/${'0'.repeat(64)}/status`), { status: 404 })
    t.match(await ask('/api/upload/nonsense/status'), { status: 404 })
  }
)

t.test('every refusal says why, and leaves nothing behind', async (t) => {
  let free = 1e12
  const { ask, setup } = await library(t, { free: () => free })
  const cases: [Question, number, RegExp][] = [
    [form([file('')]), 422, /empty/],
    [form([{ name: 'category', value: 'x' }]), 422, /no file/],
    [form([{ name: 'file', value: 'no file name, so a field' }]), 422, /no file/],
    [form([]), 422, /no file|broken/],
    [form([file(pdf('1')), file(pdf('2'))]), 422, /one file at a time/],
    [form([file(Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'), 'a.pdf')]), 415, /PNG/],
    [form([file('WEBVTT\n')]), 415, /vtt/],
    [form([file('Boil it.', 'a.exe')]), 415, /\.exe/],
    [form([file(pdf('1'), 'a.jpg')]), 415, /\.jpg/],
    [form([file('This is no PDF.', 'a.pdf')]), 415, /plain text, and is called \.pdf/],
    [{ path: '/api/upload', raw: '{}', headers: { 'content-type': 'application/json' } }, 415, /multipart/],
    [form([file(Buffer.alloc(20_000_001, 'a'))]), 413, /uploads\.max_bytes/],
    [form([file(Buffer.alloc(40_000_000, 'a'))]), 413, /uploads\.max_bytes/],
    [form([file(pdf('1'))], { headers: { 'content-type': 'multipart/form-data' } }), 415, /boundary/],
    [
      {
        path: '/api/upload',
        raw: `--${BOUNDARY}\r\nContent-`,
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
      },
      400,
      /cut off/
    ],
    [{ path: '/api/upload', raw: pdf('1'), headers: { 'content-encoding': 'gzip' } }, 415, /Content-Encoding/],
    [{ path: '/api/upload', raw: '', method: 'POST' }, 422, /empty/]
  ]
  for (const [question, status, words] of cases) {
    const answer = await ask(question)
    t.match(answer, { status, body: { status, detail: words } }, `${status} ${words} ${answer.text}`)
    t.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
  }
  free = 0
  t.match(await ask(form([file(pdf('1'))])), { status: 507, body: { title: 'Insufficient Storage' } })
  t.same(setup.files(), {})
  t.same(setup.uploads.list({ limit: 1 }), [])
})

t.test('a duplicate is told what is here already, and where; a failed one how to try again', async (t) => {
  const { ask, setup } = await library(t)
  await ask(form([file(pdf('1'), 'first.pdf')]))
  const hash = sha(pdf('1'))
  const again = await ask(form([file(pdf('1'), 'second.pdf')]))
  t.match(again, { status: 409, body: { status: 409, title: 'Conflict' } })
  const status_url = `/api/upload/${hash}/status`
  t.same(again.body.existing, { hash, filename: 'first.pdf', status: 'pending', status_url })
  const both = await Promise.all([1, 2, 3, 4].map(() => ask(form([file(pdf('2'))]))))
  t.same(both.map(({ status }) => status).sort(), [201, 409, 409, 409], 'of equal ones at the same time one is taken')
  setup.catalogue.add(newDocument(3, { hash: sha(pdf('3')), status: 'failed', failedStage: 'embed' }))
  const failed = await ask(form([file(pdf('3'))]))
  t.equal(failed.body.existing.retry_url, `/api/documents/${sha(pdf('3'))}/retry`)
  const retried = await ask({ path: failed.body.existing.retry_url, method: 'POST' })
  t.match(retried, { status: 202, body: { ok: true, document: { status: 'enriched' } } })
  t.match(await ask({ path: failed.body.existing.retry_url, method: 'POST' }), { status: 409 })
})

t.test('who may not write is told so before the file is read, also while it is still being sent', async (t) => {
  const { ask, setup } = await library(t, { config: { http: { trusted_proxies: ['10.0.0.1'] } } })
  const big = form([file(Buffer.alloc(8_000_000, 'a'))])
  t.match(await ask(big), { status: 401, body: { detail: /Sign in/ } })
  t.match(await ask({ ...big, path: '/api/upload', headers: { ...big.headers, origin: 'http://evil.example' } }), {
    status: 403
  })
  t.same(setup.files(), {})

  const preview = await library(t, { mode: 'preview' })
  const waits = await preview.ask(form([file(pdf('1'))]))
  t.match(waits, { status: 201, body: { status: 'pending' } }, 'stays pending there (contract §7)')
  t.match(await preview.ask(waits.body.status_url), {
    status: 200,
    body: { status: 'pending', message: /^This is a preview: it waits until lookout start runs/ }
  })
  t.equal((await preview.ask({ path: `/api/documents/${sha(pdf('1'))}`, method: 'DELETE' })).status, 503)
  const without = await station(t, {})
  t.match(await without.ask(form([file(pdf('1'))])), { status: 404, body: { detail: /without knowledge/ } })
  t.match(await without.ask('/api/documents'), { status: 404, body: { detail: /without knowledge/ } })
})

t.test(
  'a refusal reaches a client that goes on sending, and a client that waits for leave is not given it',
  async (t) => {
    const { service, setup } = await library(t)
    const talk = (head: string, then: (send: (bytes: Buffer | string) => void) => void) =>
      new Promise<string>((resolve) => {
        const socket = connect(service.port, '127.0.0.1')
        let heard = ''
        socket.on('data', (chunk) => {
          heard += chunk.toString('latin1')
          if (/\r\n\r\n.*\}$/s.test(heard)) socket.end()
        })
        socket.on('error', () => undefined)
        socket.on('close', () => resolve(heard))
        socket.write(`${head}\r\nHost: 127.0.0.1\r\n\r\n`)
        then((bytes) => socket.write(bytes))
      })
    const tooLong = await talk('POST /api/upload?filename=a.pdf HTTP/1.1\r\nContent-Length: 900000000', (send) => {
      for (let n = 0; n < 30; n++) send(Buffer.alloc(100_000, 'a'))
    })
    t.match(tooLong, /^HTTP\/1\.1 413 .*max_bytes/s)
    const waiting = await talk(
      'POST /api/upload?filename=a.pdf HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 900000000',
      () => undefined
    )
    t.match(waiting, /^HTTP\/1\.1 413/)
    const allowed = await talk(
      `POST /api/upload?filename=a.pdf HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: ${pdf('x').length}`,
      (send) => setTimeout(() => send(pdf('x')), 100)
    )
    t.match(allowed, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201/)
    t.equal(setup.files()[`acquired/pdf/${sha(pdf('x'))}.pdf`], pdf('x').toString('latin1'))
  }
)

t.test('a client that breaks off in the middle leaves nothing, as a form and as bytes', async (t) => {
  const { service, setup } = await library(t)
  const heads = [
    'POST /api/upload?filename=a.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500000\r\n\r\nsome text',
    'POST /api/upload?filename=a.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ntext\r\n',
    `POST /api/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: 500000\r\n\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nsome text`
  ]
  for (const head of heads) {
    const socket = connect(service.port, '127.0.0.1')
    socket.write(head)
    const seen = async (count: number): Promise<boolean> => {
      for (let n = 0; n < 200; n++) {
        if (setup.names().length === count) return true
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return false
    }
    t.ok(await seen(1), 'it is being written')
    socket.destroy()
    t.ok(await seen(0), 'and gone')
  }
  t.same(setup.uploads.list({ limit: 1 }), [])
})

t.test(
  'a form whose last file can have no end, behind an end mark that came too early, is given up when its client leaves',
  async (t) => {
    const field = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="category"\r\n\r\nx\r\n`
    const body = new PassThrough()
    body.end(`${field}--${BOUNDARY}--\r\n${field}${field.replace('"category"', '"file"; filename="a.txt"')}`)
    const req = Object.assign(body, { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } })
    const res = new EventEmitter()
    const store = async (content: Readable): Promise<never> => {
      content.once('data', () => setImmediate(() => res.emit('close')))
      await finished(content)
      throw new Error('it came to an end')
    }
    const drop = async (): Promise<void> => undefined
    await t.rejects(readUploadForm(req as never, res as never, { store, drop }), { code: 'bad-input' })
  }
)

t.test('a form that ends in a file nobody asked for is refused as broken, and ends nothing else', async (t) => {
  const { ask, setup } = await library(t)
  const { raw, ...question } = form([{ name: 'other', value: 'x'.repeat(50), filename: 'b.txt' }])
  const whole = Buffer.from(raw ?? '')
  for (const left of [20, 30, 60]) {
    const { status } = await ask({ ...question, raw: whole.subarray(0, whole.length - left) })
    t.equal(status, 400)
  }
  t.same(setup.names(), [])
})

t.test('documents are listed, read, and their stored file is saved, never shown', async (t) => {
  const { ask, setup } = await library(t)
  const text = 'x'.repeat(1000)
  writeFileSync(join(setup.folder, 'secret.txt'), 'secret')
  const id = setup.catalogue.add(
    newDocument(1, {
      path: 'processing/öl.pdf',
      filename: 'Öl "und" Fett.epub',
      domain: 'Medical',
      review: { reason: note('two'), candidates: ['Medical'], duplicate_of: null }
    }),
    ['a'.repeat(64)]
  )
  writeFileSync(join(setup.folder, 'processing/öl.pdf'), text)
  setup.catalogue.setPages(id, [{ number: 1, text: 'one', method: 'pdftotext', startSeconds: null }])
  setup.catalogue.add(newDocument(2, { path: '../../etc/passwd', kind: 'web', status: 'skipped' }))
  setup.catalogue.add(newDocument(3))
  const list = await ask('/api/documents?limit=2')
  t.same(
    list.body.documents.map(({ hash }: { hash: string }) => hash[0]),
    ['3', '2']
  )
  t.match((await ask(`/api/documents?limit=2&cursor=${list.body.next}`)).body, {
    documents: [{ title: 'Book 1' }],
    next: null
  })
  t.match((await ask('/api/documents?badge=WEB&review=')).body.documents, [
    { badge: 'WEB', status: 'skipped', retry_url: /retry/ }
  ])
  t.equal((await ask('/api/documents?review=true')).body.documents.length, 1)
  t.equal((await ask('/api/documents?status=perhaps')).status, 422)
  const one = (await ask(`/api/documents/${'1'.repeat(64)}`)).body
  t.match(one, {
    badge: 'PDF',
    domain: 'Medical',
    hashes: ['1'.repeat(64), 'a'.repeat(64)],
    removing: false,
    windows: [],
    page_count: 0
  })
  t.equal((await ask(`/api/documents/${'A'.repeat(64)}`)).body.hash, '1'.repeat(64), 'any of its hashes will do')
  t.match((await ask(`/api/documents/${'1'.repeat(64)}/pages/1`)).body, { number: 1, text: 'one', method: 'pdftotext' })
  for (const path of ['pages/2', 'pages/0', 'pages/x', 'pages/1e0'])
    t.equal((await ask(`/api/documents/${'1'.repeat(64)}/${path}`)).status, 404)
  const original = await ask(one.original_url)
  t.match(original, {
    status: 200,
    text,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="_l _und_ Fett.epub.pdf"; filename*=UTF-8''%C3%96l%20%22und%22%20Fett.epub.pdf`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': /^sandbox/
    }
  })
  const part = await ask({ path: one.original_url, headers: { range: 'bytes=990-' } })
  t.match(part, { status: 206, text: 'x'.repeat(10), headers: { 'content-range': 'bytes 990-999/1000' } })
  t.equal((await ask(`/api/documents/${'2'.repeat(64)}/original`)).status, 404, 'nothing outside the data folder')
  t.equal((await ask(`/api/documents/${'3'.repeat(64)}/original`)).status, 404)
})

t.test('decisions, retries and removal wake the worker; the overview tells what is left to do', async (t) => {
  const { ask, setup, woken } = await library(t)
  const add = (n: number, patch = {}) => setup.catalogue.add(newDocument(n, patch))
  const url = (n: number, rest = '') => `/api/documents/${String(n).repeat(64)}${rest}`
  const copy = {
    status: 'needs_review' as const,
    review: { reason: 'copy', candidates: [], duplicate_of: '1'.repeat(64) }
  }
  add(1)
  for (const n of [2, 3, 4]) add(n, copy)
  for (const n of [5, 6]) add(n, { status: 'failed', failedStage: 'extract', reason: 'no such page' })
  add(7, { status: 'skipped', reason: 'its language is German' })
  const review = (n: number, body: unknown) => ask({ path: `${url(n)}/review`, body })
  t.match(await review(1, { action: 'keep' }), { status: 409 })
  t.match(await review(2, { action: 'domain' }), { status: 422, body: { errors: [{ path: '/domain' }] } })
  t.match(await review(2, { action: 'domain', domain: 'Magic' }), { status: 422 })
  t.match(await review(2, { action: 'burn' }), { status: 422 })
  t.match(await review(9, { action: 'keep' }), { status: 404 })
  t.equal(woken(), 0)
  t.match(await review(2, { action: 'domain', domain: 'Medical' }), {
    status: 200,
    body: { document: { domain: 'Medical', status: 'needs_review' } }
  })
  t.match(await review(2, { action: 'keep' }), { status: 200, body: { document: { status: 'queued', review: null } } })
  t.match(await review(3, { action: 'replace' }), {
    status: 200,
    body: { document: { status: 'queued' }, removing: false }
  })
  t.equal((await ask(url(1))).body.removing, true)
  t.match(await review(4, { action: 'discard' }), { status: 200, body: { removing: true } })
  t.match(await ask({ path: '/api/documents/retry-failed', method: 'POST' }), { status: 202, body: { retried: 2 } })
  t.equal((await ask(url(7))).body.status, 'skipped', 'R6: what was left out stays left out')
  t.match(await ask({ path: url(7, '/retry'), method: 'POST' }), {
    status: 202,
    body: { document: { status: 'extracted' } }
  })
  t.match(await ask({ path: url(5), method: 'DELETE' }), {
    status: 202,
    body: { state: 'removing', hash: '5'.repeat(64) }
  })
  t.match(await ask({ path: url(5), method: 'DELETE' }), { status: 202 }, 'asked twice')
  t.equal(woken(), 8)
  const known = (await ask('/api/knowledge')).body
  t.match(known, {
    documents: { queued: 5, extracted: 1, needs_review: 1, failed: 0 },
    uploads: { pending: 0, rejected: 0 },
    review: 1,
    running: [],
    held: [],
    dead: [],
    failures: [],
    rejected: [],
    throughput: { documents_last_hour: 0 },
    worker: { state: 'asleep' }
  })
  t.equal(known.throughput.documents_per_hour.length, 24)
  t.ok(known.tools.length > 0)
})

t.test('the overview names what runs, what waits for a tool and what was given up, by file', async (t) => {
  const { ask, setup } = await library(t)
  await ask(form([file(pdf('1'), 'one.pdf')]))
  const id = setup.catalogue.add(newDocument(5))
  const job = setup.jobs.claim(['dispatch'], { owner: 'w', leaseMs: 1000 })
  setup.jobs.renew(job?.id ?? 0, 'w', 1000, note('page 3 of 9'))
  const held = setup.jobs.claim(['extract'], { owner: 'w', leaseMs: 1000 })
  setup.jobs.hold(held?.id ?? 0, 'w', { reason: note('pdftotext is missing'), retryAt: setup.clock.now() + 60_000 })
  setup.catalogue.add(newDocument(6, { status: 'failed', failedStage: 'enrich', reason: note('no pages') }))
  const { body } = await ask('/api/knowledge')
  t.match(body.running, [{ kind: 'dispatch', filename: 'one.pdf', hash: sha(pdf('1')), progress: 'page 3 of 9' }])
  t.match(body.held, [{ kind: 'extract', subject: String(id), filename: 'book 5.pdf', reason: 'pdftotext is missing' }])
  t.match(body.failures, [{ filename: 'book 6.pdf', failed_stage: 'enrich', reason: 'no pages', retry_url: /retry/ }])
  t.match((await ask(`/api/upload/${sha(pdf('1'))}/status`)).body, { progress: 'page 3 of 9' })
})

t.test('a filter by badge is taken in letters of any case; another one is refused by name', async (t) => {
  const { ask } = await library(t)
  for (const badge of ['PDF', 'pdf', 'Transcript', 'wiki'])
    t.equal((await ask(`/api/documents?badge=${badge}`)).status, 200, badge)
  t.match(await ask('/api/documents?badge=EPUB'), {
    status: 422,
    body: { detail: /a badge is one of PDF, WEB, WIKI, transcript/ }
  })
})

t.test('what was not taken in is deleted with its file and its record; what is under way is not', async (t) => {
  const { ask, setup } = await library(t)
  const [bad, twin, going] = ['1', '2', '3'].map((n) => sha(pdf(n)))
  for (const n of ['1', '2', '3']) t.equal((await ask(form([file(pdf(n), `${n}.pdf`)]))).status, 201)
  setup.uploads.setState(bad ?? '', 'rejected', { reason: note('it is damaged') })
  setup.uploads.setState(twin ?? '', 'duplicate', { reason: note('it is here'), duplicateOf: going ?? '' })
  for (const hash of [bad, twin]) {
    const kept = join(setup.folder, 'rejected', hash ?? '')
    mkdirSync(kept, { recursive: true })
    writeFileSync(join(kept, 'source.pdf'), 'bytes')
    const path = `/api/documents/${hash?.toUpperCase()}`
    t.match(await ask({ path, method: 'DELETE' }), { status: 202, body: { ok: true, hash, state: 'removed' } })
    t.notOk(existsSync(kept))
    t.equal(setup.uploads.get(hash ?? ''), null)
    t.equal((await ask({ path, method: 'DELETE' })).status, 404)
  }
  t.equal((await ask({ path: `/api/documents/${going}`, method: 'DELETE' })).status, 404)
  t.match(setup.uploads.get(going ?? ''), { state: 'pending' })
})
