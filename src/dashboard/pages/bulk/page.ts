import * as v from 'valibot'
import { toast } from '../../../../web/shared/parts.js'
import { bytesText } from '../../../../web/shared/times.js'
import {
  type Bulk,
  type BulkEntry,
  ENTRY_STATES,
  type EntryState,
  isOver,
  MOST_ADDRESSES
} from '../../../knowledge/intake/bulk/bulk.ts'
import type { Place } from '../../../knowledge/intake/bulk/places.ts'
import { idOf } from '../../api/bulk.ts'
import type { Services } from '../../api/services.ts'
import { notFound } from '../../server/problem.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { documentPath } from '../frame/links.ts'
import { address, cursorOf, loose, oneOf } from '../frame/log-filters.ts'
import { shorten } from '../frame/reader.ts'
import { type KnowledgeReader, knowledgeHandler, section } from '../knowledge/knowledge-frame.ts'
import { noticePlace } from '../library/library-frame.ts'
import { BULK, bulkCard } from './bulk-card.ts'
import { entryMark, entryNames } from './bulk-words.ts'

const PER_PAGE = 100
const SCRIPT = 'pages/bulk/script.js'
const STYLE = 'pages/bulk/style.css'

export const bulkPageQuery = v.object({ done: loose })

/** `GET /knowledge/bulk`: a list of addresses, a stick or a folder, and what became of those before. Complete without a script. */
function readBulkPage(services: Services): Handler<v.InferOutput<typeof bulkPageQuery>, undefined> {
  return knowledgeHandler(services, async (reader, { query }) => {
    const { t, knowledge, mayWrite } = reader
    const title = t('Many at once')
    if (!mayWrite) return { title, path: BULK, body: signIn(reader) }
    const places = await knowledge.bulk.places()
    const list = knowledge.bulk.store.list()
    const moves = list.some(({ state }) => !isOver(state))
    const body = [
      noticePlace(notice(query.done, reader)),
      addressForm(reader),
      folderForm(places, reader),
      html`<div id="content"${moves ? html` data-moves` : null}>${section(
        'jobs',
        t('Lists and folders'),
        list.length === 0
          ? html`<p>${t('None yet.')}</p>`
          : html`<ul class="bulks">${list.map((one) => bulkCard(one, reader))}</ul>`
      )}</div>`
    ]
    return { title, path: BULK, body, script: SCRIPT, style: STYLE }
  })
}

export const bulkEntriesPageQuery = v.object({ done: loose, state: loose, cursor: loose })

/** `GET /knowledge/bulk/:id`: one of them, entry by entry. */
function readBulkEntries(services: Services): Handler<v.InferOutput<typeof bulkEntriesPageQuery>, undefined> {
  return knowledgeHandler(services, (reader, { params, query }) => {
    const { t, knowledge, mayWrite } = reader
    const title = t('Many at once')
    if (!mayWrite) return { title, path: BULK, body: signIn(reader) }
    const { store } = knowledge.bulk
    const bulk = store.byId(idOf(params))
    if (bulk === null) throw notFound()
    const body = [
      noticePlace(notice(query.done, reader)),
      html`<p><a href="${BULK}">${t('All lists and folders')}</a></p>`,
      html`<div id="content"${isOver(bulk.state) ? null : html` data-moves`}><ul class="bulks">${bulkCard(bulk, reader, { leads: false })}</ul>
${entryList(bulk, query, reader)}</div>`
    ]
    return { title, path: BULK, body, script: SCRIPT, style: STYLE }
  })
}

function entryList(
  { id }: Bulk,
  query: v.InferOutput<typeof bulkEntriesPageQuery>,
  { t, knowledge }: KnowledgeReader
): Html | null {
  const state = oneOf(ENTRY_STATES, query.state)
  const path = `${BULK}/${id}`
  const cursor = cursorOf(query.cursor)
  const entries = knowledge.bulk.store.entries(id, { state, after: cursor ?? 0, limit: PER_PAGE })
  const last = entries.length < PER_PAGE ? undefined : entries.at(-1)?.id
  const list =
    entries.length === 0
      ? html`<p>${t('None.')}</p>`
      : html`<ul class="entries">${entries.map((entry) => line(entry, { t }))}</ul>`
  const name = state === undefined ? t('One by one') : entryNames(t)[state]
  return section('entries', name, [list, pages({ path, state, last, isFirst: cursor === undefined }, { t })])
}

function pages(
  {
    path,
    state,
    last,
    isFirst
  }: { path: string; state: EntryState | undefined; last: number | undefined; isFirst: boolean },
  { t }: Pick<KnowledgeReader, 't'>
): Html | null {
  if (isFirst && last === undefined) return null
  return html`<nav class="pager" aria-label="${t('More')}">${isFirst ? null : html`<a class="button" href="${address(path, { state })}">${t('To the beginning')}</a>`}${last === undefined ? null : html`<a class="button" rel="next" href="${address(path, { state, cursor: last })}">${t('Further ones')}</a>`}</nav>`
}

