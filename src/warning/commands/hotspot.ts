import { cutToBytes } from '../messages/budget.ts'
import type { Answer, HotspotSwitch } from './ask.ts'
import { refusal } from './rights.ts'

const NONE = 'Nothing on this machine switches a hotspot.'
const UNSET = 'The hotspot has no name and pass phrase yet: choose them on its page.'
const REASON_BYTES = 40

/** `!hotspot [on|off]`: for admins alone. A Wi-Fi that is off cannot be switched on over Wi-Fi; its pass phrase is never told by radio. */
export const hotspot: Answer = (ask, { hotspot: port }) => {
  const refused = refusal('hotspot', ask)
  if (refused !== null) return refused
  const state = port?.state() ?? null
  if (port === undefined || state === null) return NONE
  const [word = ''] = ask.words
  if (word === '') return stateText(state)
  if (!/^(?:on|off)$/i.test(word)) return 'Use: !hotspot on, !hotspot off, or !hotspot alone for its state.'
  const on = word.toLowerCase() === 'on'
  return async () => [
    (await port.turn(on)) ? `Hotspot: switching ${on ? 'on' : 'off'}. !hotspot tells how it went.` : UNSET
  ]
}

/** True is only what root told: a wish is none. */
function stateText({ state, changing, reason, ssid }: NonNullable<ReturnType<HotspotSwitch['state']>>): string {
  const name = ssid === '' ? '' : ` ${cutToBytes(ssid, REASON_BYTES)}`
  const why = reason === null ? '' : `: ${cutToBytes(reason, REASON_BYTES)}`
  return `Hotspot${name} ${state}${state === 'failed' ? why : ''}${changing ? ', being changed' : ''}.`
}
