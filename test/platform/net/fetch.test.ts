import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { type GetAnswer, type GetRequest, httpGet, redirectTarget } from '../../../src/platform/net/fetch.ts'
import { asFetchError, FetchError } from '../../../src/platform/net/fetch-error.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => void

async function serve(t: Test, handle: Handler): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const get = (url: string, more: Partial<GetRequest> = {}): Promise<GetAnswer> =>
  httpGet({ url, userAgent: 'Lookout/1 (+me@example.org)', ...more })

async function failure(work: Promise<unknown>): Promise<FetchError> {
  try {
    await work
  } catch (error) {
    if (error instanceof FetchError) return error
    throw error
  }
  throw new Error('it did not fail')
}

const BODY = JSON.stringify({ features: Array.from({ length: 500 }, (_, i) => ({ id: i })) })

t.test('a body comes through unzipped, whatever it was packed with, with its size on the wire', async (t) => {
  const packed: Record<string, [string | null, Buffer]> = {
    plain: [null, Buffer.from(BODY)],
    identity: ['identity', Buffer.from(BODY)],
    gzip: ['gzip', gzipSync(BODY)],
    brotli: ['br', brotliCompressSync(BODY)],
    zlib: ['deflate', deflateSync(BODY)],
    'bare deflate': ['deflate', deflateRawSync(BODY)]
  }
  const url = await serve(t, (req, res) => {
    const [encoding, bytes] = packed[decodeURIComponent((req.url ?? '').slice(1))] ?? [null, Buffer.alloc(0)]
    if (encoding !== null) res.setHeader('Content-Encoding', encoding)
    // In pieces: the first byte alone tells the two kinds of deflate apart.
    res.write(bytes.subarray(0, 1))
    setImmediate(() => res.end(bytes.subarray(1)))
  })
  for (const [name, [, bytes]] of Object.entries(packed)) {
    const answer = await get(`${url}/${encodeURIComponent(name)}`)
    t.equal(Buffer.from(answer.body).toString(), BODY, name)
    t.equal(answer.bytes, bytes.length, `${name}: ${bytes.length} bytes`)
  }
  t.equal((await get(`${url}/nothing`)).body.length, 0, 'an empty body is an answer: whoever reads it decides')
})

t.test('the request names itself, asks conditionally, and tells what the answer says of itself', async (t) => {
  const seen: IncomingMessage['headers'][] = []
  const url = await serve(t, (req, res) => {
    seen.push(req.headers)
    const known = req.headers['if-none-match'] === '"v1"' && req.headers['if-modified-since'] === 'yesterday'
    res.writeHead(known ? 304 : 200, {
      ETag: '"v1"',
      'Last-Modified': 'yesterday',
      'Cache-Control': 'public, max-age=90',
      Age: '30',
      'Content-Type': 'application/geo+json'
    })
    res.end(known ? undefined : 'x')
  })
  const first = await get(url, { headers: { Accept: 'application/geo+json', 'X-Key': 's' } })
  t.match(first, { status: 200, etag: '"v1"', modified: 'yesterday', maxAge: 60, contentType: 'application/geo+json' })
  const second = await get(url, { etag: first.etag, modified: first.modified })
  t.match(second, { status: 304, maxAge: 60, bytes: 0 })
  t.match(seen[0], { 'user-agent': 'Lookout/1 (+me@example.org)', accept: 'application/geo+json', 'x-key': 's' })
  t.equal(seen[0]?.['if-none-match'], undefined)
  t.match(seen[0]?.['accept-encoding'], /gzip.*br/)
})

t.test('the cap holds for the wire and for what it unzips to', async (t) => {
  const bomb = gzipSync(Buffer.alloc(3_000_000))
  const url = await serve(t, (req, res) => {
    if (req.url === '/bomb') res.setHeader('Content-Encoding', 'gzip').end(bomb)
    else if (req.url === '/endless') {
      const more = (): void => void (res.writableEnded || res.destroyed || res.write(Buffer.alloc(65_536), more))
      more()
    } else res.end(Buffer.alloc(1000))
  })
  t.ok(bomb.length < 10_000, 'the bomb is small on the wire')
  for (const path of ['/bomb', '/endless', '/long']) {
    const error = await failure(get(url + path, { maxBytes: 999 + (path === '/long' ? 0 : 100_000) }))
    t.equal(error.kind, 'too-large', path)
    t.equal(error.code, 'unavailable')
  }
  t.equal((await get(`${url}/long`, { maxBytes: 1000 })).body.length, 1000, 'exactly at the limit')
})

t.test('a body that is cut off or garbled is no answer', async (t) => {
  const zipped = gzipSync(BODY)
  const url = await serve(t, (req, res) => {
    const [path] = (req.url ?? '').split('?')
    if (path === '/short') {
      res.writeHead(200, { 'Content-Length': String(BODY.length) })
      res.write(BODY.slice(0, 100), () => res.destroy())
    } else if (path === '/chunked') res.write(BODY.slice(0, 100), () => res.destroy())
    else if (path === '/zip') res.setHeader('Content-Encoding', 'gzip').end(zipped.subarray(0, zipped.length / 2))
    else if (path === '/nozip') res.setHeader('Content-Encoding', 'gzip').end('<html>not gzip</html>')
    else res.setHeader('Content-Encoding', 'zstd').end('?')
  })
  for (const [path, kind] of [
    ['/short', 'network'],
    ['/chunked', 'network'],
    ['/zip', 'network'],
    ['/nozip', 'network'],
    ['/zstd', 'answer']
  ]) {
    const error = await failure(get(`${url}${path}?api_key=hush`))
    t.equal(error.kind, kind, `${path}: ${error.message}`)
    t.notMatch(error.message, /hush/, 'a query may hold a key')
  }
})

