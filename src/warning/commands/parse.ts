import { cleanText } from '../messages/sanitise.ts'

export const COMMANDS = [
  'help',
  'alerts',
  'catchup',
  'status',
  'ack',
  'silence',
  'why',
  'ask',
  'hotspot',
  'who',
  'claim'
] as const
export type CommandName = (typeof COMMANDS)[number]

export interface Command {
  name: CommandName
  /** The words behind the command, on one line. */
  words: string[]
}

const MAX_CHARACTERS = 300

/**
 * The command a text is, or null: a text that does not begin with `!`, and every `!word` that is not ours, which may be
 * meant for another bot.
 */
export function parseCommand(text: string): Command | null {
  const line = cleanText(text.slice(0, MAX_CHARACTERS))
  const [, word = '', rest = ''] = /^!([a-z]{1,16})(?: +(.*))?$/i.exec(line) ?? []
  const name = COMMANDS.find((known) => known === word.toLowerCase())
  return name === undefined ? null : { name, words: rest.split(' ').filter((part) => part !== '') }
}
