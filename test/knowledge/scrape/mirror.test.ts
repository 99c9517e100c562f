import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ZimReader } from '../../../src/knowledge/library/zim.ts'
import { addressKey, cleanAddress, scopeOf } from '../../../src/knowledge/scrape/mirror/address.ts'
import { type CrawlResult, crawlSite } from '../../../src/knowledge/scrape/mirror/crawl.ts'
import { rewriteCss } from '../../../src/knowledge/scrape/mirror/css-links.ts'
import { FileNames, linkBetween } from '../../../src/knowledge/scrape/mirror/file-names.ts'
import { copyPage } from '../../../src/knowledge/scrape/mirror/html-copy.ts'
import type { MirrorOptions } from '../../../src/knowledge/scrape/mirror/options.ts'
import { packSite } from '../../../src/knowledge/scrape/mirror/pack.ts'
import { writeSite } from '../../../src/knowledge/scrape/mirror/write-site.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { siteGuard } from '../../../src/platform/net/site-guard.ts'
import { findProgram } from '../../../src/platform/process/programs.ts'
import { growthOfEightfold, MOST_GROWTH } from '../../helpers/growth.ts'
import { type RunningSite, type Site, serveSite, wellsSite } from './site.ts'

const guard = siteGuard({ isAllowed: (address) => address === '127.0.0.1' })

