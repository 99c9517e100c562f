import { bytesText } from '../../../../web/shared/times.js'
import type { Services } from '../../api/services.ts'
import { canWrite } from '../../server/identity.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import type { FoundBundle, StagedBundle, UpdatePort, UpdateState } from '../../server/update.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { type Reader, readerOf } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'

/** Seconds after which a page with something under way is loaded again. */
const REFRESH_SECONDS = 3

/** `GET /update`: the release that runs, and for the operator what brings another one. */
function readUpdatePage({ context }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    const reader = readerOf(context, { headers, identity })
    const { t } = reader
    const { updates } = context
    const mayChange = updates !== null && canWrite(identity, context.config.current().http)
    const state = updates?.state() ?? null
    const isBusy = state !== null && state.busy !== null
    const body = [
      html`<p>${t('This station runs release')} <b>${context.version}</b>.</p>`,
      mayChange && state !== null ? await forOperator(reader, updates, state) : toSignIn(reader)
    ]
    return page(context, {
      title: t('Update'),
      path: '/update',
      body: html`${body}`,
      headers,
      identity,
      ...(isBusy ? { refreshSeconds: REFRESH_SECONDS } : {}),
      ...(mayChange && !isBusy && state?.way === 'page'
        ? { script: 'pages/update/script.js', style: 'pages/update/style.css' }
        : {})
    })
  }
}

const toSignIn = ({ t }: Reader): Html =>
  html`<p class="quiet">${t('The operator can bring another one here.')} <a href="/sign-in?back=/update">${t('Sign in')}</a></p>`

async function forOperator(reader: Reader, updates: UpdatePort, state: UpdateState): Promise<Content> {
  const { t } = reader
  if (state.busy !== null) return [lastTime(reader, state), underWay(reader, state)]
  if (state.way === 'package')
    return html`<p>${t('It was installed as a package of Debian. Bring it up to date with')} <code>sudo apt install ./lookout_VERSION_ARCH.deb</code></p>`
  if (state.way === 'by_hand') return byHand(reader)
  if (state.way === 'image') return newImage(reader)
  return [
    lastTime(reader, state),
    state.bundle === null ? null : bundleSection(reader, state.bundle),
    uploadSection(reader, state),
    stickSection(reader, await updates.find())
  ]
}

/** The program lies where nothing is ever written: docs/decisions/0052. */
const newImage = ({ t }: Reader): Html =>
  html`<p>${t('This station was written onto its card as an image. The program lies on a part of the card that is never written, so that no pulled plug can hurt it; therefore this page cannot bring another release. It comes as a newer image:')}</p>
<ol><li>${t('Make a backup and download it, or have one on a stick.')} <a href="/backup">${t('Backup')}</a></li>
<li>${t('Write the newer image onto a card, another one if you can: then the old card is the way back.')}</li>
<li>${t('Start the board with it and put the backup back: from the first steps, by a stick or by uploading the file.')}</li></ol>`

const byHand = ({ t, context }: Reader): Html =>
  html`<p>${t('Nothing on this machine installs a release from this page.')}</p>
<p>${
    context.isBundle
      ? t(
          'It runs from a bundle that was unpacked by hand. Unpack the newer one and run, as root, the install.sh in it.'
        )
      : t('It runs from a checkout. Stop it, fetch the newer sources, and start it again:')
  } ${context.isBundle ? html`<code>sudo ./install.sh</code>` : html`<code>git pull && npm ci && npm run build && npm start</code>`}</p>`

function underWay({ t }: Reader, { busy, bundle }: UpdateState): Html {
  const name = bundle?.name ?? ''
  const said = {
    copying: t('The bundle is being copied from the stick.'),
    checking: t('The bundle {name} is being checked. On a small board that takes a minute.', { name }),
    installing: t(
      'The release is being installed: signature, backup of the data, program, restart. That takes some minutes, and the station is away for a few seconds. Do not pull the plug.'
    )
  }[busy ?? 'checking']
  return html`<p class="banner note" role="status">${said} ${t('This page loads itself again.')}</p>`
}

function lastTime({ t, context, language }: Reader, { last }: UpdateState): Html | null {
  if (last === null) return null
  const { outcome, from, to, reason, at } = last
  const when = agoTime(context, at, language)
  if (outcome === 'updated')
    return html`<p class="banner good" role="status">${t('Release {to} was installed in place of {from}.', { to, from })} ${when}</p>`
  const why = reason === null ? '' : t.reason(reason)
  if (outcome === 'rolled_back')
    return html`<p class="banner bad" role="alert">${t('Release {to} was taken back, and {from} runs again:', { to, from })} ${why} ${when}</p>`
  return html`<p class="banner bad" role="alert">${t('Nothing was installed:')} ${why} ${when}</p>`
}

