import { cutToBytes } from '../messages/budget.ts'
import { putAll } from '../messages/catalogue/words.ts'
import { type Answer, type Ask, type HotspotSwitch, repliesTo } from './ask.ts'
import { refusal } from './rights.ts'

const REASON_BYTES = 40

/** `!hotspot [on|off]`: for admins alone. A Wi-Fi that is off cannot be switched on over Wi-Fi; its pass phrase is never told by radio. */
export const hotspot: Answer = (ask, { hotspot: port }) => {
  const refused = refusal('hotspot', ask)
  if (refused !== null) return refused
  const state = port?.state() ?? null
  const said = repliesTo(ask).hotspot
  if (port === undefined || state === null) return said.none
  const [word = ''] = ask.words
  if (word === '') return stateText(state, ask)
  if (!/^(?:on|off)$/i.test(word)) return said.usage
  const on = word.toLowerCase() === 'on'
  return async () => [(await port.turn(on)) ? (on ? said.switchingOn : said.switchingOff) : said.unset]
}

/** True is only what root told: a wish is none. The reason is told in English alone: root has no other words for it. */
function stateText(
  { state, changing, reason, ssid }: NonNullable<ReturnType<HotspotSwitch['state']>>,
  ask: Pick<Ask, 'spoken'>
): string {
  const said = repliesTo(ask).hotspot
  const name = ssid === '' ? '' : ` ${cutToBytes(ssid, REASON_BYTES)}`
  const isTold = state === 'failed' && reason !== null && ask.spoken.language === 'en'
  const why = isTold ? `: ${cutToBytes(reason, REASON_BYTES)}` : ''
  return putAll(said.state, [name, said.states[state], why + (changing ? said.changing : '')])
}