function folder(t: Test): string {
  const made = mkdtempSync(join(tmpdir(), 'lookout-mirror-'))
  t.teardown(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function optionsFor(site: RunningSite, at: string, patch: Partial<MirrorOptions> = {}): MirrorOptions {
  return {
    url: `${site.origin}/`,
    folder: at,
    userAgent: 'Lookout/1.0 (+ops@station.example)',
    scope: 'host',
    delay: 0,
    maxPages: 100,
    maxBytes: 10_000_000,
    maxMinutes: 5,
    include: [],
    exclude: [],
    patternPercent: 25,
    documents: false,
    maxDocuments: 100,
    maxDocumentBytes: 100_000_000,
    allowedHosts: [],
    ...patch
  }
}

async function copy(options: MirrorOptions): Promise<CrawlResult> {
  const result = await crawlSite(options, { guard, onProgress: () => undefined })
  await writeSite(options.folder, result.frontier)
  result.frontier.close()
  return result
}

const filesBelow = (at: string): string[] =>
  readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(at.length + 1))
    .sort()

t.test('a site becomes a copy with relative links, its pictures, styles and fonts, and no scripts', async (t) => {
  const site = await serveSite(t, wellsSite())
  const at = folder(t)
  const result = await copy(optionsFor(site, at))
  const host = new URL(site.origin).host.replace(':', '-')
  const files = filesBelow(join(at, 'site'))
  t.equal(result.pages, 39, 'every page once: / , 32 articles, 2 in other letters, 2 of the folder, 2 of the base')
  t.equal(files.filter((name) => name.endsWith('.html')).length, 39)
  t.equal(result.first.file, `${host}/index.html`)
  t.equal(result.limit, null)
  t.equal(result.forbidden, 1, 'robots.txt keeps one from us')
  for (const name of [
    'img/logo.png',
    'img/late.png',
    'img/wide.png',
    'img/back.png',
    'css/main.css',
    'css/more.css',
    'font.woff2'
  ])
    t.ok(files.includes(`${host}/${name}`), name)
  t.notOk(
    files.some((name) => /huge|small|app\.js|secret|manual|favicon\.html/.test(name)),
    'nothing that is not wanted'
  )
  t.ok(files.includes(`${host}/umlaut/Küche.html`))
  t.ok(files.includes(`${host}/umlaut/日本.html`))
  t.notOk(site.asked.includes('/private/secret'), 'what robots.txt forbids is never asked for')
  t.notOk(site.asked.includes('/from-script'))
  t.same([...site.agents], ['Lookout/1.0 (+ops@station.example)'])
  const asked = site.asked.map((path) => path.split('?')[0] ?? '')
  t.same(
    asked.filter((path, index) => asked.indexOf(path) !== index),
    ['/articles/3', '/out', '/out'],
    'what is known by two spellings is fetched once; a redirect may lead to what is there, and what is down is tried again'
  )

  const first = readFileSync(join(at, 'site', result.first.file), 'utf8')
  for (const [what, part] of Object.entries({
    'a link without what tracks, with its fragment': 'href="articles/1.html#top"',
    'a redirect leads to where it ends': 'href="articles/3.html">old',
    'letters of other alphabets': `href="umlaut/${encodeURIComponent('日本')}.html"`,
    'a folder with and without its slash': 'href="dir/index.html">dir again',
    'another site stays where it is': 'href="https://elsewhere.example/x"',
    'what is not in the copy leads to the site': `href="${site.origin}/private/secret"`,
    'a picture': '<img alt="Logo" width="48" src="img/logo.png">',
    'a picture that a script would load': '<img src="img/late.png">',
    'one of several sizes': '<img src="img/wide.png">',
    'a picture that is gone loads nothing': '<img alt="missing">',
    'style sheet': '<link rel="stylesheet" href="css/main.css">',
    'inline styles': 'url(&quot;img/back.png&quot;)',
    'UTF-8, whatever it said': '<head><meta charset="utf-8"><title>Wells &amp; pumps</title>',
    'what is there without a script': '<p>No script: <a href="articles/1.html">one</a></p>',
    'a fragment of its own': '<a href="#here">here</a>'
  }))
    t.ok(first.includes(part), `${what}: ${part}`)
  t.notMatch(
    first,
    /<script|onerror|javascript:|integrity|Content-Security|<noscript|action=|ads\.example|charset="iso/
  )
  t.match(
    readFileSync(join(at, 'site', host, 'css/main.css'), 'utf8'),
    /url\("more\.css"\).*url\("\.\.\/font\.woff2"\)/
  )
  t.match(
    readFileSync(join(at, 'site', host, 'css/more.css'), 'utf8'),
    /url\("\.\.\/img\/back\.png"\).*url\("data:,"\)/
  )
  t.match(
    readFileSync(join(at, 'site', host, 'based/index.html'), 'utf8'),
    /href="sub\/one\.html".*src="sub\/logo\.png"/
  )
})

t.test('the copy becomes an archive that zimcheck passes and that the library reads', async (t) => {
  if (findProgram('zimwriterfs') === null || findProgram('zimcheck') === null) {
    t.comment('skipped: zim-tools are not installed here')
    return
  }
  const site = await serveSite(t, wellsSite())
  const at = folder(t)
  const result = await copy(optionsFor(site, at))
  const file = await packSite({
    folder: at,
    url: `${site.origin}/`,
    title: 'Wells, pumps and how to keep them clean',
    language: 'eng,deu',
    welcome: result.first.file,
    scraper: 'Lookout 1.0',
    memoryBytes: 4e9,
    signal: new AbortController().signal
  })
  const said = execFileSync(findProgram('zimcheck') ?? '', ['-A', file], { encoding: 'utf8' })
  t.match(said, /Overall Test Status: Pass/, said)
  const reader = ZimReader.open(file)
  t.teardown(() => reader.close())
  t.equal(reader.mainPath(), result.first.file)
  t.equal(await reader.metadata('Language'), 'eng,deu')
  t.equal(await reader.metadata('Title'), 'Wells, pumps and how to keep …')
  t.equal(await reader.metadata('Source'), `${site.origin}/`)
  const host = new URL(site.origin).host.replace(':', '-')
  const page = reader.find(`${host}/articles/7.html`)
  t.ok(page !== null && reader.isArticle(page))
  t.match(page === null ? '' : (await reader.content(page, 100_000)).toString(), /well number 7/)
  t.ok(reader.find(`${host}/umlaut/Küche.html`))
})

t.test('Z10: the crawl ends at its limits, with what it has', async (t) => {
  const site = await serveSite(t, wellsSite())
  const few = await copy(optionsFor(site, folder(t), { maxPages: 5 }))
  t.equal(few.limit, 'pages')
  t.equal(few.pages, 5)
  const small = await copy(optionsFor(site, folder(t), { maxBytes: 6000 }))
  t.equal(small.limit, 'bytes')
  t.ok(small.pages >= 1 && small.bytes < 12_000)
  const endless = await serveSite(t, {})
  endless.before = (path) => {
    const n = Number(/\d+/.exec(path)?.[0] ?? 0)
    endless.pages[path] = `<a href="/c/${n + 1}">next</a><a href="/c/${n + 1}?day=${n}">day</a>`
  }
  endless.pages['/robots.txt'] = { status: 404 }
  const calendar = await copy(optionsFor(endless, folder(t), { maxPages: 60 }))
  t.equal(calendar.limit, null, 'a calendar that says the same for ever is left when its part of the pages is read')
  t.equal(calendar.pages, 25, 'the first page, and what it takes to see that neither pattern says anything new')
  t.same(
    calendar.capped.map(({ pattern, kept }) => [pattern.replace(/^[^/]+/, ''), kept]),
    [
      ['/c/#', 12],
      ['/c/#?day=*', 12]
    ]
  )
})

t.test('Z10: it is polite: robots.txt is obeyed and its pace kept, busy servers are waited for', async (t) => {
  const pages = wellsSite()
  const site = await serveSite(t, pages)
  const refusal = async (robots: Site[string], url = `${site.origin}/`): Promise<AppError | null> => {
    site.pages = { ...pages, '/robots.txt': robots }
    try {
      await copy(optionsFor(site, folder(t), { url, maxPages: 1 }))
      return null
    } catch (error) {
      return error instanceof AppError ? error : null
    }
  }
  t.match(await refusal({ type: 'text/plain', body: 'User-agent: *\nDisallow: /' }), {
    code: 'invalid',
    message: /robots/
  })
  t.match(await refusal({ type: 'text/plain', body: 'User-agent: lookout\nDisallow: /' }), { code: 'invalid' })
  const silent = { code: 'unavailable', message: /robots\.txt answers 503/ }
  t.match(await refusal({ status: 503 }), silent, 'a server that cannot say forbids (RFC 9309 §2.3.1.4), for now')
  t.equal(await refusal({ status: 404 }), null, 'no file forbids nothing')
  t.equal(await refusal({ type: 'text/plain', body: 'User-agent: other\nDisallow: /' }), null)

  site.pages = { ...pages, '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nCrawl-delay: 0.2' } }
  const times: number[] = []
  site.before = () => void times.push(performance.now())
  await copy(optionsFor(site, folder(t), { maxPages: 1, url: `${site.origin}/articles/1` }))
  const gaps = times.slice(2).map((at, index) => at - (times[index + 1] ?? 0))
  t.ok(gaps.length >= 1 && gaps.every((gap) => gap >= 190), `gaps of ${gaps.map(Math.round).join(', ')} ms`)

  let busy = 0
  site.pages = { ...pages, '/articles/2': { status: 429, headers: { 'Retry-After': '1' } } }
  site.before = (path) => {
    if (path === '/articles/2' && busy++ === 1) site.pages = pages
  }
  const patient = await copy(optionsFor(site, folder(t), { url: `${site.origin}/articles/1`, maxPages: 3 }))
  t.equal(patient.pages, 3, 'a page of a busy server is asked for again')
})

