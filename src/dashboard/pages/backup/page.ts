import { bytesText } from '../../../../web/shared/times.js'
import type { Services } from '../../api/services.ts'
import type { BackupState, FoundBackup } from '../../server/backups.ts'
import { canWrite } from '../../server/identity.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { type Reader, readerOf } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'

const REFRESH_SECONDS = 3

/** `GET /backup`: for the operator the last good backup, and a button that makes another. Works without a script. */
function readBackupPage({ context }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    const reader = readerOf(context, { headers, identity })
    const { t } = reader
    const { backups } = context
    const state = canWrite(identity, context.config.current().http) ? (backups?.state() ?? null) : null
    const body =
      state === null || backups === null
        ? toSignIn(reader)
        : [forOperator(reader, state), putBack(reader, state, await backups.find())]
    return page(context, {
      title: t('Backup'),
      path: '/backup',
      body: html`${body}`,
      headers,
      identity,
      ...(state === null ? {} : movesBy(state))
    })
  }
}

/** While something is under way the page loads itself again; otherwise a script takes an upload. */
function movesBy({ busy, restore, judging }: BackupState) {
  const style = 'pages/backup/style.css'
  return busy || judging || restore !== null
    ? { style, refreshSeconds: REFRESH_SECONDS, refreshAt: '/backup' }
    : { style, script: 'pages/backup/script.js' }
}

const toSignIn = ({ t }: Reader): Html =>
  html`<p class="quiet">${t('The operator sees here when the station was last backed up.')} <a href="/sign-in?back=/backup">${t('Sign in')}</a></p>`

function forOperator(reader: Reader, state: BackupState): Content {
  const { t } = reader
  return [
    state.busy
      ? html`<p class="banner note" role="status">${t('A backup is being made and read back.')} ${t('This page loads itself again.')}</p>`
      : failure(reader, state),
    lastGood(reader, state),
    plan(reader, state),
    state.busy
      ? null
      : html`<form method="post" action="/backup"><p><button type="submit" class="primary">${t('Back up now')}</button> <button type="submit" name="do" value="file">${t('Make one to download')}</button></p></form>`,
    state.fileFailed === null
      ? null
      : html`<p class="banner bad" role="alert">${t('The backup to download was not made:')} ${t.reason(state.fileFailed)}</p>`,
    html`<p class="hint">${t('A backup holds everything but large archives and maps: settings, keys, passphrase, history and documents. Whoever has the stick or the file has all of it: keep it as you keep the board.')}</p>`
  ]
}

function putBack(reader: Reader, state: BackupState, found: readonly FoundBackup[]): Html {
  const { t, context } = reader
  const { restore, notRestored, progress } = state
  const heading = html`<h2 id="back">${t('Put a backup back')}</h2>`
  if (restore !== null) {
    const byItself = context.restart.by !== null
    const said =
      restore === 'reading'
        ? t('The backup is being read in, and every file checked. Nothing is replaced before all of it is whole.')
        : byItself
          ? t('The backup is whole. The station starts again with it.')
          : t('The backup is whole. It takes its place when you start the program again.')
    const far =
      restore === 'reading' && progress !== null
        ? html` ${t('{files} of {ofFiles} files so far.', { ...progress })}`
        : null
    return html`<section aria-labelledby="back">${heading}<p class="banner note" role="status">${said}${far}</p></section>`
  }
  const list = found.map(
    ({ folder, stamp }) =>
      html`<li><form method="post" action="/backup"><input type="hidden" name="folder" value="${folder}"><input type="hidden" name="stamp" value="${stamp}"><span class="name">${stamp}</span> <small>${folder}</small>
<button type="submit" name="do" value="restore">${t('Put it back')}<span class="hidden">: ${stamp}</span></button> <a href="/api/backup/file?${new URLSearchParams({ folder, stamp }).toString()}" download>${t('Download')}<span class="hidden">: ${stamp}</span></a></form></li>`
  )
  const failed =
    notRestored === null
      ? null
      : html`<p class="banner bad" role="alert">${t('It was not put back, and nothing was changed:')} ${t.reason(notRestored)}</p>`
  return html`<section aria-labelledby="back">${heading}${failed}
<p class="hint">${t('The station is then what the backup was: settings, keys, passphrase and history. What is here now is kept in a folder before-restore-… of the data folder.')}</p>
${found.length === 0 ? html`<p class="quiet">${t('None was found. Plug in the stick that has it, and load this page again.')}</p>` : html`<ul class="files-list">${list}</ul>`}
${uploaded(reader, state)}
<div class="add"><h3 id="add">${t('Upload a backup')}</h3>
<p class="quiet">${t('The file is called lookout-backup-….tar. A lost connection costs nothing: choose the same file again. Nothing is replaced by the upload.')}</p>
<div id="uploader"><noscript><p>${t('The upload needs JavaScript. A stick does not.')}</p></noscript></div></div></section>`
}

