import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { HttpContext } from '../../src/dashboard/server/context.ts'
import type { EngineReport } from '../../src/knowledge/scrape/engine.ts'
import { note } from '../helpers/in-words.ts'
import { knowledgeSetup } from '../helpers/knowledge.ts'
import { knowledgeContext } from '../helpers/knowledge-pages.ts'
import { archives, removeAtOnce, scrapeSetup, seedArchives, seedJobs } from '../helpers/library-pages.ts'
import { pageHtml, zimBytes } from '../helpers/zim.ts'
import { type Answer, FROM_AFAR, type Station, station } from './harness.ts'

/** Pages of the library as the server draws them: complete for reading and deciding without a script. */

const words = (text: string): string =>
  text
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ')
const mainOf = ({ text }: Answer): string => words(/<main[\s\S]*<\/main>/.exec(text)?.[0] ?? '')
const noticeOf = ({ text }: Answer): string =>
  words(/<div id="notice"[\s\S]*?<div class="server"/.exec(text)?.[0] ?? '')
const rowOf = ({ text }: Answer, key: string): string =>
  words(new RegExp(`<tr role="row" data-key="${key}"[\\s\\S]*?</tr>`).exec(text)?.[0] ?? '').trim()
const markupOf = ({ text }: Answer, key: string): string =>
  new RegExp(`<tr role="row" data-key="${key}"[\\s\\S]*?</tr>`).exec(text)?.[0] ?? ''

async function shelf(t: Test, context: Partial<HttpContext> = {}, seed = true) {
  const setup = await knowledgeSetup(t)
  const made = archives(t, setup)
  const ids = seed ? seedArchives(made) : null
  const knowledge = knowledgeContext(t, setup)
  const s = await station(t, { context: { knowledge, library: made.library, scraper: null, ...context } })
  return { ...s, ...made, ids: ids ?? ({} as NonNullable<typeof ids>) }
}

const press = (s: Pick<Station, 'ask'>, path: string, fields: Record<string, string>, headers = {}): Promise<Answer> =>
  s.ask({
    method: 'POST',
    path,
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }
  })

t.test('without a library the page says so, and the menu leaves it out', async (t) => {
  const s = await station(t)
  const answer = await s.ask('/library')
  t.equal(answer.status, 404)
  t.match(mainOf(answer), /This profile runs without a library/)
  t.notMatch((await s.ask('/')).text, /href="\/library"/)
  const other = await shelf(t, {}, false)
  t.match((await other.ask('/')).text, /<a href="\/library">Library<\/a>/)
  t.match((await other.ask('/library')).text, /<a href="\/library" aria-current="page">Library/)
})

