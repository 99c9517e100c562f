import { radioCard } from '../../../../web/shared/radio-card.js'
import { describeSettings } from '../../../settings/describe.ts'
import type { Services } from '../../api/services.ts'
import { servedSettings } from '../../api/settings.ts'
import { suggestionsOf } from '../../editing/suggestions.ts'
import { askerOf } from '../../server/asker.ts'
import { shownRadio } from '../../server/guest-view.ts'
import { canWrite } from '../../server/identity.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { said } from '../../server/said-status.ts'
import { html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { penOf } from '../frame/pen.ts'
import { readerOf } from '../frame/reader.ts'
import { saidSetting } from '../frame/said-setting.ts'
import { airAhead } from '../history/air-ahead.ts'
import { adminKeys } from './admin-keys.ts'

/** `GET /radios`: state, channels, queue, airtime and the last changes of every radio; a script follows the live stream. */
function readRadiosPage({ context, radioLog }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    const asker = askerOf(context, { headers, identity })
    const pen = penOf(context, asker.language)
    const { t } = pen
    const served = await servedSettings(context, identity)
    const radios = context.radios().map((radio) => said(shownRadio(radio, asker), asker))
    const logs = Object.fromEntries(radios.map(({ id }) => [id, radioLog.of(id).map((one) => said(one, asker))]))
    const cards = radios.map((radio) => radioCard(pen, { radio, log: logs[radio.id] ?? [] }))
    const body = html`<noscript><p class="live">${t('Live updates and tests need a browser with scripts.')}</p></noscript>
<div id="editor"><div>${radios.length === 0 ? html`<p>${t('No radio is connected: messages wait until there is one.')}</p>` : html`<div class="cards">${cards}</div>`}</div></div>`
    const { http, notifications, commands } = context.config.current()
    const { enabled } = notifications
    const keys = canWrite(identity, http)
      ? adminKeys(pen, { keys: context.reactions.keys.list(), admins: commands.admins })
      : null
    const setting = describeSettings().members?.['radios']?.items
    const data = {
      settings: { radios: served.settings['radios'] ?? [] },
      revision: served.revision,
      radios,
      logs,
      mode: context.mode,
      notifications: enabled,
      setting: setting === undefined ? null : saidSetting(setting, pen),
      suggestions: suggestionsOf(context)
    }
    const ahead = airAhead(readerOf(context, { headers, identity }), await context.airtimeAhead())
    const title = t('Radios')
    const files = { script: 'pages/radios/script.js', style: 'pages/settings/style.css' }
    return page(context, {
      title,
      path: '/radios',
      body: html`${body}${ahead}${keys}`,
      headers,
      identity,
      data,
      ...files
    })
  }
}

export const radiosPage = (services: Services): Route =>
  get('/radios', {
    about:
      'State, channels, queue, airtime and changes of the radios; with a script a test text, and the radios of the configuration.',
    handle: readRadiosPage(services)
  })