/** The one that was uploaded, and what may be done with it. */
function uploaded({ t, context, language }: Reader, { uploaded: one, judging }: BackupState): Html | null {
  if (one === null) return null
  const { name, size, facts, refused } = one
  const discard = html`<button type="submit" name="do" value="discard">${t('Remove it')}</button>`
  const said = judging
    ? html`<p class="banner note" role="status">${t('It is being looked at.')} ${t('This page loads itself again.')}</p>`
    : facts === null
      ? html`<p class="banner bad" role="alert">${t('It cannot be put back:')} ${refused === null ? t('it was not looked at yet') : t.reason(refused)}</p><form method="post" action="/backup"><p>${discard}</p></form>`
      : html`<dl class="facts"><dt>${t('Made')}</dt><dd>${agoTime(context, Date.parse(facts.made_at), language)} <small>${t('by release {version}', { version: facts.made_by })}</small></dd>
<dt>${t('Size')}</dt><dd>${bytesText(facts.bytes, language)} <small>${t('{files} files, all of them in it', { files: facts.files })}</small></dd></dl>
<form method="post" action="/backup"><p><button type="submit" name="do" value="restore-uploaded" class="primary">${t('Put it back')}<span class="hidden">: ${name}</span></button> ${discard}</p></form>`
  return html`<div class="form"><h3 id="uploaded">${t('The backup that was uploaded')}</h3><p><b class="file">${name}</b> <small>${bytesText(size, language)}</small></p>${said}</div>`
}

function failure({ t, context, language }: Reader, { failed }: BackupState): Html | null {
  if (failed === null) return null
  return html`<p class="banner bad" role="alert">${t('The newest backup failed:')} ${t.reason(failed.reason)} ${agoTime(context, failed.at, language)}</p>`
}

function lastGood({ t, context, language }: Reader, { last }: BackupState): Html {
  if (last === null) return html`<p><b>${t('No backup was made by this station yet.')}</b></p>`
  const { at, folder, files, bytes } = last
  return html`<dl class="facts"><dt>${t('Last good backup')}</dt><dd>${agoTime(context, at, language)}</dd>
<dt>${t('Where')}</dt><dd><code>${folder}</code></dd>
<dt>${t('Size')}</dt><dd>${bytesText(bytes, language)} <small>${t('{files} files, each read back', { files })}</small></dd></dl>`
}

function plan({ t }: Reader, { every, folder }: BackupState): Html {
  const said = {
    off: t('The station makes none by itself.'),
    daily: t('The station makes one every day, into'),
    weekly: t('The station makes one every week, into')
  }[every]
  return html`<p>${said} ${every === 'off' ? null : html`<code>${folder}</code>`} <a href="/settings/backup">${t('Settings')}</a></p>`
}

export const backupPage = (services: Services): Route =>
  get('/backup', {
    about: 'For the operator: the last good backup, what came in the way of the newest, and a button that makes one.',
    handle: readBackupPage(services)
  })
