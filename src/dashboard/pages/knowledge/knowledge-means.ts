import type { ToolReport } from '../../../knowledge/intake/tools.ts'
import { originOf } from '../../../settings/guest-view.ts'
import { factList } from '../document/document-facts.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { type KnowledgeReader, section } from './knowledge-frame.ts'
import { languageName } from './knowledge-words.ts'

/** The programs that read files of each kind here, and what would make it better. */
export function toolSection(tools: readonly ToolReport[], { t }: KnowledgeReader): Html {
  const quality = {
    full: html`<span class="state good">${t('complete')}</span>`,
    text: html`<span class="state waiting">${t('text only')}</span>`,
    none: html`<span class="state bad">${t('waits')}</span>`
  }
  const rows = tools.map(
    ({
      format,
      tool,
      quality: how,
      note,
      install
    }) => html`<tr role="row" data-key="${format}"><th role="rowheader" scope="row" class="short">${t.term(format)}</th><td role="cell" class="short">${quality[how]}</td><td role="cell" class="short">${tool === null ? t('nothing') : t.term(tool)}</td>
<td role="cell">${t.reason(note)}${install === null ? null : html` <code>${install}</code>`}</td></tr>
`
  )
  const heads = [t('File'), t('Reading'), t('With'), t('What happens')]
  return html`<section aria-labelledby="tools"><h2 id="tools">${t('Reading files')}</h2><div class="log"><table role="table">
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table></div></section>
`
}

/** Languages, items, vectors: what is in force, by its real name. */
export function meansSection(reader: KnowledgeReader): Html | null {
  const { t, knowledge, mayWrite } = reader
  const { detector, state, reason } = knowledge.detector()
  return section('means', t('Language, items and search'), [
    factList([
      [t('Language filter'), filterText(reader)],
      [
        t('Language detector'),
        [
          detector,
          state === 'missing'
            ? html` <span class="state bad">${t('does not work: everything is let through')}</span> ${reason === null ? null : t.reason(reason)}`
            : null
        ]
      ],
      [t('Items'), modelText(reader)],
      [t('Vectors'), embeddingText(reader)]
    ]),
    html`<p>${mayWrite ? html`<a href="/knowledge/models">${t('Models of meaning')}</a> ` : null}<a href="/settings/knowledge">${t('Settings')}</a></p>`
  ])
}

function filterText({ context, language, t }: KnowledgeReader): string {
  const { language_filter: isOn, allowed_languages: codes } = context.config.current().knowledge
  if (!isOn) return t('off: every language is read')
  return t('on: only {languages}', { languages: codes.map((code) => languageName(code, language, t)).join(', ') })
}

function modelText({ context, t }: KnowledgeReader): string {
  const { provider, model } = context.config.current().knowledge.llm
  if (provider === 'none') return t('passages of the text itself; no language model')
  return t('passages of the text itself, and what {model} writes of them', {
    model: model === '' ? provider : `${provider} ${model}`
  })
}

/** The embedding by its real name. */
export function embeddingText({ context, t, mayWrite }: KnowledgeReader): Content {
  const { provider, model, url } = context.config.current().knowledge.embedding
  if (provider === 'hash')
    return html`${t('built in (hash): no semantic model')}. <span class="quiet">${t('Similar spelling is found, not similar meaning.')}</span>`
  return [
    provider,
    model === '' ? '' : ` ${model}`,
    url === '' ? '' : html` <span class="quiet">${mayWrite ? url : (originOf(url) ?? '')}</span>`
  ]
}
