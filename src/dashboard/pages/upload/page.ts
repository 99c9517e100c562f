import { bytesText } from '../../../../web/shared/times.js'
import type { Upload } from '../../../knowledge/catalogue/document.ts'
import { DOCUMENT_STATES, UPLOAD_STATES, type UploadStatus } from '../../../knowledge/catalogue/states.ts'
import { UPLOAD_TYPES } from '../../../knowledge/intake/upload-type.ts'
import type { Services } from '../../api/services.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { documentPath } from '../frame/links.ts'
import { shorten } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import { type KnowledgeReader, knowledgeHandler, section } from '../knowledge/knowledge-frame.ts'
import { isOver, nameOf, type Step, statusMark, statusNames, stepsOf } from '../knowledge/knowledge-words.ts'

const PATH = '/knowledge/upload'
const MOST_RECENT = 20
const MOST_CATEGORIES = 100

/** `GET /knowledge/upload`: files, web pages and transcripts come in here. One file at a time without a script, any number with. */
function readUploadPage(services: Services): Handler<unknown, undefined> {
  return knowledgeHandler(services, (reader) => {
    const { t } = reader
    const body = [reader.mayWrite ? forms(reader) : signIn(reader), html`<div id="recent">${recent(reader)}</div>`]
    const data = {
      max_bytes: reader.knowledge.receiver.settings.maxBytes,
      names: statusNames(t),
      steps: allSteps(reader),
      over: everyStatus().filter(isOver)
    }
    return { title: t('Add documents'), path: PATH, body, script: 'pages/upload/script.js', data }
  })
}

function everyStatus(): UploadStatus[] {
  const own = UPLOAD_STATES.filter((state) => state !== 'filed')
  return [...new Set<UploadStatus>([...own, ...DOCUMENT_STATES])]
}

/** The steps of a file in each status: the script draws them from here, so that there is one table. */
function allSteps({ t }: KnowledgeReader): Record<string, Step[]> {
  return Object.fromEntries(everyStatus().map((status) => [status, stepsOf(status, null, t)]))
}

function signIn({ t }: KnowledgeReader): Html {
  return html`<p><a class="button primary" href="/sign-in?back=${encodeURIComponent(PATH)}">${t('Sign in')}</a> ${t('to add documents.')}</p>`
}

function forms(reader: KnowledgeReader): Content {
  const { t, knowledge, language } = reader
  const categories = knowledge.catalogue.categories().slice(0, MOST_CATEGORIES)
  const options = categories.map(({ name }) => html`<option value="${name}"></option>`)
  const most = bytesText(knowledge.receiver.settings.maxBytes, language)
  const types = UPLOAD_TYPES.join(' ')
  return html`<datalist id="categories">${options}</datalist>
<section class="add" aria-labelledby="files"><h2 id="files">${t('Files')}</h2>
<p class="quiet">${t('{types}, at most {size} each. What a file is, its content decides.', { types, size: most })}</p>
<div id="uploader"><form method="post" action="${PATH}" enctype="multipart/form-data">
<p><label for="category">${t('Category (may be empty)')}</label><input id="category" name="category" list="categories" maxlength="100" autocomplete="off"></p>
<p><label for="file">${t('File')}</label><input id="file" name="file" type="file" required accept="${UPLOAD_TYPES.join(',')}"></p>
<p><button class="primary">${t('Upload')}</button></p></form></div></section>
<p><a href="/knowledge/bulk">${t('Many at once')}</a>: ${t('a list of addresses, a stick or a folder.')}</p>
${webForm(reader)}${transcriptForm(reader)}`
}

/** One address of the web: a page, a document, captions. */
function webForm({ t }: KnowledgeReader): Html {
  return html`<section class="add folded" aria-labelledby="web"><details><summary><h2 id="web">${t('A web page')}</h2></summary>
<p class="quiet">${t('A page is kept as its text, a document as it is, a recording by its captions. This needs the Internet now, reading it later does not.')}</p>
<form method="post" action="${PATH}/web" data-api="/api/ingest/url" data-busy="${t('Fetching …')}">
<p><label for="url">${t('Address')}</label><input id="url" name="url" type="url" required maxlength="2000" placeholder="https://" autocomplete="off" inputmode="url"></p>
<p><label for="web-category">${t('Category (may be empty)')}</label><input id="web-category" name="category" list="categories" maxlength="100" autocomplete="off"></p>
<p><button>${t('Fetch and keep')}</button></p><div class="outcome"></div></form></details></section>
`
}

/** Captions of a recording, WebVTT or SubRip. */
function transcriptForm({ t }: KnowledgeReader): Html {
  return html`<section class="add folded" aria-labelledby="captions"><details><summary><h2 id="captions">${t('A transcript')}</h2></summary>
<p class="quiet">${t('Captions of a recording (.vtt or .srt). With its address, citations lead to the minute.')}</p>
<form method="post" action="${PATH}/transcript" enctype="multipart/form-data" data-api="/api/ingest/transcript" data-busy="${t('Uploading …')}">
<p><label for="title">${t('Title')}</label><input id="title" name="title" maxlength="300" autocomplete="off"></p>
<p><label for="source">${t('Address of the recording (may be empty)')}</label><input id="source" name="source_url" type="url" maxlength="2000" placeholder="https://" autocomplete="off" inputmode="url"></p>
<p><label for="captions-category">${t('Category (may be empty)')}</label><input id="captions-category" name="category" list="categories" maxlength="100" autocomplete="off"></p>
<p><label for="captions-file">${t('File')}</label><input id="captions-file" name="file" type="file" required accept=".vtt,.srt,.txt"></p>
<p><button>${t('Add the transcript')}</button></p><div class="outcome"></div></form></details></section>
`
}

/** The newest files, and their states. */
function recent(reader: KnowledgeReader): Html {
  const { knowledge, t } = reader
  const uploads = knowledge.uploads.list({ limit: MOST_RECENT })
  const list =
    uploads.length === 0
      ? html`<p>${t('Nothing has come yet.')}</p>`
      : html`<ul class="recent">${uploads.map((upload) => line(upload, reader))}</ul>`
  return html`${section('came', t('Came last'), list)}`
}

function line(upload: Upload, reader: KnowledgeReader): Html {
  const { knowledge, context, language, t } = reader
  const document = knowledge.catalogue.byHash(upload.hash)
  const status: UploadStatus = document?.status ?? (upload.state === 'filed' ? 'processing' : upload.state)
  const reason = document === null ? upload.reason : document.reason
  const name = document === null ? upload.filename : nameOf(document)
  return html`<li data-key="${upload.hash}"><p><a href="${documentPath(upload.hash)}">${shorten(name, 160)}</a> <small>${bytesText(upload.size, language)} · ${agoTime(context, upload.receivedAt, language)}</small></p>
<p>${statusMark(status, t)}${reason === null ? null : html` <span class="reason">${t.reason(reason)}</span>`}</p></li>
`
}

export const uploadPage = (services: Services): Route =>
  get('/knowledge/upload', {
    about:
      'Upload of several files with progress to the end; without a script a plain form. Web pages and transcripts too.',
    handle: readUploadPage(services)
  })
