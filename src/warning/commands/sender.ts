import type { InboundText, Network } from '../radios/radio.ts'
import type { Sender } from './ask.ts'

/** The sender of a text; null when it cannot be answered to anybody. */
export function senderOf(network: Network, text: InboundText, admins: readonly string[]): Sender | null {
  const { fromName: name, direct, channel, proven } = text
  const from = text.from.toLowerCase()
  if (from !== '') {
    const listed = isAdmin(network, from, admins)
    const id = `${network} ${from}${proven ? '' : ' unproven'}`
    return { id, name, known: true, direct, admin: listed && proven, claimsAdmin: listed && !proven }
  }
  if (direct || channel === null) return null
  return { id: `${network} #${channel}`, name: '', known: false, direct, admin: false, claimsAdmin: false }
}

/** MT: the very node. MC: what the radio tells of the key, 12 digits, against as much of it as was configured. */
function isAdmin(network: Network, from: string, admins: readonly string[]): boolean {
  return admins.some((entry) => {
    const admin = entry.toLowerCase()
    if (network === 'mt') return admin === from
    return from.length >= 12 && !admin.startsWith('!') && (admin.startsWith(from) || from.startsWith(admin))
  })
}