t.test(
  'redirects are followed five times, keys stay with the host they were meant for, https stays https',
  async (t) => {
    const seen: [string, IncomingMessage['headers']][] = []
    const other = await serve(t, (req, res) => {
      seen.push([`other${req.url}`, req.headers])
      res.end('other')
    })
    const url = await serve(t, (req, res) => {
      seen.push([`first${req.url}`, req.headers])
      const [, hops = '0'] = /^\/hop(\d+)$/.exec(req.url ?? '') ?? []
      const to: Record<string, string> = {
        '/away': `${other}/x`,
        '/mail': 'mailto:a@b',
        '/bad': 'http://[',
        '/loop': '/loop'
      }
      const location = to[req.url ?? ''] ?? (Number(hops) > 0 ? `/hop${Number(hops) - 1}` : undefined)
      if (location === undefined) res.end('here')
      else res.writeHead(302, { Location: location }).end('moved')
    })
    const secret = { Authorization: 'Bearer abc', 'X-Key': 'k', Accept: 'application/json' }
    const five = await get(`${url}/hop5`, { headers: secret })
    t.equal(Buffer.from(five.body).toString(), 'here')
    t.equal(five.url, `${url}/hop0`)
    t.equal(seen.at(-1)?.[1]['authorization'], 'Bearer abc', 'the same host may know')
    await get(`${url}/away`, { headers: secret, etag: '"e"' })
    const [name, headers] = seen.at(-1) ?? ['', {}]
    t.equal(name, 'other/x')
    t.match(headers, { accept: 'application/json', 'user-agent': /Lookout/ })
    t.equal(headers['authorization'], undefined)
    t.equal(headers['x-key'], undefined)
    for (const path of ['/hop6', '/loop', '/mail', '/bad'])
      t.equal((await failure(get(url + path))).kind, 'answer', path)
    const secure = new URL('https://a.example/x')
    t.equal(redirectTarget('/y', secure).href, 'https://a.example/y')
    t.equal(redirectTarget('https://b.example/', secure).href, 'https://b.example/')
    t.throws(() => redirectTarget('http://a.example/x', secure), { kind: 'answer', message: /from https to http/ })
    for (const bad of ['ftp://example.org/', 'nonsense', '']) t.equal((await failure(get(bad))).kind, 'answer', bad)
  }
)

t.test('errors of the server are answers without a body, and Retry-After stands as it came', async (t) => {
  const url = await serve(t, (req, res) => {
    res.writeHead(Number((req.url ?? '').slice(1)), { 'Retry-After': '120' })
    res.end('<html>'.repeat(1000))
  })
  for (const status of [403, 404, 429, 500, 503])
    t.match(await get(`${url}/${status}`), { status, retryAfter: '120', bytes: 0, body: { length: 0 } })
})

t.test('nobody waits for ever: slow heads, slow bodies, givers-up', async (t) => {
  const url = await serve(t, (req, res) => {
    if (req.url === '/body') res.write('{')
    if (req.url === '/drip') {
      const timer = setInterval(() => res.write(' '), 10)
      res.on('close', () => clearInterval(timer))
    }
  })
  for (const path of ['/head', '/body', '/drip'])
    t.equal((await failure(get(url + path, { totalMs: 80 }))).kind, 'timeout', path)
  const stop = new AbortController()
  const waiting = failure(get(`${url}/body`, { signal: stop.signal }))
  setTimeout(() => stop.abort(), 20)
  t.equal((await waiting).kind, 'aborted')
  t.equal((await failure(get(`${url}/body`, { signal: stop.signal }))).kind, 'aborted', 'aborted before it began')
})

t.test('a refused connection says the network is up, a name that is not found says it may be down', async (t) => {
  const closed = createTcp().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  t.equal((await failure(get(`http://127.0.0.1:${port}/`))).kind, 'network')
  t.equal((await failure(get('http://no-such-host.invalid/'))).kind, 'unreachable')
  const both = new AggregateError([
    Object.assign(new Error('v6'), { code: 'ENETUNREACH' }),
    Object.assign(new Error('v4'), { code: 'ECONNREFUSED' })
  ])
  t.equal(asFetchError('h', both).kind, 'network', 'of two addresses the one that answered counts')
})

t.test(
  'a broken connection is told as what somebody can look after: the service, the clock, the certificate',
  async (t) => {
    const said = (code: string): string => asFetchError('feed.example', Object.assign(new Error('x'), { code })).message
    t.match(said('ECONNREFUSED'), /^feed\.example refuses the connection\. Are address and port right/)
    for (const code of ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']) t.match(said(code), /Is the clock right\?$/, code)
    for (const code of ['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'])
      t.match(said(code), `the certificate of feed.example is not accepted (${code})`)
  }
)

t.test('a kept connection that the server has closed meanwhile is replaced without a word', async (t) => {
  let connections = 0
  const server = createTcp((socket: Socket) => {
    connections++
    let served = 0
    socket.on('error', () => undefined)
    socket.on('data', () => {
      served++
      if (served > 1) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  t.equal((await get(url)).status, 200)
  t.equal((await get(url)).status, 200)
  t.equal(connections, 2)
  const three = await Promise.all([get(url), get(url), get(url)])
  t.same(
    three.map(({ status }) => status),
    [200, 200, 200]
  )
  t.equal((await get(url)).status, 200, 'although every connection that is kept is closed')
})
