import { ANSWERS } from '../messages/catalogue/answers.ts'
import { put } from '../messages/catalogue/words.ts'
import type { Answer } from './ask.ts'
import { USAGES, usable } from './usages.ts'

/** `!help`: only what this person can use here. */
export const help: Answer = ({ sender, config, spoken }, { knowledge, hotspot, claim }) => {
  const hasHotspot = hotspot !== undefined && hotspot.state() !== null
  const shown = usable(sender, {
    config,
    hasLibrary: knowledge !== undefined,
    hasHotspot,
    hasClaim: claim !== undefined
  })
  const { ask, region } = ANSWERS[spoken.language]
  return put(ask, shown.map((name) => USAGES[name].replace('[region]', `[${region}]`)).join(', '))
}
