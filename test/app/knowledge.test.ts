import {
  existsSync,
  mkdirSync,
  openAsBlob,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sha256Hex } from '../../src/platform/bytes/hash.ts'
import { openReadOnlyDatabase } from '../../src/platform/database/database-read-only.ts'
import { findProgram } from '../../src/platform/process/programs.ts'
import {
  picturesPdf,
  sampleDoc,
  sampleDocx,
  sampleEpub,
  sampleMobi,
  samplePdf,
  samplePng,
  sampleText,
  scannedPdf
} from '../helpers/documents.ts'
import { eventually, type Running, startLookout } from '../helpers/process.ts'
import { encoder, TEXTS } from '../knowledge/encoding/texts.ts'

t.setTimeout(600_000)

interface Status {
  hash: string
  filename: string
  status: string
  message: string
}

const SETTLED = new Set(['complete', 'failed', 'rejected', 'skipped', 'duplicate', 'needs_review'])

async function upload(
  url: string,
  name: string,
  body: Blob,
  category = 'Handbooks'
): Promise<{ status: number; body: Record<string, unknown> }> {
  // Making a sample may have kept this process busy for so long that the station has closed the connection since: it must
  // be seen to be closed before it is used again.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const form = new FormData()
  form.append('category', category)
  form.append('file', body, name)
  const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const blob = (bytes: Buffer): Blob => new Blob([new Uint8Array(bytes)])

async function settled(station: Running, hash: string): Promise<Status> {
  return eventually(`${hash} is settled`, async () => {
    const { json } = await station.get<Status>(`/api/upload/${hash}/status`)
    return SETTLED.has(json.status) ? json : null
  })
}

async function station(t: Test, config: object = {}): Promise<{ station: Running; data: string }> {
  // A folder around it that is this test's alone: what stands beside the data folder is looked at.
  const data = join(
    t.testdir({ data: { 'config.json': JSON.stringify({ station: { name: 'Hill' }, ...config }) } }),
    'data'
  )
  return { data, station: await startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } }) }
}

/** Everything below the folder that is no database: what must not hold leftovers. */
function filesOf(data: string, folder: string): string[] {
  const root = join(data, folder)
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
}

const about = (word: string, topic: string): string[] => [
  `Notes on ${topic}. The word ${word} stands only here and nowhere else in the library of this station.`,
  `Whoever looks for ${word} should find this page, and the page should open at the place where it stands.`,
  `Keep ${topic} in good order: look at it every month, write down what was done, and tell the next watch about it.`
]

t.test(
  'a file of each of the six formats goes through to complete, and is found with a citation that opens',
  async (t) => {
    const { station: hill, data } = await station(t)
    const chapters = (word: string, topic: string) => [{ title: topic, paragraphs: about(word, topic) }]
    const files: [string, string, () => Buffer | Promise<Buffer>, string | null][] = [
      [
        'Radio Masts.pdf',
        'zarbulok',
        () => samplePdf([about('zarbulok', 'radio masts').join('\n\n')], { title: 'Radio Masts' }),
        'pdftotext'
      ],
      ['goats.txt', 'venduril', () => sampleText(about('venduril', 'keeping goats').join('\n\n')), null],
      [
        'Wells.epub',
        'morbatin',
        () => sampleEpub(chapters('morbatin', 'digging wells'), { title: 'Wells' }),
        'pdftotext'
      ],
      [
        'Bridges.docx',
        'kestifor',
        () => sampleDocx(about('kestifor', 'rope bridges'), { title: 'Bridges' }),
        'soffice'
      ],
      [
        'Stoves.mobi',
        'plundavek',
        () => sampleMobi(chapters('plundavek', 'rocket stoves'), { title: 'Stoves' }),
        'mobitool'
      ],
      ['Knots.doc', 'grintholm', () => sampleDoc(about('grintholm', 'useful knots')), 'soffice']
    ]
    for (const [name, word, make, tool] of files) {
      if (tool !== null && findProgram(tool) === null) {
        t.comment(`skipped: ${name} needs ${tool}`)
        continue
      }
      const bytes = await make()
      const sent = await upload(hill.url, name, blob(bytes))
      t.match(sent, { status: 201, body: { hash: sha256Hex(bytes), filename: name, status: 'pending' } }, name)
      const end = await settled(hill, sha256Hex(bytes))
      t.match(end, { status: 'complete', filename: name }, `${name}: ${end.message}`)
      const { json } = await hill.get<{
        mode: string
        results: { hash: string; citation: { url: string; text: string } }[]
      }>(`/api/search?q=${word}`)
      t.equal(json.mode, 'hybrid', name)
      // Vectors may bring others behind it.
      t.equal(json.results[0]?.hash, end.hash, name)
      const opened = await fetch(new URL(json.results[0]?.citation.url ?? '', hill.url))
      t.equal(opened.status, 200, name)
      t.match(await opened.text(), word, `${name}: the citation shows the word`)
      const again = await upload(hill.url, `copy of ${name}`, blob(bytes))
      t.match(
        again,
        { status: 409, body: { existing: { hash: end.hash, filename: name, status: 'complete' } } },
        `${name} again`
      )
      const original = await fetch(`${hill.url}/api/documents/${end.hash}/original`)
      t.equal(sha256Hex(new Uint8Array(await original.arrayBuffer())).length, 64)
      t.match(original.headers.get('content-disposition') ?? '', /^attachment/)
    }
    t.same(filesOf(data, 'acquired'), [])
    t.same(filesOf(data, 'processing'), [])
  }
)

