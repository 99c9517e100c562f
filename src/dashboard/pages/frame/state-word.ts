import { stateTone } from '../../../../web/shared/tones.js'
import type { SourceStatus } from '../../../warning/feeds/status.ts'
import type { RadioStatus } from '../../server/context.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from './html.ts'

/** The state of a source or a radio: a word, a shape and a colour; never the colour alone. */
export function stateWord(t: Translate, state: SourceStatus['state'] | RadioStatus['state']): Html {
  return html`<strong class="state ${stateTone(state)}">${t(state)}</strong>`
}
