import type { SourceStatus } from '../../../warning/feeds/status.ts'
import type { RadioStatus } from '../../server/context.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from './html.ts'

const TONES: Partial<Record<SourceStatus['state'] | RadioStatus['state'], 'good' | 'bad' | 'off'>> = {
  ok: 'good',
  unchanged: 'good',
  ready: 'good',
  failing: 'bad',
  stale: 'bad',
  blocked: 'bad',
  down: 'bad',
  suspect: 'bad',
  off: 'off',
  closed: 'off'
}

/** The state of a source or a radio: a word, a shape and a colour; never the colour alone. */
export function stateWord(t: Translate, state: SourceStatus['state'] | RadioStatus['state']): Html {
  return html`<strong class="state ${TONES[state] ?? 'waiting'}">${t(state)}</strong>`
}
