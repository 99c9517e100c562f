import { putAll } from '../messages/catalogue/words.ts'
import { type Answer, repliesTo } from './ask.ts'
import { refusal } from './rights.ts'

/** A key that came today may be a stranger's who was first. */
const PINNED_MS = 24 * 3_600_000

/**
 * `!claim`: a code for one new passphrase, for an admin whose key is known for a day, by direct message alone. Whoever uses it ends every
 * session. Docs: docs/commands.md.
 */
export const claim: Answer = (ask, { claim: offer }) => {
  const refused = refusal('claim', ask)
  if (refused !== null) return refused
  const { sender, now } = ask
  const said = repliesTo(ask)
  // The option `admin_key_required` gives rights to an id alone: not this one.
  if (!sender.proven) return said.refused.new_key
  // On MeshCore nobody but the contact can have made the text.
  const isMt = sender.id.startsWith('mt ')
  if (isMt && (sender.pinnedSince === null || now - sender.pinnedSince < PINNED_MS)) return said.refused.new_key
  if (offer === undefined) return said.noClaim
  return async () => {
    const { code, minutes } = await offer(sender.id)
    return [putAll(said.claimCode, [code, String(minutes)])]
  }
}
