import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { addressLines } from '../../../../src/knowledge/intake/bulk/list.ts'
import { markedReceiver } from '../../../../src/knowledge/intake/bulk/marked-receiver.ts'
import { Politeness } from '../../../../src/knowledge/intake/bulk/politeness.ts'
import { sentenceOf } from '../../../../src/model/words/sentences.ts'
import { VirtualClock } from '../../../../src/platform/clock/clock.ts'
import { pdf } from '../../../helpers/knowledge.ts'
import { site } from '../../../helpers/public-site.ts'
import { bulkSetup } from './setup.ts'

const sha = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
const said = (reason: Parameters<typeof sentenceOf>[0] | null): string => (reason === null ? '' : sentenceOf(reason))
const PAGE =
  '<!doctype html><title>Boiling water</title><p>Boil the water for one minute before you drink it, and let it cool in the covered pot.</p>'
const html = (res: ServerResponse, body: string) => res.setHeader('Content-Type', 'text/html').end(body)

t.test('a list is one address a line, with notes and empty lines between them', async (t) => {
  t.same(addressLines('# wells\n\nhttps://a.example/x  the well\r\nb.example/y\n'), [
    'https://a.example/x',
    'b.example/y'
  ])
  t.throws(() => addressLines('\n # nothing\n'), { code: 'invalid', message: /no address/ })
  t.throws(() => addressLines('a.example\n'.repeat(2001)), { message: /2001 addresses, and one may have 2000/ })
})