function notice(done: string, { t }: KnowledgeReader): Content {
  const words: Readonly<Record<string, string>> = {
    started: t('It is in the queue. This page follows it.'),
    stop: t('It is being stopped.'),
    resume: t('It goes on.'),
    retry: t('What was not read is tried again.'),
    delete: t('Removed from the list. The documents stay.')
  }
  return toast({ html }, words[done] ?? '')
}

function signIn({ t }: KnowledgeReader): Html {
  return html`<p><a class="button primary" href="/sign-in?back=${encodeURIComponent(BULK)}">${t('Sign in')}</a> ${t('to add documents.')}</p>`
}

function addressForm({ t }: KnowledgeReader): Html {
  const most = MOST_ADDRESSES
  return html`<section class="add" aria-labelledby="list"><h2 id="list">${t('A list of addresses')}</h2>
<p class="quiet">${t('Web pages, documents (PDF, EPUB and so on), captions and pages of recordings that have some: one address a line, at most {most}. Each host is asked once a second.', { most })}</p>
<form id="addresses" method="post" action="${BULK}" data-busy="${t('Sending …')}">
<p><label for="text">${t('Addresses')}</label><textarea id="text" name="text" rows="6" required placeholder="https://" autocomplete="off" spellcheck="false"></textarea></p>
<p id="from-file" hidden><label for="list-file">${t('Or from a text file')}</label><input id="list-file" type="file" accept=".txt,.csv,.list,text/plain"></p>
<p><label for="list-category">${t('Category (may be empty)')}</label><input id="list-category" name="category" maxlength="100" autocomplete="off"></p>
<p><button class="primary">${t('Take them in')}</button></p><p class="outcome" role="alert"></p></form></section>
`
}

function folderForm(places: readonly Place[], reader: KnowledgeReader): Html {
  const { t } = reader
  const usable = places.filter(({ reason }) => reason === null)
  const others = places.filter(({ reason }) => reason !== null)
  const form =
    usable.length === 0
      ? html`<p>${t('No stick is plugged in that the station can read.')}</p>`
      : html`<form id="folder" method="post" action="${BULK}" data-busy="${t('Sending …')}">
<fieldset><legend>${t('From where')}</legend>${usable.map((place, at) => choice(place, at === 0, reader))}</fieldset>
<p><label for="below">${t('Only this folder on it (may be empty)')}</label><input id="below" name="below" maxlength="1000" autocomplete="off" spellcheck="false"></p>
<p><label for="folder-category">${t('Category (may be empty)')}</label><input id="folder-category" name="category" maxlength="100" autocomplete="off"></p>
<p><button class="primary">${t('Take it in')}</button></p></form>`
  return html`<section class="add" aria-labelledby="stick"><h2 id="stick">${t('A stick or a folder')}</h2>
<p class="quiet">${t('Every document in it and in the folders below is copied; what is on the stick stays as it is. Sticks are looked for in /media, /run/media and /mnt, and one called LOOKOUT by itself; other folders are named in the settings.')}</p>
<div id="places">${form}${others.length === 0 ? null : html`<ul class="entries">${others.map((place) => unusable(place, reader))}</ul>`}</div></section>
`
}

function choice(place: Place, checked: boolean, reader: KnowledgeReader): Html {
  return html`<label class="place"><input type="radio" name="place" value="${place.path}"${checked ? html` checked` : null}> <span><b>${place.label || html`<code>${place.path}</code>`}</b> <small>${about(place, reader)}</small></span></label>`
}

/** Its path, how large it is, and what is free on it. */
function about({ path, label, size, free, removable }: Place, { t, language }: KnowledgeReader): string {
  const room =
    size === null || free === null
      ? ''
      : t('{size}, {free} free', { size: bytesText(size, language), free: bytesText(free, language) })
  return [label === '' ? '' : path, removable ? t('stick') : '', room].filter((text) => text !== '').join(' · ')
}

function unusable({ path, label, reason }: Place, { t }: KnowledgeReader): Html {
  return html`<li><p><b>${label || (path === '' ? t('A stick') : html`<code>${path}</code>`)}</b> ${label === '' || path === '' ? null : html`<small><code>${path}</code></small> `}<strong class="state bad">${t('cannot be read')}</strong></p>${reason === null ? null : html`<p class="reason">${t.reason(reason)}</p>`}</li>
`
}

function line({ id, what, state, hash, duplicateOf, reason }: BulkEntry, { t }: Pick<KnowledgeReader, 't'>): Html {
  const shown = state === 'taken' ? hash : duplicateOf
  const link =
    shown === null
      ? null
      : html` <a href="${documentPath(shown)}">${state === 'taken' ? t('The document') : t('The document that is here already')}</a>`
  return html`<li data-key="entry-${id}"><p class="path">${shorten(what, 300)}</p>
<p>${entryMark(state, t)}${link}${reason === null ? null : html` <span class="reason">${t.reason(reason)}</span>`}</p></li>
`
}

export const bulkPages = (services: Services): Route[] => [
  get('/knowledge/bulk', {
    about: 'Many documents at once: a list of addresses, a stick or a folder, each as one job with its progress.',
    query: bulkPageQuery,
    handle: readBulkPage(services)
  }),
  get('/knowledge/bulk/:id', {
    about: 'One list or folder: what became of each address or file.',
    query: bulkEntriesPageQuery,
    handle: readBulkEntries(services)
  })
]
