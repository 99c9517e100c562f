import type { PinnedKeys } from '../outbox/pinned-keys.ts'
import type { InboundText, Network } from '../radios/radio.ts'
import type { Sender } from './ask.ts'

interface Trust {
  network: Network
  admins: readonly string[]
  keys: Pick<PinnedKeys, 'standing' | 'since'>
  /** False where the owner gives rights to an id alone: `radios[].admin_key_required`. */
  keyRequired: boolean
}

/** The sender of a text; null when it cannot be answered to anybody. */
export function senderOf(text: InboundText, trust: Trust): Sender | null {
  const { network, admins, keyRequired } = trust
  const { fromName: name, direct, channel } = text
  const from = text.from.toLowerCase()
  const nobody = { direct, proven: false, listed: false, admin: false, refused: null, pinnedSince: null }
  if (from !== '') {
    const listed = isAdmin(network, from, admins)
    const doubt = doubtOf(text, listed, trust)
    const id = `${network} ${from}${doubt === null ? '' : ' unproven'}`
    const admin = listed && (doubt === null || (doubt === 'unproven' && direct && !keyRequired))
    return {
      ...nobody,
      id,
      name,
      known: true,
      proven: doubt === null,
      listed,
      admin,
      refused: listed && !admin ? doubt : null,
      pinnedSince: network === 'mt' && doubt === null ? trust.keys.since(from) : null
    }
  }
  if (direct || channel === null) return null
  return { ...nobody, id: `${network} #${channel}`, name: '', known: false }
}

/**
 * The reason why this id may be somebody else's; null when it is proven. MC proves a direct text by the contact's key; of an admin's
 * MT node the key must be the one it had before.
 */
function doubtOf(
  { from, proven, publicKey }: InboundText,
  listed: boolean,
  { network, keys }: Trust
): Sender['refused'] {
  if (!proven) return 'unproven'
  if (network === 'mc' || !listed) return null
  if (publicKey === null) return 'unproven'
  return keys.standing(from.toLowerCase(), publicKey) === 'other' ? 'other_key' : null
}

/** MT: the very node. MC: what the radio tells of the key, 12 digits, against as much of it as was configured. */
function isAdmin(network: Network, from: string, admins: readonly string[]): boolean {
  return admins.some((entry) => {
    const admin = entry.toLowerCase()
    if (network === 'mt') return admin === from
    return from.length >= 12 && !admin.startsWith('!') && (admin.startsWith(from) || from.startsWith(admin))
  })
}