t.test('only the site itself: scope, redirects out of it, addresses of the network around us', async (t) => {
  const site = await serveSite(t, wellsSite())
  const prefix = await copy(optionsFor(site, folder(t), { url: `${site.origin}/dir/`, scope: 'prefix' }))
  t.equal(prefix.pages, 2)
  const inner = await serveSite(t, { '/': 'inside', '/robots.txt': { status: 404 } })
  const outer = await serveSite(t, {
    '/robots.txt': { status: 404 },
    '/': '<a href="/hop">hop</a><img src="http://[::1]:9/x.png"><img src="http://169.254.169.254/latest/meta-data">',
    '/hop': { status: 302, headers: { Location: `${inner.origin.replace('127.0.0.1', '127.0.0.2')}/` } }
  })
  const result = await copy(optionsFor(outer, folder(t)))
  t.equal(result.pages, 1)
  t.same(inner.asked, [], 'no hop leads to an address that is not allowed')
  const refused = await serveSite(t, {
    '/': { status: 302, headers: { Location: 'http://localhost:1/' } },
    '/robots.txt': { status: 404 }
  })
  await t.rejects(copy(optionsFor(refused, folder(t))), { code: 'invalid', message: /localhost/ })
  for (const [name, page] of Object.entries({
    'a page that is not there': { status: 404 },
    'no page': { type: 'application/pdf', body: '%PDF' }
  })) {
    const one = await serveSite(t, { '/': page, '/robots.txt': { status: 404 } })
    await t.rejects(copy(optionsFor(one, folder(t))), { code: 'invalid' }, name)
  }
  const down = await serveSite(t, { '/robots.txt': { status: 404 }, '/': { status: 500 } })
  await t.rejects(copy(optionsFor(down, folder(t))), { code: 'unavailable' }, 'a server that fails may do better later')
})

