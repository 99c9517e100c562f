import * as v from 'valibot'
import { number } from '../../../../web/shared/times.js'
import { BADGES, DOMAINS, UNSORTED } from '../../../knowledge/catalogue/document.ts'
import type { FoundPassage, SearchAnswer, SearchResult } from '../../../knowledge/search/service.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Services } from '../../api/services.ts'
import { wikiUrlFor } from '../../server/library.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { documentPath } from '../frame/links.ts'
import { address, choice, loose, oneOf } from '../frame/log-filters.ts'
import { type KnowledgeReader, knowledgeHandler } from '../knowledge/knowledge-frame.ts'
import { badgeMark, languageName } from '../knowledge/knowledge-words.ts'

const PER_PAGE = 20
/** Further down nobody looks, and the search would rank for nothing. */
const MOST_OFFSET = 1000

export const searchPageQuery = v.object({ q: loose, badge: loose, domain: loose, document: loose, offset: loose })

interface Asked {
  q: string
  badge: (typeof BADGES)[number] | undefined
  domain: string | undefined
  /** The hash of the one document that is searched. */
  document: string | undefined
  offset: number
}

/** `GET /search`: a question, its answers with citations that open. Complete without a script. */
function readSearchPage(services: Services): Handler<v.InferOutput<typeof searchPageQuery>, undefined> {
  return knowledgeHandler(services, async (reader, { query, headers }) => {
    const asked: Asked = {
      q: query.q,
      badge: oneOf(BADGES, query.badge),
      domain: oneOf([...DOMAINS, UNSORTED], query.domain),
      document: /^[0-9a-f]{64}$/.test(query.document) ? query.document : undefined,
      offset: /^\d{1,4}$/.test(query.offset) ? Math.min(Number(query.offset), MOST_OFFSET) : 0
    }
    const body = [
      searchForm(asked, reader),
      html`<div id="ask"></div>`,
      asked.q === '' ? beginning(reader) : await results(asked, reader, headers.host)
    ]
    const data = { q: asked.q }
    return { title: reader.t('Search'), path: '/search', body, script: 'pages/search/script.js', data }
  })
}

function searchForm({ q, badge, domain }: Asked, { t }: KnowledgeReader): Html {
  return html`<form class="search" action="/search" method="get" role="search">
<p class="ask-line"><label for="q" class="hidden">${t('What do you look for?')}</label><input id="q" name="q" type="search" value="${q}" maxlength="256" placeholder="${t('What do you look for?')}" enterkeyhint="search"> <button class="primary">${t('Search')}</button></p>
<details class="filters"${badge !== undefined || domain !== undefined ? html` open` : null}><summary>${t('Filter')}</summary><div class="fields">${choice(
    {
      name: 'badge',
      label: t('Kind'),
      chosen: badge ?? '',
      any: t('all'),
      options: BADGES.map((name) => [name, t(name)])
    }
  )}${choice({
    name: 'domain',
    label: t('Domain'),
    chosen: domain ?? '',
    any: t('all'),
    options: [UNSORTED, ...DOMAINS].map((name) => [name, t.term(name)])
  })}</div></details></form>`
}

function searchable({ knowledge }: KnowledgeReader): number {
  const { complete, enriched, embedding } = knowledge.catalogue.counts()
  return complete + enriched + embedding
}

const isEmpty = (reader: KnowledgeReader): boolean => searchable(reader) === 0

function beginning(reader: KnowledgeReader): Html {
  const { t, language } = reader
  const count = searchable(reader)
  if (count === 0)
    return html`<p>${t('Nothing can be searched yet.')} <a href="/knowledge/upload">${t('Add documents')}</a></p>`
  return html`<p class="quiet">${t('Documents that can be searched: {count}. Ask in words, or in a whole sentence.', { count: number(count, language) })}</p>`
}

async function results(asked: Asked, reader: KnowledgeReader, host: string | undefined): Promise<Content> {
  const { knowledge, context, t } = reader
  const { q, badge, domain, document, offset } = asked
  try {
    const answer = await knowledge.search.query({
      q,
      limit: PER_PAGE,
      offset,
      ...wikiUrlFor(context, host),
      ...(badge === undefined ? {} : { badge }),
      ...(domain === undefined ? {} : { domain }),
      ...(document === undefined ? {} : { document })
    })
    return [summary(answer, asked, reader), list(answer, asked, reader)]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return html`<p class="banner bad" role="alert">${t('The search does not answer:')} ${t.reason(error.reason)}</p>
<p><a class="button" href="${address('/search', { q, badge, domain })}">${t('Try again')}</a></p>`
  }
}

