import type { Answer } from './ask.ts'
import { refusal } from './rights.ts'

/** A key that came today may be a stranger's who was first. */
const PINNED_MS = 24 * 3_600_000
const NEW_KEY = 'Refused: the key of your node is known here for less than a day. Use the claim code of the station.'
const NONE = 'No code is given here by radio.'

/**
 * `!claim`: a code for one new passphrase, for an admin whose key is known for a day, by direct message alone. Whoever uses it ends every
 * session. Docs: docs/commands.md.
 */
export const claim: Answer = (ask, { claim: offer }) => {
  const refused = refusal('claim', ask)
  if (refused !== null) return refused
  const { sender, now } = ask
  // The option `admin_key_required` gives rights to an id alone: not this one.
  if (!sender.proven) return NEW_KEY
  // On MeshCore nobody but the contact can have made the text.
  const isMt = sender.id.startsWith('mt ')
  if (isMt && (sender.pinnedSince === null || now - sender.pinnedSince < PINNED_MS)) return NEW_KEY
  if (offer === undefined) return NONE
  return async () => {
    const { code, minutes } = await offer(sender.id)
    return [
      `Code ${code}, for one use in ${minutes} min: open /sign-in on the station and choose a new passphrase. It ends all sessions.`
    ]
  }
}
