import { reasonName, type Tone } from '../../../../web/shared/words.js'
import type { ChannelResult } from '../../../warning/outbox/results.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import { shownChannel } from '../../server/guest-view.ts'
import { channelWords } from '../events/result-words.ts'
import { type Html, html } from '../frame/html.ts'
import { eventPath } from '../frame/links.ts'
import type { Reader } from '../frame/reader.ts'

type State = ChannelResult['state']

export const FATE_TONES: Readonly<Record<State, Tone | 'off'>> = {
  sent: 'good',
  waiting: 'waiting',
  held: 'waiting',
  failed: 'bad',
  unknown: 'bad',
  withdrawn: 'off',
  elsewhere: 'off'
}

export const fateNames = (t: Reader['t']): Readonly<Record<State, string>> => ({
  sent: t('Sent'),
  waiting: t('Waiting its turn'),
  held: t('Held'),
  failed: t('Failed'),
  unknown: t('Outcome unknown'),
  withdrawn: t('Withdrawn'),
  elsewhere: t('Said by another station')
})

/** A simulated radio says that it sent; nothing was on the air. */
export function isPretended({ state, simulated }: ChannelResult): boolean {
  return simulated && state === 'sent'
}

/** Green is of what was really on the air. */
export function toneOf(one: ChannelResult): Tone | 'off' {
  return isPretended(one) ? 'off' : FATE_TONES[one.state]
}

export function fateWord(one: ChannelResult, t: Reader['t']): string {
  return isPretended(one) ? t('simulated: not on the air') : fateNames(t)[one.state]
}

/** Who was told of an alert, channel by channel (contract §13); without a message, why nobody was. */
export function toldChannels(stored: StoredEvent, channels: readonly ChannelResult[], reader: Reader): Html {
  const { t } = reader
  const why = html`<a class="why-link" href="${eventPath(stored.event)}#s-trace">${t('Why?')}</a>`
  if (channels.length === 0) {
    const grave = stored.event.severity === 'critical' || stored.event.severity === 'immediate'
    const reason = reasonName(stored.reason, t)
    return html`<ul class="chips told"><li class="chip ${grave ? 'bad' : ''}"><span class="state ${grave ? 'bad' : 'off'}">${t('Not sent')}</span> ${reason}</li><li>${why}</li></ul>`
  }
  return html`<ul class="chips told">${channels.map((one) => channelChip(one, reader))}<li>${why}</li></ul>`
}

function channelChip(result: ChannelResult, reader: Reader): Html {
  const { t } = reader
  const { state, channel } = result
  const tone = toneOf(result)
  const where = channelWords(shownChannel(channel, reader))
  const said =
    state === 'sent' && !isPretended(result)
      ? html`<span class="state good">${t('Sent on {channels}', { channels: where })}</span>`
      : html`<b>${where}</b> <span class="state ${tone}">${fateWord(result, t)}</span>`
  return html`<li class="chip ${tone}">${said} <span class="why">${detail(result, t)}</span></li>`
}

/** Said beside the word: who heard it, or why not. */
function detail({ state, reason, heardBy, unheard, simulated }: ChannelResult, t: Reader['t']): string {
  if (state !== 'sent') return reasonName(reason, t) ?? ''
  if (simulated) return ''
  if (heardBy > 0) return t('heard by {count}', { count: heardBy })
  return unheard ? t('not heard by anybody') : ''
}
