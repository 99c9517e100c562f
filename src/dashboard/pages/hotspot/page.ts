import { hotspotReason } from '../../../settings/hotspot-reason.ts'
import type { HotspotWish } from '../../../settings/hotspot-wish.ts'
import type { Services } from '../../api/services.ts'
import type { HttpContext } from '../../server/context.ts'
import type { HotspotState } from '../../server/hotspot.ts'
import { canWrite } from '../../server/identity.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'

/** Seconds after which a page with a change under way is loaded again. */
const REFRESH_SECONDS = 3

/** `GET /hotspot`: how the Wi-Fi of the station is; for the operator a form that switches it. Works without a script. */
function readHotspotPage({ context }: Services): Handler<unknown, undefined> {
  return ({ headers, identity }) => {
    const t = translator(languageOf(headers))
    const state = context.hotspot?.state() ?? null
    const mayChange = canWrite(identity, context.config.current().http)
    const body = state === null ? notHere(t) : [howItIs(t, state), mayChange ? change(context, t, state) : toSignIn(t)]
    return page(context, {
      title: t('Hotspot'),
      path: '/hotspot',
      body: html`${body}`,
      headers,
      identity,
      ...(state?.changing === true ? { refreshSeconds: REFRESH_SECONDS } : {})
    })
  }
}

const notHere = (t: Translate): Html =>
  html`<p>${t('Nothing on this machine switches a hotspot. The package for a Raspberry Pi brings it.')}</p>`

const toSignIn = (t: Translate): Html =>
  html`<p class="quiet">${t('The operator can change it.')} <a href="/sign-in?back=/hotspot">${t('Sign in')}</a></p>`

function howItIs(t: Translate, { state, changing, reason, ssid, address }: HotspotState): Content {
  if (changing)
    return html`<p class="banner note" role="status">${t('The hotspot is being switched. This page loads itself again.')}</p>`
  if (state === 'failed')
    return html`<p class="banner bad" role="alert">${t('The hotspot is off:')} ${t.reason(hotspotReason(reason ?? ''))}</p>`
  if (state === 'off') return html`<p>${t('The hotspot is off.')}</p>`
  return html`<p>${t('The hotspot is on. Phones that join {name} see the alerts at once; the addresses there are', { name: ssid })} <b>http://lookout.lan</b>, <b>http://lookout.local</b>, <b>http://${address}</b>.</p>
<p><a href="/field-card">${t('Field card')}</a>: ${t('one sheet to print for the people who listen')}</p>
<p>${t('Guests reach the pages of this station and nothing else: not each other, not the network behind it.')}</p>`
}

function change({ hotspot }: HttpContext, t: Translate, { state }: HotspotState): Html {
  const wish = hotspot?.wish() ?? null
  return html`<section class="form" aria-labelledby="change"><h2 id="change">${t('Change')}</h2>
<p class="hint">${t('If the station itself is connected by this Wi-Fi, that connection ends.')}</p>
<form method="post" action="/hotspot">${fields(t, wish)}
<p><button type="submit" name="do" value="on" class="primary">${state === 'on' ? t('Save') : t('Switch on')}</button>
${state === 'on' ? html`<button type="submit" name="do" value="off" formnovalidate>${t('Switch off')}</button>` : null}</p></form></section>`
}

function fields(t: Translate, wish: HotspotWish | null): Html {
  const known = wish !== null && wish.passphrase !== ''
  return html`<p class="field"><label for="ssid">${t('Name of the Wi-Fi')}</label><input id="ssid" name="ssid" value="${wish?.ssid ?? 'Lookout'}" required maxlength="32"></p>
<p class="field"><label for="passphrase">${t('Pass phrase')}</label><input id="passphrase" name="passphrase" autocomplete="off" spellcheck="false" autocapitalize="none" minlength="8" maxlength="63"${known ? null : html` required`} aria-describedby="form">
<small id="form">${known ? t('Empty: it stays as it is.') : t('At least 8 characters; several words are best.')}</small></p>
${known ? html`<details><summary>${t('Show the present pass phrase')}</summary><p><code>${wish.passphrase}</code></p></details>` : null}
<p class="field"><label for="country">${t('Country')}</label><input id="country" name="country" value="${wish?.country ?? ''}" maxlength="2" size="2" autocapitalize="characters" placeholder="US" aria-describedby="rules">
<small id="rules">${t('Two letters; radio rules differ by country.')}</small></p>
<p class="field"><label for="channel">${t('Channel')}</label><input id="channel" name="channel" type="number" min="1" max="11" value="${wish?.channel ?? 6}"></p>`
}

export const hotspotPage = (services: Services): Route =>
  get('/hotspot', {
    about: 'The Wi-Fi of the station: how it is, and for the operator a form that switches it.',
    handle: readHotspotPage(services)
  })