t.test('every state of an archive is told as it is, with its progress word for word', async (t) => {
  const s = await shelf(t)
  const page = await s.ask('/library')
  const cases: [keyof typeof s.ids, RegExp][] = [
    [
      'fresh',
      /^WikEM wikem_2026-05\.zim What .* English 91 MB 40 40 articles DETECTED 0 \/ 40 extracted off Ingest : WikEM Browse : WikEM \(opens in a new window\) Remove … : WikEM$/
    ],
    ['running', /English, French 182 MB .* EXTRACTING is being read 12 \/ 40 extracted on/],
    ['queued', /EXTRACTING waits for its turn 0 \/ 40 extracted on/],
    [
      'interrupted',
      /EXTRACTING interrupted the reader of archives ended: out of memory 2 \/ 40 extracted Try again .* on/
    ],
    ['paused', /German .* DETECTED paused 12 \/ 40 extracted off/],
    ['processing', /Spanish .* PROCESSING 30 \/ 36 in vector store 3 left out 2 failed Try again : Water treatment on/],
    ['complete', /COMPLETE 40 \/ 40 extracted 2 left out on/],
    ['missing', /NOT USABLE Its file is not in the folder of archives any more\. Remove …/],
    [
      'broken',
      /^cut-off cut-off\.zim 12 kB DAMAGED The archive is cut off: 73728 bytes are missing\. Fetch the file again and upload it here under the same name: it takes the place of this one\. Remove …/
    ],
    ['removing', /BEING REMOVED$/]
  ]
  for (const [name, said] of cases) t.match(rowOf(page, `source-${s.ids[name]}`), said, name)
  t.match(
    markupOf(page, `source-${s.ids.processing}`),
    /<progress max="36" value="30" aria-label="Progress of Water treatment">/
  )
  t.match(
    markupOf(page, `source-${s.ids.processing}`),
    /href="\/catalogue\?status=failed&amp;category=Water\+treatment">2 failed/
  )
  t.match(markupOf(page, `source-${s.ids.running}`), /<strong>WikiMed &lt;Medicine&gt; &amp; more<\/strong>/)
  t.match(
    markupOf(page, `source-${s.ids.fresh}`),
    /href="http:\/\/127\.0\.0\.1:8081\/wikem_2026-05\/" rel="external noopener" target="_blank">Browse/,
    'the link of the one builder, to another origin (Z7)'
  )
  t.notMatch(markupOf(page, `source-${s.ids.missing}`), /Browse|switch/)
  t.match(mainOf(page), /10 archives 360 articles 85 in the vector store/)
  t.match(page.text, /<div id="content" data-moves>/)
  t.notMatch(page.text, / style=/)
})

t.test('an archive of which nothing can be searched is not complete, and says why', async (t) => {
  const s = await shelf(t)
  const { db } = s.setup
  db.sql('UPDATE library_sources SET read_to_end = 1, article_count = 5 WHERE id = ?').run(s.ids.queued)
  const said = async (): Promise<string> => rowOf(await s.ask('/library'), `source-${s.ids.queued}`)
  t.match(
    await said(),
    /NOTHING TO SEARCH Nothing of this archive can be searched: it has no articles of text\. 0 \/ 0/
  )
  const add = db.sql(`INSERT INTO archive_articles (source_id, path, title, state) VALUES (?, ?, '', ?)`)
  for (let n = 0; n < 5; n++) add.run(s.ids.queued, `p${n}`, n < 3 ? 'failed' : 'skipped')
  t.match(
    await said(),
    /NOTHING TO SEARCH .* of its articles 3 cannot be read and 2 are left out\. 0 \/ 3 extracted 2 left out 3 failed Try again/
  )
})

t.test('the server is told as it is, with what to do', async (t) => {
  const s = await shelf(t)
  const said = async (change: Partial<typeof s.server>, registration: Partial<typeof s.registration> = {}) => {
    Object.assign(s.server, { url: null, version: null, reason: null }, change)
    Object.assign(s.registration, { problem: null, comparison: null }, registration)
    return mainOf(await s.ask('/library'))
  }
  const url = 'http://127.0.0.1:8081'
  t.match(
    await said({ status: 'running', url, version: '3.3.0' }),
    /The library server runs\. kiwix-serve 3\.3\.0 Open the library/
  )
  t.match(await said({ status: 'starting' }), /The library server is starting\./)
  t.match(
    await said({ status: 'failed', reason: note('port 8081 is in use') }),
    /The library server does not run\. port 8081 is in use/
  )
  t.match(
    await said({ status: 'missing', reason: note('kiwix-serve is not installed') }),
    /There is no library server on this machine\. .* sudo apt install kiwix-tools/
  )
  t.match(
    await said({ status: 'off', reason: note('library.server is off') }),
    /The library server is off\. library\.server is off/
  )
  t.match(await said({ status: 'external', url }), /An external library server is used\./)
  t.match(
    await said({ status: 'external', url, reason: note('connect ECONNREFUSED') }),
    /The external library server does not answer\. connect ECONNREFUSED/
  )
  const problem = 'The library server does not list wikem_2026-05.zim.'
  t.match(await said({ status: 'running', url }, { problem: note(problem) }), /does not list wikem_2026-05\.zim\./)
  const foreign = [{ uuid: 'x', title: 'Somebody’s book', language: 'fra', name: 'book' } as never]
  t.match(
    await said({ status: 'running', url }, { comparison: { missing: [], dangling: [], foreign } }),
    /Also on this server .* Somebody’s book French/
  )
})

