import {
  copyFileSync,
  existsSync,
  openAsBlob,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type FeedEntry, readFeed } from '../../src/knowledge/library/feed.ts'
import type { SourceView } from '../../src/knowledge/library/status.ts'
import { canServeArchives, makeArchive } from '../helpers/archives.ts'
import { eventually, type Running, startLookout } from '../helpers/process.ts'

t.setTimeout(600_000)

interface Listing {
  sources: SourceView[]
  server: { status: string; url: string | null; version: string | null; reason: string | null; problem: string | null }
}
interface Taken {
  ok: boolean
  filename: string
  uuid: string
  source: SourceView | null
  pending: string[]
}
interface Found {
  results: { badge: string; title: string; citation: { url: string; text: string } }[]
}
interface Report {
  ok: boolean
  removed: { documents: number; vectors: number; file: boolean; registration: boolean; jobs: number }
  pending: string[]
}

async function station(t: Test, data: string): Promise<Running> {
  return startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'info' } })
}

const listing = async (hill: Running): Promise<Listing> => (await hill.get<Listing>('/api/library/sources')).json

async function sourceWhen(hill: Running, id: number, status: string): Promise<SourceView> {
  return eventually(`source ${id} is ${status}`, async () => {
    const { sources } = await listing(hill)
    return sources.find((source) => source.id === id && source.status === status)
  })
}

async function upload(hill: Running, file: string, name: string): Promise<{ status: number; body: Taken }> {
  const form = new FormData()
  form.append('file', await openAsBlob(file), name)
  const response = await fetch(`${hill.url}/api/library/sources`, { method: 'POST', body: form })
  return { status: response.status, body: (await response.json()) as Taken }
}

const remove = async (hill: Running, id: number): Promise<{ status: number; body: Report }> => {
  const response = await fetch(`${hill.url}/api/library/sources/${id}`, { method: 'DELETE' })
  return { status: response.status, body: (await response.json()) as Report }
}

const feedOf = async (url: string | null): Promise<FeedEntry[]> => readFeed({ url: url ?? '', userAgent: 'tests' })

const about = (word: string, topic: string): string =>
  `<h1>${topic}</h1><p>The word ${word} stands only in this article about ${topic.toLowerCase()}, and nowhere else in the library.</p>
<p>Keep ${topic.toLowerCase()} in good order: look at them every month, write down what was done, and tell the next watch.</p>`

