import type { Answer } from './ask.ts'

/** `!help`: only what this person can use here. */
export const help: Answer = ({ sender }, context) => {
  const shown = ['!alerts [region]', '!status', '!why CODE']
  if (context.knowledge !== undefined) shown.push('!ask QUESTION')
  if (sender.known) shown.push('!ack CODE [reason]')
  if (sender.admin && sender.direct) shown.push('!silence NAME 2h [reason]')
  return `Ask: ${shown.join(', ')}`
}
