import type { IncomingHttpHeaders } from 'node:http'
import type { Language } from '../../../model/words/languages.ts'
import type { Readiness } from '../../../warning/readiness/problem.ts'
import { askerOf } from '../../server/asker.ts'
import type { HttpContext, RadioStatus } from '../../server/context.ts'
import { canWrite, type Identity } from '../../server/identity.ts'
import { type Reply, text } from '../../server/reply.ts'
import { colorSchemeOf, themeOf } from '../../server/theme.ts'
import { languageOf, type Translate, translator, wordsAddress } from '../../words/language.ts'
import { banners } from './banners.ts'
import { type Content, Html, html } from './html.ts'
import { icon, sprite } from './icons.ts'
import { menu, tabs } from './navigation.ts'
import { displayMenu, languageForm } from './preferences.ts'
import { hasSettings, notesOn, notesSection, settingNotes } from './setting-notes.ts'
import { dayTime, pageTime } from './times.ts'
import { trouble } from './trouble.ts'

interface Page {
  /** As it is shown: in the language of the reader, or the words of somebody else. */
  title: string
  /** Own path, for the mark in the navigation. */
  path: string
  /** The entry of the navigation it belongs to, where its path does not say so. */
  section?: string
  body: Content
  /** Headers of the request: they say which language and which theme the reader wants. */
  headers?: IncomingHttpHeaders
  /** The page of settings it is, where its path does not say so: `/settings/http`. */
  settings?: string
  /** The reader: named in the head, beside the way to sign in. */
  identity?: Identity
  /** A module below `/static`: `pages/routing/script.js`. */
  script?: string
  /** The script brings what it needs by itself once the page is painted, and says nothing the server has not said. */
  light?: boolean
  /** A sheet below `/static` besides the common one; it imports what it shares with other pages. */
  style?: string
  /** The data that the script begins with, so that it need not ask: any JSON. */
  data?: unknown
  /** Loads itself again after this many seconds, without a script: by the header `Refresh`, and where that is lost by markup. */
  refreshSeconds?: number
  /** The address of the page without a fragment, of one that links lead into: at `/backup#back` a browser would find the fragment again and load nothing. */
  refreshAt?: string
  /** Found once for the whole page, where the page speaks of it too. */
  readiness?: () => Readiness
  /** The same of the radios. */
  radios?: () => readonly RadioStatus[]
  /** The moment of which it tells; without it, now. Epoch milliseconds. */
  asOf?: number
  /** No navigation: for captive portals and print. */
  plain?: boolean
  /** Nothing on it grows old: it needs neither a script that says so nor a place for its words. */
  timeless?: boolean
}

/** A watch tower's sign, inside of the page: no request, and none for a favicon.ico that is not there. */
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0b57a4"/><path d="M16 6 5 25h22z" fill="#fff"/><circle cx="16" cy="18" r="3" fill="#0b57a4"/></svg>')}`

/** The modules that every page with a script loads where nothing is bundled: told at once, so that nothing waits for what imports them. */
const PRELOADED = ['vendor/ui.js', 'lib/i18n.js', 'lib/live.js', 'lib/api.js', 'lib/time.js']

/** Of a page without a script of its own: it too has to say when the station is not heard any more. */
const SHELL = 'lib/shell.js'

