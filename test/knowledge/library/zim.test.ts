import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { ArchiveLine } from '../../../src/knowledge/library/archive-lines.ts'
import { archiveReader } from '../../../src/knowledge/library/archive-reader.ts'
import { articleText } from '../../../src/knowledge/library/article-text.ts'
import { linesOf } from '../../../src/knowledge/library/line-child.ts'
import { countedPages, isPage, parseMime } from '../../../src/knowledge/library/mime.ts'
import { ZimReader } from '../../../src/knowledge/library/zim.ts'
import { archiveFacts, readArticles } from '../../../src/knowledge/library/zim-read.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { ownProgram } from '../../../src/platform/process/own-program.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { runnable } from '../../helpers/runnable.ts'
import {
  needsZimTools,
  pageHtml,
  redirectHtml,
  UUID,
  writeArchive,
  type ZimOptions,
  type ZimPage,
  zimBytes,
  zimdump,
  zstdStored
} from '../../helpers/zim.ts'

const { flags: execArgv, file: entry } = runnable('test/knowledge/library/zim-entry.ts')
const reader = archiveReader((args) => ownProgram(args, { entry, execArgv }))

function opened(t: Test, bytes: Buffer, name = 'test.zim'): ZimReader {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-zim-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, name), bytes)
  const zim = ZimReader.open(join(folder, name))
  t.teardown(() => zim.close())
  return zim
}

async function linesFrom(zim: ZimReader, from = 0): Promise<ArchiveLine[]> {
  const lines: ArchiveLine[] = []
  for await (const line of readArticles(zim, { from })) lines.push(line)
  return lines
}

const PAGES: ZimPage[] = [
  { path: 'well', title: 'The well', content: pageHtml('The well'), cluster: 1 },
  { path: 'it', content: pageHtml('Italian', 'it'), mime: 'text/html; charset=utf-8', cluster: 2 },
  { path: 'wiki/no', content: pageHtml('Norwegian', 'no'), mime: 'Text/HTML;charset="UTF-8"', cluster: 0 },
  { path: 'Größe & 水/été.html', title: 'Size', content: pageHtml('Size'), cluster: 2 },
  { path: 'stub', content: '<p>Too short.</p>', cluster: 1 },
  { path: 'style.css', mime: 'text/css', content: 'p { color: red }', cluster: 1 },
  { path: 'home', redirect: 'C/start' },
  { path: 'start', redirect: 'C/well' },
  { path: 'round', redirect: 'C/about' },
  { path: 'about', redirect: 'C/round' }
]
const META = { Title: 'By hand', Language: 'eng, fra', Date: '2026-05-14', Description: 'Written by hand' }

t.test('an archive is read whatever its scheme, its packing and the width of its offsets', async (t) => {
  for (const old of [false, true]) {
    for (const packing of ['none', 'zstd'] as const) {
      for (const extended of [false, true]) {
        const pages = PAGES.map((page) =>
          old && page.redirect !== undefined ? { ...page, redirect: page.redirect.replace('C/', 'A/') } : page
        )
        const name = `${old ? 'old' : 'new'} scheme, ${packing}, ${extended ? 8 : 4} bytes`
        const zim = opened(t, zimBytes(pages, { old, packing, extended, meta: META, main: 'home' }))
        const prefix = old ? 'A/' : ''
        t.match(
          await archiveFacts(zim),
          {
            uuid: UUID,
            title: 'By hand',
            language: 'eng,fra',
            date: '2026-05-14',
            articleCount: 5,
            mainPath: `${prefix}well`
          },
          name
        )
        const lines = await linesFrom(zim)
        t.same(
          lines.flatMap((line) => ('path' in line ? [`${line.kind} ${line.path}`] : [])),
          [
            `article ${prefix}wiki/no`,
            `skip ${prefix}stub`,
            `article ${prefix}well`,
            `article ${prefix}Größe & 水/été.html`,
            `article ${prefix}it`
          ],
          `${name}: cluster by cluster; paths that look like a language are articles (Z6)`
        )
        t.same(await linesFrom(zim, 3), [lines[0], ...lines.slice(4)], `${name}: reading goes on where it ended`)
        const found = zim.find(`${prefix}home`)
        t.equal(found === null ? null : zim.resolve(found).path, 'well', `${name}: redirects are followed`)
        t.equal(zim.find(`${prefix}nowhere`), null)
        const round = zim.find(`${prefix}round`)
        t.throws(() => round && zim.resolve(round), { code: 'bad-input' }, `${name}: a circle of redirects ends`)
        const css = zim.find(`${prefix}style.css`)
        t.equal(css && (await zim.content(css, 1000)).toString(), 'p { color: red }', name)
        await t.rejects(async () => css && zim.content(css, 5), { code: 'too-large' })
      }
    }
  }
})

