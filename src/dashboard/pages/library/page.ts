import * as v from 'valibot'
import { toast } from '../../../../web/shared/parts.js'
import { bytesText, number } from '../../../../web/shared/times.js'
import type { ServerView } from '../../../knowledge/library/library.ts'
import type { SourceView } from '../../../knowledge/library/status.ts'
import type { Services } from '../../api/services.ts'
import { libraryOf } from '../../server/library.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { loose } from '../frame/log-filters.ts'
import { section } from '../knowledge/knowledge-frame.ts'
import { withCommand } from '../knowledge/knowledge-work.ts'
import { LIBRARY, type LibraryReader, libraryHandler, noticePlace, signInLine } from './library-frame.ts'
import { removalBox, removedNotice } from './library-removal.ts'
import { archiveTable } from './library-table.ts'
import { languagesText, serverMark } from './library-words.ts'

export const libraryPageQuery = v.object({ done: loose, remove: loose, removed: loose, gone: loose, left: loose })
type Query = v.InferOutput<typeof libraryPageQuery>

/** `GET /library`: the archives, how far each is read, and the server that shows them. Complete without a script. */
function readLibraryPage(services: Services): Handler<Query, undefined> {
  const { context } = services
  return libraryHandler(services, LIBRARY, (reader, { query }) => {
    const library = libraryOf(context)
    library.look()
    const sources = library.list(reader.host)
    const server = library.server(reader.host)
    const moves = server.status === 'starting' || sources.some(isMoving)
    const body = [
      noticePlace(notice(query, reader)),
      removalBox(
        sources.find(({ id }) => String(id) === query.remove),
        reader
      ),
      html`<div id="content"${moves ? html` data-moves` : null}>${serverLine(server, reader)}
${sources.length === 0 ? nothing(reader) : [summary(sources, reader), archiveTable(sources, reader)]}
${foreignSection(server, reader)}</div>`,
      signInLine(reader, LIBRARY, reader.t('to add, read or remove archives.')),
      reader.mayWrite ? uploadSection(reader) : null
    ]
    return { title: reader.t('Library'), body, script: 'pages/library/script.js' }
  })
}

/** Something about it changes by itself soon. */
function isMoving({ status, state, activity, reason }: SourceView): boolean {
  if (state === 'removing' || (state === 'missing' && reason?.code === 'archive_changed')) return true
  return state === 'present' && (status === 'PROCESSING' || activity === 'running' || activity === 'queued')
}

function notice(query: Query, reader: LibraryReader): Content {
  if (query.removed !== '') return removedNotice(query, reader)
  const { t } = reader
  const words: Readonly<Record<string, string>> = {
    received: t('The archive is here. With ingest switched on, the search finds what stands in it.'),
    arrived: t('The archive has arrived. It is being looked at and registered: it appears in the list by itself.'),
    retry: t('What failed is tried again.')
  }
  const said = words[query.done]
  return toast({ html }, said ?? '')
}

function serverLine({ status, url, version, reason, problem }: ServerView, { t }: LibraryReader): Html {
  const answers = status !== 'external' || reason === null
  const facts: Content[] = [
    serverMark(status, answers, t),
    version === null ? null : html` <small>kiwix-serve ${version}</small>`,
    url === null || !(status === 'running' || (status === 'external' && answers))
      ? null
      : html` <a href="${url}" rel="external noopener" target="_blank">${t('Open the library')}<span class="hidden"> (${t('opens in a new window')})</span></a>`
  ]
  return html`<div class="server"><p>${facts}</p>${reason === null || status === 'missing' ? null : html`<p class="reason">${withCommand(t.reason(reason))}</p>`}
${status === 'missing' ? html`<p>${t('Archives are read and searched without it; to browse them, install it:')} <code>sudo apt install kiwix-tools</code></p>` : null}${problem === null ? null : html`<p class="banner note">${t.reason(problem)}</p>`}</div>`
}

function nothing({ t, mayWrite }: LibraryReader): Html {
  const how = mayWrite ? t('Add one below, or put the file into the folder archives of the data folder.') : ''
  return html`<p>${t('There is no archive yet.')} ${how}</p>
<p class="quiet">${t('An archive is a whole web site in one file (.zim), such as those of library.kiwix.org: encyclopedias, handbooks, medicine.')}</p>`
}

function summary(sources: readonly SourceView[], { language, t }: LibraryReader): Html {
  const sum = (of: (source: SourceView) => number): number => sources.reduce((total, source) => total + of(source), 0)
  const count = (value: number): string => number(value, language)
  const facts: Content[] = [
    [count(sources.length), sources.length === 1 ? t('archive') : t('archives')],
    [count(sum(({ counts }) => counts.articles)), t('articles')],
    [count(sum(({ counts }) => counts.in_vector_store)), t('in the vector store')],
    [count(sum(({ counts }) => counts.total - counts.in_vector_store)), t('on their way there')],
    [
      bytesText(
        sum(({ size_bytes }) => size_bytes),
        language
      ),
      t('on the disk')
    ]
  ].map(([value, what]) => html`<li><b>${value ?? ''}</b> ${what ?? ''}</li>`)
  return html`<ul class="sums">${facts}</ul>
<p class="quiet">${t('With ingest on, the articles of an archive are read, and the search finds them.')}</p>`
}

/** Books of an external server that somebody else gave it. */
function foreignSection({ foreign }: ServerView, { language, t }: LibraryReader): Html | null {
  if (foreign.length === 0) return null
  const lines = foreign.map(({ title, language: codes, browse_url: url }) => {
    const about = languagesText(codes, language, t)
    const name = url === null ? title : html`<a href="${url}" rel="external noopener" target="_blank">${title}</a>`
    return html`<li>${name}${about === '' ? null : html` <small>${about}</small>`}</li>`
  })
  return section('foreign', t('Also on this server'), [
    html`<p class="quiet">${t('These can be browsed. They are not files of this station, so it does not read them.')}</p>`,
    html`<ul class="foreign">${lines}</ul>`
  ])
}

/** One file at a time without a script; with it dropped, several, resumable. */
function uploadSection({ t }: LibraryReader): Html | null {
  const form = html`<div id="uploader"><form method="post" action="${LIBRARY}" enctype="multipart/form-data">
<p><label for="file">${t('File')}</label><input id="file" name="file" type="file" required accept=".zim"></p>
<p><button class="primary">${t('Upload')}</button></p></form></div>`
  return html`<section class="add" aria-labelledby="add"><h2 id="add">${t('Add an archive')}</h2>
<p class="quiet">${t('A file .zim of any size, as long as there is space. Large ones are put into the folder archives of the data folder faster, with a card or a stick.')}</p>
${form}</section>
`
}

export const libraryPage = (services: Services): Route =>
  get('/library', {
    about: 'Archives (.zim): state, progress, the switch for reading, upload, removal, and how the library server is.',
    query: libraryPageQuery,
    handle: readLibraryPage(services)
  })
