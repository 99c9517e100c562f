import type { IncomingHttpHeaders } from 'node:http'
import { isIPv6 } from 'node:net'
import { toast } from '../../../../web/shared/parts.js'
import { LEAST_PASSPHRASE, type SessionState } from '../../../platform/sessions/session-store.ts'
import type { HttpContext } from '../../server/context.ts'
import { readAuthority } from '../../server/hosts.ts'
import type { HttpsState } from '../../server/https-port.ts'
import { canWrite, type Identity } from '../../server/identity.ts'
import type { Reply } from '../../server/reply.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'

export interface SignInView {
  identity: Identity
  headers: IncomingHttpHeaders
  trustedProxy: boolean
  state: SessionState
  /** The claim code of the last start lies on the boot partition too. */
  onCard: boolean
  /** The page to go to then: a path of this station. */
  back: string
  /** The passphrase would cross the network readable by whoever listens. */
  inClear: boolean
  /** The fault of the last try. */
  error?: string
  /** As it was typed. */
  code?: string
  /** The passphrase was changed just now. */
  done?: boolean
}

/** `GET /sign-in`, and the answer to a try that failed. Plain forms: it works without a script. */
export function signInPage(context: HttpContext, view: SignInView): Reply {
  const t = translator(languageOf(view.headers))
  const body = html`<div class="sign-in form">${notices(context.https(), view, t)}${whoIsThere(context, view, t)}${forms(view, t)}${httpsPart(context, view, t)}</div>`
  const { headers, identity } = view
  return page(context, {
    title: t('Sign in'),
    path: '/sign-in',
    body,
    headers,
    identity,
    style: 'pages/sign-in/style.css',
    script: 'pages/sign-in/script.js',
    light: true,
    timeless: true
  })
}

function notices(https: HttpsState, view: SignInView, t: Translate): Content {
  const { error, done, state, identity } = view
  return [
    view.inClear && identity.kind !== 'idp' ? clearNote(https, view, t) : null,
    error === undefined ? null : html`<p class="banner bad" role="alert">${error}</p>`,
    done ? toast({ html }, t('The passphrase is changed. Every other session has ended.'), 'good') : null,
    state.problem === null
      ? null
      : html`<p class="banner bad">${t('The file session.json cannot be used, so nobody is signed in. Run this on the station; it shows a new claim code:')} <code>lookout token claim</code></p>`
  ]
}

/** Over HTTP the way to HTTPS, where there is one. */
function clearNote(https: HttpsState, { headers, back }: SignInView, t: Translate): Html {
  const note = t('This connection is not encrypted: whoever is in reach of the Wi-Fi may read the passphrase.')
  const host = readAuthority(headers.host ?? '')?.name ?? null
  if (https.state !== 'on' || host === null)
    return html`<p class="banner note" role="note">${note} ${t('Sign in over a network you trust, with a cable, or at the station itself.')}</p>`
  const origin = `https://${isIPv6(host) ? `[${host}]` : host}:${https.port}`
  const address = `${origin}/sign-in?${new URLSearchParams({ back })}`
  return html`<div class="banner note" role="note"><p>${note} <a href="${address}">${t('Sign in encrypted:')} ${origin}</a></p>
<p>${t('The browser says that it does not know the certificate of this station. It is the right one if its fingerprint (SHA-256) is the one that the log of the station and this command show:')} <code>lookout doctor</code></p></div>`
}

/** The fingerprint that a browser shows is held against this; a failure is told to those who can mend it. */
function httpsPart({ https, config }: HttpContext, { identity }: SignInView, t: Translate): Html | null {
  const state = https()
  const mayMend = canWrite(identity, config.current().http)
  if (state.state === 'failed')
    return mayMend
      ? html`<section aria-labelledby="https"><h2 id="https">HTTPS</h2><p class="banner bad">${t('Nobody answers by HTTPS:')} ${t.reason(state.reason)}</p></section>`
      : null
  if (state.state !== 'on') return null
  const { port, certificate, problem } = state
  const until = new Date(certificate.validTo).toISOString().slice(0, 10)
  return html`<section aria-labelledby="https"><h2 id="https">HTTPS</h2>
${problem === null || !mayMend ? null : html`<p class="banner bad">${t('The certificate could not be renewed:')} ${t.reason(problem)}</p>`}
<p>${t('Port {port}, certificate valid until {date}. Fingerprint (SHA-256):', { port, date: until })}</p><p><code>${certificate.fingerprint}</code></p></section>`
}

function whoIsThere(context: HttpContext, { identity, trustedProxy }: SignInView, t: Translate): Html {
  if (identity.kind === 'session') return html`<p>${t('You are signed in as the operator of this station.')}</p>`
  if (identity.kind === 'loopback')
    return html`<p>${t('You are at the station itself: requests from this machine count as the operator, without signing in. Other devices need the passphrase.')}</p>`
  if (identity.kind === 'idp' || identity.kind === 'token') {
    const { name } = identity
    const may = canWrite(identity, context.config.current().http)
    return html`<p>${may ? t('You are signed in as {name}.', { name }) : t('You are signed in as {name}, who may read but not change anything here.', { name })}</p>`
  }
  if (trustedProxy)
    return html`<p>${t('Sign in through the identity provider in front of this station; then come back.')}</p>`
  return html`<p>${t('Everybody may read. Changing anything needs the operator.')}</p>${atTheMachine(context, t)}`
}

