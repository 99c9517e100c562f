import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findProgram } from '../../src/platform/process/programs.ts'
import { canServeArchives, makeArchive } from '../helpers/archives.ts'
import { buildShim, noShim } from '../helpers/disk-shim.ts'
import { PROSE, sampleDocx, scannedPdf } from '../helpers/documents.ts'
import { eventually, type LaunchOptions, type Running, startLookout } from '../helpers/process.ts'
import { config, fillStorm } from '../helpers/storm.ts'

/** Contract §12: SIGTERM ends the program within 5 s with 0, whatever it is doing, and leaves nothing running behind it. */

/** Above the 5 s it has: node needs a moment to be gone, and the machine may be busy. */
const MOST_MS = 6000

interface Process {
  pid: number
  parent: number
  started: string
}

function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')
      if (fields[0] === 'Z') return []
      return [{ pid: Number(name), parent: Number(fields[1]), started: fields[19] ?? '' }]
    } catch {
      // It has ended since.
      return []
    }
  })
}

function below(pid: number): Process[] {
  const all = processes()
  const found = (parent: number): Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...found(one.pid)])
  return found(pid)
}

/** Asks the station to end, and holds it to the contract. */
async function ends(t: Test, { launched }: Running): Promise<void> {
  const children = process.platform === 'linux' ? below(launched.child.pid ?? 0) : []
  const begun = performance.now()
  const { code, signal, stderr } = await launched.stop()
  const took = performance.now() - begun
  t.same([code, signal], [0, null])
  t.ok(took < MOST_MS, `ended in ${Math.round(took)} ms`)
  t.notMatch(stderr, /database is not open|"level":(?:50|60)|unexpected error/)
  if (children.length === 0) return
  t.comment(`${children.length} processes below it`)
  await eventually('its children are gone', () => {
    const left = processes()
    return children.every(({ pid, started }) => !left.some((one) => one.pid === pid && one.started === started))
  })
}

async function station(
  t: Test,
  settings: object = {},
  { prepare, ...launched }: Partial<LaunchOptions> & { prepare?: (data: string) => unknown } = {}
): Promise<Running & { data: string; port: number }> {
  const data = join(
    t.testdir({
      data: { 'config.json': JSON.stringify({ station: { name: 'Hill', contact: 'ops@valley.example' }, ...settings }) }
    }),
    'data'
  )
  await prepare?.(data)
  const made = await startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'warn' }, ...launched })
  return { ...made, data, port: Number(new URL(made.url).port) }
}

/** A connection on which this was written, and nothing is read unless somebody says so. */
async function written(t: Test, port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => undefined)
  socket.pause()
  await new Promise<void>((resolve) => socket.write(text, () => resolve()))
  return socket
}

/** The first bytes of the answer; the rest stays where it is. */
const begun = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('readable', () => {
      socket.read(1)
      resolve()
    })
  })

async function listening<Made extends Server>(t: Test, server: Made): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

const HEAD = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n'

t.test('nothing to do', async (t) => {
  await ends(t, await station(t))
})

t.test('a client reads a large file slowly, another a long list', async (t) => {
  const s = await station(t, config, {
    prepare: async (data) => {
      mkdirSync(join(data, 'maps'))
      writeFileSync(join(data, 'maps', 'home.pmtiles'), 'PMTiles')
      truncateSync(join(data, 'maps', 'home.pmtiles'), 300_000_000)
      await fillStorm(join(data, 'lookout.db'), Date.now())
    }
  })
  for (const path of ['/maps/home.pmtiles', '/api/events?limit=500', '/api/deliveries?limit=500&format=csv'])
    await begun(await written(t, s.port, `GET ${path} ${HEAD}\r\n`))
  await ends(t, s)
})

