import type { ServerResponse } from 'node:http'
import type { LookupFunction } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import { guessEncoding } from '../../../src/knowledge/encoding/guess.ts'
import { decodePage } from '../../../src/knowledge/encoding/page.ts'
import { readPage } from '../../../src/knowledge/intake/convert/html-role.ts'
import { DuplicateError } from '../../../src/knowledge/intake/receive.ts'
import { takeAddress } from '../../../src/knowledge/intake/take-address.ts'
import type { CaptionParts } from '../../../src/knowledge/intake/take-captions.ts'
import { fetchPage, pageAddress } from '../../../src/knowledge/intake/web-page.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { httpGet } from '../../../src/platform/net/fetch.ts'
import { isPublicAddress } from '../../../src/platform/net/public-address.ts'
import { ownProgram } from '../../../src/platform/process/own-program.ts'
import { anyText } from '../../helpers/any-text.ts'
import { intake } from '../../helpers/knowledge.ts'
import { guard, site } from '../../helpers/public-site.ts'
import { runnable } from '../../helpers/runnable.ts'

const { flags: execArgv, file: entry } = runnable('test/helpers/work-entry.ts')
const userAgent = 'Lookout/1'

const page = (body: string, head = '') =>
  `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`
const ARTICLE =
  '<p>Boil the water for one minute before you drink it, and let it cool in the covered pot. Then pour it into clean cans.</p>'
const html = (res: ServerResponse, body: string) => res.setHeader('Content-Type', 'text/html; charset=utf-8').end(body)

async function refusal(work: Promise<unknown>): Promise<AppError> {
  try {
    await work
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it was not refused')
}

t.test('only addresses of the public Internet are public', async (t) => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e'
  ])
    t.ok(isPublicAddress(address), address)
  for (const address of [
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '100.100.100.200',
      '127.0.0.1',
      '127.8.8.8',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '192.0.0.8'
    ],
    ...[
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.7',
      '203.0.113.9',
      '224.0.0.1',
      '239.255.255.250',
      '240.0.0.1',
      '255.255.255.255',
      '168.63.129.16'
    ],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'fec0::1',
      'ff02::1',
      '3fff::1'
    ],
    ...['localhost', '', '1.2.3', '8.8.8.8:80', '[2606:4700::1]']
  ])
    t.notOk(isPublicAddress(address), address)
  fc.assert(fc.property(fc.ipV4(), (address) => isPublicAddress(`::ffff:${address}`) === false))
})

t.test('an address is taken as somebody types it, and what is none is refused', async (t) => {
  t.equal(pageAddress(' https://example.org/a?b=c#d ').href, 'https://example.org/a?b=c')
  t.equal(pageAddress('example.org/water').href, 'https://example.org/water')
  t.equal(pageAddress('example.org:8080/x').href, 'https://example.org:8080/x')
  for (const bad of [
    '',
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'not an address',
    `https://example.org/${'x'.repeat(3000)}`
  ])
    t.throws(() => pageAddress(bad), { code: 'invalid' }, bad.slice(0, 40))
})

t.test('nothing is fetched from addresses that are not public, however they are written', async (t) => {
  const local = await site(t, (_, res) => html(res, page('secret')), '127.0.0.1')
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    'localhost',
    'localhost.',
    '169.254.169.254',
    '10.0.0.1',
    '192.168.0.1',
    '[fe80::1]',
    '[fd00::1]'
  ]) {
    const error = await refusal(fetchPage(`http://${host}:${local.port}/`, { userAgent }))
    t.ok(
      error.code === 'invalid' || (error.code === 'unavailable' && /ENOTFOUND|EAI_AGAIN/.test(error.message)),
      `${host}: ${error.message}`
    )
  }
  t.match(await refusal(fetchPage('http://user:pass@example.org/', { userAgent })), {
    code: 'invalid',
    message: /password/
  })
  t.same(local.seen, [], 'nobody called')
})