/** The rights of whoever sits at the machine itself, where they are not what one may expect. */
function atTheMachine({ local, config }: HttpContext, t: Translate): Html | null {
  const state = local.state(config.current().http)
  if (state === 'off')
    return html`<p class="hint">${t('Sitting at the machine itself is no right here (http.local_operator is false): scripts on it use the secret in the file local.token of the data folder.')}</p>`
  if (state === 'proxy_seen')
    return html`<p class="banner bad">${t('A request from this machine came through a proxy ({sign}): until the next start, sitting at the machine itself is no right. Name the proxy in http.trusted_proxies, or set http.local_operator to false.', { sign: local.proxySign ?? '' })}</p>`
  return null
}

function forms(view: SignInView, t: Translate): Content {
  const { identity, trustedProxy, state } = view
  if (trustedProxy || identity.kind === 'idp') return null
  if (identity.kind === 'session') return [signOutForm(view, t), changeForm(t)]
  if (!state.claimed) return claimForm(view, t)
  return [passphraseForm(view, t), state.renewable ? codeForm(view, t) : null, forgotten(t)]
}

/** Password managers ask for a name; there is only one. */
const NAME = html`<input type="text" name="username" value="operator" autocomplete="username" hidden>`

function claimForm({ back, code = '', state, onCard }: SignInView, t: Translate): Html {
  const where = state.offered
    ? t(
        'The station shows the code in its log when it starts; only the newest one counts. For a new one, run this on the station:'
      )
    : t('There is no claim code at present. Run this on the station; it shows one:')
  return html`<section aria-labelledby="claim"><h2 id="claim">${t('Claim this station')}</h2>
<p>${t('Nobody has chosen the passphrase of this station yet. Choose it with the claim code.')} ${where} <code>lookout token claim</code></p>${
    onCard
      ? html`<p>${t('The code of the last start also stands in the file lookout-claim.txt on the boot partition of the card, which every computer can read.')}</p>`
      : null
  }
<form method="post" action="/sign-in">${NAME}<input type="hidden" name="back" value="${back}">
<p class="field"><label for="code">${t('Claim code')}</label><input id="code" name="code" value="${code}" required maxlength="32" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX"></p>
${newPassphrase(t)}<p><button type="submit" class="primary">${t('Claim and sign in')}</button></p></form></section>`
}

/** An admin was sent a code by radio: the passphrase there is holds until somebody uses it. */
function codeForm({ back, code = '' }: SignInView, t: Translate): Html {
  return html`<section aria-labelledby="renew"><h2 id="renew">${t('Choose a new passphrase')}</h2>
<p>${t('An admin asked for a code by radio. It is good for one new passphrase, which ends every session.')}</p>
<form method="post" action="/sign-in">${NAME}<input type="hidden" name="back" value="${back}">
<p class="field"><label for="code">${t('Code')}</label><input id="code" name="code" value="${code}" required maxlength="32" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX"></p>
${newPassphrase(t, 'renewed')}<p><button type="submit">${t('Choose it and sign in')}</button></p></form></section>`
}

function passphraseForm({ back }: SignInView, t: Translate): Html {
  return html`<form method="post" action="/sign-in">${NAME}<input type="hidden" name="back" value="${back}">
<p class="field"><label for="passphrase">${t('Passphrase')}</label><input id="passphrase" name="passphrase" type="password" required autocomplete="current-password"></p>
<p><button type="submit" class="primary">${t('Sign in')}</button></p></form>`
}

function signOutForm({ back }: SignInView, t: Translate): Html {
  return html`<form method="post" action="/sign-out"><input type="hidden" name="back" value="${back}">
<p><button type="submit">${t('Sign out')}</button></p></form>`
}

function changeForm(t: Translate): Html {
  return html`<section aria-labelledby="change"><h2 id="change">${t('Change the passphrase')}</h2>
<p>${t('Every other session ends.')}</p>
<form method="post" action="/sign-in/passphrase">${NAME}
<p class="field"><label for="current">${t('Present passphrase')}</label><input id="current" name="current" type="password" required autocomplete="current-password"></p>
${newPassphrase(t)}<p><button type="submit" class="primary">${t('Change it')}</button></p></form></section>`
}

function newPassphrase(t: Translate, id = 'passphrase'): Html {
  return html`<p class="field"><label for="${id}">${t('New passphrase')}</label><input id="${id}" name="passphrase" type="password" required minlength="${LEAST_PASSPHRASE}" autocomplete="new-password" aria-describedby="length">
<small id="length">${t('At least {count} characters; several words are best.', { count: LEAST_PASSPHRASE })}</small></p>
`
}

function forgotten(t: Translate): Html {
  return html`<p class="quiet">${t('Forgotten? Run this on the station; it ends every session and shows a new claim code:')} <code>lookout token claim --new</code></p>`
}
