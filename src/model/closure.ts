import type { Severity } from './severity.ts'

const HAZARD =
  /\b(?:evacuat\w*|land ?slides?|mud ?slides?|rock ?(?:slides?|falls?)|debris flows?|avalanches?(?! (?:control|works?|mitigation|blasting|gates?)\b)|flood(?:s|ed|ing)?|wash(?:ed)? ?outs?|wild ?fires?|bush ?fires?|forest fires?|sink ?holes?)\b/i
/** Work, a race, part of the road, a crash: whoever drives meets it, and nobody else needs to know before morning. */
const ORDINARY =
  /\b(?:road ?works?|works?|construction|maintenance|paving|resurfacing|repairs?|planned|scheduled|parade|race|festival|event|lanes?|shoulder|ramps?|exits?|(?:on|off)-?ramps?|crash(?:es)?|collisions?|accidents?|jack ?knifed|overturned|stalled|disabled|nightly|overnight|weekend|(?:for|during) the (?:season|winter)|seasonal(?:ly)?|winter closure|baustellen?|bauarbeiten|sperrung einer spur|fahrstreifen|einspurig|halbseitig|unfall)\b/i

/** True when a natural hazard or an evacuation is behind it. */
export function saysHazard(text: string): boolean {
  return HAZARD.test(text)
}

/**
 * The level of a closed road whose sender states none. Where a hazard or an evacuation closed it, it may be somebody's way
 * out; work, a lane and a crash wait for the morning; a sender who gives no cause at all means it.
 */
export function closureLevel(text: string): Severity {
  return saysHazard(text) || !ORDINARY.test(text) ? 'critical' : 'priority'
}
