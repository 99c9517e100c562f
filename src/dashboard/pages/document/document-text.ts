import { number } from '../../../../web/shared/times.js'
import type { Document, Item, Page } from '../../../knowledge/catalogue/document.ts'
import type { Translate } from '../../words/language.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { documentPath } from '../frame/links.ts'
import { marked, stemsOf } from '../frame/marks.ts'
import { paragraphs } from '../frame/prose-text.ts'
import { shorten } from '../frame/reader.ts'
import type { KnowledgeReader } from '../knowledge/knowledge-frame.ts'

/** A page of a text file may hold a whole book; more than this is left out, and said so. Characters. */
const MOST_TEXT = 60_000
const MOST_ITEMS = 60

interface Asked {
  page: number
  /** Words to mark: those of the search that led here. */
  q: string
}

/** One page of the text, with the ways to the others and the items that were made of it. */
export function textSections(document: Document, asked: Asked, reader: KnowledgeReader): Content {
  const { knowledge, t } = reader
  if (document.pageCount === 0) return null
  const wanted = Math.min(Math.max(1, asked.page), document.pageCount)
  const found = knowledge.catalogue.page(document.id, wanted)
  const items = knowledge.catalogue.itemsOn(document.id, wanted, MOST_ITEMS)
  return [
    html`<section id="text" aria-labelledby="text-head"><h2 id="text-head">${t('Text')}</h2>
${pageTurner(document, { ...asked, page: wanted }, reader)}
${found === null ? html`<p>${t('This page was not read.')}</p>` : pageText(found, document, asked.q, reader)}
<div class="turn noprint">${turn(document, { ...asked, page: wanted }, -1, t)} ${turn(document, { ...asked, page: wanted }, 1, t)}</div></section>
`,
    itemSection(items, asked.q, reader)
  ]
}

/** Before, which page of how many, next; and a form that goes to any. */
function pageTurner(document: Document, asked: Asked, { language, t }: KnowledgeReader): Html {
  const { hash, pageCount } = document
  const { page, q } = asked
  return html`<nav class="turn noprint" aria-label="${t('Pages of the document')}">${turn(document, asked, -1, t)}
<form action="/documents/${hash}#text" method="get">${q === '' ? null : html`<input type="hidden" name="q" value="${q}">`}<label><span class="hidden">${t('Page')}</span> <input name="page" type="number" inputmode="numeric" min="1" max="${pageCount}" value="${page}"></label> <span>${t('of {count}', { count: number(pageCount, language) })}</span> <button>${t('Go')}</button></form>
${turn(document, asked, 1, t)}</nav>`
}

/** One page on or back; where there is none the place stays, so that nothing moves under a thumb. */
function turn({ hash, pageCount }: Document, { page, q }: Asked, by: 1 | -1, t: Translate): Html {
  const to = page + by
  const text = by === 1 ? t('Next page') : t('Page before')
  if (to < 1 || to > pageCount) return html`<span class="button gone" aria-disabled="true">${text}</span>`
  return html`<a class="button" rel="${by === 1 ? 'next' : 'prev'}" href="${documentPath(hash, { page: to, q })}">${text}</a>`
}

function pageText(found: Page, { kind }: Document, q: string, { t }: KnowledgeReader): Html {
  const stems = stemsOf(q)
  const text = found.text.slice(0, MOST_TEXT)
  const blocks = proseOf(text, stems)
  const from = kind === 'transcript' && found.startSeconds !== null ? clock(found.startSeconds) : null
  return html`<article class="sheet-of-text" id="p">
<h3>${t('Page {number}', { number: found.number })}${from === null ? null : html` <small>${t('from {time} on', { time: from })}</small>`}${found.method === 'tesseract' ? html` <small>${t('read from a picture (OCR): letters may be wrong')}</small>` : null}</h3>
${blocks.length === 0 ? html`<p class="quiet">${t('There is no text on this page.')}</p>` : blocks}${found.text.length > MOST_TEXT ? html`<p class="quiet">${t('The page goes on: the rest is in the original.')}</p>` : null}</article>`
}

/** Text as paragraphs, the words of a question marked. */
export function proseOf(text: string, stems: ReadonlySet<string>): Html[] {
  return paragraphs(text).map((part) =>
    part.isTable
      ? html`<p class="flow columns-text" tabindex="0">${marked(part.text, stems)}</p>\n`
      : html`<p class="flow">${marked(part.text, stems)}</p>\n`
  )
}

/** `1:02:03`, as players show it. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

function itemSection(items: readonly Item[], q: string, { t }: KnowledgeReader): Html | null {
  if (items.length === 0) return null
  const stems = stemsOf(q)
  const entries = items.map(({ title, summary, content, origin, firstPage, lastPage, details }) => {
    const pages =
      firstPage === lastPage
        ? t('page {number}', { number: firstPage })
        : t('pages {first} to {last}', { first: firstPage, last: lastPage })
    const words = details.keywords.slice(0, 8)
    return html`<li><details><summary>${shorten(title === '' ? content : title, 120)} <small>${pages}${origin === 'llm' ? html` · ${t('written by a language model')}` : null}</small></summary>
${summary === '' || summary === content ? null : html`<p><strong>${marked(summary, stems)}</strong></p>`}${proseOf(content, stems)}
${words.length === 0 ? null : html`<p class="quiet">${words.join(', ')}</p>`}</details></li>
`
  })
  return html`<section aria-labelledby="items"><h2 id="items">${t('Items of this page')}</h2>
<p class="quiet">${t('What the search finds and cites.')}</p><ul class="items">${entries}</ul></section>
`
}