t.test('a redirect is checked like the address itself', async (t) => {
  const inner = await site(t, (_, res) => html(res, page('secret')), '127.0.0.1')
  const { url, seen } = await site(t, (req, res) => {
    const to: Record<string, string> = {
      '/loopback': inner.url,
      '/metadata': 'http://169.254.169.254/latest/meta-data/',
      '/name': `http://inner.test:${inner.port}/`,
      '/v6': `http://[::1]:${inner.port}/`,
      '/login': 'http://me:you@127.0.0.2/',
      '/file': 'file:///etc/passwd',
      '/loop': '/loop',
      '/good': '/end'
    }
    const location = to[req.url ?? '']
    if (location === undefined) html(res, page(ARTICLE))
    else res.writeHead(302, { Location: location }).end()
  })
  for (const path of ['/loopback', '/metadata', '/name', '/v6', '/login', '/file', '/loop']) {
    const error = await refusal(
      fetchPage(url + path, { userAgent, guard: guard({ 'inner.test': [['127.0.0.1']] }).guard })
    )
    t.equal(error.code, 'invalid', `${path}: ${error.message}`)
  }
  t.same(inner.seen, [])
  t.equal((await fetchPage(`${url}/good#part`, { userAgent, guard: guard().guard })).url, `${url}/end`)
  t.ok(seen.length > 7)
})

t.test('DNS rebinding is of no use: the connection goes to the address that was checked', async (t) => {
  const inner = await site(t, (_, res) => html(res, page('secret')), '127.0.0.1')
  const outer = await site(t, (_, res) => html(res, page(ARTICLE)))
  const { guard: rebinding, asked } = guard({ 'rebind.test': [['127.0.0.2'], ['127.0.0.1']] })
  const first = await fetchPage(`http://rebind.test:${outer.port}/`, { userAgent, guard: rebinding })
  t.match(first.body, /Boil the water/)
  t.same(asked, ['rebind.test'], 'a name is looked up once for one connection')
  const second = await refusal(fetchPage(`http://rebind.test:${inner.port}/`, { userAgent, guard: rebinding }))
  t.match(second, { code: 'invalid', message: /127\.0\.0\.1, which is not an address of the public Internet/ })
  for (const answers of [['127.0.0.2', '127.0.0.1'], ['::1', '127.0.0.2'], ['10.0.0.1']]) {
    const mixed = guard({ 'mixed.test': [answers] })
    t.match(
      await refusal(fetchPage(`http://mixed.test:${outer.port}/`, { userAgent, guard: mixed.guard })),
      { code: 'invalid' },
      answers.join()
    )
  }
  t.equal(
    (await refusal(fetchPage('http://nothing.test/', { userAgent, guard: guard({ 'nothing.test': [[]] }).guard })))
      .code,
    'unavailable'
  )
  t.same(inner.seen, [])
  const { lookup } = rebinding as { lookup: LookupFunction }
  const v6 = await new Promise((resolve) => lookup('any.test', { family: 6 }, (error) => resolve(error)))
  t.match(v6, { kind: 'unreachable' })
})

t.test('a guarded request never uses a connection that somebody else has opened', async (t) => {
  const { url } = await site(t, (req, res) => res.setHeader('X-Connection', String(req.socket.remotePort)).end('x'))
  const ports: string[] = []
  const server = await site(t, (req, res) => {
    ports.push(String(req.socket.remotePort))
    html(res, page(ARTICLE))
  })
  await httpGet({ url: `${server.url}/`, userAgent })
  await fetchPage(`${server.url}/`, { userAgent, guard: guard().guard })
  t.not(ports[0], ports[1])
  t.ok(url)
})

t.test('what is no page, too much or too slow is refused with the reason', async (t) => {
  const { url } = await site(t, (req, res) => {
    const path = req.url ?? ''
    if (path === '/pdf') res.setHeader('Content-Type', 'application/pdf').end('%PDF-1.4')
    else if (path === '/picture') res.setHeader('Content-Type', 'image/png').end('x')
    else if (path === '/none') res.end('<!DOCTYPE html><p>hello')
    else if (path === '/nothing') res.end('hello')
    else if (path === '/big') res.setHeader('Content-Type', 'text/html').end(Buffer.alloc(10 * 1024 * 1024 + 1, 0x61))
    else if (path === '/slow') res.setHeader('Content-Type', 'text/html').write('<p>')
    else if (/^\/\d/.test(path)) res.writeHead(Number(path.slice(1))).end('no')
    else res.setHeader('Content-Type', 'text/plain; charset=iso-8859-1').end(Buffer.from('caf\xe9', 'latin1'))
  })
  const fetch = (path: string) => fetchPage(url + path, { userAgent, guard: guard().guard, totalMs: 1500 })
  for (const [path, code, message] of [
    ['/pdf', 'unsupported', /application\/pdf.*upload the file/],
    ['/picture', 'unsupported', /image\/png/],
    ['/nothing', 'unsupported', /without a type/],
    ['/big', 'too-large', /10485760 bytes/],
    ['/slow', 'timeout', /1\.5 s/],
    ['/404', 'invalid', /answers 404/],
    ['/401', 'invalid', /answers 401/],
    ['/503', 'unavailable', /Try again later/],
    ['/429', 'unavailable', /429/]
  ] as const)
    t.match(await refusal(fetch(path)), { code, message }, path)
  t.match(await fetch('/text'), { kind: 'text', body: 'café' })
  t.match(await fetch('/none'), { kind: 'html' })
  t.equal((await refusal(fetchPage('http://127.0.0.2:9/', { userAgent, guard: guard().guard }))).code, 'unavailable')
})