/** The one frame around every page: language, style, navigation, and what must be seen first wherever one is. */
export function page(context: HttpContext, given: Page): Reply {
  const { title, path, body, headers = {}, refreshSeconds, refreshAt, plain = false, asOf = context.now() } = given
  const { name: station, timezone, time_format } = context.shownConfig().station
  const language = languageOf(headers)
  const theme = themeOf(headers)
  const t = translator(language)
  const words = given.script === undefined || given.light ? null : wordsAddress(language)
  const document = html`<!doctype html>
<html lang="${language}" data-zone="${timezone}" data-clock="${time_format}" data-theme="${theme}"${words === null ? null : html` data-words="${words}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${colorSchemeOf(theme)}">
${refreshSeconds === undefined ? null : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>\n`}<title>${title} · ${station}</title>
<link rel="icon" href="${ICON}">
${sheets(context, given)}${scripts(context, given, language)}</head>
<body${plain ? html` class="plain"` : null}>
<a class="skip" href="#main">${t('Skip to the content')}</a>
${plain ? null : sprite()}<header>
${plain ? html`<p class="station">${station}</p>` : head(context, given, { station, language, t })}
</header>
${plain ? null : menus(context, given, { station, language, t })}${banners(context, t, given)}
<main id="main" tabindex="-1">
<h1>${title}</h1>
${plain ? null : notes(context, given, { language, t })}${body}
</main>
<footer>${plain ? languageForm(language, path) : null}<p>Lookout ${context.version} · <a href="/profile">${t('Profile')} ${context.profile.name}</a> · ${t('as of')} <span id="as-of">${pageTime(context, asOf, language)}</span></p></footer>
${given.data === undefined ? null : dataIsland(given.data)}</body>
</html>
`
  return text('text/html', document.text, {
    'Content-Language': language,
    Vary: 'Accept-Language, Cookie',
    ...(refreshSeconds === undefined
      ? {}
      : { Refresh: `${refreshSeconds}${refreshAt === undefined ? '' : `; url=${refreshAt}`}` })
  })
}

function sheets({ bundles }: HttpContext, { style }: Page): Content {
  return bundles.sheets(style).map((address) => html`<link rel="stylesheet" href="${address}">\n`)
}

/** The warnings of `check-config` stand on the page where they are mended. */
function notes(
  context: HttpContext,
  { path, settings = path, headers = {}, identity = { kind: 'anonymous' } }: Page,
  { language, t }: Pick<Reader, 'language' | 't'>
): Content {
  const { isGuest } = askerOf(context, { headers, identity })
  if (isGuest || !hasSettings(settings)) return null
  return notesSection(notesOn(settings, settingNotes(context, { language, isGuest })), t)
}

/** A built script is alone and has its words in it. */
function scripts({ bundles }: HttpContext, given: Page, language: Language): Content {
  const { script = SHELL, plain = false, timeless = false, light = given.script === undefined } = given
  if ((plain || timeless) && given.script === undefined) return null
  const module = html`<script type="module" src="${bundles.script(script, language)}"></script>\n`
  if (light || bundles.folder !== null) return module
  const words = wordsAddress(language)
  return [
    PRELOADED.map((file) => html`<link rel="modulepreload" href="/static/${file}">\n`),
    words === null ? null : html`<link rel="preload" as="fetch" crossorigin href="${words}">\n`,
    module
  ]
}

/** JSON for a script of the page; a browser never runs it. `<` is written as JSON may, so that nothing in it ends the element. */
function dataIsland(data: unknown): Html {
  return new Html(
    `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>\n`
  )
}

interface Reader {
  station: string
  language: Language
  t: Translate
}

/** Always in sight: the name, what is wrong, whether the station is heard. */
function head(context: HttpContext, given: Page, { station, language, t }: Reader): Html {
  const {
    readiness = () => context.readiness(),
    headers = {},
    identity = { kind: 'anonymous' },
    asOf = context.now()
  } = given
  return html`<p class="station"><a href="/">${station}</a></p>
${trouble(readiness(), t, askerOf(context, { headers, identity }))}
${given.timeless ? null : html`<p id="connection" class="connection" role="status" data-live="${t('Live')}" data-lost="${t('Cut off')}" data-gone="${t('As of {time}: the connection to the station is lost. What is shown may not be so any more. This page tries again by itself.')}"></p>\n`}<time id="heard" class="heard">${dayTime(context, asOf, language)}</time>`
}

/** The pages and the display: both open without a script. */
function menus(
  context: HttpContext,
  { path, section = path, headers = {}, identity }: Page,
  { language, t }: Reader
): Html {
  const shown = { path, section }
  const who = sessionLine(context, identity ?? { kind: 'anonymous' }, { t, path })
  return html`<nav class="menus" aria-label="${t('Pages')}">
<details class="menu pages"><summary>${icon('menu')}<span>${t('Menu')}</span></summary>
<div class="sheet">${menu(context, t, shown)}<p class="who">${who}</p></div></details>
${displayMenu({ language, theme: themeOf(headers), path, t })}
</nav>
${tabs(context, t, shown)}
`
}

/** The line in the head of every page: who is signed in, or where to do it. Always a link to `/sign-in`. */
function sessionLine(
  context: Pick<HttpContext, 'config'>,
  identity: Identity,
  { t, path }: { t: Translate; path: string }
): Html {
  const back = path === '/' || path === '/sign-in' ? '' : `?back=${encodeURIComponent(path)}`
  const link = (text: string) => html`<a class="session" href="/sign-in${back}">${text}</a>`
  if (identity.kind === 'anonymous' || identity.kind === 'refused') return link(t('Sign in'))
  if (identity.kind === 'loopback') return link(t('This machine: operator'))
  if (identity.kind === 'session') return link(t('Signed in: operator'))
  const { name } = identity
  return link(
    canWrite(identity, context.config.current().http)
      ? t('Signed in: {name}', { name })
      : t('Signed in: {name} (reads only)', { name })
  )
}
