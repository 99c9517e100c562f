import type { Test } from 'tap'
import t from 'tap'
import { stemsOf } from '../../src/dashboard/pages/frame/marks.ts'
import { paragraphs } from '../../src/dashboard/pages/frame/prose-text.ts'
import { stepsOf } from '../../src/dashboard/pages/knowledge/knowledge-words.ts'
import type { HttpContext } from '../../src/dashboard/server/context.ts'
import { translator } from '../../src/dashboard/words/language.ts'
import { DOCUMENT_STATES } from '../../src/knowledge/catalogue/states.ts'
import { PassageCodes } from '../../src/knowledge/search/codes.ts'
import { because } from '../../src/model/reason.ts'
import { bytesText } from '../../web/shared/times.js'
import { note } from '../helpers/in-words.ts'
import { knowledgeSetup, newDocument } from '../helpers/knowledge.ts'
import { HASHES, item, knowledgeContext, seedLibrary, seedWaiting } from '../helpers/knowledge-pages.ts'
import { type Answer, type Station, station } from './harness.ts'

/** Pages of documents as the server draws them: complete for reading and deciding without a script. */

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
const rowsOf = ({ text }: Answer): string[] =>
  [...text.matchAll(/<tr role="row" data-key=[\s\S]*?<\/tr>/g)].map(([row]) => words(row).trim())

async function library(t: Test, context: Partial<HttpContext> = {}, config: unknown = {}) {
  const setup = await knowledgeSetup(t)
  const ids = seedLibrary(setup)
  const knowledge = knowledgeContext(t, setup)
  const made = await station(t, { config, context: { knowledge, ...context } })
  return { ...made, ids, setup, knowledge }
}

const press = (s: Pick<Station, 'ask'>, path: string, fields: Record<string, string>, headers = {}): Promise<Answer> =>
  s.ask({
    method: 'POST',
    path,
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }
  })

const documentsAt = async (s: Pick<Station, 'ask'>, path: string): Promise<number> =>
  (await s.ask(path)).text.split(' data-key="').length - 1

const PATHS = [
  '/knowledge',
  '/catalogue',
  '/knowledge/review',
  '/knowledge/upload',
  '/search',
  `/documents/${HASHES.complete}`
]

t.test('without knowledge the pages say so, and the menu leaves them out', async (t) => {
  const s = await station(t)
  for (const path of PATHS) {
    const answer = await s.ask(path)
    t.equal(answer.status, 404, path)
    t.match(mainOf(answer), /This profile runs without knowledge/)
  }
  t.notMatch((await s.ask('/')).text, /href="\/(?:knowledge|search)"/)
  const other = await library(t)
  t.match((await other.ask('/')).text, /href="\/knowledge">Knowledge<\/a>.*href="\/search">Search<\/a>/)
  t.match((await other.ask('/catalogue')).text, /<a href="\/knowledge" aria-current="true">Knowledge/)
  t.match((await other.ask('/search')).text, /<a href="\/search" aria-current="page">Search/)
})

t.test(
  'the state of all documents: every stage with its count, what runs, what is held and why, what failed',
  async (t) => {
    const s = await library(t, {}, { knowledge: { allowed_languages: ['en', 'de'] } })
    const page = await s.ask('/knowledge')
    const text = mainOf(page)
    const counts = s.setup.catalogue.counts()
    const shown = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const boxes = [...page.text.matchAll(/<li class="[a-z]*"><(?:a|span) class="stop"[\s\S]*?<\/li>/g)].map(([box]) =>
      words(box).trim()
    )
    t.same(boxes, [
      'Sorting 1 none runs',
      'Text 2 1 running',
      'Items 0 none runs',
      'Vectors 1 none runs',
      'Complete 3',
      'Perhaps a copy 1',
      'Skipped 1',
      'Failed 1',
      'Rejected 1'
    ])
    t.equal(shown, 9, 'every document stands in one of them')
    t.equal(await documentsAt(s, '/catalogue?status=needs_review'), 1, 'the box leads to as many as it counts')
    t.match(page.text, /Decide <b class="count">2<\/b>/, 'what lacks a domain waits for a decision too')
    t.equal(await documentsAt(s, '/knowledge/review'), 2, 'and the tab leads to as many as it counts')
    for (const said of [
      /Reading text Radio checks page 3 of 90/,
      /tesseract is not installed; it reads scanned pages\. Install it: sudo apt install tesseract-ocr Reading text Scanned plans/,
      /Text · .* pdftotext says: Couldn’t find trailer dictionary Try again/,
      /broken\.pdf .* The file is encrypted: remove its password first\./,
      /Documents: 1 in the last hour, 1 in the last 24 hours\. Pages: 3 in the last hour\./,
      /scanned PDF waits nothing Files of this kind wait: tesseract is not installed\. sudo apt install tesseract-ocr/,
      /\.docx text only built in .* sudo apt install libreoffice-writer-nogui/,
      /Language filter on: only English, German/,
      /Language detector fasttext/,
      /Items passages of the text itself; no language model/,
      /Vectors built in \(hash\): no semantic model/
    ])
      t.match(text, said)
    t.match(page.text, /<code>sudo apt install tesseract-ocr<\/code>/)
    t.match(
      page.text,
      /<svg class="hours"[^>]*role="img" aria-label="Documents finished in each of the last 24 hours; at most 1 in one"/
    )
    t.notMatch(page.text, / style=/)
  }
)