t.test('reading is switched by a form, and the page shows it at once (Z5)', async (t) => {
  const s = await shelf(t)
  const path = `/library/${s.ids.fresh}`
  const on = await press(s, path, { do: 'read' })
  t.same([on.status, on.headers.location], [303, '/library'])
  const page = await s.ask('/library')
  t.match(rowOf(page, `source-${s.ids.fresh}`), /EXTRACTING waits for its turn .* on Ingest/)
  t.match(markupOf(page, `source-${s.ids.fresh}`), /role="switch" aria-checked="true" name="do" value="pause"/)
  await press(s, path, { do: 'pause' })
  t.match(rowOf(await s.ask('/library'), `source-${s.ids.fresh}`), /DETECTED 0 \/ 40 extracted off/)
  t.equal((await press(s, '/library/999', { do: 'read' })).status, 404)
  t.equal((await press(s, path, { do: 'nonsense' })).status, 404)
  const busy = await press(s, `/library/${s.ids.removing}`, { do: 'read' })
  t.equal(busy.status, 409)
  t.match(mainOf(busy), /Old field notes is being removed/)
})

t.test('what failed is tried again', async (t) => {
  const s = await shelf(t)
  const answer = await press(s, `/library/${s.ids.processing}`, { do: 'retry' })
  t.equal(answer.headers.location, '/library?done=retry')
  const page = await s.ask(String(answer.headers.location))
  t.match(noticeOf(page), /What failed is tried again\./)
  t.notMatch(rowOf(page, `source-${s.ids.processing}`), /failed/)
})

t.test('removing names what goes, then what went and what is still going', async (t) => {
  const s = await shelf(t)
  const id = s.ids.processing
  const page = await s.ask(`/library?remove=${id}`)
  t.match(
    mainOf(page),
    /Remove Water treatment\? This cannot be undone\. Removed are: the file water_2026-05\.zim \(546 MB\) its place in the library server: .* what was read from it, with items and vectors \(39 articles\)/
  )
  const pending = await press(s, `/library/${id}`, { do: 'remove' })
  t.equal(pending.status, 303)
  const half = await s.ask(String(pending.headers.location))
  t.match(noticeOf(half), /Being removed: Water treatment .*Still on its way out, .*: documents, vectors, its file/)
  t.match(rowOf(half, `source-${id}`), /BEING REMOVED/)

  removeAtOnce(s)
  Object.assign(s.registration, { listed: [] })
  const done = await press(s, `/library/${s.ids.complete}`, { do: 'remove' })
  t.equal(done.headers.location, '/library?removed=Knots&gone=40.80.1.1.0')
  const gone = await s.ask(String(done.headers.location))
  t.match(noticeOf(gone), /Removed: Knots documents: 40 vectors: 80 its file its place in the library server/)
  t.equal(markupOf(gone, `source-${s.ids.complete}`), '')
  t.notOk(existsSync(join(s.folder, 'knots_2026-05.zim')))
  t.equal((await press(s, `/library/${s.ids.complete}`, { do: 'remove' })).status, 404, 'twice is once')
})

t.test('an address can put nothing into the page but numbers and names', async (t) => {
  const s = await shelf(t)
  const page = await s.ask(
    '/library?removed=%3Cb%3Ex&gone=1.%3Cb%3E.x&left=documents.%3Cscript%3E&remove=%3Cb%3E&done=%3Ci%3E'
  )
  t.equal(page.status, 200)
  t.match(noticeOf(page), /Being removed: <b>x documents: 1 Still on its way out, without your doing: documents\./)
  t.notMatch(page.text, /<b>x|<script>\.|<i>/)
})

