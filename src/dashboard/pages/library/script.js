// The library: archives come in, are switched on and off, and are followed while they are read.
import '/static/lib/shell.js'
import { mountUploader } from '/static/knowledge/uploader.js'
import { follow, reloadSoon } from '/static/lib/follow.js'
import { t } from '/static/lib/i18n.js'
import { stayOnPage } from '/static/library/forms.js'
import { watchMoving } from '/static/library/moving.js'
import { html } from '/static/vendor/ui.js'

const PARTS = ['content', 'as-of']

mountUploader({
  path: '/api/library/uploads',
  accept: '.zim',
  standing: () =>
    html`<p><strong class="state good">${t('It has arrived.')}</strong> ${t('It appears in the list once it has been looked at.')}</p>`,
  onArrival: () => {
    // It is looked at in another process: a moment later it is there.
    for (const wait of [500, 2500, 6000, 12_000]) setTimeout(reloadSoon, wait)
  }
})

stayOnPage(PARTS)
watchMoving('content')
follow({ path: location.pathname, parts: PARTS, topics: ['knowledge', 'reset'] })