t.test(
  'upload → registered → browsable → ingested → COMPLETE → cited answer opens → removed → gone from the feed, twice, with two archives of equal title (Z2, Z3, Z7)',
  async (t) => {
    if (!canServeArchives()) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
    const data = t.testdir({
      'config.json': JSON.stringify({ station: { name: 'Hill' }, library: { port: 0 } }),
      made: {}
    })
    const first = join(data, 'made', 'first.zim')
    const second = join(data, 'made', 'second.zim')
    await makeArchive(first, {
      title: 'Field Notes',
      pages: { 'Wells & pumps? 100% #1.html': about('zarbulok', 'Wells'), 'sub/goats.html': about('venduril', 'Goats') }
    })
    await makeArchive(second, { title: 'Field Notes', pages: { 'stoves.html': about('plundavek', 'Stoves') } })
    const hill = await station(t, data)
    t.match(await listing(hill), { sources: [], server: { status: 'off', reason: 'there is no archive yet' } })

    for (const round of [1, 2]) {
      const one = await upload(hill, first, 'Field Notes (A).zim')
      t.match(one, { status: 201, body: { ok: true, filename: 'field_notes_a.zim', pending: [] } }, `round ${round}`)
      const again = await upload(hill, first, 'other-name.zim')
      t.match(again, { status: 409 }, 'the same archive under another name')
      const taken = await upload(hill, second, 'field_notes_a.zim')
      t.match(taken, { status: 409 }, 'another archive under the same name is never written over it (Z11)')
      const two = await upload(hill, second, 'field_notes_b.zim')
      t.match(two, { status: 201, body: { pending: [] } })
      const a = one.body.source
      const b = two.body.source
      if (a === null || b === null) throw new Error('both are sources')
      t.match(a, { status: 'DETECTED', ingest_enabled: false, title: 'Field Notes', language: 'eng', state: 'present' })
      t.match(b, { title: 'Field Notes', status: 'DETECTED' })
      t.not(a.category, b.category, 'their categories differ')

      const { server } = await listing(hill)
      t.match(server, { status: 'running', version: /^\d/, reason: null, problem: null })
      const served = await feedOf(server.url)
      t.same(served.map(({ uuid }) => uuid).sort(), [a.uuid, b.uuid].sort(), 'the server lists both')
      for (const { browse_url } of [a, b]) t.equal((await fetch(browse_url ?? '')).status, 200, `${browse_url} opens`)

      for (const { id } of [a, b]) {
        const on = await hill.post<{ source: SourceView }>(`/api/library/sources/${id}/ingest`, { enabled: true })
        t.match(on, { status: 200, json: { ok: true, source: { id, ingest_enabled: true, status: 'EXTRACTING' } } })
      }
      const done = await sourceWhen(hill, a.id, 'COMPLETE')
      t.match(done.counts, { articles: 3, failed: 0 })
      await sourceWhen(hill, b.id, 'COMPLETE')

      for (const [word, source] of [
        ['zarbulok', a],
        ['venduril', a],
        ['plundavek', b]
      ] as const) {
        const { json } = await hill.get<Found>(`/api/search?q=${word}&badge=WIKI`)
        t.equal(json.results.length, 1, word)
        const url = json.results[0]?.citation.url ?? ''
        t.ok(url.startsWith(`${server.url}/${source.filename.slice(0, -4)}/`), `${word}: ${url}`)
        const opened = await fetch(url)
        t.equal(opened.status, 200, url)
        t.match(await opened.text(), word, `${url} has the word`)
        const page = await hill.get(`/search?q=${word}`)
        t.ok(page.text.includes(url.replaceAll('&', '&amp;')), `the page links to ${url}`)
      }

      const gone = await remove(hill, a.id)
      t.match(gone, { status: 200, body: { ok: true, pending: [] } })
      t.match(gone.body.removed, { documents: done.counts.total, file: true, registration: true, jobs: 0 })
      t.ok(gone.body.removed.vectors > 0, 'vectors went')
      t.same(
        (await feedOf(server.url)).map(({ uuid }) => uuid),
        [b.uuid],
        'gone from the feed, and the other one is there'
      )
      t.notOk(existsSync(join(data, 'archives', 'field_notes_a.zim')))
      t.equal((await hill.get<Found>('/api/search?q=zarbulok')).json.results.length, 0, 'nothing of it is found')
      t.equal((await hill.get<Found>('/api/search?q=plundavek')).json.results.length, 1, 'the other keeps its own (Z3)')
      t.match((await listing(hill)).sources, [{ id: b.id, status: 'COMPLETE' }])
      t.match((await remove(hill, b.id)).body, { ok: true, pending: [], removed: { file: true, registration: true } })
      const { sources, server: after } = await listing(hill)
      t.same(sources, [])
      t.match(after, { status: 'off' })
      t.equal((await remove(hill, b.id)).status, 404)
    }
    t.same(readdirSync(join(data, 'archives')).sort(), ['.parts', 'library.xml'], 'nothing is left in the folder')
    t.notMatch(readFileSync(join(data, 'archives', 'library.xml'), 'utf8'), /<book/)
  }
)

t.test(
  'a program that is killed by SIGKILL in the middle leaves nothing dangling: the next start puts it right (Z1, Z2)',
  async (t) => {
    if (!canServeArchives()) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
    const data = t.testdir({ 'config.json': JSON.stringify({ library: { port: 0 } }), made: {}, zim: {} })
    const first = join(data, 'made', 'first.zim')
    // The name its folder had in an older station.
    const second = join(data, 'zim', 'dropped.zim')
    await makeArchive(first, { title: 'Wells', pages: { 'a.html': about('zarbulok', 'Wells') } })
    await makeArchive(second, { title: 'Goats', pages: { 'a.html': about('venduril', 'Goats') } })

    const one = await station(t, data)
    const sent = upload(one, first, 'wells.zim').catch(() => null)
    await eventually('the file is in its place', () => existsSync(join(data, 'archives', 'wells.zim')))
    await one.launched.kill()
    await sent

    const two = await station(t, data)
    const ready = await eventually('both are found and served', async () => {
      const { sources, server } = await listing(two)
      return sources.length === 2 && sources.every(({ browse_url }) => browse_url !== null) && { sources, server }
    })
    const [goats, wells] = ready.sources
    if (goats === undefined || wells === undefined) throw new Error('both are there')
    t.same([goats.title, wells.title], ['Goats', 'Wells'])
    const url = ready.server.url
    const asked = remove(two, wells.id).catch(() => null)
    await eventually('its removal has begun', async () => {
      const found = (await listing(two)).sources.find(({ id }) => id === wells.id)
      return found === undefined || found.state === 'removing'
    })
    await two.launched.kill()
    await asked
    await eventually('its server is gone with it', async () => (await feedOf(url).catch(() => null)) === null)

    // A tool or an older program has left this in the list.
    const file = join(data, 'archives', 'library.xml')
    const stray = '<book id="00000000-0000-4000-8000-00000000dead" path="gone.zim" title="Dangling"/>'
    writeFileSync(file, readFileSync(file, 'utf8').replace('</library>', `${stray}</library>`))
    const three = await station(t, data)
    const after = await eventually('one is left, and served', async () => {
      const { sources, server } = await listing(three)
      const isServed = server.status === 'running' && sources.every(({ browse_url }) => browse_url !== null)
      return sources.length === 1 && isServed && { sources, server }
    })
    t.match(after, { sources: [{ id: goats.id, title: 'Goats', state: 'present' }], server: { problem: null } })
    t.same(
      (await feedOf(after.server.url)).map(({ uuid }) => uuid),
      [goats.uuid]
    )
    t.notMatch(readFileSync(file, 'utf8'), /Dangling|wells/)
    t.notOk(existsSync(join(data, 'archives', 'wells.zim')))

    rmSync(join(data, 'archives', 'dropped.zim'))
    await eventually('a file that was taken away leaves the server', async () => {
      const { sources, server } = await listing(three)
      return sources[0]?.state === 'missing' && server.status === 'off'
    })
    t.match((await listing(three)).sources, [{ browse_url: null, reason: /The file is gone/ }])
    t.match((await remove(three, goats.id)).body, { ok: true, pending: [], removed: { file: false } })
    t.equal((await three.launched.stop()).code, 0)
  }
)

