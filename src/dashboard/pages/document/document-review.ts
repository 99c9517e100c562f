import { bytesText, number } from '../../../../web/shared/times.js'
import { DOMAINS, type Document, UNSORTED } from '../../../knowledge/catalogue/document.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { documentPath } from '../frame/links.ts'
import { agoTime } from '../frame/times.ts'
import type { KnowledgeReader } from '../knowledge/knowledge-frame.ts'
import { nameOf, statusMark } from '../knowledge/knowledge-words.ts'

/**
 * The decision that somebody must make about a document: where it belongs, or whether it is a copy. Null when nothing
 * is open.
 */
export function reviewBox(document: Document, reader: KnowledgeReader, back = ''): Html | null {
  const { review, id } = document
  const { t, knowledge } = reader
  if (review === null || knowledge.catalogue.isBeingRemoved(id)) return null
  const name = review.duplicate_of === null ? t('Where does it belong?') : t('Is it a copy?')
  return html`<section class="review" aria-labelledby="review-${id}"><h2 id="review-${id}">${name}</h2>
<p>${t.reason(review.reason)}</p>
${review.duplicate_of === null ? domainForm(document, reader, back) : copyForm(document, review.duplicate_of, { reader, back })}</section>
`
}

/** The candidates as one press each; every other domain below. */
export function domainForm({ hash, review, domain }: Document, { t, mayWrite }: KnowledgeReader, back = ''): Html {
  const candidates = review?.candidates ?? []
  if (!mayWrite) return signInHint(hash, t('to decide where it belongs.'), t('Sign in'))
  const presses = candidates.map((name) => html`<button name="domain" value="${name}">${t.term(name)}</button> `)
  const options = DOMAINS.map(
    (name) => html`<option value="${name}"${name === domain ? html` selected` : null}>${t(name)}</option>`
  )
  const field = `domain-${hash.slice(0, 12)}`
  const kept = [hidden('do', 'domain'), hidden('back', back)]
  return html`${presses.length === 0 ? null : html`<form class="presses" method="post" action="/documents/${hash}">${kept}${presses}</form>`}
<form class="line-form" method="post" action="/documents/${hash}">${kept}<label for="${field}">${presses.length === 0 ? t('Domain') : t('Another one')}</label> <select id="${field}" name="domain">${domain === UNSORTED ? html`<option value="" selected>${t('choose')}</option>` : null}${options}</select> <button>${t('File it there')}</button></form>`
}

function hidden(name: string, value: string): Html | null {
  return value === '' ? null : html`<input type="hidden" name="${name}" value="${value}">`
}

function copyForm(
  document: Document,
  otherHash: string,
  { reader, back }: { reader: KnowledgeReader; back: string }
): Html {
  const { t, knowledge, mayWrite } = reader
  const other = knowledge.catalogue.byHash(otherHash)
  if (other === null)
    return html`<p>${t('The document it was a copy of is gone.')}</p>${mayWrite ? decisions(document, [['keep', t('Keep it'), '', 'primary']], back) : null}`
  const choices: readonly Choice[] = [
    ['keep', t('Keep both'), t('This one is read and indexed too.'), 'primary'],
    ['replace', t('Replace'), t('This one is indexed; the older one is deleted with everything of it.'), ''],
    ['discard', t('Discard'), t('This one is deleted; the older one stays.'), 'danger']
  ]
  return html`${comparison(document, other, reader)}
${mayWrite ? decisions(document, choices, back) : signInHint(document.hash, t('to decide.'), t('Sign in'))}`
}

type Choice = readonly ['keep' | 'replace' | 'discard', string, string, string]

function decisions({ hash }: Document, choices: readonly Choice[], back: string): Html {
  const button = ([what, name, then, look]: Choice): Html =>
    html`<p><button class="${look}" name="do" value="${what}">${name}</button> <span>${then}</span></p>
`
  return html`<form class="decisions" method="post" action="/documents/${hash}">${hidden('back', back)}${choices.map(button)}</form>`
}

/** Both documents side by side; what differs is marked by a word, not by colour alone. */
function comparison(mine: Document, other: Document, { context, language, t }: KnowledgeReader): Html {
  const facts: readonly [string, (document: Document) => Content, ((document: Document) => string) | null][] = [
    [t('Title'), ({ title }) => title, ({ title }) => title],
    [t('Author'), ({ author }) => author, ({ author }) => author],
    [t('Edition'), ({ edition }) => edition, ({ edition }) => edition],
    [t('Year'), ({ year }) => year, ({ year }) => year],
    [t('File'), ({ filename }) => filename, ({ filename }) => filename],
    [t('Size'), ({ sizeBytes }) => bytesText(sizeBytes, language), ({ sizeBytes }) => String(sizeBytes)],
    [t('Pages'), ({ pageCount }) => (pageCount === 0 ? t('not read yet') : number(pageCount, language)), null],
    [t('State'), ({ status }) => statusMark(status, t), null],
    [t('Added'), ({ createdAt }) => agoTime(context, createdAt, language), null]
  ]
  const rows = facts.map(([name, shown, compared]) => {
    const differs = compared !== null && compared(mine) !== compared(other)
    return html`<tr role="row"><th role="rowheader" scope="row">${name}${differs ? html` <small class="differs">${t('differs')}</small>` : null}</th><td role="cell">${dash(shown(mine))}</td><td role="cell">${dash(shown(other))}</td></tr>
`
  })
  const link = (document: Document): Html => html`<a href="${documentPath(document.hash)}">${nameOf(document)}</a>`
  return html`<table class="compare" role="table"><caption class="hidden">${t('Both documents')}</caption><thead role="rowgroup"><tr role="row"><td role="cell"></td><th role="columnheader" scope="col">${t('New:')} ${link(mine)}</th><th role="columnheader" scope="col">${t('Here already:')} ${link(other)}</th></tr></thead><tbody role="rowgroup">${rows}</tbody></table>`
}

function dash(shown: Content): Content {
  return shown === '' ? '–' : shown
}

/** For whoever may only read. */
export function signInHint(hash: string, text: string, signIn: string): Html {
  return html`<p><a class="button" href="/sign-in?back=${encodeURIComponent(documentPath(hash))}">${signIn}</a> ${text}</p>`
}
