import { put } from '../messages/catalogue/words.ts'
import { type Ask, repliesTo, type Sender } from './ask.ts'
import type { GuardedCommand } from './settings.ts'

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

/** The answer to somebody who may not; null for who may. An admin reads a refusal too: whoever wrote, it goes to the admin's node. */
export function refusal(command: GuardedCommand, ask: Ask): string | null {
  const { sender } = ask
  if (may(command, sender, ask)) return null
  const { refused, sendDirect, sendDirectAsNamesProveNothing, sendOnChannel, onlyAdmins } = repliesTo(ask)
  if (sender.refused === 'other_key') return refused.other_key
  if (sender.refused === 'unproven' && sender.direct) return refused.unproven
  if (sender.refused !== null || sender.admin) return put(sendDirect, command)
  if (!sender.known && !sender.direct) return put(sendDirectAsNamesProveNothing, command)
  return whoOf(command, ask) === 'channel' ? put(sendOnChannel, command) : onlyAdmins[command]
}