t.test(
  'each address has its outcome: pages, documents, captions, copies, what is refused and what is not there',
  async (t) => {
    const book = pdf('book')
    const { url } = await site(t, (req, res) => {
      const path = req.url ?? ''
      if (path === '/page') html(res, PAGE)
      else if (path === '/book.pdf' || path === '/mirror/other-name.pdf')
        res.setHeader('Content-Type', 'application/pdf').end(book)
      else if (path === '/talk.vtt')
        res
          .setHeader('Content-Type', 'text/vtt')
          .end('WEBVTT\n\n00:01.000 --> 00:06.000\nToday we boil the water for one full minute, in the covered pot.\n')
      else if (path === '/picture')
        res.setHeader('Content-Type', 'image/png').end(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
      else if (path === '/inside') res.writeHead(302, { Location: 'http://127.0.0.1:1/secret' }).end()
      else res.writeHead(404).end()
    })
    const s = await bulkSetup(t)
    const bulk = s.begin({
      list: [
        `${url}/page`,
        `${url}/book.pdf`,
        `${url}/mirror/other-name.pdf`,
        `${url}/talk.vtt`,
        `${url}/picture`,
        `${url}/inside`,
        `${url}/gone`,
        `${url}/page`,
        'http://10.0.0.1/',
        'ftp://a.example/x'
      ].join('\n'),
      category: 'Web'
    })
    t.equal(await s.run(bulk), 'done')
    t.same(s.outcomes(bulk), {
      [`${url}/page`]: 'taken',
      [`${url}/book.pdf`]: 'taken',
      [`${url}/mirror/other-name.pdf`]: 'duplicate',
      [`${url}/talk.vtt`]: 'taken',
      [`${url}/picture`]: 'refused',
      [`${url}/inside`]: 'refused',
      [`${url}/gone`]: 'failed',
      'http://10.0.0.1/': 'refused',
      'ftp://a.example/x': 'refused'
    })
    t.equal(s.store.get(bulk.id).repeated, 1)
    t.equal(s.entry(bulk, `${url}/mirror/other-name.pdf`).duplicateOf, sha(book))
    t.match(said(s.entry(bulk, `${url}/inside`).reason), /not (?:an address )?of the public Internet|127\.0\.0\.1/)
    t.match(said(s.entry(bulk, `${url}/gone`).reason), /answers 404/)
    t.match(s.uploads.get(sha(book)), { filename: 'book.pdf', category: 'Web', sidecar: { url: `${url}/book.pdf` } })
  }
)

t.test('a site that does not answer is asked again after all others, three times, then it is told', async (t) => {
  let up = false
  const { url, seen } = await site(t, (req, res) => {
    if (req.url === '/busy' || !up) res.writeHead(503).end()
    else html(res, PAGE)
  })
  const s = await bulkSetup(t)
  const bulk = s.begin({ list: `${url}/busy\n${url}/later` })
  t.equal(await s.run(bulk), 'held')
  t.match(s.store.get(bulk.id), { state: 'paused', reason: { code: 'bulk_asks_again' }, counts: { left: 2 } })
  up = true
  s.clock.set(s.clock.now() + 5 * 60_000)
  t.equal(await s.run(bulk), 'held')
  t.match(s.outcomes(bulk), { [`${url}/later`]: 'taken' })
  s.clock.set(s.clock.now() + 10 * 60_000)
  t.equal(await s.run(bulk), 'done')
  t.match(s.entry(bulk, `${url}/busy`), { state: 'failed', attempts: 3 })
  t.equal(seen.filter((one) => one.endsWith('/busy')).length, 3)
})

t.test('one host is asked once a second, another one at once', async (t) => {
  const clock = new VirtualClock(0)
  const polite = new Politeness(clock)
  const { signal } = new AbortController()
  await polite.turn('https://a.example/1', signal)
  await polite.turn('https://b.example/1', signal)
  let went = false
  const second = polite.turn('https://a.example/2', signal).then(() => {
    went = true
  })
  await Promise.resolve()
  await clock.runTo(999)
  t.notOk(went)
  await clock.runTo(1000)
  await second
  const stop = new AbortController()
  const third = polite.turn('https://a.example/3', stop.signal)
  stop.abort(new Error('stopped'))
  await t.rejects(third, /stopped/)
})

t.test('after a kill at any step nothing is taken twice, lost, or called a copy of itself', async (t) => {
  let visits = 0
  const { url } = await site(t, (_req, res) => html(res, `${PAGE}<p>Visit ${++visits}.</p>`))
  for (const at of ['before', 'placed', 'settled'] as const) {
    const s = await bulkSetup(t)
    const bulk = s.begin({ list: `${url}/page` })
    const { store, uploads } = s
    const settle = store.settle.bind(store)
    const note = store.noteHash.bind(store)
    if (at === 'before')
      store.noteHash = () => {
        throw new Error('killed')
      }
    if (at === 'placed')
      store.settle = () => {
        throw new Error('killed')
      }
    if (at === 'settled')
      store.settle = (...given) => {
        settle(...given)
        throw new Error('killed')
      }
    await t.rejects(s.run(bulk), /killed/, at)
    store.settle = settle
    store.noteHash = note
    // The next process: the lease of the one before is gone.
    s.jobs.releaseOwner('test')
    const seen = visits
    t.equal(await s.run(bulk), 'done', at)
    t.equal(
      visits - seen,
      at === 'before' ? 1 : 0,
      `${at}: what is here is not fetched again, though the page differs each time`
    )
    t.match(s.store.get(bulk.id).counts, { found: 1, taken: 1, duplicate: 0, left: 0 }, at)
    t.equal(uploads.list({ limit: 10 }).length, 1, at)
  }
})

t.test('an entry that ends the process each time is given up, and the rest goes on', async (t) => {
  const { url } = await site(t, (_req, res) => html(res, PAGE))
  const s = await bulkSetup(t)
  const bulk = s.begin({ list: `${url}/bad\n${url}/good` })
  const begin = s.store.begin.bind(s.store)
  s.store.begin = (id, entry) => {
    begin(id, entry)
    if (entry.what.endsWith('/bad')) throw new Error('the process is gone')
  }
  for (let n = 0; n < 3; n++) {
    await t.rejects(s.run(bulk), /gone/)
    s.jobs.releaseOwner('test')
    s.clock.set(s.clock.now() + 60_000)
  }
  t.equal(await s.run(bulk), 'done')
  t.same(s.outcomes(bulk), { [`${url}/bad`]: 'failed', [`${url}/good`]: 'taken' })
  t.match(said(s.entry(bulk, `${url}/bad`).reason), /ended 3 times/)
})

t.test('it is stopped while it waits, while it works, and goes on when somebody says so', async (t) => {
  const { url } = await site(t, (_req, res) => html(res, PAGE))
  const s = await bulkSetup(t)
  const waiting = s.begin({ list: `${url}/a` })
  t.equal(s.store.act(waiting.id, 'stop').state, 'stopped')
  t.equal(s.jobs.get('bulk', String(waiting.id)), null)
  t.throws(() => s.store.act(waiting.id, 'stop'), { code: 'conflict' })
  s.store.act(waiting.id, 'resume')
  t.equal(await s.run(waiting), 'done')

  const working = s.begin({ list: `${url}/b\n${url}/c` })
  const begin = s.store.begin.bind(s.store)
  s.store.begin = (id, entry) => {
    begin(id, entry)
    if (entry.what.endsWith('/b')) s.store.act(id, 'stop')
  }
  t.equal(await s.run(working), 'stopped')
  t.match(s.outcomes(working), { [`${url}/c`]: 'left' })
  s.store.begin = begin
  s.store.act(working.id, 'resume')
  t.equal(await s.run(working), 'done')
  t.equal(s.store.get(working.id).counts.left, 0)
  s.store.act(working.id, 'delete')
  t.equal(s.store.byId(working.id), null)
  t.equal(await s.run(s.begin({ list: `${url}/d` })), 'done')
  t.equal(
    s.db.sql('SELECT count(*) AS n FROM bulk_entries WHERE bulk_id = ?').get(working.id)?.['n'],
    0,
    'its entries went too'
  )
})

t.test('the receiver of an entry says of bytes that came with the same list what became of them', async (t) => {
  const s = await bulkSetup(t)
  const bulk = s.begin({ list: 'a.example\nb.example' })
  s.store.add(bulk.id, [{ what: 'a' }, { what: 'b' }])
  const [a, b] = [s.entry(bulk, 'a'), s.entry(bulk, 'b')]
  const bytes = pdf('once')
  const take = async (entry: typeof a) => {
    const receiver = markedReceiver(bulk, entry, s.parts)
    const part = await receiver.store(
      (async function* () {
        yield bytes
      })(),
      { filename: 'x.pdf' }
    )
    const taken = await receiver.accept(part, { filename: 'x.pdf' }).finally(() => receiver.drop(part))
    s.store.settle(bulk.id, entry.id, { state: 'taken', hash: taken.hash })
  }
  await take(a)
  await t.rejects(take(b), { code: 'conflict', existing: { hash: sha(bytes), status: 'pending' } })
})
