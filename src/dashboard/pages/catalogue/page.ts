import * as v from 'valibot'
import { number } from '../../../../web/shared/times.js'
import { BADGES, DOMAINS, type Document, UNSORTED } from '../../../knowledge/catalogue/document.ts'
import { badgeOf, type ListQuery } from '../../../knowledge/catalogue/listing.ts'
import { DOCUMENT_STATES } from '../../../knowledge/catalogue/states.ts'
import type { Services } from '../../api/services.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { documentPath } from '../frame/links.ts'
import { address, choice, cursorOf, filterForm, loose, oneOf, pager, words } from '../frame/log-filters.ts'
import { shorten } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import { type KnowledgeReader, knowledgeHandler } from '../knowledge/knowledge-frame.ts'
import {
  badgeMark,
  itemsText,
  languageName,
  nameOf,
  pagesText,
  statusMark,
  statusNames
} from '../knowledge/knowledge-words.ts'

const PER_PAGE = 50
/** A filter that is no state: whatever somebody should decide about. */
const REVIEW = 'review'

export const cataloguePageQuery = v.object({
  text: loose,
  status: loose,
  badge: loose,
  domain: loose,
  category: loose,
  cursor: loose
})

type Asked = Omit<ListQuery, 'cursor' | 'limit' | 'sourceId' | 'review'>

/** `GET /catalogue`: every document, newest first, with filters. Complete without a script. */
function readCataloguePage(services: Services): Handler<v.InferOutput<typeof cataloguePageQuery>, undefined> {
  return knowledgeHandler(services, (reader, { query }) => {
    const { knowledge, t } = reader
    const review = query.status === REVIEW
    const asked: Asked = {
      text: query.text === '' ? undefined : query.text,
      status: oneOf(DOCUMENT_STATES, query.status),
      badge: oneOf(BADGES, query.badge),
      domain: oneOf([...DOMAINS, UNSORTED], query.domain),
      category: query.category === '' ? undefined : query.category
    }
    const kept = { ...asked, status: review ? REVIEW : asked.status }
    const isSet = Object.values(kept).some((value) => value !== undefined)
    const cursor = cursorOf(query.cursor)
    const { documents, next } = knowledge.catalogue.list({
      ...asked,
      cursor,
      limit: PER_PAGE,
      review: review ? true : undefined
    })
    const newest = cursor === undefined ? null : address('/catalogue', kept)
    const older = next === null ? null : address('/catalogue', { ...kept, cursor: next })
    const body = [
      filterForm('/catalogue', fields(kept, reader), { t, isSet }),
      html`<div id="content">${documents.length === 0 ? nothing(reader, isSet) : table(documents, reader)}</div>`,
      pager({ newest, older }, t)
    ]
    return { title: t('Catalogue'), path: '/catalogue', body, script: 'pages/catalogue/script.js' }
  })
}

function nothing({ t }: KnowledgeReader, isSet: boolean): Html {
  if (isSet) return html`<p>${t('No document matches.')}</p>`
  return html`<p>${t('No documents yet.')} <a href="/knowledge/upload">${t('Add documents')}</a></p>`
}

function fields(kept: Omit<Asked, 'status'> & { status: string | undefined }, reader: KnowledgeReader): Content {
  const { t, knowledge } = reader
  const statuses = statusNames(t)
  const categories = knowledge.catalogue.categories().map(({ name }) => name)
  const { category = '' } = kept
  const known = category === '' || categories.includes(category) ? categories : [category, ...categories]
  return [
    words({ name: 'text', label: t('Title, author or file'), value: kept.text ?? '' }),
    choice({
      name: 'status',
      label: t('State'),
      chosen: kept.status ?? '',
      any: t('all'),
      options: [
        [REVIEW, t('Somebody should decide')],
        ...DOCUMENT_STATES.map((name) => [name, statuses[name]] as const)
      ]
    }),
    choice({
      name: 'badge',
      label: t('Kind'),
      chosen: kept.badge ?? '',
      any: t('all'),
      options: BADGES.map((badge) => [badge, t(badge)])
    }),
    choice({
      name: 'domain',
      label: t('Domain'),
      chosen: kept.domain ?? '',
      any: t('all'),
      options: [UNSORTED, ...DOMAINS].map((domain) => [domain, t.term(domain)])
    }),
    known.length === 0
      ? null
      : choice({
          name: 'category',
          label: t('Category'),
          chosen: category,
          any: t('all'),
          options: known.map((name) => [name, name])
        })
  ]
}

function table(documents: readonly Document[], reader: KnowledgeReader): Html {
  const { t } = reader
  const heads: [string, string][] = [
    ['', t('Document')],
    ['', t('State')],
    ['', t('Domain')],
    ['number', t('Pages')],
    ['number', t('Items')],
    ['', t('Language')],
    ['', t('Added')]
  ]
  return html`<div class="log documents"><table role="table"><caption class="hidden">${t('Documents, newest first')}</caption>
<thead role="rowgroup"><tr role="row">${heads.map(([kind, head]) => html`<th scope="col" role="columnheader" class="${kind}">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${documents.map((document) => row(document, reader))}</tbody></table></div>`
}

function row(document: Document, reader: KnowledgeReader): Html {
  const { context, language, t } = reader
  const { hash, kind, author, year, status, review, domain, pageCount, itemCount, createdAt } = document
  const about = [author, year, document.category].filter((text) => text !== '')
  const counted = (count: number, said: string): Html =>
    html`<td role="cell" class="short number${count === 0 ? ' zero' : ''}"><span class="bare">${number(count, language)}</span><span class="said">${said}</span></td>`
  return html`<tr role="row" data-key="${hash}">
<th role="rowheader" scope="row" class="title">${badgeMark(badgeOf(kind), t)} <a href="${documentPath(hash)}">${shorten(nameOf(document), 160)}</a>${review === null ? null : html` <a class="decide" href="${documentPath(hash)}#review">${t('decide')}</a>`}
${about.length === 0 ? null : html`<small class="about">${shorten(about.join(' · '), 160)}</small>`}</th>
<td role="cell" class="short">${statusMark(status, t)}</td>
<td role="cell" class="short">${domain === UNSORTED ? html`<span class="quiet">${t(domain)}</span>` : t.term(domain)}</td>
${counted(pageCount, pagesText(pageCount, reader))}
${counted(itemCount, itemsText(itemCount, reader))}
<td role="cell" class="short">${languageName(document.language, language, t)}</td>
<td role="cell" class="at short">${agoTime(context, createdAt, language)}</td></tr>
`
}

export const cataloguePage = (services: Services): Route =>
  get('/catalogue', {
    about: 'Documents with badges and states; filters as a GET form.',
    query: cataloguePageQuery,
    handle: readCataloguePage(services)
  })