t.test(
  'what waits says what it waits for: on the page of all, on its own, in the API, in the language of whoever asks',
  async (t) => {
    const s = await library(t)
    const hash = seedWaiting(s.setup)
    const german = { 'accept-language': 'de' }
    const all = mainOf(await s.ask('/knowledge'))
    t.match(all, /Waits Small files go first/)
    t.match(all, /Reading text Leaflet on wells behind \d+ others?/)
    t.match(all, /Atlas of everything it runs alone and last because the worker ended 2 times while it ran/)
    t.match(all, /Notes from the ridge pdftotext took longer than 60 s[^;]*; it is tried again at \d{1,2}:\d\d/)
    const deutsch = mainOf(await s.ask({ path: '/knowledge', headers: german }))
    t.match(deutsch, /Atlas of everything es läuft allein und zuletzt, weil der Arbeiter 2-mal endete/)
    t.match(deutsch, /Leaflet on wells hinter \d+ anderen/)
    t.match(mainOf(await s.ask(`/documents/${hash.deadly}`)), /it runs alone and last/)
    t.match(mainOf(await s.ask(`/documents/${hash.small}`)), /behind \d+ others?/)
    const { body } = await s.ask(`/api/upload/${hash.small}/status`)
    t.match(body, {
      status: 'queued',
      waits_for: /^behind \d+ other/,
      message: /^It is filed and waits to be read: behind/,
      reason: null
    })
    const told = (await s.ask(`/api/upload/${hash.later}/status`)).body
    t.match(told, { waits_for: /it is tried again at 20\d\d-/ })
    const { body: overview } = await s.ask('/api/knowledge')
    t.match((overview as { waiting: unknown[] }).waiting.length, 6, 'the library has three of its own')
    s.knowledge.worker = () => ({
      state: 'working',
      reason: because('worker_again_after', {
        what: ['Atlas of everything.txt'],
        how: because('out_of_memory', { how: note('SIGKILL') })
      })
    })
    const again = (await s.ask(`/api/upload/${hash.small}/status`)).body
    t.match(again, {
      message:
        'It is filed and waits to be read: the worker starts again after it ended while working on Atlas of everything.txt: memory ran out (SIGKILL)'
    })
    t.match(mainOf(await s.ask(`/documents/${hash.small}`)), /the worker starts again after it ended while working on/)
  }
)

t.test('what is far away or broken is named as it is', async (t) => {
  const s = await library(
    t,
    {},
    {
      knowledge: {
        language_filter: false,
        llm: { provider: 'openai', model: 'small' },
        embedding: { provider: 'ollama', model: 'minilm', url: 'http://127.0.0.1:11434' }
      }
    }
  )
  s.knowledge.worker = () => ({ state: 'failing', reason: note('it ended with code 137') })
  s.knowledge.detector = () => ({ detector: 'franc-min', state: 'missing', reason: note('not installed') })
  const text = mainOf(await s.ask('/knowledge'))
  for (const said of [
    /The worker keeps failing and is started again after a while\. it ended with code 137/,
    /Language filter off: every language is read/,
    /franc-min does not work: everything is let through not installed/,
    /what openai small writes of them/,
    /Vectors ollama minilm http:\/\/127\.0\.0\.1:11434/
  ])
    t.match(text, said)
})