function bundleSection(reader: Reader, bundle: StagedBundle): Html {
  const { t, language } = reader
  const { name, size, refused, facts } = bundle
  const discard = html`<button type="submit" name="do" value="discard" formnovalidate>${t('Remove it')}</button>`
  const verdict =
    facts === null
      ? html`<p class="banner bad" role="alert">${t('It cannot be installed:')} ${refused === null ? t('it was not checked yet') : t.reason(refused)}</p><form method="post" action="/update"><p>${discard}</p></form>`
      : [factsList(reader, facts), installForm(reader, facts, discard)]
  return html`<section class="form" aria-labelledby="bundle"><h2 id="bundle">${t('The bundle that is here')}</h2>
<p><b>${name}</b> <small>${bytesText(size, language)}</small></p>${verdict}</section>`
}

type Facts = NonNullable<StagedBundle['facts']>

function factsList({ t, context, language }: Reader, facts: Facts): Html {
  const { version, order, key, development, bytes, files, made_at } = facts
  const beside = {
    newer: t('newer than the one that runs'),
    same: t('the same as the one that runs'),
    older: t('older than the one that runs')
  }[order]
  return html`<dl class="facts"><dt>${t('Release')}</dt><dd>${version} <small>${beside}</small></dd>
<dt>${t('Made')}</dt><dd>${agoTime(context, Date.parse(made_at), language)}</dd>
<dt>${t('Signature')}</dt><dd><span class="state good">${t('good')}</span> <small>${t('by key {key}, which this release trusts; all {files} files are as signed', { key, files })}</small>${development ? html` <b>${t('The key was made for development: not for the field.')}</b>` : null}</dd>
<dt>${t('Unpacked')}</dt><dd>${bytesText(bytes, language)}</dd></dl>`
}

function installForm({ t }: Reader, { fits, order, version }: Facts, discard: Html): Html {
  if (!fits)
    return html`<p class="banner bad" role="alert">${t('It was made for another kind of board and cannot be installed here.')}</p><form method="post" action="/update"><p>${discard}</p></form>`
  const older =
    order === 'older'
      ? html`<p><label><input type="checkbox" name="older" value="yes" required> ${t('Yes, go back to an older release. It may not read what the newer one wrote: then nothing is changed.')}</label></p>`
      : null
  return html`<p class="hint">${t('Root looks at the signature once more, backs up the data, installs the release and starts it. If it does not come up healthy, the present one is put back with its data.')}</p>
<form method="post" action="/update">${older}<p><button type="submit" name="do" value="install" class="primary">${t('Install {version}', { version })}</button> ${discard}</p></form>`
}

const uploadSection = ({ t }: Reader, { platform }: UpdateState): Html =>
  html`<section class="add" aria-labelledby="add"><h2 id="add">${t('Upload a bundle')}</h2>
<p class="quiet">${t('The file is called lookout-VERSION-{platform}.tar.xz. A lost connection costs nothing: choose the same file again.', { platform })}</p>
<div id="uploader"><noscript><p>${t('The upload needs JavaScript. A stick does not.')}</p></noscript></div></section>`

function stickSection({ t, language }: Reader, found: readonly FoundBundle[]): Html {
  const list = found.map(
    ({ path, size }) =>
      html`<li><form method="post" action="/update"><input type="hidden" name="path" value="${path}"><span class="name">${path}</span> <small>${bytesText(size, language)}</small>
<button type="submit" name="do" value="take">${t('Take it')}<span class="hidden">: ${path}</span></button></form></li>`
  )
  const none = html`<p class="quiet">${t('None is there. Sticks are looked for in /media and /mnt, and one called LOOKOUT by itself.')}</p>`
  return html`<section aria-labelledby="stick"><h2 id="stick">${t('From a stick')}</h2>${found.length === 0 ? none : html`<ul class="files-list">${list}</ul>`}</section>`
}

export const updatePage = (services: Services): Route =>
  get('/update', {
    about: 'The release that runs; for the operator the bundle that is here, its signature, and what installs it.',
    handle: readUpdatePage(services)
  })
