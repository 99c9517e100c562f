import type { IncomingHttpHeaders } from 'node:http'
import type { HttpContext } from '../context.ts'
import { languageOf, type Translate, translator, wordsOf } from '../language.ts'
import { type Reply, text } from '../reply.ts'
import { type Content, Html, html } from './html.ts'
import { pageTime } from './times.ts'

interface Page {
  /** In English; shown in the language of the reader. */
  title: string
  /** Own path, for the mark in the navigation. */
  path: string
  body: Content
  /** Headers of the request: they say which language the reader wants. */
  headers?: IncomingHttpHeaders
  /** A module below `/static`: `pages/routing.js`. */
  script?: string
  /** A sheet below `/static` besides the common one. */
  style?: string
  /** What the script begins with, so that it need not ask: any JSON. */
  data?: unknown
  /** Loads itself again after this many seconds, without a script. */
  refreshSeconds?: number
  /** No navigation: for captive portals and print. */
  plain?: boolean
}

const NAVIGATION: readonly [string, string][] = [
  ['/', 'Overview'],
  ['/alerts', 'Alerts'],
  ['/events', 'Events'],
  ['/deliveries', 'Messages'],
  ['/mesh-a/routing', 'MT routing'],
  ['/mesh-b/routing', 'MC routing'],
  ['/coverage', 'Coverage'],
  ['/sources', 'Sources'],
  ['/radios', 'Radios'],
  ['/settings', 'Settings'],
  ['/docs/api', 'API']
]

/** What every page with a script loads: told at once, so that nothing waits for what imports it. */
const PRELOADED = ['vendor/ui.js', 'lib/i18n.js', 'lib/live.js', 'lib/api.js']

/** The one frame around every page: language, style, navigation, and what must be seen first wherever one is. */
export function page(context: HttpContext, given: Page): Reply {
  const { title, path, body, headers = {}, script, style, data, refreshSeconds, plain = false } = given
  const { name: station, timezone } = context.shownConfig().station
  const language = languageOf(headers)
  const t = translator(language)
  const words = wordsOf(language)
  const document = html`<!doctype html>
<html lang="${language}" data-zone="${timezone}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refreshSeconds === undefined ? null : html`<meta http-equiv="refresh" content="${refreshSeconds}">\n`}<title>${t(title)} · ${station}</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/style.css">
${style === undefined ? null : html`<link rel="stylesheet" href="/static/${style}">\n`}${script === undefined ? null : scripts(script)}</head>
<body${plain ? html` class="plain"` : null}>
<a class="skip" href="#main">${t('Skip to the content')}</a>
<header>
<p class="station">${station}</p>
${plain ? null : navigation(path, t)}
</header>
${banners(context, t)}
<main id="main" tabindex="-1">
<h1>${t(title)}</h1>
${body}
</main>
<footer><p>Lookout ${context.version} · ${t('as of')} ${pageTime(context, context.now())}</p></footer>
${data === undefined ? null : dataIsland('data', data)}${script === undefined || language === 'en' ? null : dataIsland('words', words)}</body>
</html>
`
  return text('text/html', document.text, { 'Content-Language': language, Vary: 'Accept-Language, Cookie' })
}

function scripts(script: string): Html {
  const preloads = PRELOADED.map((file) => html`<link rel="modulepreload" href="/static/${file}">\n`)
  return html`${preloads}<script type="module" src="/static/${script}"></script>\n`
}

/** JSON for a script of the page; a browser never runs it. `<` is written as JSON may, so that nothing in it ends the element. */
function dataIsland(id: string, data: unknown): Html {
  return new Html(
    `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>\n`
  )
}

function navigation(path: string, t: Translate): Html {
  const links = NAVIGATION.map(
    ([href, label]) =>
      html`<li><a href="${href}"${href === path ? html` aria-current="page"` : null}>${t(label)}</a></li>`
  )
  return html`<nav aria-label="${t('Pages')}"><ul>${links}</ul></nav>`
}

function banners(context: HttpContext, t: Translate): Html {
  const lines = bannerTexts(context).map(([kind, message]) => html`<p class="banner ${kind}">${t(message)}</p>\n`)
  return html`<div id="banners" role="status">${lines}</div>`
}

function bannerTexts(context: HttpContext): ['bad' | 'note', string][] {
  const { notifications } = context.shownConfig()
  const { stale, problem } = context.config.status()
  const demo = context.demo()
  const found: ['bad' | 'note', string][] = []
  if (stale) {
    const place = problem?.line == null ? '' : ` (line ${problem.line}, ${problem.path || 'the whole file'})`
    found.push(['bad', `config.json is not valid: the last good one is in force. ${problem?.message ?? ''}${place}`])
  }
  if (!notifications.enabled) found.push(['bad', 'Notifications are off: nothing is sent (notifications.enabled).'])
  if (context.mode === 'preview') found.push(['note', 'Preview: no radio is connected and nothing is sent.'])
  if (demo !== null) found.push(['note', demo.note])
  if (context.radios().some(({ simulated }) => simulated))
    found.push(['note', 'Simulated radios: messages do not go on the air.'])
  return found
}
