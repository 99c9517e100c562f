import type { Answer } from './ask.ts'
import { USAGES, usable } from './usages.ts'

/** `!help`: only what this person can use here. */
export const help: Answer = ({ sender, config }, { knowledge, hotspot }) => {
  const hasHotspot = hotspot !== undefined && hotspot.state() !== null
  const shown = usable(sender, { config, hasLibrary: knowledge !== undefined, hasHotspot })
  return `Ask: ${shown.map((name) => USAGES[name]).join(', ')}`
}