t.test('a crawl that was interrupted goes on where it was', async (t) => {
  const site = await serveSite(t, wellsSite())
  const at = folder(t)
  let left = 25
  site.before = () => {
    if (left-- === 0) void site.close()
  }
  await t.rejects(copy(optionsFor(site, at)), { code: 'unavailable', message: /does not answer any more/ })
  const again = await serveSite(t, wellsSite())
  // The same site, as the frontier knows it, at its new port.
  const lines = readFileSync(join(at, 'frontier.ndjson'), 'utf8')
  t.ok(lines.split('\n').length > 20)
  const moved = lines.replaceAll(new URL(site.origin).host, new URL(again.origin).host)
  writeFileSync(join(at, 'frontier.ndjson'), `${moved}{"t":"done","key":"cut of`)
  const result = await copy(optionsFor(again, at))
  t.equal(result.pages, 39)
  t.notOk(again.asked.includes('/'), 'what is there is not fetched again')
  t.ok(again.asked.length < 50)
  const files = filesBelow(join(at, 'site')).filter((name) => name.endsWith('.html'))
  t.equal(new Set(files).size, 39)
})

t.test('addresses: one key for one page, nothing that is a trap', (t) => {
  const base = new URL('https://www.example.org/a/b')
  const key = (text: string): string | null => {
    const url = cleanAddress(text, base)
    return url === null ? null : addressKey(url)
  }
  for (const [text, expected] of [
    ['/x', 'example.org/x'],
    ['http://example.org/x/', 'example.org/x'],
    ['/x/index.html#part', 'example.org/x'],
    ['/x?b=2&a=1&utm_source=y&fbclid=z', 'example.org/x?a=1&b=2'],
    ['/x;jsessionid=123', 'example.org/x'],
    ['/%7Euser', 'example.org/~user'],
    ['/K%C3%BCche', 'example.org/Küche'],
    ['/Ku\u0308che', 'example.org/Küche'],
    ['/%ff', 'example.org/%ff'],
    ['ftp://example.org/', null],
    ['javascript:x', null],
    ['https://me:pw@example.org/', null],
    ['http://', null],
    [`/${'a/'.repeat(30)}`, null],
    [`/?${'x'.repeat(2000)}`, null]
  ] as const)
    t.equal(key(text), expected, text.slice(0, 40))
  const inScope = (scope: 'host' | 'prefix' | 'domain', text: string): boolean =>
    scopeOf(new URL('https://www.example.org/docs/start.html'), scope)(new URL(text))
  t.same(
    [
      'https://example.org/x',
      'https://sub.example.org/',
      'https://example.org/docs/x',
      'https://badexample.org/docs/'
    ].map((url) => [inScope('host', url), inScope('prefix', url), inScope('domain', url)]),
    [
      [true, false, true],
      [false, false, true],
      [true, true, true],
      [false, false, false]
    ]
  )
  t.end()
})

t.test('file names: safe, short, unique, and never a file where a folder is', (t) => {
  const names = new FileNames()
  const give = (text: string, ending = 'html'): string => names.give(new URL(text), ending)
  t.equal(give('https://e.org/'), 'e.org/index.html')
  t.equal(give('https://e.org/a'), 'e.org/a.html')
  t.equal(give('https://e.org/A'), 'e.org/A~2.html', 'capital letters make no difference on some disks')
  t.equal(give('https://e.org/a.php/b'), 'e.org/a.php_/b.html')
  t.match(give('https://e.org/a?x=1'), /^e\.org\/a~[0-9a-f]{8}\.html$/)
  t.equal(give('https://e.org:8080/a%2F..%2Fb'), 'e.org-8080/a_.._b.html')
  t.equal(give('https://e.org/..%5c..%5cetc'), 'e.org/__.._etc.html')
  const long = give(`https://e.org/${encodeURIComponent('井'.repeat(300))}/${encodeURIComponent('戸'.repeat(300))}`)
  t.ok(
    long.split('/').every((part) => Buffer.byteLength(part) < 110),
    long
  )
  t.notMatch(give(`https://e.org/${'x/'.repeat(5)}%2e%2e/%2e/q`), /(^|\/)\.\.?(\/|$)/)
  t.equal(linkBetween('e.org/a/b.html', 'e.org/c d.html'), '../c%20d.html')
  t.end()
})

