import { bytesText, number } from '../../../../web/shared/times.js'
import type { Document } from '../../../knowledge/catalogue/document.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { type KnowledgeReader, section } from '../knowledge/knowledge-frame.ts'
import { itemsText, pagesText } from '../knowledge/knowledge-words.ts'
import { domainForm, signInHint } from './document-review.ts'

/** The actions on a document: plain forms, so that it works without a script. */
export function actionSection(document: Document, reader: KnowledgeReader): Html | null {
  const { t, mayWrite, knowledge } = reader
  const { hash, path } = document
  if (knowledge.catalogue.isBeingRemoved(document.id)) return null
  const original =
    path === null
      ? null
      : html`<p><a class="button" href="/api/documents/${hash}/original" download>${t('Download the original')}</a></p>`
  const acts = mayWrite
    ? [document.review === null ? moveAct(document, reader) : null, removeAct(document, reader)]
    : signInHint(hash, t('to change or delete this document.'), t('Sign in'))
  return html`<div class="noprint">${section('actions', t('Actions'), [original, acts])}</div>`
}

function moveAct(document: Document, reader: KnowledgeReader): Html {
  return html`<details class="act"><summary>${reader.t('Change the domain')} …</summary>${domainForm(document, reader)}</details>`
}

/** Says what goes before it goes. */
function removeAct(document: Document, reader: KnowledgeReader): Html {
  const { language, t } = reader
  const { hash, path, sizeBytes, pageCount, itemCount, vectorCount } = document
  const what: Content[] = [
    path === null ? null : html`<li>${t('the original file ({size})', { size: bytesText(sizeBytes, language) })}</li>`,
    html`<li>${t('its text: {pages}', { pages: pagesText(pageCount, reader) })}</li>`,
    html`<li>${t('{items} with their vectors ({vectors}): it is not found any more', { items: itemsText(itemCount, reader), vectors: number(vectorCount, language) })}</li>`,
    html`<li>${t('its place in the catalogue, with everything that was decided about it')}</li>`,
    html`<li>${t('codes sent by radio that open a passage of it')}</li>`
  ]
  return html`<details class="act" id="delete"><summary>${t('Delete')} …</summary><form method="post" action="/documents/${hash}">
<p>${t('This cannot be undone. Deleted are:')}</p><ul>${what}</ul>
<p class="quiet">${t('The same file may be uploaded again later.')}</p>
<p><button class="danger" name="do" value="delete">${t('Delete everything of it')}</button></p></form></details>`
}

/** Trying again, beside the reason why it stopped. */
export function retryForm(
  { hash, status }: Pick<Document, 'hash' | 'status'>,
  { t, mayWrite }: KnowledgeReader
): Content {
  if (!mayWrite || (status !== 'failed' && status !== 'skipped')) return null
  return html`<form method="post" action="/documents/${hash}"><button name="do" value="retry">${status === 'failed' ? t('Try again') : t('Look at it again')}</button></form>`
}