t.test('a file is half received, as a form, as it is and by tus', async (t) => {
  const s = await station(t)
  const created = await fetch(`${s.url}/api/uploads`, {
    method: 'POST',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '9000000', 'upload-metadata': `filename ${btoa('a.txt')}` }
  })
  t.equal(created.status, 201)
  const place = new URL(created.headers.get('location') ?? '', s.url).pathname
  const half = 'Water. '.repeat(60_000)
  const length = 'Content-Length: 9000000\r\n'
  const tus = `Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n`
  await written(t, s.port, `PATCH ${place} ${HEAD}${tus}${length}\r\n${half}`)
  await written(t, s.port, `POST /api/upload?filename=b.txt ${HEAD}Content-Type: text/plain\r\n${length}\r\n${half}`)
  const form = `--x\r\nContent-Disposition: form-data; name="file"; filename="c.txt"\r\n\r\n${half}`
  await written(
    t,
    s.port,
    `POST /api/upload ${HEAD}Content-Type: multipart/form-data; boundary=x\r\n${length}\r\n${form}`
  )
  await eventually('some of each is on the disk', () => {
    const files = readdirSync(s.data, { recursive: true, withFileTypes: true })
    return (
      files.filter((one) => one.isFile() && /\.part$|partial|upload/i.test(join(one.parentPath, one.name))).length >= 2
    )
  })
  await ends(t, s)
})

t.test('two work at what is heavy, and sixteen look on', async (t) => {
  const s = await station(t, config, { prepare: (data) => fillStorm(join(data, 'lookout.db'), Date.now()) })
  const body = JSON.stringify({
    matrix: config.notifications.region_routes,
    since: new Date(Date.now() - 7 * 86_400_000).toISOString()
  })
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  for (let n = 0; n < 2; n++)
    await written(t, s.port, `POST /api/notifications/region-routing/backtest ${HEAD}${type}\r\n${body}`)
  for (let n = 0; n < 16; n++) await begun(await written(t, s.port, `GET /api/stream ${HEAD}\r\n`))
  const third = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  await eventually('both are under way', async () => {
    const response = await fetch(`${s.url}/api/notifications/region-routing/backtest`, third)
    return response.status === 503
  })
  await ends(t, s)
})

t.test('radios take the connection and say nothing', async (t) => {
  let taken = 0
  const silent = createTcpServer((socket) => {
    taken++
    t.teardown(() => socket.destroy())
  })
  const port = await listening(t, silent)
  const link = (id: string, network: string) => ({ id, network, link: 'tcp', host: '127.0.0.1', port })
  const radios = [link('a', 'mt'), link('b', 'mc')]
  const s = await station(t, { radios })
  await eventually('both are called', () => taken >= 2)
  await ends(t, s)
})

t.test('a feed waits for its provider, another is in the middle of its listing', async (t) => {
  const asked = new Set<string>()
  const provider = async (name: string, half: string): Promise<object> => {
    const server = createServer((_, res) => {
      asked.add(name)
      if (half !== '') res.writeHead(200, { 'content-type': 'application/json' }).write(half)
    })
    t.teardown(() => server.closeAllConnections())
    return { kind: 'usgs', name, url: `http://127.0.0.1:${await listening(t, server)}` }
  }
  const sources = [await provider('silent', ''), await provider('half', '{"type":"FeatureCollection","features":[')]
  const s = await station(t, { sources })
  await eventually('both are asked', () => asked.size === 2)
  await ends(t, s)
})

t.test('a document is being read by other programs', async (t) => {
  if (process.platform !== 'linux' || findProgram('tesseract') === null || findProgram('pdftoppm') === null)
    return t.comment('skipped: tesseract or poppler are not installed')
  const s = await station(t)
  const pdf = await scannedPdf(Array.from({ length: 12 }, () => PROSE))
  const headers = { 'content-type': 'application/pdf' }
  const taken = await fetch(`${s.url}/api/upload?filename=scan.pdf`, {
    method: 'POST',
    headers,
    body: new Uint8Array(pdf)
  })
  t.equal(taken.status, 201)
  const pid = s.launched.child.pid ?? 0
  const names = (): string[] => below(pid).flatMap((one) => nameOf(one.pid))
  await eventually('a program reads it', () => names().some((name) => /tesseract|pdfto|pdfinfo/.test(name)))
  await ends(t, s)
})

function nameOf(pid: number): string[] {
  try {
    return [readFileSync(`/proc/${pid}/comm`, 'utf8').trim()]
  } catch {
    // It has ended since.
    return []
  }
}

t.test('archives are being served', async (t) => {
  if (!canServeArchives()) return t.comment('skipped: zimwriterfs or kiwix-serve are not installed')
  const s = await station(
    t,
    { library: { port: 0 } },
    {
      prepare: async (data) => {
        mkdirSync(join(data, 'zim'))
        await makeArchive(join(data, 'zim', 'wells.zim'))
      }
    }
  )
  await eventually('the library is served', async () => {
    const { json } = await s.get<{ server: { status: string } }>('/api/library/sources')
    return json.server.status === 'running'
  })
  const pid = s.launched.child.pid ?? 0
  t.ok(
    below(pid).some((one) => nameOf(one.pid).includes('kiwix-serve')),
    'kiwix-serve runs below it'
  )
  await ends(t, s)
})

