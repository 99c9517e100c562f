// One question, answered from the library by a language model, with citations that open.
import { send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { Problem, refusalOf } from '/static/log/problem.js'
import { html, render, signal } from '/static/vendor/ui.js'

/** @typedef {import('../../../knowledge/search/service.ts').AskAnswer} AskAnswer */

/** Marks in an answer: `[2]`. */
const MARK = /\[(\d{1,2})\]/

/**
 * @param {Element} root
 * @param {string} question
 */
export function showAsk(root, question) {
  const busy = signal(false)
  const answer = signal(/** @type {AskAnswer | null} */ (null))
  const refusal = signal(/** @type {import('/static/log/problem.js').Refusal | null} */ (null))

  const ask = async () => {
    if (busy.peek()) return
    busy.value = true
    refusal.value = null
    try {
      answer.value = (await send('/api/ask', { question })).body
    } catch (error) {
      refusal.value = refusalOf(error)
    } finally {
      busy.value = false
    }
  }

  function Ask() {
    const given = answer.value
    return html`${given === null ? html`<p><button type="button" disabled=${busy.value} onClick=${ask}>${busy.value ? t('Reading …') : t('Answer this from the documents')}</button></p>` : null}
      <${Problem} refusal=${refusal.value} />
      <div role="status">${given === null ? null : html`<${Answer} given=${given} />`}</div>`
  }
  render(html`<${Ask} />`, root)
}

/** @param {{ given: AskAnswer }} props */
function Answer({ given }) {
  const { answer, confidence, reason, model, citations, excerpt, nearest, passages } = given
  const quoted = passages.find(({ n }) => n === excerpt?.n)
  if (answer === null && quoted !== undefined)
    return html`<${Quote} excerpt=${excerpt} confidence=${confidence} citation=${quoted.citation} />
      <p class="quiet">${excerpt?.to_read === true ? t('The answer likely stands here, perhaps beside figures of something else. Read which one is of what you asked.') : t('These are the words of the document. Check what you act on.')}</p>`
  const near = passages.find(({ n }) => n === nearest?.n)
  if (answer === null)
    return html`<p class="banner note">${t('No answer:')} ${reason ?? ''}</p>
      ${near === undefined ? null : html`<${Nearest} nearest=${nearest} citation=${near.citation} />`}`
  const parts = answer.split(/(\[\d{1,2}\])/)
  return html`<section class="answer" aria-labelledby="answer"><h2 id="answer">${t('Answer')} <small>${CONFIDENCE[confidence]()}</small></h2>
    <p class="prose">${parts.map((part) => marked(part, citations))}</p>
    <ol>${citations.map(({ n, text, url }) => html`<li id=${`cited-${n}`} value=${n}><a href=${url}>${text}</a></li>`)}</ol>
    <p class="quiet">${t('Written by {model} from these passages. Check what you act on.', { model: model ?? t('a language model') })}</p></section>`
}

/** How sure the station is, in a word. */
const CONFIDENCE = {
  found: () => t('found'),
  perhaps: () => t('perhaps'),
  not_found: () => t('not found')
}

/** @param {{ excerpt: NonNullable<AskAnswer['excerpt']>, confidence: AskAnswer['confidence'], citation: { text: string, url: string } }} props */
function Quote({ excerpt, confidence, citation }) {
  return html`<section class="answer" aria-labelledby="answer"><h2 id="answer">${t('From the documents')} <small>${CONFIDENCE[confidence]()}</small></h2>
    <blockquote class="prose">${excerpt.heading === undefined ? null : html`<strong>${excerpt.heading}</strong><br />`}${excerpt.text}</blockquote>
    <p class="cited"><a href=${citation.url}>${citation.text}</a></p></section>`
}

/** @param {{ nearest: NonNullable<AskAnswer['nearest']>, citation: { text: string, url: string } }} props */
function Nearest({ nearest, citation }) {
  return html`<section class="answer" aria-labelledby="answer"><h2 id="answer">${t('Nearest passage')} <small>${t('not an answer')}</small></h2>
    <blockquote class="prose">${nearest.heading === undefined ? null : html`<strong>${nearest.heading}</strong><br />`}${nearest.text}</blockquote>
    <p class="cited"><a href=${citation.url}>${citation.text}</a></p></section>
    <p class="quiet">${t('It may be about something else. Read it in its place before you act on it.')}</p>`
}

/**
 * @param {string} part
 * @param {AskAnswer['citations']} citations
 */
function marked(part, citations) {
  const n = Number(MARK.exec(part)?.[1] ?? 0)
  const cited = citations.find((one) => one.n === n)
  return cited === undefined ? part : html`<a href=${cited.url} title=${cited.text}>${part}</a>`
}