t.test('clusters packed with XZ, as before 2021, are read', async (t) => {
  const sums = {
    crc32:
      '/Td6WFoAAAFpIt42AgAhARwAAAAQz1jM4AFzAGldAAQANQhC5k6rjDQgjZotv8tRuTnMl/cy3R6a4bfx+5L1oRI8GJQl84OtnlasqfrXhkDuXDVCBpKdomgA79dlZn1pUbuM6lyaKiP+18Yt9s+nW5MZzCT58XHuWSEYSAxLJvyzXbnMMdaNLgAAAAAMtlEvAAGBAfQCAACOb1khPjANiwIAAAAAAVla',
    crc64:
      '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4AFzAGldAAQANQhC5k6rjDQgjZotv8tRuTnMl/cy3R6a4bfx+5L1oRI8GJQl84OtnlasqfrXhkDuXDVCBpKdomgA79dlZn1pUbuM6lyaKiP+18Yt9s+nW5MZzCT58XHuWSEYSAxLJvyzXbnMMdaNLgAAAAA9Wjd4we4wJwABhQH0AgAAmC3IurHEZ/sCAAAAAARZWg=='
  }
  for (const [check, packed] of Object.entries(sums)) {
    const archive = (bytes: Buffer) => zimBytes([{ path: 'old' }], { old: true, packing: 'xz', pack: () => bytes })
    const bytes = Buffer.from(packed, 'base64')
    const [, line] = await linesFrom(opened(t, archive(bytes)))
    t.match(line, { kind: 'article', path: 'A/old', title: 'Old' }, check)
    t.match(line, { text: /packed as archives were before 2021/ })
    const cut = opened(t, archive(bytes.subarray(0, 100)))
    t.match(inWords((await linesFrom(cut))[1]), { kind: 'fail', reason: /damaged|cut off/ }, `${check}: cut off`)
  }
})

t.test('an archive in parts is read as one', async (t) => {
  const bytes = zimBytes(PAGES, { meta: META, packing: 'zstd' })
  const whole = await linesFrom(opened(t, bytes))
  for (const size of [1000, 4096]) {
    const folder = t.testdir({})
    for (let at = 0; at * size < bytes.length; at++)
      writeFileSync(join(folder, `split.zima${'abcdefghij'[at]}`), bytes.subarray(at * size, (at + 1) * size))
    const zim = ZimReader.open(join(folder, 'split.zim'))
    t.same(await linesFrom(zim), whole, `${size} bytes each`)
    zim.close()
  }
  t.throws(() => ZimReader.open(join(t.testdirName, 'none.zim')), { code: 'not-found' })
})

