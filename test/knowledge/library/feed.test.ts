import { spawn } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { archiveName, articleUrl } from '../../../src/knowledge/library/citation.ts'
import { parseFeed, readFeed } from '../../../src/knowledge/library/feed.ts'
import { freePort } from '../../../src/knowledge/library/listen-place.ts'
import { manifestOf, writeManifest } from '../../../src/knowledge/library/manifest.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { canServeArchives, makeArchive, source } from '../../helpers/archives.ts'
import { growthOfEightfold, MOST_GROWTH } from '../../helpers/growth.ts'
import { eventually } from '../../helpers/process.ts'

const feed = (total: number | null, ids: readonly number[], prefix = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
<id>of the feed</id><title>All (count=1&amp;start=0)</title>
<link rel="self" href="/catalog/v2/entries?count=1&start=0" type="application/atom+xml"/>
${total === null ? '' : `<opensearch:totalResults>${total}</opensearch:totalResults>`}
${ids
  .map(
    (
      id
    ) => `<entry><id>urn:uuid:0000000A-0000-4000-8000-${String(id).padStart(12, '0')}</id><title>Book &lt;${id}&gt;</title>
<language>eng</language><author><name>not it</name></author>
<link rel="http://opds-spec.org/image/thumbnail" href="/x" type="image/png"/>
<link type="text/html" href="${prefix}/book_${id}%20x"/></entry>`
  )
  .join('')}
</feed>`

/** A server that tells `pages` by their first book. */
function server(
  books: number,
  { most = 10, drop = (_start: number): boolean => false, catalogue = '/catalog/v2/entries' } = {}
) {
  const asked: string[] = []
  const get = async ({ url }: { url: string }) => {
    const { pathname, searchParams } = new URL(url)
    asked.push(`${pathname}${searchParams.get('start')}`)
    if (pathname !== catalogue) return { status: 404, body: new Uint8Array() }
    const start = Number(searchParams.get('start'))
    const count = Math.min(most, Number(searchParams.get('count')))
    const ids = Array.from({ length: books }, (_, index) => index).slice(start, start + count)
    return { status: 200, body: new TextEncoder().encode(feed(books, drop(start) ? [] : ids)) }
  }
  return { asked, get }
}
const request = { url: 'http://127.0.0.1:1', userAgent: 'tests' }

t.test(
  'a page of the feed is read: books by id and link, the number of all, and nothing of what is around',
  async (t) => {
    const { total, entries } = parseFeed(feed(12, [1, 2], '/content'))
    t.equal(total, 12)
    t.same(entries, [
      {
        uuid: '0000000a-0000-4000-8000-000000000001',
        name: 'book_1 x',
        title: 'Book <1>',
        language: 'eng',
        link: '/content/book_1%20x'
      },
      {
        uuid: '0000000a-0000-4000-8000-000000000002',
        name: 'book_2 x',
        title: 'Book <2>',
        language: 'eng',
        link: '/content/book_2%20x'
      }
    ])
    const viewer = parseFeed(feed(1, [1]).replace('href="/book_1%20x"', 'href="/viewer#book_1%20x"'))
    t.equal(viewer.entries[0]?.name, 'book_1 x')
  }
)

t.test('what is no feed changes nothing: it is refused', async (t) => {
  const whole = feed(3, [1, 2, 3])
  for (const text of ['', '<html><body>Welcome</body></html>', '<!DOCTYPE x><feed/>', '{}'])
    t.throws(() => parseFeed(text), { code: 'bad-input' }, text)
  for (let cut = 1; cut < whole.length; cut += 7) t.throws(() => parseFeed(whole.slice(0, cut)), { code: 'bad-input' })
})

t.test('all pages are read, however few books the server tells at once', async (t) => {
  const many = server(43)
  const books = await readFeed({ ...request, get: many.get })
  t.equal(books.length, 43)
  t.equal(many.asked.length, 5)
  t.equal((await readFeed({ ...request, get: server(0).get })).length, 0)
  const old = server(12, { catalogue: '/catalog/search' })
  t.equal((await readFeed({ ...request, get: old.get })).length, 12, 'an old server has another catalogue')
})

t.test('a server that tells fewer books than it says is not believed', async (t) => {
  const hiding = server(30, { drop: (start) => start === 20 })
  await t.rejects(readFeed({ ...request, get: hiding.get }), { code: 'unavailable', message: /fewer books/ })
  let calls = 0
  const reloaded = server(30, { drop: (start) => start === 20 && calls++ === 0 })
  t.equal((await readFeed({ ...request, get: reloaded.get })).length, 30, 'one that was reloaded is read again')
  await t.rejects(readFeed({ ...request, get: server(3, { catalogue: '/none' }).get }), { message: /no catalogue/ })
  const broken = async () => ({ status: 500, body: new Uint8Array() })
  await t.rejects(readFeed({ ...request, get: broken }), { message: /answered 500/ })
})

t.test('the real server: more than ten books, page by page, each under the name the links use', async (t) => {
  if (!canServeArchives()) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
  const folder = t.testdir()
  await makeArchive(join(folder, 'one.zim'), { pages: { 'What? 100% #1 ü.html': '<h1>Odd</h1>here it is' } })
  const names = ['Äpfel B+c ß x.zim', 'WikiMed_2026.zim', ...Array.from({ length: 21 }, (_, n) => `book-${n}.zim`)]
  const bytes = readFileSync(join(folder, 'one.zim'))
  const rows = names.map((filename, index) => {
    const id = index + 1
    // A copy with an id of its own: the server looks at nothing but the list.
    copyFileSync(join(folder, 'one.zim'), join(folder, filename))
    return source(id, { filename, title: id % 2 === 0 ? 'Same & title' : `Title ${id}`, sizeBytes: bytes.length })
  })
  await writeManifest(join(folder, 'library.xml'), manifestOf(rows))
  const port = await freePort('127.0.0.1')
  const said = ['--library', '--address', '127.0.0.1', '--port', String(port), join(folder, 'library.xml')]
  const child = spawn('kiwix-serve', said, { stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const books = await eventually('the feed', () => readFeed({ url, userAgent: 't', pageSize: 4 }).catch(() => null))
  t.equal(books.length, 23)
  for (const row of rows) {
    const book = books.find(({ uuid }) => uuid === row.uuid)
    t.match(book, { name: archiveName(row.filename), title: row.title, language: 'eng' }, row.filename)
    for (const path of ['What? 100% #1 ü.html', 'index.html', '']) {
      const opened = await fetch(articleUrl(url, row.filename, path))
      t.equal(opened.status, 200, `${row.filename}: ${path}`)
    }
  }
})

t.test('a feed of nothing but opening tags costs what its length does', async (t) => {
  const read = (text: string): void => {
    try {
      parseFeed(text)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  t.ok(growthOfEightfold((times) => `<feed>${'<id>'.repeat(times)}`, read, 2000) < MOST_GROWTH)
})
