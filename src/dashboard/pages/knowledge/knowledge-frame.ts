import type { Services } from '../../api/services.ts'
import type { HttpContext } from '../../server/context.ts'
import { canWrite } from '../../server/identity.ts'
import type { KnowledgeContext } from '../../server/knowledge.ts'
import type { Answer } from '../../server/reply.ts'
import type { Call, Handler } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { type Reader, readerOf } from '../frame/reader.ts'

/** The reader of a page about documents, and the parts of the program it is drawn from. */
export interface KnowledgeReader extends Reader {
  knowledge: KnowledgeContext
  mayWrite: boolean
}

/** The content of a page about documents; the frame adds the ways between these pages. */
export interface KnowledgePage {
  /** In English, or the title of a document. */
  title: string
  path: string
  body: Content
  status?: number
  script?: string
  style?: string
  data?: unknown
}

/** The pages of knowledge. Where the profile runs without it, they say so. */
export function knowledgeHandler<Query, Body>(
  { context }: Services,
  draw: (reader: KnowledgeReader, call: Call<Query, Body>) => KnowledgePage | Answer | Promise<KnowledgePage | Answer>
): Handler<Query, Body> {
  return async (call) => {
    await context.config.refresh()
    const { knowledge } = context
    const reader = readerOf(context, call)
    if (knowledge === null) return framed(context, call, without(reader))
    const mayWrite = canWrite(call.identity, context.config.current().http)
    const drawn = await draw({ ...reader, knowledge, mayWrite }, call)
    return 'title' in drawn ? framed(context, call, { ...drawn, body: withTabs(drawn, reader, knowledge) }) : drawn
  }
}

function framed(context: HttpContext, { headers, identity }: Call<unknown, unknown>, drawn: KnowledgePage): Answer {
  const { status = 200, style = 'pages/knowledge/style.css', ...rest } = drawn
  const reply = page(context, {
    ...rest,
    headers,
    identity,
    ...(drawn.path === '/search' ? {} : { section: '/knowledge' }),
    style
  })
  return { ...reply, status }
}

function without({ t }: Reader): KnowledgePage {
  const body = html`<p>${t('This profile runs without knowledge: nothing is read, filed or searched here.')}</p>
<p><a href="/settings">${t('Settings')}</a></p>`
  return { title: t('Knowledge'), path: '/knowledge', status: 404, body }
}

function withTabs({ path, body }: KnowledgePage, { context, t }: Reader, { catalogue }: KnowledgeContext): Content {
  const waiting = catalogue.countReview()
  const tabs: readonly (readonly [string, Content])[] = [
    ['/knowledge', t('State')],
    ['/catalogue', t('Catalogue')],
    ['/knowledge/upload', t('Add documents')],
    ['/knowledge/review', [t('Decide'), waiting === 0 ? null : html` <b class="count">${waiting}</b>`]],
    ['/search', t('Search')]
  ]
  const preview =
    context.mode === 'preview'
      ? html`<p class="banner note">${t('This is a preview: files can be added, but stay pending: nothing is sorted or indexed until lookout start runs.')}</p>`
      : null
  // Many at once is a way of adding documents.
  const at = path === '/knowledge/bulk' ? '/knowledge/upload' : path
  return [tabLine(t('Knowledge'), at, tabs), preview, body]
}

/** The ways between pages of one part of the station. */
export function tabLine(label: string, path: string, tabs: readonly (readonly [string, Content])[]): Html {
  const links = tabs.map(
    ([href, name]) => html`<a href="${href}"${href === path ? html` aria-current="page"` : null}>${name}</a>`
  )
  return html`<nav class="tabs" aria-label="${label}">${links}</nav>`
}

/** A section with its heading; nothing when there is nothing in it. */
export function section(id: string, name: string, content: Content): Html | null {
  if (content === null) return null
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>${content}</section>
`
}
