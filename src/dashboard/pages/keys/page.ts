import { keyCard } from '../../../../web/shared/key-card.js'
import type { KeyRow } from '../../../knowledge/keys/key-store.ts'
import { addressOf, PROVIDER_NAMES, PROVIDERS, type Provider } from '../../../knowledge/keys/providers.ts'
import type { Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Services } from '../../api/services.ts'
import type { HttpContext } from '../../server/context.ts'
import { canWrite } from '../../server/identity.ts'
import { redirect } from '../../server/reply.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { penOf } from '../frame/pen.ts'
import { type Reader, readerOf } from '../frame/reader.ts'

/** `GET /settings/keys`: which keys there are and how each fares; adding and changing needs a script, and the operator. */
function readKeysPage({ context }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    await context.config.refresh()
    const reader = readerOf(context, { headers, identity })
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
    const data: KeysData = {
      keys: keys.map((row) => ({ ...row, reason: row.reason === null ? null : reader.t.reason(row.reason) })),
      providers: PROVIDERS.map((id) => ({ id, name: PROVIDER_NAMES[id], host: hostOf(context, id) }))
    }
    return page(context, {
      title: reader.t('API keys'),
      path: '/settings/keys',
      body,
      headers,
      identity,
      style: 'pages/keys/style.css',
      ...(editable ? { script: 'pages/keys/script.js', data } : {})
    })
  }
}

/** The data that the script of the page begins with, as `GET /api/keys` tells it later: a reason is a sentence. */
export interface KeysData {
  keys: SaidKeyRow[]
  providers: { id: string; name: string; host: string | null }[]
}

export type SaidKeyRow = Omit<KeyRow, 'reason'> & { reason: string | null }

async function rowsOf({ keys }: HttpContext): Promise<{ keys: KeyRow[]; problem: Reason | null }> {
  if (keys === null) return { keys: [], problem: null }
  try {
    return { keys: await keys.store.list(), problem: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { keys: [], problem: error.reason }
  }
}

/** Tells whether anything asks for a key at all. */
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
  const { context, language, t } = reader
  const pen = penOf(context, language)
  const cards = keys.map((row) =>
    keyCard(pen, {
      row,
      name: PROVIDER_NAMES[row.provider],
      host: hostOf(context, row.provider),
      why: row.reason === null ? null : t.reason(row.reason)
    })
  )
  return html`<noscript><p class="live">${t('Adding and changing needs a browser with scripts. The keys stand in keys.env.')}</p></noscript>
<div id="editor"><div>${keys.length === 0 ? html`<p>${t('There are no keys yet.')}</p>` : html`<ul class="cards plain keys">${cards}</ul>`}</div></div>
`
}

function hostOf({ config }: HttpContext, provider: Provider): string | null {
  const address = addressOf(provider, config.current().knowledge)
  return address !== null && URL.canParse(address) ? new URL(address).host : null
}

export const keysPages = (services: Services): Route[] => [
  get('/settings/keys', {
    about:
      'Keys of language models and embedding servers, masked; for the operator. With a script added, replaced, tested, removed.',
    handle: readKeysPage(services)
  }),
  get('/keys', { about: 'Redirects (302) to `/settings/keys`.', handle: () => redirect('/settings/keys') })
]
