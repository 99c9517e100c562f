import * as v from 'valibot'
import { toast } from '../../../../web/shared/parts.js'
import { bytesText, number } from '../../../../web/shared/times.js'
import { MODEL_FILES } from '../../../knowledge/enrich/embed/model-files.ts'
import type { Services } from '../../api/services.ts'
import type { ModelsState, ModelView } from '../../server/models.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { loose } from '../frame/log-filters.ts'
import { type KnowledgeReader, knowledgeHandler, section } from '../knowledge/knowledge-frame.ts'
import { embeddingText } from '../knowledge/knowledge-means.ts'

const PATH = '/knowledge/models'

export const modelsPageQuery = v.object({ done: loose })

/** `GET /knowledge/models`: for the operator the models of meaning that are here, which is used, and a way to bring one. */
function readModelsPage(services: Services): Handler<v.InferOutput<typeof modelsPageQuery>, undefined> {
  return knowledgeHandler(services, async (reader, { query }) => {
    const { t, mayWrite, knowledge } = reader
    const title = t('Models of meaning')
    const style = 'pages/models/style.css'
    if (!mayWrite) return { title, path: PATH, body: toSignIn(reader), style }
    const state = await knowledge.models.state()
    const done: Readonly<Record<string, string>> = {
      use: t(
        'The model is in use. Everything is embedded again in the background; until then the search goes by words.'
      ),
      remove: t('It is removed.')
    }
    const moves = state.looking || pending(reader) > 0
    const body = html`${toast({ html }, done[query.done] ?? '')}
<p class="hint">${t('With a model of meaning the search finds what means the same, without a server: a question about the lift finds the elevator.')}</p>
<div id="content"${moves ? html` data-moves` : null}>${[inUse(reader, state), here(reader, state), halves(reader, state)]}</div>
${bring(reader)}`
    return { title, path: PATH, body, style, script: 'pages/models/script.js' }
  })
}

const toSignIn = ({ t }: KnowledgeReader): Html =>
  html`<p class="quiet">${t('The operator brings models of meaning here.')} <a href="/sign-in?back=${PATH}">${t('Sign in')}</a></p>`

/** Documents that wait for vectors, or get them now. */
const pending = ({ knowledge }: KnowledgeReader): number =>
  knowledge.jobs
    .counts()
    .reduce((sum, { kind, state, count }) => sum + (kind === 'embed' && state !== 'dead' ? count : 0), 0)

function inUse(reader: KnowledgeReader, { absent }: ModelsState): Content {
  const { t, language } = reader
  const waiting = pending(reader)
  return [
    html`<p>${t('Vectors are made by:')} <b>${embeddingText(reader)}</b></p>`,
    absent === null
      ? null
      : html`<p class="banner bad" role="alert">${t('The settings name the model {name}, which is not here: the search goes by words alone.', { name: absent })}</p>`,
    waiting === 0
      ? null
      : html`<p class="banner note" role="status">${t('Documents that wait for vectors: {count}.', { count: number(waiting, language) })} <a href="/knowledge">${t('How far it is')}</a></p>`
  ]
}

function here(reader: KnowledgeReader, { models }: ModelsState): Html | null {
  const { t } = reader
  return section(
    'models',
    t('Models that are here'),
    models.length === 0
      ? html`<p>${t('There is none yet.')}</p>`
      : html`<ul class="files-list">${models.map((model) => line(reader, model))}</ul>`
  )
}

function line(reader: KnowledgeReader, model: ModelView): Html {
  const { t, language } = reader
  const { name, bytes, facts, refused, inUse: used } = model
  const figures =
    facts === null
      ? null
      : html` <small>${t('{dims} dimensions, {words} words', { dims: number(facts.dims, language), words: number(facts.words, language) })}</small>`
  const remove = used ? null : button(name, { act: 'remove', words: t('Remove'), primary: false })
  const use = used || facts === null ? null : button(name, { act: 'use', words: t('Use it'), primary: true })
  return html`<li data-key="${name}"><p><span class="name">${name}</span> <small>${bytesText(bytes, language)}</small>${figures}</p>
<p>${standing(reader, model)}</p>${refused === null ? null : html`<p class="refusal">${t.reason(refused)}</p>`}
${use === null && remove === null ? null : html`<form method="post" action="${PATH}"><input type="hidden" name="name" value="${name}"><p class="act-line">${[use, ' ', remove]}</p></form>`}</li>
`
}

function standing({ t }: KnowledgeReader, { facts, refused, inUse: used }: ModelView): Content {
  return [
    used ? html`<strong class="state good">${t('in use')}</strong> ` : null,
    refused === null ? null : html`<strong class="state bad">${t('cannot be used')}</strong>`,
    facts === null && refused === null ? html`<span class="state waiting">${t('is being opened')}</span>` : null,
    facts !== null && !used ? html`<span class="state off">${t('not in use')}</span>` : null
  ]
}

interface Act {
  act: 'use' | 'remove'
  words: string
  primary: boolean
}

function button(name: string, { act, words, primary }: Act): Html {
  return html`<button type="submit" name="do" value="${act}"${primary ? html` class="primary"` : null}>${words}<span class="hidden">: ${name}</span></button>`
}

function halves(reader: KnowledgeReader, state: ModelsState): Html | null {
  const { t } = reader
  if (state.halves.length === 0) return null
  const isHere = (name: string): boolean => state.models.some((model) => model.name === name)
  const lines = state.halves.map(
    ({ name, missing }) => html`<li data-key="${name}"><p><span class="name">${name}</span></p>
<p>${t('Still to come: {files}', { files: missing.join(', ') })}</p>
${isHere(name) ? null : html`<form method="post" action="${PATH}"><input type="hidden" name="name" value="${name}"><p class="act-line">${button(name, { act: 'remove', words: t('Remove'), primary: false })}</p></form>`}</li>
`
  )
  return section('halves', t('Not whole yet'), [
    html`<p class="quiet">${t('What nobody goes on with is forgotten after a day.')}</p>`,
    html`<ul class="files-list">${lines}</ul>`
  ])
}

function bring({ t }: KnowledgeReader): Html {
  return html`<section class="add" aria-labelledby="bring"><h2 id="bring">${t('Bring a model')}</h2>
<p class="quiet">${t('A model is two files, {files}: static token embeddings as model2vec makes them, such as potion-base-8M (about 30 MB). Choose both together, or one after the other.', { files: MODEL_FILES.join(', ') })}</p>
<p class="quiet">${t('Both are opened here before they are taken. A model of the same name is replaced then.')}</p>
<p><label for="name">${t('Name of the model')}</label><input id="name" required maxlength="100" pattern="[\\p{L}\\p{N}][\\p{L}\\p{N}._\\-]*" placeholder="potion-base-8M" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="name-hint"></p>
<p class="hint" id="name-hint">${t('Letters, digits, dots, hyphens and underscores; it begins with a letter or a digit.')}</p>
<div id="uploader"><noscript><p>${t('The upload needs JavaScript. Without it, copy the folder into models/ of the data folder.')}</p></noscript></div></section>`
}

export const modelsPage = (services: Services): Route =>
  get(PATH, {
    about: 'For the operator: the models of meaning that are here, which one is used, and the upload of another.',
    query: modelsPageQuery,
    handle: readModelsPage(services)
  })
