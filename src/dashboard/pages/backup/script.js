// The page of backups: one is uploaded in pieces that survive a lost connection. Everything else works without this.
import '/static/lib/shell.js'
import { Uploader } from '/static/knowledge/uploader.js'
import { t } from '/static/lib/i18n.js'
import { html, render } from '/static/vendor/ui.js'

const root = document.getElementById('uploader')
if (root !== null) {
  /** @type {import('/static/knowledge/uploader.js').UploadTarget} */
  const target = {
    path: '/api/backup/uploads',
    accept: '.tar',
    categories: false,
    over: [],
    standing: () => html`<p><strong class="state good">${t('It has arrived.')}</strong></p>`,
    // The station makes the page that says what the file holds.
    onArrival: () => location.reload()
  }
  root.replaceChildren()
  render(html`<${Uploader} target=${target} />`, root)
}