t.test('pages are decoded by mark, header, declaration, else as UTF-8 or Windows-1252', async (t) => {
  const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding)
  for (const [name, body, type, text] of [
    ['mark', bytes('\ufeffé', 'utf8'), 'text/html; charset=latin1', 'é'],
    ['utf-16', bytes('\ufeffé', 'utf16le'), '', 'é'],
    ['header', bytes('\xe9', 'latin1'), 'text/html; charset="ISO-8859-1"', 'é'],
    [
      'header before meta',
      bytes('<meta charset=koi8-r>\xe9', 'latin1'),
      'text/html;charset=windows-1252',
      '<meta charset=koi8-r>é'
    ],
    ['meta', bytes('<meta charset=koi8-r>\xc1', 'latin1'), 'text/html', '<meta charset=koi8-r>а'],
    [
      'http-equiv',
      bytes('<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">\x82\xa0', 'latin1'),
      '',
      '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">あ'
    ],
    [
      'xml',
      bytes('<?xml version="1.0" encoding="windows-1251"?>\xe6', 'latin1'),
      '',
      '<?xml version="1.0" encoding="windows-1251"?>ж'
    ],
    ['nonsense', bytes('é', 'utf8'), 'text/html; charset=klingon', 'é'],
    ['latin1 is Windows-1252', bytes('\x80\x96', 'latin1'), 'text/html; charset=iso-8859-1', '€–'],
    ['guess utf-8', bytes('é', 'utf8'), 'text/html', 'é'],
    ['guess 1252', bytes('\x93\xe9\x94', 'latin1'), 'text/html', '“é”']
  ] as const)
    t.equal(await decodePage(body, type, guessEncoding), text, name)
})

t.test('the readable text is the article, with headings, lists and tables, without what surrounds it', async (t) => {
  const found = readPage(
    page(
      `<header class="masthead"><a href="/">Camp Site</a></header><nav><ul><li><a href="/a">Menu one</a></li></ul></nav>
      <div class="cookie-consent">We use cookies.</div>
      <main><article><h1>How to boil water</h1><p class="byline">By <a rel="author">Ann Lee</a></p>${ARTICLE}
      <h2>Times</h2><table><caption>At heights</caption><tr><th>Height</th><th>Minutes</th></tr><tr><td>0 m</td><td>1</td></tr><tr><td>2000&nbsp;m</td><td>3</td></tr></table>
      <ul><li>A pot<ul><li>with a lid</li></ul></li><li>A stove</li></ul><ol start="4"><li>Fill</li><li>Heat</li></ol><pre>if hot:\n    wait</pre>
      <div class="share-buttons">Share this!</div><div hidden>Hidden</div><script>evil()</script><style>p{}</style></article></main>
      <aside>Buy our pots</aside><div id="comments"><p>First!</p></div><footer>© 2024 Camp Site</footer>`,
      '<title>How to boil water | Camp Site</title><meta property="og:site_name" content="Camp Site"><meta name="description" content="Boiling, in short."><meta property="article:published_time" content="2023-05-01T10:00:00Z">'
    )
  )
  t.same(
    { ...found, text: '' },
    {
      title: 'How to boil water',
      author: 'Ann Lee',
      date: '2023-05-01',
      year: '2023',
      description: 'Boiling, in short.',
      site: 'Camp Site',
      text: ''
    }
  )
  t.equal(
    found.text,
    [
      '# How to boil water\n\nBy Ann Lee\n',
      'Boil the water for one minute before you drink it, and let it cool in the covered pot. Then pour it into clean cans.\n',
      '## Times\n\nAt heights\n\nHeight | Minutes\n0 m | 1\n2000 m | 3\n',
      '- A pot\n  - with a lid\n- A stove\n\n4. Fill\n5. Heat\n\nif hot:\n    wait'
    ].join('\n')
  )
})

