import type { Catalogue } from '../../../knowledge/catalogue/catalogue.ts'
import type { Document } from '../../../knowledge/catalogue/document.ts'
import type { PassagePlace } from '../../../knowledge/search/codes.ts'
import type { Services } from '../../api/services.ts'
import { knowledgeOf } from '../../server/knowledge.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { proseOf } from '../document/document-text.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { documentPath } from '../frame/links.ts'
import { type Reader, readerOf, shorten } from '../frame/reader.ts'

/** A passage is short; the page of a text file may hold a whole book. Characters. */
const MOST_TEXT = 8000

/** `GET /k/:code`: the passage a station has named over the radio, in plain HTML for whatever is at hand on the hotspot. */
function readPassagePage({ context }: Services): Handler<unknown, undefined> {
  return ({ params, headers, identity }) => {
    const { catalogue, codes } = knowledgeOf(context)
    const reader = readerOf(context, { headers, identity })
    const code = params['code'] ?? ''
    const place = codes.resolve(code)
    const document = place === null ? null : catalogue.byId(place.documentId)
    const found = place === null || document === null ? null : { place, document, passage: passageOf(catalogue, place) }
    const drawn = page(context, {
      path: `/k/${encodeURIComponent(code)}`,
      section: '/search',
      headers,
      identity,
      plain: true,
      style: 'pages/events/style.css',
      title:
        found === null
          ? reader.t('This code opens nothing')
          : shorten(found.document.title || found.document.filename, 200),
      body: found === null ? nothing(reader) : shown(found, reader)
    })
    return found === null ? { ...drawn, status: 404 } : drawn
  }
}

interface Passage {
  text: string
  /** Not of the document itself. */
  byModel: boolean
}

/** The passage itself; when it is gone, because the document was read again, the page it stood on. */
function passageOf(catalogue: Catalogue, { documentId, page: number, itemId }: PassagePlace): Passage {
  const item = itemId === null ? null : catalogue.item(itemId)
  if (item !== null && item.documentId === documentId) return { text: item.content, byModel: item.origin === 'llm' }
  return { text: catalogue.page(documentId, number)?.text ?? '', byModel: false }
}

function nothing({ t }: Reader): Html {
  return html`<p>${t('No passage has this code, or not any more: codes are good for 7 days. Look at the letters again, or search for what you need.')}</p>
<p><a class="button primary" href="/search">${t('Search the library')}</a></p>`
}

function shown(
  { place, document, passage }: { place: PassagePlace; document: Document; passage: Passage },
  { t }: Reader
): Html {
  const { author, year, pageCount, hash } = document
  const facts = [
    ...[author, year].filter((part) => part !== ''),
    ...(pageCount > 1 ? [t('page {number}', { number: place.page })] : []),
    ...(passage.byModel ? [t('written by a language model')] : [])
  ]
  const prose = proseOf(passage.text.slice(0, MOST_TEXT), new Set())
  return html`<p>${facts.join(' · ')}</p>
<article>${prose.length === 0 ? html`<p>${t('There is no text on this page.')}</p>` : prose}</article>
<p class="noprint"><a class="button primary" href="${documentPath(hash, { page: place.page })}">${t('The whole page')}</a> <a class="button" href="/search">${t('Search the library')}</a></p>`
}

export const passagePage = (services: Services): Route =>
  get('/k/:code', {
    about: 'The passage behind a code that was told over the radio, for 7 days: plain HTML without a script.',
    handle: readPassagePage(services)
  })
