import type { Services } from '../../api/services.ts'
import { canWrite } from '../../server/identity.ts'
import type { Handler } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { type Reader, readerOf } from '../frame/reader.ts'
import { tabLine } from '../knowledge/knowledge-frame.ts'

export const LIBRARY = '/library'
export const SCRAPER = '/library/scraper'

/** The reader of a page of the library. */
export interface LibraryReader extends Reader {
  mayWrite: boolean
  /** The host name they used, checked: links into the library server begin with it. */
  host: string | undefined
}

/** The content of a page of the library. */
export interface LibraryPage {
  title: string
  body: Content
  script?: string
  data?: unknown
}

type Call<Query> = Parameters<Handler<Query, undefined>>[0]

/** The pages of the library. Where the profile runs without, they say so. */
export function libraryHandler<Query>(
  { context }: Services,
  path: typeof LIBRARY | typeof SCRAPER,
  draw: (reader: LibraryReader, call: Call<Query>) => LibraryPage | Promise<LibraryPage>
): Handler<Query, undefined> {
  return async (call) => {
    await context.config.refresh()
    const { headers, identity } = call
    const mayWrite = context.mode === 'run' && canWrite(identity, context.config.current().http)
    const reader = { ...readerOf(context, { headers, identity }), mayWrite, host: headers.host }
    const isOn = path === SCRAPER ? context.scraper !== null : context.library !== null
    const drawn = isOn ? await draw(reader, call) : without(path, reader)
    const { title, body, ...rest } = drawn
    const reply = page(context, {
      title,
      path,
      headers,
      identity,
      ...rest,
      section: LIBRARY,
      style: 'pages/library/style.css',
      body: [tabs(path, reader), preview(reader), body]
    })
    return isOn ? reply : { ...reply, status: 404 }
  }
}

function without(path: string, { t }: Reader): LibraryPage {
  const said =
    path === SCRAPER
      ? t('This profile archives no web sites (subsystems.scraper).')
      : t('This profile runs without a library: no archives are read or served here (subsystems.library).')
  const body = html`<p>${said}</p>
<p><a href="/profile">${t('Profile')}</a></p>`
  return { title: path === SCRAPER ? t('Archive a site') : t('Library'), body }
}

function tabs(path: string, { context, t }: Reader): Html | null {
  if (context.library === null || context.scraper === null) return null
  return tabLine(t('Library'), path, [
    [LIBRARY, t('Archives')],
    [SCRAPER, t('Archive a site')]
  ])
}

function preview({ context, t }: Reader): Html | null {
  if (context.mode !== 'preview') return null
  return html`<p class="banner note">${t('This is a preview: the library is shown as it is, and nothing of it is changed.')}</p>`
}

/** The place of news that a screen reader tells by itself: a toast of what a form has just done, or why it was refused. */
export function noticePlace(said: Content): Html {
  return html`<div id="notice" class="notice">${said}</div>`
}

/** The way to sign in for somebody who wants to change something here; nothing for those who may. */
export function signInLine(reader: LibraryReader, path: string, why: string): Html | null {
  const { context, mayWrite, t } = reader
  if (mayWrite || context.mode === 'preview') return null
  return html`<p><a class="button" href="/sign-in?back=${encodeURIComponent(path)}">${t('Sign in')}</a> ${why}</p>`
}