t.test('an empty station says what to do first', async (t) => {
  const setup = await knowledgeSetup(t)
  const s = await station(t, { context: { knowledge: knowledgeContext(t, setup) } })
  t.match(mainOf(await s.ask('/knowledge')), /No documents yet\. Add documents/)
  t.match(mainOf(await s.ask('/catalogue')), /No documents yet\. Add documents/)
  t.match(mainOf(await s.ask('/catalogue?badge=PDF')), /No document matches\./)
  t.match(mainOf(await s.ask('/knowledge/review')), /Nothing waits for a decision\./)
  t.match(mainOf(await s.ask('/knowledge/upload')), /Nothing has come yet\./)
  t.match(mainOf(await s.ask('/search')), /Nothing can be searched yet\./)
})

t.test(
  'the catalogue lists documents with badge, state, domain and review mark; filters are a plain form',
  async (t) => {
    const s = await library(t)
    const all = rowsOf(await s.ask('/catalogue'))
    t.equal(all.length, 9)
    t.match(all[0], /^transcript How to purify water A\. Writer · Manuals Complete Unsorted 2 2 pages 1 1 item /)
    t.match(
      all.at(-1),
      /^PDF Field Sanitation <Handbook> U\.S\. Army & others · 1987 · Manuals Complete Water Systems 3 3 pages 3 3 items English /
    )
    const titles = async (query: string): Promise<string[]> =>
      rowsOf(await s.ask(`/catalogue?${query}`)).map((row) => /^[A-Za-z]+ (\S+)/.exec(row)?.[1] ?? row)
    for (const [query, expected] of [
      ['badge=WIKI', ['Water']],
      ['badge=WEB', ['Radio']],
      ['badge=WIKI&text=water', ['Water']],
      [
        'status=failed',
        ['a_very_long_file_name_without_any_blank_in_it_that_must_break_somewhere_or_else_stick_out.pdf']
      ],
      ['status=review', ['Notes', 'Field']],
      ['domain=Water+Systems', ['Water', 'Field']],
      ['text=sanitation+army', ['Field', 'Field']],
      ['category=Manuals&badge=transcript', ['How']],
      [
        'badge=nonsense&status=1&domain=Magic&cursor=-4',
        [
          'How',
          'Scanned',
          'Radio',
          'Notes',
          'Field',
          'Manuel',
          'a_very_long_file_name_without_any_blank_in_it_that_must_break_somewhere_or_else_stick_out.pdf',
          'Water',
          'Field'
        ]
      ]
    ] as const)
      t.same(await titles(query), expected, query)
    const filtered = await s.ask('/catalogue?badge=WIKI')
    t.match(filtered.text, /<details class="filters" open/)
    t.match(filtered.text, /<option value="WIKI" selected>WIKI/)
    for (let n = 0; n < 120; n++)
      s.setup.catalogue.add(newDocument(n, { hash: `${n}`.padStart(64, 'd'), kind: 'wiki', title: `Article ${n}` }))
    const seen: string[] = []
    let path: string | undefined = '/catalogue?badge=WIKI'
    for (let pages = 0; path !== undefined && pages < 5; pages++) {
      const answer: Answer = await s.ask(path)
      seen.push(...rowsOf(answer))
      path = /rel="next" href="([^"]+)"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&')
      if (path !== undefined) t.match(path, /badge=WIKI/)
    }
    t.equal(new Set(seen).size, 121, 'page by page, each once')
  }
)