t.test('real archives: the reader lists, counts and reads what the tools of the format do', async (t) => {
  if (!needsZimTools(t)) return
  const files: Record<string, string | Buffer> = {
    'picture.png': Buffer.from('\x89PNG no picture'),
    'style.css': 'p {}'
  }
  files['index.html'] = pageHtml('Start')
  files['it.html'] = pageHtml('Italy')
  files['a/no'] = pageHtml('Norway')
  files['Größe/水.html'] = pageHtml('水')
  for (let n = 0; n < 300; n++) files[`notes/${n}.html`] = pageHtml(`Note ${n}`, `${n} `.repeat(30))
  files['old-name.html'] = redirectHtml('notes/3.html')
  files['older.html'] = redirectHtml('notes/4.html')
  const { path } = writeArchive(t, files, { title: 'Größe' })
  const zim = ZimReader.open(path, { keep: 2 })
  t.teardown(() => zim.close())
  const facts = await archiveFacts(zim)
  const info = zimdump('info', path)
  t.equal(facts.uuid, /uuid:\s*(\S+)/.exec(info)?.[1], 'the UUID is the one the tools print')
  t.equal(facts.mainPath, 'index.html')
  t.match(facts, { title: 'Größe', language: 'eng', name: 'notes' })
  const listed = zimdump('list', path)
    .split('\n')
    .filter((line) => line !== '')
    .sort()
  const own: string[] = []
  for (let index = 0; index < zim.directory.count; index++) {
    const found = zim.directory.entry(index)
    if (found.namespace === 'C') own.push(zim.pathOf(found))
    t.equal(zim.directory.find(found.namespace, found.path)?.index, index, 'every entry is found by its path')
  }
  t.same(own.sort(), listed)
  const lines = await linesFrom(zim)
  const articles = lines.flatMap((line) => (line.kind === 'article' ? [line] : []))
  t.equal(articles.length, facts.articleCount, 'as many articles as the archive counts, redirects excluded')
  t.equal(articles.length, 304)
  t.ok(
    articles.some((line) => line.path === 'a/no'),
    'a path that ends like a language is an article (Z6)'
  )
  t.ok(articles.some((line) => line.path === 'Größe/水.html' && line.title === '水'))
  for (const line of articles.slice(0, 20)) {
    const entry = zim.find(line.path)
    t.equal(entry && (await zim.content(entry, 1e6)).toString(), zimdump('show', `--url=${line.path}`, path), line.path)
  }
})

t.test('media types are parsed, not compared (Z6)', async (t) => {
  t.same(parseMime('Text/HTML ; charset="ISO-8859-1"'), { essence: 'text/html', charset: 'iso-8859-1' })
  for (const page of ['text/html', 'text/html;charset=utf-8', 'TEXT/HTML; raw=true', 'application/xhtml+xml'])
    t.ok(isPage(page), page)
  for (const other of ['text/htmlx', 'image/svg+xml', 'text/plain; note=text/html', '']) t.notOk(isPage(other), other)
  const counters: [string, number | null][] = [
    ['text/html=12;image/png=3', 12],
    ['image/png=3;text/html=12;', 12],
    ['text/html=5;text/html; charset=utf-8=2;text/css=1', 7],
    ['text/html; charset=utf-8=2', 2],
    ['text/html;raw=true=50;text/html=1', 51],
    ['application/octet-stream+xapian=2;text/html;charset=UTF-8=9', 9],
    ['image/png=3', 0],
    ['', null],
    ['no counter at all', null],
    ['text/html=many', null]
  ]
  for (const [counter, count] of counters) t.equal(countedPages(counter), count, counter)
})

t.test('an article becomes text as somebody would write it down', async (t) => {
  const cases: [string, string][] = [
    ['<p>One  two\n three</p><p>Four</p>', 'One two three\n\nFour'],
    [
      '<nav>Menu</nav><header>Head</header><p>Text</p><aside>Margin</aside><footer>Foot</footer><script>x<p>y</script>',
      'Text'
    ],
    ['<h2>Water<span class="mw-editsection">[edit]</span></h2>Boil it.', '## Water\n\nBoil it.'],
    [
      '<table><tr><th>Name</th><th>Use</th></tr><tr><td>Rope</td><td>Tie<br>it</td></tr></table>',
      'Name | Use\nRope | Tie it'
    ],
    ['<table><tr><td>a</td><td></td><td>c|d</td></tr></table>', 'a |  | c d'],
    ['<table><tr><td><h2>Head</h2><p>Text</p></td></tr></table>', '## Head\n\nText'],
    ['<table><tr><td>x</td><td><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>', 'x\n\n1 | 2'],
    ['<ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul>', '- One\n  - Inner\n- Two'],
    ['<dl><dt>Knot<dd>A tie</dl>', 'Knot\n  A tie'],
    ['<pre>a\n  b</pre>', 'a\n  b'],
    ['Verse<br>Next<br><br>Last', 'Verse\nNext\nLast'],
    ['&Auml;rger &amp; &#27700;', 'Ärger & 水'],
    ['<p>so\u00adft\u200b</p>', 'soft'],
    ['<div hidden>no</div><td>stray</td>', 'stray'],
    ['</table></ul></td>fine', 'fine'],
    ['', '']
  ]
  for (const [html, text] of cases) t.equal(articleText(html).text, text, html)
  t.equal(articleText('<title> A  title </title><h1>Head</h1>').title, 'A title')
  t.equal(articleText('<body><h1>Head</h1>').title, 'Head')
  const deep = `${'<div><table><tr><td>'.repeat(20_000)}deep`
  t.equal(articleText(deep).text, 'deep', 'depth is no problem')
  t.ok(articleText('x '.repeat(3_000_000)).text.length <= 4_100_000, 'size is bounded')
})

