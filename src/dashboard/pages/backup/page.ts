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
      ...(state?.busy === true || state?.restore === 'reading' ? { refreshSeconds: REFRESH_SECONDS } : {})
    })
  }
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
      : html`<form method="post" action="/backup"><p><button type="submit" class="primary">${t('Back up now')}</button></p></form>`,
    html`<p class="hint">${t('A backup holds everything but large archives and maps: settings, keys, passphrase, history and documents. Whoever has the stick has all of it: keep it as you keep the board.')}</p>`
  ]
}

function putBack({ t, context }: Reader, { restore, notRestored }: BackupState, found: readonly FoundBackup[]): Html {
  const heading = html`<h2 id="back">${t('Put a backup back')}</h2>`
  if (restore !== null) {
    const byItself = context.restart.by !== null
    const said =
      restore === 'reading'
        ? t('The backup is being read in, and every file checked. Nothing is replaced before all of it is whole.')
        : byItself
          ? t('The backup is whole. The station starts again with it.')
          : t('The backup is whole. It takes its place when you start the program again.')
    return html`<section aria-labelledby="back">${heading}<p class="banner note" role="status">${said}</p></section>`
  }
  const list = found.map(
    ({ folder, stamp }) =>
      html`<li><form method="post" action="/backup"><input type="hidden" name="folder" value="${folder}"><input type="hidden" name="stamp" value="${stamp}"><span class="name">${stamp}</span> <small>${folder}</small>
<button type="submit" name="do" value="restore">${t('Put it back')}<span class="hidden">: ${stamp}</span></button></form></li>`
  )
  const failed =
    notRestored === null
      ? null
      : html`<p class="banner bad" role="alert">${t('It was not put back, and nothing was changed:')} ${t.reason(notRestored)}</p>`
  return html`<section aria-labelledby="back">${heading}${failed}
<p class="hint">${t('The station is then what the backup was: settings, keys, passphrase and history. What is here now is kept in a folder before-restore-… of the data folder.')}</p>
${found.length === 0 ? html`<p class="quiet">${t('None was found. Plug in the stick that has it, and load this page again.')}</p>` : html`<ul class="files-list">${list}</ul>`}</section>`
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
