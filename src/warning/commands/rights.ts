import type { Ask, Sender } from './ask.ts'
import type { GuardedCommand } from './settings.ts'

/** The admin reads this too: whoever wrote it, the answer goes to the admin's node. */
const UNPROVEN =
  'Refused: this text was not encrypted with your node key, so anybody may have sent it. Use firmware 2.5 or newer.'
const OTHER_KEY =
  'Refused: your node had another key before. If it was set up anew, the operator forgets the old key on the page Radios.'
const LISTED: Readonly<Record<GuardedCommand, string>> = {
  ack: 'Only admin nodes may acknowledge.',
  silence: 'Only admin nodes may silence.',
  ask: 'Only admin nodes may ask the library.',
  hotspot: 'Only admin nodes may switch the hotspot.',
  who: 'Only admin nodes may ask where nodes are.',
  claim: 'Only admin nodes may ask for a code.'
}

/** Nobody can let others switch the hotspot, the way to the board, ask where people are, or become the operator. */
function whoOf(command: GuardedCommand, { config }: Pick<Ask, 'config'>): 'list' | 'channel' | 'anyone' {
  return command === 'hotspot' || command === 'who' || command === 'claim' ? 'list' : config.commands.who[command]
}

/** True when the owner lets this sender use the command: `commands.who`. Admins always may, by a text that is proven to be theirs. */
export function may(
  command: GuardedCommand,
  { admin, direct }: Pick<Sender, 'admin' | 'direct'>,
  { config }: Pick<Ask, 'config'>
): boolean {
  const who = whoOf(command, { config })
  return who === 'anyone' || (who === 'channel' && !direct) || (admin && direct)
}

/** The answer to somebody who may not; null for who may. */
export function refusal(command: GuardedCommand, ask: Ask): string | null {
  const { sender } = ask
  if (may(command, sender, ask)) return null
  if (sender.refused === 'other_key') return OTHER_KEY
  if (sender.refused === 'unproven' && sender.direct) return UNPROVEN
  if (sender.refused !== null || sender.admin) return `Send !${command} as a direct message.`
  if (!sender.known && !sender.direct)
    return `Send !${command} as a direct message: on a channel a name proves nothing.`
  return whoOf(command, ask) === 'channel' ? `Send !${command} on a channel of this station.` : LISTED[command]
}
