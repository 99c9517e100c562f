import { decisionName, networkName, reasonName, type Tone } from '../../../../web/shared/words.js'
import type { Result } from '../../../warning/outbox/results.ts'
import type { StoredEvent } from '../../../warning/outbox/stored-event.ts'
import { shownResult } from '../../server/guest-view.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import type { Reader } from '../frame/reader.ts'

const TONES: Readonly<Record<Result['state'], Tone | 'off'>> = {
  sent: 'good',
  partly: 'waiting',
  waiting: 'waiting',
  held: 'waiting',
  failed: 'bad',
  unknown: 'bad',
  withdrawn: 'off',
  elsewhere: 'off',
  none: 'off'
}

const resultNames = (t: Translate): Readonly<Record<Result['state'], string>> => ({
  sent: t('Sent'),
  partly: t('Sent in part'),
  waiting: t('Waiting its turn'),
  held: t('Held'),
  failed: t('Failed'),
  unknown: t('Outcome unknown'),
  withdrawn: t('Withdrawn'),
  elsewhere: t('Said by another station'),
  none: t('Planned')
})

const NOTHING: Result = { state: 'none', reason: null, channels: [], of: 0, simulated: false }

/** Of those that were read together, the one of this event. */
export function resultOf(results: ReadonlyMap<number, Result>, { seq }: Pick<StoredEvent, 'seq'>): Result {
  return results.get(seq) ?? NOTHING
}

/** The same of a thread. */
export function toldOf(results: ReadonlyMap<string, Result>, { event }: Pick<StoredEvent, 'event'>): Result {
  return results.get(event.thread_id) ?? NOTHING
}

/** `mt:3` as people read it: `Meshtastic 3`. */
export function channelWords(channel: string): string {
  return channel.replace(/^(\w+)[:@]/, (_, transport: string) => `${networkName(transport)} `)
}

/** The fate of an event in a word and its reason: "sent" only of what was on the air (contract §13). */
export function resultMark(
  { decision, reason, event }: Pick<StoredEvent, 'decision' | 'reason' | 'event'>,
  result: Result,
  { t }: Pick<Reader, 't'>
): Html {
  if (decision !== 'send') {
    const why = reasonName(reason, t)
    const missed = decision === 'unrouted' && (event.severity === 'critical' || event.severity === 'immediate')
    return marked(missed ? 'bad' : 'off', decisionName(decision, t), why)
  }
  const { tone, word } = fateOf(result, t)
  return marked(tone, word, reasonName(result.reason, t))
}

/** A simulated radio says that it sent; nothing was on the air, and green is proof. */
function fateOf({ state, simulated }: Result, t: Translate): { tone: Tone | 'off'; word: string } {
  const pretends = simulated && (state === 'sent' || state === 'partly')
  if (pretends) return { tone: 'off', word: t('simulated: not on the air') }
  return { tone: TONES[state], word: resultNames(t)[state] }
}

/** On a card of what goes on: whether and where people were told. */
export function toldMark(stored: StoredEvent, all: Result, reader: Pick<Reader, 't' | 'isGuest'>): Html {
  const { t } = reader
  const result = shownResult(all, reader)
  if (result.state === 'none') {
    const why = reasonName(stored.reason, t)
    const grave = stored.event.severity === 'critical' || stored.event.severity === 'immediate'
    return html`<p class="told">${marked(grave ? 'bad' : 'off', t('Not sent'), why)}</p>`
  }
  if (result.simulated) {
    const { tone, word } = fateOf(result, t)
    return html`<p class="told">${marked(tone, word, reasonName(result.reason, t))}</p>`
  }
  const where = result.channels.map(channelWords).join(', ')
  if (result.state === 'sent')
    return html`<p class="told">${marked('good', t('Sent on {channels}', { channels: where }), null)}</p>`
  const why = reasonName(result.reason, t)
  const text =
    result.state === 'partly' ? t('Sent on {channels} only', { channels: where }) : resultNames(t)[result.state]
  return html`<p class="told">${marked(TONES[result.state], text, why)}</p>`
}

function marked(tone: Tone | 'off', text: string, why: string | null): Html {
  return html`<span class="state ${tone}">${text}</span>${why === null ? null : html` <span class="why">${why}</span>`}`
}
