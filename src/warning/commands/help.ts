import { byteLength } from '../messages/budget.ts'
import { ANSWERS } from '../messages/catalogue/answers.ts'
import { put } from '../messages/catalogue/words.ts'
import type { Answer } from './ask.ts'
import { usable, usageOf } from './usages.ts'

/** `!help`: only what this person can use here. Where all of it finds no room, first what may be left out goes, then what a person puts in. */
export const help: Answer = ({ sender, config, spoken: { language }, limitBytes }, { knowledge, hotspot, claim }) => {
  const hasHotspot = hotspot !== undefined && hotspot.state() !== null
  const shown = usable(sender, {
    config,
    hasLibrary: knowledge !== undefined,
    hasHotspot,
    hasClaim: claim !== undefined
  })
  const usages = shown.map((name) => usageOf(name, language))
  const needed = usages.map((usage) => usage.replace(/ \[.*\]$/, ''))
  const names = shown.map((name) => `!${name}`)
  const texts = [usages, needed, names].map((list) => put(ANSWERS[language].ask, list.join(', ')))
  return texts.find((text) => byteLength(text) <= limitBytes) ?? put(ANSWERS[language].ask, names.join(' '))
}
