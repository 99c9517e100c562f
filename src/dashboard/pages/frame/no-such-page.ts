import type { IncomingMessage } from 'node:http'
import { because } from '../../../model/reason.ts'
import type { Bundles } from '../../server/bundles.ts'
import { type Reply, text } from '../../server/reply.ts'
import { colorSchemeOf, themeOf } from '../../server/theme.ts'
import { languageOf, translator } from '../../words/language.ts'
import { html } from './html.ts'

/**
 * True for a person who opens an address in a browser, and for nothing else: every program gets the one JSON body of the contract (§1),
 * whatever types it accepts. Browsers say so by `Sec-Fetch-Dest`, over plain HTTP, as phones come, only by `Upgrade-Insecure-Requests`.
 */
export function opensPage({ method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || /^\/api(?:\/|$)/i.test(url)) return false
  const opens = headers['sec-fetch-dest'] === 'document' || headers['upgrade-insecure-requests'] === '1'
  return opens && (headers.accept ?? '').includes('text/html')
}

/**
 * The same 404 for every address without a handler (contract §11), as a page. It is answered before the host is checked: it tells nothing
 * of this station, not even its name.
 */
export function noSuchPage(bundles: Bundles, { headers }: Pick<IncomingMessage, 'headers'>): Reply {
  const language = languageOf(headers)
  const theme = themeOf(headers)
  const t = translator(language)
  const title = t('No such page')
  const document = html`<!doctype html>
<html lang="${language}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${colorSchemeOf(theme)}">
<title>${title} · Lookout</title>
<link rel="icon" href="data:,">
${bundles.sheets(undefined).map((address) => html`<link rel="stylesheet" href="${address}">\n`)}</head>
<body class="plain">
<header>
<p class="station">Lookout</p>
</header>
<main id="main">
<h1>${title}</h1>
<p>${t.reason(because('nothing_at_this_address'))}</p>
<p><a class="button primary" href="/">${t('Overview')}</a> <a class="button" href="/alerts">${t('Alerts')}</a></p>
</main>
</body>
</html>
`
  const shown = text('text/html', document.text, {
    'Content-Language': language,
    Vary: 'Accept, Accept-Language, Cookie'
  })
  return { ...shown, status: 404 }
}
