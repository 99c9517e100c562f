import type { Answer } from './ask.ts'
import { may } from './rights.ts'

/** `!help`: only what this person can use here. */
export const help: Answer = (ask, context) => {
  const { sender } = ask
  const shown = ['!alerts [region]', '!catchup [region]', '!status', '!why CODE']
  if (context.knowledge !== undefined && may('ask', sender, ask)) shown.push('!ask QUESTION')
  if (may('ack', sender, ask)) shown.push('!ack CODE [reason]')
  if (may('silence', sender, ask)) shown.push('!silence NAME 2h [reason]')
  return `Ask: ${shown.join(', ')}`
}