const boundary = 'b0undary'
const multipart = (name: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
    ),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`)
  ])
const sendFile = (s: Pick<Station, 'ask'>, name: string, content: Buffer): Promise<Answer> =>
  s.ask({
    method: 'POST',
    path: '/library',
    raw: multipart(name, content),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }
  })

t.test('an archive comes in by a form without a script; what is refused is told on a page', async (t) => {
  const s = await shelf(t, {}, false)
  t.match(mainOf(await s.ask('/library')), /There is no archive yet\. Add one below/)
  const archive = zimBytes([{ path: 'index', title: 'Well', content: pageHtml('Well') }], { main: 'index' })
  const taken = await sendFile(s, 'Field Notes.zim', archive)
  t.same([taken.status, taken.headers.location], [303, '/library?done=arrived'])
  t.ok(existsSync(join(s.folder, 'field_notes.zim')))
  t.match(noticeOf(await s.ask('/library?done=arrived')), /The archive has arrived\./)
  t.match(noticeOf(await s.ask('/library?done=received')), /The archive is here\./)
  const again = await sendFile(s, 'Field Notes.zim', archive)
  t.equal(again.status, 409)
  t.match(mainOf(again), /There is an archive with this name already: field_notes\.zim\..* Back/)
  const wrong = await sendFile(s, 'picture.zim', Buffer.from('\x89PNG and some more'))
  t.equal(wrong.status, 415)
  t.match(mainOf(wrong), /This is no ZIM archive/)
})

t.test(
  'somebody who may not write sees everything and is shown the way to sign in; preview changes nothing',
  async (t) => {
    const s = await shelf(t)
    const far = FROM_AFAR
    const page = await s.ask({ path: `/library?remove=${s.ids.fresh}`, headers: far })
    t.match(mainOf(page), /Sign in to add, read or remove archives\./)
    t.notMatch(page.text, /<form[^>]*action="\/library|role="switch"|id="remove"|Remove …/)
    t.match(rowOf(page, `source-${s.ids.running}`), /EXTRACTING is being read 12 \/ 40 extracted Ingest: on Browse/)
    t.equal((await press(s, `/library/${s.ids.fresh}`, { do: 'read' }, far)).status, 401)
    const preview = await shelf(t, { mode: 'preview' })
    const shown = await preview.ask('/library')
    t.match(mainOf(shown), /This is a preview: the library is shown as it is/)
    t.notMatch(shown.text, /<form[^>]*action="\/library/)
    t.equal((await press(preview, `/library/${preview.ids.fresh}`, { do: 'read' })).status, 503)
  }
)

const engines = (patch: Partial<EngineReport> = {}): EngineReport => ({
  chosen: 'built-in',
  label: note('static pages only'),
  container: {
    usable: false,
    engine: null,
    image: 'ghcr.io/openzim/zimit:3.1.2',
    imagePresent: false,
    missing: [note('neither docker nor podman is installed')]
  },
  builtIn: { usable: true, missing: [] },
  ...patch
})

/** A station that archives sites; nothing is fetched and no name is looked up. */
async function archiver(t: Test, report = engines(), context: Partial<HttpContext> = {}) {
  const setup = await knowledgeSetup(t)
  const made = archives(t, setup)
  const ids = seedArchives(made)
  const scraper = scrapeSetup(made, report)
  const s = await station(t, { context: { library: made.library, scraper, ...context } })
  return { ...s, ...made, ids, jobs: scraper.jobs, scraper }
}

t.test('an archiver that is off is told and not in the tabs', async (t) => {
  const s = await shelf(t)
  const answer = await s.ask('/library/scraper')
  t.equal(answer.status, 404)
  t.match(mainOf(answer), /This profile archives no web sites/)
  t.notMatch((await s.ask('/library')).text, /href="\/library\/scraper"/)
  const other = await archiver(t)
  t.match((await other.ask('/library')).text, /<a href="\/library\/scraper">Archive a site<\/a>/)
  t.match((await other.ask('/library/scraper')).text, /<a href="\/library" aria-current="true">Library/)
})

t.test('what sites are archived with is told, what is missing for more, and where an archiving ends', async (t) => {
  const built = mainOf(await (await archiver(t)).ask('/library/scraper'))
  t.match(built, /The built-in archiver is used: static pages only\. .* neither docker nor podman is installed\./)
  t.match(built, /after 2,000 pages, 2\.1 GB or 4 hr, with what it has; pages of the same host; 0\.5 s between two/)
  const container = { ...engines().container, usable: true, engine: 'podman 4.3.1', missing: [] }
  const whole = mainOf(await (await archiver(t, engines({ chosen: 'container', container }))).ask('/library/scraper'))
  t.match(whole, /Whole sites are archived, with a browser\. podman 4\.3\.1 · ghcr\.io\/openzim\/zimit:3\.1\.2/)
  t.notMatch(whole, /static pages only/)
  const missing = [note('zimwriterfs is not installed (package zim-tools)')]
  const none = await archiver(t, engines({ chosen: null, builtIn: { usable: false, missing } }))
  const page = await none.ask('/library/scraper')
  t.match(
    mainOf(page),
    /No site can be archived on this machine\. .* zimwriterfs is not installed .* sudo apt install zim-tools/
  )
  t.notMatch(page.text, /id="url"/, 'no form that can only be refused')
  const refused = await press(none, '/library/scraper', { do: 'submit', url: 'https://example.org/' })
  t.equal(refused.status, 503)
  t.match(mainOf(refused), /zimwriterfs is not installed/)
})

t.test(
  'a site is submitted with a language of the list or another one; what cannot be archived is refused',
  async (t) => {
    const s = await archiver(t)
    const page = await s.ask('/library/scraper')
    t.same(
      [...page.text.matchAll(/<option value="([a-z]+)">([^<]*)</g)].map(([, code, name]) => `${code} ${name}`),
      [
        'eng English (eng)',
        'spa Spanish (spa)',
        'fra French (fra)',
        'deu German (deu)',
        'por Portuguese (por)',
        'rus Russian (rus)',
        'jpn Japanese (jpn)',
        'zho Chinese (zho)',
        'mul several languages (mul)'
      ]
    )
    const cases: [Record<string, string>, number, RegExp | [string, string]][] = [
      [{ url: 'https://example.org/', title: 'An example', language: 'deu' }, 303, ['An example', 'deu']],
      [{ url: 'https://www.example.org/', language: 'eng', other: 'it, fra' }, 303, ['example.org', 'ita,fra']],
      [{ url: 'https://example.org/', language: 'mul' }, 303, ['example.org', 'mul']],
      [{ url: 'https://example.org/', other: 'klingon' }, 422, /A language is a code of ISO 639-3/],
      [{ url: 'ftp://example.org/' }, 422, /http/],
      [{ url: 'http://127.0.0.1/' }, 422, /127\.0\.0\.1/],
      [{ url: '' }, 422, /Give the address of a web page/]
    ]
    for (const [fields, status, said] of cases) {
      const answer = await press(s, '/library/scraper', { do: 'submit', ...fields })
      t.equal(answer.status, status, JSON.stringify(fields))
      if (said instanceof RegExp) t.match(mainOf(answer), said)
      else {
        t.equal(answer.headers.location, '/library/scraper?done=submit')
        const [job] = s.jobs.list()
        t.same([job?.title, job?.language], said)
      }
    }
    const list = await s.ask('/library/scraper?done=submit')
    t.match(noticeOf(list), /The site is in the queue\./)
    t.match(
      rowOf(list, 'job-1'),
      /^1 An example https:\/\/example\.org\/ German · .* – – Pending – Cancel : An example$/
    )
    t.match(list.text, /<div id="content" data-moves>/)
  }
)

t.test(
  'how fast a site comes and how long it still takes is told once that was measured, and not of what waits',
  async (t) => {
    const s = await archiver(t)
    const ids = seedJobs(s)
    const row = async (id: number): Promise<string> => rowOf(await s.ask('/library/scraper'), `job-${id}`)
    t.notMatch(await row(ids.scraping), 'left', 'seen once')
    s.clock.set(s.clock.now() + 40_000)
    s.jobs.progress(ids.scraping, { done: 160, total: 400 })
    t.match(await row(ids.scraping), '160 / 400 pages 1 a second, about 4 min left')
    s.clock.set(s.clock.now() + 150_000)
    t.notMatch(await row(ids.scraping), 'left', 'nothing has come for two minutes: nobody knows')
    t.notMatch(await row(ids.pending), 'left')
  }
)

t.test('every job shows what became of it, and offers what its state allows', async (t) => {
  const s = await archiver(t)
  const ids = seedJobs(s)
  const page = await s.ask('/library/scraper')
  const cases: [keyof typeof ids, RegExp][] = [
    ['pending', /– – Pending – Cancel/],
    ['scraping', /container 120 \/ 400 pages Scraping – Cancel/],
    ['cancelling', /built in 7 pages Scraping is being cancelled –$/],
    ['registering', /built in 30 \/ 30 pages Registering wells\.zim Cancel/],
    ['completed', /container 38 \/ 38 pages Completed knots_2026-05\.zim \(in the library\) Delete …/],
    ['failed', /built in 2 pages Failed The site does not answer: .* – Try again : .* Delete :/],
    ['cancelled', /Cancelled – Delete/]
  ]
  for (const [name, said] of cases) t.match(rowOf(page, `job-${ids[name]}`), said, name)
  t.match(markupOf(page, `job-${ids.scraping}`), /<progress max="400" value="120" aria-label="Progress of job \d+">/)
  t.match(markupOf(page, `job-${ids.completed}`), new RegExp(`href="/library\\?remove=${s.ids.complete}#remove"`))
  t.match(mainOf(page), /all 7 Pending 1 Scraping 2 Registering 1 Completed 1 Failed 1 Cancelled 1/)
  const failed = await s.ask('/library/scraper?status=failed')
  t.match(mainOf(failed), new RegExp(`${ids.failed} Broken`))
  t.equal(rowOf(failed, `job-${ids.pending}`), '')
  t.match(mainOf(await s.ask(`/library?remove=${s.ids.complete}`)), /Removed are: .* the archiving job that made it/)
})

t.test('jobs are cancelled, tried again, deleted and cleared by forms', async (t) => {
  const s = await archiver(t)
  const ids = seedJobs(s)
  const act = async (id: number, what: string): Promise<string> => {
    const answer = await press(s, `/library/scraper/${id}`, { do: what })
    return answer.status === 303 ? String(answer.headers.location) : `${answer.status} ${mainOf(answer)}`
  }
  t.equal(await act(ids.pending, 'cancel'), '/library/scraper?done=cancel')
  t.equal(s.jobs.byId(ids.pending)?.status, 'cancelled')
  t.equal(await act(ids.failed, 'retry'), '/library/scraper?done=retry')
  t.equal(s.jobs.byId(ids.failed)?.status, 'pending')
  t.match(await act(ids.completed, 'retry'), /^409 .*The job is completed: it cannot be tried again now\./)
  t.match(await act(ids.scraping, 'delete'), /^409 .*it cannot be deleted now/)
  t.equal(await act(ids.cancelled, 'delete'), '/library/scraper?done=delete')
  t.equal(s.jobs.byId(ids.cancelled), null)
  t.match(await act(999, 'delete'), /^404/)
  t.match(await act(ids.scraping, 'nonsense'), /^404/)
  const cleared = await press(s, '/library/scraper', { do: 'clear-failed' })
  t.equal(cleared.headers.location, '/library/scraper?done=clear-failed&count=1')
  const page = await s.ask(String(cleared.headers.location))
  t.match(noticeOf(page), /Deleted jobs: 1\./)
  t.notMatch(page.text, /value="clear-failed"/, 'nothing is left to clear')
})