/** The number of results, and how they were looked for. */
function summary(
  { count, mode, reason, corrected }: SearchAnswer,
  { document, ...asked }: Asked,
  { context, t, language }: KnowledgeReader
): Content {
  const isSemantic = context.config.current().knowledge.embedding.provider !== 'hash'
  const how =
    mode === 'hybrid'
      ? isSemantic
        ? t('by words and by meaning')
        : t('by words and by similar spelling')
      : reason === undefined
        ? t('by words alone')
        : t('by words alone: {reason}', { reason: t.reason(reason) })
  const found =
    count === 0
      ? t('Nothing was found')
      : document !== undefined
        ? t('{count} passages of one document', { count: number(count, language) })
        : count === 1
          ? t('1 document')
          : t('{count} documents', { count: number(count, language) })
  return [
    html`<p class="found" role="status"><strong>${found}</strong> <span class="quiet">· ${how}</span>${document === undefined ? null : html` <a href="${address('/search', { q: asked.q, badge: asked.badge, domain: asked.domain })}">${t('Search all documents')}</a>`}</p>`,
    corrected === undefined
      ? null
      : html`<p class="banner note">${t('Searched instead:')} <strong>${corrected}</strong></p>`
  ]
}

function list(answer: SearchAnswer, asked: Asked, reader: KnowledgeReader): Content {
  const { t } = reader
  const { q, badge, domain, document, offset } = asked
  if (answer.results.length === 0 && isEmpty(reader)) return beginning(reader)
  if (answer.results.length === 0)
    return html`<p>${t('Try other or fewer words.')}${badge !== undefined || domain !== undefined ? html` <a href="${address('/search', { q })}">${t('Search without the filter')}</a>` : null}</p>`
  const link = (to: number): string =>
    address('/search', { q, badge, domain, document, offset: to === 0 ? undefined : to })
  const before = offset === 0 ? null : link(Math.max(0, offset - PER_PAGE))
  const after = offset + PER_PAGE >= answer.count || offset >= MOST_OFFSET ? null : link(offset + PER_PAGE)
  return [
    html`<ol class="results" start="${offset + 1}">${answer.results.map((found) => result(found, q, reader))}</ol>`,
    before === null && after === null
      ? null
      : html`<nav class="pager" aria-label="${t('More')}">${before === null ? null : html`<a class="button" rel="prev" href="${before}">${t('Better ones')}</a>`}${after === null ? null : html`<a class="button" rel="next" href="${after}">${t('More')}</a>`}</nav>`
  ]
}

function result(found: SearchResult, q: string, reader: KnowledgeReader): Html {
  const { t, language } = reader
  const { hash, title, badge, domain, citation, page } = found
  // The origin may be out of reach of this network; its text is always here.
  const here = documentPath(hash, { page, q })
  const cited = citation.url.startsWith('/documents/') ? here : citation.url
  const about = [domain === UNSORTED ? '' : t.term(domain), languageName(found.language, language, t)].filter(
    (text) => text !== ''
  )
  return html`<li data-key="${hash}"><h2>${badgeMark(badge, t)} <a href="${here}">${title}</a></h2>
<p class="snippet">${snippet(found)}</p>
<p class="cited"><a href="${cited}">${citation.text}</a>${about.length === 0 ? null : html` <span class="quiet">· ${about.join(' · ')}</span>`}</p>${further(found, q, reader)}</li>
`
}

/** The next best passages of a document, and the way to all others. */
function further({ hash, passages, more }: SearchResult, q: string, { t }: KnowledgeReader): Content {
  const others = passages.slice(1)
  if (others.length === 0) return null
  return html`<ul class="further">${others.map(
    (one) =>
      html`<li><a href="${documentPath(hash, { page: one.page, q })}">${t('p. {page}', { page: one.page })}</a> <span class="snippet">${snippet(one)}</span></li>`
  )}</ul>${more ? html`<p><a href="${address('/search', { q, document: hash })}">${t('More from this document')}</a></p>` : null}`
}

/** The passage with the words of the question marked, as the search says where they are. */
function snippet({ snippet: text, matches }: FoundPassage): Content {
  const parts: Content[] = []
  let at = 0
  for (const [from, to] of matches) {
    if (from < at || to > text.length) continue
    parts.push(text.slice(at, from), html`<mark>${text.slice(from, to)}</mark>`)
    at = to
  }
  return [parts, text.slice(at)]
}

export const searchPage = (services: Services): Route =>
  get('/search', {
    about: 'Search with citations (`?q=`), filters, and questions where a language model is configured.',
    query: searchPageQuery,
    handle: readSearchPage(services)
  })
