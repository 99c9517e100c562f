/** Crockford's base 32: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 40 bits: with the limits on tries, guessing takes longer than anybody lives. */
export const CLAIM_CODE_BYTES = 5

/** On the first partition of the card of a Raspberry Pi, which every computer can read: the claim code of a station that nobody has claimed. */
export const CLAIM_CARD_FILE = '/boot/firmware/lookout-claim.txt'

/** `7KQM-3FXB`: eight characters of 5 bits from 5 random bytes. */
export function claimCode(random: Buffer): string {
  const bits = [...random.subarray(0, CLAIM_CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const characters = (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)])
  return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`
}

/** True for what people may type as one. */
export function isClaimCode(typed: string): boolean {
  return /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/.test(readClaimCode(typed.slice(0, 64)))
}

/** The code as people type it: in any case, with or without the hyphen, O for 0, I or L for 1. */
export function readClaimCode(typed: string): string {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return `${plain.slice(0, 4)}-${plain.slice(4)}`
}