t.test('a document shows its facts with their witnesses, one page of text, its items and what to do', async (t) => {
  const s = await library(t)
  const page = await s.ask(`/documents/${HASHES.complete}?page=2&q=boiled+waters`)
  t.equal(page.status, 200)
  const text = mainOf(page)
  for (const said of [
    /Field Sanitation <Handbook> .*Complete U\.S\. Army & others 1987 Water Systems English 3 pages 3 items/,
    /Title Field Sanitation <Handbook> agreed \(filename, document\)/,
    /Year 1987 first page/,
    /Pages 3, of which 1 read by OCR/,
    /Who said what Said by Title Author Edition Year filename fm21-10 sanitation document Field Sanitation <Handbook>/,
    /Warnings page 3 was read by OCR/,
    /Page 2 Chapter 1\. Safe water/,
    /for one minute; above 2000 m/,
    /Boiling water, part 2 page 2/,
    /Deleted are: the original file \(3\.4 MB\) its text: 3 pages 3 items with their vectors \(3\)/
  ])
    t.match(text, said)
  t.match(
    page.text,
    /<mark>Boiling<\/mark> is the surest way: bring the <mark>water<\/mark> to a rolling <mark>boil<\/mark>/
  )
  t.match(page.text, /rel="prev" href="\/documents\/a{64}\?page=1&amp;q=boiled\+waters#p"/)
  t.match(page.text, /rel="next" href="\/documents\/a{64}\?page=3/)
  t.match(page.text, new RegExp(`href="/api/documents/${HASHES.complete}/original" download`))
  t.match(page.text, /<p class="flow columns-text" tabindex="0">Dose {13}Clear <mark>water/, 'columns stay columns')
  const last = await s.ask(`/documents/${HASHES.complete}?page=99999`)
  t.match(mainOf(last), /Page 3 read from a picture \(OCR\): letters may be wrong/)
  t.match(last.text, /<span class="button gone" aria-disabled="true">Next page/)
  t.match(mainOf(await s.ask(`/documents/${HASHES.transcript}?page=2`)), /Page 2 from 2:05 on Now we boil the water\./)
  t.match(mainOf(await s.ask(`/documents/${HASHES.complete}?page=x`)), /Page 1 Chapter/)
})

t.test('a document that stopped says where and why, and can be tried again', async (t) => {
  const s = await library(t)
  const failed = await s.ask(`/documents/${HASHES.failed}`)
  t.match(failed.text, /<li class="done"[^>]*>Sorted[\s\S]*<li class="stopped"[^>]*>Text/)
  t.match(mainOf(failed), /pdftotext says: Couldn’t find trailer dictionary Try again/)
  const skipped = mainOf(await s.ask(`/documents/${HASHES.skipped}`))
  t.match(skipped, /The language is French \(fr\).* Look at it again/)
  t.match(mainOf(await s.ask(`/documents/${HASHES.held}`)), /tesseract is not installed/)
  const rejected = mainOf(await s.ask(`/documents/${HASHES.rejected}`))
  t.match(rejected, /^ broken\.pdf .*Rejected .*The file is encrypted/)
  t.match(rejected, /Delete this file/)
  t.match(mainOf(await s.ask('/knowledge')), /kept in the folder rejected for 7 days; then the oldest go/)
  t.match(mainOf(await s.ask(`/documents/${HASHES.pending}`)), /just arrived\.pdf .*Waiting to be sorted/)
  const unknown = await s.ask(`/documents/${'9'.repeat(64)}`)
  t.equal(unknown.status, 404)
  t.match(mainOf(unknown), /No document has this address/)
  t.equal((await s.ask('/documents/../../etc')).status, 404)

  const done = await press(s, `/documents/${HASHES.failed}`, { do: 'retry', back: '/knowledge' })
  t.equal(done.status, 303)
  t.equal(done.headers.location, '/knowledge?done=retry')
  t.equal(s.setup.catalogue.byHash(HASHES.failed)?.status, 'queued')
  t.equal(s.knowledge.woken(), 1)
  const again = await press(s, `/documents/${HASHES.failed}`, { do: 'retry' })
  t.equal(again.status, 409)
  t.match(mainOf(again), /Nothing was changed It is queued: only what failed or was left out can be tried again\./)
})

t.test('pages and the API tell why in the language of their reader', async (t) => {
  const s = await library(t)
  const late = because('program_too_long', { program: 'pdftotext', seconds: 60 })
  const why = because('file_cannot_be_read', { said: late })
  const reason = 'the file cannot be read: pdftotext took longer than 60 s and was stopped'
  const hash = '7'.repeat(64)
  s.setup.catalogue.add(newDocument('7', { status: 'failed', failedStage: 'extract', reason: why }))
  const said = /die Datei kann nicht gelesen werden: pdftotext brauchte länger als 60 s und wurde angehalten/
  for (const path of ['/knowledge', `/documents/${hash}`]) {
    t.match(mainOf(await s.ask({ path, headers: { cookie: 'lang=de' } })), said, path)
    t.match(mainOf(await s.ask(path)), reason, path)
  }
  const path = `/api/upload/${hash}/status`
  t.match((await s.ask({ path, headers: { 'accept-language': 'de' } })).body.reason, said)
  t.match((await s.ask({ path, headers: { cookie: 'lang=de' } })).body.reason, said)
  t.equal((await s.ask(path)).body.reason, reason)
  const refused = await press(s, `/documents/${HASHES.complete}`, { do: 'retry' })
  t.match(mainOf(refused), /It is complete: only what failed/)
})

t.test('retry all and release are presses too', async (t) => {
  const s = await library(t)
  s.setup.catalogue.add(newDocument('7', { status: 'failed', failedStage: 'embed', reason: note('down') }))
  t.match(mainOf(await s.ask('/knowledge')), /Try all 2 again/)
  t.equal((await press(s, '/knowledge', { do: 'retry-all' })).headers.location, '/knowledge?done=retry-all')
  t.same(
    [HASHES.failed, '7'.repeat(64)].map((hash) => s.setup.catalogue.byHash(hash)?.status),
    ['queued', 'enriched']
  )
  t.equal(s.setup.catalogue.byHash(HASHES.skipped)?.status, 'skipped', 'left alone')
  t.equal((await press(s, '/knowledge', { do: 'release' })).status, 303)
  t.equal(s.setup.jobs.get('extract', String(s.ids.held))?.state, 'waiting')
  t.match(mainOf(await s.ask('/knowledge?done=release')), /What was held is tried again\./)
  t.equal((await press(s, '/knowledge', { do: 'explode' })).status, 404)
})

t.test('where a document belongs is decided by one press', async (t) => {
  const s = await library(t)
  const tray = await s.ask('/knowledge/review')
  const text = mainOf(tray)
  t.match(
    text,
    /Notes of a winter .*Snow fell for nine days\. Where does it belong\? Two domains fit nearly alike\. Wilderness Skills Shelter & Construction Another one/
  )
  t.match(
    text,
    /Is it a copy\? Title, author and year are the same\. .*New: Field Sanitation <Handbook> Here already: Field Sanitation <Handbook>/
  )
  t.match(
    text,
    /Edition differs – 2nd Year 1987 1987 File differs book e\.pdf fm21-10 sanitation\.pdf Size differs 1 kB 3\.4 MB/
  )
  t.match(tray.text, /Decide <b class="count">2<\/b>/)
  const path = `/documents/${HASHES.unsorted}`
  t.equal((await press(s, path, { do: 'domain', domain: 'Magic' })).status, 422)
  const moved = await press(s, path, { do: 'domain', domain: 'Wilderness Skills', back: '/knowledge/review' })
  t.equal(moved.headers.location, '/knowledge/review?done=domain')
  const found = s.setup.catalogue.byHash(HASHES.unsorted)
  t.same([found?.domain, found?.review], ['Wilderness Skills', null])
  t.equal(
    (await press(s, path, { do: 'domain', domain: 'Medical', back: 'https://evil.example' })).headers.location,
    `${path}?done=domain`
  )
})

t.test('a probable copy is kept, takes the place of the other, or goes', async (t) => {
  for (const [what, status, removing] of [
    ['keep', 'queued', []],
    ['replace', 'queued', [HASHES.complete]],
    ['discard', 'needs_review', [HASHES.copy]]
  ] as const) {
    const s = await library(t)
    const answer = await press(s, `/documents/${HASHES.copy}`, { do: what })
    t.equal(answer.status, 303, what)
    t.equal(s.setup.catalogue.byHash(HASHES.copy)?.status, status, what)
    const gone = [HASHES.copy, HASHES.complete].filter((hash) =>
      s.setup.catalogue.isBeingRemoved(s.setup.catalogue.byHash(hash)?.id ?? -1)
    )
    t.same(gone, removing, what)
    if (what === 'discard') {
      const left = await s.ask(`/documents/${HASHES.copy}`)
      t.match(mainOf(left), /It is being deleted, with everything of it\./)
      t.notMatch(mainOf(left), /Keep both|Delete …/)
      t.notMatch(mainOf(await s.ask('/knowledge/review')), /Keep both/)
    }
  }
  const s = await library(t)
  t.equal((await press(s, `/documents/${HASHES.complete}`, { do: 'delete' })).status, 303)
  t.equal(s.setup.jobs.get('remove', String(s.ids.complete))?.state, 'waiting')
})

t.test('whoever may only read sees everything and no form; presses are refused with the way to sign in', async (t) => {
  const s = await library(t, {}, { http: { trusted_proxies: ['127.0.0.1'] } })
  for (const path of PATHS) {
    const { text, status } = await s.ask(path)
    t.equal(status, 200)
    t.notMatch(/<main[\s\S]*<\/main>/.exec(text)?.[0] ?? '', /method="post"/, path)
  }
  t.match(mainOf(await s.ask('/knowledge/upload')), /Sign in to add documents\./)
  t.match(mainOf(await s.ask(`/documents/${HASHES.copy}`)), /Sign in to decide\./)
  const refused = await press(s, `/documents/${HASHES.complete}`, { do: 'delete' })
  t.equal(refused.status, 401)
  t.match(refused.text, new RegExp(`href="/sign-in\\?back=${encodeURIComponent(`/documents/${HASHES.complete}`)}"`))
  t.equal(s.setup.jobs.get('remove', String(s.ids.complete)), null)
  const foreign = await press(await library(t), '/knowledge', { do: 'retry-all' }, { origin: 'https://evil.example' })
  t.equal(foreign.status, 403)
})

t.test('a preview takes files in, says that they wait, and changes nothing else', async (t) => {
  const s = await library(t, { mode: 'preview' })
  for (const path of PATHS) t.match(mainOf(await s.ask(path)), /This is a preview/, path)
  t.match((await s.ask('/knowledge/upload')).text, /stay pending.*enctype=/s)
  const refused = await press(s, `/documents/${HASHES.failed}`, { do: 'retry' })
  t.equal(refused.status, 503)
  t.equal(s.setup.catalogue.byHash(HASHES.failed)?.status, 'failed')
})

/** A form with a file, as a browser sends it. */
function multipart(
  name: string,
  content: string,
  category = 'Manuals'
): { raw: string; headers: Record<string, string> } {
  const mark = '----lookout'
  const part = (head: string, body: string): string =>
    `--${mark}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
  const raw = `${part('name="category"', category)}${part(`name="file"; filename="${name}"`, content)}--${mark}--\r\n`
  return { raw, headers: { 'content-type': `multipart/form-data; boundary=${mark}` } }
}

t.test('a file comes in by the plain form; refusals are pages that say why', async (t) => {
  const s = await library(t)
  const page = await s.ask('/knowledge/upload')
  t.match(page.text, /<form method="post" action="\/knowledge\/upload" enctype="multipart\/form-data">/)
  t.match(page.text, /accept="\.pdf,\.txt,\.epub,\.doc,\.docx,\.mobi"/)
  t.match(page.text, /<option value="Manuals">/)
  t.match(
    mainOf(page),
    /at most 50 MB each.*just arrived\.pdf .*Waiting to be sorted.*broken\.pdf .*Rejected The file is encrypted/
  )
  const send = (name: string, content: string): Promise<Answer> =>
    s.ask({ method: 'POST', path: '/knowledge/upload', ...multipart(name, content) })
  const taken = await send('notes.txt', 'Boil the water for one minute before you drink it. '.repeat(20))
  t.equal(taken.status, 303)
  const [, hash = ''] = /^\/documents\/([0-9a-f]{64})\?done=received$/.exec(taken.headers.location ?? '') ?? []
  t.equal(s.setup.uploads.get(hash)?.category, 'Manuals')
  t.match(mainOf(await s.ask(taken.headers.location ?? '')), /notes\.txt .*It has arrived\./)
  const twice = await send('again.txt', 'Boil the water for one minute before you drink it. '.repeat(20))
  t.equal(twice.status, 409)
  t.match(mainOf(twice), /This file is here already: notes\.txt .* The document that is here already Back/)
  t.match(twice.text, new RegExp(`href="/documents/${hash}"`))
  t.equal((await send('empty.txt', '')).status, 422)
  const wrong = await send('archive.pdf', 'PK\u0003\u0004 not a book at all')
  t.equal(wrong.status, 415)
  t.match(mainOf(wrong), /Nothing was changed This looks like/)
})

t.test('web pages and transcripts come in by plain forms too', async (t) => {
  const s = await library(t)
  const page = await s.ask('/knowledge/upload')
  t.match(page.text, /<form method="post" action="\/knowledge\/upload\/web"/)
  t.match(page.text, /<form method="post" action="\/knowledge\/upload\/transcript" enctype="multipart\/form-data"/)
  const refused = await press(s, '/knowledge/upload/web', { url: 'http://192.168.1.1/', category: 'x' })
  t.equal(refused.status, 422)
  t.match(mainOf(refused), /Nothing was changed http:\/\/192\.168\.1\.1\/ is not fetched here Back/)
  s.knowledge.takeAddress = async ({ url, category = '' }) => {
    t.same([url, category], ['https://example.org/a', 'Web'])
    const upload = s.setup.uploads.get(HASHES.pending)
    if (upload === null) throw new Error('no upload')
    return { ...upload, url }
  }
  const taken = await press(s, '/knowledge/upload/web', { url: 'https://example.org/a', category: 'Web' })
  t.equal(taken.headers.location, `/documents/${HASHES.pending}?done=received`)
  const captions = `WEBVTT\n\n00:00.000 --> 00:04.000\n${'Boil the water before you drink it. '.repeat(4)}\n`
  const form = multipart('talk.vtt', captions)
  const transcript = await s.ask({ method: 'POST', path: '/knowledge/upload/transcript', ...form })
  t.match(transcript.headers.location, /^\/documents\/[0-9a-f]{64}\?done=received$/)
  t.equal(s.setup.uploads.get(String(transcript.headers.location).split(/[/?]/)[2] ?? '')?.source, 'video')
})

t.test('a question is answered with passages that open; how it was searched is said', async (t) => {
  const s = await library(t)
  t.match(mainOf(await s.ask('/search')), /Documents that can be searched: 4\./)
  t.equal(s.knowledge.asked.length, 0, 'nothing is asked before somebody asks')
  const page = await s.ask('/search?q=boiled+water&badge=PDF&domain=Water+Systems')
  t.same(s.knowledge.asked[0], { q: 'boiled water', badge: 'PDF', domain: 'Water Systems', limit: 20, offset: 0 })
  const text = mainOf(page)
  t.match(text, /42 documents · by words alone: no semantic model/)
  t.match(
    text,
    /PDF Field Sanitation <Handbook> Water is boiled & filtered\. Field Sanitation <Handbook>, p\. 2 · Water Systems · English/
  )
  t.match(page.text, /<mark>Water<\/mark> is <mark>boiled<\/mark> &amp; filtered/)
  t.match(text, /p\. 7 Further in Field Sanitation <Handbook> More from this document/)
  await s.ask(`/search?q=boiled&document=${HASHES.complete}`)
  t.match(s.knowledge.asked[1], { q: 'boiled', document: HASHES.complete })
  t.match(
    page.text,
    new RegExp(
      `<a href="/documents/${HASHES.complete}\\?page=2&amp;q=boiled\\+water#p">Field Sanitation &lt;Handbook&gt;, p\\. 2`
    )
  )
  t.match(page.text, /<a href="http:\/\/127\.0\.0\.1:8081\/content\/w\/A\/Water">Water purification, p\. 2/)
  t.match(
    page.text,
    /rel="next" href="\/search\?q=boiled\+water&amp;badge=PDF&amp;domain=Water\+Systems&amp;offset=20"/
  )
  t.match(
    mainOf(await s.ask('/search?q=nothing&badge=WIKI')),
    /Nothing was found · by words and by similar spelling Try other or fewer words\. Search without the filter/
  )
  s.knowledge.search.query = async () => {
    throw new (await import('../../src/platform/errors.ts')).AppError(
      'unavailable',
      note('the searcher does not start')
    )
  }
  const down = await s.ask('/search?q=water')
  t.equal(down.status, 200)
  t.match(mainOf(down), /The search does not answer: the searcher does not start Try again/)
})

t.test(
  'a title is shown as it is: it may look like a text of the page, or like a reason, and costs nothing',
  async (t) => {
    const s = await library(t)
    const codes = new PassageCodes({ db: s.setup.db, now: () => s.setup.clock.now() })
    const headers = { 'accept-language': 'de' }
    // A key of the catalogue, the sentence of a reason, and borders of every kind.
    for (const [n, title] of ['Search', 'could be Water or Fire', 'x: y; '.repeat(33).trim()].entries()) {
      const hash = `${n}`.padStart(64, 'e')
      s.setup.catalogue.add(newDocument(n, { hash, title, filename: `${n}.txt`, status: 'complete' }))
      const { text } = await s.ask({ path: `/documents/${hash}`, headers })
      t.equal(/<h1>(.*?)<\/h1>/.exec(text)?.[1], title)
      t.equal(/<title>(.*?) · /.exec(text)?.[1], title)
      const place = { documentId: s.setup.catalogue.byHash(hash)?.id ?? 0, page: 1, itemId: null }
      const code = codes.codeOf(place)
      t.match((await s.ask({ path: `/k/${code}`, headers })).text, `<h1>${title}</h1>`)
    }
    t.match((await s.ask({ path: '/search', headers })).text, /<h1>Suche/)
  }
)

t.test('the live stream tells of documents', async (t) => {
  const s = await library(t)
  const heard: unknown[] = []
  s.observers.on('knowledge', (news) => heard.push(news))
  const news = { counts: s.setup.catalogue.counts(), running: 1, held: 1, failed: 1 }
  s.observers.tell('knowledge', news)
  t.same(heard, [news])
})

t.test('every status has its steps; bytes are written as people say them', async (t) => {
  const say = translator('en')
  for (const status of DOCUMENT_STATES) {
    const states = stepsOf(status, 'embed', say).map(({ state }) => state)
    t.equal(states.length, 6)
    t.same(
      states,
      [...states].sort((a, b) => rank(a) - rank(b)),
      `${status}: done, then one, then the rest`
    )
    t.ok(states.filter((state) => state !== 'done' && state !== 'next').length <= 1, status)
  }
  t.same(
    stepsOf('complete', null, say).map(({ state }) => state),
    Array(6).fill('done')
  )
  t.equal(stepsOf('failed', 'enrich', say).find(({ state }) => state === 'stopped')?.name, 'Items')
  t.same(
    [0, 999, 1000, 3_400_000, 123_456_789, 2e9].map((bytes) => bytesText(bytes, 'en')),
    ['0 bytes', '999 bytes', '1 kB', '3.4 MB', '123 MB', '2 GB']
  )
})

const rank = (state: string): number => (state === 'done' ? 0 : state === 'next' ? 2 : 1)

t.test('text is set anew for any width: broken lines are joined, lists and columns are not', async (t) => {
  const long = 'All water from streams, lakes and shallow wells has to be taken as unsafe until'
  for (const [name, text, expected] of [
    ['lines', `${long}\nit has been made safe.`, [`${long} it has been made safe.`]],
    ['hyphens', `${long.slice(0, 60)} puri-\nfied water`, [`${long.slice(0, 60)} purified water`]],
    ['short lines', 'Contents\nWater\nFire', ['Contents\nWater\nFire']],
    ['paragraphs', 'One.\n \n\nTwo.\f\fThree.', ['One.', 'Two.', 'Three.']],
    ['lists', `1. ${long}\n2. Let it settle.`, [`1. ${long}\n2. Let it settle.`]],
    ['columns', '  a    b\n  c    d', ['a    b\nc    d']],
    ['Windows', 'a\r\nb', ['a\nb']],
    ['nothing', ' \n\n ', []]
  ] as const)
    t.same(
      paragraphs(text).map((part) => part.text),
      expected,
      name
    )
  t.same([...stemsOf('Pumps, pumping; purification! É a')], ['pump', 'purif'], 'stems; single letters mark nothing')
  t.equal(item(1).ordinal, 1)
})

t.test('the pages are spoken in German too', async (t) => {
  const s = await library(t)
  const german = { 'accept-language': 'de' }
  t.match(
    mainOf(await s.ask({ path: '/knowledge', headers: german })),
    /Wissen .*Katalog .*Gehalten: Es fehlt etwas .*Gescheitert/
  )
  t.match(mainOf(await s.ask({ path: '/catalogue', headers: german })), /Katalog .*Fertig .*Wasser\u00adversorgung/)
  t.match(mainOf(await s.ask({ path: `/documents/${HASHES.complete}`, headers: german })), /Angaben .*Sprache Englisch/)
})