t.test('pages of every make are read: without main, in tables, in nameless divs, broken', async (t) => {
  const long = ARTICLE.repeat(6)
  const cases: Record<string, string> = {
    divs: `<div class="top"><a href=/>Home</a> <a href=/x>Contact</a></div><div><div class="x1">${long}</div></div><div><a href=1>One of many links</a></div>`,
    'a layout table': `<table><tr><td><a href=1>Home</a><br><a href=2>Contact</a></td><td>${long}</td></tr></table>`,
    'no paragraphs': `<div>${'Boil the water for one minute before you drink it. <br><br>'.repeat(12)}</div>`,
    'teasers before the article': `<article><h3><a href=1>Other</a></h3><p>Short teaser.</p></article><article>${long}</article>`,
    'a class that lies': `<div class="content sidebar-layout">${long}</div>`,
    unclosed: `<p>${long}<div><b><i>unclosed`,
    'no body at all': 'Boil the water for one minute before you drink it, and let it cool in the covered pot.'
  }
  for (const [name, body] of Object.entries(cases)) {
    const { text } = readPage(page(body))
    t.match(text, /Boil the water for one minute/, name)
    t.notMatch(text, /Contact|One of many/, name)
  }
  const linked = readPage(
    page(
      `<article>${long}</article>`,
      '<script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","headline":"Boil","author":[{"name":"B. Cee"}],"datePublished":"2020-1-2","publisher":{"name":"News"}}]}</script><script type="application/ld+json">{broken</script>'
    )
  )
  t.match(linked, { title: 'Boil', author: 'B. Cee', date: '2020-01-02', site: 'News' })
})

t.test('no page makes the reader throw, hang or run out of stack', async (t) => {
  const parts = fc.constantFrom(
    '<div>',
    '</div>',
    '<p>',
    '<table><tr><td>',
    '</table>',
    '<ul><li>',
    '<script>',
    '</script>',
    '<svg>',
    '<title>',
    '&amp;',
    '&#0;',
    '<!--',
    '<br>',
    '<pre>',
    'word ',
    '\n',
    '<head>',
    '</head>',
    '<main>',
    '<a href=x>',
    '<![CDATA['
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(parts, { maxLength: 120 }).map((list) => list.join('')),
        anyText()
      ),
      (text) => typeof readPage(text).text === 'string'
    ),
    { numRuns: 500 }
  )
  const started = performance.now()
  for (const tag of ['<div>', '<b>', '<table><tr><td>', '<ul><li>', '<article>', '<pre>', '<p class=ad>'])
    t.type(readPage(`${tag.repeat(10_000)}text`).text, 'string')
  t.ok(performance.now() - started < 30_000, `${Math.round(performance.now() - started)} ms`)
})