t.test('a document is being converted', async (t) => {
  if (process.platform !== 'linux' || findProgram('soffice') === null)
    return t.comment('skipped: LibreOffice is not installed')
  const s = await station(t)
  const paragraphs = Array.from({ length: 2000 }, (_, n) => `Well ${n} is deep, and its water is good to drink.`)
  const taken = await fetch(`${s.url}/api/upload?filename=wells.docx`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(sampleDocx(paragraphs))
  })
  t.equal(taken.status, 201)
  const pid = s.launched.child.pid ?? 0
  await eventually('it is being converted', () =>
    below(pid).some((one) => nameOf(one.pid).some((name) => /soffice|oosplash/.test(name)))
  )
  await ends(t, s)
})

/** A network of its own, in which what is sent to an address that is public elsewhere stays here, without being one of this machine's: itself a station archives from nowhere. */
const SITE = '93.184.215.14'
const OWN_NETWORK = [
  'unshare',
  '--net',
  'sh',
  '-c',
  `ip link set lo up && ip route add local ${SITE}/32 dev lo && exec "$@"`,
  'sh'
]

/** A site of many pages, each of which takes its time; tells each that is asked for. */
const SLOW_SITE = `
const links = Array.from({ length: 200 }, (_, n) => '<a href="/' + n + '">' + n + '</a>').join(' ')
require('node:http').createServer((req, res) => {
  console.log(req.url)
  setTimeout(() => res.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Wells</title>' + links), 100)
}).listen(80, '${SITE}', () => console.log('ready'))`

t.test('a site is being archived', async (t) => {
  const canNot = spawnSync(OWN_NETWORK[0] ?? '', [...OWN_NETWORK.slice(1), 'true']).status !== 0
  if (canNot || findProgram('zimwriterfs') === null || findProgram('nsenter') === null)
    return t.comment('skipped: zimwriterfs is not installed, or no network can be made here')
  const s = await station(t, {}, { prefix: OWN_NETWORK })
  const pid = s.launched.child.pid ?? 0
  const inside = (script: string): ChildProcess => {
    const child = spawn('nsenter', ['-t', String(pid), '-n', process.execPath, '-e', script])
    t.teardown(() => child.kill('SIGKILL'))
    return child
  }
  let told = ''
  inside(SLOW_SITE).stdout?.on('data', (chunk) => {
    told += chunk
  })
  await eventually('the site is there', () => told.includes('ready'))
  const body = JSON.stringify({ url: `http://${SITE}/`, title: 'Wells' })
  const order = `fetch('${s.url}/api/scraper/submit', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(body)} })`
  let answered = ''
  inside(`${order}.then((res) => res.text().then((text) => console.log(res.status, text)))`).stdout?.on(
    'data',
    (chunk) => {
      answered += chunk
    }
  )
  await eventually('it is taken', () => answered !== '')
  t.match(answered, /^201 /)
  await eventually('it is under way', () => told.split('\n').length > 6)
  await ends(t, s)
})

t.test('nothing can be stored', async (t) => {
  if (noShim !== null) return t.comment(`skipped: ${noShim}`)
  for (const fault of ['EIO', 'ENOSPC', 'EROFS']) {
    const { folder, library } = buildShim()
    const file = join(folder, 'fault')
    writeFileSync(file, '')
    const data = join(t.testdir({ data: { 'config.json': JSON.stringify(config) } }), 'data')
    const env = { LD_PRELOAD: library, FAULT_FILE: file, FAULT_ROOT: `${data}/`, LOOKOUT_LOG: 'fatal' }
    const s = await startLookout(t, data, { args: ['--no-demo'], env })
    const event = { id: 'a', source: 'test', family: 'fire', title: 'Fire', severity: 'immediate', lat: 43, lon: -115 }
    writeFileSync(file, fault)
    await s.post('/api/events', event)
    await ends(t, s)
    writeFileSync(file, '')
  }
})

t.test('asked twice, it ends once', async (t) => {
  const s = await station(t)
  const { pid } = s.launched.child
  const again = spawn('kill', ['-TERM', String(pid)])
  await new Promise((resolve) => again.once('close', resolve))
  await ends(t, s)
})