t.test('a scanned PDF is read by OCR', async (t) => {
  if (findProgram('tesseract') === null || findProgram('pdftoppm') === null) {
    t.comment('skipped: tesseract or pdftoppm is not installed')
    return
  }
  const { station: hill } = await station(t)
  const bytes = await scannedPdf([
    'The lighthouse keeper counts every passing vessel and writes the number into the harbour ledger before supper.'
  ])
  t.equal((await upload(hill.url, 'scan.pdf', blob(bytes))).status, 201)
  t.match(await settled(hill, sha256Hex(bytes)), { status: 'complete' })
  const { json } = await hill.get<{ results: { hash: string }[] }>('/api/search?q=lighthouse+ledger')
  t.same(
    json.results.map(({ hash }) => hash),
    [sha256Hex(bytes)]
  )
  const { json: document } = await hill.get<{ ocr_pages: number }>(`/api/documents/${sha256Hex(bytes)}`)
  t.equal(document.ocr_pages, 1)
})

t.test('what cannot be read ends with a reason, and nothing is lost or written elsewhere', async (t) => {
  const { station: hill, data } = await station(t)
  const outside = readdirSync(join(data, '..')).toSorted()
  const locked = await samplePdf(['Nobody reads this.'], { password: 'secret' })
  const damaged = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(40_000, 0x5a)])
  for (const [name, bytes, reason] of [
    ['locked.pdf', locked, /encrypted|password/i],
    ['damaged.pdf', damaged, /damaged|not|cannot/i]
  ] as const) {
    t.equal((await upload(hill.url, name, blob(bytes))).status, 201, name)
    const end = await settled(hill, sha256Hex(bytes))
    t.equal(end.status, 'rejected', name)
    t.match(end.message, reason, name)
    t.ok(filesOf(data, 'rejected').length > 0, `${name} is kept`)
    t.equal((await upload(hill.url, name, blob(bytes))).status, 201, `${name}: uploading again is a fresh try`)
    t.equal((await settled(hill, sha256Hex(bytes))).status, 'rejected', name)
  }
  t.equal((await upload(hill.url, 'empty.pdf', blob(Buffer.alloc(0)))).status, 422)
  t.equal(
    (await upload(hill.url, 'picture.pdf', blob(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')))).status,
    415
  )
  const bomb = sampleEpub([{ title: 'Bomb', paragraphs: ['boom'] }], {
    members: [{ name: 'OEBPS/text/c1.xhtml', data: Buffer.alloc(300 * 2 ** 20, 0x20), deflate: true }]
  })
  t.equal((await upload(hill.url, 'bomb.epub', blob(bomb))).status, 201)
  t.match(await settled(hill, sha256Hex(bomb)), { status: 'rejected' })
  t.same(readdirSync(join(data, '..')).toSorted(), outside, 'nothing outside of the data folder')
  t.same(filesOf(data, 'acquired'), [])
})

t.test('a wrong extension is put right, or refused for a text; names are only ever text', async (t) => {
  const { station: hill, data } = await station(t)
  const names = [
    '../../../etc/passwd.pdf',
    '..\\..\\boot.pdf',
    `${'ü'.repeat(125)}.pdf`,
    'a\u202Efdp.pdf',
    'CON.pdf',
    '.pdf',
    'line\nbreak.pdf'
  ]
  for (const [n, name] of names.entries()) {
    const bytes = await samplePdf([
      about(`wollmark${'abcdefg'[n]}`, `matter number ${n}: ${'xyzuvwq'[n]?.repeat(n + 3)}`).join('\n')
    ])
    const sent = await upload(hill.url, name, blob(bytes))
    t.equal(sent.status, 201, JSON.stringify(name))
    t.match(await settled(hill, sha256Hex(bytes)), { status: /complete|needs_review/ }, JSON.stringify(name))
  }
  const text = sampleText(about('trennvogel', 'wrong extensions').join('\n\n'))
  t.equal((await upload(hill.url, 'really-a-text.pdf', blob(text))).status, 415)
  t.equal((await upload(hill.url, 'a-text.exe', blob(text))).status, 415)
  const book = await samplePdf([about('irrvogel', 'wrong extensions').join('\n\n')])
  t.equal((await upload(hill.url, 'really-a-pdf.txt', blob(book))).status, 201)
  t.equal((await settled(hill, sha256Hex(book))).status, 'complete')
  t.ok(filesOf(data, 'library').every((name) => Buffer.byteLength(name) <= 255 && !/[\\/\u202e\n]/.test(name)))
})

t.test('a file of 1 GB that is none of the formats is refused early; one above the limit too', async (t) => {
  const { station: hill, data } = await station(t, { uploads: { max_bytes: 64 * 2 ** 20 } })
  const folder = join(data, '..')
  const sparse = join(folder, 'sparse.pdf')
  const fd = openSync(sparse, 'w')
  writeSync(fd, '%PDF-1.4\n')
  truncateSync(sparse, 2 ** 30)
  const answer = await upload(hill.url, 'sparse.pdf', await openAsBlob(sparse)).catch((error: unknown) => error)
  // The connection may be closed before everything was sent; then there is no answer to read.
  if (!(answer instanceof Error)) t.match(answer, { status: 413 })
  t.same(filesOf(data, 'acquired'), [])
  t.same((await hill.get<{ documents: unknown[] }>('/api/documents')).json.documents, [])
})

t.test('a text in another language is skipped, with the reason', async (t) => {
  const { station: hill } = await station(t)
  const text = sampleText(
    'Die Feuerwehr bittet alle Bewohner, Fenster und Türen geschlossen zu halten. Wasser soll vor dem Trinken abgekocht werden, bis die Behörden Entwarnung geben. Weitere Nachrichten folgen am Abend über Rundfunk und Lautsprecher.'
  )
  t.equal((await upload(hill.url, 'hinweis.txt', blob(text))).status, 201)
  const end = await settled(hill, sha256Hex(text))
  t.equal(end.status, 'skipped')
  t.match(end.message, /German|de\b/)
})

const WITHOUT_OCR =
  ['tesseract', 'pdftoppm'].some((name) => findProgram(name) === null) && 'no tesseract or poppler-utils'

t.test(
  'a file that holds no text is refused with the reason, and nothing offers to try it again',
  { skip: WITHOUT_OCR },
  async (t) => {
    const { station: hill, data } = await station(t)
    for (const [name, bytes] of [
      ['blank.pdf', await samplePdf(['', ''])],
      ['sunset.pdf', await picturesPdf([samplePng(300, 200)])]
    ] as const) {
      t.equal((await upload(hill.url, name, blob(bytes))).status, 201)
      const end = await settled(hill, sha256Hex(bytes))
      t.match(end, { status: 'rejected', message: /cannot be taken in: .*no text/ }, name)
      t.notOk('retry_url' in end)
      const page = (await hill.get(`/documents/${end.hash}`)).text
      t.match(page, /no text that can be read/)
      t.notMatch(page, /Try again|value="retry"/)
      t.ok(existsSync(join(data, 'rejected', end.hash, 'source.pdf')))
      t.equal((await upload(hill.url, name, blob(bytes))).status, 201, 'it may come again')
      t.match(await settled(hill, end.hash), { status: 'rejected' })
    }
    t.same(filesOf(data, 'library'), [])
  }
)

t.test('a scan waits with words why, and can be tried again, while OCR is off', { skip: WITHOUT_OCR }, async (t) => {
  const { station: hill } = await station(t, { knowledge: { ocr: false } })
  const bytes = await scannedPdf([about('mohn', 'poppies').join(' ')])
  await upload(hill.url, 'scan.pdf', blob(bytes))
  const end = await settled(hill, sha256Hex(bytes))
  t.match(end, { status: 'failed', message: /pictures without text.*off/, retry_url: /retry$/ })
  t.match((await hill.get(`/documents/${end.hash}`)).text, /Try again/)
})

t.test('texts in encodings of their time are found by their words', async (t) => {
  const { station: hill } = await station(t, { knowledge: { language_filter: false } })
  for (const language of ['Russian', 'Japanese', 'Polish']) {
    const [, [encoding = ''] = [], text = ''] = TEXTS.find(([name]) => name === language) ?? []
    const bytes = encoder(encoding)(`${text}\n\n${text}\n`)
    t.equal((await upload(hill.url, `${language}.txt`, blob(bytes))).status, 201)
    t.equal((await settled(hill, sha256Hex(bytes))).status, 'complete')
  }
  for (const word of ['кипятить', 'przechowuj']) {
    const { json } = await hill.get<{ results: { snippet: string }[] }>(`/api/search?q=${encodeURIComponent(word)}`)
    t.match(JSON.stringify(json.results), new RegExp(word), word)
  }
})

t.test('a file dropped into the folder is taken in like an upload', async (t) => {
  const { station: hill, data } = await station(t)
  const bytes = sampleText(about('quellenbach', 'springs').join('\n\n'))
  mkdirSync(join(data, 'acquired', 'text'), { recursive: true })
  writeFileSync(join(data, 'acquired', 'text', 'Springs of the valley.txt'), bytes)
  const end = await settled(hill, sha256Hex(bytes))
  t.match(end, { status: 'complete', filename: 'Springs of the valley.txt' })
})

t.test('delete leaves nothing of a document', async (t) => {
  const { station: hill, data } = await station(t)
  const bytes = await samplePdf([about('vergissmein', 'forgetting').join('\n\n')])
  await upload(hill.url, 'forget.pdf', blob(bytes))
  const { hash } = await settled(hill, sha256Hex(bytes))
  const gone = await fetch(`${hill.url}/api/documents/${hash}`, { method: 'DELETE' })
  t.ok(gone.ok, String(gone.status))
  await eventually('the document is gone', async () => (await hill.get(`/api/documents/${hash}`)).status === 404)
  t.same((await hill.get<{ results: unknown[] }>('/api/search?q=vergissmein')).json.results, [])
  t.same(filesOf(data, 'library'), [])
  t.equal((await upload(hill.url, 'forget.pdf', blob(bytes))).status, 201, 'it can be uploaded again')
  t.equal((await settled(hill, hash)).status, 'complete')
  t.ok(readFileSync(join(data, 'knowledge.db')).length > 0)
})

t.test(
  'another embedding provider makes all vectors again in the background, while nobody does anything',
  async (t) => {
    const server = createServer(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += String(chunk)
      const { input } = JSON.parse(body) as { input: string[] }
      const embeddings = input.map((text) => Array.from({ length: 8 }, (_, at) => (text.charCodeAt(at) || 1) / 100))
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ embeddings }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => server.close())
    const { station: hill, data } = await station(t)
    const bytes = sampleText(about('kornrade', 'weeds').join('\n\n'))
    await upload(hill.url, 'weeds.txt', blob(bytes))
    t.match(await settled(hill, sha256Hex(bytes)), { status: 'complete' })
    const counts = async (): Promise<Record<string, number>> => {
      const db = await openReadOnlyDatabase(join(data, 'search.db'))
      const rows = db.sql('SELECT provider, vectors FROM models WHERE vectors > 0').all()
      db.close()
      return Object.fromEntries(rows.map((row) => [String(row['provider']), Number(row['vectors'])]))
    }
    const { hash: made = 0 } = await counts()
    t.ok(made > 0)
    const choose = (embedding: object): void =>
      writeFileSync(join(data, 'config.json'), JSON.stringify({ station: { name: 'Hill' }, knowledge: { embedding } }))
    choose({ provider: 'ollama', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
    const remade = await eventually('the new provider has made all', async () => {
      const found = await counts()
      return found['ollama'] === made ? found : null
    })
    t.same(remade, { ollama: made }, 'the old ones are gone')
    t.match(await settled(hill, sha256Hex(bytes)), { status: 'complete' }, 'its state is what it was')
    await hill.launched.stop()
    choose({ provider: 'hash' })
    await startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
    t.same(
      await eventually('also at the next start', async () => {
        const found = await counts()
        return found['hash'] === made ? found : null
      }),
      { hash: made }
    )
  }
)
