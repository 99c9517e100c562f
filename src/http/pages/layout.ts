import type { HttpContext } from '../context.ts'
import { type Reply, text } from '../reply.ts'
import { type Content, type Html, html } from './html.ts'
import { pageTime } from './times.ts'

interface Page {
  title: string
  /** Own path, for the mark in the navigation. */
  path: string
  body: Content
  /** A module of `/static`. */
  script?: string
  /** Loads itself again after this many seconds, without a script. */
  refreshSeconds?: number
  /** No navigation: for captive portals and print. */
  plain?: boolean
}

const NAVIGATION: readonly [string, string][] = [
  ['/', 'Overview'],
  ['/alerts', 'Alerts'],
  ['/mesh-a/routing', 'MT routing'],
  ['/mesh-b/routing', 'MC routing'],
  ['/docs/api', 'API']
]

/** The one frame around every page: language, style, navigation, and what must be seen first wherever one is. */
export function page(context: HttpContext, { title, path, body, script, refreshSeconds, plain = false }: Page): Reply {
  const station = context.shownConfig().station.name
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refreshSeconds === undefined ? null : html`<meta http-equiv="refresh" content="${refreshSeconds}">\n`}<title>${title} · ${station}</title>
<link rel="stylesheet" href="/static/style.css">
${script === undefined ? null : html`<script type="module" src="/static/${script}"></script>\n`}</head>
<body${plain ? html` class="plain"` : null}>
<header>
<p class="station">${station}</p>
${plain ? null : navigation(path)}
</header>
${banners(context)}
<main id="main">
<h1>${title}</h1>
${body}
</main>
<footer><p>Lookout ${context.version} · as of ${pageTime(context, context.now())}</p></footer>
</body>
</html>
`
  return text('text/html', document.text)
}

function navigation(path: string): Html {
  const links = NAVIGATION.map(
    ([href, label]) => html`<li><a href="${href}"${href === path ? html` aria-current="page"` : null}>${label}</a></li>`
  )
  return html`<nav aria-label="Pages"><ul>${links}</ul></nav>`
}

function banners(context: HttpContext): Html {
  const lines = bannerTexts(context).map(([kind, message]) => html`<p class="banner ${kind}">${message}</p>\n`)
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
