import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { HttpContext } from '../../src/http/context.ts'
import { knowledgeDesk } from '../helpers/knowledge.ts'
import { knowledgeContext } from '../helpers/knowledge-pages.ts'
import { archives, removeAtOnce, seedArchives } from '../helpers/library-pages.ts'
import { pageHtml, zimBytes } from '../helpers/zim.ts'
import { type Answer, type Station, station } from './harness.ts'

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
const noticeOf = ({ text }: Answer): string => words(/<div id="notice"[\s\S]*?<div class="server"/.exec(text)?.[0] ?? '')
const rowOf = ({ text }: Answer, key: string): string =>
  words(new RegExp(`<tr role="row" data-key="${key}"[\\s\\S]*?</tr>`).exec(text)?.[0] ?? '').trim()
const markupOf = ({ text }: Answer, key: string): string =>
  new RegExp(`<tr role="row" data-key="${key}"[\\s\\S]*?</tr>`).exec(text)?.[0] ?? ''

async function shelf(t: Test, context: Partial<HttpContext> = {}, seed = true) {
  const desk = await knowledgeDesk(t)
  const made = archives(t, desk)
  const ids = seed ? seedArchives(made) : null
  const knowledge = knowledgeContext(t, desk)
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
    ['fresh', /^WikEM wikem_2026-05\.zim What .* English 91 MB 40 40 articles DETECTED 0 \/ 40 extracted off Reading : WikEM Browse : WikEM \(opens in a new window\) Remove … : WikEM$/],
    ['running', /English, French 182 MB .* EXTRACTING is being read 12 \/ 40 extracted on/],
    ['queued', /EXTRACTING waits for its turn 0 \/ 40 extracted on/],
    ['interrupted', /EXTRACTING interrupted 2 \/ 40 extracted Try again .* ended: out of memory on/],
    ['paused', /German .* DETECTED paused 12 \/ 40 extracted off/],
    ['processing', /Spanish .* PROCESSING 30 \/ 36 in vector store 3 left out 2 failed Try again : Water treatment on/],
    ['complete', /COMPLETE 40 \/ 40 extracted 2 left out on/],
    ['missing', /NOT USABLE 0 \/ 40 extracted Its file is not in the folder of archives any more\. Remove …/],
    ['broken', /^cut-off cut-off\.zim 12 kB .* CANNOT BE READ This is no usable ZIM archive: .* Remove …/],
    ['removing', /BEING REMOVED 0 \/ 40 extracted$/]
  ]
  for (const [name, said] of cases) t.match(rowOf(page, `source-${s.ids[name]}`), said, name)
  t.match(markupOf(page, `source-${s.ids.processing}`), /<progress max="36" value="30" aria-label="Progress of Water treatment">/)
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

t.test('the server is told as it is, with what to do', async (t) => {
  const s = await shelf(t)
  const said = async (change: Partial<typeof s.server>, registration: Partial<typeof s.registration> = {}) => {
    Object.assign(s.server, { url: null, version: null, reason: null }, change)
    Object.assign(s.registration, { problem: null, comparison: null }, registration)
    return mainOf(await s.ask('/library'))
  }
  const url = 'http://127.0.0.1:8081'
  t.match(await said({ status: 'running', url, version: '3.3.0' }), /The library server runs\. kiwix-serve 3\.3\.0 Open the library/)
  t.match(await said({ status: 'starting' }), /The library server is starting\./)
  t.match(
    await said({ status: 'failed', reason: 'port 8081 is in use' }),
    /The library server does not run\. port 8081 is in use/
  )
  t.match(
    await said({ status: 'missing', reason: 'kiwix-serve is not installed' }),
    /There is no library server on this machine\. kiwix-serve is not installed .* sudo apt install kiwix-tools/
  )
  t.match(await said({ status: 'off', reason: 'library.server is off' }), /The library server is off\. library\.server is off/)
  t.match(await said({ status: 'external', url }), /An external library server is used\./)
  t.match(
    await said({ status: 'external', url, reason: 'connect ECONNREFUSED' }),
    /The external library server does not answer\. connect ECONNREFUSED/
  )
  const problem = 'The library server does not list wikem_2026-05.zim.'
  t.match(await said({ status: 'running', url }, { problem }), /does not list wikem_2026-05\.zim\./)
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
  t.match(rowOf(page, `source-${s.ids.fresh}`), /EXTRACTING waits for its turn .* on Reading/)
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
  t.equal(
    done.headers.location,
    '/library?removed=Knots&gone=40.80.1.1.0&left=',
    String(done.headers.location)
  )
  const gone = await s.ask(String(done.headers.location))
  t.match(noticeOf(gone), /Removed: Knots documents: 40 vectors: 80 its file its place in the library server/)
  t.equal(markupOf(gone, `source-${s.ids.complete}`), '')
  t.notOk(existsSync(join(s.folder, 'knots_2026-05.zim')))
  t.equal((await press(s, `/library/${s.ids.complete}`, { do: 'remove' })).status, 404, 'twice is once')
})

t.test('an address can put nothing into the page but numbers and names', async (t) => {
  const s = await shelf(t)
  const page = await s.ask('/library?removed=%3Cb%3Ex&gone=1.%3Cb%3E.x&left=documents.%3Cscript%3E&remove=%3Cb%3E&done=%3Ci%3E')
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
  t.match(noticeOf(await s.ask('/library?done=received')), /can be browsed/)
  const again = await sendFile(s, 'Field Notes.zim', archive)
  t.equal(again.status, 409)
  t.match(mainOf(again), /There is an archive with this name already: field_notes\.zim\..* Back/)
  const wrong = await sendFile(s, 'picture.zim', Buffer.from('\x89PNG and some more'))
  t.equal(wrong.status, 415)
  t.match(mainOf(wrong), /This is no ZIM archive/)
})

t.test('somebody who may not write sees everything and is shown the way to sign in; preview changes nothing', async (t) => {
  const s = await shelf(t)
  const far = { 'x-forwarded-for': '192.0.2.7' }
  const page = await s.ask({ path: `/library?remove=${s.ids.fresh}`, headers: far })
  t.match(mainOf(page), /Sign in to add, read or remove archives\./)
  t.notMatch(page.text, /<form[^>]*action="\/library|role="switch"|id="remove"/)
  t.match(rowOf(page, `source-${s.ids.running}`), /EXTRACTING is being read 12 \/ 40 extracted Reading : on Browse/)
  t.equal((await press(s, `/library/${s.ids.fresh}`, { do: 'read' }, far)).status, 403)
  const preview = await shelf(t, { mode: 'preview' })
  const shown = await preview.ask('/library')
  t.match(mainOf(shown), /This is a preview: the library is shown as it is/)
  t.notMatch(shown.text, /<form[^>]*action="\/library/)
  t.equal((await press(preview, `/library/${preview.ids.fresh}`, { do: 'read' })).status, 503)
})
