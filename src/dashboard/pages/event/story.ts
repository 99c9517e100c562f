import { decisionName, reasonName, type Tone } from '../../../../web/shared/words.js'
import type { ChannelResult } from '../../../warning/outbox/results.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import { storedSteps } from '../../../warning/routing/said-trace.ts'
import { toldTo } from '../../server/guest.ts'
import { shownChannel } from '../../server/guest-view.ts'
import { channelWords } from '../events/result-words.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { type Reader, severityMark } from '../frame/reader.ts'
import { agoTime } from '../frame/times.ts'
import { situationMap } from '../overview/situation-map.ts'
import { fateWord, toneOf } from '../overview/told.ts'

/** More than these would be a list and no picture; all of them stand below. */
const MOST = 8

/** The way of an event from its source to whoever heard it, as a picture that needs no script. */
export function story(stored: StoredEvent, reader: Reader): Html {
  const { t } = reader
  const channels = reader.context.ledger.results.channelsOfEvent(stored)
  const stations = [
    station(t('Source'), source(stored, reader)),
    station(t('Regions'), regions(stored, reader), 'wide'),
    station(t('Cells'), cells(stored, reader)),
    station(t('Channels'), told(stored, channels, reader)),
    station(t('Heard'), heard(channels, reader))
  ]
  return html`<ol class="story">${stations}</ol>`
}

function station(title: string, content: Content, kind = ''): Html {
  return html`<li class="${kind}"><h3>${title}</h3>${content}</li>
`
}

function source({ event }: StoredEvent, { context, language, t }: Reader): Html {
  return html`<p><b>${event.source}</b></p><p>${severityMark(event.severity, t)}</p><p class="quiet">${agoTime(context, Date.parse(event.received_at), language)}</p>`
}

function regions(stored: StoredEvent, reader: Reader): Html {
  const { t } = reader
  const names = stored.event.regions
  const said = names.length === 0 ? t('No region is touched.') : names.slice(0, MOST).join(', ')
  const rest = names.length > MOST ? ` +${names.length - MOST}` : ''
  return html`${situationMap(reader, [stored], { caption: t('Map: where it lies among the areas.'), isOwn: true })}<p>${said}${rest}</p>`
}

/** A cell that matched is on the way, and proves nothing yet: it has no green. */
function cells({ trace }: StoredEvent, reader: Reader): Html {
  const { t } = reader
  const steps = storedSteps(trace)
  const asked = steps.filter(({ stage, outcome }) => stage === 'matrix' && outcome !== 'note')
  const others = steps.filter(({ stage, outcome }) => (stage === 'toggle' || stage === 'rule') && outcome === 'match')
  const shown = [...asked, ...others]
  if (steps.length === 0) return html`<p class="quiet">${t('The steps are not kept any more.')}</p>`
  if (shown.length === 0) return html`<p class="quiet">${t('No cell was asked.')}</p>`
  const items = shown.slice(0, MOST).map((step) => {
    const word = step.outcome === 'match' ? t('matches') : t('does not match')
    return html`<li><span class="state ${step.outcome === 'match' ? 'waiting' : 'off'}">${word}</span> ${toldTo(step, reader)}</li>`
  })
  return html`<ul>${items}</ul>${more(shown.length, '#s-trace')}`
}

function told(stored: StoredEvent, channels: readonly ChannelResult[], reader: Reader): Html {
  const { t } = reader
  if (channels.length === 0) {
    const word = stored.decision === 'send' ? t('No message was made of it.') : decisionName(stored.decision, t)
    const { severity } = stored.event
    const missed = stored.decision === 'unrouted' && (severity === 'critical' || severity === 'immediate')
    return html`<p><span class="state ${missed ? 'bad' : 'off'}">${word}</span> ${reasonName(stored.reason, t)}</p>`
  }
  const items = channels.slice(0, MOST).map((one) => {
    const why = reasonName(one.reason, t)
    return html`<li><b>${channelWords(shownChannel(one.channel, reader))}</b> <span class="state ${toneOf(one)}">${fateWord(one, t)}</span>${why === null ? null : html` <span class="quiet">${why}</span>`}</li>`
  })
  return html`<ul>${items}</ul>${more(channels.length, '#messages')}`
}

function heard(channels: readonly ChannelResult[], reader: Reader): Html {
  const { t } = reader
  const sent = channels.filter(({ state }) => state === 'sent')
  if (sent.length === 0) return html`<p><span class="state off">${t('nobody yet: it was not on the air')}</span></p>`
  const items = sent.slice(0, MOST).map((one) => {
    const [tone, word] = hearing(one, t)
    return html`<li><b>${channelWords(shownChannel(one.channel, reader))}</b> <span class="state ${tone}">${word}</span></li>`
  })
  return html`<ul>${items}</ul>`
}

/** Nodes repeat it, or nothing is known: silence is no proof of either. */
function hearing({ simulated, heardBy, unheard }: ChannelResult, t: Reader['t']): [Tone | 'off', string] {
  if (simulated) return ['off', t('nobody: simulated')]
  if (heardBy > 0) return ['good', t('heard by {count}', { count: heardBy })]
  return unheard ? ['waiting', t('not heard by anybody')] : ['off', t('not known')]
}

function more(count: number, where: string): Html | null {
  return count <= MOST ? null : html`<p><a href="${where}">+${count - MOST}</a></p>`
}