t.test('pages and styles of any kind are rewritten without harm', (t) => {
  const rules = { page: () => 'p.html', frame: () => 'p.html', part: () => 'x.png' }
  const deep = `${'<div>'.repeat(60_000)}<a href="x">deep</a>`
  t.match(copyPage(deep, rules).html, /<a href="p\.html">deep<\/a>/, 'no depth is too deep')
  t.equal(copyPage('<p>a & b < c &lt;d&gt;', rules).html, '<meta charset="utf-8"><p>a &amp; b &lt; c &lt;d&gt;</p>')
  t.notMatch(copyPage('<svg><script>x</script></svg><script><script>y</script>z', rules).html, /script|x<|y</)
  t.notMatch(
    copyPage('<img src=x onload=alert(1) "><a href=" java\nscript:alert(1)">', { ...rules, page: () => null }).html,
    /onload/
  )
  const odd = copyPage('<img<base href="//evil.example/">a<x"y>b</x"y></img<base>', rules).html
  t.equal(odd, 'ab', 'an element whose name is none leaves only what it holds')
  // Where a browser takes the sheet for a part of an SVG it reads the tags in it.
  const drawn = copyPage('<style><!<!---- <script>x</script><img src=y onerror=z> --></style>', rules).html
  t.notMatch(drawn, /<script|<img|<!--/)
  t.match(drawn, /\\3c script/)
  t.match(
    copyPage('<style><!--\np{color:red}@media (width<9px){q{top:0}}\n--></style>', rules).html,
    /<style>\np\{color:red\}@media \(width<9px\)/
  )
  t.equal(copyPage('<meta name=robots content="noindex, NOFOLLOW">', rules).nofollow, true)
  t.match(copyPage('<meta http-equiv="refresh" content="0; URL=\'next.html\'">', rules).html, /content="0;url=p\.html"/)
  t.equal(
    rewriteCss('a{b:url(x.png)}/**/@import url("y")', (text) => text.toUpperCase()),
    'a{b:url("X.PNG")}/**/@import url("Y")'
  )
  t.equal(
    rewriteCss('url(x\\29 y)', (text) => text),
    'url("x)y")'
  )
  t.match(
    copyPage('<style>a{b:url(x)}</style>', { ...rules, part: () => 'c</style><script>' }).html,
    /^(?!.*<\/style><script)/
  )
  t.end()
})

t.test('nothing is left in the folder but what the crawl made', async (t) => {
  const site = await serveSite(t, wellsSite())
  const at = folder(t)
  await copy(optionsFor(site, at))
  t.same(readdirSync(at).sort(), ['frontier.ndjson', 'raw', 'site'])
  t.ok(existsSync(join(at, 'raw', '1')))
})

t.test('a page of broken tags costs what its length does', async (t) => {
  const rules = { page: () => null, frame: () => null, part: () => null }
  for (const piece of ['<div>', '<b></x>', '<i></p>', '<svg></x>', '<svg><p>', '</x>'])
    t.ok(
      growthOfEightfold(
        (times) => piece.repeat(times),
        (page) => void copyPage(page, rules),
        5000
      ) < MOST_GROWTH,
      piece
    )
})

t.test('a style sheet of nothing but openings costs what its length does', async (t) => {
  for (const piece of ['url(a', 'url("a', '@import "', 'url(\\'])
    t.ok(
      growthOfEightfold(
        (times) => piece.repeat(times),
        (css) => void rewriteCss(css, () => null),
        2000
      ) < MOST_GROWTH,
      piece
    )
  t.equal(
    rewriteCss('p { src: url(a(b.png) } q { src: url(c.png) }', () => 'd'),
    'p { src: url(a(b.png) } q { src: url("d") }'
  )
})

t.test('a style sheet costs what its length does, whatever is escaped or left open in it', async (t) => {
  const escapes = (times: number): string =>
    `url(${Array.from({ length: times }, (_, n) => `\\${n.toString(16)}`).join('')}`
  for (const make of [
    escapes,
    (times: number) => `url(${' '.repeat(times)}`,
    (times: number) => `url(${'\\41 '.repeat(times)}`,
    (times: number) => `@import ${' '.repeat(times)}`
  ])
    t.ok(growthOfEightfold(make, (css) => void rewriteCss(css, () => null), 4000) < MOST_GROWTH, make(3))
  const same = (address: string): string => address
  t.equal(rewriteCss('url(a\\41 b\\000043c)', same), 'url("aAbCc")', 'a blank ends an escape')
  t.equal(rewriteCss('url(  x\\ y.png  )', same), 'url("x y.png")')
  t.equal(rewriteCss('url(a b)', same), 'url(a b)', 'no address holds a blank')
})

t.test('a link with a bad escape in its host leads nowhere, though URL.canParse takes it', async (t) => {
  t.equal(cleanAddress('//b.exampleß%90.0001Ea9/%90.0001Ea/^', new URL('https://a.example/f/')), null)
})
