import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { fire, station } from './harness.ts'

const STYLE = `body { color: black } /* ${'x'.repeat(3000)} */`

/** A folder `web` of its own with a compressed copy of its style sheet; ages in seconds. */
function webFolder(t: Pick<Test, 'teardown'>, age: { plain: number; copy: number }): string {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-web-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'pages'))
  const write = (name: string, bytes: string | Buffer, seconds: number): void => {
    writeFileSync(join(folder, name), bytes)
    const time = Date.now() / 1000 - seconds
    utimesSync(join(folder, name), time, time)
  }
  write('style.css', STYLE, age.plain)
  write('style.css.br', brotliCompressSync(`${STYLE} br`), age.copy)
  write('style.css.gz', gzipSync(`${STYLE} gz`), age.copy)
  write('pages/bare.js', STYLE, 0)
  return folder
}

/** An answer as bytes, decoded by what its header says. */
async function fetchRaw(
  port: number,
  path: string,
  accept: string
): Promise<{ encoding: string; text: string; headers: Headers }> {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent: false, headers: { 'accept-encoding': accept } }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk) => chunks.push(chunk))
      res.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const encoding = String(res.headers['content-encoding'] ?? '')
        const text = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
        resolve({ encoding, text: text.toString(), headers: new Headers(res.headers as Record<string, string>) })
      })
    }).on('error', reject)
  })
}

t.test('files are sent as the compressed copy of the build, in the best encoding the client takes', async (t) => {
  const { service } = await station(t, { webFolder: webFolder(t, { plain: 60, copy: 60 }) })
  const ask = (accept: string) => fetchRaw(service.port, '/static/style.css', accept)
  t.match(await ask('gzip, deflate, br'), { encoding: 'br', text: `${STYLE} br` })
  t.match(await ask('gzip'), { encoding: 'gzip', text: `${STYLE} gz` })
  t.match(await ask('br;q=0, gzip'), { encoding: 'gzip' })
  t.match(await ask('identity'), { encoding: '', text: STYLE })
  t.match((await ask('br')).headers.get('content-type'), /text\/css/)
  t.match((await ask('br')).headers.get('vary'), /Accept-Encoding/)
  t.match(await fetchRaw(service.port, '/static/pages/bare.js', 'br'), { encoding: '', text: STYLE })
})

t.test('a file that is newer than its copy is sent as it is', async (t) => {
  const { service } = await station(t, { webFolder: webFolder(t, { plain: 10, copy: 60 }) })
  for (const accept of ['gzip, deflate, br', 'gzip', 'identity'])
    t.match(await fetchRaw(service.port, '/static/style.css', accept), { encoding: '', text: STYLE }, accept)
})

t.test('a browser that has the file is told so', async (t) => {
  const { service, ask } = await station(t, { webFolder: webFolder(t, { plain: 60, copy: 50 }) })
  for (const accept of ['br', 'gzip', 'identity']) {
    const { headers } = await fetchRaw(service.port, '/static/style.css', accept)
    t.equal(headers.get('cache-control'), 'no-cache')
    const known = { 'accept-encoding': accept, 'if-none-match': String(headers.get('etag')) }
    t.equal((await ask({ path: '/static/style.css', headers: known })).status, 304, accept)
  }
})

t.test('pages and JSON are compressed when they are worth it, with the same document inside', async (t) => {
  const { service, ask } = await station(t)
  await ask({ path: '/api/events', body: Array.from({ length: 80 }, (_, n) => ({ ...fire, id: `f${n}` })) })
  for (const path of ['/', '/alerts', '/api/events?limit=20', '/api/events?limit=80', '/api/openapi.json']) {
    const plain = await fetchRaw(service.port, path, 'identity')
    for (const accept of ['gzip', 'gzip, br']) {
      const { encoding, text, headers } = await fetchRaw(service.port, path, accept)
      t.not(encoding, '', `${path} for ${accept}`)
      t.equal(text, plain.text, path)
      t.match(headers.get('vary'), /Accept-Encoding/, path)
      t.ok(Number(headers.get('content-length')) < plain.text.length / 2, path)
    }
  }
  const small = await fetchRaw(service.port, '/api/health', 'gzip, br')
  t.same([small.encoding, small.headers.get('vary')], ['', null], 'a packet is not worth it')
  const head = await ask({ method: 'HEAD', path: '/', headers: { 'accept-encoding': 'gzip' } })
  t.match([head.headers['content-encoding'], head.text], ['gzip', ''])
  const tagged = await fetchRaw(service.port, '/api/notifications/region-routing', 'gzip')
  const known = { 'accept-encoding': 'gzip', 'if-none-match': String(tagged.headers.get('etag')) }
  t.equal((await ask({ path: '/api/notifications/region-routing', headers: known })).status, 304)
})

t.test('the live stream is never compressed', async (t) => {
  const { service } = await station(t)
  const { get } = await import('node:http')
  const headers = { 'accept-encoding': 'gzip, br' }
  const encoding = await new Promise((resolve, reject) => {
    const req = get({ port: service.port, host: '127.0.0.1', path: '/api/stream', agent: false, headers }, (res) => {
      resolve(res.headers['content-encoding'] ?? 'none')
      req.destroy()
    }).on('error', reject)
  })
  t.equal(encoding, 'none')
})