/** Reads everything an archive holds; what is wrong must come as AppError or as a line that says so. */
async function readAll(path: string): Promise<void> {
  const zim = ZimReader.open(path)
  try {
    await archiveFacts(zim)
    for await (const _line of readArticles(zim, { from: 0 }));
    for (let index = 0; index < Math.min(20, zim.directory.count); index++) zim.resolve(zim.directory.entry(index))
  } finally {
    zim.close()
  }
}

async function onlyAppErrors(t: Test, path: string, what: string): Promise<boolean> {
  try {
    await readAll(path)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) t.fail(`${what}: ${String(error)}`, { error })
    return false
  }
}

t.test('damaged and hostile archives are refused, never a crash, never without end', async (t) => {
  const file = join(t.testdir({}), 'damaged.zim')
  const samples: Buffer[] = []
  for (const packing of ['none', 'zstd'] as const) samples.push(zimBytes(PAGES, { packing, meta: META, main: 'home' }))
  for (const bytes of samples) {
    for (let percent = 0; percent < 100; percent++) {
      writeFileSync(file, bytes.subarray(0, Math.floor((bytes.length * percent) / 100)))
      t.notOk(await onlyAppErrors(t, file, `cut at ${percent} %`), `cut at ${percent} % is refused`)
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        async (flips) => {
          const broken = Buffer.from(bytes)
          for (const [at, value] of flips) broken[at] = value
          writeFileSync(file, broken)
          await onlyAppErrors(t, file, `bytes ${JSON.stringify(flips)}`)
        }
      ),
      { numRuns: 400 }
    )
  }
  const patched = (at: number, value: bigint | number, options: ZimOptions = {}): Buffer => {
    const bytes = zimBytes(PAGES, { meta: META, ...options })
    if (typeof value === 'bigint') bytes.writeBigUInt64LE(value, at)
    else bytes.writeUInt32LE(value, at)
    return bytes
  }
  const hostile: [string, Buffer][] = [
    ['four billion entries', patched(24, 0xffffffff)],
    ['four billion clusters', patched(28, 0xffffffff)],
    ['lists at the end of the world', patched(32, 2n ** 63n)],
    ['clusters beyond the end', patched(48, 2n ** 53n)],
    ['types beyond the end', patched(56, 10n ** 12n)],
    ['a checksum beyond the end', patched(72, 10n ** 9n)],
    ['a version of the future', patched(4, 9)],
    ['no archive', Buffer.from('PK\x03\x04'.padEnd(500, 'x'))],
    ['nothing', Buffer.alloc(0)]
  ]
  for (const [name, bytes] of hostile) {
    writeFileSync(file, bytes)
    await t.rejects(readAll(file), AppError, name)
  }
})

