import { describeSettings } from '../../../settings/describe.ts'
import type { Services } from '../../api/services.ts'
import { servedSettings } from '../../api/settings.ts'
import { suggestionsOf } from '../../editing/suggestions.ts'
import type { RadioStatus } from '../../server/context.ts'
import type { RadioChange } from '../../server/radio-log.ts'
import type { Handler } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { stateWord } from '../frame/state-word.ts'
import { pageTime } from '../frame/times.ts'

interface View {
  t: Translate
  time: (at: string) => Html
}

/** `GET /radios`: state, channels, queue, airtime and the last changes of every radio; a script follows the live stream. */
export function readRadiosPage({ context, radioLog }: Services): Handler<unknown, undefined> {
  return async ({ headers, identity }) => {
    const language = languageOf(headers)
    const t = translator(language)
    const view: View = { t, time: (at) => pageTime(context, Date.parse(at), language) }
    const served = await servedSettings(context)
    const radios = context.radios()
    const logs = Object.fromEntries(radios.map(({ id }) => [id, radioLog.of(id)]))
    const cards = radios.map((radio) => card(view, radio, logs[radio.id] ?? []))
    const body = html`<div id="editor"><p class="live">${t('Live updates and tests need a browser with scripts.')}</p>
${radios.length === 0 ? html`<p>${t('No radio is connected: messages wait until there is one.')}</p>` : cards}</div>`
    const { enabled } = context.config.current().notifications
    const data = {
      settings: { radios: served.settings['radios'] ?? [] },
      revision: served.revision,
      radios,
      logs,
      mode: context.mode,
      notifications: enabled,
      setting: describeSettings().members?.['radios']?.items ?? null,
      suggestions: suggestionsOf(context)
    }
    const title = 'Radios'
    const files = { script: 'pages/radios.js', style: 'pages/settings.css' }
    return page(context, { title, path: '/radios', body, headers, identity, data, ...files })
  }
}

function card(view: View, radio: RadioStatus, log: readonly RadioChange[]): Html {
  const { t, time } = view
  const { id, network, link, simulated, state, reason, node_name, modem, queue, airtime, details } = radio
  const used = `${airtime.used_seconds.toFixed(1)} / ${airtime.budget_seconds.toFixed(0)} s`
  return html`<article class="card" aria-labelledby="radio-${id}"><h2 id="radio-${id}">${id}${simulated ? ` (${t('simulated')})` : ''}</h2>
<p>${stateWord(t, state)}${reason === null ? '' : `: ${reason}`} · ${t('since')} ${time(radio.since)}</p>
<dl class="facts">${fact(t('Network'), `${network.toUpperCase()} · ${link}`)}${fact(t('Node'), node_name)}${fact(t('Modem'), modem)}
${fact(t('Waiting'), String(queue.waiting))}${fact(t('Time on air, last hour'), used)}
${details === null ? null : detailFacts(t, details)}</dl>
${channelTable(t, radio)}${logList(view, log)}</article>
`
}

function fact(name: string, value: string): Html | null {
  return value === '' ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function detailFacts(t: Translate, details: NonNullable<RadioStatus['details']>): (Html | null)[] {
  const { firmware, battery_percent, channel_utilization, air_utilization, nodes_known } = details
  return [
    fact(t('Firmware'), firmware ?? ''),
    fact(t('Battery'), battery_percent === null ? '' : `${battery_percent} %`),
    fact(t('Channel busy'), share(channel_utilization)),
    fact(t('Own share of the air'), share(air_utilization)),
    fact(t('Nodes known'), String(nodes_known))
  ]
}

function share(value: number | null): string {
  return value === null ? '' : `${(value * 100).toFixed(1)} %`
}

function channelTable(t: Translate, { channels, missing_channels, network }: RadioStatus): Html {
  const rows = channels.map(
    ({ id, name, enabled }) =>
      html`<li>${network === 'mt' ? `${id}${name === '' ? '' : ` ${name}`}` : name}${enabled ? '' : ` (${t('disabled')})`}</li>`
  )
  const missing = missing_channels.map(({ channel, problem }) => {
    const words =
      problem === 'no_channel'
        ? 'Channel {channel} is used by the configuration, but not on this radio.'
        : 'Channel {channel} is used by the configuration, but disabled on this radio.'
    return html`<p class="warning">${t(words, { channel })}</p>`
  })
  return html`<h3>${t('Channels')}</h3>${channels.length === 0 ? html`<p>${t('not read yet')}</p>` : html`<ul class="chips">${rows}</ul>`}${missing}`
}

function logList({ t, time }: View, log: readonly RadioChange[]): Html {
  const rows = log
    .slice(0, 10)
    .map(
      ({ at, state, reason }) =>
        html`<li>${time(at)} <strong>${t(state)}</strong>${reason === null ? '' : `: ${reason}`}</li>`
    )
  return html`<h3>${t('Changes since the start')}</h3><ol class="log">${rows}</ol>`
}