/** CPU of one reading in milliseconds, the least of some runs: what the machine does besides only adds to it. */
function leastMs(html: string, runs: number): number {
  const costs = Array.from({ length: runs }, () => {
    const before = process.cpuUsage()
    readPage(html)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...costs)
}

t.test('a broken page costs what its length does: 8 times the page is not 64 times the work', async (t) => {
  const of = (part: string) => (bytes: number) => part.repeat(Math.ceil(bytes / part.length))
  const within = (start: string, part: string, end: string) => (bytes: number) => `${start}${of(part)(bytes)}${end}`
  const pages = {
    'closing tags of what never was open': of('<i></p>'),
    'closing tags within a picture': of('<svg><a></b>'),
    'signs that begin no tag': of('<'),
    'lines without a paragraph': of('x<br>'),
    'a title of blanks': within('<meta property="og:title" content="a', ' ', 'b">'),
    'blanks that are kept': within('<pre>a', ' ', 'b</pre>')
  }
  for (const [name, make] of Object.entries(pages)) {
    // Both are beyond the processor's caches: a small page that fits costs a sixth a byte, and says nothing of growth.
    const small = Math.max(1, leastMs(make(64 * 1024), 3))
    const large = leastMs(make(512 * 1024), 2)
    t.ok(large < 20 * small, `${name}: ${small.toFixed(1)} ms, then ${large.toFixed(1)} ms`)
  }
})

t.test(
  'below five hundred open tags an element ends where it begins, and what is never shown stays hidden',
  async (t) => {
    const deep = '<div>'.repeat(600)
    t.equal(
      readPage(`${deep}one<script>alert(1)</script><b>two</b><svg><text>no</text></svg>${'</div>'.repeat(600)}three`)
        .text,
      'onetwo\n\nthree'
    )
  }
)

t.test('a page is taken in as a text with its address, and the same text a second time is a duplicate', async (t) => {
  let visits = 0
  const { url } = await site(t, (req, res) => {
    if (req.url === '/empty') return void html(res, page('<div id="app"></div><script>render()</script>'))
    if (req.url === '/notes.txt')
      return void res
        .setHeader('Content-Type', 'text/plain')
        .end('# Notes on water\n\nBoil it for one minute. Then let it cool, and keep it in closed cans.')
    html(
      res,
      page(
        `<article><h1>Boiling water</h1>${ARTICLE}</article><footer>Visit number ${++visits}</footer>`,
        `<title>Boiling</title><meta name="author" content="Ann Lee"><meta name="date" content="2021-03-04"><!-- ${visits} -->`
      )
    )
  })
  const { receiver, uploads, files, arrivals } = await intake(t)
  const parts: CaptionParts = {
    languages: ['en'],
    videoPlatform: 'video',
    receiver,
    userAgent,
    guard: guard().guard,
    program: (args) => ownProgram(args, { entry, execArgv })
  }
  const taken = await takeAddress({ url: `${url}/water`, category: 'Water' }, parts)
  t.match(uploads.get(taken.hash), {
    filename: 'Boiling water.txt',
    title: 'Boiling water',
    extension: '.txt',
    source: 'web',
    source_type: 'web',
    category: 'Water',
    state: 'pending',
    sidecar: { url: `${url}/water`, author: 'Ann Lee', year: '2021', date: '2021-03-04' }
  })
  t.equal(arrivals(), 1)
  t.match(files()[`acquired/text/${taken.hash}.txt`], /^# Boiling water\n\nBoil the water/)
  const again = await refusal(takeAddress({ url: `${url}/water` }, parts))
  t.ok(again instanceof DuplicateError, 'the visits differ, the text does not')
  t.match(again, { code: 'conflict', existing: { hash: taken.hash } })
  t.equal(visits, 2)
  t.match(await refusal(takeAddress({ url: `${url}/empty` }, parts)), {
    code: 'invalid',
    message: /only 0 characters of text on 127\.0\.0\.2/
  })
  const plain = await takeAddress({ url: `${url}/notes.txt` }, parts)
  t.match(uploads.get(plain.hash), { title: 'Notes on water', source_type: 'web' })
  t.same(
    Object.keys(files()).filter((name) => name.includes('.parts')),
    [],
    'nothing is left of what was refused'
  )
})

t.test('a page without a date is of the year of its notice or of its last change; an author by class is one', (t) => {
  const notice = readPage(`<h1>diceware</h1>${ARTICLE}<footer><p>&copy; Copyright 2015-2022, Uli Fouquet.</p></footer>`)
  t.equal(notice.year, '2022')
  t.equal(readPage(`<h1>User guide</h1>${ARTICLE}<div>Last updated 2025-12-02 12:36:08 UTC</div>`).year, '2025')
  t.equal(readPage(`<h1>Storms</h1><p>In 1974 it was told of 1975.</p>${ARTICLE}`).year, '')
  const book = `<h1>The Handbook</h1><div class="author"><h3 class="author"><span>Robert</span> <span>Lain\u00e9</span></h3></div><div class="author"><h3>Jeremy Lain\u00e9</h3></div>${ARTICLE}`
  t.equal(readPage(book).author, 'Robert Lain\u00e9, Jeremy Lain\u00e9')
  t.equal(readPage(`<h1><span>WSJT-X</span> User Guide</h1>${ARTICLE}`).title, 'WSJT-X User Guide')
  t.equal(readPage(`<h1>Phone FAQ<a>\u00b6</a></h1>${ARTICLE}`).title, 'Phone FAQ')
  t.end()
})