t.test('packed clusters that are damaged or swell are told and passed', async (t) => {
  const packs: [string, (content: Buffer) => Buffer, RegExp][] = [
    ['no frame', (content) => content, /damaged/],
    ['cut off', (content) => zstdStored(content).subarray(0, 12), /damaged|lies outside/],
    ['a window of 2 GiB', () => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8, 1, 0, 0]), /damaged/],
    ['a dictionary', () => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x58, 1, 1, 0, 0]), /damaged/],
    [
      'a bomb: one byte, repeated to 100 MiB',
      () =>
        Buffer.concat([
          Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]),
          ...Array.from({ length: 800 }, () => Buffer.from([0x02, 0x00, 0x10, 0x41]))
        ]),
      /more than 32 MiB/
    ]
  ]
  for (const [name, pack, reason] of packs) {
    const zim = opened(t, zimBytes([{ path: 'a' }, { path: 'b' }], { packing: 'zstd', pack }))
    const lines = await linesFrom(zim)
    t.equal(lines.length, 4, name)
    t.match(inWords(lines[1]), { path: 'a', reason }, name)
  }
  const unknown = zimBytes([{ path: 'a', content: pageHtml('A') }])
  unknown[unknown.indexOf(Buffer.from([1, 8, 0, 0, 0]))] = 3
  t.match(inWords((await linesFrom(opened(t, unknown)))[1]), { kind: 'fail', reason: /packing 3/ })
})

t.test('a process of its own reads the archive, as fast as it is asked and no longer than that', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'large.zim')
  const text = 'A long article has many words in it. '.repeat(2000)
  const pages = Array.from({ length: 200 }, (_, n) => ({ path: `p${n}`, content: `<p>${n} ${text}</p>`, cluster: n }))
  writeFileSync(path, zimBytes(pages, { meta: META, packing: 'zstd' }))
  t.match(await reader.facts(path), { uuid: UUID, articleCount: 200, title: 'By hand' })
  writeFileSync(join(folder, 'broken.zim'), zimBytes(pages).subarray(0, 5000))
  await t.rejects(reader.facts(join(folder, 'broken.zim')), { code: 'bad-input', message: /cut off/ })
  const signal = new AbortController().signal
  const kinds: string[] = []
  for await (const line of reader.articles({ path, from: 195, announce: true, signal })) kinds.push(line.kind)
  t.same(kinds, ['begin', ...Array.from({ length: 5 }, () => ['next', 'article']).flat(), 'end'])
  const broken = reader.articles({ path: join(folder, 'broken.zim'), from: 0, announce: false, signal })
  await t.rejects(
    async () => {
      for await (const _line of broken);
    },
    { code: 'bad-input' }
  )
  // 14 MB of lines: what is not asked for stays in the other process.
  const script = `let n = 0; const line = 'x'.repeat(9999) + '\\n'; for (;;) { process.stderr.write(''); if (!process.stdout.write(line)) await new Promise((r) => process.stdout.once('drain', r)); n++ }`
  const endless = { command: process.execPath, args: ['--input-type=module', '-e', script] }
  const limits = { memoryBytes: 256 * 2 ** 20, lineBytes: 20_000, silenceMs: 60_000 }
  let count = 0
  for await (const line of linesOf(endless, limits, signal)) {
    t.equal(line.length, 9999)
    if (++count === 5) break
  }
  const failing = (code: string) => linesOf({ command: process.execPath, args: ['-e', code] }, limits, signal)
  const drained = async (lines: AsyncIterable<string>) => {
    for await (const _line of lines);
  }
  await t.rejects(drained(failing('process.exit(3)')), { code: 'unavailable', message: /exit code 3/ })
  await t.rejects(drained(failing("process.kill(process.pid, 'SIGKILL')")), { message: /SIGKILL/ })
  await t.rejects(drained(failing("process.stdout.write('x'.repeat(50000))")), { message: /without end/ })
  const silent = linesOf(
    { command: process.execPath, args: ['-e', 'setTimeout(() => {}, 60000)'] },
    { ...limits, silenceMs: 300 },
    signal
  )
  await t.rejects(drained(silent), { message: /said nothing/ })
  const abort = new AbortController()
  const waiting = drained(
    linesOf({ command: process.execPath, args: ['-e', 'setTimeout(() => {}, 60000)'] }, limits, abort.signal)
  )
  setImmediate(() => abort.abort(new AppError('conflict', note('enough'))))
  await t.rejects(waiting, { code: 'conflict', message: 'enough' })
})