/** The first two entries change places: whoever opens it finds nothing where it should be. */
function damage(file: string): void {
  const bytes = readFileSync(file)
  const list = Number(bytes.readBigUInt64LE(32))
  const pair = Buffer.concat([bytes.subarray(list + 8, list + 16), bytes.subarray(list, list + 8)])
  pair.copy(bytes, list)
  writeFileSync(file, bytes)
}

t.test(
  'a damaged archive is never registered; a good copy takes its place; one that is cut while it is served goes at once',
  async (t) => {
    if (!canServeArchives()) return t.comment('skipped: zimwriterfs and kiwix-serve are not installed')
    const data = t.testdir({
      'config.json': JSON.stringify({ station: { name: 'Hill' }, library: { port: 0 } }),
      made: {}
    })
    const good = join(data, 'made', 'good.zim')
    const bad = join(data, 'made', 'bad.zim')
    await makeArchive(good, { title: 'Field Notes', pages: { 'goats.html': about('venduril', 'Goats') } })
    copyFileSync(good, bad)
    damage(bad)
    const hill = await station(t, data)
    const named = async (name: string): Promise<SourceView | undefined> =>
      (await listing(hill)).sources.find(({ filename }) => filename === name)

    const refused = await upload(hill, bad, 'bad_notes.zim')
    t.match(refused, { status: 201, body: { source: { state: 'damaged', browse_url: null }, pending: [] } })
    t.match(refused.body.source?.reason, /^The archive is damaged: its entries are out of order.* Fetch the file again/)
    t.match((await listing(hill)).server, { status: 'off' }, 'there is nothing to serve')

    const taken = await upload(hill, good, 'notes.zim')
    t.match(taken, { status: 201, body: { source: { state: 'present' }, pending: [] } })
    t.match(await named('bad_notes.zim'), { state: 'damaged', reason: /A good copy is here as notes\.zim/ })
    const other = join(data, 'made', 'other.zim')
    await makeArchive(other, { title: 'Other', pages: { 'wells.html': about('zarbulok', 'Wells') } })
    const beside = (await upload(hill, other, 'other.zim')).body.source
    const url = taken.body.source?.browse_url ?? ''
    t.equal((await fetch(`${url}goats.html`)).status, 200)
    const page = await hill.get('/library')
    t.match(page.text, /DAMAGED/)

    truncateSync(join(data, 'archives', 'notes.zim'), 3000)
    const cutAt = Date.now()
    await eventually('it is not offered any more', async () => (await named('notes.zim'))?.browse_url === null)
    const { server } = await listing(hill)
    await eventually('readers are told that it is not there', async () => {
      return (await fetch(`${url}goats.html`)).status === 404
    })
    t.comment(`${Date.now() - cutAt} ms from the cut until readers are told that the archive is not there`)
    t.same(
      (await feedOf(server.url)).map(({ uuid }) => uuid),
      [beside?.uuid],
      'the server lists the other one only'
    )
    t.equal((await fetch(`${beside?.browse_url}wells.html`)).status, 200, 'which is served as before')
    t.match(
      await eventually('the verdict', async () => {
        const found = await named('notes.zim')
        return found?.state === 'damaged' && found
      }),
      { reason: /^The archive is cut off: \d+ bytes are missing\. Fetch the file again/ }
    )

    const anew = await upload(hill, good, 'notes.zim')
    t.match(anew, { status: 201, body: { source: { state: 'present', reason: null }, pending: [] } })
    t.equal((await fetch(`${anew.body.source?.browse_url}goats.html`)).status, 200, 'it is back')

    rmSync(join(data, 'archives', 'notes.zim'))
    await eventually('it is gone', async () => (await named('notes.zim'))?.state === 'missing')
    copyFileSync(good, join(data, 'archives', 'notes.zim'))
    await eventually('it is back', async () => (await named('notes.zim'))?.state === 'present')
  }
)
