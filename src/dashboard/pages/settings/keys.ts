import type { KeyRow } from '../../../knowledge/keys/key-store.ts'
import { addressOf, PROVIDER_NAMES, PROVIDERS, type Provider } from '../../../knowledge/keys/providers.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Services } from '../../api/services.ts'
import type { HttpContext } from '../../server/context.ts'
import { canWrite } from '../../server/identity.ts'
import type { Handler } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { agoTime } from '../frame/times.ts'
import { type Reader, readerOf } from '../knowledge/reader.ts'

/** `GET /settings/keys`: which keys there are and how each fares; adding and changing needs a script, and the operator. */
export function readKeysPage({ context }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    await context.config.refresh()
    const reader = readerOf(context, headers)
    const mayRead = canWrite(identity, context.config.current().http)
    const { keys, problem } = mayRead ? await rowsOf(context) : { keys: [], problem: null }
    const body = [
      html`<p class="crumbs"><a href="/settings">${reader.t('All settings')}</a></p>`,
      html`<p>${reader.t('Keys open the servers of language models and embeddings. They stand in keys.env in the data folder, are never shown again, and changes count at once, for work that is under way too.')}</p>`,
      useNote(reader),
      problem === null ? null : html`<p class="banner bad" role="alert">${reader.t.reason(problem)}</p>`,
      context.keys === null ? null : mayRead ? editor(reader, keys) : signInFirst(reader)
    ]
    const editable = mayRead && context.keys !== null && problem === null
    const data = {
      keys,
      providers: PROVIDERS.map((id) => ({ id, name: PROVIDER_NAMES[id], host: hostOf(context, id) }))
    }
    return page(context, {
      ...{ title: reader.t('API keys'), path: '/settings/keys', body, headers, identity },
      style: ['pages/settings.css', 'pages/keys.css'],
      ...(editable ? { script: 'pages/keys.js', data } : {})
    })
  }
}

async function rowsOf({ keys }: HttpContext): Promise<{ keys: KeyRow[]; problem: string | null }> {
  if (keys === null) return { keys: [], problem: null }
  try {
    return { keys: await keys.store.list(), problem: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { keys: [], problem: error.message }
  }
}

/** Whether anything asks for a key at all. */
function useNote({ context, t }: Reader): Html | null {
  if (context.keys === null)
    return html`<p class="warning">${t('This profile runs without knowledge: nothing here uses keys.')}</p>`
  const { llm, embedding } = context.config.current().knowledge
  if (llm.provider !== 'none' || embedding.provider !== 'hash') return null
  return html`<p class="warning">${t('Nothing uses keys at present: no language model and no embedding server is chosen.')} <a href="/settings/knowledge">${t('Settings of knowledge')}</a></p>`
}

function signInFirst({ t }: Reader): Html {
  return html`<p>${t('Only the operator sees the keys.')} <a class="button primary" href="/sign-in?back=%2Fsettings%2Fkeys">${t('Sign in')}</a></p>`
}

function editor(reader: Reader, keys: readonly KeyRow[]): Html {
  const { t } = reader
  const cards = keys.map((row) => card(reader, row))
  return html`<div id="editor"><p class="live">${t('Adding and changing needs a browser with scripts. The keys stand in keys.env.')}</p>
${keys.length === 0 ? html`<p>${t('There are no keys yet.')}</p>` : html`<ul class="cards plain keys">${cards}</ul>`}</div>
`
}

function card(reader: Reader, row: KeyRow): Html {
  const { context, language, t } = reader
  const host = hostOf(context, row.provider)
  const time = (text: string | null): Content =>
    text === null ? t('never') : agoTime(context, Date.parse(text), language)
  return html`<li class="card"><h2><code>${row.masked}</code></h2><p class="kind">${t.term(PROVIDER_NAMES[row.provider])}${host === null ? null : html` · ${host}`} · ${t('{count} characters', { count: row.length })}</p>
<p>${stateMark(reader, row)}</p>
<dl class="facts of-key"><div><dt>${t('Calls')}</dt><dd>${row.calls}</dd></div><div><dt>${t('Errors')}</dt><dd>${row.errors}</dd></div><div><dt>${t('Last used')}</dt><dd>${time(row.last_used)}</dd></div>
<div><dt>${t('Last tested')}</dt><dd>${time(row.last_validated)}</dd></div></dl></li>
`
}

function stateMark({ context, language, t }: Reader, { state, reason, ready_at, valid }: KeyRow): Content {
  if (state === 'quarantined')
    return [html`<span class="state bad">${t('refused')}</span>`, reason === null ? null : `: ${t.reason(reason)}`]
  if (state === 'cooling' && ready_at !== null)
    return [
      html`<span class="state waiting">${t('over its limit')}</span> `,
      t('until'),
      ' ',
      agoTime(context, Date.parse(ready_at), language)
    ]
  if (valid === true) return html`<span class="state good">${t('works')}</span>`
  return html`<span class="state off">${t('not tested')}</span>`
}

function hostOf({ config }: HttpContext, provider: Provider): string | null {
  const address = addressOf(provider, config.current().knowledge)
  return address !== null && URL.canParse(address) ? new URL(address).host : null
}
